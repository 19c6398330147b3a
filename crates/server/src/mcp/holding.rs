//! Wait inside a call until the ask is settled, the host's timeout is near, or the caller is gone. None of these
//! changes the ask.

use super::asks::blocking;
use super::caller::Caller;
use super::handler::Door;
use super::refusal::Refusal;
use super::words;
use rmcp::RoleServer;
use rmcp::model::ProgressNotificationParam;
use rmcp::service::RequestContext;
use sayso_core::{Ask, AskId};
use std::time::Duration;
use tokio::time::{Instant, Interval, MissedTickBehavior};

/// Interval of progress notifications: short enough for hosts that give up after half a minute of silence.
const PROGRESS: Duration = Duration::from_secs(10);

/// Reporter of progress to the host.
///
/// There is one for a whole call: the value must rise from the first dialog to the last wait.
pub(super) struct Progress<'c> {
    caller: &'c Caller,
    pub(super) context: &'c RequestContext<RoleServer>,
    tick: Interval,
    step: f64,
    message: String,
}

impl<'c> Progress<'c> {
    /// Creates a reporter whose first notification is sent at once.
    pub(super) fn new(caller: &'c Caller, context: &'c RequestContext<RoleServer>, desk_name: &str) -> Self {
        let mut tick = tokio::time::interval(PROGRESS);
        tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
        Self { caller, context, tick, step: 0.0, message: words::waiting(desk_name) }
    }

    /// Sends notifications until the caller is gone.
    pub(super) async fn report(&mut self) {
        loop {
            self.tick.tick().await;
            let Some(token) = self.caller.progress.clone() else { continue };
            self.step += 1.0;
            let note = ProgressNotificationParam::new(token, self.step).with_message(self.message.clone());
            if self.context.peer.notify_progress(note).await.is_err() {
                return;
            }
        }
    }
}

impl Door {
    /// Waits until one of these asks is settled, or returns the first at the end of the time.
    ///
    /// # Errors
    /// Fails if the desk can't be read, or the caller is gone.
    pub(super) async fn hold(
        &self,
        ids: Vec<AskId>,
        until: Instant,
        progress: &mut Progress<'_>,
    ) -> Result<Ask, Refusal> {
        let context = progress.context;
        let (asks, watched) = (self.asks.clone(), ids.clone());
        let mut ticket = blocking(move || asks.attend(watched)).await?;
        loop {
            let (asks, watched) = (self.asks.clone(), ids.clone());
            let (ask, due) = blocking(move || asks.stand(&watched)).await?;
            if ask.outcome().is_some() || Instant::now() >= until {
                return Ok(ask);
            }
            let next = due.map_or(until, |due| (Instant::now() + due).min(until));
            tokio::select! {
                biased;
                () = context.ct.cancelled() => return Err(Refusal::Gone),
                _ = ticket.changed() => {}
                () = tokio::time::sleep_until(next) => {}
                () = progress.report() => return Err(Refusal::Gone),
            }
        }
    }
}
