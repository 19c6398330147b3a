//! State shared by all request handlers.

use super::body_budget::BodyBudget;
use super::caller::Caller;
use super::gate::Gate;
use super::interaction::Interactions;
use super::login::{Logins, Terminal};
use super::metrics::{Metrics, Refused};
use super::outcome::Outcomes;
use super::rate::Limiter;
use super::stay::Stays;
use super::tally::Tally;
use super::threads::Threads;
use crate::aside::aside;
use crate::hub::Hub;
use jiff::Timestamp;
use sayso_core::{AccountQuota, Ask, AskId, Code, Problem};
use sayso_desk::local::Retention;
use sayso_desk::{Desk as _, LocalDesk};
use sayso_dialects::{Dialect, Limits};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// State shared by all request handlers.
pub(super) struct App {
    pub(super) desk: Arc<LocalDesk>,
    pub(super) hub: Arc<Hub>,
    pub(super) gate: Gate,
    /// Limits on requests, from the server's settings.
    pub(super) limits: Limits,
    /// Dialect assumed for a request that matches several.
    pub(super) dialect: Option<Dialect>,
    pub(super) outcomes: Outcomes,
    pub(super) interactions: Interactions,
    pub(super) threads: Threads,
    pub(super) metrics: Arc<Metrics>,
    /// Bytes available to request bodies in flight.
    pub(super) bodies: BodyBudget,
    pub(super) tally: Tally,
    /// Rate limit on unknown tokens, by client address.
    pub(super) tries: Limiter,
    /// Rate limit on login codes, by client address.
    pub(super) codes: Limiter,
    /// Unused login codes and signed-in browsers.
    pub(super) logins: Mutex<Logins>,
    /// Terminal that shows login codes, if any.
    pub(super) terminal: Option<Terminal>,
    /// Long-lived requests, cancelled when their credential is revoked.
    pub(super) stays: Stays,
    /// Retention period of settled asks.
    pub(super) retention: Retention,
    /// Quota on the asks of one account.
    pub(super) quota: AccountQuota,
    /// Rate limit on requests by account, if one is set.
    pub(super) calls: Option<Limiter>,
    /// Cancelled when the server shuts down.
    pub(super) closing: CancellationToken,
    /// Silence of an agent after which its turn ends with an error.
    pub(super) turn_silence: Duration,
    pub(super) now: fn() -> Timestamp,
}

impl App {
    /// Runs a call to the desk without stalling the async runtime.
    ///
    /// # Errors
    /// Returns the error of `work`.
    pub(super) async fn at_desk<T: Send + 'static>(
        self: &Arc<Self>,
        work: impl FnOnce(&LocalDesk) -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        let app = self.clone();
        let done = aside(move || work(&app.desk)).await;
        match done.as_ref().err().map(|problem| problem.code) {
            Some(Code::DeskCrowded) => self.metrics.refused(Refused::Kept),
            Some(Code::TooManyRequests) => self.metrics.refused(Refused::Asks),
            _ => {}
        }
        done
    }

    /// Updates the counters of asks from the desk's log.
    ///
    /// # Errors
    /// Fails if the desk cannot be read.
    pub(super) async fn count(self: &Arc<Self>) -> Result<(), Problem> {
        let app = self.clone();
        self.at_desk(move |desk| app.tally.catch_up(desk, &app.metrics)).await
    }

    /// Returns an ask that the caller may see.
    ///
    /// # Errors
    /// Fails if the ask does not exist or is another account's; both give the same error.
    pub(super) async fn ask(self: &Arc<Self>, caller: &Caller, id: AskId) -> Result<Ask, Problem> {
        let caller = caller.clone();
        self.at_desk(move |desk| visible(desk, &caller, id)).await
    }
}

/// Returns an ask, or `None` if it has been purged.
///
/// # Errors
/// Fails if the desk cannot be read.
pub(super) fn found(desk: &LocalDesk, id: AskId) -> Result<Option<Ask>, Problem> {
    match desk.get(id) {
        Ok(ask) => Ok(Some(ask)),
        Err(problem) if problem.code == Code::AskNotFound => Ok(None),
        Err(problem) => Err(problem),
    }
}

/// Returns an ask that the caller may see.
///
/// # Errors
/// Fails if the ask does not exist or is another account's; both give the same error.
pub(super) fn visible(desk: &LocalDesk, caller: &Caller, id: AskId) -> Result<Ask, Problem> {
    let ask = desk.get(id)?;
    if caller.may_see(ask.request.asker.account.as_deref()) {
        return Ok(ask);
    }
    Err(super::call::not_found(&id.to_string()))
}
