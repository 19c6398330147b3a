//! Clients that are too slow, and clients that may be slow.

use super::{ListenerLimits, SHORT, TestServer, wide_limits};
use std::time::Duration;
use tokio::time::timeout;

#[tokio::test]
async fn silent_connection_times_out() {
    let server = TestServer::new(ListenerLimits { first_byte_timeout: SHORT, ..wide_limits() });
    let (got, after) = server.client().await.read_to_end().await;
    assert_eq!(got, "");
    assert!(after >= SHORT, "{after:?}");
    assert_eq!(server.metric("connections_timed_out_total"), 1);
}

#[tokio::test]
async fn incomplete_header_times_out() {
    for begin in ["G", "GET /healthz HTTP/1.1\r\nhost: x\r\n", "PRI * HTTP/2.0\r\n"] {
        let server = TestServer::new(ListenerLimits { header_timeout: SHORT, ..wide_limits() });
        let mut client = server.client().await;
        client.send(begin).await;
        let (got, after) = client.read_to_end().await;
        assert_eq!(got, "");
        assert!(after >= SHORT, "{after:?}");
    }
}

#[tokio::test]
async fn dripping_header_times_out() {
    let server = TestServer::new(ListenerLimits { header_timeout: SHORT, ..wide_limits() });
    let mut client = server.client().await;
    client.send("GET /healthz HTTP/1.1\r\nhost: x\r\na: ").await;
    client.drip(b'a').await;
    assert_eq!(server.metric("connections_timed_out_total"), 1);
}

#[tokio::test]
async fn later_header_times_out() {
    let server = TestServer::new(ListenerLimits { header_timeout: SHORT, ..wide_limits() });
    let mut client = server.client().await;
    client.get("/healthz").await;
    client.read_until("\r\n\r\nok").await;
    client.send("GET /healthz HTTP/1.1\r\nhost: x\r\na: ").await;
    client.drip(b'a').await;
    assert_eq!(server.metric("connections_timed_out_total"), 1);
}

#[tokio::test]
async fn stalled_body_times_out() {
    let server = TestServer::new(ListenerLimits { body_timeout: SHORT, ..wide_limits() });
    let mut client = server.client().await;
    client.send("POST /body HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\nabc").await;
    let (got, after) = client.read_to_end().await;
    assert!(got.starts_with("HTTP/1.1 408 "), "{got}");
    assert!(after >= SHORT, "{after:?}");
}

#[tokio::test]
async fn dripping_body_times_out() {
    let server = TestServer::new(ListenerLimits { body_timeout: SHORT, ..wide_limits() });
    let mut client = server.client().await;
    client.send("POST /body HTTP/1.1\r\nhost: x\r\ncontent-length: 999999\r\n\r\n").await;
    client.drip(b'a').await;
}

#[tokio::test]
async fn body_in_pieces_is_read() {
    let server = TestServer::new(wide_limits());
    let mut client = server.client().await;
    client.send("POST /body HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\nabc").await;
    client.send("defghi").await;
    client.read_until("\r\n\r\n9").await;
}

#[tokio::test]
async fn idle_keep_alive_connection_times_out() {
    let server = TestServer::new(ListenerLimits { idle_timeout: SHORT, ..wide_limits() });
    let mut client = server.client().await;
    let port = client.stream.local_addr().unwrap().port();
    for _ in 0..3 {
        client.get("/peer").await;
        client.read_until(&format!("\r\n\r\n{port}")).await;
    }
    let (got, after) = client.read_to_end().await;
    assert_eq!(got, "");
    assert!(after >= SHORT, "{after:?}");
}

#[tokio::test]
async fn client_that_never_reads_is_dropped() {
    let mut server = TestServer::new(ListenerLimits { write_timeout: SHORT, ..wide_limits() });
    let mut client = server.client().await;
    client.get("/flood").await;
    server.expect_notice("flood let go").await;
    drop(client);
}

#[tokio::test]
async fn waiting_requests_have_no_timeout() {
    let all = ListenerLimits {
        first_byte_timeout: SHORT,
        header_timeout: SHORT,
        body_timeout: SHORT,
        idle_timeout: SHORT,
        write_timeout: SHORT,
        ..wide_limits()
    };
    let mut server = TestServer::new(all);
    let mut waits = server.client().await;
    waits.get("/hold").await;
    server.expect_notice("held").await;
    // With a body that never arrives, and that the handler does not read.
    let mut other = server.client().await;
    other.send("GET /hold HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\n").await;
    server.expect_notice("held").await;
    let mut reads = server.client().await;
    reads.get("/events").await;
    for _ in 0..50 {
        reads.read_until(":\n\n").await;
    }
    assert!(timeout(Duration::ZERO, server.notices.recv()).await.is_err());
    server.closing.cancel();
    assert!(waits.read_to_end().await.0.ends_with("closing"));
    assert!(other.read_to_end().await.0.ends_with("closing"));
}

#[tokio::test]
async fn header_size_is_bounded() {
    let server = TestServer::new(wide_limits());
    let header = |count, length| {
        let lines: String = (0..count).map(|at| format!("x-{at}: {}\r\n", "a".repeat(length))).collect();
        format!("GET /healthz HTTP/1.1\r\nhost: x\r\n{lines}\r\n")
    };
    for (count, length, status) in [(90, 10, "200"), (1, 8_000, "200"), (200, 1, "431"), (1, 20_000, "431")] {
        let mut client = server.client().await;
        client.send(header(count, length)).await;
        client.read_until(&format!("HTTP/1.1 {status} ")).await;
    }
}
