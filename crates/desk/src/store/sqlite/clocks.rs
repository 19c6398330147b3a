//! How the clocks stood when somebody last wrote, for all processes on the desk: by it each sees that one was set.

use super::requests::Requests;
use super::{due, log};
use rusqlite::{Connection, OptionalExtension as _};
use sayso_core::lifecycle::{Anchor, Reading};
use std::sync::{Mutex, PoisonError};

/// How the clocks stood to each other, as this process last found it at the desk.
#[derive(Debug, Default)]
pub(super) struct Known(Mutex<Option<Anchor>>);

impl Known {
    /// Whether the desk has to look: the clock was set, or the machine began anew. A process asks the desk once how they
    /// stood, then itself.
    pub(super) fn is_past(&self, conn: &Connection, reading: &Reading) -> rusqlite::Result<bool> {
        let Some(now) = reading.anchor() else { return Ok(false) };
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if known.is_none() {
            *known = stored(conn)?;
        }
        Ok(known.is_none_or(|known| known.boot != now.boot) || reading.set_by(*known, None).is_some())
    }

    /// Takes what is committed now.
    pub(super) fn learn(&self, anchor: Option<Anchor>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = anchor;
    }
}

/// How the clocks stood when the desk last looked.
fn stored(conn: &Connection) -> rusqlite::Result<Option<Anchor>> {
    conn.prepare_cached(
        "SELECT boot.value, ahead.value FROM chore AS boot, chore AS ahead \
         WHERE boot.name = 'boot' AND ahead.name = 'ahead'",
    )?
    .query_row([], |row| Ok(Anchor { boot: row.get(0)?, ahead: row.get(1)? }))
    .optional()
}

/// Moves what is due where the clock was set since the desk last looked, and stores how the clocks stand now. What it
/// stores, or what was stored and holds.
pub(super) fn look(
    conn: &Connection,
    requests: &Requests,
    reading: &Reading,
) -> rusqlite::Result<Option<Anchor>> {
    let stored = stored(conn)?;
    let by = reading.set_by(stored, log::last_time(conn)?);
    if let Some(by) = by {
        due::move_all(conn, requests, by, reading.wall)?;
        // A day by a clock that was just set is no day: what is old is not taken away before another one is over.
        store(conn, "purged", reading.wall.as_microsecond())?;
    }
    match (stored, reading.anchor()) {
        (Some(stored), Some(now)) if by.is_none() && stored.boot == now.boot => Ok(Some(stored)),
        (_, Some(now)) => {
            store(conn, "boot", now.boot)?;
            store(conn, "ahead", now.ahead)?;
            Ok(Some(now))
        }
        (_, None) => Ok(None),
    }
}

fn store(conn: &Connection, name: &str, value: i64) -> rusqlite::Result<()> {
    conn.prepare_cached("INSERT OR REPLACE INTO chore (name, value) VALUES (?1, ?2)")?
        .execute((name, value))
        .map(drop)
}
