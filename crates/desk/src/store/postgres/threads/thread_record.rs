//! Record of a thread: its messages, and between them what its agent asked and which tools ran.

use super::read_text;
use crate::store::postgres::asks::ask_rows::read_id;
use crate::store::postgres::connection::Query;
use crate::store::postgres::error::DatabaseError;
use crate::store::postgres::transaction::{WriteTransaction, values};
use crate::thread::{ThreadEvent, ThreadEventKind, ThreadMessage, ThreadOutline, ThreadRecord};
use sayso_core::limits;
use sayso_core::model::ask_summary::AskStatus;
use tokio_postgres::Row;

const QUESTION: &str = "question";
const APPROVAL: &str = "approval";
const TOOL_START: &str = "tool_start";
const TOOL_END: &str = "tool_end";

/// Adds a message, and returns its row number.
pub(crate) fn add_message(tx: &WriteTransaction<'_>, thread: &str, by_person: bool, content: &str) -> i64 {
    let number = tx.next_row();
    let sql = "INSERT INTO message (n, thread, by_person, content) VALUES ($1, $2, $3, $4)";
    tx.queue(sql, values![number, thread.to_owned(), by_person, content.as_bytes().to_vec()]);
    number
}

/// Adds an event after the last message.
pub(crate) fn add_event(tx: &WriteTransaction<'_>, thread: &str, event: &ThreadEventKind) {
    let (kind, tool, ask, opens) = match event {
        ThreadEventKind::Ask { ask, is_approval, tool, opens_request } => {
            (if *is_approval { APPROVAL } else { QUESTION }, tool, Some(ask), *opens_request)
        }
        ThreadEventKind::ToolStart(tool) => (TOOL_START, tool, None, false),
        ThreadEventKind::ToolEnd(tool) => (TOOL_END, tool, None, false),
    };
    tx.queue(
        "INSERT INTO thread_event (n, thread, message, kind, tool, ask, opens) \
         VALUES ($1, $2, (SELECT coalesce(max(n), 0) FROM message WHERE thread = $2), $3, $4, $5, $6)",
        values![
            tx.next_row(),
            thread.to_owned(),
            kind,
            tool.as_bytes().to_vec(),
            ask.map(|ask| ask.as_bytes().to_vec()),
            opens,
        ],
    );
}

fn read_event(row: &Row) -> Result<Option<StoredEvent>, DatabaseError> {
    let (kind, tool): (&str, String) = (row.try_get(2)?, read_text(row, 3)?);
    let ask: Option<&[u8]> = row.try_get(4)?;
    let kind = match (kind, ask) {
        (QUESTION | APPROVAL, Some(_)) => ThreadEventKind::Ask {
            ask: read_id(row, 4)?,
            is_approval: kind == APPROVAL,
            tool,
            opens_request: row.try_get(5)?,
        },
        (TOOL_START, None) => ThreadEventKind::ToolStart(tool),
        (TOOL_END, None) => ThreadEventKind::ToolEnd(tool),
        _ => return Ok(None),
    };
    let state: Option<&str> = row.try_get(0)?;
    Ok(Some((row.try_get(1)?, kind, state.and_then(AskStatus::parse))))
}

/// Event as stored: with the row number of the message before it.
type StoredEvent = (i64, ThreadEventKind, Option<AskStatus>);

fn max_rows() -> i64 {
    i64::try_from(limits::THREAD_HISTORY).unwrap_or(i64::MAX)
}

fn read_events(query: &impl Query, thread: &str) -> Result<Vec<StoredEvent>, DatabaseError> {
    let sql = "SELECT coalesce(ask.state, tombstone.outcome), message, kind, tool, ask, opens FROM thread_event \
               LEFT JOIN ask ON ask.id = thread_event.ask LEFT JOIN tombstone ON tombstone.id = thread_event.ask \
               WHERE thread = $1 ORDER BY n DESC LIMIT $2";
    let rows = query.rows(sql, &[&thread, &max_rows()])?;
    let events = rows.iter().rev().map(read_event).collect::<Result<Vec<_>, _>>()?;
    Ok(events.into_iter().flatten().collect())
}

/// Counts the messages before each event. Those before the first of these messages come first.
fn place_events(messages: &[i64], events: Vec<StoredEvent>) -> Vec<ThreadEvent> {
    let place = |(message, kind, state): StoredEvent| ThreadEvent {
        after: messages.partition_point(|number| *number <= message),
        kind,
        state,
    };
    events.into_iter().map(place).collect()
}

/// Reads the latest messages and events of a thread.
pub(crate) fn read(query: &impl Query, thread: &str) -> Result<ThreadRecord, DatabaseError> {
    // Events come first: a message that is added meanwhile comes after them.
    let events = read_events(query, thread)?;
    let sql = "SELECT n, by_person, content FROM message WHERE thread = $1 ORDER BY n DESC LIMIT $2";
    let (mut numbers, mut messages) = (Vec::new(), Vec::new());
    for row in query.rows(sql, &[&thread, &max_rows()])?.iter().rev() {
        numbers.push(row.try_get(0)?);
        messages.push(ThreadMessage { by_person: row.try_get(1)?, content: read_text(row, 2)? });
    }
    Ok(ThreadRecord { messages, events: place_events(&numbers, events) })
}

/// Reads which party sent each of the latest messages, and the events between them.
pub(crate) fn read_outline(query: &impl Query, thread: &str) -> Result<ThreadOutline, DatabaseError> {
    // Events come first: a message that is added meanwhile comes after them.
    let events = read_events(query, thread)?;
    let sql = "SELECT n, by_person FROM message WHERE thread = $1 ORDER BY n DESC LIMIT $2";
    let (mut numbers, mut by_person) = (Vec::new(), Vec::new());
    for row in query.rows(sql, &[&thread, &max_rows()])?.iter().rev() {
        numbers.push(row.try_get(0)?);
        by_person.push(row.try_get(1)?);
    }
    Ok(ThreadOutline { by_person, events: place_events(&numbers, events) })
}
