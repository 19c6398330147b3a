//! Change log: all events in order, for watchers.

use crate::CommitHook;
use crate::store::ChangeStore;
use crate::store::sqlite::SqliteStore;
use crate::store::sqlite::asks::audience_filter;
use crate::store::sqlite::column_values::read_id;
use crate::store::sqlite::error::map_ask_damage;
use crate::store::sqlite::error::{self, RowDamage};
use crate::store::sqlite::integrity::checksum;
use crate::wakeup::WakeScope;
use crate::watch::{AskChange, ChangeCursor};
use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension as _, Row as SqlRow, params};
use sayso_core::AskId;
use sayso_core::Problem;
use sayso_core::lifecycle::AskEvent;
use sayso_core::wire::json;

impl ChangeStore for SqliteStore {
    fn latest_cursor(&self) -> Result<ChangeCursor, Problem> {
        self.read_few(latest_cursor)
    }

    fn can_resume_from(&self, cursor: ChangeCursor) -> Result<bool, Problem> {
        self.read_few(|conn| can_resume_from(conn, cursor))
    }

    fn changes_after(&self, cursor: ChangeCursor, limit: usize) -> Result<Vec<AskChange>, Problem> {
        self.read_few(|conn| changes_after(conn, cursor, limit))
    }

    fn ask_changes_after(
        &self,
        id: AskId,
        cursor: ChangeCursor,
    ) -> Result<(Vec<AskChange>, ChangeCursor), Problem> {
        self.read_few(|conn| ask_changes_after(conn, id, cursor))
    }

    fn history(&self, id: AskId) -> Result<Vec<(Timestamp, Vec<AskEvent>)>, Problem> {
        self.read_many(|conn| map_ask_damage(id, history(conn, id)))
    }

    fn add_commit_hook(&self, hook: CommitHook) {
        self.writer.add_commit_hook(hook);
    }
}

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

/// Reads the id that distinguishes this desk from others.
fn desk_id(conn: &Connection) -> rusqlite::Result<u64> {
    conn.prepare_cached("SELECT value FROM chore WHERE name = 'desk'")?
        .query_row([], |row| row.get::<_, i64>(0))
        .map(i64::cast_unsigned)
}

/// Returns the cursor after the last change.
pub(crate) fn latest_cursor(conn: &Connection) -> rusqlite::Result<ChangeCursor> {
    Ok(ChangeCursor { desk: desk_id(conn)?, change: last_number(conn)? })
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

/// Returns whether this is a cursor of this desk, and no change after it is forgotten.
pub(crate) fn can_resume_from(conn: &Connection, cursor: ChangeCursor) -> rusqlite::Result<bool> {
    let forgotten: i64 =
        conn.query_row("SELECT value FROM chore WHERE name = 'forgotten'", [], |row| row.get(0))?;
    let last = latest_cursor(conn)?;
    Ok(cursor.desk == last.desk && (forgotten..=last.change).contains(&cursor.change))
}

/// Returns the changes after a cursor. Row numbers of purged asks are reused, so the account is joined by id too.
pub(crate) fn changes_after(
    conn: &Connection,
    cursor: ChangeCursor,
    limit: usize,
) -> rusqlite::Result<Vec<AskChange>> {
    let sql = "SELECT n, change.id, events, account, at, sum, audience, ask.id IS NOT NULL FROM change LEFT JOIN ask \
               ON ask.seq = change.seq AND ask.id = change.id \
               WHERE n > ?1 ORDER BY n LIMIT ?2";
    conn.prepare_cached(sql)?
        .query_map(params![cursor.change, i64::try_from(limit).unwrap_or(i64::MAX)], |row| {
            let id = read_id(row, 1)?;
            Ok(AskChange {
                cursor: ChangeCursor { change: row.get(0)?, ..cursor },
                id,
                // A damaged entry still shows that something changed; the others are unaffected.
                events: read_events(row, id, [4, 2, 5]).map(|(_, events)| events).unwrap_or_default(),
                account: row.get(3)?,
                audience: audience_filter::read_joined_audience(row, 6)?,
            })
        })?
        .collect()
}

/// Returns the changes of one ask after a cursor, and the cursor up to which they are complete.
pub(crate) fn ask_changes_after(
    conn: &Connection,
    id: AskId,
    cursor: ChangeCursor,
) -> rusqlite::Result<(Vec<AskChange>, ChangeCursor)> {
    let last = ChangeCursor { change: last_number(conn)?.max(cursor.change), ..cursor };
    let sql = "SELECT n, events, account, change.at, change.sum, audience, ask.id IS NOT NULL FROM change LEFT JOIN ask \
               ON ask.seq = change.seq AND ask.id = change.id \
               WHERE n > ?1 AND n <= ?2 AND change.id = ?3 ORDER BY n";
    let changes = conn
        .prepare_cached(sql)?
        .query_map(params![cursor.change, last.change, id.as_bytes()], |row| {
            Ok(AskChange {
                cursor: ChangeCursor { change: row.get(0)?, ..cursor },
                id,
                events: read_events(row, id, [3, 1, 4]).map(|(_, events)| events).unwrap_or_default(),
                account: row.get(2)?,
                audience: audience_filter::read_joined_audience(row, 5)?,
            })
        })?
        .collect::<rusqlite::Result<_>>()?;
    Ok((changes, last))
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

/// Returns every event of one ask, with the time of its change.
pub(crate) fn history(conn: &Connection, id: AskId) -> rusqlite::Result<Vec<(Timestamp, Vec<AskEvent>)>> {
    conn.prepare_cached("SELECT at, events, sum FROM change WHERE id = ?1 ORDER BY n")?
        .query_map([id.as_bytes()], |row| read_events(row, id, [0, 1, 2]))?
        .collect()
}

/// Reads the events of an entry, with their time.
fn read_events(
    row: &SqlRow<'_>,
    id: AskId,
    [at, events, sum]: [usize; 3],
) -> rusqlite::Result<(Timestamp, Vec<AskEvent>)> {
    let damage = RowDamage::Ask(id);
    let text: String = row.get(events)?;
    checksum::verify(row, sum, checksum::change_sum(id, row.get(at)?, &text), &damage)?;
    let events = json::read_own(&text).map_err(|_| error::damage_error(damage))?;
    Ok((read_time(row, at)?, events))
}

fn read_time(row: &SqlRow<'_>, column: usize) -> rusqlite::Result<Timestamp> {
    let micros: i64 = row.get(column)?;
    Timestamp::from_microsecond(micros).map_err(|_| rusqlite::Error::IntegralValueOutOfRange(column, micros))
}
