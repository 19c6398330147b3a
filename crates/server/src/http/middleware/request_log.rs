//! Middleware that assigns an id to each request, counts it and logs it.

use crate::diagnostics::{Instrument as _, LoggedCaller, RequestEntry, RequestId, request_span};
use crate::http::metrics::{ServerMetrics, known_method};
use axum::extract::{MatchedPath, Request};
use axum::http::{HeaderName, HeaderValue};
use axum::response::Response;
use std::hash::{BuildHasher as _, RandomState};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Instant;

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
/// Route label of a request that matches no route.
const NO_ROUTE: &str = "none";

/// Observer of requests: metrics, log and ids.
#[derive(Debug, Clone)]
pub(crate) struct RequestObserver {
    metrics: Arc<ServerMetrics>,
    ids: Arc<RequestIds>,
}

/// Generator of request ids, unique across restarts. They are not secret.
#[derive(Debug, Default)]
struct RequestIds {
    run: RandomState,
    count: AtomicU64,
}

impl RequestIds {
    fn next(&self) -> RequestId {
        RequestId::from_number(self.run.hash_one(self.count.fetch_add(1, Ordering::Relaxed)))
    }
}

impl RequestObserver {
    pub(crate) fn new(meters: Arc<ServerMetrics>) -> Self {
        Self { metrics: meters, ids: Arc::default() }
    }

    fn id(&self, request: &Request) -> RequestId {
        if let Some(value) = request.headers().get(REQUEST_ID)
            && let Ok(text) = value.to_str()
            && let Some(id) = RequestId::new(text)
        {
            return id;
        }
        self.ids.next()
    }
}

/// A request in progress. If dropped before the response, the client disconnected or the handler panicked.
struct ObservedRequest {
    metrics: Arc<ServerMetrics>,
    started_at: Instant,
    method: &'static str,
    route: Arc<str>,
    id: RequestId,
    is_answered: bool,
}

impl ObservedRequest {
    fn log(&self, status: Option<u16>, caller: Option<&LoggedCaller>) {
        let took = self.started_at.elapsed();
        RequestEntry { method: self.method, route: &self.route, status, took, id: &self.id, caller }.log();
    }
}

impl Drop for ObservedRequest {
    fn drop(&mut self) {
        if !self.is_answered {
            self.log(thread::panicking().then_some(500), None);
        }
    }
}

/// Wraps a handler including its authorization, so that refused requests are observed, too.
///
/// Ten thousand requests may wait. So this keeps nothing of the request, and is no axum layer, which would keep a
/// kilobyte of each.
pub(crate) fn observe<F: Future<Output = Response> + Send>(
    observer: RequestObserver,
    request: Request,
    next: impl FnOnce(Request) -> F,
) -> impl Future<Output = Response> + Send {
    let id = observer.id(&request);
    let route = request.extensions().get::<MatchedPath>().map_or(NO_ROUTE, MatchedPath::as_str).into();
    let method = known_method(request.method().as_str());
    let span = request_span(&id);
    let response_future = Box::pin(span.in_scope(|| next(request))).instrument(span);
    let metrics = observer.metrics;
    let started_at = Instant::now();
    let mut entry = ObservedRequest { metrics, started_at, method, route, id, is_answered: false };
    async move {
        let mut response = response_future.await;
        entry.is_answered = true;
        let status = response.status().as_u16();
        entry.metrics.record_request(&entry.route, entry.method, status, entry.started_at.elapsed());
        let caller = response.extensions_mut().remove::<LoggedCaller>();
        entry.log(Some(status), caller.as_ref());
        if let Ok(id) = HeaderValue::from_str(entry.id.as_str()) {
            response.headers_mut().insert(REQUEST_ID, id);
        }
        response
    }
}

#[cfg(test)]
mod tests {
    use super::{RequestObserver, observe};
    use crate::diagnostics::{LogConfig, LogFilter, LogFormat, LoggedCaller, ThreadLog, install_on_thread};
    use crate::http::metrics::ServerMetrics;
    use crate::http::net::{ListenerLimits, serve};
    use axum::extract::Request;
    use axum::http::StatusCode;
    use axum::middleware::Next;
    use axum::routing::get;
    use axum::{Extension, Router, middleware};
    use serde_json::{Value, json};
    use std::future::pending;
    use std::io::{self, Write};
    use std::net::{SocketAddr, TcpListener};
    use std::sync::Arc;
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    use tokio::net::TcpStream;
    use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
    use tokio_util::sync::CancellationToken;

    struct LineSender(UnboundedSender<Value>);

    impl Write for LineSender {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let _ = self.0.send(serde_json::from_slice(bytes)?);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// Observed server, and the log of this thread.
    struct TestObserver {
        _log: ThreadLog,
        address: SocketAddr,
        meters: Arc<ServerMetrics>,
        lines: UnboundedReceiver<Value>,
        held: UnboundedReceiver<()>,
    }

    fn test_observer() -> TestObserver {
        let (line, lines) = unbounded_channel();
        let (hold, held) = unbounded_channel();
        let meters = Arc::new(ServerMetrics::new());
        let config = LogConfig { format: LogFormat::Json, filter: LogFilter::INFO };
        let log = install_on_thread(config, LineSender(line));
        let observer = RequestObserver::new(meters.clone());
        let caller = LoggedCaller { account: "ada".into(), role: "asker" };
        let app = Router::new()
            .route("/asks/{id}", get(|_: Request| async move { (Extension(caller), "seen") }))
            .route(
                "/hold",
                get(move || async move {
                    let _ = hold.send(());
                    pending::<()>().await;
                }),
            )
            .route("/broken", get(async || -> () { panic!("a broken handler") }))
            .fallback(|| async { StatusCode::NOT_FOUND })
            .layer(middleware::from_fn(move |request: Request, next: Next| {
                observe(observer.clone(), request, |request| next.run(request))
            }));
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let closing = CancellationToken::new();
        tokio::spawn(serve(vec![listener], app, ListenerLimits::default(), None, closing, meters.clone()));
        TestObserver { _log: log, address, meters, lines, held }
    }

    impl TestObserver {
        /// Returns the response to one request, and its log line without the duration.
        async fn get(&mut self, target: &str, headers: &str) -> (String, Value) {
            let mut stream = TcpStream::connect(self.address).await.unwrap();
            let request = format!("GET {target} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n{headers}\r\n");
            stream.write_all(request.as_bytes()).await.unwrap();
            let mut reply = String::new();
            stream.read_to_string(&mut reply).await.unwrap();
            (reply, self.line().await)
        }

        async fn line(&mut self) -> Value {
            let mut line = self.lines.recv().await.unwrap();
            let line = line.as_object_mut().unwrap();
            assert!(line.remove("ms").unwrap().is_u64());
            json!(line)
        }
    }

    #[tokio::test]
    async fn request_log_omits_private_data() {
        let mut observed = test_observer();
        let target = "/asks/0192-secret?token=hidden";
        let (reply, line) = observed.get(target, "x-request-id: build-7.a:b\r\nauthorization: no\r\n").await;
        assert!(reply.contains("\r\nx-request-id: build-7.a:b\r\n"), "{reply}");
        let expected = json!({
            "time": "1970-01-01T00:00:00.000Z", "level": "info", "method": "GET", "route": "/asks/{id}",
            "status": 200, "request_id": "build-7.a:b", "account": "ada", "role": "asker",
        });
        assert_eq!(line, expected);
        let text = observed.meters.render();
        let counted = "sayso_requests_total{route=\"/asks/{id}\",method=\"GET\",status=\"2xx\"} 1";
        assert!(text.contains(counted), "{text}");
        assert!(!text.contains("secret"), "{text}");
    }

    #[tokio::test]
    async fn unsafe_request_ids_are_replaced() {
        let mut observed = test_observer();
        let long = "a".repeat(65);
        let mut seen = Vec::new();
        for given in ["", "x-request-id: a b\r\n", "x-request-id: \r\n", &format!("x-request-id: {long}\r\n")]
        {
            let (reply, line) = observed.get("/asks/1", given).await;
            let id = line["request_id"].as_str().unwrap().to_owned();
            assert_eq!(id.len(), 16, "{id}");
            assert!(reply.contains(&format!("\r\nx-request-id: {id}\r\n")), "{reply}");
            assert!(!seen.contains(&id));
            seen.push(id);
        }
        let (_, line) = observed.get("/asks/1", &format!("x-request-id: {}\r\n", &long[1..])).await;
        assert_eq!(line["request_id"], long[1..]);
    }

    #[tokio::test]
    async fn unrouted_request_is_logged() {
        let mut observed = test_observer();
        let (reply, line) = observed.get("/secret", "").await;
        assert!(reply.starts_with("HTTP/1.1 404 "), "{reply}");
        assert_eq!((&line["route"], &line["status"]), (&json!("none"), &json!(404)));
    }

    #[tokio::test]
    async fn disconnected_client_is_logged() {
        let mut observed = test_observer();
        let mut stream = TcpStream::connect(observed.address).await.unwrap();
        stream.write_all(b"GET /hold HTTP/1.1\r\nhost: x\r\n\r\n").await.unwrap();
        observed.held.recv().await.unwrap();
        drop(stream);
        let line = observed.line().await;
        assert_eq!((&line["route"], &line["status"]), (&json!("/hold"), &Value::Null));
    }

    #[tokio::test]
    async fn handler_panic_is_logged_as_error() {
        let mut observed = test_observer();
        let (reply, line) = observed.get("/broken", "").await;
        assert_eq!(reply, "");
        assert_eq!((&line["level"], &line["status"]), (&json!("error"), &json!(500)));
        let (reply, _) = observed.get("/asks/1", "").await;
        assert!(reply.starts_with("HTTP/1.1 200 "), "{reply}");
    }
}
