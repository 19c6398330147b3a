//! Record of a thread: its messages, and between them what its agent asked and which tools ran.

use crate::store::sqlite::column_values;
use crate::store::sqlite::error::{RowDamage, damage_error};
use crate::store::sqlite::integrity::checksum;
use crate::thread::{ThreadEvent, ThreadEventKind, ThreadMessage, ThreadOutline, ThreadRecord};
use rusqlite::{Connection, Row, params};
use sayso_core::limits;
use sayso_core::model::ask_summary::AskStatus;

const QUESTION: &str = "question";
const APPROVAL: &str = "approval";
const TOOL_START: &str = "tool_start";
const TOOL_END: &str = "tool_end";

/// Adds a message, and returns its row number.
pub(crate) fn add_message(
    conn: &Connection,
    thread: &str,
    by_person: bool,
    content: &str,
) -> rusqlite::Result<i64> {
    conn.prepare_cached("INSERT INTO said (thread, by_person, content, sum) VALUES (?1, ?2, ?3, ?4)")?
        .execute(params![thread, by_person, content, checksum::message_sum(thread, by_person, content)])?;
    Ok(conn.last_insert_rowid())
}

/// Adds an event after the last message.
pub(crate) fn add_event(conn: &Connection, thread: &str, event: &ThreadEventKind) -> rusqlite::Result<()> {
    let (kind, tool, ask, opens) = match event {
        ThreadEventKind::Ask { ask, is_approval, tool, opens_request } => {
            (if *is_approval { APPROVAL } else { QUESTION }, tool, Some(ask.as_bytes()), *opens_request)
        }
        ThreadEventKind::ToolStart(tool) => (TOOL_START, tool, None, false),
        ThreadEventKind::ToolEnd(tool) => (TOOL_END, tool, None, false),
    };
    let after: i64 = conn
        .prepare_cached("SELECT coalesce(max(n), 0) FROM said WHERE thread = ?1")?
        .query_row([thread], |row| row.get(0))?;
    let sum = checksum::thread_event_sum(
        thread,
        [after, opens.into()],
        [kind, tool],
        ask.map(<[u8; 16]>::as_slice),
    );
    let sql = "INSERT INTO thread_event (thread, said, kind, tool, ask, opens, sum) \
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
    conn.prepare_cached(sql)?.execute(params![thread, after, kind, tool, ask, opens, sum]).map(drop)
}

/// Reads the text of a message and verifies it.
pub(crate) fn read_content(
    row: &Row<'_>,
    thread: &str,
    [by_person, content, sum]: [usize; 3],
) -> rusqlite::Result<String> {
    let text: String = row.get(content)?;
    let damage = RowDamage::Thread(thread.to_owned());
    checksum::verify(row, sum, checksum::message_sum(thread, row.get(by_person)?, &text), &damage)?;
    Ok(text)
}

/// Reads an event and the row number of the message before it, and verifies them. The columns are `said`, `kind`,
/// `tool`, `ask`, `opens` and `sum`, from this one on.
pub(crate) fn read_event(
    row: &Row<'_>,
    thread: &str,
    first: usize,
) -> rusqlite::Result<(i64, ThreadEventKind)> {
    let [after, kind, tool, ask, opens, sum] = std::array::from_fn(|column| first + column);
    let numbers: [i64; 2] = [row.get(after)?, row.get(opens)?];
    let (kind, tool): (String, String) = (row.get(kind)?, row.get(tool)?);
    let bytes: Option<Vec<u8>> = row.get(ask)?;
    let damage = RowDamage::Thread(thread.to_owned());
    let computed = checksum::thread_event_sum(thread, numbers, [&kind, &tool], bytes.as_deref());
    checksum::verify(row, sum, computed, &damage)?;
    let [after, opens] = numbers;
    let event = match (kind.as_str(), bytes) {
        (QUESTION | APPROVAL, Some(_)) => ThreadEventKind::Ask {
            ask: column_values::read_id(row, ask)?,
            is_approval: kind == APPROVAL,
            tool,
            opens_request: opens == 1,
        },
        (TOOL_START, None) => ThreadEventKind::ToolStart(tool),
        (TOOL_END, None) => ThreadEventKind::ToolEnd(tool),
        _ => return Err(damage_error(damage)),
    };
    Ok((after, event))
}

/// Reads the latest messages and events of a thread.
pub(crate) fn read(conn: &Connection, thread: &str) -> rusqlite::Result<ThreadRecord> {
    // Events come first: a message that is added meanwhile comes after them.
    let events = read_events(conn, thread)?;
    let sql = "SELECT n, by_person, content, sum FROM said WHERE thread = ?1 ORDER BY n DESC LIMIT ?2";
    let mut messages: Vec<(i64, ThreadMessage)> = conn
        .prepare_cached(sql)?
        .query_map(params![thread, max_rows()], |row| {
            let content = read_content(row, thread, [1, 2, 3])?;
            Ok((row.get(0)?, ThreadMessage { by_person: row.get(1)?, content }))
        })?
        .collect::<rusqlite::Result<_>>()?;
    messages.reverse();
    let numbers: Vec<_> = messages.iter().map(|(number, _)| *number).collect();
    let events = place_events(&numbers, events);
    Ok(ThreadRecord { messages: messages.into_iter().map(|(_, message)| message).collect(), events })
}

fn max_rows() -> i64 {
    i64::try_from(limits::THREAD_HISTORY).unwrap_or(i64::MAX)
}

/// Event as stored: with the row number of the message before it.
type StoredEvent = (i64, ThreadEventKind, Option<AskStatus>);

fn read_events(conn: &Connection, thread: &str) -> rusqlite::Result<Vec<StoredEvent>> {
    let sql = "SELECT coalesce(ask.state, tombstone.outcome), said, kind, tool, ask, opens, sum FROM thread_event \
               LEFT JOIN ask ON ask.id = thread_event.ask LEFT JOIN tombstone ON tombstone.id = thread_event.ask \
               WHERE thread = ?1 ORDER BY n DESC LIMIT ?2";
    let mut events: Vec<StoredEvent> = conn
        .prepare_cached(sql)?
        .query_map(params![thread, max_rows()], |row| {
            let (after, kind) = read_event(row, thread, 1)?;
            let state: Option<String> = row.get(0)?;
            Ok((after, kind, state.as_deref().and_then(AskStatus::parse)))
        })?
        .collect::<rusqlite::Result<_>>()?;
    events.reverse();
    Ok(events)
}

/// Counts the messages before each event. Those before the first of these messages come first.
fn place_events(messages: &[i64], events: Vec<StoredEvent>) -> Vec<ThreadEvent> {
    let place = |(after, kind, state): StoredEvent| ThreadEvent {
        after: messages.partition_point(|number| *number <= after),
        kind,
        state,
    };
    events.into_iter().map(place).collect()
}

/// Reads which party sent each of the latest messages, and the events between them.
pub(crate) fn read_outline(conn: &Connection, thread: &str) -> rusqlite::Result<ThreadOutline> {
    // Events come first: a message that is added meanwhile comes after them.
    let events = read_events(conn, thread)?;
    let sql = "SELECT n, by_person FROM said WHERE thread = ?1 ORDER BY n DESC LIMIT ?2";
    let mut messages: Vec<(i64, bool)> = conn
        .prepare_cached(sql)?
        .query_map(params![thread, max_rows()], |row| Ok((row.get(0)?, row.get(1)?)))?
        .collect::<rusqlite::Result<_>>()?;
    messages.reverse();
    let (numbers, by_person): (Vec<_>, Vec<_>) = messages.into_iter().unzip();
    let events = place_events(&numbers, events);
    Ok(ThreadOutline { by_person, events })
}

#[cfg(test)]
mod tests;
