//! One who waits for the outcome of an ask.

use super::app::{App, visible};
use super::caller::Caller;
use super::gate::unauthorized;
use super::metrics::Counted;
use super::stay::Stay;
use crate::due::left;
use crate::hub::{Signal, Ticket};
use jiff::Timestamp;
use sayso_core::row::Standing;
use sayso_core::{Ask, AskId, Code, Message, Problem, Who};
use sayso_desk::token::Role;
use sayso_desk::{Desk as _, LocalDesk};
use std::sync::Arc;
use std::time::Duration;
use tokio::time::{Instant, sleep_until};

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
    /// When it changes by itself.
    due: Option<Timestamp>,
    ticket: Ticket,
    stay: Stay,
    _counted: Counted,
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
                asker_of(&caller, &ask)?;
                Ok((standing_of(&ask), ticket))
            })
            .await?;
        Ok(Self { app: app.clone(), id, standing, due, ticket, stay, _counted: app.metrics.wait() })
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
