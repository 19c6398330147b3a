//! Change log: all events in order, for watchers.

use super::connection::{Query as _, Session};
use super::error::DatabaseError;
use super::transaction::{WriteTransaction, values};
use crate::watch::ChangeCursor;
use sayso_core::AskId;
use sayso_core::lifecycle::AskEvent;
use sayso_core::wire::json;

/// Odd number that spreads small ones over all bits.
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

/// Appends events to the log.
pub(crate) fn append(tx: &WriteTransaction<'_>, id: AskId, events: &[AskEvent]) {
    // No one can wait for an ask that was only opened.
    let wakes = !matches!(events.first(), Some(AskEvent::Opened { .. }));
    let number = tx.next_change(id, wakes);
    let sql = "INSERT INTO change (n, id, at, events) VALUES ($1, $2, $3, $4)";
    tx.queue(sql, values![number, id.as_bytes().to_vec(), tx.now().as_microsecond(), json::write(events)]);
}

/// Reads the cursor after the last change, and the number of the last change that was deleted.
pub(crate) fn read_head(session: &Session<'_>) -> Result<(ChangeCursor, i64), DatabaseError> {
    let Some(row) = session.row("SELECT id, last_change, forgotten FROM desk", &[])? else {
        return Ok((ChangeCursor::NONE, 0));
    };
    let id: i64 = row.try_get(0)?;
    let desk = id.cast_unsigned() ^ session.timeline().wrapping_mul(SPREAD);
    Ok((ChangeCursor { desk, change: row.try_get(1)? }, row.try_get(2)?))
}
