//! Waiter for the outcome of an ask.

use super::app::{App, visible};
use super::caller::Caller;
use super::gate::unauthorized;
use super::metrics::Counted;
use super::outcome::Cell;
use super::stay::Stay;
use crate::due::left;
use crate::hub::{Signal, Ticket};
use jiff::Timestamp;
use sayso_core::ask::Presence;
use sayso_core::row::Standing;
use sayso_core::{Ask, AskId, Code, Command, Message, Problem, Who};
use sayso_desk::token::Role;
use sayso_desk::{Desk as _, LocalDesk};
use std::sync::Arc;
use std::time::Duration;
use tokio::runtime::Handle;
use tokio::time::{Instant, sleep, sleep_until};

/// Returns the asker of an ask, as which an admin may act, too.
pub(super) fn asker_of(caller: &Caller, ask: &Ask) -> Result<Who, Problem> {
    match caller.role(Role::Asker) {
        Role::Asker => Ok(Who::Asker(ask.request.asker.clone())),
        Role::Person | Role::Admin => Err(Problem::new(Code::NotAllowed, Message::OnlyTheAsker)),
    }
}

/// Waiter for the outcome of an ask. Sized for ten thousand at once: it keeps only the fields that waiting needs.
pub(super) struct Held {
    pub(super) app: Arc<App>,
    pub(super) id: AskId,
    pub(super) standing: Standing,
    /// Set if the ask is known to be settled without reading it again.
    has_ended: bool,
    /// Deadline at which the ask changes by itself.
    due: Option<Timestamp>,
    /// Cached outcome, shared by all waiters for the ask.
    pub(super) outcome: Cell,
    ticket: Ticket,
    stay: Stay,
    _counted: Counted,
}

/// Delay before an asker without a waiter counts as detached; covers the gap between two successive long polls.
const GRACE: Duration = Duration::from_secs(5);

/// Detaches the asker of an ask after a delay, unless a request waits by then. A process known to wait is tracked
/// separately.
pub(super) fn gone_unless_awaited(app: &Arc<App>, id: AskId) {
    let Ok(runtime) = Handle::try_current() else { return };
    let app = app.clone();
    runtime.spawn(async move {
        if app.closing.run_until_cancelled(sleep(GRACE)).await.is_none() {
            return;
        }
        let hub = app.hub.clone();
        // Presence is advisory, so errors are ignored.
        let noted = app.at_desk(move |desk| {
            let ask = desk.get(id)?;
            let seems_there = ask.state.presence == Presence::Attached { process: None };
            if seems_there && ask.outcome().is_none() && !hub.is_waited_for(id) {
                desk.act(&Who::Asker(ask.request.asker.clone()), id, None, Command::Detach)?;
            }
            Ok(())
        });
        let _ = noted.await;
    });
}

impl Drop for Held {
    fn drop(&mut self) {
        if self.standing.is_pending() && !self.has_ended {
            gone_unless_awaited(&self.app, self.id);
        }
    }
}

impl Held {
    /// Duration of one wait in a loop without a time limit.
    const LONG: Duration = Duration::from_secs(24 * 60 * 60);

    /// Starts to wait for an ask whose outcome the caller may have.
    pub(super) async fn begin(app: &Arc<App>, caller: Caller, id: AskId) -> Result<Self, Problem> {
        let (hub, stay) = (app.hub.clone(), app.stays.begin(caller.shown.clone()));
        let ((standing, due), ticket) = app
            .at_desk(move |desk| {
                // Subscribing before reading misses nothing.
                let ticket = hub.wait_for(vec![id])?;
                let ask = visible(desk, &caller, id)?;
                let asker = asker_of(&caller, &ask)?;
                let is_gone = matches!(ask.state.presence, Presence::Detached { .. });
                if is_gone && ask.outcome().is_none() {
                    // Presence is advisory, so errors are ignored.
                    let _ = desk.act(&asker, id, None, Command::Attach { process: None });
                }
                Ok((standing_of(&ask), ticket))
            })
            .await?;
        Ok(Self {
            app: app.clone(),
            id,
            standing,
            has_ended: false,
            due,
            outcome: app.outcomes.cell(id),
            ticket,
            stay,
            _counted: app.metrics.wait(),
        })
    }

    /// Waits until the ask is settled, and returns `true`. Returns `false` on timeout or shutdown.
    ///
    /// # Errors
    /// Fails if the desk cannot be read, or the caller's credential is revoked meanwhile.
    pub(super) async fn settled(&mut self, limit: Duration) -> Result<bool, Problem> {
        let until = Instant::now() + limit;
        while self.standing.is_pending() {
            let due = left(self.due, (self.app.now)()).map(|left| Instant::now() + left);
            tokio::select! {
                signal = self.ticket.changed() => {
                    if signal == Signal::Settled {
                        self.has_ended = true;
                        return Ok(true);
                    }
                }
                () = sleep_until(due.map_or(until, |due| due.min(until))) => {
                    if Instant::now() >= until {
                        return Ok(false);
                    }
                }
                () = self.app.closing.cancelled() => return Ok(false),
                () = self.stay.over() => return Err(unauthorized(Message::TokenUnknown)),
            }
            // Rare, so the future is boxed to keep each waiter small.
            Box::pin(self.look()).await?;
        }
        Ok(true)
    }

    /// Waits until the ask is settled, without a time limit.
    ///
    /// # Errors
    /// Fails on shutdown, and as [`settled`](Self::settled).
    pub(super) async fn ended(&mut self) -> Result<(), Problem> {
        while !self.settled(Self::LONG).await? {
            if self.app.closing.is_cancelled() {
                return Err(Problem::new(Code::DeskClosing, Message::DeskClosing));
            }
        }
        Ok(())
    }

    /// Reads the ask's state, after its deadlines have been applied.
    async fn look(&mut self) -> Result<(), Problem> {
        let (hub, id) = (self.app.hub.clone(), self.id);
        let read = move |desk: &LocalDesk| {
            hub.keep_watching()?;
            desk.get(id).map(|ask| standing_of(&ask))
        };
        (self.standing, self.due) = self.app.at_desk(read).await?;
        Ok(())
    }
}

fn standing_of(ask: &Ask) -> (Standing, Option<Timestamp>) {
    (Standing::of(&ask.state.phase), ask.due_at())
}
