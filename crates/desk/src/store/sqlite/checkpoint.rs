//! Carries the log file over into the desk file, off the committing thread: a commit that pays for it takes a hundred
//! times as long as the others.

use super::error::is_sync_failure;
use crate::own_file;
use crate::store::trust::Trust;
use rusqlite::{Connection, Transaction, TransactionBehavior};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// Pages of the log that are carried over once there are more, while others wait: 4 MiB.
const PAGES: i64 = 1 << 10;

/// The same when nobody waits: 512 KiB. Whoever opens a desk that nobody else has open reads all of its log.
const PAGES_AT_LEISURE: i64 = 1 << 7;

/// The same when a desk is opened, 2 MiB: those who had it open before may all have been killed, and never at leisure.
const PAGES_AT_OPENING: i64 = 1 << 9;

/// The size of a page in the log, with what stands before it.
const PAGE_BYTES: u64 = 4_096 + 24;

/// From this size on the committing thread itself carries over whatever there is.
const PAGES_MOST: i64 = 1 << 14;

/// The size in bytes to which the file of the log is cut when the log begins anew. Under steady load it begins anew long
/// before, so that a commit hardly ever waits for a file to grow again.
pub(super) const LOG_BYTES: u64 = 16 << 20;

/// Jobs between two looks at the size of the log.
const JOBS_BETWEEN_LOOKS: usize = 64;

pub(super) struct Checkpoint {
    desk: PathBuf,
    jobs: AtomicUsize,
    running: Arc<AtomicBool>,
    /// What there was has just been carried over beside, so what is left is what has come meanwhile. Under steady load
    /// the log would never come to an end that way, and without an end it cannot begin anew: a log that grows makes
    /// each commit wait for the file system's journal too, half as long again as where it overwrites itself. So the
    /// next to commit carries over the rest.
    rest: Arc<AtomicBool>,
    trust: Arc<Trust>,
}

impl Checkpoint {
    pub(super) fn of(desk: &Path, trust: Arc<Trust>) -> Self {
        Self {
            desk: desk.to_owned(),
            jobs: AtomicUsize::new(0),
            running: Arc::default(),
            rest: Arc::default(),
            trust,
        }
    }

    /// Looks after the log now and then; called after each commit of so many jobs, when their callers have been woken.
    pub(super) fn after_commit(&self, conn: &Mutex<Connection>, jobs: usize) {
        let before = self.jobs.fetch_add(jobs, Ordering::Relaxed);
        let is_time = before % JOBS_BETWEEN_LOOKS + jobs >= JOBS_BETWEEN_LOOKS;
        let is_rest = self.rest.swap(false, Ordering::AcqRel);
        if !is_time && !is_rest {
            return;
        }
        let conn = conn.lock().unwrap_or_else(PoisonError::into_inner);
        match log(&conn) {
            (PAGES_MOST.., _) => run(&conn, &self.trust),
            (PAGES.., ..PAGES) if is_rest => run(&conn, &self.trust),
            (_, PAGES..) => self.beside(),
            _ => {}
        }
    }

    /// Carries over when the log is large, and begins it anew; called when nobody waits for a reply.
    pub(super) fn at_leisure(&self, conn: &Connection) {
        self.from(PAGES_AT_LEISURE, conn);
    }

    /// The same of a log whose file had this size when the desk was opened: looking at that costs nothing.
    pub(super) fn opened_on(&self, log_bytes: u64, conn: &Connection) {
        if log_bytes > PAGES_AT_OPENING.unsigned_abs() * PAGE_BYTES {
            self.from(PAGES_AT_OPENING, conn);
        }
    }

    fn from(&self, pages: i64, conn: &Connection) {
        if log(conn).1 <= pages && !self.is_large() {
            return;
        }
        run(conn, &self.trust);
        if log(conn).1 == 0 {
            confirmed(begin_anew(conn), &self.trust);
        }
    }

    /// Whether the file of the log is larger than it stays.
    pub(super) fn is_large(&self) -> bool {
        std::fs::metadata(own_file::beside(&self.desk, "-wal")).is_ok_and(|log| log.len() > LOG_BYTES)
    }

    /// Carries over on a thread of its own, with a connection of its own.
    fn beside(&self) {
        if self.running.swap(true, Ordering::AcqRel) {
            return;
        }
        let (desk, running, trust) = (self.desk.clone(), self.running.clone(), self.trust.clone());
        let rest = self.rest.clone();
        let work = move || {
            if let Ok(conn) = super::connect(&desk) {
                run(&conn, &trust);
            }
            running.store(false, Ordering::Release);
            rest.store(true, Ordering::Release);
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

/// Writes the first page of a log that has been carried over. How far it was carried is known to those alone who have the
/// desk open: whoever opens it after all of them finds the whole log to be read, and writes behind its end. Where only
/// commands use a desk, one after another, it would grow for ever, and each of them would read all of it.
fn begin_anew(conn: &Connection) -> rusqlite::Result<()> {
    let tx = Transaction::new_unchecked(conn, TransactionBehavior::Immediate)?;
    // It is written though it stays as it is, and costs no more than a page.
    let format: i32 = tx.pragma_query_value(None, "user_version", |row| row.get(0))?;
    tx.pragma_update(None, "user_version", format)?;
    tx.commit()
}

/// Carries over what can be without making anybody wait. Somebody else may be at it; then it is done anyway.
fn run(conn: &Connection, trust: &Trust) {
    confirmed(conn.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |_| Ok(())), trust);
}

/// When the disk does not confirm it, nothing more is written: the log would be begun anew over what is lost. Whatever else
/// goes wrong is for another time.
fn confirmed(done: rusqlite::Result<()>, trust: &Trust) {
    if let Err(error) = done
        && is_sync_failure(&error)
    {
        trust.lose();
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{desk, raw};
    use super::{LOG_BYTES, PAGES, PAGES_AT_LEISURE, PAGES_AT_OPENING, PAGES_MOST, log};
    use crate::contract::{note, open, person};
    use crate::desk::Desk as _;
    use crate::draft::DraftRev;
    use crate::local::Retention;
    use tempfile::TempDir;

    #[test]
    fn the_log_of_a_desk_that_one_after_another_opens_begins_anew_too() {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("desk");
        let mut most = 0;
        for number in 0..150 {
            let desk = desk(&path);
            open(&desk, &format!("door {number}"));
            desk.tidy_up(Retention::default()).unwrap();
            most = most.max(log(&raw(&path)).0);
        }
        assert!(most > PAGES_AT_LEISURE / 2, "{most} pages: there was nothing to be carried over");
        assert!(most <= PAGES_AT_LEISURE, "{most} pages");
    }

    #[test]
    fn the_log_of_a_desk_whose_users_are_all_killed_begins_anew_as_well() {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("desk");
        let mut most = 0;
        for number in 0..200 {
            let desk = desk(&path);
            open(&desk, &format!("door {number}"));
            most = most.max(log(&raw(&path)).0);
        }
        assert!(most > PAGES_AT_OPENING / 2, "{most} pages: there was nothing to be carried over");
        assert!(most <= PAGES_AT_OPENING + PAGES_AT_LEISURE, "{most} pages");
    }

    #[test]
    fn large_log_becomes_small_again() {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("desk");
        let (desk, reader) = (desk(&path), raw(&path));
        let ask = open(&desk, "door");
        // Nothing is carried over past what somebody reads.
        reader.execute_batch("BEGIN; SELECT count(*) FROM ask").unwrap();
        let bytes = || std::fs::metadata(folder.path().join("desk-wal")).unwrap().len();
        for rev in 0.. {
            desk.save(&person("ada"), ask.id, DraftRev(rev), vec![note(&"x".repeat(1 << 19))]).unwrap();
            if bytes() > 2 * LOG_BYTES {
                break;
            }
        }
        reader.execute_batch("COMMIT").unwrap();
        desk.shrink_log();
        assert!(bytes() <= LOG_BYTES, "{}", bytes());
    }

    #[test]
    fn a_log_that_is_written_to_all_the_time_begins_anew_long_before_it_is_large() {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("desk");
        let (desk, looking) = (desk(&path), raw(&path));
        let ask = open(&desk, "door");
        let mut pages = 0;
        for rev in 0.. {
            desk.save(&person("ada"), ask.id, DraftRev(rev), vec![note(&"x".repeat(1 << 16))]).unwrap();
            let before = std::mem::replace(&mut pages, log(&looking).0);
            if pages < before {
                break;
            }
            assert!(pages < PAGES_MOST / 2, "{pages} pages, and nothing is written over yet");
        }
        assert!(pages < PAGES, "{pages}");
    }
}
