//! Store over a SQLite file that several processes share: WAL, `synchronous=FULL`, one writer a process with group
//! commit, and a wake-up for waiters. Unimportant notes are committed without a sync.

mod asks;
mod change_log;
mod clock;
mod columns;
mod connection;
mod drafts;
mod error;
mod files;
mod integrity;
mod schema;
#[cfg(test)]
mod tests;
mod threads;
mod tokens;
mod upkeep;
mod writer;

use crate::clock::now;
use crate::draft::{Draft, DraftRev, OnConflict};
use crate::query::{AskPage, AskQuery};
use crate::store::maintenance::{CheckReport, OnProgress};
use crate::store::{
    AskTombstone, BatchChange, BatchResult, CallerCount, ChangeOptions, ChangeTarget, CommitHook,
    CommittedChange, DecideFn, IdScope, KeyUse, Store, SyncHealth,
};
use crate::thread::{KeyedMessage, PendingTurn, Thread, ThreadRecord, ThreadWrite};
use crate::token::{NewToken, TokenRecord};
use crate::wakeup::{Listener, Wakeup};
use crate::watch::{AskChange, ChangeCursor, Interest};
use asks::{account_usage, ask_rows, late_submissions, list, search};
use clock::deadlines;
use connection::connect;
use error::{RowDamage, database_problem, map_unreadable};
pub(crate) use files::copy;
pub(crate) use files::opening::MissingCommits;
use integrity::{check, salvage};
use jiff::{SignedDuration, Timestamp};
use rusqlite::Connection;
use sayso_core::lifecycle::AskEvent;
use sayso_core::{
    Ask, AskId, Digest, LateSubmission, LocalizedText, Person, Problem, ProblemCode, QuestionId, Reply,
    limits,
};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Instant;
use upkeep::cancelled_asks;
use upkeep::purge::{self, PurgeLimits, PurgeStep};
use writer::GroupCommitter;
use writer::job::{JobOutput, WriteJob};

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
}

impl SqliteStore {
    /// Checks the whole desk.
    pub(crate) fn check_integrity(&self, on_progress: OnProgress<'_>) -> Result<CheckReport, Problem> {
        let mut findings = check::check_desk(&*self.connection(&self.scanner)?, on_progress)?;
        findings.incomplete = self.incomplete.clone();
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
    fn read_few<T>(&self, work: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> Result<T, Problem> {
        if let Some(conn) = self.writer.try_connection() {
            return work(&conn).map_err(|error| database_problem(&error));
        }
        work(&*self.connection(&self.reader)?).map_err(|error| database_problem(&error))
    }

    /// Prunes the asks that were cancelled before this time and that no person saw.
    fn prune_cancelled(&self, before: Timestamp) -> Result<(), Problem> {
        if self.read_few(|conn| cancelled_asks::has_prunable(conn, before))? {
            while self.writer.run(WriteJob::PruneCancelled { before })?.into_count()? > 0 {}
        }
        Ok(())
    }

    /// Updates the search index for [`search::INDEX_TIME`] at most, and returns how many asks are left. If nothing
    /// can be written, it returns 0: the indexed asks can be found all the same.
    fn index_some(&self) -> u64 {
        let started = Instant::now();
        loop {
            match self.read_few(search::count_unindexed) {
                Ok(0) | Err(_) => return 0,
                Ok(left) if started.elapsed() >= search::INDEX_TIME => return left,
                Ok(_) => {}
            }
            if !matches!(self.writer.run(WriteJob::Index).and_then(JobOutput::into_count), Ok(1..)) {
                return 0;
            }
        }
    }

    /// Runs a long read on a separate connection, unless there is only one caller.
    fn read_many<T>(&self, work: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> Result<T, Problem> {
        self.check_file_identity()?;
        if self.callers == CallerCount::One {
            return self.read_few(work);
        }
        work(&*self.connection(&self.scanner)?).map_err(|error| database_problem(&error))
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

/// Reports an unreadable value of an ask as damage of the ask.
fn map_ask_damage<T>(id: AskId, read: rusqlite::Result<T>) -> rusqlite::Result<T> {
    read.map_err(|error| map_unreadable(error, RowDamage::Ask(id)))
}

/// Reports an unreadable value of a thread as damage of the thread.
fn map_thread_damage<T>(id: &str, read: rusqlite::Result<T>) -> rusqlite::Result<T> {
    read.map_err(|error| map_unreadable(error, RowDamage::Thread(id.to_owned())))
}

impl Store for SqliteStore {
    fn change(
        &self,
        target: ChangeTarget,
        key: Option<KeyUse>,
        options: ChangeOptions,
        decide: DecideFn,
    ) -> Result<CommittedChange, Problem> {
        self.writer.run(WriteJob::Change { target, key, options, decide })?.into_committed()
    }

    fn change_all(&self, changes: Vec<BatchChange>) -> Result<BatchResult, Problem> {
        self.writer.run(WriteJob::ChangeAll(changes))?.into_batch()
    }

    fn save_draft(
        &self,
        id: AskId,
        base: DraftRev,
        by: &Person,
        replies: Vec<(QuestionId, Reply)>,
        on_conflict: OnConflict,
    ) -> Result<(DraftRev, Vec<QuestionId>), Problem> {
        self.writer.run(WriteJob::SaveDraft { id, base, by: by.clone(), replies, on_conflict })?.into_saved()
    }

    fn read(&self, id: AskId) -> Result<Option<Ask>, Problem> {
        let requests = self.writer.requests();
        let stored = self.read_few(|conn| ask_rows::read(conn, requests, id))?;
        stored.map(|stored| stored.into_ask(requests).map(|(_, ask)| ask)).transpose()
    }

    fn find_tombstone(&self, id: AskId) -> Result<Option<AskTombstone>, Problem> {
        self.read_few(|conn| purge::read_tombstone(conn, id))
    }

    fn draft(&self, id: AskId) -> Result<Draft, Problem> {
        self.read_few(|conn| map_ask_damage(id, drafts::read(conn, id)))
    }

    fn late_submissions(&self, id: AskId) -> Result<Vec<LateSubmission>, Problem> {
        self.read_few(|conn| map_ask_damage(id, late_submissions::read_all(conn, id)))
    }

    fn rendering(&self, id: AskId, form: &str) -> Result<Option<Vec<u8>>, Problem> {
        self.read_few(|conn| map_ask_damage(id, ask_rows::rendering(conn, id, form)))
    }

    fn find_by_key(&self, owner: &str, key: &str) -> Result<Option<AskId>, Problem> {
        self.read_few(|conn| ask_rows::find_by_key(conn, owner, key))
    }

    fn find(&self, given: &str, scope: IdScope<'_>) -> Result<Vec<AskId>, Problem> {
        self.read_many(|conn| list::find(conn, given, scope))
    }

    fn list(&self, query: &AskQuery) -> Result<AskPage, Problem> {
        let unindexed = if query.search.is_some() { self.index_some() } else { 0 };
        let page = match self.read_many(|conn| list::page(conn, query)) {
            Err(problem) if problem.code == ProblemCode::DeskDamaged => {
                self.read_many(|conn| Ok(salvage::read_page(conn, query)))
            }
            page => page,
        };
        page.map(|page| AskPage { unindexed, ..page })
    }

    fn run_due(&self) -> Result<(), Problem> {
        if self.read_few(|conn| deadlines::has_due(conn, now()))? {
            while self.writer.run(WriteJob::RunDue)?.into_count()? > 0 {}
        }
        Ok(())
    }

    fn purge(&self, settled_before: Timestamp, drafts_before: Timestamp) -> Result<usize, Problem> {
        let old = PurgeLimits { settled_before, drafts_before };
        let (mut all, mut step) = (0, PurgeStep::FIRST);
        while step != PurgeStep::Done {
            let (gone, next) = self.writer.run(WriteJob::Purge { old, step })?.into_purged()?;
            (all, step) = (all + gone, next);
        }
        Ok(all)
    }

    fn run_maintenance(&self, settled_before: Timestamp, drafts_before: Timestamp) -> Result<(), Problem> {
        self.writer.checkpoint_when_idle();
        if self.read_few(|conn| purge::is_due(conn, now()))? {
            self.purge(settled_before, drafts_before)?;
        }
        let unseen = SignedDuration::from_secs(limits::UNSEEN_CANCELLED_SECONDS);
        self.prune_cancelled(now().checked_sub(unseen).unwrap_or(Timestamp::MIN))
    }

    fn shrink_wal(&self) {
        self.writer.shrink_wal();
    }

    fn kept_bytes(&self) -> Result<u64, Problem> {
        self.read_few(account_usage::total_kept_bytes)
    }

    fn latest_cursor(&self) -> Result<ChangeCursor, Problem> {
        self.read_few(change_log::latest_cursor)
    }

    fn can_resume_from(&self, cursor: ChangeCursor) -> Result<bool, Problem> {
        self.read_few(|conn| change_log::can_resume_from(conn, cursor))
    }

    fn changes_after(&self, cursor: ChangeCursor, limit: usize) -> Result<Vec<AskChange>, Problem> {
        self.read_few(|conn| change_log::changes_after(conn, cursor, limit))
    }

    fn ask_changes_after(
        &self,
        id: AskId,
        cursor: ChangeCursor,
    ) -> Result<(Vec<AskChange>, ChangeCursor), Problem> {
        self.read_few(|conn| change_log::ask_changes_after(conn, id, cursor))
    }

    fn history(&self, id: AskId) -> Result<Vec<(Timestamp, Vec<AskEvent>)>, Problem> {
        self.read_many(|conn| map_ask_damage(id, change_log::history(conn, id)))
    }

    fn add_token(&self, new: NewToken) -> Result<(), Problem> {
        self.writer.run(WriteJob::NewToken(new))?.into_token().map(drop)
    }

    fn tokens(&self) -> Result<Vec<TokenRecord>, Problem> {
        self.read_many(tokens::all)
    }

    fn token(&self, id: &str) -> Result<Option<TokenRecord>, Problem> {
        let conn = self.connection(&self.token_reader)?;
        tokens::find_by_id(&conn, id).map_err(|error| database_problem(&error))
    }

    fn revoke_token(&self, id: &str) -> Result<Option<TokenRecord>, Problem> {
        self.writer.run(WriteJob::RevokeToken { id: id.to_owned() })?.into_token()
    }

    fn find_valid_token(&self, hash: Digest, now: Timestamp) -> Result<Option<TokenRecord>, Problem> {
        let conn = self.connection(&self.token_reader)?;
        tokens::find_by_hash(&conn, &hash, now).map_err(|error| database_problem(&error))
    }

    fn write_thread(&self, write: ThreadWrite) -> Result<i64, Problem> {
        self.writer.run(WriteJob::Thread(write))?.into_number()
    }

    fn thread(&self, id: &str) -> Result<Option<Thread>, Problem> {
        self.read_few(|conn| threads::read(conn, id))
    }

    fn threads_owned_by(&self, owner: &str) -> Result<Vec<Thread>, Problem> {
        self.read_many(|conn| threads::owned_by(conn, owner))
    }

    fn find_message_by_key(&self, thread: &str, key: &str) -> Result<Option<KeyedMessage>, Problem> {
        self.read_few(|conn| map_thread_damage(thread, threads::find_by_key(conn, thread, key)))
    }

    fn pending_turns(&self) -> Result<Vec<PendingTurn>, Problem> {
        self.read_many(threads::pending_turns)
    }

    fn thread_record(&self, thread: &str) -> Result<ThreadRecord, Problem> {
        self.read_many(|conn| map_thread_damage(thread, threads::thread_record::read(conn, thread)))
    }

    fn message_count(&self, thread: &str) -> Result<u32, Problem> {
        self.read_many(|conn| map_thread_damage(thread, threads::thread_record::message_count(conn, thread)))
    }

    fn adjust_for_clock_change(&self) -> Result<(), Problem> {
        if self.read_few(|conn| self.writer.is_clock_set(conn))? {
            self.writer.run(WriteJob::AdjustForClockChange)?;
        }
        Ok(())
    }

    fn sync_health(&self) -> Arc<SyncHealth> {
        self.writer.sync_health()
    }

    fn set_commit_hook(&self, hook: CommitHook) {
        self.writer.set_commit_hook(hook);
    }

    fn check_file_identity(&self) -> Result<(), Problem> {
        self.writer.file_identity.check()
    }

    fn listen(&self, interest: &Interest) -> Option<Box<dyn Listener>> {
        self.wakeup.listen(interest)
    }
}
