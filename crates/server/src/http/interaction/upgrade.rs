//! Upgrade of a request to a WebSocket (RFC 6455), after the usual authorization.

use super::interaction_state::InteractionState;
use super::meter::MeteredStream;
use super::socket::{ClientSocket, SocketClient};
use super::socket_proof::PendingProof;
use crate::http::login::browser::session_over;
use crate::http::login::proof::ProvenRequest;
use crate::http::middleware::auth::unreadable_header;
use crate::http::middleware::call::ApiCall;
use crate::http::middleware::caller::AuthenticatedCaller;
use crate::http::middleware::problem_response;
use crate::http::middleware::revocation::Credential;
use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, Request, header};
use axum::response::Response;
use hyper_util::rt::TokioIo;
use sayso_core::i18n::{foreign, own};
use sayso_core::{Lang, Message, Problem, ProblemCode, limits};
use std::sync::Arc;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::handshake::server::create_response_with_body;
use tokio_tungstenite::tungstenite::protocol::{Role, WebSocketConfig};

/// Buffer size for reads and writes, in bytes. Small, since each of many idle connections has both.
const BUFFER_BYTES: usize = 2 << 10;
/// Supported version of the protocol (RFC 6455, section 4.1).
const VERSION: &str = "13";
/// Subprotocol that a client may offer in addition to a token.
const SUBPROTOCOL: &str = "interaction";

pub(in crate::http) async fn open(
    interactions: Arc<InteractionState>,
    mut call: ApiCall,
) -> Result<Response, Problem> {
    let caller = call.caller()?.clone();
    let Some(upgrade) = call.take_upgrade() else { return Err(unreadable_header(&header::UPGRADE)) };
    match call.header(&header::SEC_WEBSOCKET_VERSION) {
        Some(VERSION) => {}
        Some(other) => return Ok(unsupported_version(other, call.lang)),
        None => return Err(unreadable_header(&header::SEC_WEBSOCKET_VERSION)),
    }
    if !is_key(call.header(&header::SEC_WEBSOCKET_KEY).unwrap_or_default()) {
        return Err(unreadable_header(&header::SEC_WEBSOCKET_KEY));
    }
    let mut request = Request::new(());
    request.headers_mut().clone_from(call.headers());
    let Ok(mut reply) = create_response_with_body(&request, Body::empty) else {
        return Err(unreadable_header(&header::UPGRADE));
    };
    if names_subprotocol(call.headers()) {
        let name = HeaderValue::from_static(SUBPROTOCOL);
        reply.headers_mut().insert(header::SEC_WEBSOCKET_PROTOCOL, name);
    }
    let pending_proof = pending_proof(&interactions, &caller, &call).await?;
    let sockets = interactions.sockets.clone();
    sockets.spawn(async move {
        // The client may have disconnected meanwhile.
        let Ok(connection) = upgrade.await else { return };
        let stream = MeteredStream::new(
            TokioIo::new(connection),
            interactions.body_budget.clone(),
            interactions.context.metrics.clone(),
            caller.account.clone(),
        );
        let config = WebSocketConfig::default()
            .read_buffer_size(BUFFER_BYTES)
            .write_buffer_size(BUFFER_BYTES)
            .max_message_size(Some(limits::SOCKET_MESSAGE_BYTES))
            .max_frame_size(Some(limits::SOCKET_MESSAGE_BYTES));
        let mut socket: ClientSocket =
            WebSocketStream::from_raw_socket(stream, Role::Server, Some(config)).await;
        if let Some(pending_proof) = pending_proof
            && !pending_proof.verify_first_message(&mut socket).await
        {
            return;
        }
        SocketClient::new(interactions, caller, socket).run().await;
    });
    Ok(reply)
}

/// Returns the proof that a browser has yet to send; a token needs none.
///
/// # Errors
/// Fails if the session has ended.
async fn pending_proof(
    interactions: &InteractionState,
    caller: &AuthenticatedCaller,
    call: &ApiCall,
) -> Result<Option<PendingProof>, Problem> {
    let (Credential::BrowserSession(id) | Credential::ServiceSession(id)) = caller.credential.clone() else {
        return Ok(None);
    };
    let Some(host) = call.header(&header::HOST) else { return Err(unreadable_header(&header::HOST)) };
    let request = ProvenRequest::socket(host);
    let context = &interactions.context;
    let Some(session) = context.with_desk(move |desk| desk.browser_session(&id)).await? else {
        return Err(session_over());
    };
    // Only that of a service's user has none here: its program showed a token.
    let Some(public_key) = session.public_key else { return Ok(None) };
    Ok(Some(PendingProof { request, public_key, context: context.clone() }))
}

/// Returns the reply for an unsupported protocol version (RFC 6455, section 4.2.2).
fn unsupported_version(other: &str, lang: Lang) -> Response {
    let name = header::SEC_WEBSOCKET_VERSION;
    let message = Message::HeaderWords.with([own(&name), foreign(other)]);
    let problem = Problem::new(ProblemCode::BadHeader, message).with_hint(Message::OneOf.with([VERSION]));
    let mut reply = problem_response::build(&problem, lang, None);
    reply.headers_mut().insert(name, HeaderValue::from_static(VERSION));
    reply
}

/// Returns whether the text is a key of sixteen bytes in base64 (section 4.1).
fn is_key(text: &str) -> bool {
    let Some(digits) = text.strip_suffix("==") else { return false };
    digits.len() == 22 && digits.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+/".contains(&byte))
}

fn names_subprotocol(headers: &HeaderMap) -> bool {
    for names in headers.get_all(header::SEC_WEBSOCKET_PROTOCOL) {
        if names.to_str().unwrap_or_default().split(',').any(|name| name.trim() == SUBPROTOCOL) {
            return true;
        }
    }
    false
}
