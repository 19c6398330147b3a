//! Upkeep of a desk in a database: deletion of what is no longer needed. Each step is a transaction of its own, so that
//! no one waits for longer than one step; nodes that do it at once find what the other left.

pub(crate) mod cancelled_asks;

use super::PostgresStore;
use super::connection::Query as _;
use super::error::WriteError;
use super::threads::turn_log;
use super::transaction::{WriteTransaction, values};
use crate::store::{PurgeLimits, StoreClock as _, StoreUpkeep};
use jiff::{SignedDuration, Timestamp};
use sayso_core::model::ask::AskRequest;
use sayso_core::{Problem, limits};

/// Asks, changes and threads deleted in one step.
const STEP_ASKS: i64 = 500;
const STEP_CHANGES: i64 = 5_000;
const STEP_THREADS: i64 = 20;

/// Days that a tombstone is kept.
const TOMBSTONE_DAYS: i64 = 5 * 365;

/// Time between two purges in microseconds.
const PURGE_INTERVAL_US: i64 = 24 * 60 * 60 * 1_000_000;

impl StoreUpkeep for PostgresStore {
    fn run_maintenance(&self, old: PurgeLimits) -> Result<(), Problem> {
        self.forget_rates()?;
        self.writer.run(|tx| {
            turn_log::purge(tx);
            Ok(())
        })?;
        // The first node to claim the purge does it.
        if self.writer.run(claim_purge)? {
            self.purge(old)?;
        }
        let unseen = SignedDuration::from_secs(limits::UNSEEN_CANCELLED_SECONDS);
        let before = self.now().checked_sub(unseen).unwrap_or(Timestamp::MIN);
        if self.read(|session| cancelled_asks::has_prunable(session, before))? {
            while self.writer.run(move |tx| cancelled_asks::prune_cancelled_before(tx, before))? > 0 {}
        }
        Ok(())
    }

    /// The server reuses the space of deleted rows by itself.
    fn release_space(&self) {}
}

impl PostgresStore {
    /// Purges what is older than these limits, and returns the number of asks.
    pub(crate) fn purge(&self, old: PurgeLimits) -> Result<usize, Problem> {
        self.writer.run(move |tx| {
            purge_drafts(tx, old);
            Ok(())
        })?;
        let mut all = 0;
        loop {
            let gone = self.writer.run(move |tx| purge_asks(tx, old))?;
            if gone == 0 {
                break;
            }
            all += gone;
        }
        while self.writer.run(move |tx| purge_changes(tx, old))? > 0 {}
        while self.writer.run(move |tx| purge_threads(tx, old))? > 0 {}
        Ok(all)
    }
}

/// Claims the purge of this day, and returns whether it was still to be done.
fn claim_purge(tx: &WriteTransaction<'_>) -> Result<bool, WriteError> {
    let now = tx.now().as_microsecond();
    let sql = "UPDATE desk SET purged_at = $1 WHERE purged_at < $2 RETURNING format";
    if !tx.has_row("SELECT 1 FROM desk WHERE purged_at < $1", &[&(now - PURGE_INTERVAL_US)])? {
        return Ok(false);
    }
    Ok(!tx.write_now(sql, &[&now, &(now - PURGE_INTERVAL_US)])?.is_empty())
}

fn purge_drafts(tx: &WriteTransaction<'_>, old: PurgeLimits) {
    let before = old.drafts_before.as_microsecond();
    tx.write(
        "DELETE FROM draft WHERE at < $1 AND seq IN (SELECT seq FROM ask WHERE NOT pending)",
        values![before],
    );
    tx.write(
        "UPDATE ask SET answered = 0 WHERE NOT pending AND answered > 0 AND state <> 'answered' \
         AND NOT EXISTS (SELECT 1 FROM draft WHERE draft.seq = ask.seq)",
        values![],
    );
}

/// Purges a batch of asks, and returns their number. A tombstone keeps how an ask ended.
fn purge_asks(tx: &WriteTransaction<'_>, old: PurgeLimits) -> Result<usize, WriteError> {
    let hooks_before = old.hooks_before.max(old.settled_before).as_microsecond();
    let before = old.settled_before.as_microsecond();
    let sql = "SELECT seq FROM ask WHERE NOT pending AND changed_at < CASE WHEN dialect = $1 THEN $2 ELSE $3 END \
               ORDER BY seq LIMIT $4";
    let rows = tx.rows(sql, &[&AskRequest::HOOK_DIALECT, &hooks_before, &before, &STEP_ASKS])?;
    let old: Vec<i64> = rows.iter().map(|row| row.try_get(0)).collect::<Result<_, _>>()?;
    if !old.is_empty() {
        tx.write(
            "INSERT INTO tombstone (id, outcome, audience, created_at, settled_at) \
             SELECT id, state, audience, created_at, changed_at FROM ask WHERE seq = ANY($1) ON CONFLICT DO NOTHING",
            values![old.clone()],
        );
        tx.write("DELETE FROM ask WHERE seq = ANY($1)", values![old.clone()]);
    }
    Ok(old.len())
}

/// Purges a batch of changes of asks that are gone, and returns their number.
fn purge_changes(tx: &WriteTransaction<'_>, old: PurgeLimits) -> Result<usize, WriteError> {
    let sql = "DELETE FROM change WHERE n IN (SELECT n FROM change WHERE at < $1 \
               AND NOT EXISTS (SELECT 1 FROM ask WHERE ask.id = change.id) ORDER BY n LIMIT $2) RETURNING n";
    let gone = tx.write_now(sql, &[&old.settled_before.as_microsecond(), &STEP_CHANGES])?;
    let numbers: Vec<i64> = gone.iter().map(|row| row.try_get(0)).collect::<Result<_, _>>()?;
    if let Some(last) = numbers.iter().max() {
        tx.write("UPDATE desk SET forgotten = greatest(forgotten, $1)", values![*last]);
    }
    Ok(numbers.len())
}

/// Purges a batch of threads, and returns their number. After the last one it deletes the oldest tombstones.
fn purge_threads(tx: &WriteTransaction<'_>, old: PurgeLimits) -> Result<usize, WriteError> {
    let sql = "DELETE FROM thread WHERE id IN (SELECT id FROM thread WHERE changed_at < $1 \
               AND NOT EXISTS (SELECT 1 FROM turn WHERE turn.thread = thread.id AND pending) LIMIT $2) RETURNING id";
    let gone = tx.write_now(sql, &[&old.settled_before.as_microsecond(), &STEP_THREADS])?;
    let days = SignedDuration::from_hours(24 * TOMBSTONE_DAYS);
    let forgotten = old.settled_before.checked_sub(days).unwrap_or(Timestamp::MIN);
    tx.write("DELETE FROM tombstone WHERE settled_at < $1", values![forgotten.as_microsecond()]);
    Ok(gone.len())
}
