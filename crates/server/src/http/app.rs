//! What every request works with.

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

/// What every request works with.
pub(super) struct App {
    pub(super) desk: Arc<LocalDesk>,
    pub(super) hub: Arc<Hub>,
    pub(super) gate: Gate,
    /// The limits on requests that the server's settings set.
    pub(super) limits: Limits,
    /// The dialect of a request that fits several.
    pub(super) dialect: Option<Dialect>,
    pub(super) outcomes: Outcomes,
    pub(super) interactions: Interactions,
    pub(super) threads: Threads,
    pub(super) metrics: Arc<Metrics>,
    /// What bodies of requests may take at one time.
    pub(super) bodies: BodyBudget,
    pub(super) tally: Tally,
    /// How often an address may try tokens that are not known.
    pub(super) tries: Limiter,
    /// How often an address may try codes to sign in with.
    pub(super) codes: Limiter,
    /// The codes and the browsers that are signed in.
    pub(super) logins: Mutex<Logins>,
    /// Where codes to sign in with are shown, if anywhere.
    pub(super) terminal: Option<Terminal>,
    /// Those who are let in for longer than one request.
    pub(super) stays: Stays,
    /// How long what has ended is kept.
    pub(super) retention: Retention,
    /// What the asks of one account may take.
    pub(super) quota: AccountQuota,
    /// How often an account may ask for something, where that is bounded.
    pub(super) calls: Option<Limiter>,
    /// Cancelled when the server goes down.
    pub(super) closing: CancellationToken,
    /// How long an agent may say nothing in a turn before the turn ends with an error.
    pub(super) turn_silence: Duration,
    pub(super) now: fn() -> Timestamp,
}

impl App {
    /// Does something at the desk, on a thread that may wait for the disk.
    ///
    /// # Errors
    /// What the work says.
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

    /// Brings the figures of asks up to date.
    ///
    /// # Errors
    /// When the desk cannot be read.
    pub(super) async fn count(self: &Arc<Self>) -> Result<(), Problem> {
        let app = self.clone();
        self.at_desk(move |desk| app.tally.catch_up(desk, &app.metrics)).await
    }

    /// An ask that the caller may see; others are not there.
    ///
    /// # Errors
    /// When there is none.
    pub(super) async fn ask(self: &Arc<Self>, caller: &Caller, id: AskId) -> Result<Ask, Problem> {
        let caller = caller.clone();
        self.at_desk(move |desk| visible(desk, &caller, id)).await
    }
}

/// An ask, unless it was purged since it was heard of.
///
/// # Errors
/// When the desk cannot be read.
pub(super) fn found(desk: &LocalDesk, id: AskId) -> Result<Option<Ask>, Problem> {
    match desk.get(id) {
        Ok(ask) => Ok(Some(ask)),
        Err(problem) if problem.code == Code::AskNotFound => Ok(None),
        Err(problem) => Err(problem),
    }
}

/// An ask that the caller may see; others are not there.
///
/// # Errors
/// When there is none.
pub(super) fn visible(desk: &LocalDesk, caller: &Caller, id: AskId) -> Result<Ask, Problem> {
    let ask = desk.get(id)?;
    if caller.may_see(ask.request.asker.account.as_deref()) {
        return Ok(ask);
    }
    Err(super::call::not_found(&id.to_string()))
}
