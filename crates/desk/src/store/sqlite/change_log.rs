//! Change log: all events in order, for watchers.

use crate::store::sqlite::column_values::read_id;
use crate::store::sqlite::integrity::checksum;
use crate::wakeup::WakeScope;
use crate::watch::ChangeCursor;
use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension as _, Row as SqlRow, params};
use sayso_core::AskId;
use sayso_core::lifecycle::AskEvent;
use sayso_core::wire::json;

/// Appends events to the log.
pub(crate) fn append(
    conn: &Connection,
    seq: i64,
    id: AskId,
    events: &[AskEvent],
    at: Timestamp,
) -> rusqlite::Result<()> {
    let (at, events) = (at.as_microsecond(), json::write(events));
    conn.prepare_cached("INSERT INTO change (seq, id, at, events, sum) VALUES (?1, ?2, ?3, ?4, ?5)")?
        .execute(params![seq, id.as_bytes(), at, events, checksum::change_sum(id, at, &events)])
        .map(drop)
}

/// Reads the cursor after the last change, and the number of the last change that was deleted.
pub(crate) fn read_head(conn: &Connection) -> rusqlite::Result<(ChangeCursor, i64)> {
    let sql = "SELECT desk.value, (SELECT coalesce(max(n), 0) FROM change), forgotten.value \
               FROM chore AS desk JOIN chore AS forgotten \
               WHERE desk.name = 'desk' AND forgotten.name = 'forgotten'";
    conn.prepare_cached(sql)?.query_row([], |row| {
        let desk_id: i64 = row.get(0)?;
        let cursor = ChangeCursor { desk: desk_id.cast_unsigned(), change: row.get(1)? };
        Ok((cursor, row.get(2)?))
    })
}

/// Returns the number of the last change, or 0.
pub(crate) fn last_number(conn: &Connection) -> rusqlite::Result<i64> {
    let last: Option<i64> =
        conn.prepare_cached("SELECT max(n) FROM change")?.query_row([], |row| row.get(0))?;
    Ok(last.unwrap_or(0))
}

/// Returns the time of the last change.
pub(crate) fn last_time(conn: &Connection) -> rusqlite::Result<Option<Timestamp>> {
    conn.prepare_cached("SELECT at FROM change ORDER BY n DESC LIMIT 1")?
        .query_row([], |row| read_time(row, 0))
        .optional()
}

/// Returns the waiters to wake for entries after a number. No one can wait for an ask that was only opened.
pub(crate) fn wake_scope_after(conn: &Connection, number: i64) -> rusqlite::Result<WakeScope> {
    // A damaged entry may be of any event.
    let sql = "SELECT DISTINCT id FROM change WHERE n > ?1 \
               AND iif(json_valid(events), events ->> '$[0].event', '') IS NOT 'opened' LIMIT ?2";
    let most = i64::try_from(WakeScope::MAX_ASKS).unwrap_or(i64::MAX);
    let asks = conn
        .prepare_cached(sql)?
        .query_map([number, most + 1], |row| read_id(row, 0))?
        .collect::<rusqlite::Result<Vec<_>>>()?;
    Ok(if asks.len() > WakeScope::MAX_ASKS { WakeScope::Everyone } else { WakeScope::Asks(asks) })
}

fn read_time(row: &SqlRow<'_>, column: usize) -> rusqlite::Result<Timestamp> {
    let micros: i64 = row.get(column)?;
    Timestamp::from_microsecond(micros).map_err(|_| rusqlite::Error::IntegralValueOutOfRange(column, micros))
}
