//! The ground of the server: who gets a connection, for how long, and how all of them end.
//!
//! **Invariant:** nobody holds anything by being slow. Each step of a connection has a time limit, and only a wait that
//! the server itself holds (a long poll, a stream of events) lasts as long as its client stays.

pub(super) mod body;
mod connection;
mod framing;
pub(super) mod peers;
mod pulse;
mod socket;
mod streams;
#[cfg(test)]
mod tests;

use super::metrics::{Metrics, Refused};
use axum::Router;
use connection::Server;
use peers::Peers;
use std::io::{self, ErrorKind};
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// How long the loop rests when the system has no descriptor left for a connection.
const REST: Duration = Duration::from_millis(50);

/// Connections that may wait until they are accepted, where the system allows as many.
const BACKLOG: u32 = 4_096;

/// What a client may take of the server.
#[derive(Debug, Clone)]
pub(super) struct Bounds {
    /// Until the first byte of a connection.
    pub(super) first_byte: Duration,
    /// From the first byte of a request until its header is complete.
    pub(super) header: Duration,
    /// From a complete header until the body is complete, where somebody reads it.
    pub(super) body: Duration,
    /// Between two requests of a connection.
    pub(super) idle: Duration,
    /// How long a client may leave unread what is there for it.
    pub(super) write: Duration,
    /// How long requests in flight may go on once the server closes.
    pub(super) farewell: Duration,
    /// Bytes of a header, and of what is buffered for a connection.
    pub(super) header_bytes: usize,
    /// Lines of a header.
    pub(super) header_lines: usize,
    /// Streams of one HTTP/2 connection.
    pub(super) streams: u32,
    /// Connections from one address that is not this machine's own.
    pub(super) per_peer: usize,
    /// Connections in all.
    pub(super) connections: usize,
}

impl Default for Bounds {
    fn default() -> Self {
        Self {
            first_byte: Duration::from_secs(10),
            header: Duration::from_secs(10),
            body: Duration::from_secs(30),
            idle: Duration::from_secs(60),
            write: Duration::from_secs(30),
            farewell: Duration::from_secs(5),
            header_bytes: 16 * 1024,
            header_lines: 100,
            streams: 256,
            per_peer: 64,
            connections: 20_000,
        }
    }
}

/// Serves connections until `closing`; returns when the last one has ended. Handlers find their client's address as
/// `ConnectInfo<SocketAddr>`. What holds a request for long ends it on the same `closing`.
///
/// # Errors
/// When the listener cannot be used at all.
pub(super) async fn serve(
    listener: std::net::TcpListener,
    app: Router,
    bounds: Bounds,
    closing: CancellationToken,
    meters: Arc<Metrics>,
) -> io::Result<()> {
    let listener = widened(listener)?;
    let peers = Peers::new(bounds.connections, bounds.per_peer, meters.clone());
    let farewell = bounds.farewell;
    let cut = CancellationToken::new();
    let server = Arc::new(Server::new(app, bounds, closing.clone(), cut.clone(), meters.clone()));
    let tasks = TaskTracker::new();
    while let Some((stream, from)) = closing.run_until_cancelled(next(&listener, &meters)).await {
        // A client beyond the bounds is let go without a word: a word would cost what is short.
        match peers.seat(from.ip()) {
            Some(seat) => _ = tasks.spawn(server.clone().connection(stream, from, seat)),
            None => meters.refused(Refused::Connections),
        }
    }
    drop(listener);
    tasks.close();
    if timeout(farewell, tasks.wait()).await.is_err() {
        cut.cancel();
        tasks.wait().await;
    }
    Ok(())
}

/// The same listener with room for many who come at once. Without it the system holds 128 of them, and whoever comes
/// beyond that tries again only after a second.
fn widened(listener: std::net::TcpListener) -> io::Result<TcpListener> {
    listener.set_nonblocking(true)?;
    #[cfg(unix)]
    {
        // To listen once more changes the room. The standard library has that for no socket, tokio for one of its own.
        let socket = std::net::TcpStream::from(std::os::fd::OwnedFd::from(listener));
        tokio::net::TcpSocket::from_std_stream(socket).listen(BACKLOG)
    }
    #[cfg(not(unix))]
    TcpListener::from_std(listener)
}

/// The next connection. No error ends the loop: a client may be gone before it is served, and where descriptors are
/// short, some come back.
async fn next(listener: &TcpListener, meters: &Metrics) -> (TcpStream, SocketAddr) {
    loop {
        match listener.accept().await {
            Ok(accepted) => return accepted,
            Err(error) => {
                meters.accept_failed();
                let of_one = [
                    ErrorKind::ConnectionAborted,
                    ErrorKind::ConnectionReset,
                    ErrorKind::ConnectionRefused,
                    ErrorKind::Interrupted,
                ];
                if !of_one.contains(&error.kind()) {
                    sleep(REST).await;
                }
            }
        }
    }
}
