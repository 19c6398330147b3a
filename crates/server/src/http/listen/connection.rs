//! One connection, from its first byte to its end.

use super::Bounds;
use super::body::{Asked, Replied};
use super::peers::Seat;
use super::pulse::Pulse;
use super::socket::Socket;
use super::streams::Streams;
use crate::http::metrics::Metrics;
use axum::Router;
use axum::body::Body;
use axum::extract::ConnectInfo;
use hyper::body::Incoming;
use hyper::service::{Service as _, service_fn};
use hyper::{Request, Response, Version};
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
const PING: Duration = Duration::from_secs(20);
/// Maximum number of streams that a client resets before they are accepted.
const RESETS: usize = 20;
/// Flow-control window of an HTTP/2 stream, in bytes.
const STREAM_WINDOW_BYTES: u32 = 128 * 1024;
/// Time for an idle HTTP/2 connection to receive GOAWAY.
const GOODBYE: Duration = Duration::from_millis(200);

/// TCP keepalive: idle time before the first probe, interval of probes, and their number.
const SILENT: (Duration, Duration, u32) = (Duration::from_secs(20), Duration::from_secs(5), 3);

/// Enables TCP keepalive, to detect a vanished client while its request waits. Otherwise an answer would be written
/// to a dead connection and count as delivered.
fn keep_alive(stream: &TcpStream) {
    let socket = SockRef::from(stream);
    let (time, interval, retries) = SILENT;
    let often = TcpKeepalive::new().with_time(time).with_interval(interval).with_retries(retries);
    // On systems without keepalive, the next write detects it.
    let _ = socket.set_tcp_keepalive(&often);
}

/// State shared by all connections.
pub(super) struct Server {
    app: Router,
    builder: Builder<Streams>,
    bounds: Bounds,
    closing: CancellationToken,
    cut: CancellationToken,
    meters: Arc<Metrics>,
}

impl Server {
    pub(super) fn new(
        app: Router,
        bounds: Bounds,
        closing: CancellationToken,
        cut: CancellationToken,
        meters: Arc<Metrics>,
    ) -> Self {
        let mut builder = Builder::new(Streams { limit: bounds.write });
        builder.http1().max_headers(bounds.header_lines).max_buf_size(bounds.header_bytes);
        builder
            .http2()
            .timer(TokioTimer::new())
            .keep_alive_interval(PING)
            .keep_alive_timeout(PING)
            .initial_stream_window_size(STREAM_WINDOW_BYTES)
            .max_concurrent_streams(bounds.streams)
            .max_header_list_size(u32::try_from(bounds.header_bytes).unwrap_or(u32::MAX))
            .max_send_buf_size(bounds.header_bytes)
            .max_pending_accept_reset_streams(RESETS);
        Self { app, builder, bounds, closing, cut, meters }
    }

    /// Serves one connection until it ends, times out, or the server closes.
    pub(super) async fn connection(self: Arc<Self>, stream: TcpStream, from: SocketAddr, seat: Seat) {
        // Without this, Nagle's algorithm delays a short reply until the client acknowledges the previous one.
        let _ = stream.set_nodelay(true);
        keep_alive(&stream);
        let pulse = Pulse::new();
        let socket = Socket::new(stream, pulse.clone(), self.bounds.write, seat);
        let service = service_fn(|request| self.request(request, from, &pulse));
        let mut connection = pin!(self.builder.serve_connection_with_upgrades(TokioIo::new(socket), service));
        let served = async {
            tokio::select! {
                // A connection error concerns only its client.
                _ = connection.as_mut() => return,
                () = self.closing.cancelled() => {}
            }
            connection.as_mut().graceful_shutdown();
            if pulse.is_idle() {
                let _ = timeout(GOODBYE, connection).await;
            } else {
                let _ = connection.await;
            }
        };
        let mut served = pin!(served);
        let timely = self.in_time(&pulse, served.as_mut());
        if self.cut.run_until_cancelled(timely).await == Some(false) {
            self.meters.timed_out();
        }
    }

    /// Runs a connection until it ends, and returns whether it ended before its deadline.
    async fn in_time(&self, pulse: &Pulse, mut served: Pin<&mut impl Future<Output = ()>>) -> bool {
        let mut until = Instant::now() + self.bounds.first_byte;
        let mut alarm = pin!(sleep_until(until));
        poll_fn(|cx| {
            if served.as_mut().poll(cx).is_ready() {
                return Poll::Ready(true);
            }
            loop {
                let now = Instant::now();
                let deadline = pulse.deadline(&self.bounds);
                if deadline.is_some_and(|deadline| deadline <= now) {
                    return Poll::Ready(false);
                }
                // The last stream may end without waking this task, so the deadline is checked again periodically.
                let next = deadline.unwrap_or(now + self.bounds.idle);
                // A deadline that moved later is detected when the timer fires; resetting the timer each time costs
                // more.
                if next < until || alarm.is_elapsed() {
                    until = next;
                    alarm.as_mut().reset(until);
                }
                if alarm.as_mut().poll(cx).is_pending() {
                    return Poll::Pending;
                }
            }
        })
        .await
    }

    /// Dispatches a request to the router.
    fn request(
        &self,
        request: Request<Incoming>,
        from: SocketAddr,
        pulse: &Arc<Pulse>,
    ) -> impl Future<Output = Result<Response<Replied>, Infallible>> + Send + 'static {
        let in_flight = pulse.begin(request.version() == Version::HTTP_2);
        let until = Instant::now() + self.bounds.body;
        let mut request = request.map(|body| Body::new(Asked::new(body, until)));
        request.extensions_mut().insert(ConnectInfo(from));
        let reply = TowerToHyperService::new(self.app.clone()).call(request);
        async move { Ok(reply.await?.map(|body| Replied::new(body, in_flight))) }
    }
}
