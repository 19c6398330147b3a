//! Rows of threads, messages and turns.

pub(crate) mod thread_record;
mod turn_log;

use crate::store::ThreadStore;
use crate::store::sqlite::SqliteStore;
use crate::store::sqlite::error::map_thread_damage;
use crate::store::sqlite::writer::job::{JobError, WriteJob};
use crate::thread::{
    KeyedMessage, PendingTurn, Thread, ThreadEventKind, ThreadOutline, ThreadRecord, ThreadWrite, TurnEntry,
    TurnHolder, TurnNewsKind, TurnNewsPage, TurnProgress,
};
use jiff::Timestamp;
use rusqlite::types::Type;
use rusqlite::{Connection, OptionalExtension as _, Row, params};
use sayso_core::{AskId, Message, Problem, ProblemCode, limits};

impl ThreadStore for SqliteStore {
    fn write_thread(&self, write: ThreadWrite) -> Result<i64, Problem> {
        self.writer.run(WriteJob::Thread(write))?.into_number()
    }

    fn thread(&self, id: &str) -> Result<Option<Thread>, Problem> {
        self.read_few(|conn| read(conn, id))
    }

    fn threads_owned_by(&self, owner: &str) -> Result<Vec<Thread>, Problem> {
        self.read_many(|conn| owned_by(conn, owner))
    }

    fn find_message_by_key(&self, thread: &str, key: &str) -> Result<Option<KeyedMessage>, Problem> {
        self.read_few(|conn| map_thread_damage(thread, find_by_key(conn, thread, key)))
    }

    fn pending_turns(&self) -> Result<Vec<PendingTurn>, Problem> {
        self.read_many(pending_turns)
    }

    /// One server has the threads of a desk file.
    fn has_other_nodes(&self) -> bool {
        false
    }

    fn turn_news(&self, after: i64) -> Result<TurnNewsPage, Problem> {
        self.read_many(|conn| turn_log::read_after(conn, after))
    }

    fn thread_record(&self, thread: &str) -> Result<ThreadRecord, Problem> {
        self.read_many(|conn| map_thread_damage(thread, thread_record::read(conn, thread)))
    }

    fn thread_outline(&self, thread: &str) -> Result<ThreadOutline, Problem> {
        self.read_many(|conn| map_thread_damage(thread, thread_record::read_outline(conn, thread)))
    }
}

const COLUMNS: &str = "id, owner, agent, title, created_at, changed_at";

/// Applies a write, and returns the number of its turn, or 0; of progress and news the place of the last.
pub(crate) fn write(conn: &Connection, write: &ThreadWrite, now: Timestamp) -> Result<i64, JobError> {
    match write {
        ThreadWrite::New(thread) => insert(conn, thread),
        ThreadWrite::Post { thread, message, key, agent } => {
            post_message(conn, thread, message, [key.as_deref(), agent.as_deref()], now)
        }
        // This is the only node: it knows the holder before.
        ThreadWrite::Claim { turn, thread, agent, holder, before: _, attempts } => {
            claim_turn(conn, [*turn, i64::from(*attempts)], [thread, agent], holder)
        }
        ThreadWrite::Share { turn, news } => share(conn, *turn, news),
        ThreadWrite::Progress(progress) => record_progress(conn, progress, now),
        ThreadWrite::Delete { thread } => {
            conn.prepare_cached("DELETE FROM thread WHERE id = ?1")?.execute([thread])?;
            Ok(0)
        }
    }
}

fn insert(conn: &Connection, thread: &Thread) -> Result<i64, JobError> {
    let count: i64 = conn
        .prepare_cached("SELECT count(*) FROM thread WHERE owner = ?1")?
        .query_row([&thread.owner], |row| row.get(0))?;
    if count.unsigned_abs() >= limits::ACCOUNT_THREADS {
        let message = Message::ThreadsFull.with([limits::ACCOUNT_THREADS]);
        return Err(Problem::new(ProblemCode::DeskCrowded, message).into());
    }
    let sql = format!("INSERT INTO thread ({COLUMNS}) VALUES (?1, ?2, ?3, ?4, ?5, ?6)");
    conn.prepare_cached(&sql)?.execute(params![
        thread.id,
        thread.owner,
        thread.agent,
        thread.title,
        thread.created_at.as_microsecond(),
        thread.changed_at.as_microsecond(),
    ])?;
    Ok(0)
}

fn post_message(
    conn: &Connection,
    thread: &str,
    message: &str,
    [key, agent]: [Option<&str>; 2],
    now: Timestamp,
) -> Result<i64, JobError> {
    let count: i64 = conn
        .prepare_cached("SELECT count(*) FROM turn WHERE thread = ?1 AND pending IS NOT NULL")?
        .query_row([thread], |row| row.get(0))?;
    if count.unsigned_abs() >= limits::THREAD_PENDING_TURNS {
        let text = Message::TurnsFull.with([limits::THREAD_PENDING_TURNS]);
        return Err(Problem::new(ProblemCode::DeskCrowded, text).into());
    }
    if update_time(conn, thread, now)? == 0 {
        return Err(turn_over());
    }
    if agent.is_some() {
        conn.prepare_cached("UPDATE thread SET agent = coalesce(agent, ?2) WHERE id = ?1")?
            .execute(params![thread, agent])?;
    }
    let text = thread_record::add_message(conn, thread, true, message)?;
    let turn = turn_log::next_place(conn)?;
    conn.prepare_cached("INSERT INTO turn (n, thread, said, pending, key) VALUES (?1, ?2, ?3, 1, ?4)")?
        .execute(params![turn, thread, text, key])?;
    turn_log::append_at(conn, turn, turn, &TurnNewsKind::Posted)?;
    Ok(turn)
}

fn update_time(conn: &Connection, thread: &str, now: Timestamp) -> rusqlite::Result<usize> {
    conn.prepare_cached("UPDATE thread SET changed_at = ?2 WHERE id = ?1")?
        .execute(params![thread, now.as_microsecond()])
}

/// Checks that a turn of a thread has not ended. Numbers of ended turns are reused, also by other threads.
fn check_turn_open(conn: &Connection, turn: i64, thread: &str) -> Result<(), JobError> {
    let goes_on = conn
        .prepare_cached("SELECT 1 FROM turn WHERE n = ?1 AND thread = ?2 AND pending IS NOT NULL")?
        .exists(params![turn, thread])?;
    if goes_on { Ok(()) } else { Err(turn_over()) }
}

fn turn_over() -> JobError {
    Problem::new(ProblemCode::TurnOver, Message::TurnOver).with_hint(Message::TurnOverHint).into()
}

fn claim_turn(
    conn: &Connection,
    [turn, attempts]: [i64; 2],
    [thread, agent]: [&str; 2],
    holder: &TurnHolder,
) -> Result<i64, JobError> {
    check_turn_open(conn, turn, thread)?;
    let own = "UPDATE thread SET agent = ?2 WHERE id = ?1 AND (agent IS NULL OR agent = ?2)";
    if conn.prepare_cached(own)?.execute(params![thread, agent])? == 0 {
        return Err(turn_over());
    }
    let sql = "UPDATE turn SET holder = ?2, worker = ?3, lease_seconds = ?4, attempts = ?5 WHERE n = ?1";
    conn.prepare_cached(sql)?.execute(params![
        turn,
        holder.secret,
        holder.worker,
        holder.lease_seconds,
        attempts
    ])?;
    Ok(turn_log::append(conn, turn, &[TurnNewsKind::Claimed])?)
}

fn share(conn: &Connection, turn: i64, news: &[TurnNewsKind]) -> Result<i64, JobError> {
    let goes_on = "SELECT 1 FROM turn WHERE n = ?1 AND pending IS NOT NULL";
    if !conn.prepare_cached(goes_on)?.exists([turn])? {
        return Err(turn_over());
    }
    Ok(turn_log::append(conn, turn, news)?)
}

fn record_progress(conn: &Connection, progress: &TurnProgress, now: Timestamp) -> Result<i64, JobError> {
    let TurnProgress { turn, thread, entries, title, has_ended, failure: _ } = progress;
    check_turn_open(conn, *turn, thread)?;
    update_time(conn, thread, now)?;
    for entry in entries {
        match entry {
            TurnEntry::Message(content) => {
                thread_record::add_message(conn, thread, false, content)?;
            }
            TurnEntry::Event(event) => add_event(conn, *turn, thread, event)?,
        }
    }
    if let Some(title) = title {
        conn.prepare_cached("UPDATE thread SET title = ?2 WHERE id = ?1")?.execute(params![thread, title])?;
    }
    let asks: Vec<_> = progress.asked().collect();
    let mut last = turn_log::append(conn, *turn, &asks)?;
    if *has_ended {
        last += 1;
        conn.prepare_cached("UPDATE turn SET pending = NULL, holder = NULL WHERE n = ?1")?.execute([turn])?;
        turn_log::delete(conn, *turn)?;
    }
    Ok(last)
}

/// Adds an event of a turn. An ask is progress, and is added once.
fn add_event(conn: &Connection, turn: i64, thread: &str, event: &ThreadEventKind) -> rusqlite::Result<()> {
    if let ThreadEventKind::Ask { ask, .. } = event {
        let sql = "INSERT OR IGNORE INTO interrupt (turn, ask) VALUES (?1, ?2)";
        if conn.prepare_cached(sql)?.execute(params![turn, ask.as_bytes()])? == 0 {
            return Ok(());
        }
        conn.prepare_cached("UPDATE turn SET attempts = min(attempts, 1) WHERE n = ?1")?.execute([turn])?;
    }
    thread_record::add_event(conn, thread, event)
}

/// Reads a thread.
pub(crate) fn read(conn: &Connection, id: &str) -> rusqlite::Result<Option<Thread>> {
    let sql = format!("SELECT {COLUMNS} FROM thread WHERE id = ?1");
    conn.prepare_cached(&sql)?.query_row([id], read_row).optional()
}

/// Reads the threads of an account, the most recently changed first.
pub(crate) fn owned_by(conn: &Connection, owner: &str) -> rusqlite::Result<Vec<Thread>> {
    let sql = format!("SELECT {COLUMNS} FROM thread WHERE owner = ?1 ORDER BY changed_at DESC, id");
    conn.prepare_cached(&sql)?.query_map([owner], read_row)?.collect()
}

fn read_row(row: &Row<'_>) -> rusqlite::Result<Thread> {
    let time = |at: usize| {
        let wrong = |_| rusqlite::Error::InvalidColumnType(at, "thread".to_owned(), Type::Integer);
        Timestamp::from_microsecond(row.get(at)?).map_err(wrong)
    };
    Ok(Thread {
        id: row.get(0)?,
        owner: row.get(1)?,
        agent: row.get(2)?,
        title: row.get(3)?,
        created_at: time(4)?,
        changed_at: time(5)?,
    })
}

/// Reads every turn that has not ended, oldest first.
pub(crate) fn pending_turns(conn: &Connection) -> rusqlite::Result<Vec<PendingTurn>> {
    let turn = |row: &Row<'_>| {
        let holder: Option<String> = row.get(4)?;
        let worker: Option<String> = row.get(5)?;
        let lease: Option<u32> = row.get(8)?;
        let thread: String = row.get(1)?;
        Ok(PendingTurn {
            number: row.get(0)?,
            agent: row.get(2)?,
            message: thread_record::read_content(row, &thread, [7, 3, 6])?,
            thread,
            holder: holder.zip(worker).map(|(secret, worker)| TurnHolder {
                secret,
                worker,
                lease_seconds: lease.unwrap_or(limits::TURN_LEASE_SECONDS),
            }),
            asks: Vec::new(),
            attempts: row.get(9)?,
        })
    };
    let mut turns: Vec<PendingTurn> = conn
        .prepare_cached(
            "SELECT turn.n, turn.thread, agent, content, holder, worker, sum, by_person, lease_seconds, attempts \
             FROM turn \
             JOIN thread ON thread.id = turn.thread JOIN said ON said.n = turn.said \
             WHERE pending = 1 ORDER BY turn.n",
        )?
        .query_map([], turn)?
        .collect::<rusqlite::Result<_>>()?;
    let mut asks = conn.prepare_cached("SELECT ask FROM interrupt WHERE turn = ?1 ORDER BY n")?;
    for turn in &mut turns {
        let id = |row: &Row<'_>| {
            let wrong = || rusqlite::Error::InvalidColumnType(0, "ask".to_owned(), Type::Blob);
            AskId::from_bytes(row.get_ref(0)?.as_blob()?).ok_or_else(wrong)
        };
        turn.asks = asks.query_map([turn.number], id)?.collect::<rusqlite::Result<_>>()?;
    }
    Ok(turns)
}

/// Reads the message of a thread that was posted with a key.
pub(crate) fn find_by_key(
    conn: &Connection,
    thread: &str,
    key: &str,
) -> rusqlite::Result<Option<KeyedMessage>> {
    conn.prepare_cached(
        "SELECT turn.n, by_person, content, sum FROM turn JOIN said ON said.n = turn.said \
         WHERE turn.thread = ?1 AND key = ?2",
    )?
    .query_row([thread, key], |row| {
        Ok(KeyedMessage { turn: row.get(0)?, message: thread_record::read_content(row, thread, [1, 2, 3])? })
    })
    .optional()
}
