//! State shared by all request handlers.

use super::ask_counters::AskCounters;
use super::interaction::InteractionState;
use super::login::{LoginRegistry, LoginTerminal};
use super::metrics::{RefusalReason, ServerMetrics};
use super::middleware::auth::OriginPolicy;
use super::middleware::caller::AuthenticatedCaller;
use super::middleware::rate_limit::RateLimiter;
use super::middleware::revocation::SessionRegistry;
use super::net::body_budget::BodyBudget;
use super::openapi::ApiDocuments;
use super::routes::outcome::OutcomeCache;
use super::threads::TurnRegistry;
use crate::diagnostics::DeskCall;
use crate::notify::blocking_calls::run_blocking;
use crate::notify::change_notifier::ChangeNotifier;
use jiff::Timestamp;
use sayso_core::{AccountQuota, Ask, AskId, Problem, ProblemCode};
use sayso_desk::local::RetentionPolicy;
use sayso_desk::{Desk as _, LocalDesk};
use sayso_dialects::{Dialect, DialectLimits};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// State shared by all request handlers.
pub(super) struct AppState {
    pub(super) desk: Arc<LocalDesk>,
    pub(super) change_notifier: Arc<ChangeNotifier>,
    pub(super) origin_policy: OriginPolicy,
    /// Limits on requests, from the server's settings.
    pub(super) limits: DialectLimits,
    /// Dialect assumed for a request that matches several.
    pub(super) dialect: Option<Dialect>,
    pub(super) documents: ApiDocuments,
    pub(super) outcomes: OutcomeCache,
    pub(super) interactions: InteractionState,
    pub(super) threads: TurnRegistry,
    pub(super) metrics: Arc<ServerMetrics>,
    /// Bytes available to request bodies in flight.
    pub(super) body_budget: BodyBudget,
    pub(super) ask_counters: AskCounters,
    /// Rate limit on unknown tokens, by client address.
    pub(super) token_limiter: RateLimiter,
    /// Rate limit on login codes, by client address.
    pub(super) login_limiter: RateLimiter,
    /// Unused login codes and signed-in browsers.
    pub(super) logins: Mutex<LoginRegistry>,
    /// Terminal that shows login codes, if any.
    pub(super) terminal: Option<LoginTerminal>,
    /// Long-lived requests, cancelled when their credential is revoked.
    pub(super) session_registry: SessionRegistry,
    /// Retention period of settled asks.
    pub(super) retention: RetentionPolicy,
    /// Quota on the asks of one account.
    pub(super) quota: AccountQuota,
    /// Rate limit on requests by account, if one is set.
    pub(super) account_limiter: Option<RateLimiter>,
    /// Cancelled when the server shuts down.
    pub(super) closing: CancellationToken,
    /// Silence of an agent after which its turn ends with an error.
    pub(super) turn_silence: Duration,
    pub(super) now: fn() -> Timestamp,
}

impl AppState {
    /// Runs a call to the desk without stalling the async runtime.
    ///
    /// # Errors
    /// Returns the error of `work`.
    pub(super) async fn with_desk<T: Send + 'static>(
        self: &Arc<Self>,
        work: impl FnOnce(&LocalDesk) -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        let (app, call) = (self.clone(), DeskCall::new(&work));
        let done = run_blocking(move || call.run(|| work(&app.desk))).await;
        match done.as_ref().err().map(|problem| problem.code) {
            Some(ProblemCode::DeskCrowded) => self.metrics.record_refusal(RefusalReason::Kept),
            Some(ProblemCode::TooManyRequests) => self.metrics.record_refusal(RefusalReason::Asks),
            _ => {}
        }
        done
    }

    /// Updates the counters of asks from the desk's log.
    ///
    /// # Errors
    /// Fails if the desk cannot be read.
    pub(super) async fn update_ask_counters(self: &Arc<Self>) -> Result<(), Problem> {
        let app = self.clone();
        self.with_desk(move |desk| app.ask_counters.catch_up(desk, &app.metrics)).await
    }

    /// Returns an ask that the caller may see.
    ///
    /// # Errors
    /// Fails if the ask does not exist or is another account's; both give the same error.
    pub(super) async fn visible_ask(
        self: &Arc<Self>,
        caller: &AuthenticatedCaller,
        id: AskId,
    ) -> Result<Ask, Problem> {
        let caller = caller.clone();
        self.with_desk(move |desk| visible_ask(desk, &caller, id)).await
    }
}

/// Returns an ask, or `None` if it has been purged.
///
/// # Errors
/// Fails if the desk cannot be read.
pub(super) fn find_ask(desk: &LocalDesk, id: AskId) -> Result<Option<Ask>, Problem> {
    match desk.get(id) {
        Ok(ask) => Ok(Some(ask)),
        Err(problem) if problem.code == ProblemCode::AskNotFound => Ok(None),
        Err(problem) => Err(problem),
    }
}

/// Returns an ask that the caller may see.
///
/// # Errors
/// Fails if the ask does not exist or is another account's; both give the same error.
pub(super) fn visible_ask(desk: &LocalDesk, caller: &AuthenticatedCaller, id: AskId) -> Result<Ask, Problem> {
    let ask = desk.get(id)?;
    if caller.may_see(ask.request.asker.account.as_deref()) {
        return Ok(ask);
    }
    Err(super::middleware::call::not_found(&id.to_string()))
}
