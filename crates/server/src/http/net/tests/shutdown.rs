//! Shutdown of the server, and events that do not cause it.

use super::{LONG, ListenerLimits, SHORT, TestServer, wide_limits};
use std::time::Instant;
use tokio::net::TcpStream;
use tokio::time::timeout;

impl TestServer {
    /// Waits until the server has shut down by itself.
    async fn wait_for_shutdown(self) {
        timeout(LONG, self.task).await.expect("the server never ended").unwrap().unwrap();
        assert!(TcpStream::connect(self.address).await.is_err());
    }
}

#[tokio::test]
async fn idle_connections_close_at_once() {
    let server = TestServer::new(wide_limits());
    let silent = server.client().await;
    let mut served = server.client().await;
    served.get("/healthz").await;
    served.read_until("\r\n\r\nok").await;
    server.closing.cancel();
    assert_eq!(silent.read_to_end().await.0, "");
    assert_eq!(served.read_to_end().await.0, "");
    server.wait_for_shutdown().await;
}

#[tokio::test]
async fn requests_in_flight_are_completed() {
    let mut server = TestServer::new(wide_limits());
    let mut waits = server.client().await;
    waits.get("/hold").await;
    server.expect_notice("held").await;
    let mut reads = server.client().await;
    reads.get("/events").await;
    reads.read_until(":\n\n").await;
    server.closing.cancel();
    let (got, _) = waits.read_to_end().await;
    assert!(got.ends_with("\r\n\r\nclosing"), "{got}");
    let (got, _) = reads.read_to_end().await;
    assert!(got.ends_with("0\r\n\r\n"), "{got}");
    server.wait_for_shutdown().await;
}

#[tokio::test]
async fn stuck_client_is_cut_off() {
    let mut server = TestServer::new(ListenerLimits { shutdown_grace: SHORT, ..wide_limits() });
    let mut deaf = server.client().await;
    deaf.get("/deaf").await;
    server.expect_notice("held").await;
    let begun = Instant::now();
    server.closing.cancel();
    assert_eq!(deaf.read_to_end().await.0, "");
    assert!(begun.elapsed() >= SHORT);
    server.wait_for_shutdown().await;
}

#[tokio::test]
async fn excess_connections_are_dropped() {
    let server = TestServer::new(ListenerLimits { max_connections: 2, ..wide_limits() });
    let mut first = server.client().await;
    let mut second = server.client().await;
    for client in [&mut first, &mut second] {
        client.get("/healthz").await;
        client.read_until("\r\n\r\nok").await;
    }
    assert_eq!(server.client().await.read_to_end().await.0, "");
    assert_eq!(server.metric("refused_total{reason=\"Connections\"}"), 1);
    first.send("GET /healthz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n").await;
    first.read_to_end().await;
    let mut next = server.client().await;
    next.get("/healthz").await;
    next.read_until("\r\n\r\nok").await;
    assert_eq!(server.metric("connections"), 2);
}
