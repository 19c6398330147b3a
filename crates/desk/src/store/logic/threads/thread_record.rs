//! Record of a thread: its messages, and between them what its agent asked and which tools ran.

use super::{EventRow, ThreadReads, ThreadRows};
use crate::store::logic::asks::ask_sql::AskSql as _;
use crate::store::row_value::{StoredRow, UnreadableColumn};
use crate::thread::{ThreadEvent, ThreadEventKind, ThreadMessage, ThreadOutline, ThreadRecord};
use sayso_core::model::ask_summary::AskStatus;
use sayso_core::{AskId, limits};

const QUESTION: &str = "question";
const APPROVAL: &str = "approval";
const TOOL_START: &str = "tool_start";
const TOOL_END: &str = "tool_end";

/// Adds an event after the last message.
pub(super) fn add_event<T: ThreadRows>(
    tx: &T,
    thread: &str,
    event: &ThreadEventKind,
) -> Result<(), T::Error> {
    let (kind, tool, ask, opens_request) = match event {
        ThreadEventKind::Ask { ask, is_approval, tool, opens_request } => {
            (if *is_approval { APPROVAL } else { QUESTION }, tool, Some(*ask), *opens_request)
        }
        ThreadEventKind::ToolStart(tool) => (TOOL_START, tool, None, false),
        ThreadEventKind::ToolEnd(tool) => (TOOL_END, tool, None, false),
    };
    tx.insert_event(thread, &EventRow { kind, tool, ask, opens_request })
}

/// Reads the text of a message and verifies it. The columns are those of its party, its text and its checksum.
pub(super) fn read_content<R: ThreadReads>(
    row: &StoredRow,
    thread: &str,
    [by_person, content, sum]: [usize; 3],
) -> Result<String, R::Error> {
    let text: String = row.get(content)?;
    R::check_message(thread, (row.get(by_person)?, &text), row.get(sum)?)
        .map_err(|error| R::name_thread(thread, error))?;
    Ok(text)
}

/// Event as stored: with the row number of the message before it.
type StoredEvent = (i64, ThreadEventKind, Option<AskStatus>);

/// Reads an event: the state of its ask, the message before it, its kind, tool and ask, whether it opens a request, and
/// its checksum.
fn read_event<R: ThreadReads>(row: &StoredRow, thread: &str) -> Result<StoredEvent, R::Error> {
    let message = row.get(1)?;
    let kind: String = row.get(2)?;
    let tool: String = row.get(3)?;
    let ask: Option<AskId> = row.get(4)?;
    let opens_request = row.get(5)?;
    let event_row = EventRow { kind: &kind, tool: &tool, ask, opens_request };
    R::check_event(thread, (message, &event_row), row.get(6)?)?;
    let event = match (kind.as_str(), ask) {
        (QUESTION | APPROVAL, Some(ask)) => {
            let is_approval = kind == APPROVAL;
            ThreadEventKind::Ask { ask, is_approval, tool, opens_request }
        }
        (TOOL_START, None) => ThreadEventKind::ToolStart(tool),
        (TOOL_END, None) => ThreadEventKind::ToolEnd(tool),
        _ => return Err(UnreadableColumn(2).into()),
    };
    let state: Option<String> = row.get(0)?;
    Ok((message, event, state.as_deref().and_then(AskStatus::parse)))
}

fn max_rows() -> i64 {
    i64::try_from(limits::THREAD_HISTORY).unwrap_or(i64::MAX)
}

fn read_events<R: ThreadReads>(reader: &R, thread: &str) -> Result<Vec<StoredEvent>, R::Error> {
    let message = R::MESSAGE;
    let sum = R::Sql::sum_column("thread_event");
    let sql = format!(
        "SELECT coalesce(ask.state, tombstone.outcome), {message}, kind, tool, ask, opens, {sum} FROM thread_event \
         LEFT JOIN ask ON ask.id = thread_event.ask LEFT JOIN tombstone ON tombstone.id = thread_event.ask \
         WHERE thread = $1 ORDER BY n DESC LIMIT $2"
    );
    let mut events = Vec::new();
    for row in reader.query(&sql, &[thread.into(), max_rows().into()])?.iter().rev() {
        events.push(read_event::<R>(row, thread)?);
    }
    Ok(events)
}

/// Counts the messages before each event. Those before the first of these messages come first.
fn place_events(messages: &[i64], events: Vec<StoredEvent>) -> Vec<ThreadEvent> {
    let mut thread_events = Vec::with_capacity(events.len());
    for (message, kind, state) in events {
        let after = messages.partition_point(|number| *number <= message);
        thread_events.push(ThreadEvent { after, kind, state });
    }
    thread_events
}

/// Reads the latest messages and events of a thread.
pub(super) fn read<R: ThreadReads>(reader: &R, thread: &str) -> Result<ThreadRecord, R::Error> {
    read_parts(reader, thread).map_err(|error| R::name_thread(thread, error))
}

fn read_parts<R: ThreadReads>(reader: &R, thread: &str) -> Result<ThreadRecord, R::Error> {
    // Events come first: a message that is added meanwhile comes after them.
    let events = read_events(reader, thread)?;
    let message = R::MESSAGE;
    let sum = R::Sql::sum_column(message);
    let sql = format!(
        "SELECT n, by_person, content, {sum} FROM {message} WHERE thread = $1 ORDER BY n DESC LIMIT $2"
    );
    let mut numbers = Vec::new();
    let mut messages = Vec::new();
    for row in reader.query(&sql, &[thread.into(), max_rows().into()])?.iter().rev() {
        numbers.push(row.get(0)?);
        let content = read_content::<R>(row, thread, [1, 2, 3])?;
        messages.push(ThreadMessage { by_person: row.get(1)?, content });
    }
    Ok(ThreadRecord { messages, events: place_events(&numbers, events) })
}

/// Reads which party sent each of the latest messages, and the events between them.
pub(super) fn read_outline<R: ThreadReads>(reader: &R, thread: &str) -> Result<ThreadOutline, R::Error> {
    // Events come first: a message that is added meanwhile comes after them.
    let events = read_events(reader, thread).map_err(|error| R::name_thread(thread, error))?;
    let message = R::MESSAGE;
    let sql = format!("SELECT n, by_person FROM {message} WHERE thread = $1 ORDER BY n DESC LIMIT $2");
    let mut numbers = Vec::new();
    let mut by_person = Vec::new();
    for row in reader.query(&sql, &[thread.into(), max_rows().into()])?.iter().rev() {
        numbers.push(row.get(0)?);
        by_person.push(row.get(1)?);
    }
    Ok(ThreadOutline { by_person, events: place_events(&numbers, events) })
}

#[cfg(test)]
mod tests;
