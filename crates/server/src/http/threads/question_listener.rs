//! Listener on this machine alone for the tool `ask_user` of agents that `sayso agent` runs: MCP over HTTP, and over a
//! connection with a message a line, for agents that take no servers over HTTP.
//!
//! **Invariant:** a session is known by its secret alone, which only its agent gets.

use crate::http::serve_failed;
use crate::mcp::{QuestionHandler, question_server};
use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::Request;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use axum::serve::Listener;
use sayso_core::{Problem, limits};
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::Runtime;

/// Most bytes of the first line of a connection, which is the secret.
const SECRET_BYTES: u64 = 256;

/// Finds who asks the questions of the session with a secret.
pub type FindSession = Arc<dyn Fn(&str) -> Option<QuestionHandler> + Send + Sync>;

/// Addresses of the listener.
#[derive(Debug, Clone, Copy)]
pub struct QuestionAddresses {
    /// MCP over HTTP, with the secret as a bearer token.
    pub http: SocketAddr,
    /// Messages as lines, after a line with the secret.
    pub lines: SocketAddr,
}

/// Listens on free ports, in a thread of its own, until the process ends.
///
/// # Errors
/// Fails if the system has no port or thread.
pub fn serve_questions(find: FindSession) -> Result<QuestionAddresses, Problem> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(serve_failed)?;
    let (http, http_address) = bind(&runtime).map_err(serve_failed)?;
    let (lines, lines_address) = bind(&runtime).map_err(serve_failed)?;
    let find_session = find.clone();
    let router = Router::new().fallback(move |request| respond(find_session.clone(), request));
    std::thread::spawn(move || {
        runtime.block_on(async {
            tokio::spawn(accept_lines(lines, find));
            // It ends with the process.
            let _ = axum::serve(http, router).await;
        });
    });
    Ok(QuestionAddresses { http: http_address, lines: lines_address })
}

/// Binds a free port of this machine.
fn bind(runtime: &Runtime) -> io::Result<(TcpListener, SocketAddr)> {
    let listener = runtime.block_on(TcpListener::bind((Ipv4Addr::LOCALHOST, 0)))?;
    let address = listener.local_addr()?;
    Ok((listener, address))
}

async fn respond(find: FindSession, request: Request) -> Response {
    let Some(ask) = bearer_secret(&request).and_then(|secret| find(secret)) else {
        return StatusCode::UNAUTHORIZED.into_response();
    };
    let (head, body) = request.into_parts();
    match to_bytes(body, limits::REQUEST_BODY_BYTES).await {
        Ok(body) => {
            question_server::handle_request(ask, Request::from_parts(head, body)).await.map(Body::new)
        }
        Err(_) => StatusCode::PAYLOAD_TOO_LARGE.into_response(),
    }
}

fn bearer_secret(request: &Request) -> Option<&str> {
    request.headers().get(header::AUTHORIZATION)?.to_str().ok()?.strip_prefix("Bearer ")
}

async fn accept_lines(mut listener: TcpListener, find: FindSession) {
    loop {
        let (stream, _) = Listener::accept(&mut listener).await;
        let find = find.clone();
        tokio::spawn(async move {
            // The agent may have gone.
            let _ = serve_connection(stream, find).await;
        });
    }
}

async fn serve_connection(stream: TcpStream, find: FindSession) -> io::Result<()> {
    let (input, output) = stream.into_split();
    let mut input = BufReader::new(input);
    let mut secret = String::new();
    (&mut input).take(SECRET_BYTES).read_line(&mut secret).await?;
    let ask = find(secret.trim_end()).ok_or(io::ErrorKind::PermissionDenied)?;
    question_server::serve_lines(ask, input, output).await.map_err(io::Error::other)
}

#[cfg(test)]
mod tests {
    use super::serve_questions;
    use std::io::{Read as _, Write as _};
    use std::net::TcpStream;
    use std::sync::Arc;

    #[test]
    fn unknown_secret_is_refused() {
        let addresses = serve_questions(Arc::new(|secret| {
            assert_eq!(secret, "wrong");
            None
        }))
        .unwrap();
        let read = |address, request: &[u8]| {
            let (mut stream, mut response) = (TcpStream::connect(address).unwrap(), String::new());
            stream.write_all(request).unwrap();
            stream.read_to_string(&mut response).unwrap();
            response
        };
        for header in ["", "Authorization: wrong\r\n", "Authorization: Bearer wrong\r\n"] {
            let request = format!("POST /mcp HTTP/1.1\r\nHost: a\r\n{header}Connection: close\r\n\r\n");
            let response = read(addresses.http, request.as_bytes());
            assert!(response.starts_with("HTTP/1.1 401 "), "{response}");
        }
        assert_eq!(read(addresses.lines, b"wrong\n"), "");
    }
}
