//! Rows of threads, messages and turns.

use super::checksum;
use super::error::Damage;
use super::job::Failure;
use crate::thread::{Holder, Keyed, Progress, Said, Thread, Turn, Write};
use jiff::Timestamp;
use rusqlite::types::Type;
use rusqlite::{Connection, OptionalExtension as _, Row, params};
use sayso_core::{AskId, Code, Message, Problem, limits};

const COLUMNS: &str = "id, owner, agent, title, created_at, changed_at";

/// Applies a write, and returns the number of its turn, or 0.
pub(super) fn write(conn: &Connection, write: &Write, now: Timestamp) -> Result<i64, Failure> {
    match write {
        Write::New(thread) => new(conn, thread),
        Write::Say { thread, message, key, agent } => {
            say(conn, thread, message, [key.as_deref(), agent.as_deref()], now)
        }
        Write::Take { turn, thread, agent, holder } => take(conn, *turn, thread, agent, holder),
        Write::Progress(progress) => keep(conn, progress, now),
        Write::Delete { thread } => {
            conn.prepare_cached("DELETE FROM thread WHERE id = ?1")?.execute([thread])?;
            Ok(0)
        }
    }
}

fn new(conn: &Connection, thread: &Thread) -> Result<i64, Failure> {
    let count: i64 = conn
        .prepare_cached("SELECT count(*) FROM thread WHERE owner = ?1")?
        .query_row([&thread.owner], |row| row.get(0))?;
    if count.unsigned_abs() >= limits::THREADS_OF_ACCOUNT {
        let said = Message::ThreadsFull.with([limits::THREADS_OF_ACCOUNT]);
        return Err(Problem::new(Code::DeskCrowded, said).into());
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

fn say(
    conn: &Connection,
    thread: &str,
    message: &str,
    [key, agent]: [Option<&str>; 2],
    now: Timestamp,
) -> Result<i64, Failure> {
    let count: i64 = conn
        .prepare_cached("SELECT count(*) FROM turn WHERE thread = ?1 AND pending IS NOT NULL")?
        .query_row([thread], |row| row.get(0))?;
    if count.unsigned_abs() >= limits::THREAD_PENDING_TURNS {
        let said = Message::TurnsFull.with([limits::THREAD_PENDING_TURNS]);
        return Err(Problem::new(Code::DeskCrowded, said).into());
    }
    if touch(conn, thread, now)? == 0 {
        return Err(over());
    }
    if agent.is_some() {
        conn.prepare_cached("UPDATE thread SET agent = coalesce(agent, ?2) WHERE id = ?1")?
            .execute(params![thread, agent])?;
    }
    let said = add(conn, thread, true, message)?;
    conn.prepare_cached("INSERT INTO turn (thread, said, pending, key) VALUES (?1, ?2, 1, ?3)")?
        .execute(params![thread, said, key])?;
    Ok(conn.last_insert_rowid())
}

fn touch(conn: &Connection, thread: &str, now: Timestamp) -> rusqlite::Result<usize> {
    conn.prepare_cached("UPDATE thread SET changed_at = ?2 WHERE id = ?1")?
        .execute(params![thread, now.as_microsecond()])
}

fn add(conn: &Connection, thread: &str, by_person: bool, content: &str) -> rusqlite::Result<i64> {
    conn.prepare_cached("INSERT INTO said (thread, by_person, content, sum) VALUES (?1, ?2, ?3, ?4)")?
        .execute(params![thread, by_person, content, checksum::of_said(thread, by_person, content)])?;
    Ok(conn.last_insert_rowid())
}

/// Checks that a turn of a thread has not ended. Numbers of ended turns are reused, also by other threads.
fn must_go_on(conn: &Connection, turn: i64, thread: &str) -> Result<(), Failure> {
    let goes_on = conn
        .prepare_cached("SELECT 1 FROM turn WHERE n = ?1 AND thread = ?2 AND pending IS NOT NULL")?
        .exists(params![turn, thread])?;
    if goes_on { Ok(()) } else { Err(over()) }
}

fn over() -> Failure {
    Problem::new(Code::TurnOver, Message::TurnOver).hint(Message::TurnOverHint).into()
}

fn take(conn: &Connection, turn: i64, thread: &str, agent: &str, holder: &Holder) -> Result<i64, Failure> {
    must_go_on(conn, turn, thread)?;
    let own = "UPDATE thread SET agent = ?2 WHERE id = ?1 AND (agent IS NULL OR agent = ?2)";
    if conn.prepare_cached(own)?.execute(params![thread, agent])? == 0 {
        return Err(over());
    }
    conn.prepare_cached("UPDATE turn SET holder = ?2, worker = ?3 WHERE n = ?1")?.execute(params![
        turn,
        holder.secret,
        holder.worker
    ])?;
    Ok(turn)
}

fn keep(conn: &Connection, progress: &Progress, now: Timestamp) -> Result<i64, Failure> {
    let Progress { turn, thread, said, title, asks, has_ended } = progress;
    must_go_on(conn, *turn, thread)?;
    touch(conn, thread, now)?;
    for content in said {
        add(conn, thread, false, content)?;
    }
    if let Some(title) = title {
        conn.prepare_cached("UPDATE thread SET title = ?2 WHERE id = ?1")?.execute(params![thread, title])?;
    }
    for ask in asks {
        conn.prepare_cached("INSERT OR IGNORE INTO interrupt (turn, ask) VALUES (?1, ?2)")?
            .execute(params![turn, ask.as_bytes()])?;
    }
    if *has_ended {
        conn.prepare_cached("UPDATE turn SET pending = NULL, holder = NULL WHERE n = ?1")?.execute([turn])?;
    }
    Ok(*turn)
}

/// Reads a thread.
pub(super) fn one(conn: &Connection, id: &str) -> rusqlite::Result<Option<Thread>> {
    let sql = format!("SELECT {COLUMNS} FROM thread WHERE id = ?1");
    conn.prepare_cached(&sql)?.query_row([id], thread).optional()
}

/// Reads the threads of an account, the most recently changed first.
pub(super) fn of(conn: &Connection, owner: &str) -> rusqlite::Result<Vec<Thread>> {
    let sql = format!("SELECT {COLUMNS} FROM thread WHERE owner = ?1 ORDER BY changed_at DESC, id");
    conn.prepare_cached(&sql)?.query_map([owner], thread)?.collect()
}

fn thread(row: &Row<'_>) -> rusqlite::Result<Thread> {
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
pub(super) fn pending(conn: &Connection) -> rusqlite::Result<Vec<Turn>> {
    let turn = |row: &Row<'_>| {
        let holder: Option<String> = row.get(4)?;
        let worker: Option<String> = row.get(5)?;
        let thread: String = row.get(1)?;
        Ok(Turn {
            number: row.get(0)?,
            agent: row.get(2)?,
            message: content(row, &thread, [7, 3, 6])?,
            thread,
            holder: holder.zip(worker).map(|(secret, worker)| Holder { secret, worker }),
            asks: Vec::new(),
        })
    };
    let mut turns: Vec<Turn> = conn
        .prepare_cached(
            "SELECT turn.n, turn.thread, agent, content, holder, worker, sum, by_person FROM turn \
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
pub(super) fn keyed(conn: &Connection, thread: &str, key: &str) -> rusqlite::Result<Option<Keyed>> {
    conn.prepare_cached(
        "SELECT turn.n, by_person, content, sum FROM turn JOIN said ON said.n = turn.said \
         WHERE turn.thread = ?1 AND key = ?2",
    )?
    .query_row([thread, key], |row| {
        Ok(Keyed { turn: row.get(0)?, message: content(row, thread, [1, 2, 3])? })
    })
    .optional()
}

/// Reads the text of a message and verifies it.
fn content(row: &Row<'_>, thread: &str, [by_person, content, sum]: [usize; 3]) -> rusqlite::Result<String> {
    let text: String = row.get(content)?;
    let damage = Damage::Thread(thread.to_owned());
    checksum::verify(row, sum, checksum::of_said(thread, row.get(by_person)?, &text), &damage)?;
    Ok(text)
}

/// Counts the messages that [`said`] returns for a thread.
pub(super) fn said_count(conn: &Connection, thread: &str) -> rusqlite::Result<u32> {
    conn.prepare_cached("SELECT count(*) FROM (SELECT 1 FROM said WHERE thread = ?1 LIMIT ?2)")?
        .query_row(params![thread, most()], |row| row.get(0))
}

fn most() -> i64 {
    i64::try_from(limits::THREAD_HISTORY).unwrap_or(i64::MAX)
}

/// Reads the last messages of a thread, in order.
pub(super) fn said(conn: &Connection, thread: &str) -> rusqlite::Result<Vec<Said>> {
    let mut last: Vec<Said> = conn
        .prepare_cached(
            "SELECT by_person, content, sum FROM said WHERE thread = ?1 ORDER BY n DESC LIMIT ?2",
        )?
        .query_map(params![thread, most()], |row| {
            Ok(Said { by_person: row.get(0)?, content: content(row, thread, [0, 1, 2])? })
        })?
        .collect::<rusqlite::Result<_>>()?;
    last.reverse();
    Ok(last)
}
