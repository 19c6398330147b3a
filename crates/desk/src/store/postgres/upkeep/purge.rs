//! Purge of old asks, threads and log entries, step by step. A tombstone keeps how an ask ended.

use crate::store::postgres::connection::Query;
use crate::store::postgres::error::{DatabaseError, WriteError};
use crate::store::postgres::transaction::{WriteTransaction, values};
use crate::store::stored_time::to_timestamp;
use crate::store::{PurgeLimits, PurgeState, PurgeStep, PurgedStep};
use jiff::{SignedDuration, Timestamp};
use sayso_core::model::ask::AskRequest;

/// Asks and changes examined in one step.
const STEP_ASKS: i64 = 100;
const STEP_CHANGES: i64 = 1_000;

/// Threads and tombstones deleted in one step, as their statements say.
const STEP_THREADS: usize = 5;
const STEP_TOMBSTONES: usize = 1_000;

/// Days that a tombstone is kept.
const TOMBSTONE_DAYS: i64 = 5 * 365;

/// Reads how the purge stands.
pub(super) fn read_state(query: &impl Query) -> Result<PurgeState, DatabaseError> {
    let row = query.row("SELECT purged_at, purge_stage, purge_after FROM desk", &[])?;
    let Some(row) = row else {
        return Ok(PurgeState { ended_at: Timestamp::UNIX_EPOCH, step: PurgeStep::FIRST });
    };
    let step = PurgeStep::parse((row.try_get(1)?, row.try_get(2)?));
    Ok(PurgeState { ended_at: to_timestamp(row.try_get(0)?), step })
}

/// Runs a step, if it is the one that comes next.
pub(super) fn run_step(
    tx: &WriteTransaction<'_>,
    limits: PurgeLimits,
    step: PurgeStep,
) -> Result<Option<PurgedStep>, WriteError> {
    if read_state(tx)?.step != step {
        return Ok(None);
    }
    let (asks, next) = match step {
        PurgeStep::Asks { after } => {
            let (asks, next) = purge_asks(tx, limits, after)?;
            (asks, Some(next))
        }
        PurgeStep::Log { after } => (0, Some(purge_log(tx, limits, after)?)),
        PurgeStep::Threads => (0, Some(purge_threads(tx, limits)?)),
        PurgeStep::Tombstones => (0, purge_tombstones(tx, limits)?),
    };
    let (stage, after) = next.unwrap_or(PurgeStep::FIRST).numbers();
    tx.queue("UPDATE desk SET purge_stage = $1, purge_after = $2", values![stage, after]);
    if next.is_none() {
        tx.queue("UPDATE desk SET purged_at = $1", values![tx.now().as_microsecond()]);
    }
    Ok(Some(PurgedStep { asks, next }))
}

/// Returns the last row of a step, with its time: nothing after it is older.
fn last_row(
    tx: &WriteTransaction<'_>,
    sql: &str,
    after: i64,
    most: i64,
) -> Result<Option<(i64, i64)>, DatabaseError> {
    let last = format!("SELECT n, at FROM ({sql} ORDER BY n LIMIT $2) AS step ORDER BY n DESC LIMIT 1");
    tx.row(&last, &[&after, &most])?.map(|row| Ok((row.try_get(0)?, row.try_get(1)?))).transpose()
}

fn purge_asks(
    tx: &WriteTransaction<'_>,
    limits: PurgeLimits,
    after: i64,
) -> Result<(usize, PurgeStep), WriteError> {
    let sql = "SELECT seq AS n, created_at AS at FROM ask WHERE seq > $1";
    let Some((last, asked_at)) = last_row(tx, sql, after, STEP_ASKS)? else {
        return Ok((0, PurgeStep::Log { after: 0 }));
    };
    tx.queue(
        "DELETE FROM draft WHERE seq > $1 AND seq <= $2 AND at < $3 \
         AND seq IN (SELECT seq FROM ask WHERE seq > $1 AND seq <= $2 AND NOT pending)",
        values![after, last, limits.drafts_before.as_microsecond()],
    );
    tx.queue(
        "UPDATE ask SET answered = 0 WHERE seq > $1 AND seq <= $2 AND NOT pending AND answered > 0 \
         AND NOT EXISTS (SELECT 1 FROM draft WHERE draft.seq = ask.seq)",
        values![after, last],
    );
    // Without their types, the server would take the times for text.
    let sql = "SELECT seq FROM ask WHERE seq > $1 AND seq <= $2 AND NOT pending \
               AND changed_at < CASE WHEN dialect = $3 THEN $4::bigint ELSE $5::bigint END";
    let [before, hooks_before] =
        [limits.settled_before, limits.hooks_settled_before()].map(Timestamp::as_microsecond);
    let rows = tx.rows(sql, &[&after, &last, &AskRequest::HOOK_DIALECT, &hooks_before, &before])?;
    let old: Vec<i64> = rows.iter().map(|row| row.try_get(0)).collect::<Result<_, _>>()?;
    let asks = old.len();
    if asks > 0 {
        tx.queue(
            "INSERT INTO tombstone (id, outcome, audience, created_at, settled_at) \
             SELECT id, state, audience, created_at, changed_at FROM ask WHERE seq = ANY($1) ON CONFLICT DO NOTHING",
            values![old.clone()],
        );
        tx.queue("DELETE FROM ask WHERE seq = ANY($1)", values![old]);
    }
    let is_last = asked_at >= limits.latest().as_microsecond();
    Ok((asks, if is_last { PurgeStep::Log { after: 0 } } else { PurgeStep::Asks { after: last } }))
}

fn purge_log(tx: &WriteTransaction<'_>, limits: PurgeLimits, after: i64) -> Result<PurgeStep, WriteError> {
    let Some((last, changed_at)) =
        last_row(tx, "SELECT n, at FROM change WHERE n > $1", after, STEP_CHANGES)?
    else {
        return Ok(PurgeStep::Threads);
    };
    let sql = "DELETE FROM change WHERE n > $1 AND n <= $2 \
               AND NOT EXISTS (SELECT 1 FROM ask WHERE ask.id = change.id) RETURNING n";
    let gone = tx.write_now(sql, &[&after, &last])?;
    let numbers: Vec<i64> = gone.iter().map(|row| row.try_get(0)).collect::<Result<_, _>>()?;
    if let Some(last) = numbers.iter().max() {
        tx.queue("UPDATE desk SET forgotten = greatest(forgotten, $1)", values![*last]);
    }
    let is_last = changed_at >= limits.settled_before.as_microsecond();
    Ok(if is_last { PurgeStep::Threads } else { PurgeStep::Log { after: last } })
}

fn purge_threads(tx: &WriteTransaction<'_>, limits: PurgeLimits) -> Result<PurgeStep, WriteError> {
    let sql = "DELETE FROM thread WHERE id IN (SELECT id FROM thread WHERE changed_at < $1 \
               AND NOT EXISTS (SELECT 1 FROM turn WHERE turn.thread = thread.id AND pending) LIMIT 5) RETURNING id";
    let gone = tx.write_now(sql, &[&limits.settled_before.as_microsecond()])?.len();
    Ok(if gone == STEP_THREADS { PurgeStep::Threads } else { PurgeStep::Tombstones })
}

fn purge_tombstones(tx: &WriteTransaction<'_>, limits: PurgeLimits) -> Result<Option<PurgeStep>, WriteError> {
    let days = SignedDuration::from_hours(24 * TOMBSTONE_DAYS);
    let before = limits.settled_before.checked_sub(days).unwrap_or(Timestamp::MIN);
    let sql = "DELETE FROM tombstone WHERE id IN \
               (SELECT id FROM tombstone WHERE settled_at < $1 LIMIT 1000) RETURNING settled_at";
    let gone = tx.write_now(sql, &[&before.as_microsecond()])?.len();
    Ok((gone == STEP_TOMBSTONES).then_some(PurgeStep::Tombstones))
}
