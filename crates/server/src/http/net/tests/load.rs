//! Two thousand clients that are slow in different ways, and one that is not.

use super::client::TestClient;
use super::{LONG, ListenerLimits, TestServer, wide_limits};
use crate::http::net::with_backlog;
use std::net::{TcpListener, TcpStream};
use std::time::{Duration, Instant};
use tokio::task::JoinSet;
use tokio::time::{interval, timeout};

const CLIENTS: usize = 2_000;
/// Long enough that all clients are connected before the first times out.
const LIMIT: Duration = Duration::from_secs(3);

async fn slow(mut client: TestClient, at: usize) {
    match at % 4 {
        0 => {}
        1 => client.send("GET /healthz HTTP/1.1\r\nhost: x\r\n").await,
        2 => {
            client.send("GET /healthz HTTP/1.1\r\nhost: x\r\na: ").await;
            return client.drip(b'a').await;
        }
        _ => client.send("POST /body HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\nabc").await,
    }
    client.read_to_end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn slow_clients_do_not_block_others() {
    let server = TestServer::new(ListenerLimits {
        first_byte_timeout: LIMIT,
        header_timeout: LIMIT,
        body_timeout: LIMIT,
        ..wide_limits()
    });
    let mut tasks = JoinSet::new();
    for at in 0..CLIENTS {
        let client = server.client().await;
        tasks.spawn(slow(client, at));
    }
    let mut quick = server.client().await;
    let started = Instant::now();
    let mut pace = interval(Duration::from_millis(5));
    let mut took = Vec::new();
    while took.is_empty() || server.metric("connections") > 1 {
        let begun = Instant::now();
        quick.get("/healthz").await;
        quick.read_until("\r\n\r\nok").await;
        took.push(begun.elapsed());
        assert!(started.elapsed() < 4 * LONG, "{} connections are left", server.metric("connections"));
        pace.tick().await;
    }
    let all = async { while tasks.join_next().await.is_some_and(|ended| ended.is_ok()) {} };
    timeout(4 * LONG, all).await.unwrap();
    assert!(tasks.is_empty());
    took.sort_unstable();
    // The median, since the machine may be busy at times.
    let usual = took[took.len() / 2];
    assert!(usual < LIMIT / 10, "{usual:?} for most of {}", took.len());
}

#[tokio::test]
async fn backlog_holds_a_thousand_connections() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let _listener = with_backlog(listener).unwrap();
    let come = || TcpStream::connect_timeout(&address, Duration::from_millis(900)).unwrap();
    let there: Vec<_> = (0..1_000).map(|_| come()).collect();
    assert_eq!(there.len(), 1_000);
}
