//! Wait inside a call until the ask is settled, the host's timeout is near, or the caller is gone. None of these
//! changes the ask.

use crate::mcp::descriptions;
use crate::mcp::error::CallError;
use crate::mcp::server::McpServer;
use rmcp::RoleServer;
use rmcp::model::ProgressNotificationParam;
use rmcp::service::RequestContext;
use sayso_core::{Ask, AskId};
use std::time::Duration;
use tokio::time::{Instant, Interval, MissedTickBehavior};

/// Interval of progress notifications: short enough for hosts that give up after half a minute of silence.
const PROGRESS_INTERVAL: Duration = Duration::from_secs(10);

/// Reporter of progress to the host.
///
/// There is one for a whole call: the value must rise from the first dialog to the last wait.
pub(crate) struct ProgressReporter<'c> {
    pub(crate) context: &'c RequestContext<RoleServer>,
    tick: Interval,
    reported: f64,
    message: String,
}

impl<'c> ProgressReporter<'c> {
    /// Creates a reporter whose first notification is sent at once.
    pub(crate) fn new(context: &'c RequestContext<RoleServer>, desk_name: &str) -> Self {
        let mut tick = tokio::time::interval(PROGRESS_INTERVAL);
        tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
        Self { context, tick, reported: 0.0, message: descriptions::waiting_message(desk_name) }
    }

    /// Sends notifications until the caller is gone.
    pub(crate) async fn run(&mut self) {
        loop {
            self.tick.tick().await;
            let Some(token) = self.context.meta.get_progress_token() else { continue };
            self.reported += 1.0;
            let note =
                ProgressNotificationParam::new(token, self.reported).with_message(self.message.clone());
            if self.context.peer.notify_progress(note).await.is_err() {
                return;
            }
        }
    }
}

/// Returns when to look at asks again of which one changes by itself after this time.
pub(crate) fn next_poll(next_change: Option<Duration>, until: Instant) -> Instant {
    match next_change {
        Some(time) => until.min(Instant::now() + time),
        None => until,
    }
}

/// Waits until one of these asks is settled, or returns the first at the end of the time.
///
/// # Errors
/// Fails if the desk can't be read, or the caller is gone.
pub(crate) async fn wait_until_settled(
    server: &McpServer,
    ids: Vec<AskId>,
    until: Instant,
    progress: &mut ProgressReporter<'_>,
) -> Result<Ask, CallError> {
    let context = progress.context;
    let watched_ids = ids.clone();
    let desk_call = server.desk_client.run(move |client| client.attach_and_subscribe(watched_ids));
    let mut subscription = desk_call.await?;
    loop {
        let polled_ids = ids.clone();
        let (ask, next_change) = server.desk_client.run(move |client| client.poll(&polled_ids)).await?;
        if ask.outcome().is_some() || Instant::now() >= until {
            return Ok(ask);
        }
        tokio::select! {
            biased;
            () = context.ct.cancelled() => return Err(CallError::CallerGone),
            _ = subscription.changed() => {}
            () = tokio::time::sleep_until(next_poll(next_change, until)) => {}
            () = progress.run() => return Err(CallError::CallerGone),
        }
    }
}
