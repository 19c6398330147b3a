//! From a request to a WebSocket (RFC 6455), past the gate that every request passes.

use super::meter::Meter;
use super::socket::{Client, Socket};
use crate::http::app::App;
use crate::http::call::Call;
use axum::body::Body;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Request, header};
use axum::response::Response;
use hyper_util::rt::TokioIo;
use sayso_core::{Code, Message, Problem, limits};
use std::sync::Arc;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::handshake::server::create_response_with_body;
use tokio_tungstenite::tungstenite::protocol::{Role, WebSocketConfig};

/// Bytes that are read or written at once. Many connections are idle, and each has these buffers.
const BUFFER_BYTES: usize = 2 << 10;
/// The subprotocol that a client may name beside a token.
const SUBPROTOCOL: &str = "interaction";

pub(in crate::http) async fn open(app: Arc<App>, mut call: Call) -> Result<Response, Problem> {
    let caller = call.caller()?.clone();
    let wrong = || Problem::new(Code::BadHeader, Message::HeaderUnreadable.with([header::UPGRADE.as_str()]));
    let upgrade = call.take_upgrade().ok_or_else(wrong)?;
    let mut request = Request::get("/ws").body(()).map_err(|_| wrong())?;
    request.headers_mut().clone_from(call.headers());
    let mut reply = create_response_with_body(&request, Body::empty).map_err(|_| wrong())?;
    if names_subprotocol(call.headers()) {
        let name = HeaderValue::from_static(SUBPROTOCOL);
        reply.headers_mut().insert(header::SEC_WEBSOCKET_PROTOCOL, name);
    }
    let shown = credentials(call.headers());
    let tracked = app.interactions.sockets.clone();
    tracked.spawn(async move {
        // A client that has left meanwhile needs nothing.
        let Ok(upgraded) = upgrade.await else { return };
        let stream = Meter::new(TokioIo::new(upgraded));
        let config = WebSocketConfig::default()
            .read_buffer_size(BUFFER_BYTES)
            .write_buffer_size(BUFFER_BYTES)
            .max_message_size(Some(limits::SOCKET_MESSAGE_BYTES))
            .max_frame_size(Some(limits::SOCKET_MESSAGE_BYTES));
        let socket: Socket = WebSocketStream::from_raw_socket(stream, Role::Server, Some(config)).await;
        Client::new(app, caller, shown, socket).run().await;
    });
    Ok(reply)
}

fn names_subprotocol(headers: &HeaderMap) -> bool {
    let offered = headers.get_all(header::SEC_WEBSOCKET_PROTOCOL).iter();
    offered
        .filter_map(|value| value.to_str().ok())
        .flat_map(|names| names.split(','))
        .any(|name| name.trim() == SUBPROTOCOL)
}

/// What shows who calls, to be looked at again while the socket is open.
fn credentials(headers: &HeaderMap) -> HeaderMap {
    let shows = |name: &&HeaderName| {
        let known = [header::AUTHORIZATION, header::COOKIE, header::SEC_WEBSOCKET_PROTOCOL, header::UPGRADE];
        known.contains(*name) || name.as_str() == "sayso-role"
    };
    let kept = headers.iter().filter(|(name, _)| shows(name));
    kept.map(|(name, value)| (name.clone(), value.clone())).collect()
}
