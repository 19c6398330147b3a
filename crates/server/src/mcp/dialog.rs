//! Forms in the host's own dialog, in addition to the desk. The first answer wins, and a dialog that is no longer
//! needed is closed before the call ends.

use super::asks::blocking;
use super::form::{HostForm, ROUNDS};
use super::handler::Door;
use super::heard::Heard;
use super::holding::Progress;
use super::refusal::Refusal;
use rmcp::RoleServer;
use rmcp::model::{ClientResult, CustomRequest, ElicitResult, ServerRequest};
use rmcp::service::{PeerRequestOptions, RequestHandle, ServiceError};
use sayso_core::Ask;
use serde_json::json;
use tokio::time::Instant;

/// Result of showing a form once.
enum Shown {
    Replied(Box<ElicitResult>),
    /// The ask is settled, or the time is over; the dialog is closed.
    Ended(Box<Ask>),
    CannotAsk,
}

impl Door {
    /// Shows the form until it or the ask is answered. Returns `None` if the form was dismissed and the ask is still
    /// open: the caller then waits at the desk alone.
    ///
    /// # Errors
    /// Fails if the desk fails or the caller is gone.
    pub(super) async fn in_dialog(
        &self,
        ask: &Ask,
        form: &HostForm,
        until: Instant,
        progress: &mut Progress<'_>,
    ) -> Result<Option<Ask>, Refusal> {
        let mut message = form.message.clone();
        for _ in 0..ROUNDS {
            let begun = Instant::now();
            let reply = match self.show_form(ask, &message, form, until, progress).await? {
                Shown::Replied(reply) => *reply,
                Shown::Ended(ask) => return Ok(Some(*ask)),
                Shown::CannotAsk => {
                    self.asks.note_cannot_ask();
                    return Ok(None);
                }
            };
            let (asks, asked, took) = (self.asks.clone(), ask.clone(), begun.elapsed());
            match blocking(move || asks.hear(&asked, reply, took)).await? {
                Heard::Settled(ask) => return Ok(Some(*ask)),
                Heard::Again(why) => message = format!("{}\n\n{}", why.join("\n"), form.message),
                Heard::Dismissed => break,
                Heard::CannotAsk => {
                    self.asks.note_cannot_ask();
                    return Ok(None);
                }
            }
        }
        self.asks.note_dismissed(ask.id);
        Ok(None)
    }

    async fn show_form(
        &self,
        ask: &Ask,
        message: &str,
        form: &HostForm,
        until: Instant,
        progress: &mut Progress<'_>,
    ) -> Result<Shown, Refusal> {
        let context = progress.context;
        let (asks, ids) = (self.asks.clone(), vec![ask.id]);
        let mut ticket = blocking(move || asks.attend(ids)).await?;
        let params = json!({ "message": message, "requestedSchema": form.schema });
        let request = ServerRequest::CustomRequest(CustomRequest::new("elicitation/create", Some(params)));
        let sent = context.peer.send_cancellable_request(request, PeerRequestOptions::no_options());
        let sent = tokio::select! {
            biased;
            () = context.ct.cancelled() => return Err(Refusal::Gone),
            sent = sent => sent,
        };
        let Ok(mut handle) = sent else { return Err(Refusal::Gone) };
        let ended = loop {
            let (asks, id) = (self.asks.clone(), ask.id);
            let (now, due) = blocking(move || asks.stand(&[id])).await?;
            // A reply that arrived meanwhile takes precedence.
            if let Ok(reply) = handle.rx.try_recv() {
                return heard(reply);
            }
            if now.outcome().is_some() || Instant::now() >= until {
                break now;
            }
            let next = due.map_or(until, |due| (Instant::now() + due).min(until));
            tokio::select! {
                biased;
                reply = &mut handle.rx => return match reply {
                    Ok(reply) => heard(reply),
                    Err(_) => Err(Refusal::Gone),
                },
                () = context.ct.cancelled() => {
                    self.close(handle, "the call was cancelled").await;
                    return Err(Refusal::Gone);
                }
                _ = ticket.changed() => {}
                () = tokio::time::sleep_until(next) => {}
                () = progress.report() => return Err(Refusal::Gone),
            }
        };
        let why = if ended.outcome().is_some() { "it is settled elsewhere" } else { "it waits at the desk" };
        self.close(handle, why).await;
        Ok(Shown::Ended(Box::new(ended)))
    }

    /// Closes a dialog, unless the host has disconnected.
    async fn close(&self, handle: RequestHandle<RoleServer>, why: &str) {
        tokio::select! {
            biased;
            () = self.gone.cancelled() => {}
            _ = handle.cancel(Some(why.to_owned())) => {}
        }
    }
}

fn heard(reply: Result<ClientResult, ServiceError>) -> Result<Shown, Refusal> {
    match reply {
        Ok(ClientResult::ElicitResult(result)) => Ok(Shown::Replied(Box::new(result))),
        Ok(ClientResult::CustomResult(result)) => Ok(serde_json::from_value(result.0)
            .map_or(Shown::CannotAsk, |result| Shown::Replied(Box::new(result)))),
        Ok(_) | Err(ServiceError::McpError(_)) => Ok(Shown::CannotAsk),
        Err(_) => Err(Refusal::Gone),
    }
}
