//! Forms in the host's own dialog, in addition to the desk. The first answer wins, and a dialog that is no longer
//! needed is closed before the call ends.

use super::form::{HostForm, MAX_ROUNDS};
use super::response::{ElicitationOutcome, apply_reply};
use crate::mcp::desk_client::pending_call::{ProgressReporter, next_poll};
use crate::mcp::error::CallError;
use crate::mcp::server::McpServer;
use rmcp::RoleServer;
use rmcp::model::{ClientResult, CustomRequest, ElicitResult, ServerRequest};
use rmcp::service::{PeerRequestOptions, RequestContext, RequestHandle, ServiceError};
use sayso_core::Ask;
use serde_json::{Value, json};
use tokio::time::Instant;

/// Result of showing a form once.
enum FormDisplayResult {
    Replied(Box<ElicitResult>),
    /// The ask is settled, or the time is over; the dialog is closed.
    Ended(Box<Ask>),
    CannotAsk,
}

/// Shows the form until it or the ask is answered. Returns `None` if the form was dismissed and the ask is still
/// open: the caller then waits at the desk alone.
///
/// # Errors
/// Fails if the desk fails or the caller is gone.
pub(crate) async fn ask_in_dialog(
    server: &McpServer,
    ask: &Ask,
    form: &HostForm,
    until: Instant,
    progress: &mut ProgressReporter<'_>,
) -> Result<Option<Ask>, CallError> {
    let mut next_form = form.clone();
    for _ in 0..MAX_ROUNDS {
        let started_at = Instant::now();
        let reply = match show_form(server, ask, &next_form, until, progress).await? {
            FormDisplayResult::Replied(reply) => with_earlier_texts(*reply, &next_form),
            FormDisplayResult::Ended(ask) => return Ok(Some(*ask)),
            FormDisplayResult::CannotAsk => {
                server.desk_client.dialogs.disable();
                return Ok(None);
            }
        };
        let elapsed = started_at.elapsed();
        let open_ask = ask.clone();
        let desk_call =
            server.desk_client.run(move |client| apply_reply(&client.setup, &open_ask, reply, elapsed));
        match desk_call.await? {
            ElicitationOutcome::Settled(ask) => return Ok(Some(*ask)),
            ElicitationOutcome::Invalid(input) => next_form = input.next_form(form),
            ElicitationOutcome::Dismissed => break,
            ElicitationOutcome::CannotAsk => {
                server.desk_client.dialogs.disable();
                return Ok(None);
            }
        }
    }
    server.desk_client.dialogs.dismiss(ask.id);
    Ok(None)
}

/// Returns the reply with what was entered in an earlier round and the host does not show.
fn with_earlier_texts(mut reply: ElicitResult, form: &HostForm) -> ElicitResult {
    if let Some(Value::Object(content)) = &mut reply.content {
        form.add_earlier_texts(content);
    }
    reply
}

async fn show_form(
    server: &McpServer,
    ask: &Ask,
    form: &HostForm,
    until: Instant,
    progress: &mut ProgressReporter<'_>,
) -> Result<FormDisplayResult, CallError> {
    let context = progress.context;
    let ids = vec![ask.id];
    let mut subscription = server.desk_client.run(move |client| client.attach_and_subscribe(ids)).await?;
    let (message, schema) = form.plain_parts();
    let params = json!({ "message": message, "requestedSchema": schema });
    let mut handle = open_dialog(context, params).await?;
    let last_state = loop {
        let id = ask.id;
        let (current, next_change) = server.desk_client.run(move |client| client.poll(&[id])).await?;
        // A reply that arrived meanwhile takes precedence.
        if let Ok(reply) = handle.rx.try_recv() {
            return parse_reply(reply);
        }
        if current.outcome().is_some() || Instant::now() >= until {
            break current;
        }
        tokio::select! {
            biased;
            reply = &mut handle.rx => return match reply {
                Ok(reply) => parse_reply(reply),
                Err(_) => Err(CallError::CallerGone),
            },
            () = context.ct.cancelled() => {
                close(server, handle, "the call was cancelled").await;
                return Err(CallError::CallerGone);
            }
            _ = subscription.changed() => {}
            () = tokio::time::sleep_until(next_poll(next_change, until)) => {}
            () = progress.run() => return Err(CallError::CallerGone),
        }
    };
    let is_settled = last_state.outcome().is_some();
    let reason = if is_settled { "it is settled elsewhere" } else { "it waits at the desk" };
    close(server, handle, reason).await;
    Ok(FormDisplayResult::Ended(Box::new(last_state)))
}

/// Closes a dialog, unless the host has disconnected.
pub(super) async fn close(server: &McpServer, handle: RequestHandle<RoleServer>, reason: &str) {
    tokio::select! {
        biased;
        () = server.disconnected.cancelled() => {}
        _ = handle.cancel(Some(reason.to_owned())) => {}
    }
}

/// Opens a dialog of the host.
///
/// # Errors
/// Fails if the caller is gone.
pub(super) async fn open_dialog(
    context: &RequestContext<RoleServer>,
    params: Value,
) -> Result<RequestHandle<RoleServer>, CallError> {
    let request = ServerRequest::CustomRequest(CustomRequest::new("elicitation/create", Some(params)));
    let handle = context.peer.send_cancellable_request(request, PeerRequestOptions::no_options());
    tokio::select! {
        biased;
        () = context.ct.cancelled() => Err(CallError::CallerGone),
        handle = handle => handle.map_err(|_| CallError::CallerGone),
    }
}

fn parse_reply(reply: Result<ClientResult, ServiceError>) -> Result<FormDisplayResult, CallError> {
    match reply {
        Ok(ClientResult::ElicitResult(result)) => Ok(FormDisplayResult::Replied(Box::new(result))),
        Ok(ClientResult::CustomResult(result)) => match serde_json::from_value(result.0) {
            Ok(result) => Ok(FormDisplayResult::Replied(Box::new(result))),
            Err(_) => Ok(FormDisplayResult::CannotAsk),
        },
        Ok(_) | Err(ServiceError::McpError(_)) => Ok(FormDisplayResult::CannotAsk),
        Err(_) => Err(CallError::CallerGone),
    }
}
