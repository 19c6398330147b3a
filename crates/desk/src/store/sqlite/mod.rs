//! Store over a SQLite file that several processes share: WAL, `synchronous=FULL`, one writer a process with group
//! commit, and a wake-up for waiters. Unimportant notes are committed without a sync.

mod access;
mod account_usage;
mod ask;
#[cfg(test)]
mod backup_tests;
#[cfg(test)]
mod batch_tests;
#[cfg(test)]
mod bit_flips;
mod check;
mod checkpoint;
mod checksum;
mod clocks;
pub(crate) mod copy;
#[cfg(test)]
mod damage_tests;
mod draft;
mod due;
mod emptied;
mod error;
mod file_state;
mod folder;
mod job;
mod late;
mod list;
mod log;
#[cfg(test)]
mod lost_commits;
mod mark;
mod opening;
mod place;
mod purge;
mod requests;
mod reserve;
mod salvage;
#[cfg(test)]
mod scaling_tests;
mod schema;
mod search;
#[cfg(test)]
#[cfg(target_os = "linux")]
mod sync_failure_tests;
#[cfg(test)]
#[cfg(target_os = "linux")]
mod sync_trace_tests;
#[cfg(test)]
mod tests;
mod thread;
mod token;
mod writer;

use crate::clock;
use crate::draft::{Draft, DraftRev, Over};
use crate::local::Callers;
use crate::maintenance::{Findings, OnProgress};
use crate::query::{Page, Query};
use crate::store::trust::Trust;
use crate::store::{
    AllOrNone, Among, Beside, Committed, Decide, KeyUse, Purged, Store, Target, Together, Told,
};
use crate::thread::{Keyed, Said, Thread, Turn, Write};
use crate::token::{NewToken, Token};
use crate::wakeup::{Listener, Wakeup};
use crate::watch::{Changed, Cursor, Interest};
use error::{Damage, problem_of, unreadable};
use jiff::{SignedDuration, Timestamp};
use job::{Done, Job};
pub(crate) use opening::Missing;
use opening::connect;
use purge::{Old, Step};
use rusqlite::Connection;
use sayso_core::lifecycle::Event;
use sayso_core::{Ask, AskId, Code, Digest, Late, Person, Problem, QuestionId, Reply, Text, limits};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Instant;
use writer::Writer;

/// Store over a desk file.
pub(crate) struct SqliteStore {
    path: PathBuf,
    writer: Writer,
    /// Second connection, for short reads during a commit. Opened on first use.
    reader: OnceLock<Mutex<Connection>>,
    /// Connection for long reads: neither a commit nor a short read waits for it.
    scanner: OnceLock<Mutex<Connection>>,
    /// Connection for token lookups, so that authentication waits for no list.
    doorkeeper: OnceLock<Mutex<Connection>>,
    wakeup: Arc<dyn Wakeup>,
    callers: Callers,
    /// Warning to show once after opening.
    notice: Option<Text>,
    /// Problem of missing commits, if the desk was opened despite them.
    incomplete: Option<Problem>,
}

impl SqliteStore {
    /// Checks the whole desk.
    pub(crate) fn findings(&self, on_progress: OnProgress<'_>) -> Result<Findings, Problem> {
        let mut findings = check::findings(&*self.connection(&self.scanner)?, on_progress)?;
        findings.incomplete = self.incomplete.clone();
        Ok(findings)
    }

    /// Returns the warning to show once after opening.
    pub(crate) const fn notice(&self) -> Option<&Text> {
        self.notice.as_ref()
    }

    /// Sets the concurrency of callers.
    pub(crate) fn for_callers(self, callers: Callers) -> Self {
        Self { callers, ..self }
    }

    /// Runs a short read on the writer's connection if it is free, else on the second one.
    fn read<T>(&self, work: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> Result<T, Problem> {
        if let Some(conn) = self.writer.try_connection() {
            return work(&conn).map_err(|error| problem_of(&error));
        }
        work(&*self.connection(&self.reader)?).map_err(|error| problem_of(&error))
    }

    /// Prunes the asks that were cancelled before this time and that no person saw.
    fn empty_cancelled(&self, before: Timestamp) -> Result<(), Problem> {
        if self.read(|conn| emptied::is_any(conn, before))? {
            while self.writer.run(Job::Empty { before })?.counted()? > 0 {}
        }
        Ok(())
    }

    /// Updates the search index for [`search::INDEX_TIME`] at most, and returns how many asks are left. If nothing
    /// can be written, it returns 0: the indexed asks can be found all the same.
    fn index_some(&self) -> u64 {
        let started = Instant::now();
        loop {
            match self.read(search::unindexed) {
                Ok(0) | Err(_) => return 0,
                Ok(left) if started.elapsed() >= search::INDEX_TIME => return left,
                Ok(_) => {}
            }
            if !matches!(self.writer.run(Job::Index).and_then(Done::counted), Ok(1..)) {
                return 0;
            }
        }
    }

    /// Runs a long read on a separate connection, unless there is only one caller.
    fn scan<T>(&self, work: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> Result<T, Problem> {
        self.must_be_there()?;
        if self.callers == Callers::One {
            return self.read(work);
        }
        work(&*self.connection(&self.scanner)?).map_err(|error| problem_of(&error))
    }

    /// Returns a connection separate from the writer's, opened on first use.
    fn connection<'c>(
        &self,
        place: &'c OnceLock<Mutex<Connection>>,
    ) -> Result<MutexGuard<'c, Connection>, Problem> {
        let conn = match place.get() {
            Some(conn) => conn,
            None => {
                let fresh = Mutex::new(connect(&self.path)?);
                place.get_or_init(|| fresh)
            }
        };
        Ok(conn.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Reports an unreadable value of an ask as damage of the ask.
fn of_ask<T>(id: AskId, read: rusqlite::Result<T>) -> rusqlite::Result<T> {
    read.map_err(|error| unreadable(error, Damage::Ask(id)))
}

/// Reports an unreadable value of a thread as damage of the thread.
fn of_thread<T>(id: &str, read: rusqlite::Result<T>) -> rusqlite::Result<T> {
    read.map_err(|error| unreadable(error, Damage::Thread(id.to_owned())))
}

impl Store for SqliteStore {
    fn change(
        &self,
        target: Target,
        key: Option<KeyUse>,
        beside: Beside,
        decide: Decide,
    ) -> Result<Committed, Problem> {
        self.writer.run(Job::Change { target, key, beside, decide })?.committed()
    }

    fn change_all(&self, changes: Vec<Together>) -> Result<AllOrNone, Problem> {
        self.writer.run(Job::ChangeAll(changes))?.all_or_none()
    }

    fn save_draft(
        &self,
        id: AskId,
        base: DraftRev,
        by: &Person,
        replies: Vec<(QuestionId, Reply)>,
        over: Over,
    ) -> Result<(DraftRev, Vec<QuestionId>), Problem> {
        self.writer.run(Job::Draft { id, base, by: by.clone(), replies, over })?.saved()
    }

    fn read(&self, id: AskId) -> Result<Option<Ask>, Problem> {
        let requests = self.writer.requests();
        let stored = self.read(|conn| ask::read(conn, requests, id))?;
        stored.map(|stored| stored.into_ask(requests).map(|(_, ask)| ask)).transpose()
    }

    fn purged(&self, id: AskId) -> Result<Option<Purged>, Problem> {
        self.read(|conn| purge::tombstone(conn, id))
    }

    fn draft(&self, id: AskId) -> Result<Draft, Problem> {
        self.read(|conn| of_ask(id, draft::read(conn, id)))
    }

    fn late(&self, id: AskId) -> Result<Vec<Late>, Problem> {
        self.read(|conn| of_ask(id, late::of(conn, id)))
    }

    fn rendering(&self, id: AskId, form: &str) -> Result<Option<Vec<u8>>, Problem> {
        self.read(|conn| of_ask(id, ask::rendering(conn, id, form)))
    }

    fn keyed(&self, owner: &str, key: &str) -> Result<Option<AskId>, Problem> {
        self.read(|conn| ask::keyed(conn, owner, key))
    }

    fn find(&self, given: &str, among: Among<'_>) -> Result<Vec<AskId>, Problem> {
        self.scan(|conn| list::find(conn, given, among))
    }

    fn list(&self, query: &Query) -> Result<Page, Problem> {
        let unindexed = if query.search.is_some() { self.index_some() } else { 0 };
        let page = match self.scan(|conn| list::page(conn, query)) {
            Err(problem) if problem.code == Code::DeskDamaged => {
                self.scan(|conn| Ok(salvage::page(conn, query)))
            }
            page => page,
        };
        page.map(|page| Page { unindexed, ..page })
    }

    fn pass_time(&self) -> Result<(), Problem> {
        if self.read(|conn| due::is_any(conn, clock::now()))? {
            while self.writer.run(Job::Due)?.counted()? > 0 {}
        }
        Ok(())
    }

    fn purge(&self, settled_before: Timestamp, drafts_before: Timestamp) -> Result<usize, Problem> {
        let old = Old { settled_before, drafts_before };
        let (mut all, mut step) = (0, Step::FIRST);
        while step != Step::Done {
            let (gone, next) = self.writer.run(Job::Purge { old, step })?.purged()?;
            (all, step) = (all + gone, next);
        }
        Ok(all)
    }

    fn tidy_up(&self, settled_before: Timestamp, drafts_before: Timestamp) -> Result<(), Problem> {
        self.writer.checkpoint();
        if self.read(|conn| purge::is_time(conn, clock::now()))? {
            self.purge(settled_before, drafts_before)?;
        }
        let unseen = SignedDuration::from_secs(limits::UNSEEN_CANCELLED_SECONDS);
        self.empty_cancelled(clock::now().checked_sub(unseen).unwrap_or(Timestamp::MIN))
    }

    fn shrink_log(&self) {
        self.writer.shrink_log();
    }

    fn kept_bytes(&self) -> Result<u64, Problem> {
        self.read(account_usage::kept_bytes)
    }

    fn last_change(&self) -> Result<Cursor, Problem> {
        self.read(log::last)
    }

    fn goes_on_from(&self, cursor: Cursor) -> Result<bool, Problem> {
        self.read(|conn| log::goes_on_from(conn, cursor))
    }

    fn changes_after(&self, cursor: Cursor, most: usize) -> Result<Vec<Changed>, Problem> {
        self.read(|conn| log::after(conn, cursor, most))
    }

    fn changes_of_after(&self, id: AskId, cursor: Cursor) -> Result<(Vec<Changed>, Cursor), Problem> {
        self.read(|conn| log::of_after(conn, id, cursor))
    }

    fn log_of(&self, id: AskId) -> Result<Vec<(Timestamp, Vec<Event>)>, Problem> {
        self.scan(|conn| of_ask(id, log::of(conn, id)))
    }

    fn add_token(&self, new: NewToken) -> Result<(), Problem> {
        self.writer.run(Job::NewToken(new))?.token().map(drop)
    }

    fn tokens(&self) -> Result<Vec<Token>, Problem> {
        self.scan(token::all)
    }

    fn token(&self, id: &str) -> Result<Option<Token>, Problem> {
        let conn = self.connection(&self.doorkeeper)?;
        token::with_id(&conn, id).map_err(|error| problem_of(&error))
    }

    fn revoke_token(&self, id: &str) -> Result<Option<Token>, Problem> {
        self.writer.run(Job::RevokeToken { id: id.to_owned() })?.token()
    }

    fn token_of(&self, hash: Digest, now: Timestamp) -> Result<Option<Token>, Problem> {
        let conn = self.connection(&self.doorkeeper)?;
        token::with_hash(&conn, &hash, now).map_err(|error| problem_of(&error))
    }

    fn write_thread(&self, write: Write) -> Result<i64, Problem> {
        self.writer.run(Job::Thread(write))?.numbered()
    }

    fn thread(&self, id: &str) -> Result<Option<Thread>, Problem> {
        self.read(|conn| thread::one(conn, id))
    }

    fn threads_of(&self, owner: &str) -> Result<Vec<Thread>, Problem> {
        self.scan(|conn| thread::of(conn, owner))
    }

    fn message_keyed(&self, thread: &str, key: &str) -> Result<Option<Keyed>, Problem> {
        self.read(|conn| of_thread(thread, thread::keyed(conn, thread, key)))
    }

    fn pending_turns(&self) -> Result<Vec<Turn>, Problem> {
        self.scan(thread::pending)
    }

    fn said_in(&self, thread: &str) -> Result<Vec<Said>, Problem> {
        self.scan(|conn| of_thread(thread, thread::said(conn, thread)))
    }

    fn said_count(&self, thread: &str) -> Result<u32, Problem> {
        self.read(|conn| thread::said_count(conn, thread))
    }

    fn keep_time(&self) -> Result<(), Problem> {
        if self.read(|conn| self.writer.clock_is_set(conn))? {
            self.writer.run(Job::KeepTime)?;
        }
        Ok(())
    }

    fn trust(&self) -> Arc<Trust> {
        self.writer.trust()
    }

    fn tell(&self, told: Told) {
        self.writer.tell(told);
    }

    fn must_be_there(&self) -> Result<(), Problem> {
        self.writer.place.must_be_there()
    }

    fn listen(&self, interest: &Interest) -> Option<Box<dyn Listener>> {
        self.wakeup.listen(interest)
    }
}
