//! Change log: all events in order, for watchers.

use super::PostgresStore;
use super::asks::ask_rows::{read_audience, read_id};
use super::connection::{Query as _, Session};
use super::error::DatabaseError;
use super::transaction::{WriteTransaction, values};
use crate::CommitHook;
use crate::store::ChangeStore;
use crate::store::stored_time::to_timestamp;
use crate::watch::{AskChange, ChangeCursor};
use jiff::Timestamp;
use sayso_core::lifecycle::AskEvent;
use sayso_core::wire::json;
use sayso_core::{AskId, Audience, Problem};
use tokio_postgres::Row;

/// Odd number that spreads small ones over all bits.
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

impl ChangeStore for PostgresStore {
    fn history_number(&self) -> u64 {
        self.database.timeline()
    }

    fn latest_cursor(&self) -> Result<ChangeCursor, Problem> {
        self.read(|session| latest_cursor(session).map(|(last, _)| last))
    }

    fn can_resume_from(&self, cursor: ChangeCursor) -> Result<bool, Problem> {
        let (last, forgotten) = self.read(latest_cursor)?;
        Ok(cursor.desk == last.desk && (forgotten..=last.change).contains(&cursor.change))
    }

    fn changes_after(&self, cursor: ChangeCursor, limit: usize) -> Result<Vec<AskChange>, Problem> {
        let most = i64::try_from(limit).unwrap_or(i64::MAX);
        let sql = "SELECT n, change.id, account, events, audience, ask.id IS NOT NULL FROM change LEFT JOIN ask ON ask.id = change.id \
                   WHERE n > $1 ORDER BY n LIMIT $2";
        self.read(|session| {
            session.rows(sql, &[&cursor.change, &most])?.iter().map(|row| read_change(row, cursor)).collect()
        })
    }

    fn ask_changes_after(
        &self,
        id: AskId,
        cursor: ChangeCursor,
    ) -> Result<(Vec<AskChange>, ChangeCursor), Problem> {
        let sql = "SELECT n, change.id, account, events, audience, ask.id IS NOT NULL FROM change LEFT JOIN ask ON ask.id = change.id \
                   WHERE change.id = $1 AND n > $2 AND n <= $3 ORDER BY n";
        self.read(|session| {
            let (last, _) = latest_cursor(session)?;
            let last = ChangeCursor { change: last.change.max(cursor.change), ..cursor };
            let rows = session.rows(sql, &[&id.as_bytes().as_slice(), &cursor.change, &last.change])?;
            Ok((rows.iter().map(|row| read_change(row, cursor)).collect::<Result<_, _>>()?, last))
        })
    }

    fn history(&self, id: AskId) -> Result<Vec<(Timestamp, Vec<AskEvent>)>, Problem> {
        let sql = "SELECT at, events FROM change WHERE id = $1 ORDER BY n";
        self.read(|session| {
            let entry = |row: &Row| -> Result<_, DatabaseError> {
                Ok((to_timestamp(row.try_get(0)?), read_events(row, 1)?))
            };
            session.rows(sql, &[&id.as_bytes().as_slice()])?.iter().map(entry).collect()
        })
    }

    fn add_commit_hook(&self, hook: CommitHook) {
        self.writer.add_commit_hook(hook);
    }
}

/// Appends events to the log.
pub(crate) fn append(tx: &WriteTransaction<'_>, id: AskId, events: &[AskEvent]) {
    // No one can wait for an ask that was only opened.
    let wakes = !matches!(events.first(), Some(AskEvent::Opened { .. }));
    let number = tx.next_change(id, wakes);
    let sql = "INSERT INTO change (n, id, at, events) VALUES ($1, $2, $3, $4)";
    tx.queue(sql, values![number, id.as_bytes().to_vec(), tx.now().as_microsecond(), json::write(events)]);
}

/// Returns the cursor after the last change, and the number of the last change that was deleted.
fn latest_cursor(session: &Session<'_>) -> Result<(ChangeCursor, i64), DatabaseError> {
    let Some(row) = session.row("SELECT id, last_change, forgotten FROM desk", &[])? else {
        return Ok((ChangeCursor::NONE, 0));
    };
    let id: i64 = row.try_get(0)?;
    let desk = id.cast_unsigned() ^ session.timeline().wrapping_mul(SPREAD);
    Ok((ChangeCursor { desk, change: row.try_get(1)? }, row.try_get(2)?))
}

fn read_change(row: &Row, cursor: ChangeCursor) -> Result<AskChange, DatabaseError> {
    let change = ChangeCursor { change: row.try_get(0)?, ..cursor };
    // A purged ask is for no one.
    let audience = if row.try_get(5)? { read_audience(row, 4)? } else { Some(Audience::default()) };
    let account = row.try_get(2)?;
    Ok(AskChange { cursor: change, id: read_id(row, 1)?, account, audience, events: read_events(row, 3)? })
}

/// Reads the events of an entry. An entry that cannot be read still shows that something changed.
fn read_events(row: &Row, column: usize) -> Result<Vec<AskEvent>, DatabaseError> {
    Ok(json::read_own(row.try_get(column)?).unwrap_or_default())
}
