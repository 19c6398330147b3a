//! The bell: how one process wakes another. After a commit has returned, the committer writes one byte to the file
//! `PATH.bell`; waiters watch that file first and then read the desk, so nothing that commits after is missed.
//! (Watching SQLite's own log does not do: it is written before the commit can be seen.)

use crate::own_file;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

/// Where the bell of a desk file is.
pub(crate) fn path_of(desk: &Path) -> PathBuf {
    own_file::beside(desk, ".bell")
}

/// The committer's side.
#[derive(Debug)]
pub(crate) struct Bell {
    file: File,
}

impl Bell {
    /// Opens the bell, and makes it where there is none.
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        Ok(Self { file: own_file::open(path)? })
    }

    /// Holds the bell until it is dropped, so that only one at a time makes a desk. A file system without locks is no
    /// error: SQLite has its own.
    pub(crate) fn hold(&self) {
        let _ = self.file.lock();
    }

    /// Wakes every waiter. A bell that cannot be rung is no error: waiters look once a second anyway.
    pub(crate) fn ring(&self) {
        #[cfg(unix)]
        {
            use std::os::unix::fs::FileExt as _;
            let _ = self.file.write_at(b"!", 0);
        }
        #[cfg(not(unix))]
        {
            use std::io::{Seek as _, SeekFrom, Write as _};
            let mut file = &self.file;
            let _ = file.seek(SeekFrom::Start(0)).and_then(|_| file.write(b"!"));
        }
    }
}

/// The waiter's side: an inotify instance on the bell.
#[cfg(target_os = "linux")]
#[derive(Debug)]
pub(crate) struct Ear {
    fd: std::os::fd::OwnedFd,
}

#[cfg(target_os = "linux")]
impl Ear {
    /// Begins to listen. `None` when the system's limit of watches is reached: the caller then polls.
    pub(crate) fn listen(bell: &Path) -> Option<Self> {
        use rustix::fs::inotify;
        let flags = inotify::CreateFlags::CLOEXEC | inotify::CreateFlags::NONBLOCK;
        let fd = inotify::init(flags).ok()?;
        inotify::add_watch(&fd, bell, inotify::WatchFlags::MODIFY).ok()?;
        Some(Self { fd })
    }

    /// Forgets what has rung so far.
    pub(crate) fn drain(&self) {
        let mut buffer = [0_u8; 1024];
        // What does not fill it is all there is.
        while rustix::io::read(&self.fd, &mut buffer).is_ok_and(|read| read == buffer.len()) {}
    }

    /// Waits until it rings, for `limit` at most.
    pub(crate) fn wait(&self, limit: std::time::Duration) {
        use rustix::event::{PollFd, PollFlags, Timespec, poll};
        let Ok(limit) = Timespec::try_from(limit) else { return };
        let _ = poll(&mut [PollFd::new(&self.fd, PollFlags::IN)], Some(&limit));
    }

    /// What becomes readable when it rings.
    pub(crate) fn fd(&self) -> std::os::fd::BorrowedFd<'_> {
        use std::os::fd::AsFd as _;
        self.fd.as_fd()
    }
}

/// Elsewhere there is no bell to hear yet: waiters poll.
#[cfg(not(target_os = "linux"))]
#[derive(Debug)]
pub(crate) enum Ear {}

#[cfg(not(target_os = "linux"))]
impl Ear {
    pub(crate) fn listen(_bell: &Path) -> Option<Self> {
        None
    }

    pub(crate) fn drain(&self) {
        match *self {}
    }

    pub(crate) fn wait(&self, _limit: std::time::Duration) {
        match *self {}
    }

    #[cfg(unix)]
    pub(crate) fn fd(&self) -> std::os::fd::BorrowedFd<'_> {
        match *self {}
    }
}
