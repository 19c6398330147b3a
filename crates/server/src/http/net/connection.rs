//! One connection, from its first byte to its end.

use super::ListenerLimits;
use super::body::{TimedRequestBody, TrackedResponseBody};
use super::connection_limits::ConnectionPermit;
use super::socket::TimedSocket;
use super::stream::ByteStream;
use super::streams::StreamExecutor;
use super::timeouts::ConnectionTimeouts;
use super::tls::TlsFiles;
use crate::diagnostics::log_event;
use crate::http::metrics::ServerMetrics;
use axum::Router;
use axum::body::Body;
use axum::extract::ConnectInfo;
use hyper::body::Incoming;
use hyper::service::{Service as _, service_fn};
use hyper::{Request, Response, StatusCode, Version};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use hyper_util::service::TowerToHyperService;
use socket2::{SockRef, TcpKeepalive};
use std::convert::Infallible;
use std::future::poll_fn;
use std::net::SocketAddr;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;
use tokio::net::TcpStream;
use tokio::time::{Instant, sleep_until, timeout};
use tokio_util::sync::CancellationToken;

/// Interval of HTTP/2 pings, and the timeout for their response.
const PING_INTERVAL: Duration = Duration::from_secs(20);
/// Maximum number of streams that a client resets before they are accepted.
const MAX_PENDING_RESETS: usize = 20;
/// Flow-control window of an HTTP/2 stream, in bytes.
const STREAM_WINDOW_BYTES: u32 = 128 * 1024;
/// Time for an idle HTTP/2 connection to receive GOAWAY.
const GOAWAY_TIMEOUT: Duration = Duration::from_millis(200);

/// TCP keepalive: idle time before the first probe, interval of probes, and their number.
const KEEP_ALIVE: (Duration, Duration, u32) = (Duration::from_secs(20), Duration::from_secs(5), 3);

/// Enables TCP keepalive, to detect a vanished client while its request waits. Otherwise an answer would be written
/// to a dead connection and count as delivered.
fn enable_keep_alive(stream: &TcpStream) {
    let socket = SockRef::from(stream);
    let (time, interval, retries) = KEEP_ALIVE;
    let keep_alive = TcpKeepalive::new().with_time(time).with_interval(interval).with_retries(retries);
    // On systems without keepalive, the next write detects it.
    if let Err(error) = socket.set_tcp_keepalive(&keep_alive) {
        log_event!(DEBUG, Http, "no keepalive", error = error.kind());
    }
}

/// State shared by all connections.
pub(super) struct ConnectionServer {
    app: Router,
    builder: Builder<StreamExecutor>,
    limits: ListenerLimits,
    tls: Option<TlsFiles>,
    closing: CancellationToken,
    abort: CancellationToken,
    metrics: Arc<ServerMetrics>,
}

impl ConnectionServer {
    pub(super) fn new(
        app: Router,
        limits: ListenerLimits,
        tls: Option<TlsFiles>,
        closing: CancellationToken,
        abort: CancellationToken,
        metrics: Arc<ServerMetrics>,
    ) -> Self {
        let mut builder = Builder::new(StreamExecutor { limit: limits.write_timeout });
        builder.http1().max_headers(limits.max_header_lines).max_buf_size(limits.max_header_bytes);
        builder
            .http2()
            .timer(TokioTimer::new())
            .keep_alive_interval(PING_INTERVAL)
            .keep_alive_timeout(PING_INTERVAL)
            .initial_stream_window_size(STREAM_WINDOW_BYTES)
            .max_concurrent_streams(limits.max_streams)
            .max_header_list_size(u32::try_from(limits.max_header_bytes).unwrap_or(u32::MAX))
            .max_send_buf_size(limits.max_header_bytes)
            .max_pending_accept_reset_streams(MAX_PENDING_RESETS);
        Self { app, builder, limits, tls, closing, abort, metrics }
    }

    /// Serves one connection until it ends, times out, or the server closes.
    pub(super) async fn serve_connection(
        self: Arc<Self>,
        stream: TcpStream,
        from: SocketAddr,
        permit: Arc<ConnectionPermit>,
    ) {
        // Without this, Nagle's algorithm delays a short reply until the client acknowledges the previous one.
        if let Err(error) = stream.set_nodelay(true) {
            log_event!(DEBUG, Http, "no TCP_NODELAY", error = error.kind());
        }
        enable_keep_alive(&stream);
        let Some(stream) = self.secure(stream).await else { return };
        let timeouts = ConnectionTimeouts::new();
        let socket = TimedSocket::new(stream, timeouts.clone(), self.limits.write_timeout, permit.clone());
        let service = service_fn(|request| self.handle_request(request, from, &permit, &timeouts));
        let mut connection = pin!(self.builder.serve_connection_with_upgrades(TokioIo::new(socket), service));
        let connection_future = async {
            tokio::select! {
                // A connection error concerns only its client.
                _ = connection.as_mut() => return,
                () = self.closing.cancelled() => {}
                () = permit.ended() => {}
            }
            connection.as_mut().graceful_shutdown();
            // A connection error concerns only its client, as above.
            if timeouts.is_idle() {
                let _ = timeout(GOAWAY_TIMEOUT, connection).await;
            } else {
                let _ = connection.await;
            }
        };
        let mut connection_future = pin!(connection_future);
        let is_in_time = self.run_until_deadline(&timeouts, connection_future.as_mut());
        if self.abort.run_until_cancelled(is_in_time).await == Some(false) {
            self.metrics.record_timeout();
        }
    }

    /// Completes the TLS handshake, if the server has TLS; `None` if the client does not.
    async fn secure(&self, stream: TcpStream) -> Option<ByteStream> {
        let Some(tls) = &self.tls else { return Some(ByteStream::Plain(stream)) };
        let handshake = timeout(self.limits.header_timeout, tls.acceptor().accept(stream));
        match self.abort.run_until_cancelled(handshake).await? {
            Ok(Ok(stream)) => Some(ByteStream::Tls(Box::new(stream))),
            // An error concerns only its client, which may speak no TLS.
            Ok(Err(error)) => {
                log_event!(DEBUG, Http, "no TLS handshake", error = error.kind());
                None
            }
            Err(_) => {
                self.metrics.record_timeout();
                None
            }
        }
    }

    /// Runs a connection until it ends, and returns whether it ended before its deadline.
    async fn run_until_deadline(
        &self,
        timeouts: &ConnectionTimeouts,
        mut connection: Pin<&mut impl Future<Output = ()>>,
    ) -> bool {
        let mut alarm_time = Instant::now() + self.limits.first_byte_timeout;
        let mut alarm = pin!(sleep_until(alarm_time));
        poll_fn(|cx| {
            if connection.as_mut().poll(cx).is_ready() {
                return Poll::Ready(true);
            }
            loop {
                let now = Instant::now();
                // The last stream may end without waking this task, so the deadline is checked again periodically.
                let mut next_check = now + self.limits.idle_timeout;
                if let Some(deadline) = timeouts.deadline(&self.limits) {
                    if deadline <= now {
                        return Poll::Ready(false);
                    }
                    next_check = deadline;
                }
                // A deadline that moved later is detected when the timer fires; resetting the timer each time costs
                // more.
                if next_check < alarm_time || alarm.is_elapsed() {
                    alarm_time = next_check;
                    alarm.as_mut().reset(alarm_time);
                }
                if alarm.as_mut().poll(cx).is_pending() {
                    return Poll::Pending;
                }
            }
        })
        .await
    }

    /// Dispatches a request to the router.
    fn handle_request(
        &self,
        request: Request<Incoming>,
        from: SocketAddr,
        permit: &Arc<ConnectionPermit>,
        timeouts: &Arc<ConnectionTimeouts>,
    ) -> impl Future<Output = Result<Response<TrackedResponseBody>, Infallible>> + Send + 'static {
        let in_flight = timeouts.begin_request(request.version() == Version::HTTP_2);
        let until = Instant::now() + self.limits.body_timeout;
        let mut request = request.map(|body| Body::new(TimedRequestBody::new(body, until)));
        request.extensions_mut().insert(ConnectInfo(from));
        request.extensions_mut().insert(permit.clone());
        let permit = permit.clone();
        let timeouts = timeouts.clone();
        let reply_future = TowerToHyperService::new(self.app.clone()).call(request);
        async move {
            let reply = reply_future.await?;
            permit.end_unless_of_person();
            if reply.status() == StatusCode::SWITCHING_PROTOCOLS {
                timeouts.record_upgrade();
            }
            Ok(reply.map(|body| TrackedResponseBody::new(body, in_flight)))
        }
    }
}
