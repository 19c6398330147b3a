//! Messages of the server to the client within a call: requests, log lines and progress.

use rmcp::model::{
    CustomNotification, CustomRequest, ErrorCode, ProgressNotificationParam, ProtocolVersion,
    ServerNotification, ServerRequest,
};
use rmcp::service::{PeerRequestOptions, RequestContext};
use rmcp::{ErrorData, RoleServer};
use serde_json::{Value, json};
use std::time::Duration;

/// Time between two notifications, which the suite asks for.
const PAUSE: Duration = Duration::from_millis(50);

/// Returns whether the version has no sessions.
pub(crate) fn is_sessionless(context: &RequestContext<RoleServer>) -> bool {
    context.protocol_version().is_some_and(|version| version >= ProtocolVersion::V_2026_07_28)
}

/// Returns the error for a method that the version has no more.
pub(crate) fn removed(method: &str) -> ErrorData {
    ErrorData::new(ErrorCode::METHOD_NOT_FOUND, format!("Method not found: {method}"), None)
}

/// Asks the client, in the versions that have requests of the server, and returns the result.
///
/// # Errors
/// Fails if the client refuses or is gone.
pub(crate) async fn request(
    context: &RequestContext<RoleServer>,
    method: &str,
    params: Value,
) -> Result<Value, ErrorData> {
    let failed = |error: &dyn std::fmt::Display| ErrorData::internal_error(error.to_string(), None);
    let request = ServerRequest::CustomRequest(CustomRequest::new(method, Some(params)));
    let options = PeerRequestOptions::no_options();
    let sent = context.peer.send_cancellable_request(request, options).await.map_err(|e| failed(&e))?;
    let result = sent.await_response().await.map_err(|e| failed(&e))?;
    serde_json::to_value(result).map_err(|e| failed(&e))
}

/// Sends log lines, unless the request wants none.
///
/// # Errors
/// Fails if the client is gone.
pub(crate) async fn log(context: &RequestContext<RoleServer>, lines: &[&str]) -> Result<(), ErrorData> {
    if is_sessionless(context) && context.meta.log_level().is_none() {
        return Ok(());
    }
    for line in lines {
        let params = json!({ "level": "info", "logger": "conformance", "data": line });
        let note = CustomNotification::new("notifications/message", Some(params));
        send(context, ServerNotification::CustomNotification(note)).await?;
        tokio::time::sleep(PAUSE).await;
    }
    Ok(())
}

/// Reports progress, if the request wants it.
///
/// # Errors
/// Fails if the client is gone.
pub(crate) async fn progress(context: &RequestContext<RoleServer>) -> Result<(), ErrorData> {
    for done in [0.0, 50.0, 100.0] {
        if let Some(token) = context.meta.get_progress_token() {
            let note = ProgressNotificationParam::new(token, done).with_total(100.0);
            let sent = context.peer.notify_progress(note).await;
            sent.map_err(|error| ErrorData::internal_error(error.to_string(), None))?;
        }
        tokio::time::sleep(PAUSE).await;
    }
    Ok(())
}

async fn send(context: &RequestContext<RoleServer>, note: ServerNotification) -> Result<(), ErrorData> {
    let sent = context.peer.send_notification(note).await;
    sent.map_err(|error| ErrorData::internal_error(error.to_string(), None))
}
