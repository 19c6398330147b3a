//! One who waits for the outcome of an ask.

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

/// Who gets an outcome: the asker, in whose name an admin may come.
pub(super) fn asker_of(caller: &Caller, ask: &Ask) -> Result<Who, Problem> {
    match caller.role(Role::Asker) {
        Role::Asker => Ok(Who::Asker(ask.request.asker.clone())),
        Role::Person | Role::Admin => Err(Problem::new(Code::NotAllowed, Message::OnlyTheAsker)),
    }
}

/// One who waits for the outcome of an ask. Ten thousand may do so: of the ask only what waiting needs is held.
pub(super) struct Held {
    pub(super) app: Arc<App>,
    pub(super) id: AskId,
    pub(super) standing: Standing,
    /// It is known to have ended, though it was not read again.
    has_ended: bool,
    /// When it changes by itself.
    due: Option<Timestamp>,
    /// What all get who wait for it.
    pub(super) outcome: Cell,
    ticket: Ticket,
    stay: Stay,
    _counted: Counted,
}

/// How long nobody has to wait before an asker counts as gone: whoever waits in one call after the other is between two of
/// them for a moment.
const GRACE: Duration = Duration::from_secs(5);

/// Notes that the asker of an ask waits no more, unless somebody does in a moment. A process that is known to wait is seen
/// by itself.
pub(super) fn gone_unless_awaited(app: &Arc<App>, id: AskId) {
    let Ok(runtime) = Handle::try_current() else { return };
    let app = app.clone();
    runtime.spawn(async move {
        if app.closing.run_until_cancelled(sleep(GRACE)).await.is_none() {
            return;
        }
        let hub = app.hub.clone();
        // Whether somebody waits is a note: nothing hangs on it.
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
    /// How long one waiting lasts until the next one begins: for ever, for all that anybody sees.
    const LONG: Duration = Duration::from_secs(24 * 60 * 60);

    /// Begins to wait for an ask that the caller may have the outcome of.
    pub(super) async fn begin(app: &Arc<App>, caller: Caller, id: AskId) -> Result<Self, Problem> {
        let (hub, stay) = (app.hub.clone(), app.stays.begin(caller.shown.clone()));
        let ((standing, due), ticket) = app
            .at_desk(move |desk| {
                // Heard first and read then, so that nothing is missed.
                let ticket = hub.wait_for(vec![id])?;
                let ask = visible(desk, &caller, id)?;
                let asker = asker_of(&caller, &ask)?;
                let is_gone = matches!(ask.state.presence, Presence::Detached { .. });
                if is_gone && ask.outcome().is_none() {
                    // Nothing hangs on this note either.
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

    /// Whether it is settled, as soon as it is; or not, when the time is over or the server goes.
    ///
    /// # Errors
    /// When the desk cannot be read, or the caller's token or session ends meanwhile.
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
            // Rare, and not worth its room in each that waits.
            Box::pin(self.look()).await?;
        }
        Ok(true)
    }

    /// Waits until it is settled, however long that takes.
    ///
    /// # Errors
    /// When the server goes, and as [`settled`](Self::settled).
    pub(super) async fn ended(&mut self) -> Result<(), Problem> {
        while !self.settled(Self::LONG).await? {
            if self.app.closing.is_cancelled() {
                return Err(Problem::new(Code::DeskClosing, Message::DeskClosing));
            }
        }
        Ok(())
    }

    /// Reads how the ask stands. What is due has happened by that.
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
