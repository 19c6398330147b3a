//! Rows of threads, messages and turns.

pub(crate) mod thread_record;
pub(crate) mod turn_log;

use super::PostgresStore;
use super::asks::ask_rows::read_id;
use super::connection::Query;
use super::error::{DatabaseError, WriteError};
use super::transaction::{WriteTransaction, values};
use crate::store::ThreadStore;
use crate::store::row_value::without_nul;
use crate::store::stored_time::to_timestamp;
use crate::thread::{
    KeyedMessage, PendingTurn, Thread, ThreadEventKind, ThreadOutline, ThreadRecord, ThreadWrite, TurnEntry,
    TurnHolder, TurnNewsKind, TurnNewsPage, TurnProgress,
};
use sayso_core::{Message, Problem, ProblemCode, limits};
use tokio_postgres::Row;

impl ThreadStore for PostgresStore {
    fn write_thread(&self, write: ThreadWrite) -> Result<i64, Problem> {
        let node = self.notifier.node();
        self.writer.run(move |tx| run(tx, node, &write))
    }

    fn has_other_nodes(&self) -> bool {
        true
    }

    fn turn_news(&self, after: i64) -> Result<TurnNewsPage, Problem> {
        self.read(|session| turn_log::read_after(session, self.notifier.node(), after))
    }

    fn thread(&self, id: &str) -> Result<Option<Thread>, Problem> {
        let sql = format!("SELECT {COLUMNS} FROM thread WHERE id = $1");
        self.read(|session| session.row(&sql, &[&id])?.as_ref().map(read_row).transpose())
    }

    fn threads_owned_by(&self, owner: &str) -> Result<Vec<Thread>, Problem> {
        let sql = format!("SELECT {COLUMNS} FROM thread WHERE owner = $1 ORDER BY changed_at DESC, id");
        self.read(|session| session.rows(&sql, &[&owner])?.iter().map(read_row).collect())
    }

    fn find_message_by_key(&self, thread: &str, key: &str) -> Result<Option<KeyedMessage>, Problem> {
        let sql = "SELECT turn.n, content FROM turn JOIN message ON message.n = turn.message \
                   WHERE turn.thread = $1 AND key = $2";
        self.read(|session| {
            let Some(row) = session.row(sql, &[&thread, &without_nul(key)])? else { return Ok(None) };
            Ok(Some(KeyedMessage { turn: row.try_get(0)?, message: read_text(&row, 1)? }))
        })
    }

    fn pending_turns(&self) -> Result<Vec<PendingTurn>, Problem> {
        self.read(pending_turns)
    }

    fn thread_record(&self, thread: &str) -> Result<ThreadRecord, Problem> {
        self.read(|session| thread_record::read(session, thread))
    }

    fn thread_outline(&self, thread: &str) -> Result<ThreadOutline, Problem> {
        self.read(|session| thread_record::read_outline(session, thread))
    }
}

const COLUMNS: &str = "id, owner, agent, title, created_at, changed_at";

/// Applies a write of this node, and returns the number of its turn, the place of the last thing it tells, or 0.
fn run(tx: &WriteTransaction<'_>, node: i64, write: &ThreadWrite) -> Result<i64, WriteError> {
    match write {
        ThreadWrite::New(thread) => insert(tx, thread),
        ThreadWrite::Post { thread, message, key, agent } => {
            let turn = post_message(tx, thread, message, [key.as_deref(), agent.as_deref()])?;
            turn_log::append(tx, node, turn, &TurnNewsKind::Posted);
            Ok(turn)
        }
        ThreadWrite::Claim { turn, thread, agent, holder, before, attempts } => {
            let attempts = i64::from(*attempts);
            claim_turn(tx, [*turn, attempts], [thread, agent], holder, before.as_deref())?;
            Ok(turn_log::append(tx, node, *turn, &TurnNewsKind::Claimed))
        }
        // Its places have the order of the commits of all nodes.
        ThreadWrite::Share { turn, news } => share(tx, node, *turn, news),
        ThreadWrite::Progress(progress) => record_progress(tx, node, progress),
        ThreadWrite::Delete { thread } => {
            turn_log::append_deleted(tx, node, thread)?;
            tx.queue("DELETE FROM thread WHERE id = $1", values![thread.clone()]);
            Ok(0)
        }
    }
}

fn insert(tx: &WriteTransaction<'_>, thread: &Thread) -> Result<i64, WriteError> {
    let sql = "SELECT count(*) FROM thread WHERE owner = $1";
    let count: i64 = tx.row(sql, &[&thread.owner])?.map_or(Ok(0), |row| row.try_get(0))?;
    if count.unsigned_abs() >= limits::ACCOUNT_THREADS {
        let message = Message::ThreadsFull.with([limits::ACCOUNT_THREADS]);
        return Err(Problem::new(ProblemCode::DeskCrowded, message).into());
    }
    tx.queue(
        "INSERT INTO thread (id, owner, agent, title, created_at, changed_at) VALUES ($1, $2, $3, $4, $5, $6)",
        values![
            thread.id.clone(),
            thread.owner.clone(),
            thread.agent.clone(),
            thread.title.as_ref().map(|title| title.clone().into_bytes()),
            thread.created_at.as_microsecond(),
            thread.changed_at.as_microsecond(),
        ],
    );
    Ok(0)
}

fn post_message(
    tx: &WriteTransaction<'_>,
    thread: &str,
    message: &str,
    [key, agent]: [Option<&str>; 2],
) -> Result<i64, WriteError> {
    let sql = "SELECT count(*) FROM turn WHERE thread = $1 AND pending";
    let count: i64 = tx.row(sql, &[&thread])?.map_or(Ok(0), |row| row.try_get(0))?;
    if count.unsigned_abs() >= limits::THREAD_PENDING_TURNS {
        let message = Message::TurnsFull.with([limits::THREAD_PENDING_TURNS]);
        return Err(Problem::new(ProblemCode::DeskCrowded, message).into());
    }
    let sql = "UPDATE thread SET changed_at = $2, agent = coalesce(agent, $3) WHERE id = $1 RETURNING id";
    if tx.write_now(sql, &[&thread, &tx.now().as_microsecond(), &agent])?.is_empty() {
        return Err(turn_over());
    }
    let message = thread_record::add_message(tx, thread, true, message);
    let number = tx.next_row();
    let sql = "INSERT INTO turn (n, thread, message, pending, key) VALUES ($1, $2, $3, true, $4)";
    tx.queue(sql, values![number, thread.to_owned(), message, key.map(without_nul)]);
    Ok(number)
}

/// Checks that a turn of a thread has not ended.
fn check_turn_open(tx: &WriteTransaction<'_>, turn: i64, thread: &str) -> Result<(), WriteError> {
    let sql = "SELECT 1 FROM turn WHERE n = $1 AND thread = $2 AND pending";
    if tx.has_row(sql, &[&turn, &thread])? { Ok(()) } else { Err(turn_over()) }
}

fn turn_over() -> WriteError {
    Problem::new(ProblemCode::TurnOver, Message::TurnOver).with_hint(Message::TurnOverHint).into()
}

fn claim_turn(
    tx: &WriteTransaction<'_>,
    [turn, attempts]: [i64; 2],
    [thread, agent]: [&str; 2],
    holder: &TurnHolder,
    before: Option<&str>,
) -> Result<(), WriteError> {
    check_turn_open(tx, turn, thread)?;
    // Another node may have given it to another process meanwhile.
    let unchanged = "SELECT 1 FROM turn WHERE n = $1 AND holder IS NOT DISTINCT FROM $2";
    if !tx.has_row(unchanged, &[&turn, &before])? {
        return Err(turn_over());
    }
    let own = "UPDATE thread SET agent = $2 WHERE id = $1 AND (agent IS NULL OR agent = $2) RETURNING id";
    if tx.write_now(own, &[&thread, &agent])?.is_empty() {
        return Err(turn_over());
    }
    let sql = "UPDATE turn SET holder = $2, worker = $3, lease_seconds = $4, attempts = $5 WHERE n = $1";
    let lease = i64::from(holder.lease_seconds);
    tx.queue(sql, values![turn, holder.secret.clone(), without_nul(&holder.worker), lease, attempts]);
    Ok(())
}

fn share(tx: &WriteTransaction<'_>, node: i64, turn: i64, news: &[TurnNewsKind]) -> Result<i64, WriteError> {
    if !tx.has_row("SELECT 1 FROM turn WHERE n = $1 AND pending", &[&turn])? {
        return Err(turn_over());
    }
    Ok(news.iter().map(|news| turn_log::append(tx, node, turn, news)).last().unwrap_or_default())
}

fn record_progress(tx: &WriteTransaction<'_>, node: i64, progress: &TurnProgress) -> Result<i64, WriteError> {
    let TurnProgress { turn, thread, entries, title, has_ended, failure } = progress;
    check_turn_open(tx, *turn, thread)?;
    tx.queue(
        "UPDATE thread SET changed_at = $2 WHERE id = $1",
        values![thread.clone(), tx.now().as_microsecond()],
    );
    for entry in entries {
        match entry {
            TurnEntry::Message(content) => {
                thread_record::add_message(tx, thread, false, content);
            }
            TurnEntry::Event(event) => add_event(tx, *turn, thread, event)?,
        }
    }
    if let Some(title) = title {
        tx.queue(
            "UPDATE thread SET title = $2 WHERE id = $1",
            values![thread.clone(), title.clone().into_bytes()],
        );
    }
    if *has_ended {
        tx.queue("UPDATE turn SET pending = false, holder = NULL WHERE n = $1", values![*turn]);
    }
    // The last rows, one after another.
    let end = || failure.clone().map_or(TurnNewsKind::Ended, TurnNewsKind::Failed);
    let kinds: Vec<_> = progress.asked().chain(has_ended.then(end)).collect();
    Ok(kinds.iter().map(|news| turn_log::append(tx, node, *turn, news)).last().unwrap_or_default())
}

/// Adds an event of a turn. An ask is progress, and is added once.
fn add_event(
    tx: &WriteTransaction<'_>,
    turn: i64,
    thread: &str,
    event: &ThreadEventKind,
) -> Result<(), DatabaseError> {
    if let ThreadEventKind::Ask { ask, .. } = event {
        let sql =
            "INSERT INTO interrupt (n, turn, ask) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING RETURNING n";
        if tx.write_now(sql, &[&tx.next_row(), &turn, &ask.as_bytes().as_slice()])?.is_empty() {
            return Ok(());
        }
        tx.queue("UPDATE turn SET attempts = least(attempts, 1) WHERE n = $1", values![turn]);
    }
    thread_record::add_event(tx, thread, event);
    Ok(())
}

fn read_row(row: &Row) -> Result<Thread, DatabaseError> {
    let title: Option<Vec<u8>> = row.try_get(3)?;
    Ok(Thread {
        id: row.try_get(0)?,
        owner: row.try_get(1)?,
        agent: row.try_get(2)?,
        title: title.map(|title| String::from_utf8_lossy(&title).into_owned()),
        created_at: to_timestamp(row.try_get(4)?),
        changed_at: to_timestamp(row.try_get(5)?),
    })
}

/// Reads a text that is stored as bytes.
fn read_text(row: &Row, column: usize) -> Result<String, DatabaseError> {
    Ok(String::from_utf8_lossy(row.try_get(column)?).into_owned())
}

/// Reads every turn that has not ended, oldest first.
fn pending_turns(query: &super::connection::Session<'_>) -> Result<Vec<PendingTurn>, DatabaseError> {
    let sql = "SELECT turn.n, turn.thread, agent, content, holder, worker, lease_seconds, attempts \
               FROM turn JOIN thread ON thread.id = turn.thread JOIN message ON message.n = turn.message \
               WHERE pending ORDER BY turn.n";
    let mut turns = Vec::new();
    for row in query.rows(sql, &[])? {
        let [holder, worker]: [Option<String>; 2] = [row.try_get(4)?, row.try_get(5)?];
        let lease = row.try_get::<_, Option<i64>>(6)?.and_then(|seconds| u32::try_from(seconds).ok());
        turns.push(PendingTurn {
            number: row.try_get(0)?,
            thread: row.try_get(1)?,
            agent: row.try_get(2)?,
            message: read_text(&row, 3)?,
            holder: holder.zip(worker).map(|(secret, worker)| TurnHolder {
                secret,
                worker,
                lease_seconds: lease.unwrap_or(limits::TURN_LEASE_SECONDS),
            }),
            asks: Vec::new(),
            attempts: u32::try_from(row.try_get::<_, i64>(7)?).unwrap_or(u32::MAX),
        });
    }
    let numbers: Vec<i64> = turns.iter().map(|turn| turn.number).collect();
    for row in query.rows("SELECT turn, ask FROM interrupt WHERE turn = ANY($1) ORDER BY n", &[&numbers])? {
        let number: i64 = row.try_get(0)?;
        if let Some(turn) = turns.iter_mut().find(|turn| turn.number == number) {
            turn.asks.push(read_id(&row, 1)?);
        }
    }
    Ok(turns)
}
