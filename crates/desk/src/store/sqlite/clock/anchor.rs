//! Clock anchor: the two clocks at the last write, shared by all processes of a desk. A deviation from it reveals
//! that the clock was set.

use crate::store::api::PurgeStep;
use crate::store::logic::asks::deadlines;
use crate::store::logic::purge::PurgeRows as _;
use crate::store::sqlite::change_log;
use crate::store::sqlite::transaction::SqliteTransaction;
use crate::store::sqlite::writer::job::JobError;
use rusqlite::{Connection, OptionalExtension as _};
use sayso_core::lifecycle::{ClockOffset, ClockSample};
use std::sync::{Mutex, PoisonError};

/// Cached clock anchor of this process.
#[derive(Debug, Default)]
pub(crate) struct AnchorCache(Mutex<Option<ClockOffset>>);

impl AnchorCache {
    /// Returns whether the stored anchor must be read: the clock was set, or the machine rebooted. A process reads it
    /// once, then uses its own.
    pub(crate) fn needs_update(&self, conn: &Connection, reading: &ClockSample) -> rusqlite::Result<bool> {
        let Some(now) = reading.offset() else { return Ok(false) };
        let mut anchor = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if anchor.is_none() {
            *anchor = read_anchor(conn)?;
        }
        Ok(anchor.is_none_or(|anchor| anchor.boot_id != now.boot_id)
            || reading.adjustment_since(*anchor, None).is_some())
    }

    /// Caches a committed anchor.
    pub(crate) fn store(&self, anchor: Option<ClockOffset>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = anchor;
    }
}

/// Reads the stored clock anchor.
fn read_anchor(conn: &Connection) -> rusqlite::Result<Option<ClockOffset>> {
    conn.prepare_cached(
        "SELECT boot.value, ahead.value FROM chore AS boot, chore AS ahead \
         WHERE boot.name = 'boot' AND ahead.name = 'ahead'",
    )?
    .query_row([], |row| Ok(ClockOffset { boot_id: row.get(0)?, ahead: row.get(1)? }))
    .optional()
}

/// Moves deadlines if the clock was set since the last write, and stores the new anchor. Returns the anchor that now
/// holds.
pub(crate) fn update_anchor(
    tx: &SqliteTransaction<'_>,
    reading: &ClockSample,
) -> Result<Option<ClockOffset>, JobError> {
    let conn = tx.conn;
    let stored = read_anchor(conn)?;
    let by = reading.adjustment_since(stored, change_log::last_time(conn)?);
    if let Some(by) = by {
        deadlines::shift_all(tx, by)?;
        // A day by a clock that was just set does not count: nothing is purged before another one has passed.
        write_value(conn, "purged", reading.wall.as_microsecond())?;
        tx.write_purge_step(PurgeStep::FIRST)?;
    }
    match (stored, reading.offset()) {
        (Some(stored), Some(now)) if by.is_none() && stored.boot_id == now.boot_id => Ok(Some(stored)),
        (_, Some(now)) => {
            write_value(conn, "boot", now.boot_id)?;
            write_value(conn, "ahead", now.ahead)?;
            Ok(Some(now))
        }
        (_, None) => Ok(None),
    }
}

fn write_value(conn: &Connection, name: &str, value: i64) -> rusqlite::Result<()> {
    conn.prepare_cached("INSERT OR REPLACE INTO chore (name, value) VALUES (?1, ?2)")?
        .execute((name, value))
        .map(drop)
}
