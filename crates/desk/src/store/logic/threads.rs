//! Threads, their messages and turns.

mod thread_record;

use crate::store::api::ThreadStore;
use crate::store::logic::asks::ask_sql::AskSql as _;
use crate::store::logic::statements::{StatementStore, StoreReader, StoreTransaction, WriteNeeds};
use crate::store::row_value::{StoredRow, UnreadableColumn};
use crate::thread::{
    KeyedMessage, PendingTurn, Thread, ThreadEventKind, ThreadOutline, ThreadRecord, ThreadWrite, TurnEntry,
    TurnHolder, TurnNewsKind, TurnNewsPage, TurnProgress,
};
use sayso_core::{AskId, Message, Problem, ProblemCode, limits};

/// Event of a thread, as it is stored.
pub(crate) struct EventRow<'a> {
    pub(crate) kind: &'a str,
    pub(crate) tool: &'a str,
    pub(crate) ask: Option<AskId>,
    pub(crate) opens_request: bool,
}

/// Reads of threads that differ between databases.
pub(crate) trait ThreadReads: StoreReader {
    /// Name of the table of messages, and of the columns with their numbers.
    const MESSAGE: &'static str;

    /// Checks the checksum of a message.
    fn check_message(thread: &str, message: (bool, &str), sum: Option<i64>) -> Result<(), Self::Error>;

    /// Checks the checksum of an event, and of the number of the message before it.
    fn check_event(thread: &str, event: (i64, &EventRow<'_>), sum: Option<i64>) -> Result<(), Self::Error>;

    /// Returns the error of a row of a thread that cannot be read, which names the thread.
    fn name_thread(thread: &str, error: Self::Error) -> Self::Error;

    /// Reads what happened in turns after a place, but for what this node did.
    fn read_turn_news(&self, node: Option<i64>, after: i64) -> Result<TurnNewsPage, Self::Error>;
}

/// Rows of threads that the databases store in ways of their own.
pub(crate) trait ThreadRows: StoreTransaction {
    /// Stores a message, and returns its number.
    fn insert_message(&self, thread: &str, by_person: bool, content: &str) -> Result<i64, Self::Error>;

    /// Stores an event after the last message.
    fn insert_event(&self, thread: &str, event: &EventRow<'_>) -> Result<(), Self::Error>;

    /// Stores an ask of a turn. Returns false if the turn has it.
    fn insert_interrupt(&self, turn: i64, ask: AskId) -> Result<bool, Self::Error>;

    /// Stores a turn, with the news of it, and returns its number.
    fn insert_turn(
        &self,
        node: Option<i64>,
        thread: &str,
        message: i64,
        key: Option<&str>,
    ) -> Result<i64, Self::Error>;

    /// Ends a turn, with the news of it, and returns its place.
    fn end_turn(&self, node: Option<i64>, turn: i64, failure: Option<&str>) -> Result<i64, Self::Error>;

    /// Appends what happened in a turn, and returns the last place.
    fn append_news(&self, node: Option<i64>, turn: i64, news: &[TurnNewsKind]) -> Result<i64, Self::Error>;
}

const COLUMNS: &str = "id, owner, agent, title, created_at, changed_at";

impl<S: StatementStore> ThreadStore for S {
    fn write_thread(&self, write: ThreadWrite) -> Result<i64, Problem> {
        let node = self.node_number();
        self.run_write(needs_of(&write), move |tx| run(tx, node, &write))
    }

    fn thread(&self, id: &str) -> Result<Option<Thread>, Problem> {
        let sql = format!("SELECT {COLUMNS} FROM thread WHERE id = $1");
        self.run_read(|reader| match reader.query_one(&sql, &[id.into()])? {
            Some(row) => Ok(Some(read_row(&row)?)),
            None => Ok(None),
        })
    }

    fn threads_owned_by(&self, owner: &str) -> Result<Vec<Thread>, Problem> {
        let sql = format!("SELECT {COLUMNS} FROM thread WHERE owner = $1 ORDER BY changed_at DESC, id");
        self.run_scan(|reader| {
            let rows = reader.query(&sql, &[owner.into()])?;
            Ok(rows.iter().map(read_row).collect::<Result<_, _>>()?)
        })
    }

    fn find_message_by_key(&self, thread: &str, key: &str) -> Result<Option<KeyedMessage>, Problem> {
        self.run_read(|reader| find_by_key(reader, thread, key))
    }

    fn pending_turns(&self) -> Result<Vec<PendingTurn>, Problem> {
        self.run_scan(|reader| pending_turns(reader))
    }

    fn has_other_nodes(&self) -> bool {
        self.node_number().is_some()
    }

    fn turn_news(&self, after: i64) -> Result<TurnNewsPage, Problem> {
        self.run_scan(|reader| reader.read_turn_news(self.node_number(), after))
    }

    fn thread_record(&self, thread: &str) -> Result<ThreadRecord, Problem> {
        self.run_scan(|reader| thread_record::read(reader, thread))
    }

    fn thread_outline(&self, thread: &str) -> Result<ThreadOutline, Problem> {
        self.run_scan(|reader| thread_record::read_outline(reader, thread))
    }
}

/// Returns what a write needs. What ends a turn may use the reserve of a full disk.
const fn needs_of(write: &ThreadWrite) -> WriteNeeds {
    let takes_space = matches!(write, ThreadWrite::New(_) | ThreadWrite::Post { .. });
    WriteNeeds { syncs: write.must_sync(), takes_space }
}

/// Applies a write of this node, and returns the number of its turn, or 0; of progress and news the place of the last.
fn run<T: ThreadRows>(tx: &T, node: Option<i64>, write: &ThreadWrite) -> Result<i64, T::Error> {
    match write {
        ThreadWrite::New(thread) => insert(tx, thread),
        ThreadWrite::Post { thread, message, key, agent } => {
            post_message(tx, node, thread, message, [key.as_deref(), agent.as_deref()])
        }
        ThreadWrite::Claim { turn, thread, agent, holder, before, attempts } => {
            if node.is_some() {
                check_holder(tx, *turn, before.as_deref())?;
            }
            claim_turn(tx, *turn, [thread, agent], holder, *attempts)?;
            tx.append_news(node, *turn, &[TurnNewsKind::Claimed])
        }
        ThreadWrite::Share { turn, news } => {
            if !tx.has_rows("SELECT 1 FROM turn WHERE n = $1 AND pending = true", &[(*turn).into()])? {
                return Err(turn_over().into());
            }
            tx.append_news(node, *turn, news)
        }
        ThreadWrite::Progress(progress) => record_progress(tx, node, progress),
        ThreadWrite::Delete { thread } => {
            if node.is_some() {
                append_deleted(tx, node, thread)?;
            }
            tx.write("DELETE FROM thread WHERE id = $1", &[thread.into()])?;
            Ok(0)
        }
    }
}

fn insert<T: ThreadRows>(tx: &T, thread: &Thread) -> Result<i64, T::Error> {
    let count = tx.query_count("SELECT count(*) FROM thread WHERE owner = $1", &[(&thread.owner).into()])?;
    if count.unsigned_abs() >= limits::ACCOUNT_THREADS {
        let message = Message::ThreadsFull.with([limits::ACCOUNT_THREADS]);
        return Err(Problem::new(ProblemCode::DeskCrowded, message).into());
    }
    tx.write(
        "INSERT INTO thread (id, owner, agent, title, created_at, changed_at) VALUES ($1, $2, $3, $4, $5, $6)",
        &[
            (&thread.id).into(),
            (&thread.owner).into(),
            thread.agent.as_ref().into(),
            thread.title.as_ref().into(),
            thread.created_at.into(),
            thread.changed_at.into(),
        ],
    )?;
    Ok(0)
}

fn post_message<T: ThreadRows>(
    tx: &T,
    node: Option<i64>,
    thread: &str,
    message: &str,
    [key, agent]: [Option<&str>; 2],
) -> Result<i64, T::Error> {
    let sql = "SELECT count(*) FROM turn WHERE thread = $1 AND pending = true";
    if tx.query_count(sql, &[thread.into()])?.unsigned_abs() >= limits::THREAD_PENDING_TURNS {
        let text = Message::TurnsFull.with([limits::THREAD_PENDING_TURNS]);
        return Err(Problem::new(ProblemCode::DeskCrowded, text).into());
    }
    let sql = "UPDATE thread SET changed_at = $2, agent = coalesce(agent, $3) WHERE id = $1 RETURNING id";
    if tx.write_returning(sql, &[thread.into(), tx.now().into(), agent.into()])?.is_empty() {
        return Err(turn_over().into());
    }
    let message = tx.insert_message(thread, true, message)?;
    tx.insert_turn(node, thread, message, key)
}

/// Checks that a turn of a thread has not ended. A desk file gives the numbers of ended turns to others.
fn check_turn_open<T: ThreadRows>(tx: &T, turn: i64, thread: &str) -> Result<(), T::Error> {
    let sql = "SELECT 1 FROM turn WHERE n = $1 AND thread = $2 AND pending = true";
    if tx.has_rows(sql, &[turn.into(), thread.into()])? { Ok(()) } else { Err(turn_over().into()) }
}

/// Checks that no other node has given the turn to another process meanwhile.
fn check_holder<T: ThreadRows>(tx: &T, turn: i64, before: Option<&str>) -> Result<(), T::Error> {
    let sql = "SELECT 1 FROM turn WHERE n = $1 AND holder IS NOT DISTINCT FROM $2";
    if tx.has_rows(sql, &[turn.into(), before.into()])? { Ok(()) } else { Err(turn_over().into()) }
}

fn turn_over() -> Problem {
    Problem::new(ProblemCode::TurnOver, Message::TurnOver).with_hint(Message::TurnOverHint)
}

fn claim_turn<T: ThreadRows>(
    tx: &T,
    turn: i64,
    [thread, agent]: [&str; 2],
    holder: &TurnHolder,
    attempts: u32,
) -> Result<(), T::Error> {
    check_turn_open(tx, turn, thread)?;
    let sql = "UPDATE thread SET agent = $2 WHERE id = $1 AND (agent IS NULL OR agent = $2) RETURNING id";
    if tx.write_returning(sql, &[thread.into(), agent.into()])?.is_empty() {
        return Err(turn_over().into());
    }
    tx.write(
        "UPDATE turn SET holder = $2, worker = $3, lease_seconds = $4, attempts = $5 WHERE n = $1",
        &[
            turn.into(),
            (&holder.secret).into(),
            (&holder.worker).into(),
            holder.lease_seconds.into(),
            attempts.into(),
        ],
    )
}

/// Tells the other nodes that the turns of a thread are gone.
fn append_deleted<T: ThreadRows>(tx: &T, node: Option<i64>, thread: &str) -> Result<(), T::Error> {
    let sql = "SELECT n FROM turn WHERE thread = $1 AND pending = true";
    for row in tx.query(sql, &[thread.into()])? {
        tx.append_news(node, row.get(0)?, &[TurnNewsKind::Deleted])?;
    }
    Ok(())
}

fn record_progress<T: ThreadRows>(
    tx: &T,
    node: Option<i64>,
    progress: &TurnProgress,
) -> Result<i64, T::Error> {
    let TurnProgress { turn, thread, entries, title, has_ended, failure } = progress;
    check_turn_open(tx, *turn, thread)?;
    tx.write("UPDATE thread SET changed_at = $2 WHERE id = $1", &[thread.into(), tx.now().into()])?;
    for entry in entries {
        match entry {
            TurnEntry::Message(content) => {
                tx.insert_message(thread, false, content)?;
            }
            TurnEntry::Event(event) => add_event(tx, *turn, thread, event)?,
        }
    }
    if let Some(title) = title {
        tx.write("UPDATE thread SET title = $2 WHERE id = $1", &[thread.into(), title.into()])?;
    }
    let asks: Vec<_> = progress.asked().collect();
    let last = tx.append_news(node, *turn, &asks)?;
    if *has_ended {
        return tx.end_turn(node, *turn, failure.as_deref());
    }
    Ok(last)
}

/// Adds an event of a turn. An ask is progress, and is added once.
fn add_event<T: ThreadRows>(
    tx: &T,
    turn: i64,
    thread: &str,
    event: &ThreadEventKind,
) -> Result<(), T::Error> {
    if let ThreadEventKind::Ask { ask, .. } = event {
        if !tx.insert_interrupt(turn, *ask)? {
            return Ok(());
        }
        let sql = "UPDATE turn SET attempts = CASE WHEN attempts > 1 THEN 1 ELSE attempts END WHERE n = $1";
        tx.write(sql, &[turn.into()])?;
    }
    thread_record::add_event(tx, thread, event)
}

fn read_row(row: &StoredRow) -> Result<Thread, UnreadableColumn> {
    Ok(Thread {
        id: row.get(0)?,
        owner: row.get(1)?,
        agent: row.get(2)?,
        title: row.get(3)?,
        created_at: row.get(4)?,
        changed_at: row.get(5)?,
    })
}

/// Reads every turn that has not ended, oldest first.
fn pending_turns<R: ThreadReads>(reader: &R) -> Result<Vec<PendingTurn>, R::Error> {
    let message = R::MESSAGE;
    let sum = R::Sql::sum_column(message);
    let sql = format!(
        "SELECT turn.n, turn.thread, agent, by_person, content, {sum}, holder, worker, lease_seconds, attempts \
         FROM turn JOIN thread ON thread.id = turn.thread JOIN {message} ON {message}.n = turn.{message} \
         WHERE pending = true ORDER BY turn.n"
    );
    let mut turns = Vec::new();
    for row in reader.query(&sql, &[])? {
        let thread: String = row.get(1)?;
        let content: String = row.get(4)?;
        R::check_message(&thread, (row.get(3)?, &content), row.get(5)?)?;
        turns.push(PendingTurn {
            number: row.get(0)?,
            thread,
            agent: row.get(2)?,
            message: content,
            holder: read_holder(&row)?,
            asks: Vec::new(),
            attempts: row.get(9)?,
        });
    }
    let sql = "SELECT turn.n, interrupt.ask FROM interrupt JOIN turn ON turn.n = interrupt.turn \
               WHERE turn.pending = true ORDER BY interrupt.n";
    for row in reader.query(sql, &[])? {
        let number: i64 = row.get(0)?;
        if let Some(turn) = turns.iter_mut().find(|turn| turn.number == number) {
            turn.asks.push(row.get(1)?);
        }
    }
    Ok(turns)
}

/// Reads the holder of a turn, if it has one.
fn read_holder(row: &StoredRow) -> Result<Option<TurnHolder>, UnreadableColumn> {
    let secret: Option<String> = row.get(6)?;
    let worker: Option<String> = row.get(7)?;
    let lease_seconds: Option<u32> = row.get(8)?;
    let (Some(secret), Some(worker)) = (secret, worker) else { return Ok(None) };
    let lease_seconds = lease_seconds.unwrap_or(limits::TURN_LEASE_SECONDS);
    Ok(Some(TurnHolder { secret, worker, lease_seconds }))
}

/// Reads the message of a thread that was posted with a key.
fn find_by_key<R: ThreadReads>(
    reader: &R,
    thread: &str,
    key: &str,
) -> Result<Option<KeyedMessage>, R::Error> {
    let message = R::MESSAGE;
    let sum = R::Sql::sum_column(message);
    let sql = format!(
        "SELECT turn.n, by_person, content, {sum} FROM turn JOIN {message} ON {message}.n = turn.{message} \
         WHERE turn.thread = $1 AND key = $2"
    );
    let Some(row) = reader.query_one(&sql, &[thread.into(), key.into()])? else { return Ok(None) };
    let message = thread_record::read_content::<R>(&row, thread, [1, 2, 3])?;
    Ok(Some(KeyedMessage { turn: row.get(0)?, message }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::Timestamp;

    #[test]
    fn full_disk_only_ends_turns() {
        let now = Timestamp::UNIX_EPOCH;
        let name = || "t".to_owned();
        let thread =
            Thread { id: name(), owner: name(), agent: None, title: None, created_at: now, changed_at: now };
        let holder = TurnHolder { secret: name(), worker: name(), lease_seconds: 120 };
        let post = ThreadWrite::Post { thread: name(), message: name(), key: None, agent: None };
        assert!(needs_of(&ThreadWrite::New(thread)).takes_space && needs_of(&post).takes_space);
        let (thread, agent, before) = (name(), name(), None);
        let claim = ThreadWrite::Claim { turn: 1, thread, agent, holder, before, attempts: 1 };
        let end = ThreadWrite::Progress(TurnProgress { has_ended: true, ..TurnProgress::default() });
        for write in [claim, end, ThreadWrite::Delete { thread: name() }] {
            assert!(!needs_of(&write).takes_space, "{write:?}");
        }
    }
}
