//! Listener: accepts connections, limits and times them, and shuts them down.
//!
//! **Invariant:** no client holds resources by being slow. Each step of a connection has a timeout. Only waits that
//! the server itself starts (long polls, event streams) last as long as the client stays.

pub(super) mod body;
pub(super) mod body_budget;
mod connection;
pub(super) mod connection_limits;
pub(super) mod exposure;
mod framing;
pub(super) mod public_url;
mod socket;
mod stream;
mod streams;
#[cfg(test)]
mod tests;
mod timeouts;
pub(super) mod tls;

use super::metrics::{RefusalReason, ServerMetrics};
use crate::diagnostics::log_event;
use axum::Router;
use connection::ConnectionServer;
use connection_limits::ConnectionLimiter;
use public_url::PublicUrl;
use std::future::poll_fn;
use std::io::{self, ErrorKind};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;
use tls::TlsFiles;
use tokio::net::{TcpListener, TcpStream};
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// Delay before the next accept if the system has no free file descriptor.
const ACCEPT_RETRY_DELAY: Duration = Duration::from_millis(50);

/// Maximum number of connections in the accept queue, if the system allows as many.
const BACKLOG: u32 = 4_096;

/// Maximum number of connections, if the process may have as many files.
const MAX_CONNECTIONS: usize = 32_768;
/// Files that the server needs besides connections: of the desk, its wake-ups, and for the database.
const OTHER_FILES: usize = 64;

/// Limits on the connections of clients.
#[derive(Debug, Clone)]
pub(super) struct ListenerLimits {
    /// Timeout for the first byte of a connection.
    pub(super) first_byte_timeout: Duration,
    /// Timeout from the first byte of a request to its complete header.
    pub(super) header_timeout: Duration,
    /// Timeout from the complete header to the complete body, if the handler reads it.
    pub(super) body_timeout: Duration,
    /// Timeout between two requests of a connection.
    pub(super) idle_timeout: Duration,
    /// Timeout for a client that does not read pending data.
    pub(super) write_timeout: Duration,
    /// Time for requests in flight to complete on shutdown.
    pub(super) shutdown_grace: Duration,
    /// Maximum size of a header, and of a connection's buffer, in bytes.
    pub(super) max_header_bytes: usize,
    /// Maximum number of header lines.
    pub(super) max_header_lines: usize,
    /// Maximum number of concurrent streams of an HTTP/2 connection.
    pub(super) max_streams: u32,
    /// Maximum number of connections per remote address; loopback is exempt.
    pub(super) max_per_address: usize,
    /// Maximum number of connections in total. One account has at most half of them, and programs leave a sixteenth to
    /// people.
    pub(super) max_connections: usize,
}

impl ListenerLimits {
    /// Returns the limits of a process that may have so many files open.
    pub(super) fn with_open_files(open_files: Option<u64>) -> Self {
        let files = open_files.and_then(|count| usize::try_from(count).ok()).unwrap_or(usize::MAX);
        let connections = files.saturating_sub(OTHER_FILES).clamp(OTHER_FILES / 2, MAX_CONNECTIONS);
        Self { max_connections: connections, ..Self::default() }
    }
}

impl Default for ListenerLimits {
    fn default() -> Self {
        Self {
            first_byte_timeout: Duration::from_secs(10),
            header_timeout: Duration::from_secs(10),
            body_timeout: Duration::from_secs(30),
            idle_timeout: Duration::from_secs(60),
            write_timeout: Duration::from_secs(30),
            shutdown_grace: Duration::from_secs(5),
            max_header_bytes: 16 * 1024,
            max_header_lines: 100,
            max_streams: 256,
            max_per_address: 64,
            max_connections: MAX_CONNECTIONS,
        }
    }
}

/// Serves connections, with TLS if there are files for it, until `closing` is cancelled, and returns when the last one
/// has ended. Handlers find the client's address in `ConnectInfo<SocketAddr>`, and must end long waits on the same
/// `closing`.
///
/// # Errors
/// Fails if the listener cannot be used.
pub(super) async fn serve(
    listeners: Vec<std::net::TcpListener>,
    app: Router,
    limits: ListenerLimits,
    tls: Option<TlsFiles>,
    closing: CancellationToken,
    metrics: Arc<ServerMetrics>,
) -> io::Result<()> {
    let listeners = listeners.into_iter().map(with_backlog).collect::<io::Result<Vec<_>>>()?;
    let limiter = ConnectionLimiter::new(&limits, metrics.clone());
    let shutdown_grace = limits.shutdown_grace;
    let abort = CancellationToken::new();
    let server =
        Arc::new(ConnectionServer::new(app, limits, tls, closing.clone(), abort.clone(), metrics.clone()));
    let tasks = TaskTracker::new();
    while let Some((stream, from)) = closing.run_until_cancelled(accept_next(&listeners, &metrics)).await {
        // A connection over the limit is dropped without a response, which would cost what is scarce.
        match limiter.try_acquire(from.ip()) {
            Some(permit) => _ = tasks.spawn(server.clone().serve_connection(stream, from, permit)),
            None => metrics.record_refusal(RefusalReason::Connections),
        }
    }
    drop(listeners);
    tasks.close();
    if timeout(shutdown_grace, tasks.wait()).await.is_err() {
        log_event!(WARN, Http, "connections cut at shutdown", connections = tasks.len());
        abort.cancel();
        tasks.wait().await;
    }
    Ok(())
}

/// Increases the backlog of a listener. The default is 128, and a client beyond it retries only after a second.
fn with_backlog(listener: std::net::TcpListener) -> io::Result<TcpListener> {
    listener.set_nonblocking(true)?;
    #[cfg(unix)]
    {
        // A second `listen` call changes the backlog. The standard library offers no such call, tokio only for its
        // own sockets.
        let socket = std::net::TcpStream::from(std::os::fd::OwnedFd::from(listener));
        tokio::net::TcpSocket::from_std_stream(socket).listen(BACKLOG)
    }
    #[cfg(not(unix))]
    TcpListener::from_std(listener)
}

/// Sockets that the server listens on.
pub(super) struct Listeners {
    /// Address of the one that the operator named.
    pub(super) address: SocketAddr,
    pub(super) all: Vec<std::net::TcpListener>,
}

impl Listeners {
    /// Adds a listener on `[::1]` to one on `127.0.0.1` if the pages are at `localhost`, since browsers try it first.
    /// None is added on a machine without IPv6, nor where another program has the port: then browsers reach the first
    /// listener, and the log says so.
    ///
    /// # Errors
    /// Fails if the address of the listener cannot be read.
    pub(super) fn new(listener: std::net::TcpListener, public_url: &PublicUrl) -> io::Result<Self> {
        let address = listener.local_addr()?;
        let mut all = vec![listener];
        if public_url.is_localhost() && address.ip() == IpAddr::V4(Ipv4Addr::LOCALHOST) {
            match std::net::TcpListener::bind((Ipv6Addr::LOCALHOST, address.port())) {
                Ok(listener) => all.push(listener),
                Err(error) if error.kind() == ErrorKind::AddrInUse => {
                    log_event!(WARN, Http, "another program has this port at [::1]", port = address.port());
                }
                Err(_) => {}
            }
        }
        Ok(Self { address, all })
    }
}

fn poll_accept(
    listeners: &[TcpListener],
    context: &mut Context<'_>,
) -> Poll<io::Result<(TcpStream, SocketAddr)>> {
    for listener in listeners {
        let poll = listener.poll_accept(context);
        if poll.is_ready() {
            return poll;
        }
    }
    Poll::Pending
}

/// Accepts the next connection. No error ends the loop: a client may disconnect early, and file descriptors become
/// free again.
async fn accept_next(listeners: &[TcpListener], metrics: &ServerMetrics) -> (TcpStream, SocketAddr) {
    loop {
        let error = match poll_fn(|context| poll_accept(listeners, context)).await {
            Ok(connection) => return connection,
            Err(error) => error.kind(),
        };
        metrics.record_accept_failure(error);
        // Others are of the system, such as no free file descriptor.
        let is_of_one_connection = matches!(
            error,
            ErrorKind::ConnectionAborted
                | ErrorKind::ConnectionReset
                | ErrorKind::ConnectionRefused
                | ErrorKind::Interrupted
        );
        if !is_of_one_connection {
            sleep(ACCEPT_RETRY_DELAY).await;
        }
    }
}
