//! The store over a SQLite file that several processes share: WAL, `synchronous=FULL`, one writer a process with group
//! commit, a wake-up for those who wait. What is only noted is committed without waiting for the disk.

mod access;
mod account_usage;
mod ask;
mod check;
mod checkpoint;
mod checksum;
mod clocks;
#[cfg(test)]
mod copied;
pub(crate) mod copy;
#[cfg(test)]
mod damaged;
mod draft;
mod due;
mod emptied;
mod error;
mod file_state;
#[cfg(test)]
mod flips;
mod folder;
#[cfg(test)]
mod growth;
mod job;
mod late;
mod list;
mod log;
#[cfg(test)]
mod lost_commits;
mod mark;
mod place;
mod purge;
mod requests;
mod reserve;
mod salvage;
mod schema;
mod search;
#[cfg(test)]
mod tests;
mod thread;
#[cfg(test)]
mod together;
mod token;
#[cfg(test)]
#[cfg(target_os = "linux")]
mod traced;
#[cfg(test)]
#[cfg(target_os = "linux")]
mod unsynced;
mod writer;

use crate::clock;
use crate::draft::{Draft, DraftRev, Over};
use crate::local::Callers;
use crate::maintenance::{Findings, OnProgress};
use crate::own_file;
use crate::query::{Page, Query};
use crate::store::trust::Trust;
use crate::store::{
    AllOrNone, Among, Beside, Committed, Decide, KeyUse, Purged, Store, Target, Together, Told,
};
use crate::thread::{Keyed, Said, Thread, Turn, Write};
use crate::token::{NewToken, Token};
use crate::wakeup::{self, Listener, Wakeup};
use crate::watch::{Changed, Cursor, Interest};
use error::{Damage, problem_of, unreachable, unreadable};
use file_state::FilesBefore;
use folder::Folder;
use jiff::{SignedDuration, Timestamp};
use job::{Done, Job};
use mark::{Mark, Progress};
use purge::{Old, Step};
use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};
use sayso_core::lifecycle::Event;
use sayso_core::{Ask, AskId, Code, Digest, Late, Person, Problem, QuestionId, Reply, Text, limits};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};
use writer::Writer;

/// A desk file.
pub(crate) struct SqliteStore {
    path: PathBuf,
    writer: Writer,
    /// A second connection, for reading while the first one commits. Opened when it is first needed.
    reader: OnceLock<Mutex<Connection>>,
    /// One for what reads many rows: neither a commit nor whoever reads a few waits for it.
    scanner: OnceLock<Mutex<Connection>>,
    /// One for tokens alone: whoever comes in waits for nobody's list.
    doorkeeper: OnceLock<Mutex<Connection>>,
    wakeup: Arc<dyn Wakeup>,
    callers: Callers,
    /// What whoever opened it should hear.
    notice: Option<Text>,
    /// What the desk lacks, where it was opened all the same.
    incomplete: Option<Problem>,
}

/// What to do with a desk that lacks commits which its mark confirms.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Missing {
    Refused,
    /// It is opened all the same, and refused the next time.
    Overlooked,
    /// From now on the desk is taken as it is.
    Accepted,
}

impl SqliteStore {
    /// Opens a desk file, and makes it where there is none, readable by its owner only.
    pub(crate) fn open(path: &Path) -> Result<Self, Problem> {
        Self::open_with(path, Missing::Refused)
    }

    /// The same, where it is known what to do about commits that the desk lacks.
    pub(crate) fn open_with(path: &Path, missing: Missing) -> Result<Self, Problem> {
        // Names like `:memory:` mean something to SQLite; a whole path is always a file.
        let path = &std::path::absolute(path).map_err(|error| unreachable(path, error))?;
        let mut incomplete = None;
        let mark = Mark::of(path);
        let files = FilesBefore::look(path, &mark)?;
        make_private(path).map_err(|error| unreachable(path, error))?;
        let folder = Folder::of(path);
        let log_bytes = folder.log_bytes();
        let mut conn = connect(path)?;
        let found = schema::ensure(&mut conn, path)?;
        let progress = match Progress::read(&conn) {
            Ok(progress) => Some(progress),
            // Where that is broken, what can be read is read all the same.
            Err(error) if error.sqlite_error_code() == Some(rusqlite::ErrorCode::DatabaseCorrupt) => None,
            Err(error) => return Err(problem_of(&error)),
        };
        let notice = progress.and_then(|progress| files.notice(path, found, &mark, progress));
        if let Some(progress) = progress {
            let complete = files.must_be_complete(path, progress);
            if missing == Missing::Refused {
                complete?;
            } else {
                incomplete = complete.err();
            }
            if files.lacks_mark(progress) || missing == Missing::Accepted {
                mark.reset(progress);
            }
        }
        if log_bytes.is_none() {
            folder.sync();
        }
        let wakeup = wakeup::for_file(path);
        let writer = Writer::new(conn, wakeup.clone(), path, folder, mark);
        writer.opened_on(log_bytes.unwrap_or_default());
        Ok(Self {
            path: path.to_owned(),
            writer,
            reader: OnceLock::new(),
            scanner: OnceLock::new(),
            doorkeeper: OnceLock::new(),
            wakeup,
            callers: Callers::Many,
            notice,
            incomplete,
        })
    }

    /// Looks through all of it.
    pub(crate) fn findings(&self, on_progress: OnProgress<'_>) -> Result<Findings, Problem> {
        let mut findings = check::findings(&*self.connection(&self.scanner)?, on_progress)?;
        findings.incomplete = self.incomplete.clone();
        Ok(findings)
    }

    /// What whoever opened it should hear.
    pub(crate) const fn notice(&self) -> Option<&Text> {
        self.notice.as_ref()
    }

    /// The same for these callers.
    pub(crate) fn for_callers(self, callers: Callers) -> Self {
        Self { callers, ..self }
    }

    /// Reads a few rows: over the writer's connection when it is free, else over the second one.
    fn read<T>(&self, work: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> Result<T, Problem> {
        if let Some(conn) = self.writer.try_connection() {
            return work(&conn).map_err(|error| problem_of(&error));
        }
        work(&*self.connection(&self.reader)?).map_err(|error| problem_of(&error))
    }

    /// Deletes the questions of asks that were cancelled before and that no one saw.
    fn empty_cancelled(&self, before: Timestamp) -> Result<(), Problem> {
        if self.read(|conn| emptied::is_any(conn, before))? {
            while self.writer.run(Job::Empty { before })?.counted()? > 0 {}
        }
        Ok(())
    }

    /// Brings the search index up to date for [`search::INDEX_TIME`] at most, and returns how many asks are left. If
    /// nothing can be written, none are: what is indexed can be found all the same.
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

    /// Reads what may be many rows: beside the writer's connection, unless nobody would have to wait for it.
    fn scan<T>(&self, work: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> Result<T, Problem> {
        self.must_be_there()?;
        if self.callers == Callers::One {
            return self.read(work);
        }
        work(&*self.connection(&self.scanner)?).map_err(|error| problem_of(&error))
    }

    /// A connection beside the writer's, opened when it is first needed.
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

/// What was read of an ask; a value that cannot be read is damage of it.
fn of_ask<T>(id: AskId, read: rusqlite::Result<T>) -> rusqlite::Result<T> {
    read.map_err(|error| unreadable(error, Damage::Ask(id)))
}

/// The same of a thread.
fn of_thread<T>(id: &str, read: rusqlite::Result<T>) -> rusqlite::Result<T> {
    read.map_err(|error| unreadable(error, Damage::Thread(id.to_owned())))
}

/// The folder is its owner's alone where it is made here, and so is the file; SQLite gives its own files the same mode.
fn make_private(path: &Path) -> std::io::Result<()> {
    if path.exists() {
        return Ok(());
    }
    own_file::make_folder_of(path)?;
    let _lock = own_file::hold_for_creation(path)?;
    if path.exists() {
        return Ok(());
    }
    file_state::set_remains_aside(path);
    // Made beside and moved into place: to close a file that is open as a desk elsewhere in this process would drop
    // SQLite's locks on it.
    let beside = own_file::beside(path, &format!(".new-{}", std::process::id()));
    own_file::create_new(&beside).map(drop)?;
    std::fs::rename(&beside, path)
}

/// How long a lock of another process is waited for.
const LOCK_LIMIT: Duration = Duration::from_secs(error::BUSY_SECONDS);

/// Sleeps between two tries for a lock.
#[expect(clippy::disallowed_methods, reason = "SQLite gives no event for a lock that becomes free")]
fn pause() {
    std::thread::sleep(Duration::from_micros(200));
}

/// Waits for a lock that another process holds, up to a limit in time. A sleep of 200 µs between tries: SQLite's own
/// back-off can starve a writer for a quarter of a second.
fn wait_for_lock() -> impl FnMut(i32) -> bool + Send + 'static {
    let mut since = Instant::now();
    move |tries| {
        if tries == 0 {
            since = Instant::now();
        }
        pause();
        since.elapsed() < LOCK_LIMIT
    }
}

fn connect(path: &Path) -> Result<Connection, Problem> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let open = || -> rusqlite::Result<Connection> {
        let mut conn = Connection::open_with_flags(path, flags)?;
        conn.busy_handler(Some(wait_for_lock()))?;
        conn.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
        // Without this, statements on a table with partial indexes are compiled anew for each value that is bound.
        conn.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
        conn.execute_batch(
            "PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA wal_autocheckpoint = 0; \
             PRAGMA fullfsync = ON; PRAGMA temp_store = MEMORY;",
        )?;
        conn.pragma_update_and_check(
            None,
            "journal_size_limit",
            checkpoint::LOG_BYTES.cast_signed(),
            |_| Ok(()),
        )?;
        conn.set_prepared_statement_cache_capacity(64);
        Ok(conn)
    };
    open().map_err(|error| match error.sqlite_error_code() {
        Some(rusqlite::ErrorCode::NotADatabase) => schema::not_ours(path),
        Some(rusqlite::ErrorCode::DatabaseCorrupt) => problem_of(&error),
        _ if error::is_full(&error) => error::full(),
        _ => unreachable(path, error),
    })
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
