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

/// How often an HTTP/2 client is asked whether it still is there, and how long it has to say so.
const PING: Duration = Duration::from_secs(20);
/// How many streams a client may reset before they were looked at.
const RESETS: usize = 20;
/// Bytes that may come for one HTTP/2 stream before somebody reads them.
const STREAM_WINDOW_BYTES: u32 = 128 * 1024;
/// How long an idle HTTP/2 connection has to hear that the server closes.
const GOODBYE: Duration = Duration::from_millis(200);

/// How long a connection is silent before its client's system is asked whether it still is there; how long until it is
/// asked again, and how often that is.
const SILENT: (Duration, Duration, u32) = (Duration::from_secs(20), Duration::from_secs(5), 3);

/// A client that is gone without a word is found to be, also while it waits: else an answer would go to nobody, and count
/// as given.
fn keep_alive(stream: &TcpStream) {
    let socket = SockRef::from(stream);
    let (time, interval, retries) = SILENT;
    let often = TcpKeepalive::new().with_time(time).with_interval(interval).with_retries(retries);
    // Where the system has no such thing, it is found out when something is written.
    let _ = socket.set_tcp_keepalive(&often);
}

/// What all connections share.
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

    /// Serves one connection until it ends, is too slow, or the server closes.
    pub(super) async fn connection(self: Arc<Self>, stream: TcpStream, from: SocketAddr, seat: Seat) {
        // Without this, a short reply may wait for the client to confirm the one before it.
        let _ = stream.set_nodelay(true);
        keep_alive(&stream);
        let pulse = Pulse::new();
        let socket = Socket::new(stream, pulse.clone(), self.bounds.write, seat);
        let service = service_fn(|request| self.request(request, from, &pulse));
        let mut connection = pin!(self.builder.serve_connection_with_upgrades(TokioIo::new(socket), service));
        let served = async {
            tokio::select! {
                // How a connection failed is its client's affair.
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

    /// Runs a connection to its end; whether it came before the time was over.
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
                // The last stream of a connection may end without waking it, so it looks again.
                let next = deadline.unwrap_or(now + self.bounds.idle);
                // A deadline that moved away is found when the alarm rings: setting it costs more than that.
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

    /// Has a request answered.
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
