//! Checkpoints of the WAL, off the committing thread: a commit that pays for one takes a hundred times as long as the
//! others.

use super::transaction::TransactionRunner;
use crate::own_file;
use crate::store::DeskLoss;
use crate::store::api::SyncHealth;
use crate::store::sqlite::connection::connect;
use crate::store::sqlite::error::is_sync_failure;
use rusqlite::{Connection, Transaction, TransactionBehavior};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// WAL pages that trigger a checkpoint while others wait: 4 MiB.
const BACKGROUND_PAGES: i64 = 1 << 10;

/// WAL pages that trigger one while no one waits: 512 KiB. A process that opens an otherwise closed desk reads all of
/// its WAL.
const IDLE_PAGES: i64 = 1 << 7;

/// WAL pages that trigger one at opening: 2 MiB. Earlier users may all have been killed before an idle checkpoint.
const OPENING_PAGES: i64 = 1 << 9;

/// Size of a WAL page with its frame header.
const PAGE_BYTES: u64 = 4_096 + 24;

/// WAL pages from which the committing thread checkpoints itself.
const BLOCKING_PAGES: i64 = 1 << 14;

/// Size in bytes to which the WAL file is truncated when SQLite restarts the WAL. Under steady load it restarts long
/// before, so a commit hardly ever waits for the file to grow.
pub(crate) const WAL_BYTES: u64 = 16 << 20;

/// Jobs between two checks of the WAL's size.
const JOBS_BETWEEN_CHECKS: usize = 64;

pub(crate) struct Checkpointer {
    desk: PathBuf,
    jobs: AtomicUsize,
    is_running: Arc<AtomicBool>,
    /// A background checkpoint has just run, so only frames committed meanwhile are left. Under steady load it never
    /// reaches the end, and only then SQLite can restart the WAL. A growing WAL makes each commit wait for the file
    /// system's journal too, half as long again as overwriting. So the next commit checkpoints the rest.
    has_rest: Arc<AtomicBool>,
    trust: Arc<SyncHealth>,
}

impl Checkpointer {
    pub(crate) fn new(desk: &Path, trust: Arc<SyncHealth>) -> Self {
        Self {
            desk: desk.to_owned(),
            jobs: AtomicUsize::new(0),
            is_running: Arc::default(),
            has_rest: Arc::default(),
            trust,
        }
    }

    /// Checks the WAL after every [`JOBS_BETWEEN_CHECKS`] jobs. Runs after each commit, once the callers of its jobs
    /// are awake.
    pub(crate) fn after_commit(&self, writer: &TransactionRunner, jobs: usize) {
        let earlier_jobs = self.jobs.fetch_add(jobs, Ordering::Relaxed);
        let is_time = earlier_jobs % JOBS_BETWEEN_CHECKS + jobs >= JOBS_BETWEEN_CHECKS;
        let is_rest = self.has_rest.swap(false, Ordering::AcqRel);
        if !is_time && !is_rest {
            return;
        }
        let conn = writer.connection();
        match wal_pages(&conn) {
            (BLOCKING_PAGES.., _) => run_checkpoint(&conn, &self.trust),
            (BACKGROUND_PAGES.., ..BACKGROUND_PAGES) if is_rest => run_checkpoint(&conn, &self.trust),
            (_, BACKGROUND_PAGES..) => self.run_in_background(),
            _ => {}
        }
    }

    /// Checkpoints and restarts a large WAL. Runs while no one waits for a reply.
    pub(crate) fn run_when_idle(&self, conn: &Connection) {
        self.run_above(IDLE_PAGES, conn);
    }

    /// Checkpoints a WAL whose file had this size at opening: the size costs nothing to get.
    pub(crate) fn run_after_opening(&self, log_bytes: u64, conn: &Connection) {
        if log_bytes > OPENING_PAGES.unsigned_abs() * PAGE_BYTES {
            self.run_above(OPENING_PAGES, conn);
        }
    }

    fn run_above(&self, pages: i64, conn: &Connection) {
        if wal_pages(conn).1 <= pages && !self.is_large() {
            return;
        }
        run_checkpoint(conn, &self.trust);
        if wal_pages(conn).1 == 0 {
            record_result(restart_wal(conn), &self.trust);
        }
    }

    /// Returns whether the WAL file is larger than its limit.
    pub(crate) fn is_large(&self) -> bool {
        std::fs::metadata(own_file::sibling_path(&self.desk, "-wal")).is_ok_and(|log| log.len() > WAL_BYTES)
    }

    /// Checkpoints on another thread, with another connection.
    fn run_in_background(&self) {
        if self.is_running.swap(true, Ordering::AcqRel) {
            return;
        }
        let desk = self.desk.clone();
        let trust = self.trust.clone();
        let is_running = self.is_running.clone();
        let has_rest = self.has_rest.clone();
        let thread = std::thread::Builder::new().spawn(move || {
            match connect(&desk) {
                Ok(conn) => run_checkpoint(&conn, &trust),
                Err(problem) => {
                    tracing::warn!(error = %problem, "no checkpoint in the background");
                }
            }
            is_running.store(false, Ordering::Release);
            has_rest.store(true, Ordering::Release);
        });
        // If no thread can be started, a later commit checkpoints.
        if let Err(error) = thread {
            tracing::warn!(%error, "no thread for a checkpoint");
            self.is_running.store(false, Ordering::Release);
        }
    }
}

/// Returns the pages of the WAL, and how many of them are not checkpointed. The file itself never shrinks here.
fn wal_pages(conn: &Connection) -> (i64, i64) {
    let counts: rusqlite::Result<(i64, i64)> =
        conn.query_row("PRAGMA wal_checkpoint(NOOP)", [], |row| Ok((row.get(1)?, row.get(2)?)));
    match counts {
        Ok((pages, copied_pages)) => (pages, pages - copied_pages),
        Err(_) => (0, 0),
    }
}

/// Writes the first page of a checkpointed WAL. Only processes that have the desk open know how far it was
/// checkpointed; the next one reads the whole WAL and appends to it. If only commands use a desk, one after another,
/// it would grow forever, and each would read all of it.
fn restart_wal(conn: &Connection) -> rusqlite::Result<()> {
    let tx = Transaction::new_unchecked(conn, TransactionBehavior::Immediate)?;
    // The value is unchanged, and the write costs one page.
    let format: i32 = tx.pragma_query_value(None, "user_version", |row| row.get(0))?;
    tx.pragma_update(None, "user_version", format)?;
    tx.commit()
}

/// Checkpoints without blocking anyone. If another process is checkpointing, that one does the work.
fn run_checkpoint(conn: &Connection, trust: &SyncHealth) {
    record_result(conn.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |_| Ok(())), trust);
}

/// Checks the result of a checkpoint. If the disk did not confirm it, this process stops writing: the WAL would
/// restart over lost pages. Any other error waits for the next checkpoint.
fn record_result(result: rusqlite::Result<()>, trust: &SyncHealth) {
    if let Err(error) = result
        && is_sync_failure(&error)
    {
        trust.mark_lost(DeskLoss::Unconfirmed);
        tracing::error!("the disk did not confirm a checkpoint, so this process writes nothing more");
    }
}

#[cfg(test)]
mod tests {
    use super::{BACKGROUND_PAGES, BLOCKING_PAGES, IDLE_PAGES, OPENING_PAGES, WAL_BYTES, wal_pages};
    use crate::RetentionPolicy;
    use crate::contract::{note, open, person};
    use crate::desk::Desk as _;
    use crate::draft::DraftRev;
    use crate::store::sqlite::tests::{desk, open_raw};
    use tempfile::TempDir;

    #[test]
    fn wal_restarts_after_sequential_users() {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("desk");
        let mut most = 0;
        for number in 0..150 {
            let desk = desk(&path);
            open(&desk, &format!("door {number}"));
            desk.run_maintenance(RetentionPolicy::default(), std::time::Duration::MAX);
            most = most.max(wal_pages(&open_raw(&path)).0);
        }
        assert!(most > IDLE_PAGES / 2, "{most} pages: there was nothing to be carried over");
        assert!(most <= IDLE_PAGES, "{most} pages");
    }

    #[test]
    fn wal_restarts_after_killed_users() {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("desk");
        let mut most = 0;
        for number in 0..200 {
            let desk = desk(&path);
            open(&desk, &format!("door {number}"));
            most = most.max(wal_pages(&open_raw(&path)).0);
        }
        assert!(most > OPENING_PAGES / 2, "{most} pages: there was nothing to be carried over");
        assert!(most <= OPENING_PAGES + IDLE_PAGES, "{most} pages");
    }

    #[test]
    fn large_wal_shrinks() {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("desk");
        let (desk, reader) = (desk(&path), open_raw(&path));
        open(&desk, "door");
        // No checkpoint passes the snapshot of a reader.
        reader.execute_batch("BEGIN; SELECT count(*) FROM ask").unwrap();
        let fill =
            format!("CREATE TABLE large (bytes); INSERT INTO large VALUES (zeroblob({}))", 2 * WAL_BYTES);
        open_raw(&path).execute_batch(&fill).unwrap();
        let bytes = || std::fs::metadata(folder.path().join("desk-wal")).unwrap().len();
        assert!(bytes() > 2 * WAL_BYTES, "{}", bytes());
        reader.execute_batch("COMMIT").unwrap();
        desk.release_space();
        assert!(bytes() <= WAL_BYTES, "{}", bytes());
    }

    #[test]
    fn busy_wal_restarts_early() {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("desk");
        let (desk, looking) = (desk(&path), open_raw(&path));
        let ask = open(&desk, "door");
        let mut pages = 0;
        for rev in 0.. {
            desk.save(&person("ada"), ask.id, DraftRev(rev), vec![note(&"x".repeat(1 << 16))]).unwrap();
            let before = std::mem::replace(&mut pages, wal_pages(&looking).0);
            if pages < before {
                break;
            }
            assert!(pages < BLOCKING_PAGES / 2, "{pages} pages, and nothing is written over yet");
        }
        assert!(pages < BACKGROUND_PAGES, "{pages}");
    }
}
