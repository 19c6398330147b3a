//! Waiter for the outcome of an ask.

use super::ask_state::AskState;
use super::outcome_cache::OutcomeCell;
use crate::diagnostics::log_failure;
use crate::http::context::{ServerContext, visible_ask};
use crate::http::metrics::GaugeGuard;
use crate::http::middleware::auth::unauthorized;
use crate::http::middleware::caller::AuthenticatedCaller;
use crate::http::middleware::revocation::RevocationGuard;
use crate::notify::change_notifier::{AskSignal, Subscription};
use crate::notify::deadline::time_left;
use jiff::Timestamp;
use sayso_core::model::ask::AskerPresence;
use sayso_core::model::ask_summary::AskStatus;
use sayso_core::{Actor, Ask, AskCommand, AskId, Message, Problem, ProblemCode};
use sayso_desk::Desk as _;
use sayso_desk::token::TokenRole;
use std::sync::Arc;
use std::time::Duration;
use tokio::runtime::Handle;
use tokio::time::{Instant, sleep, sleep_until};

/// Returns the asker of an ask, as which an admin may act, too.
pub(crate) fn require_asker(caller: &AuthenticatedCaller, ask: &Ask) -> Result<Actor, Problem> {
    match caller.effective_role(TokenRole::Asker) {
        TokenRole::Asker => Ok(Actor::Asker(ask.request.asker.clone())),
        TokenRole::Person | TokenRole::Admin | TokenRole::Service => {
            Err(Problem::new(ProblemCode::NotAllowed, Message::OnlyTheAsker))
        }
    }
}

/// Waiter for the outcome of an ask. Sized for ten thousand at once: it keeps only the fields that waiting needs.
pub(crate) struct OutcomeWaiter {
    pub(crate) asks: Arc<AskState>,
    pub(crate) id: AskId,
    pub(crate) status: AskStatus,
    /// Set if the ask is known to be settled without reading it again.
    has_ended: bool,
    /// Deadline at which the ask changes by itself.
    due_at: Option<Timestamp>,
    /// Cached outcome, shared by all waiters for the ask.
    pub(crate) outcome: OutcomeCell,
    subscription: Subscription,
    session_guard: RevocationGuard,
    _counted: GaugeGuard,
}

/// Detaches the asker of an ask after a delay, unless a request waits by then. A process known to wait is tracked
/// separately.
pub(crate) fn detach_unless_awaited(context: &Arc<ServerContext>, id: AskId) {
    if let Ok(runtime) = Handle::try_current() {
        spawn_detach(&runtime, context.clone(), id);
    }
}

fn spawn_detach(runtime: &Handle, context: Arc<ServerContext>, id: AskId) {
    runtime.spawn(async move {
        if context.closing.run_until_cancelled(sleep(context.delays.detach)).await.is_none() {
            return;
        }
        let notifier = context.change_notifier.clone();
        // Presence is advisory; the call logs its error.
        let desk_call = context.with_desk(move |desk| {
            let ask = desk.get(id)?;
            let is_attached = ask.state.presence == AskerPresence::Attached { process: None };
            if is_attached && ask.outcome().is_none() && !notifier.has_waiters(id) {
                desk.act(&Actor::Asker(ask.request.asker.clone()), id, None, AskCommand::Detach)?;
            }
            Ok(())
        });
        let _ = desk_call.await;
    });
}

/// Asker that was just attached. If its request has ended meanwhile, nobody takes this guard over, and it is detached.
struct AttachedAsker {
    context: Arc<ServerContext>,
    id: AskId,
    runtime: Handle,
    is_taken_over: bool,
}

impl AttachedAsker {
    /// Leaves it to the waiter to detach the asker.
    fn take_over(mut self) {
        self.is_taken_over = true;
    }
}

impl Drop for AttachedAsker {
    fn drop(&mut self) {
        if !self.is_taken_over {
            spawn_detach(&self.runtime, self.context.clone(), self.id);
        }
    }
}

impl Drop for OutcomeWaiter {
    fn drop(&mut self) {
        if self.status.is_pending() && !self.has_ended {
            detach_unless_awaited(&self.asks.context, self.id);
        }
    }
}

impl OutcomeWaiter {
    /// Duration of one wait in a loop without a time limit.
    const LOOP_WAIT: Duration = Duration::from_secs(24 * 60 * 60);

    /// Starts to wait for an ask whose outcome the caller may have.
    pub(crate) async fn start(
        asks: &Arc<AskState>,
        caller: AuthenticatedCaller,
        id: AskId,
    ) -> Result<Self, Problem> {
        let context = &asks.context;
        let notifier = context.change_notifier.clone();
        let session_guard = context.revocations.register(caller.credential.clone());
        let guard_context = context.clone();
        let runtime = Handle::current();
        let desk_call = context.with_desk(move |desk| {
            // Subscribing before reading misses nothing.
            let subscription = notifier.subscribe(vec![id])?;
            let ask = visible_ask(desk, &caller, id)?;
            let asker = require_asker(&caller, &ask)?;
            let attached_asker = AttachedAsker { context: guard_context, id, runtime, is_taken_over: false };
            let is_detached = matches!(ask.state.presence, AskerPresence::Detached { .. });
            if is_detached && ask.outcome().is_none() {
                // Presence is advisory.
                let result = desk.act(&asker, id, None, AskCommand::Attach { process: None });
                log_failure("attach an asker", result);
            }
            Ok((status_and_deadline(&ask), subscription, attached_asker))
        });
        let ((status, due_at), subscription, attached_asker) = desk_call.await?;
        attached_asker.take_over();
        Ok(Self {
            asks: asks.clone(),
            id,
            status,
            has_ended: false,
            due_at,
            outcome: asks.outcomes.cell(id),
            subscription,
            session_guard,
            _counted: context.metrics.count_wait(),
        })
    }

    /// Waits until the ask is settled, and returns `true`. Returns `false` on timeout or shutdown.
    ///
    /// # Errors
    /// Fails if the desk cannot be read, or the caller's credential is revoked meanwhile.
    pub(crate) async fn wait_settled(&mut self, limit: Duration) -> Result<bool, Problem> {
        self.wait_while(limit, AskStatus::is_pending).await
    }

    /// Waits as [`wait_settled`](Self::wait_settled), but returns `false` also once a round waits for the verdict of the
    /// asker.
    ///
    /// # Errors
    /// As [`wait_settled`](Self::wait_settled).
    pub(crate) async fn wait_for_asker(&mut self, limit: Duration) -> Result<bool, Problem> {
        self.wait_while(limit, |status| status == AskStatus::Open).await?;
        Ok(!self.status.is_pending() || self.has_ended)
    }

    async fn wait_while(&mut self, limit: Duration, goes_on: fn(AskStatus) -> bool) -> Result<bool, Problem> {
        let until = Instant::now() + limit;
        while goes_on(self.status) {
            let mut next_refresh = until;
            if let Some(time) = time_left(self.due_at, (self.asks.context.now)()) {
                next_refresh = until.min(Instant::now() + time);
            }
            tokio::select! {
                signal = self.subscription.changed() => {
                    if signal == AskSignal::Settled {
                        self.has_ended = true;
                        return Ok(true);
                    }
                }
                () = sleep_until(next_refresh) => {
                    if Instant::now() >= until {
                        return Ok(false);
                    }
                }
                () = self.asks.context.closing.cancelled() => return Ok(false),
                () = self.session_guard.revoked() => return Err(unauthorized(Message::TokenUnknown)),
            }
            // Rare, so the future is boxed to keep each waiter small.
            Box::pin(self.refresh()).await?;
        }
        Ok(true)
    }

    /// Waits until the ask is settled, without a time limit.
    ///
    /// # Errors
    /// Fails on shutdown, and as [`wait_settled`](Self::wait_settled).
    pub(crate) async fn wait_until_settled(&mut self) -> Result<(), Problem> {
        while !self.wait_settled(Self::LOOP_WAIT).await? {
            if self.asks.context.closing.is_cancelled() {
                return Err(Problem::new(ProblemCode::DeskClosing, Message::DeskClosing));
            }
        }
        Ok(())
    }

    /// Reads the ask's state, after its deadlines have been applied.
    async fn refresh(&mut self) -> Result<(), Problem> {
        let notifier = self.asks.context.change_notifier.clone();
        let id = self.id;
        let desk_call = self.asks.context.with_desk(move |desk| {
            notifier.ensure_watching()?;
            Ok(status_and_deadline(&desk.get(id)?))
        });
        (self.status, self.due_at) = desk_call.await?;
        Ok(())
    }
}

fn status_and_deadline(ask: &Ask) -> (AskStatus, Option<Timestamp>) {
    (AskStatus::from_phase(&ask.state.phase), ask.due_at())
}
