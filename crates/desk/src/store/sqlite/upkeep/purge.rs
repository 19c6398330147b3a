//! Purge of old asks, threads and log entries, step by step. A tombstone keeps how an ask ended.

use crate::store::sqlite::asks::{audience_filter, search};
use crate::store::stored_time::to_timestamp;
use crate::store::{AskTombstone, PurgeLimits, PurgeState, PurgeStep, PurgedStep};
use jiff::{SignedDuration, Timestamp};
use rusqlite::{Connection, OptionalExtension as _, params};
use sayso_core::AskId;
use sayso_core::model::ask::AskRequest;
use sayso_core::model::ask_summary::AskStatus;

/// Asks examined in one step.
const STEP_ASKS: i64 = 100;

/// Changes examined in one step.
const STEP_CHANGES: i64 = 1_000;

/// Threads deleted in one step.
const STEP_THREADS: usize = 5;

/// Tombstones deleted in one step.
const STEP_TOMBSTONES: usize = 1_000;

/// Days that a tombstone is kept.
const TOMBSTONE_DAYS: i64 = 5 * 365;

/// Reads how the purge stands.
pub(crate) fn read_state(conn: &Connection) -> rusqlite::Result<PurgeState> {
    let sql = "SELECT purged.value, stage.value, after.value FROM chore AS purged, chore AS stage, chore AS after \
               WHERE purged.name = 'purged' AND stage.name = 'purge_stage' AND after.name = 'purge_after'";
    conn.prepare_cached(sql)?.query_row([], |row| {
        let step = PurgeStep::parse((row.get(1)?, row.get(2)?));
        Ok(PurgeState { ended_at: to_timestamp(row.get(0)?), step })
    })
}

/// Stores the step that comes next.
pub(crate) fn write_step(conn: &Connection, step: PurgeStep) -> rusqlite::Result<()> {
    let (stage, after) = step.numbers();
    let sql = "UPDATE chore SET value = iif(name = 'purge_stage', ?1, ?2) \
               WHERE name IN ('purge_stage', 'purge_after')";
    conn.prepare_cached(sql)?.execute([stage, after]).map(drop)
}

/// Runs a step, if it is the one that comes next.
pub(crate) fn run_step(
    conn: &Connection,
    limits: PurgeLimits,
    step: PurgeStep,
    now: Timestamp,
) -> rusqlite::Result<Option<PurgedStep>> {
    if read_state(conn)?.step != step {
        return Ok(None);
    }
    let (asks, next) = match step {
        PurgeStep::Asks { after } => {
            let (asks, next) = purge_asks(conn, limits, after)?;
            (asks, Some(next))
        }
        PurgeStep::Log { after } => (0, Some(purge_log(conn, limits, after)?)),
        PurgeStep::Threads => (0, Some(purge_threads(conn, limits)?)),
        PurgeStep::Tombstones => (0, purge_tombstones(conn, limits)?),
    };
    write_step(conn, next.unwrap_or(PurgeStep::FIRST))?;
    if next.is_none() {
        conn.execute("UPDATE chore SET value = ?1 WHERE name = 'purged'", params![now.as_microsecond()])?;
    }
    Ok(Some(PurgedStep { asks, next }))
}

/// Returns the last of `most` rows after a position, with its time: nothing after it is older.
fn last_row(conn: &Connection, sql: &str, after: i64, most: i64) -> rusqlite::Result<Option<(i64, i64)>> {
    let last = format!("SELECT * FROM ({sql}) ORDER BY 1 DESC LIMIT 1");
    conn.prepare_cached(&last)?.query_row([after, most], |row| Ok((row.get(0)?, row.get(1)?))).optional()
}

fn purge_asks(conn: &Connection, limits: PurgeLimits, after: i64) -> rusqlite::Result<(usize, PurgeStep)> {
    let sql = "SELECT seq, created_at FROM ask WHERE seq > ?1 ORDER BY seq LIMIT ?2";
    let Some((last, asked_at)) = last_row(conn, sql, after, STEP_ASKS)? else {
        return Ok((0, PurgeStep::Log { after: 0 }));
    };
    let [before, drafts_before, hooks_before] =
        [limits.settled_before, limits.drafts_before, limits.hooks_settled_before()]
            .map(Timestamp::as_microsecond);
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
    let them = "ask.seq > ?1 AND ask.seq <= ?2 AND pending IS NULL \
                AND changed_at < iif(dialect = ?5, ?4, ?3)";
    let with_them = |sql: &str| {
        let values = params![after, last, before, hooks_before, AskRequest::HOOK_DIALECT];
        conn.execute(&sql.replace("THEM", them), values)
    };
    with_them(
        "INSERT OR IGNORE INTO tombstone (id, outcome, digest, created_at, settled_at, audience) \
         SELECT id, state, unhex(body ->> '$.digest'), created_at, changed_at, audience \
         FROM ask JOIN request ON request.seq = ask.seq WHERE THEM",
    )?;
    // Row numbers of the last asks are used again.
    let values = params![after, last, before, hooks_before, AskRequest::HOOK_DIALECT];
    let rows: Vec<i64> = conn
        .prepare_cached(&format!("SELECT seq FROM ask WHERE {them}"))?
        .query_map(values, |row| row.get(0))?
        .collect::<rusqlite::Result<_>>()?;
    rows.iter().try_for_each(|seq| search::remove(conn, *seq))?;
    let gone = with_them("DELETE FROM ask WHERE THEM")?;
    let is_last = asked_at >= limits.latest().as_microsecond();
    Ok((gone, if is_last { PurgeStep::Log { after: 0 } } else { PurgeStep::Asks { after: last } }))
}

/// Purges log entries, except the last one, so that the numbering continues.
fn purge_log(conn: &Connection, limits: PurgeLimits, after: i64) -> rusqlite::Result<PurgeStep> {
    let sql = "SELECT n, at FROM change WHERE n > ?1 ORDER BY n LIMIT ?2";
    let Some((last, changed_at)) = last_row(conn, sql, after, STEP_CHANGES)? else {
        return Ok(PurgeStep::Threads);
    };
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
    let is_last = changed_at >= limits.settled_before.as_microsecond();
    Ok(if is_last { PurgeStep::Threads } else { PurgeStep::Log { after: last } })
}

fn purge_threads(conn: &Connection, limits: PurgeLimits) -> rusqlite::Result<PurgeStep> {
    let most = i64::try_from(STEP_THREADS).unwrap_or(i64::MAX);
    let gone = conn.execute(
        "DELETE FROM thread WHERE id IN (SELECT id FROM thread WHERE changed_at < ?1 \
         AND NOT EXISTS (SELECT 1 FROM turn WHERE turn.thread = thread.id AND pending IS NOT NULL) LIMIT ?2)",
        [limits.settled_before.as_microsecond(), most],
    )?;
    Ok(if gone == STEP_THREADS { PurgeStep::Threads } else { PurgeStep::Tombstones })
}

fn purge_tombstones(conn: &Connection, limits: PurgeLimits) -> rusqlite::Result<Option<PurgeStep>> {
    let days = SignedDuration::from_hours(24 * TOMBSTONE_DAYS);
    let before = limits.settled_before.checked_sub(days).unwrap_or(Timestamp::MIN);
    let most = i64::try_from(STEP_TOMBSTONES).unwrap_or(i64::MAX);
    let gone = conn.execute(
        "DELETE FROM tombstone WHERE id IN (SELECT id FROM tombstone WHERE settled_at < ?1 LIMIT ?2)",
        [before.as_microsecond(), most],
    )?;
    Ok((gone == STEP_TOMBSTONES).then_some(PurgeStep::Tombstones))
}

/// Reads the tombstone of a purged ask.
pub(crate) fn read_tombstone(conn: &Connection, id: AskId) -> rusqlite::Result<Option<AskTombstone>> {
    let found = conn
        .prepare_cached("SELECT outcome, settled_at, audience FROM tombstone WHERE id = ?1")?
        .query_row([id.as_bytes()], |row| {
            Ok((row.get::<_, String>(0)?, to_timestamp(row.get(1)?), audience_filter::read_audience(row, 2)?))
        })
        .optional()?;
    Ok(found.and_then(|(state, at, audience)| {
        Some(AskTombstone { state: AskStatus::parse(&state)?, at, audience })
    }))
}

#[cfg(test)]
mod tests;
