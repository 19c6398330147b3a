//! What is old enough goes, but for a tombstone that says how it ended.

use jiff::Timestamp;
use rusqlite::{Connection, params};

/// Whether the last purge was more than a day ago.
pub(super) fn is_time(conn: &Connection, now: Timestamp) -> rusqlite::Result<bool> {
    let last: i64 = conn.query_row("SELECT value FROM chore WHERE name = 'purged'", [], |row| row.get(0))?;
    Ok(now.as_microsecond() - last > 24 * 60 * 60 * 1_000_000)
}

/// Purges asks that ended before one time and drafts, of asks that ended, from before another. How many asks went.
pub(super) fn purge(
    conn: &Connection,
    settled_before: Timestamp,
    drafts_before: Timestamp,
    now: Timestamp,
) -> rusqlite::Result<usize> {
    conn.execute("UPDATE chore SET value = ?1 WHERE name = 'purged'", [now.as_microsecond()])?;
    let before = settled_before.as_microsecond();
    conn.execute(
        "DELETE FROM draft WHERE at < ?1 AND seq IN (SELECT seq FROM ask WHERE pending IS NULL)",
        [drafts_before.as_microsecond()],
    )?;
    conn.execute(
        "UPDATE ask SET answered = 0 WHERE pending IS NULL AND answered > 0 \
         AND NOT EXISTS (SELECT 1 FROM draft WHERE draft.seq = ask.seq)",
        [],
    )?;
    conn.execute(
        "INSERT OR IGNORE INTO tombstone (id, outcome, digest, created_at, settled_at) \
         SELECT id, state, unhex(body ->> '$.digest'), created_at, changed_at \
         FROM ask JOIN request ON request.seq = ask.seq WHERE pending IS NULL AND changed_at < ?1",
        [before],
    )?;
    conn.execute(
        "DELETE FROM search WHERE rowid IN (SELECT seq FROM ask, chore \
         WHERE name = 'indexed' AND seq <= value AND pending IS NULL AND changed_at < ?1)",
        [before],
    )?;
    conn.execute(
        "UPDATE chore SET value = max(value, (SELECT coalesce(max(n), 0) FROM change WHERE n < \
         (SELECT max(n) FROM change) AND seq IN (SELECT seq FROM ask WHERE pending IS NULL AND changed_at < ?1))) \
         WHERE name = 'forgotten'",
        [before],
    )?;
    conn.execute(
        "DELETE FROM change WHERE n < (SELECT max(n) FROM change) AND seq IN \
         (SELECT seq FROM ask WHERE pending IS NULL AND changed_at < ?1)",
        params![before],
    )?;
    let gone = conn.execute("DELETE FROM ask WHERE pending IS NULL AND changed_at < ?1", [before])?;
    conn.execute(
        "DELETE FROM thread WHERE changed_at < ?1 \
         AND NOT EXISTS (SELECT 1 FROM turn WHERE turn.thread = thread.id AND pending IS NOT NULL)",
        [before],
    )?;
    // The places of the last asks are given out again, and then have to be indexed again.
    conn.execute(
        "UPDATE chore SET value = min(value, (SELECT coalesce(max(seq), 0) FROM ask)) WHERE name = 'indexed'",
        [],
    )?;
    Ok(gone)
}
