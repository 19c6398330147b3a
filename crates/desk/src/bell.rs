//! The bell: how one process wakes another. After a commit has returned, the committer writes one byte to the file
//! `PATH.bell`; waiters watch that file first and then read the desk, so nothing that commits after is missed.
//! (Watching SQLite's own log does not do: it is written before the commit can be seen.)

use crate::own_file;
#[cfg(target_os = "linux")]
use rustix::fs::inotify;
use std::fs::File;
use std::io;
#[cfg(target_os = "linux")]
use std::os::fd::{AsFd as _, OwnedFd};
use std::path::{Path, PathBuf};
#[cfg(target_os = "linux")]
use std::sync::{Arc, Mutex, PoisonError};

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

/// The waiter's side: an inotify instance that watches the bell.
#[cfg(target_os = "linux")]
#[derive(Debug)]
pub(crate) struct Ear {
    inotify: Arc<OwnedFd>,
    watch: i32,
}

/// The instance that one waiter of a process leaves to the next.
///
/// To close one waits until the kernel has cleared away what it watched, which takes milliseconds. So it stays until the
/// desk is left, and whoever ends a wait only begins the clearing: the answer is on its way meanwhile.
#[cfg(target_os = "linux")]
#[derive(Debug, Default)]
pub(crate) struct Ears {
    kept: Mutex<Option<Arc<OwnedFd>>>,
}

#[cfg(target_os = "linux")]
impl Ears {
    /// Begins to listen. `None` when the system's limit of watches is reached: the caller then polls.
    pub(crate) fn listen(&self, bell: &Path) -> Option<Ear> {
        let inotify = self.instance()?;
        let watch = inotify::add_watch(&inotify, bell, inotify::WatchFlags::MODIFY).ok()?;
        let ear = Ear { inotify, watch };
        ear.drain(); // what rang for the waiter before
        Some(ear)
    }

    /// The kept instance where nobody uses it, or a new one.
    fn instance(&self) -> Option<Arc<OwnedFd>> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(free) = kept.as_ref().filter(|kept| Arc::strong_count(kept) == 1) {
            return Some(free.clone());
        }
        let flags = inotify::CreateFlags::CLOEXEC | inotify::CreateFlags::NONBLOCK;
        let new = Arc::new(inotify::init(flags).ok()?);
        kept.get_or_insert_with(|| new.clone());
        Some(new)
    }
}

#[cfg(target_os = "linux")]
impl Drop for Ear {
    fn drop(&mut self) {
        let _ = inotify::remove_watch(&self.inotify, self.watch);
    }
}

#[cfg(target_os = "linux")]
impl Ear {
    /// Forgets what has rung so far.
    pub(crate) fn drain(&self) {
        let mut buffer = [0_u8; 1024];
        // What does not fill it is all there is.
        while rustix::io::read(&self.inotify, &mut buffer).is_ok_and(|read| read == buffer.len()) {}
    }

    /// Waits until it rings, for `limit` at most.
    pub(crate) fn wait(&self, limit: std::time::Duration) {
        use rustix::event::{PollFd, PollFlags, Timespec, poll};
        let Ok(limit) = Timespec::try_from(limit) else { return };
        let _ = poll(&mut [PollFd::new(&self.inotify, PollFlags::IN)], Some(&limit));
    }

    /// What becomes readable when it rings.
    pub(crate) fn fd(&self) -> std::os::fd::BorrowedFd<'_> {
        self.inotify.as_fd()
    }
}

/// Elsewhere there is no bell to hear yet: waiters poll.
#[cfg(not(target_os = "linux"))]
#[derive(Debug)]
pub(crate) enum Ear {}

#[cfg(not(target_os = "linux"))]
#[derive(Debug, Default)]
pub(crate) struct Ears;

#[cfg(not(target_os = "linux"))]
impl Ears {
    pub(crate) fn listen(&self, _bell: &Path) -> Option<Ear> {
        None
    }
}

#[cfg(not(target_os = "linux"))]
impl Ear {
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

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests {
    use super::*;
    use rustix::event::{PollFd, PollFlags, Timespec, poll};

    fn has_rung(ear: &Ear) -> bool {
        poll(&mut [PollFd::from_borrowed_fd(ear.fd(), PollFlags::IN)], Some(&Timespec::default())).unwrap()
            > 0
    }

    #[test]
    fn who_listens_after_another_uses_what_it_left_and_hears_nothing_of_before() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("desk.bell");
        let (bell, ears) = (Bell::open(&path).unwrap(), Ears::default());
        let first = ears.listen(&path).unwrap();
        bell.ring();
        assert!(has_rung(&first));
        let left = Arc::downgrade(&first.inotify);
        drop(first);
        let second = ears.listen(&path).unwrap();
        assert_eq!(left.as_ptr(), Arc::as_ptr(&second.inotify));
        assert!(!has_rung(&second));
        bell.ring();
        assert!(has_rung(&second));
    }

    #[test]
    fn several_listen_at_once_and_each_hears_every_ring() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("desk.bell");
        let (bell, ears) = (Bell::open(&path).unwrap(), Ears::default());
        let all = [(); 3].map(|()| ears.listen(&path).unwrap());
        bell.ring();
        assert!(all.iter().all(has_rung));
        let [first, others @ ..] = all;
        first.drain();
        drop(others);
        assert!(!has_rung(&first));
        bell.ring();
        assert!(has_rung(&first));
    }
}
