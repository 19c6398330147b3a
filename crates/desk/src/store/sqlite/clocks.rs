//! Clock anchor: the two clocks at the last write, shared by all processes of a desk. A deviation from it reveals
//! that the clock was set.

use super::requests::Requests;
use super::{due, log};
use rusqlite::{Connection, OptionalExtension as _};
use sayso_core::lifecycle::{Anchor, Reading};
use std::sync::{Mutex, PoisonError};

/// Cached clock anchor of this process.
#[derive(Debug, Default)]
pub(super) struct Known(Mutex<Option<Anchor>>);

impl Known {
    /// Returns whether the stored anchor must be read: the clock was set, or the machine rebooted. A process reads it
    /// once, then uses its own.
    pub(super) fn is_past(&self, conn: &Connection, reading: &Reading) -> rusqlite::Result<bool> {
        let Some(now) = reading.anchor() else { return Ok(false) };
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if known.is_none() {
            *known = stored(conn)?;
        }
        Ok(known.is_none_or(|known| known.boot != now.boot) || reading.set_by(*known, None).is_some())
    }

    /// Caches a committed anchor.
    pub(super) fn learn(&self, anchor: Option<Anchor>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = anchor;
    }
}

/// Reads the stored clock anchor.
fn stored(conn: &Connection) -> rusqlite::Result<Option<Anchor>> {
    conn.prepare_cached(
        "SELECT boot.value, ahead.value FROM chore AS boot, chore AS ahead \
         WHERE boot.name = 'boot' AND ahead.name = 'ahead'",
    )?
    .query_row([], |row| Ok(Anchor { boot: row.get(0)?, ahead: row.get(1)? }))
    .optional()
}

/// Moves deadlines if the clock was set since the last write, and stores the new anchor. Returns the anchor that now
/// holds.
pub(super) fn look(
    conn: &Connection,
    requests: &Requests,
    reading: &Reading,
) -> rusqlite::Result<Option<Anchor>> {
    let stored = stored(conn)?;
    let by = reading.set_by(stored, log::last_time(conn)?);
    if let Some(by) = by {
        due::move_all(conn, requests, by, reading.wall)?;
        // A day by a clock that was just set does not count: nothing is purged before another one has passed.
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
