//! Quotas of accounts. The databases count what an account uses.

use super::asks::ask_sql::AskSql as _;
use super::asks::{AskRows, cancelled_asks};
use super::statements::StoreReader;
use crate::store::stored_time::to_timestamp;
use jiff::{SignedDuration, Timestamp};
use sayso_core::i18n::own;
use sayso_core::{AccountQuota, Message, Problem, ProblemCode, limits};

/// Rate-limit window in microseconds.
pub(super) const HOUR_US: i64 = 60 * 60 * 1_000_000;

/// Usage counters of one account.
#[derive(Debug, Clone, Copy)]
struct AccountUsage {
    kept_bytes: i64,
    hour_began_at: i64,
    asks_in_hour: i64,
}

impl AccountUsage {
    /// Checks the rate of asks.
    ///
    /// # Errors
    /// If the account has asked as often as it may within the hour.
    fn check_hourly_rate(self, quota: &AccountQuota, now: Timestamp) -> Result<(), Problem> {
        let Some(most) = quota.asks_per_hour else { return Ok(()) };
        let elapsed_us = now.as_microsecond().saturating_sub(self.hour_began_at);
        if elapsed_us.saturating_abs() >= HOUR_US || self.asks_in_hour < i64::from(most) {
            return Ok(());
        }
        let again_at = to_timestamp(self.hour_began_at.saturating_add(HOUR_US));
        Err(Problem::new(ProblemCode::TooManyRequests, Message::TooManyAsked.with([most]))
            .with_hint(Message::AskedAgainFrom.with([own(to_seconds(again_at))]))
            .retry_after(seconds_until(again_at, now)))
    }

    /// Returns the bytes by which a request of this size exceeds the quota; none or less if it fits.
    fn excess_bytes(self, quota: &AccountQuota, request_bytes: usize) -> i64 {
        let Some(most) = quota.stored_bytes else { return 0 };
        let most = i64::try_from(most).unwrap_or(i64::MAX);
        let request_size = i64::try_from(request_bytes + limits::ASK_OVERHEAD_BYTES).unwrap_or(i64::MAX);
        self.kept_bytes.saturating_add(request_size).saturating_sub(most)
    }
}

fn read_usage<R: StoreReader>(reader: &R, account: &str) -> Result<Option<AccountUsage>, R::Error> {
    let sql = "SELECT kept_bytes, hour_began_at, asks_in_hour FROM account_usage WHERE account = $1";
    let Some(row) = reader.query_one(sql, &[account.into()])? else { return Ok(None) };
    Ok(Some(AccountUsage { kept_bytes: row.get(0)?, hour_began_at: row.get(1)?, asks_in_hour: row.get(2)? }))
}

/// Returns the bytes that the asks of all accounts take.
pub(crate) fn total_kept_bytes<R: StoreReader>(reader: &R) -> Result<u64, R::Error> {
    let sql = "SELECT CAST(coalesce(sum(kept_bytes), 0) AS bigint) FROM account_usage";
    Ok(u64::try_from(reader.query_count(sql, &[])?).unwrap_or_default())
}

/// Checks the number of an account's open asks.
pub(crate) fn check_open_asks<T: AskRows>(
    tx: &T,
    account: &str,
    quota: &AccountQuota,
) -> Result<(), T::Error> {
    let most = i64::try_from(quota.open_asks).unwrap_or(i64::MAX);
    let pending = T::Sql::PENDING;
    let sql = format!(
        "SELECT count(*) FROM (SELECT 1 FROM ask WHERE account = $1 AND {pending} LIMIT $2) AS pending_asks"
    );
    let count = tx.query_count(&sql, &[account.into(), most.into()])?;
    if count < most {
        return Ok(());
    }
    Err(Problem::new(ProblemCode::DeskCrowded, Message::TooManyOpen.with([count])).into())
}

/// Checks the quota for an ask of this size now. The account's cancelled asks that no person saw are pruned for it.
pub(crate) fn check_usage<T: AskRows>(
    tx: &T,
    account: &str,
    quota: &AccountQuota,
    request_bytes: usize,
) -> Result<(), T::Error> {
    let Some(usage) = read_usage(tx, account)? else { return Ok(()) };
    usage.check_hourly_rate(quota, tx.now())?;
    let missing_bytes = usage.excess_bytes(quota, request_bytes);
    if missing_bytes <= 0 {
        return Ok(());
    }
    cancelled_asks::prune_account(tx, account, missing_bytes)?;
    let kept_bytes = read_usage(tx, account)?.map_or(0, |usage| usage.kept_bytes);
    if (AccountUsage { kept_bytes, ..usage }).excess_bytes(quota, request_bytes) <= 0 {
        return Ok(());
    }
    let ended = T::Sql::ENDED;
    let sql = format!("SELECT changed_at FROM ask WHERE account = $1 AND {ended} ORDER BY seq LIMIT 1");
    let oldest = match tx.query_one(&sql, &[account.into()])? {
        Some(row) => Some(row.get(0)?),
        None => None,
    };
    Err(byte_quota_problem(kept_bytes, quota, oldest, tx.now()).into())
}

/// Returns the problem of an account at its byte quota, with the time of the next deletion: that of its oldest ended
/// ask, which last changed at this time.
fn byte_quota_problem(
    kept_bytes: i64,
    quota: &AccountQuota,
    oldest_changed_at: Option<i64>,
    now: Timestamp,
) -> Problem {
    let mib = |bytes: u64| bytes.div_ceil(1 << 20).to_string();
    let most = quota.stored_bytes.unwrap_or(u64::MAX);
    let message = Message::TooManyKept.with([own(mib(kept_bytes.unsigned_abs())), own(mib(most))]);
    let problem = Problem::new(ProblemCode::DeskCrowded, message);
    let days = SignedDuration::from_hours(24 * i64::from(quota.retention_days));
    match oldest_changed_at.and_then(|at| to_timestamp(at).checked_add(days).ok()) {
        Some(freed_at) => problem
            .with_hint(Message::KeptUntil.with([own(to_seconds(freed_at))]))
            .retry_after(seconds_until(freed_at, now)),
        None => problem.with_hint(Message::KeptWhileOpen),
    }
}

pub(super) fn to_seconds(at: Timestamp) -> String {
    at.round(jiff::Unit::Second).unwrap_or(at).to_string()
}

pub(super) fn seconds_until(at: Timestamp, now: Timestamp) -> u64 {
    let seconds = at.duration_since(now).as_secs_f64().ceil();
    // A purge runs once a day, and a clock may have been set.
    if seconds < 1.0 { 1 } else { at.as_second().abs_diff(now.as_second()).max(1) }
}

#[cfg(test)]
mod tests;
