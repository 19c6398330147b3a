//! Usage and quotas of accounts. Triggers keep the counters.

use super::request_cache::RequestCache;
use crate::store::sqlite::column_values::to_timestamp;
use crate::store::sqlite::upkeep::cancelled_asks;
use crate::store::sqlite::writer::job::JobError;
use jiff::{SignedDuration, Timestamp};
use rusqlite::{Connection, OptionalExtension as _};
use sayso_core::{AccountQuota, Message, Problem, ProblemCode, limits};

/// Rate-limit window in microseconds.
const HOUR_US: i64 = 60 * 60 * 1_000_000;

/// Usage counters of one account.
#[derive(Debug, Clone, Copy)]
struct AccountUsage {
    kept_bytes: i64,
    hour_began_at: i64,
    asks_in_hour: i64,
}

fn read_usage(conn: &Connection, account: &str) -> rusqlite::Result<Option<AccountUsage>> {
    conn.prepare_cached(
        "SELECT kept_bytes, hour_began_at, asks_in_hour FROM account_usage WHERE account = ?1",
    )?
    .query_row([account], |row| {
        Ok(AccountUsage { kept_bytes: row.get(0)?, hour_began_at: row.get(1)?, asks_in_hour: row.get(2)? })
    })
    .optional()
}

/// Returns the bytes that the asks of all accounts take.
pub(crate) fn total_kept_bytes(conn: &Connection) -> rusqlite::Result<u64> {
    let sum: i64 = conn
        .prepare_cached("SELECT coalesce(sum(kept_bytes), 0) FROM account_usage")?
        .query_row([], |row| row.get(0))?;
    Ok(u64::try_from(sum).unwrap_or_default())
}

/// Checks the quota for an ask of this size now. The account's cancelled asks that no person saw are pruned for it.
pub(crate) fn check_quota(
    conn: &Connection,
    requests: &RequestCache,
    (account, quota): (&str, &AccountQuota),
    request_bytes: usize,
    now: Timestamp,
) -> Result<(), JobError> {
    let Some(found) = read_usage(conn, account)? else { return Ok(()) };
    if let Some(most) = quota.asks_per_hour {
        check_hourly_rate(found, most, now)?;
    }
    let Some(most) = quota.stored_bytes else { return Ok(()) };
    let most = i64::try_from(most).unwrap_or(i64::MAX);
    let wanted = i64::try_from(request_bytes + limits::ASK_OVERHEAD_BYTES).unwrap_or(i64::MAX);
    let excess = |kept_bytes: i64| kept_bytes.saturating_add(wanted).saturating_sub(most);
    let missing = excess(found.kept_bytes);
    if missing <= 0 {
        return Ok(());
    }
    cancelled_asks::prune_account(conn, requests, account, missing)?;
    let kept_bytes = read_usage(conn, account)?.map_or(0, |usage| usage.kept_bytes);
    if excess(kept_bytes) <= 0 {
        return Ok(());
    }
    Err(byte_quota_problem(conn, account, kept_bytes, quota, now)?.into())
}

fn check_hourly_rate(found: AccountUsage, most: u32, now: Timestamp) -> Result<(), Problem> {
    let passed = now.as_microsecond().saturating_sub(found.hour_began_at);
    if passed.saturating_abs() >= HOUR_US || found.asks_in_hour < i64::from(most) {
        return Ok(());
    }
    let again_at = to_timestamp(found.hour_began_at.saturating_add(HOUR_US));
    Err(Problem::new(ProblemCode::TooManyRequests, Message::TooManyAsked.with([most]))
        .with_hint(Message::AskedAgainFrom.with([to_seconds(again_at)]))
        .retry_after(seconds_until(again_at, now)))
}

/// Returns the problem of an account at its byte quota, with the time of the next deletion.
fn byte_quota_problem(
    conn: &Connection,
    account: &str,
    kept_bytes: i64,
    quota: &AccountQuota,
    now: Timestamp,
) -> rusqlite::Result<Problem> {
    let oldest: Option<i64> = conn
        .prepare_cached(
            "SELECT changed_at FROM ask WHERE account = ?1 AND pending IS NULL ORDER BY seq LIMIT 1",
        )?
        .query_row([account], |row| row.get(0))
        .optional()?;
    let mib = |bytes: u64| bytes.div_ceil(1 << 20).to_string();
    let most = quota.stored_bytes.unwrap_or(u64::MAX);
    let message = Message::TooManyKept.with([mib(kept_bytes.unsigned_abs()), mib(most)]);
    let problem = Problem::new(ProblemCode::DeskCrowded, message);
    let days = SignedDuration::from_hours(24 * i64::from(quota.retention_days));
    Ok(match oldest.and_then(|at| to_timestamp(at).checked_add(days).ok()) {
        Some(freed_at) => problem
            .with_hint(Message::KeptUntil.with([to_seconds(freed_at)]))
            .retry_after(seconds_until(freed_at, now)),
        None => problem.with_hint(Message::KeptWhileOpen),
    })
}

fn to_seconds(at: Timestamp) -> String {
    at.round(jiff::Unit::Second).unwrap_or(at).to_string()
}

fn seconds_until(at: Timestamp, now: Timestamp) -> u64 {
    let seconds = at.duration_since(now).as_secs_f64().ceil();
    // A purge runs once a day, and a clock may have been set.
    if seconds < 1.0 { 1 } else { at.as_second().abs_diff(now.as_second()).max(1) }
}

#[cfg(test)]
mod tests;
