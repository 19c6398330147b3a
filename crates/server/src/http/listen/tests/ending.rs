//! Shutdown of the server, and events that do not cause it.

use super::{Bounds, LONG, Running, SHORT, wide};
use std::time::Instant;
use tokio::net::TcpStream;
use tokio::time::timeout;

impl Running {
    /// Waits until the server has shut down by itself.
    async fn ended(self) {
        timeout(LONG, self.serving).await.expect("the server never ended").unwrap().unwrap();
        assert!(TcpStream::connect(self.address).await.is_err());
    }
}

#[tokio::test]
async fn idle_connections_close_at_once() {
    let server = Running::new(wide());
    let silent = server.client().await;
    let mut served = server.client().await;
    served.get("/healthz").await;
    served.until("\r\n\r\nok").await;
    server.closing.cancel();
    assert_eq!(silent.rest().await.0, "");
    assert_eq!(served.rest().await.0, "");
    server.ended().await;
}

#[tokio::test]
async fn requests_in_flight_are_completed() {
    let mut server = Running::new(wide());
    let mut waits = server.client().await;
    waits.get("/hold").await;
    server.hear("held").await;
    let mut reads = server.client().await;
    reads.get("/events").await;
    reads.until(":\n\n").await;
    server.closing.cancel();
    let (got, _) = waits.rest().await;
    assert!(got.ends_with("\r\n\r\nclosing"), "{got}");
    let (got, _) = reads.rest().await;
    assert!(got.ends_with("0\r\n\r\n"), "{got}");
    server.ended().await;
}

#[tokio::test]
async fn stuck_client_is_cut_off() {
    let mut server = Running::new(Bounds { farewell: SHORT, ..wide() });
    let mut deaf = server.client().await;
    deaf.get("/deaf").await;
    server.hear("held").await;
    let begun = Instant::now();
    server.closing.cancel();
    assert_eq!(deaf.rest().await.0, "");
    assert!(begun.elapsed() >= SHORT);
    server.ended().await;
}

#[tokio::test]
async fn excess_connections_are_dropped() {
    let server = Running::new(Bounds { connections: 2, ..wide() });
    let mut first = server.client().await;
    let mut second = server.client().await;
    for client in [&mut first, &mut second] {
        client.get("/healthz").await;
        client.until("\r\n\r\nok").await;
    }
    assert_eq!(server.client().await.rest().await.0, "");
    assert_eq!(server.count("refused_total{reason=\"Connections\"}"), 1);
    first.send("GET /healthz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n").await;
    first.rest().await;
    let mut next = server.client().await;
    next.get("/healthz").await;
    next.until("\r\n\r\nok").await;
    assert_eq!(server.count("connections"), 2);
}
