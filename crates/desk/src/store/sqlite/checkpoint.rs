//! Carries the log file over into the desk file, off the committing thread: a commit that pays for it takes a hundred
//! times as long as the others.

use super::error::is_sync_failure;
use super::trust::Trust;
use rusqlite::Connection;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// The log is carried over once it is larger than this.
const LOG_BYTES: u64 = 4 << 20;

/// Under steady load the log never comes to an end, and without an end it cannot begin anew. From this size on the
/// committing thread itself carries over the little that has come since.
const LOG_BYTES_MOST: u64 = 64 << 20;

/// Commits between two looks at the size of the log.
const COMMITS_BETWEEN_LOOKS: u32 = 64;

pub(super) struct Checkpoint {
    desk: PathBuf,
    log: PathBuf,
    commits: AtomicU32,
    running: Arc<AtomicBool>,
    trust: Arc<Trust>,
}

impl Checkpoint {
    pub(super) fn of(desk: &Path, trust: Arc<Trust>) -> Self {
        let mut log = desk.as_os_str().to_owned();
        log.push("-wal");
        Self {
            desk: desk.to_owned(),
            log: PathBuf::from(log),
            commits: AtomicU32::new(0),
            running: Arc::default(),
            trust,
        }
    }

    fn log_bytes(&self) -> u64 {
        std::fs::metadata(&self.log).map_or(0, |log| log.len())
    }

    /// Looks after the log now and then; called after each commit, when its callers have been woken.
    pub(super) fn after_commit(&self, conn: &Mutex<Connection>) {
        if self.commits.fetch_add(1, Ordering::Relaxed) % COMMITS_BETWEEN_LOOKS != COMMITS_BETWEEN_LOOKS - 1 {
            return;
        }
        match self.log_bytes() {
            LOG_BYTES_MOST.. => run(&conn.lock().unwrap_or_else(PoisonError::into_inner), &self.trust),
            LOG_BYTES.. => self.beside(),
            _ => {}
        }
    }

    /// Carries over when the log is large; called when nobody waits for a reply.
    pub(super) fn at_leisure(&self, conn: &Connection) {
        if self.log_bytes() > LOG_BYTES {
            run(conn, &self.trust);
        }
    }

    /// Carries over on a thread of its own, with a connection of its own.
    fn beside(&self) {
        if self.running.swap(true, Ordering::AcqRel) {
            return;
        }
        let (desk, running, trust) = (self.desk.clone(), self.running.clone(), self.trust.clone());
        let work = move || {
            if let Ok(conn) = super::connect(&desk) {
                run(&conn, &trust);
            }
            running.store(false, Ordering::Release);
        };
        // Where no thread is to be had, the log waits for another time.
        if std::thread::Builder::new().spawn(work).is_err() {
            self.running.store(false, Ordering::Release);
        }
    }
}

/// Carries over what can be without making anybody wait. Somebody else may be at it; then it is done anyway.
/// But when the disk does not confirm it, nothing more is written: the log would be begun anew over what is lost.
fn run(conn: &Connection, trust: &Trust) {
    if let Err(error) = conn.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |_| Ok(()))
        && is_sync_failure(&error)
    {
        trust.lose();
    }
}
