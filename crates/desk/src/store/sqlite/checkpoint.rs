//! Carries the log file over into the desk file, off the committing thread: a commit that pays for it takes a hundred
//! times as long as the others.

use super::error::is_sync_failure;
use crate::store::trust::Trust;
use rusqlite::Connection;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// Pages of the log that are carried over once there are more, while others wait: 4 MiB.
const PAGES: i64 = 1 << 10;

/// The same when nobody waits: 1 MiB. Whoever opens a desk that nobody else has open reads all of its log.
const PAGES_AT_LEISURE: i64 = 1 << 8;

/// Under steady load the log never comes to an end, and without an end it cannot begin anew. From this size on the
/// committing thread itself carries over the little that has come since.
const PAGES_MOST: i64 = 1 << 14;

/// Commits between two looks at the size of the log.
const COMMITS_BETWEEN_LOOKS: u32 = 64;

pub(super) struct Checkpoint {
    desk: PathBuf,
    commits: AtomicU32,
    running: Arc<AtomicBool>,
    trust: Arc<Trust>,
}

impl Checkpoint {
    pub(super) fn of(desk: &Path, trust: Arc<Trust>) -> Self {
        Self { desk: desk.to_owned(), commits: AtomicU32::new(0), running: Arc::default(), trust }
    }

    /// Looks after the log now and then; called after each commit, when its callers have been woken.
    pub(super) fn after_commit(&self, conn: &Mutex<Connection>) {
        if self.commits.fetch_add(1, Ordering::Relaxed) % COMMITS_BETWEEN_LOOKS != COMMITS_BETWEEN_LOOKS - 1 {
            return;
        }
        let conn = conn.lock().unwrap_or_else(PoisonError::into_inner);
        match log(&conn) {
            (PAGES_MOST.., _) => run(&conn, &self.trust),
            (_, PAGES..) => self.beside(),
            _ => {}
        }
    }

    /// Carries over when the log is large; called when nobody waits for a reply.
    pub(super) fn at_leisure(&self, conn: &Connection) {
        if log(conn).1 > PAGES_AT_LEISURE {
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

/// How many pages the log has, and how many of them are still to be carried over. Its file does not get smaller.
fn log(conn: &Connection) -> (i64, i64) {
    let counted = conn.query_row("PRAGMA wal_checkpoint(NOOP)", [], |row| {
        Ok((row.get::<_, i64>(1)?, row.get::<_, i64>(2)?))
    });
    counted.map_or((0, 0), |(pages, carried)| (pages, pages - carried))
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
