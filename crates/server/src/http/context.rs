//! Context that every feature of the server needs: the desk, and the counters and ends of long-lived requests.

use super::login::proof::UsedProofs;
use super::metrics::{RefusalReason, ServerMetrics};
use super::middleware::call::not_found;
use super::middleware::caller::{AccessKind, AuthenticatedCaller};
use super::middleware::embedded_consent::EmbeddedConsent;
use super::middleware::revocation::{Credential, RevocationRegistry};
use crate::audiences::DefaultAudience;
use crate::diagnostics::{DeskCall, log_event};
use crate::notify::blocking_calls::BlockingCalls;
use crate::notify::change_notifier::ChangeNotifier;
use jiff::Timestamp;
use sayso_core::{Ask, AskId, AskReader, Audience, Departures, Problem, ProblemCode, limits};
use sayso_desk::person_mark::PersonMark;
use sayso_desk::token::TokenRole;
use sayso_desk::{Desk as _, StoreDesk};
use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

/// Delays of the server that a client notices.
#[derive(Debug, Clone, Copy)]
pub struct ServerDelays {
    /// Interval of a WebSocket's pings and of its credential check.
    pub socket_ping: Duration,
    /// Delay before an asker without a waiter counts as detached; covers the gap between two successive long polls.
    pub detach: Duration,
    /// Delay before the person is told why a turn does not go on.
    pub turn_notice: Duration,
    /// Silence of an agent after which its turn ends with an error.
    pub turn_silence: Duration,
}

impl Default for ServerDelays {
    fn default() -> Self {
        Self {
            socket_ping: Duration::from_secs(15),
            detach: Duration::from_secs(5),
            turn_notice: Duration::from_secs(2),
            turn_silence: Duration::from_secs(u64::from(limits::TURN_IDLE_SECONDS)),
        }
    }
}

/// Context of all requests. It knows no feature of the server.
pub(super) struct ServerContext {
    pub(super) desk: Arc<StoreDesk>,
    pub(super) calls: BlockingCalls,
    pub(super) change_notifier: Arc<ChangeNotifier>,
    pub(super) metrics: Arc<ServerMetrics>,
    /// Long-lived requests, cancelled when their credential is revoked.
    pub(super) revocations: RevocationRegistry,
    /// Askers to which an embedded element may give consent.
    pub(super) embedded_consent: Arc<EmbeddedConsent>,
    /// Accounts that have gone. Sends a message after they or a group of accounts have changed.
    pub(super) regrouped: watch::Sender<Arc<Departures>>,
    /// Audience of asks that name none.
    pub(super) default_audience: DefaultAudience,
    /// Last use of the desk by a person, on a page or a terminal.
    pub(super) person_mark: PersonMark,
    /// Proofs of browsers that this node has taken.
    pub(super) used_proofs: UsedProofs,
    /// Cancelled when the server shuts down.
    pub(super) closing: CancellationToken,
    pub(super) delays: ServerDelays,
    pub(super) now: fn() -> Timestamp,
}

impl ServerContext {
    /// Runs a call to the desk without stalling the async runtime.
    ///
    /// # Errors
    /// Returns the error of `work`.
    pub(super) async fn with_desk<T: Send + 'static>(
        &self,
        work: impl FnOnce(&StoreDesk) -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        let desk = self.desk.clone();
        let call = DeskCall::new(&work);
        let result = self.calls.run(call, move || work(&desk)).await;
        if let Err(problem) = &result {
            match problem.code {
                ProblemCode::DeskCrowded => self.metrics.record_refusal(RefusalReason::Kept),
                ProblemCode::TooManyRequests => self.metrics.record_refusal(RefusalReason::Asks),
                _ => {}
            }
        }
        result
    }

    /// Returns the reader that an account is in a role.
    ///
    /// # Errors
    /// Fails if the desk cannot be read.
    pub(super) fn reader(&self, account: &str, role: TokenRole) -> Result<AskReader, Problem> {
        let account = account.to_owned();
        Ok(match role {
            TokenRole::Asker => AskReader::Asker { account },
            TokenRole::Service => AskReader::Nobody,
            TokenRole::Person | TokenRole::Admin => {
                // Takes a few microseconds on a connection of its own, as the lookup of a token does.
                let mut groups = self.desk.groups_of(&account)?;
                groups.insert(Audience::MEMBERS.to_owned());
                let default = self.default_audience.audience();
                match role {
                    TokenRole::Admin => {
                        AskReader::admin(account, groups, default, self.regrouped.borrow().clone())
                    }
                    _ => AskReader::person(account, groups, default),
                }
            }
        })
    }

    /// Returns the reader that a caller is by now: its groups may have changed.
    ///
    /// # Errors
    /// Fails if the desk cannot be read.
    pub(super) fn reader_again(&self, caller: &AuthenticatedCaller) -> Result<AskReader, Problem> {
        if caller.is_service_user() {
            Ok(caller.reader.clone())
        } else {
            self.reader(&caller.account, caller.role)
        }
    }

    /// Signs a browser out, and ends what it holds open. Returns false if it was signed out before.
    ///
    /// # Errors
    /// Fails if the desk cannot be written.
    pub(super) async fn end_browser_session(&self, id: String) -> Result<bool, Problem> {
        let session_id = id.clone();
        let was_signed_in = self.with_desk(move |desk| desk.end_browser_session(&session_id)).await?;
        let credentials = [Credential::BrowserSession(id.clone()), Credential::ServiceSession(id)];
        self.revocations.revoke(&HashSet::from(credentials));
        Ok(was_signed_in)
    }

    /// Returns an ask that the caller may see.
    ///
    /// # Errors
    /// Fails if the ask does not exist or is for others; both give the same error.
    pub(super) async fn visible_ask(&self, caller: &AuthenticatedCaller, id: AskId) -> Result<Ask, Problem> {
        let caller = caller.clone();
        self.with_desk(move |desk| visible_ask(desk, &caller, id)).await
    }
}

/// Returns an ask, or `None` if it has been purged.
///
/// # Errors
/// Fails if the desk cannot be read.
pub(super) fn find_ask(desk: &StoreDesk, id: AskId) -> Result<Option<Ask>, Problem> {
    match desk.get(id) {
        Ok(ask) => Ok(Some(ask)),
        Err(problem) if problem.code == ProblemCode::AskNotFound => Ok(None),
        Err(problem) => Err(problem),
    }
}

/// Returns an ask that the caller may see.
///
/// # Errors
/// Fails if the ask does not exist or is for others; both give the same error.
pub(super) fn visible_ask(desk: &StoreDesk, caller: &AuthenticatedCaller, id: AskId) -> Result<Ask, Problem> {
    find_visible_ask(desk, caller, &id.to_string())
}

/// Returns the ask that the caller may see and an id or the beginning of one names.
///
/// # Errors
/// Fails if the ask does not exist or is for others; both give the same error.
pub(super) fn find_visible_ask(
    desk: &StoreDesk,
    caller: &AuthenticatedCaller,
    id_prefix: &str,
) -> Result<Ask, Problem> {
    // Before anything of the ask is read: what is for others costs the same reads as what does not exist.
    let id = desk.find_for(&caller.finder(), id_prefix)?;
    let ask = desk.get(id)?;
    match caller.access_to(&ask) {
        AccessKind::InAudience => Ok(ask),
        AccessKind::Outside => {
            log_event!(INFO, Http, "ask opened by an admin outside its audience", ask = id);
            Ok(ask)
        }
        AccessKind::None => Err(not_found(&id.to_string())),
    }
}
