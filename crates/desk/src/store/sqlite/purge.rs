//! Purge of old asks, threads and log entries. A tombstone keeps how an ask ended. Each step is a transaction of its
//! own, so no one waits for longer than one step.

use super::list::time;
use crate::store::Purged;
use jiff::{SignedDuration, Timestamp};
use rusqlite::{Connection, OptionalExtension as _, params};
use sayso_core::AskId;
use sayso_core::row::Standing;

/// Asks examined in one step.
const ASKS: i64 = 500;

/// Changes examined in one step.
const CHANGES: i64 = 5_000;

/// Threads deleted in one step.
const THREADS: usize = 20;

/// Days that a tombstone is kept.
const TOMBSTONE_DAYS: i64 = 5 * 365;

/// Age limits of a purge.
#[derive(Debug, Clone, Copy)]
pub(super) struct Old {
    /// Limit for asks by their end, and for threads by their last message.
    pub(super) settled_before: Timestamp,
    /// Limit for drafts of ended asks, by their last save.
    pub(super) drafts_before: Timestamp,
}

/// Position of a purge. If its process ends, the next purge starts over and finds the rest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    /// Asks after this row, in the order they were opened.
    Asks {
        after: i64,
    },
    /// Log entries of purged asks, after this number.
    Log {
        after: i64,
    },
    Threads,
    Done,
}

impl Step {
    pub(super) const FIRST: Self = Self::Asks { after: 0 };
}

/// Returns whether the last purge was more than a day ago.
pub(super) fn is_time(conn: &Connection, now: Timestamp) -> rusqlite::Result<bool> {
    let last: i64 = conn.query_row("SELECT value FROM chore WHERE name = 'purged'", [], |row| row.get(0))?;
    Ok(now.as_microsecond() - last > 24 * 60 * 60 * 1_000_000)
}

/// Runs a step, and returns the number of purged asks and the next step.
pub(super) fn take(
    conn: &Connection,
    old: Old,
    step: Step,
    now: Timestamp,
) -> rusqlite::Result<(usize, Step)> {
    match step {
        Step::Asks { after } => asks(conn, old, after),
        Step::Log { after } => log(conn, old, after).map(|next| (0, next)),
        Step::Threads => threads(conn, old, now).map(|next| (0, next)),
        Step::Done => Ok((0, Step::Done)),
    }
}

/// Returns the last of `most` rows after a position, with its time: nothing after it is older.
fn end(conn: &Connection, sql: &str, after: i64, most: i64) -> rusqlite::Result<Option<(i64, i64)>> {
    let last = format!("SELECT * FROM ({sql}) ORDER BY 1 DESC LIMIT 1");
    conn.prepare_cached(&last)?.query_row([after, most], |row| Ok((row.get(0)?, row.get(1)?))).optional()
}

fn asks(conn: &Connection, old: Old, after: i64) -> rusqlite::Result<(usize, Step)> {
    let sql = "SELECT seq, created_at FROM ask WHERE seq > ?1 ORDER BY seq LIMIT ?2";
    let Some((last, asked_at)) = end(conn, sql, after, ASKS)? else {
        return Ok((0, Step::Log { after: 0 }));
    };
    let [before, drafts_before] = [old.settled_before, old.drafts_before].map(Timestamp::as_microsecond);
    conn.execute(
        "DELETE FROM draft WHERE seq > ?1 AND seq <= ?2 AND at < ?3 \
         AND seq IN (SELECT seq FROM ask WHERE seq > ?1 AND seq <= ?2 AND pending IS NULL)",
        [after, last, drafts_before],
    )?;
    conn.execute(
        "UPDATE ask SET answered = 0, draft_sum = NULL WHERE seq > ?1 AND seq <= ?2 AND pending IS NULL AND answered > 0 \
         AND NOT EXISTS (SELECT 1 FROM draft WHERE draft.seq = ask.seq)",
        [after, last],
    )?;
    let them = "ask.seq > ?1 AND ask.seq <= ?2 AND pending IS NULL AND changed_at < ?3";
    let with_them = |sql: &str| conn.execute(&sql.replace("THEM", them), [after, last, before]);
    with_them(
        "INSERT OR IGNORE INTO tombstone (id, outcome, digest, created_at, settled_at) \
         SELECT id, state, unhex(body ->> '$.digest'), created_at, changed_at \
         FROM ask JOIN request ON request.seq = ask.seq WHERE THEM",
    )?;
    with_them(
        "DELETE FROM search WHERE rowid IN (SELECT seq FROM ask, chore \
         WHERE name = 'indexed' AND seq <= value AND THEM)",
    )?;
    let gone = with_them("DELETE FROM ask WHERE THEM")?;
    // Row numbers of the last asks are reused, and must then be indexed again.
    conn.execute(
        "UPDATE chore SET value = min(value, (SELECT coalesce(max(seq), 0) FROM ask)) WHERE name = 'indexed'",
        [],
    )?;
    let is_last = asked_at >= before.max(drafts_before);
    Ok((gone, if is_last { Step::Log { after: 0 } } else { Step::Asks { after: last } }))
}

/// Purges log entries, except the last one, so that the numbering continues.
fn log(conn: &Connection, old: Old, after: i64) -> rusqlite::Result<Step> {
    let sql = "SELECT n, at FROM change WHERE n > ?1 ORDER BY n LIMIT ?2";
    let Some((last, changed_at)) = end(conn, sql, after, CHANGES)? else { return Ok(Step::Threads) };
    let orphans = "change WHERE n > ?1 AND n <= ?2 AND n < (SELECT max(n) FROM change) \
                   AND NOT EXISTS (SELECT 1 FROM ask WHERE ask.seq = change.seq AND ask.id = change.id)";
    conn.execute(
        &format!(
            "UPDATE chore SET value = max(value, (SELECT coalesce(max(n), 0) FROM {orphans})) \
             WHERE name = 'forgotten'"
        ),
        [after, last],
    )?;
    conn.execute(&format!("DELETE FROM {orphans}"), [after, last])?;
    let is_last = changed_at >= old.settled_before.as_microsecond();
    Ok(if is_last { Step::Threads } else { Step::Log { after: last } })
}

fn threads(conn: &Connection, old: Old, now: Timestamp) -> rusqlite::Result<Step> {
    let most = i64::try_from(THREADS).unwrap_or(i64::MAX);
    let gone = conn.execute(
        "DELETE FROM thread WHERE id IN (SELECT id FROM thread WHERE changed_at < ?1 \
         AND NOT EXISTS (SELECT 1 FROM turn WHERE turn.thread = thread.id AND pending IS NOT NULL) LIMIT ?2)",
        [old.settled_before.as_microsecond(), most],
    )?;
    if gone == THREADS {
        return Ok(Step::Threads);
    }
    let days = SignedDuration::from_hours(24 * TOMBSTONE_DAYS);
    let forgotten = old.settled_before.checked_sub(days).unwrap_or(Timestamp::MIN);
    conn.execute("DELETE FROM tombstone WHERE settled_at < ?1", [forgotten.as_microsecond()])?;
    conn.execute("UPDATE chore SET value = ?1 WHERE name = 'purged'", params![now.as_microsecond()])?;
    Ok(Step::Done)
}

/// Reads the tombstone of a purged ask.
pub(super) fn tombstone(conn: &Connection, id: AskId) -> rusqlite::Result<Option<Purged>> {
    let found = conn
        .prepare_cached("SELECT outcome, settled_at FROM tombstone WHERE id = ?1")?
        .query_row([id.as_bytes()], |row| Ok((row.get::<_, String>(0)?, time(row.get(1)?))))
        .optional()?;
    Ok(found.and_then(|(state, at)| Some(Purged { state: Standing::parse(&state)?, at })))
}

#[cfg(test)]
mod tests;
