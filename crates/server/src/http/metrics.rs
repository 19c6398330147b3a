//! Metrics for operators.
//!
//! **Invariant:** no label holds user input. Routes are templates, methods are those of the standard, and all other
//! values are our own.

pub(super) mod ask_counters;
mod node_metrics;

use crate::diagnostics::log_event;
use node_metrics::NodeMetrics;
use prometheus_client::encoding::text::encode;
use prometheus_client::encoding::{EncodeLabelSet, EncodeLabelValue};
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::Registry;
use sayso_core::Outcome;
use sayso_desk::NodeStats;
use std::io::ErrorKind;
use std::sync::Arc;
use std::time::Duration;

/// Upper bounds of the latency buckets, in seconds.
const LATENCY_BUCKETS: [f64; 12] = [0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0, 30.0];

/// Reason for refusing a request or connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, EncodeLabelValue)]
pub(super) enum RefusalReason {
    /// Too many requests.
    Rate,
    /// Missing token, or insufficient rights.
    Auth,
    /// Unknown host name.
    Host,
    /// Foreign origin.
    Origin,
    /// Body or message too large.
    Size,
    /// Too many connections.
    Connections,
    /// Too many request bodies in flight.
    Bodies,
    /// Too many asks of an account within an hour.
    Asks,
    /// Too many open asks of an account, or too many bytes of its asks.
    Kept,
}

impl RefusalReason {
    /// Returns the name in log lines.
    const fn name(self) -> &'static str {
        match self {
            Self::Rate => "rate",
            Self::Auth => "auth",
            Self::Host => "host",
            Self::Origin => "origin",
            Self::Size => "size",
            Self::Connections => "connections",
            Self::Bodies => "bodies",
            Self::Asks => "asks",
            Self::Kept => "kept",
        }
    }
}

/// Ending of an ask.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, EncodeLabelValue)]
pub(super) enum AskEnding {
    /// Answered by a person.
    Answered,
    /// Declined by a person.
    Declined,
    /// Cancelled by the asker.
    Cancelled,
    /// Expired without a response.
    Expired,
}

impl From<&Outcome> for AskEnding {
    fn from(outcome: &Outcome) -> Self {
        match outcome {
            Outcome::Answered { .. } => Self::Answered,
            Outcome::Declined { .. } => Self::Declined,
            Outcome::Cancelled { .. } => Self::Cancelled,
            Outcome::Expired { .. } => Self::Expired,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct RequestLabels {
    route: Arc<str>,
    method: &'static str,
    status: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct RouteLabels {
    route: Arc<str>,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct RefusalLabels {
    reason: RefusalReason,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct OutcomeLabels {
    outcome: AskEnding,
}

/// Guard that increments a gauge until dropped.
#[derive(Debug)]
pub(super) struct GaugeGuard(Gauge);

impl GaugeGuard {
    fn new(gauge: &Gauge) -> Self {
        gauge.inc();
        Self(gauge.clone())
    }
}

impl Drop for GaugeGuard {
    fn drop(&mut self) {
        self.0.dec();
    }
}

/// Metrics of one server.
#[derive(Debug)]
pub(super) struct ServerMetrics {
    registry: Registry,
    requests: Family<RequestLabels, Counter>,
    seconds: Family<RouteLabels, Histogram, fn() -> Histogram>,
    connections: Gauge,
    streams: Gauge,
    waits: Gauge,
    accept_failures: Counter,
    timed_out: Counter,
    refused: Family<RefusalLabels, Counter>,
    opened: Counter,
    ended: Family<OutcomeLabels, Counter>,
    kept_bytes: Gauge,
    body_bytes: Gauge,
    node: NodeMetrics,
}

impl ServerMetrics {
    pub(super) fn new() -> Self {
        let mut metrics = Self {
            registry: Registry::with_prefix("sayso"),
            requests: Family::default(),
            seconds: Family::new_with_constructor(|| Histogram::new(LATENCY_BUCKETS)),
            connections: Gauge::default(),
            streams: Gauge::default(),
            waits: Gauge::default(),
            accept_failures: Counter::default(),
            timed_out: Counter::default(),
            refused: Family::default(),
            opened: Counter::default(),
            ended: Family::default(),
            kept_bytes: Gauge::default(),
            body_bytes: Gauge::default(),
            node: NodeMetrics::default(),
        };
        metrics.register();
        metrics
    }

    fn register(&mut self) {
        let Self { registry, .. } = self;
        registry.register("requests", "Requests answered", self.requests.clone());
        registry.register(
            "request_seconds",
            "Time from a request's header to its reply's",
            self.seconds.clone(),
        );
        registry.register("connections", "Connections open", self.connections.clone());
        registry.register("streams", "Streams of events open", self.streams.clone());
        registry.register("waits", "Requests that wait for a person", self.waits.clone());
        registry.register(
            "accept_failures",
            "Connections that the system did not hand over",
            self.accept_failures.clone(),
        );
        registry.register(
            "connections_timed_out",
            "Connections ended because nothing came in time",
            self.timed_out.clone(),
        );
        registry.register("refused", "Requests and connections refused", self.refused.clone());
        registry.register("asks_opened", "Asks opened", self.opened.clone());
        registry.register(
            "body_bytes_in_flight",
            "Bytes that bodies of requests may take at this time",
            self.body_bytes.clone(),
        );
        registry.register("asks_ended", "Asks ended", self.ended.clone());
        registry.register(
            "kept_bytes",
            "Bytes that the asks of all accounts keep at the desk",
            self.kept_bytes.clone(),
        );
        self.node.register(registry);
    }

    /// Records a completed request. `route` is its template, never its path.
    pub(super) fn record_request(&self, route: &Arc<str>, method: &str, status: u16, time: Duration) {
        let request = RequestLabels {
            route: route.clone(),
            method: known_method(method),
            status: status_class(status),
        };
        self.requests.get_or_create(&request).inc();
        self.seconds.get_or_create(&RouteLabels { route: route.clone() }).observe(time.as_secs_f64());
    }

    /// Counts an open connection until the guard is dropped.
    pub(super) fn count_connection(&self) -> GaugeGuard {
        GaugeGuard::new(&self.connections)
    }

    /// Counts an open event stream until the guard is dropped.
    pub(super) fn count_stream(&self) -> GaugeGuard {
        GaugeGuard::new(&self.streams)
    }

    /// Counts a waiting request until the guard is dropped.
    pub(super) fn count_wait(&self) -> GaugeGuard {
        GaugeGuard::new(&self.waits)
    }

    /// Records a failed accept.
    pub(super) fn record_accept_failure(&self, error: ErrorKind) {
        log_event!(WARN, Http, "accept failed; tried again", error = error);
        self.accept_failures.inc();
    }

    /// Records a connection that timed out.
    pub(super) fn record_timeout(&self) {
        log_event!(INFO, Http, "connection timed out");
        self.timed_out.inc();
    }

    /// Records a refusal.
    pub(super) fn record_refusal(&self, reason: RefusalReason) {
        log_event!(INFO, Http, "refused", reason = reason.name());
        self.refused.get_or_create(&RefusalLabels { reason }).inc();
    }

    /// Records an opened ask.
    pub(super) fn record_opened(&self) {
        self.opened.inc();
    }

    /// Records a settled ask.
    pub(super) fn record_settled(&self, outcome: AskEnding) {
        self.ended.get_or_create(&OutcomeLabels { outcome }).inc();
    }

    /// Returns the gauge of bytes reserved for request bodies.
    pub(super) fn body_bytes_gauge(&self) -> Gauge {
        self.body_bytes.clone()
    }

    /// Sets the number of bytes that the asks of all accounts occupy.
    pub(super) fn set_kept_bytes(&self, bytes: u64) {
        self.kept_bytes.set(i64::try_from(bytes).unwrap_or(i64::MAX));
    }

    /// Sets the figures of this node.
    pub(super) fn set_node_stats(&self, stats: &NodeStats) {
        self.node.set(stats);
    }

    /// Renders all metrics as OpenMetrics text (`application/openmetrics-text; version=1.0.0; charset=utf-8`).
    pub(super) fn render(&self) -> String {
        let mut text = String::new();
        // Writing to a string cannot fail.
        let _ = encode(&mut text, &self.registry);
        text
    }
}

/// Returns a standard method by its name, else `OTHER`: clients may send any word.
pub(super) fn known_method(method: &str) -> &'static str {
    const METHODS: [&str; 9] =
        ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "CONNECT", "TRACE"];
    METHODS.into_iter().find(|known| *known == method).unwrap_or("OTHER")
}

fn status_class(status: u16) -> &'static str {
    match status / 100 {
        1 => "1xx",
        2 => "2xx",
        3 => "3xx",
        4 => "4xx",
        _ => "5xx",
    }
}

#[cfg(test)]
mod tests {
    use super::{AskEnding, RefusalReason, ServerMetrics};
    use std::time::Duration;

    fn line<'a>(text: &'a str, begin: &str) -> Option<&'a str> {
        text.lines().find_map(|line| line.strip_prefix(begin))
    }

    #[test]
    fn all_metrics_are_rendered() {
        let metrics = ServerMetrics::new();
        let took = Duration::from_millis(3);
        metrics.record_request(&"/v1/asks/{id}".into(), "GET", 200, took);
        metrics.record_request(&"/v1/asks/{id}".into(), "GET", 204, took);
        metrics.record_request(&"/v1/asks".into(), "BREW-x\"y", 503, took);
        metrics.record_refusal(RefusalReason::Origin);
        metrics.record_opened();
        metrics.record_settled(AskEnding::Declined);
        let wait = metrics.count_wait();
        let text = metrics.render();
        let begin = "sayso_requests_total{route=\"/v1/asks";
        assert_eq!(line(&text, &format!("{begin}/{{id}}\",method=\"GET\",status=\"2xx\"}} ")), Some("2"));
        assert_eq!(line(&text, &format!("{begin}\",method=\"OTHER\",status=\"5xx\"}} ")), Some("1"));
        let bucket = "sayso_request_seconds_bucket{le=\"0.002\",route=\"/v1/asks/{id}\"} ";
        assert_eq!(line(&text, bucket), Some("0"));
        assert_eq!(line(&text, &bucket.replace("0.002", "0.005")), Some("2"));
        assert_eq!(line(&text, "sayso_refused_total{reason=\"Origin\"} "), Some("1"));
        assert_eq!(line(&text, "sayso_asks_opened_total "), Some("1"));
        assert_eq!(line(&text, "sayso_asks_ended_total{outcome=\"Declined\"} "), Some("1"));
        assert_eq!(line(&text, "sayso_waits "), Some("1"));
        drop(wait);
        assert_eq!(line(&metrics.render(), "sayso_waits "), Some("0"));
        assert!(text.ends_with("# EOF\n"));
    }
}
