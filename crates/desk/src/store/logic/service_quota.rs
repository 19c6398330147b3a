//! Rules of the quotas of services, for every store.

use super::account_quota::{HOUR_US, seconds_until, to_seconds};
use crate::store::stored_time::to_timestamp;
use jiff::Timestamp;
use sayso_core::i18n::own;
use sayso_core::{Message, Problem, ProblemCode, ServiceQuota, limits};

/// Logins of one service within an hour.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ServiceUsage {
    pub(crate) hour_began_at: i64,
    pub(crate) logins: i64,
}

impl ServiceUsage {
    /// Returns the usage with a login more, from what is stored.
    ///
    /// # Errors
    /// If the service has let in as many users as it may within the hour.
    pub(crate) fn with_login(
        found: Option<Self>,
        quota: ServiceQuota,
        now: Timestamp,
    ) -> Result<Self, Problem> {
        let now_us = now.as_microsecond();
        let is_current = |usage: &Self| now_us.saturating_sub(usage.hour_began_at).saturating_abs() < HOUR_US;
        let Some(usage) = found.filter(is_current) else {
            return Ok(Self { hour_began_at: now_us, logins: 1 });
        };
        let Some(most) = quota.logins_per_hour.filter(|most| usage.logins >= i64::from(*most)) else {
            return Ok(Self { logins: usage.logins.saturating_add(1), ..usage });
        };
        let again_at = to_timestamp(usage.hour_began_at.saturating_add(HOUR_US));
        Err(Problem::new(ProblemCode::TooManyRequests, Message::TooManyLogins.with([most]))
            .with_hint(Message::TooManyLoginsHint.with([own(to_seconds(again_at))]))
            .retry_after(seconds_until(again_at, now)))
    }
}

/// Checks that a service's users may have one session more than these.
///
/// # Errors
/// If they have as many as they may.
pub(crate) fn check_session_count(count: i64, quota: ServiceQuota) -> Result<(), Problem> {
    let Some(most) = quota.sessions.filter(|most| count >= i64::from(*most)) else { return Ok(()) };
    let hint = Message::TooManyUserSessionsHint.with([limits::SERVICE_SESSION_SECONDS / (60 * 60)]);
    let message = Message::TooManyUserSessions.with([most]);
    Err(Problem::new(ProblemCode::TooManyRequests, message).with_hint(hint))
}
