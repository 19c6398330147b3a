//! Store over a SQLite file that several processes share: WAL, `synchronous=FULL`, one writer a process with group
//! commit, and a wake-up for waiters. Unimportant notes are committed without a sync.

mod asks;
mod change_log;
mod clock;
mod column_values;
mod connection;
mod error;
mod files;
mod integrity;
mod schema;
#[cfg(test)]
pub(crate) mod tests;
mod threads;
mod transaction;
pub(crate) mod transfer;
mod upkeep;
mod writer;

use crate::CommitHook;
use crate::store::CallerCount;
use crate::store::api::{Store, SyncHealth};
use crate::store::desk_mark::DeskMark;
use crate::store::logic::statements::{StatementStore as _, StoreTransaction as _, WriteNeeds};
use crate::store::reports::{CheckReport, OnProgress};
use crate::wakeup::Wakeup;
use connection::connect;
pub(crate) use files::copy;
pub(crate) use files::opening::MissingCommits;
use files::permissions::open_to_everyone;
use integrity::check;
use rusqlite::Connection;
use sayso_core::{LocalizedText, Problem};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use writer::GroupCommitter;
#[cfg(test)]
pub(crate) use writer::job::JobError;
#[cfg(not(test))]
use writer::job::JobError;

/// Store over a desk file.
pub(crate) struct SqliteStore {
    path: PathBuf,
    writer: GroupCommitter,
    /// Second connection, for short reads during a commit. Opened on first use.
    reader: OnceLock<Mutex<Connection>>,
    /// Connection for long reads: neither a commit nor a short read waits for it.
    scanner: OnceLock<Mutex<Connection>>,
    /// Connection for token lookups, so that authentication waits for no list.
    token_reader: OnceLock<Mutex<Connection>>,
    wakeup: Arc<dyn Wakeup>,
    callers: CallerCount,
    /// Warning to show once after opening.
    notice: Option<LocalizedText>,
    /// Problem of missing commits, if the desk was opened despite them.
    incomplete: Option<Problem>,
    /// Copy of the log that had them.
    kept_log: Option<PathBuf>,
}

impl SqliteStore {
    /// Checks the whole desk.
    pub(crate) fn check_integrity(&self, on_progress: OnProgress<'_>) -> Result<CheckReport, Problem> {
        let mut findings = check::check_desk(&*self.connection(&self.scanner)?, on_progress)?;
        findings.incomplete = self.incomplete.clone();
        findings.kept_log = self.kept_log.clone();
        Ok(findings)
    }

    /// Returns the warning to show once after opening.
    pub(crate) const fn notice(&self) -> Option<&LocalizedText> {
        self.notice.as_ref()
    }

    /// Sets the concurrency of callers.
    pub(crate) fn with_callers(self, callers: CallerCount) -> Self {
        Self { callers, ..self }
    }

    /// Runs a short read on the writer's connection if it is free, else on the second one.
    fn read_few<T, E: Into<JobError>>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T, E>,
    ) -> Result<T, Problem> {
        if let Some(conn) = self.writer.try_connection() {
            return work(&conn).map_err(|error| error.into().into_problem());
        }
        work(&*self.connection(&self.reader)?).map_err(|error| error.into().into_problem())
    }

    /// Runs a long read on a separate connection, unless there is only one caller.
    fn read_many<T, E: Into<JobError>>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T, E>,
    ) -> Result<T, Problem> {
        self.writer.check_file_identity()?;
        if self.callers == CallerCount::One {
            return self.read_few(work);
        }
        work(&*self.connection(&self.scanner)?).map_err(|error| error.into().into_problem())
    }

    /// Returns a connection separate from the writer's, opened on first use.
    fn connection<'c>(
        &self,
        slot: &'c OnceLock<Mutex<Connection>>,
    ) -> Result<MutexGuard<'c, Connection>, Problem> {
        let conn = match slot.get() {
            Some(conn) => conn,
            None => {
                let fresh = Mutex::new(connect(&self.path)?);
                slot.get_or_init(|| fresh)
            }
        };
        Ok(conn.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Store for SqliteStore {
    fn wakeup(&self) -> &dyn Wakeup {
        &*self.wakeup
    }

    fn add_commit_hook(&self, hook: CommitHook) {
        self.writer.add_commit_hook(hook);
    }

    fn check_identity(&self) -> Result<(), Problem> {
        self.writer.check_file_identity()
    }

    fn mark(&self) -> Result<Option<DeskMark>, Problem> {
        self.read_few(transfer::read_mark)
    }

    fn warnings(&self) -> Result<Vec<Problem>, Problem> {
        Ok(open_to_everyone(&self.path))
    }

    fn try_write(&self) -> Result<(), Problem> {
        self.run_write(WriteNeeds::DURABLE, |tx| {
            tx.write(
                "INSERT OR IGNORE INTO tombstone (id, outcome, digest, created_at, settled_at) \
                 VALUES (x'', '', x'', 0, 0)",
                &[],
            )?;
            tx.write("DELETE FROM tombstone WHERE id = x''", &[])
        })
    }

    fn sync_health(&self) -> Arc<SyncHealth> {
        self.writer.sync_health()
    }
}
