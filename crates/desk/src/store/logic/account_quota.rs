//! Rules of the quotas of accounts, for every store.

use crate::store::stored_time::to_timestamp;
use jiff::{SignedDuration, Timestamp};
use sayso_core::i18n::own;
use sayso_core::{AccountQuota, Message, Problem, ProblemCode, limits};

/// Rate-limit window in microseconds.
pub(super) const HOUR_US: i64 = 60 * 60 * 1_000_000;

/// Usage counters of one account.
#[derive(Debug, Clone, Copy)]
pub(crate) struct AccountUsage {
    pub(crate) kept_bytes: i64,
    pub(crate) hour_began_at: i64,
    pub(crate) asks_in_hour: i64,
}

impl AccountUsage {
    /// Checks the rate of asks.
    ///
    /// # Errors
    /// If the account has asked as often as it may within the hour.
    pub(crate) fn check_hourly_rate(self, quota: &AccountQuota, now: Timestamp) -> Result<(), Problem> {
        let Some(most) = quota.asks_per_hour else { return Ok(()) };
        let passed = now.as_microsecond().saturating_sub(self.hour_began_at);
        if passed.saturating_abs() >= HOUR_US || self.asks_in_hour < i64::from(most) {
            return Ok(());
        }
        let again_at = to_timestamp(self.hour_began_at.saturating_add(HOUR_US));
        Err(Problem::new(ProblemCode::TooManyRequests, Message::TooManyAsked.with([most]))
            .with_hint(Message::AskedAgainFrom.with([own(to_seconds(again_at))]))
            .retry_after(seconds_until(again_at, now)))
    }

    /// Returns the bytes by which a request of this size exceeds the quota; none or less if it fits.
    pub(crate) fn excess_bytes(self, quota: &AccountQuota, request_bytes: usize) -> i64 {
        let Some(most) = quota.stored_bytes else { return 0 };
        let most = i64::try_from(most).unwrap_or(i64::MAX);
        let wanted = i64::try_from(request_bytes + limits::ASK_OVERHEAD_BYTES).unwrap_or(i64::MAX);
        self.kept_bytes.saturating_add(wanted).saturating_sub(most)
    }
}

/// Returns the problem of an account at its byte quota, with the time of the next deletion: that of its oldest ended
/// ask, which last changed at this time.
pub(crate) fn byte_quota_problem(
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
