//! Purge of old asks, threads and log entries, step by step. A tombstone keeps how an ask ended.

use crate::store::api::{PurgeLimits, PurgeState, PurgeStep, PurgedStep};
use crate::store::logic::asks::AskRows;
use crate::store::logic::asks::ask_sql::AskSql as _;
use crate::store::logic::statements::StoreTransaction;
use jiff::{SignedDuration, Timestamp};
use sayso_core::model::ask::AskRequest;

/// Asks examined in one step.
const STEP_ASKS: i64 = 100;

/// Changes examined in one step.
const STEP_CHANGES: i64 = 1_000;

/// Threads deleted in one step.
const STEP_THREADS: u32 = 5;

/// Tombstones deleted in one step.
const STEP_TOMBSTONES: u32 = 1_000;

/// Days that a tombstone is kept.
const TOMBSTONE_DAYS: i64 = 5 * 365;

/// Rows of a purge that the databases store in ways of their own.
pub(crate) trait PurgeRows: AskRows {
    /// Assignment of the columns of an ask without a draft.
    const NO_PROGRESS: &'static str;
    /// Condition of an entry of the change log whose ask is gone, and that may be forgotten.
    const ORPHAN: &'static str;

    /// Reads how the purge stands.
    fn read_purge_state(&self) -> Result<PurgeState, Self::Error>;

    /// Stores the step that comes next.
    fn write_purge_step(&self, step: PurgeStep) -> Result<(), Self::Error>;

    /// Stores that a whole purge ends now.
    fn write_purge_end(&self) -> Result<(), Self::Error>;

    /// Stores that the change log is incomplete up to this number.
    fn write_forgotten(&self, number: i64) -> Result<(), Self::Error>;

    /// Deletes the asks in these rows, and leaves their tombstones.
    fn bury_asks(&self, rows: Vec<i64>) -> Result<(), Self::Error>;
}

/// Runs a step, if it is the one that comes next.
pub(crate) fn run_step<T: PurgeRows>(
    tx: &T,
    limits: PurgeLimits,
    step: PurgeStep,
) -> Result<Option<PurgedStep>, T::Error> {
    if tx.read_purge_state()?.step != step {
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
    tx.write_purge_step(next.unwrap_or(PurgeStep::FIRST))?;
    if next.is_none() {
        tx.write_purge_end()?;
    }
    Ok(Some(PurgedStep { asks, next }))
}

/// Returns the number and the time of the last row of a step: nothing after it is older.
fn read_last_row<T: StoreTransaction>(
    tx: &T,
    select: &str,
    after: i64,
    most: i64,
) -> Result<Option<(i64, Timestamp)>, T::Error> {
    let sql = format!("SELECT n, at FROM ({select} ORDER BY n LIMIT $2) AS step ORDER BY n DESC LIMIT 1");
    let Some(row) = tx.query_one(&sql, &[after.into(), most.into()])? else { return Ok(None) };
    Ok(Some((row.get(0)?, row.get(1)?)))
}

fn purge_asks<T: PurgeRows>(tx: &T, limits: PurgeLimits, after: i64) -> Result<(usize, PurgeStep), T::Error> {
    let select = "SELECT seq AS n, created_at AS at FROM ask WHERE seq > $1";
    let Some((last, asked_at)) = read_last_row(tx, select, after, STEP_ASKS)? else {
        return Ok((0, PurgeStep::Log { after: 0 }));
    };
    let (ended, no_progress) = (T::Sql::ENDED, T::NO_PROGRESS);
    let range = [after.into(), last.into()];
    let sql = format!(
        "DELETE FROM draft WHERE seq > $1 AND seq <= $2 AND at < $3 \
         AND seq IN (SELECT seq FROM ask WHERE seq > $1 AND seq <= $2 AND {ended})"
    );
    tx.write(&sql, &[after.into(), last.into(), limits.drafts_before.into()])?;
    let sql = format!(
        "UPDATE ask SET {no_progress} WHERE seq > $1 AND seq <= $2 AND {ended} AND answered > 0 \
         AND NOT EXISTS (SELECT 1 FROM draft WHERE draft.seq = ask.seq)"
    );
    tx.write(&sql, &range)?;
    // Without their types, PostgreSQL would take the times for text.
    let sql = format!(
        "SELECT seq FROM ask WHERE seq > $1 AND seq <= $2 AND {ended} \
         AND changed_at < CASE WHEN dialect = $3 THEN CAST($4 AS bigint) ELSE CAST($5 AS bigint) END"
    );
    let values = [
        after.into(),
        last.into(),
        AskRequest::HOOK_DIALECT.into(),
        limits.hooks_settled_before().into(),
        limits.settled_before.into(),
    ];
    let mut old = Vec::new();
    for row in tx.query(&sql, &values)? {
        old.push(row.get(0)?);
    }
    let asks = old.len();
    if asks > 0 {
        tx.bury_asks(old)?;
    }
    let is_last = asked_at >= limits.latest();
    Ok((asks, if is_last { PurgeStep::Log { after: 0 } } else { PurgeStep::Asks { after: last } }))
}

fn purge_log<T: PurgeRows>(tx: &T, limits: PurgeLimits, after: i64) -> Result<PurgeStep, T::Error> {
    let select = "SELECT n, at FROM change WHERE n > $1";
    let Some((last, changed_at)) = read_last_row(tx, select, after, STEP_CHANGES)? else {
        return Ok(PurgeStep::Threads);
    };
    let orphan = T::ORPHAN;
    let sql = format!("DELETE FROM change WHERE n > $1 AND n <= $2 AND {orphan} RETURNING n");
    let mut forgotten = None;
    for row in tx.write_returning(&sql, &[after.into(), last.into()])? {
        forgotten = forgotten.max(Some(row.get(0)?));
    }
    if let Some(number) = forgotten {
        tx.write_forgotten(number)?;
    }
    let is_last = changed_at >= limits.settled_before;
    Ok(if is_last { PurgeStep::Threads } else { PurgeStep::Log { after: last } })
}

fn purge_threads<T: PurgeRows>(tx: &T, limits: PurgeLimits) -> Result<PurgeStep, T::Error> {
    let sql = "DELETE FROM thread WHERE id IN (SELECT id FROM thread WHERE changed_at < $1 \
               AND NOT EXISTS (SELECT 1 FROM turn WHERE turn.thread = thread.id AND pending = true) LIMIT $2) \
               RETURNING id";
    let rows = tx.write_returning(sql, &[limits.settled_before.into(), STEP_THREADS.into()])?;
    let is_full = rows.len() == STEP_THREADS as usize;
    Ok(if is_full { PurgeStep::Threads } else { PurgeStep::Tombstones })
}

fn purge_tombstones<T: PurgeRows>(tx: &T, limits: PurgeLimits) -> Result<Option<PurgeStep>, T::Error> {
    let days = SignedDuration::from_hours(24 * TOMBSTONE_DAYS);
    let oldest_end = limits.settled_before.checked_sub(days).unwrap_or(Timestamp::MIN);
    let sql = "DELETE FROM tombstone WHERE id IN (SELECT id FROM tombstone WHERE settled_at < $1 LIMIT $2) \
               RETURNING settled_at";
    let rows = tx.write_returning(sql, &[oldest_end.into(), STEP_TOMBSTONES.into()])?;
    let is_full = rows.len() == STEP_TOMBSTONES as usize;
    Ok(is_full.then_some(PurgeStep::Tombstones))
}
