//! Usage and quotas of accounts. Triggers keep the counters.

use crate::store::postgres::change_log::to_timestamp;
use crate::store::postgres::connection::Query as _;
use crate::store::postgres::error::{DatabaseError, WriteError};
use crate::store::postgres::transaction::WriteTransaction;
use crate::store::postgres::upkeep::cancelled_asks;
use jiff::{SignedDuration, Timestamp};
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

fn read_usage(tx: &WriteTransaction<'_>, account: &str) -> Result<Option<AccountUsage>, DatabaseError> {
    let sql = "SELECT kept_bytes, hour_began_at, asks_in_hour FROM account_usage WHERE account = $1";
    let Some(row) = tx.row(sql, &[&account])? else { return Ok(None) };
    let [kept_bytes, hour_began_at, asks_in_hour] = [row.try_get(0)?, row.try_get(1)?, row.try_get(2)?];
    Ok(Some(AccountUsage { kept_bytes, hour_began_at, asks_in_hour }))
}

/// Checks the quota for an ask of this size now. The account's cancelled asks that no person saw are pruned for it.
pub(crate) fn check_quota(
    tx: &WriteTransaction<'_>,
    (account, quota): (&str, &AccountQuota),
    request_bytes: usize,
) -> Result<(), WriteError> {
    let now = tx.now();
    let Some(found) = read_usage(tx, account)? else { return Ok(()) };
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
    cancelled_asks::prune_account(tx, account, missing)?;
    let kept_bytes = read_usage(tx, account)?.map_or(0, |usage| usage.kept_bytes);
    if excess(kept_bytes) <= 0 {
        return Ok(());
    }
    Err(byte_quota_problem(tx, account, kept_bytes, quota)?.into())
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
    tx: &WriteTransaction<'_>,
    account: &str,
    kept_bytes: i64,
    quota: &AccountQuota,
) -> Result<Problem, DatabaseError> {
    let now = tx.now();
    let sql = "SELECT changed_at FROM ask WHERE account = $1 AND NOT pending ORDER BY seq LIMIT 1";
    let oldest: Option<i64> = tx.row(sql, &[&account])?.map(|row| row.try_get(0)).transpose()?;
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
