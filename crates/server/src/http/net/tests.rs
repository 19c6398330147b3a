mod client;
#[cfg(target_os = "linux")]
mod descriptors;
mod http2;
mod load;
mod shutdown;
mod slow;

use super::body::is_body_timeout;
use super::{ListenerLimits, serve};
use crate::http::metrics::ServerMetrics;
use axum::Router;
use axum::body::{Body, Bytes, HttpBody};
use axum::extract::{ConnectInfo, Request};
use axum::http::StatusCode;
use axum::routing::{get, post};
use client::TestClient;
use hyper::body::Frame;
use std::future::pending;
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::task::JoinHandle;
use tokio::time::{Interval, interval, timeout};
use tokio_util::sync::CancellationToken;

/// Timeout that a test waits for.
const SHORT: Duration = Duration::from_millis(200);
/// Timeout that no passing test reaches.
const LONG: Duration = Duration::from_secs(30);

/// Limits that no test reaches, unless it sets one of them.
fn wide_limits() -> ListenerLimits {
    ListenerLimits {
        first_byte_timeout: 2 * LONG,
        header_timeout: 2 * LONG,
        body_timeout: 2 * LONG,
        idle_timeout: 2 * LONG,
        write_timeout: 2 * LONG,
        shutdown_grace: 2 * LONG,
        ..ListenerLimits::default()
    }
}

/// Server with routes that are slow in different ways.
struct TestServer {
    address: SocketAddr,
    closing: CancellationToken,
    metrics: Arc<ServerMetrics>,
    task: JoinHandle<io::Result<()>>,
    /// Notices of requests that started to wait and bodies that were dropped.
    notices: UnboundedReceiver<&'static str>,
}

impl TestServer {
    fn new(bounds: ListenerLimits) -> Self {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let closing = CancellationToken::new();
        let meters = Arc::new(ServerMetrics::new());
        let (tell, receiver) = unbounded_channel();
        let app = routes(&closing, &tell);
        let serving = tokio::spawn(serve(vec![listener], app, bounds, None, closing.clone(), meters.clone()));
        Self { address, closing, metrics: meters, task: serving, notices: receiver }
    }

    async fn client(&self) -> TestClient {
        TestClient::new(self.address).await
    }

    /// Returns the value of a counter or gauge.
    fn metric(&self, name: &str) -> u64 {
        let text = self.metrics.render();
        let found = text.lines().find_map(|line| line.strip_prefix(&format!("sayso_{name} ")));
        found.map_or(0, |count| count.parse().unwrap())
    }

    async fn expect_notice(&mut self, what: &str) {
        assert_eq!(timeout(LONG, self.notices.recv()).await.unwrap(), Some(what));
    }
}

fn routes(closing: &CancellationToken, tell: &UnboundedSender<&'static str>) -> Router {
    let (held, closes, deaf, events) = (tell.clone(), closing.clone(), tell.clone(), tell.clone());
    let flood = tell.clone();
    let (hold, stream) = (closes.clone(), closes);
    Router::new()
        .route("/healthz", get(|| async { "ok" }))
        .route(
            "/peer",
            get(|ConnectInfo(from): ConnectInfo<SocketAddr>| async move { from.port().to_string() }),
        )
        .route("/body", post(read_body))
        .route("/large", get(|| async { vec![b'.'; 1 << 20] }))
        .route(
            "/hold",
            get(move || async move {
                let _ = held.send("held");
                hold.cancelled().await;
                "closing"
            }),
        )
        .route(
            "/deaf",
            get(move || async move {
                let _ = deaf.send("held");
                pending::<&str>().await
            }),
        )
        .route(
            "/events",
            get(move || async move {
                let ticks = interval(SHORT / 10);
                Body::new(TickingBody { ticks, until: stream, tell: events })
            }),
        )
        .route("/flood", get(move || async move { Body::new(FloodBody(flood)) }))
}

async fn read_body(request: Request) -> (StatusCode, String) {
    match axum::body::to_bytes(request.into_body(), 1 << 20).await {
        Ok(bytes) => (StatusCode::OK, bytes.len().to_string()),
        Err(error) if is_body_timeout(&error) => (StatusCode::REQUEST_TIMEOUT, "late".to_owned()),
        Err(error) => (StatusCode::BAD_REQUEST, error.to_string()),
    }
}

/// Body that sends comments until the server closes.
struct TickingBody {
    ticks: Interval,
    until: CancellationToken,
    tell: UnboundedSender<&'static str>,
}

impl HttpBody for TickingBody {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, io::Error>>> {
        if self.until.is_cancelled() {
            return Poll::Ready(None);
        }
        ready!(self.ticks.poll_tick(cx));
        Poll::Ready(Some(Ok(Frame::data(Bytes::from_static(b":\n\n")))))
    }
}

impl Drop for TickingBody {
    fn drop(&mut self) {
        let _ = self.tell.send("events let go");
    }
}

/// Body larger than any client reads, in pieces larger than any window.
struct FloodBody(UnboundedSender<&'static str>);

impl HttpBody for FloodBody {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, io::Error>>> {
        Poll::Ready(Some(Ok(Frame::data(Bytes::from_static(&[b'.'; 1 << 18])))))
    }
}

impl Drop for FloodBody {
    fn drop(&mut self) {
        let _ = self.0.send("flood let go");
    }
}
