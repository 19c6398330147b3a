//! Wake-up by FIFOs. Each waiter has one in `DESK.wake/ASK`, or in `DESK.wake/all`, and polls it. A committer writes a
//! byte into the FIFOs of the asks that it changed.
//!
//! inotify has a limit of 128 instances a user, and one file for all waiters wakes all of them (0.5 ms a commit with a
//! hundred). A futex cannot be polled together with a terminal. Sockets cost the same as FIFOs, but their paths have a
//! limit of 108 bytes, and sandboxes that forbid the network forbid `bind` too.
//!
//! A FIFO without a reader belongs to a waiter that is gone: a committer and the safety checks of other waiters remove it.
//! So that none of them removes a FIFO before its waiter has opened it, it gets its name only after that.

use super::{Listener, WakeScope, Wakeup, check_interval};
use crate::watch::Interest;
use crate::{clock, own_file, random};
use jiff::Timestamp;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{AtFlags, Dir, Mode, OFlags, mkdirat, mkfifoat, open, openat, renameat, statat, unlinkat};
use rustix::io::{self, Errno};
use rustix::process::geteuid;
use std::cell::Cell;
use std::os::fd::{AsFd as _, BorrowedFd, OwnedFd};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Folder of the waiters for every ask.
const ALL_FOLDER: &str = "all";

/// Prefix of the name of a FIFO that its waiter has not opened yet.
const NEW_PREFIX: &str = "new.";

/// Age in seconds after which such a FIFO counts as left by a killed process.
const NEW_SECONDS: i64 = 60;

/// Other processes may remove an empty folder while a waiter registers there; then it tries again.
const REGISTER_TRIES: usize = 100;

/// Live FIFOs after which a safety check stops looking for dead ones.
const LIVE_PROBES: usize = 4;

const FOLDER_FLAGS: OFlags =
    OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);
const FIFO_FLAGS: OFlags = OFlags::NONBLOCK.union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);

/// The FIFOs of one desk.
#[derive(Debug)]
pub(super) struct FifoWakeup {
    root: PathBuf,
}

impl FifoWakeup {
    /// The FIFOs next to a desk file.
    pub(super) fn new(desk: &Path) -> Self {
        Self { root: own_file::sibling_path(desk, ".wake") }
    }

    fn register(&self, interest: &Interest) -> io::Result<FifoListener> {
        let own = match interest {
            Interest::Ask(id) => id.to_string(),
            Interest::All => ALL_FOLDER.to_owned(),
        };
        if let Err(error) = rustix::fs::mkdir(&self.root, Mode::RWXU)
            && error != Errno::EXIST
        {
            return Err(error);
        }
        let root = open_root(&self.root)?;
        for _ in 0..REGISTER_TRIES {
            match register_in(&root, &own) {
                Ok((name, fifo)) => {
                    let root = self.root.clone();
                    return Ok(FifoListener { fifo, root, own, name, checks_before_sweep: Cell::new(0) });
                }
                Err(Errno::NOENT) => {}
                Err(error) => return Err(error),
            }
        }
        Err(Errno::NOENT)
    }
}

/// Makes a FIFO in the folder of this name. `NOENT` if another process removed the folder or the FIFO meanwhile.
fn register_in(root: &OwnedFd, own: &str) -> io::Result<(String, OwnedFd)> {
    if let Err(error) = mkdirat(root, own, Mode::RWXU)
        && error != Errno::EXIST
    {
        return Err(error);
    }
    let folder = openat(root, own, FOLDER_FLAGS, Mode::empty())?;
    let number = random::random_bytes::<8>().map_err(|_| Errno::NOSYS)?;
    let name = format!("{:016x}", u64::from_be_bytes(number));
    let new = format!("{NEW_PREFIX}{name}");
    mkfifoat(&folder, &new, Mode::RUSR | Mode::WUSR)?;
    // With a writer of its own it never sees the end of the file.
    let fifo = openat(&folder, &new, FIFO_FLAGS.union(OFlags::RDWR), Mode::empty())?;
    renameat(&folder, &new, &folder, &name)?;
    Ok((name, fifo))
}

/// Opens the folder of all FIFOs. Another user's folder is refused: in a folder that many may write, anyone can make
/// it.
fn open_root(root: &Path) -> io::Result<OwnedFd> {
    let folder = open(root, FOLDER_FLAGS, Mode::empty())?;
    let owner = rustix::fs::fstat(&folder)?.st_uid;
    if owner == geteuid().as_raw() { Ok(folder) } else { Err(Errno::PERM) }
}

/// Lists the names in a folder, without unreadable ones.
fn names_in(folder: &OwnedFd) -> Vec<String> {
    let Ok(entries) = Dir::read_from(folder) else { return Vec::new() };
    let mut names = Vec::new();
    for entry in entries.flatten() {
        if let Ok(name) = entry.file_name().to_str()
            && name != "."
            && name != ".."
        {
            names.push(name.to_owned());
        }
    }
    names
}

/// Opens a waiter's FIFO for writing; removes it if its waiter is gone.
fn writer_of(folder: &OwnedFd, name: &str) -> Option<OwnedFd> {
    match openat(folder, name, FIFO_FLAGS.union(OFlags::WRONLY), Mode::empty()) {
        Ok(fifo) => Some(fifo),
        Err(Errno::NXIO) => {
            // Another process may have removed it just now; what stays is met again by the next wake-up or check.
            let _ = unlinkat(folder, name, AtFlags::empty());
            None
        }
        // The waiter left just now, or the FIFO is another user's.
        Err(_) => None,
    }
}

/// Wakes the waiters in the folder of this name.
fn wake_folder(root: &OwnedFd, name: &str) {
    let Ok(folder) = openat(root, name, FOLDER_FLAGS, Mode::empty()) else { return };
    let mut is_empty = true;
    for waiter in names_in(&folder) {
        if waiter.starts_with(NEW_PREFIX) {
            is_empty = false; // it reads the desk once it has its name
        } else if let Some(fifo) = writer_of(&folder, &waiter) {
            is_empty = false;
            // No trace: a full FIFO has not been read yet, so its waiter is awake.
            let _ = io::write(&fifo, b"!");
        }
    }
    if is_empty {
        remove_folder(root, name);
    }
}

/// Removes a folder unless a waiter has registered there.
fn remove_folder(root: &OwnedFd, name: &str) {
    // No trace: it fails whenever the folder is in use, or another process was faster.
    let _ = unlinkat(root, name, AtFlags::REMOVEDIR);
}

/// Removes the FIFOs of waiters that are gone from the folder of this name, and returns how many waiters are left.
fn sweep_folder(root: &OwnedFd, name: &str) -> usize {
    let Ok(folder) = openat(root, name, FOLDER_FLAGS, Mode::empty()) else { return 0 };
    let mut live = 0;
    for waiter in names_in(&folder) {
        if waiter.starts_with(NEW_PREFIX) {
            if is_stale(&folder, &waiter) {
                // Another process may have removed it just now; what stays is met again by the next check.
                let _ = unlinkat(&folder, &waiter, AtFlags::empty());
            }
        } else {
            live += usize::from(writer_of(&folder, &waiter).is_some());
        }
    }
    if live == 0 {
        remove_folder(root, name);
    }
    live
}

/// Removes FIFOs of waiters that are gone, from a random folder on, until it has met some that are not.
fn sweep(root: &OwnedFd) {
    let names = names_in(root);
    let start = random::random_bytes::<8>().map_or(0, usize::from_ne_bytes) % names.len().max(1);
    let mut live = 0;
    for name in names.iter().cycle().skip(start).take(names.len()) {
        live += sweep_folder(root, name);
        if live >= LIVE_PROBES {
            break;
        }
    }
}

/// Counts the folders in a folder by its links, of which each folder in it is one: the listing of 1,000 takes 1 ms.
/// File systems that don't count them (btrfs) report one link.
fn folders_in(folder: &OwnedFd) -> io::Result<usize> {
    let links = usize::try_from(rustix::fs::fstat(folder)?.st_nlink).unwrap_or_default();
    Ok(links.checked_sub(2).unwrap_or_else(|| names_in(folder).len()))
}

fn is_stale(folder: &OwnedFd, name: &str) -> bool {
    let Ok(stat) = statat(folder, name, AtFlags::SYMLINK_NOFOLLOW) else { return false };
    let Ok(created_at) = Timestamp::from_second(stat.st_mtime) else { return false };
    clock::now().duration_since(created_at).as_secs() > NEW_SECONDS
}

impl Wakeup for FifoWakeup {
    fn listen(&self, interest: &Interest) -> Option<Box<dyn Listener>> {
        match self.register(interest) {
            Ok(listener) => Some(Box::new(listener)),
            // Its waiter polls; `sayso doctor` reports it.
            Err(error) => {
                tracing::debug!(%error, "no FIFO to wait at");
                None
            }
        }
    }

    fn wake(&self, scope: &WakeScope) {
        // Without the folder no one waits.
        let Ok(root) = open_root(&self.root) else { return };
        match scope {
            WakeScope::Asks(asks) => {
                // Programs that wait for these asks go on with an answer; those for every ask only show it.
                for ask in asks {
                    wake_folder(&root, &ask.to_string());
                }
                wake_folder(&root, ALL_FOLDER);
            }
            WakeScope::Everyone => {
                for name in names_in(&root) {
                    wake_folder(&root, &name);
                }
            }
        }
    }
}

/// Waiter with its FIFO.
#[derive(Debug)]
struct FifoListener {
    fifo: OwnedFd,
    root: PathBuf,
    /// Name of its folder.
    own: String,
    name: String,
    /// Number of checks until one looks for FIFOs of waiters that are gone.
    checks_before_sweep: Cell<usize>,
}

impl FifoListener {
    /// Counts the waiters: all for every ask and for the same ask, one for each other ask. The first check and every
    /// check after as many as there are waiters also removes the FIFOs of waiters that are gone: all waiters together
    /// then list the folder ten times a second at most.
    fn count_waiters(&self) -> io::Result<usize> {
        let root = open_root(&self.root)?;
        let count = self.count_in(&root)?;
        match self.checks_before_sweep.get() {
            0 => {
                sweep(&root);
                let count = self.count_in(&root)?;
                self.checks_before_sweep.set(count);
                Ok(count)
            }
            checks => {
                self.checks_before_sweep.set(checks.min(count).saturating_sub(1));
                Ok(count)
            }
        }
    }

    fn count_in(&self, root: &OwnedFd) -> io::Result<usize> {
        let mut count = folders_in(root)?;
        for name in [self.own.as_str(), ALL_FOLDER] {
            if let Ok(folder) = openat(root, name, FOLDER_FLAGS, Mode::empty()) {
                count += names_in(&folder).len().saturating_sub(1);
            }
            if self.own == ALL_FOLDER {
                break;
            }
        }
        Ok(count)
    }
}

impl Listener for FifoListener {
    fn drain(&self) {
        let mut buffer = [0_u8; 1024];
        // A read that does not fill the buffer has emptied the FIFO.
        while let Ok(count) = io::read(&self.fifo, &mut buffer)
            && count == buffer.len()
        {}
    }

    fn wait(&self, limit: Duration) {
        let Ok(limit) = Timespec::try_from(limit) else { return };
        // A wait that a signal interrupts ends early, and its caller reads the desk.
        let _ = poll(&mut [PollFd::new(&self.fifo, PollFlags::IN)], Some(&limit));
    }

    fn check_interval(&self) -> Duration {
        check_interval(self.count_waiters().unwrap_or(0))
    }

    fn fd(&self) -> BorrowedFd<'_> {
        self.fifo.as_fd()
    }
}

impl Drop for FifoListener {
    fn drop(&mut self) {
        let folder = self.root.join(&self.own);
        // No trace: other processes remove it too once it has no reader, and the folder stays while others wait there.
        let _ = std::fs::remove_file(folder.join(&self.name));
        let _ = std::fs::remove_dir(folder);
    }
}

#[cfg(test)]
mod tests;
