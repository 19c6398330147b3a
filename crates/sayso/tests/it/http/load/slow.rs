//! Tests of slow hostile clients, and of idle streams: everything that a timeout decides. One test for all of them, so
//! that they wait in parallel.

use crate::support::http_client::connect;
use crate::support::served_desk::{ServedDesk, ask_path, create_ask};
use crate::support::test_world::TestWorld;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::thread;
use std::time::{Duration, Instant};

/// Time until the server closes an idle connection.
fn time_until_close(mut socket: TcpStream) -> Duration {
    let started = Instant::now();
    let mut all = Vec::new();
    let _ = socket.read_to_end(&mut all);
    let text = String::from_utf8_lossy(&all).into_owned();
    assert!(text.is_empty() || text.starts_with("HTTP/1.1 408"), "{text}");
    started.elapsed()
}

#[test]
fn slow_clients_are_dropped_waiters_kept() {
    const LIMITS: std::ops::Range<Duration> = Duration::from_secs(8)..Duration::from_secs(40);
    let world = TestWorld::new();
    let served = ServedDesk::start(&world);
    let (asker, person, admin) = (served.asker(&world), served.person(&world), served.admin(&world));
    let ask = create_ask(&asker, "A");
    let outcome = asker.request("GET", &ask_path(&ask, "/outcome")).header("accept", "text/event-stream");
    let silent: Vec<_> = (0..50).map(|_| connect(&served.address)).collect();
    let begun = (0..50).map(|_| {
        let mut socket = connect(&served.address);
        socket.write_all(b"GET /v1/me HTTP/1.1\r\nhost: x\r\nx-a").unwrap();
        socket
    });
    let slow: Vec<_> =
        silent.into_iter().chain(begun).map(|socket| thread::spawn(|| time_until_close(socket))).collect();
    // A client that sends a byte now and then gets no more time for its header.
    let mut dripping = connect(&served.address);
    let started = Instant::now();
    dripping.set_read_timeout(Some(Duration::from_millis(500))).unwrap();
    let dripped = thread::spawn(move || {
        let mut byte = [0];
        while dripping.write_all(b"G").is_ok() {
            match dripping.read(&mut byte) {
                Ok(_) => break,
                Err(error) if matches!(error.kind(), std::io::ErrorKind::WouldBlock) => {}
                Err(_) => break,
            }
        }
        started.elapsed()
    });
    let streams = [outcome.stream(), person.events(), asker.events()].map(|mut events| {
        thread::spawn(move || {
            let started = Instant::now();
            while events.comments == 0 {
                events.line();
            }
            started.elapsed()
        })
    });
    // Other clients are not delayed.
    while !slow.iter().all(thread::JoinHandle::is_finished) {
        let asked = Instant::now();
        assert_eq!(served.without_token().get("/healthz").status, 200);
        assert!(asked.elapsed() < Duration::from_secs(10));
    }
    for client in slow {
        let took = client.join().unwrap();
        assert!(LIMITS.contains(&took), "{took:?}");
    }
    assert!(LIMITS.contains(&dripped.join().unwrap()));
    for stream in streams {
        let took = stream.join().unwrap();
        assert!(
            (Duration::from_secs(12)..Duration::from_secs(60)).contains(&took),
            "a comment every 15 s: {took:?}"
        );
    }
    let metrics = admin.get("/metrics").text();
    let counted = metrics.lines().find_map(|line| line.strip_prefix("sayso_connections_timed_out_total "));
    assert!(counted.is_some_and(|count| count.parse::<u32>().unwrap() >= 101), "{metrics}");
}

/// Returns an HTTP/2 frame.
fn frame(kind: u8, flags: u8, stream: u32, payload: &[u8]) -> Vec<u8> {
    let length = u32::try_from(payload.len()).unwrap().to_be_bytes();
    [&length[1..], &[kind, flags], &stream.to_be_bytes(), payload].concat()
}

/// Sends an endless HTTP/2 header until the server closes the connection, and returns the types of the received
/// frames.
fn frames_after_endless_header(address: &str) -> Vec<u8> {
    let mut socket = connect(address);
    socket.write_all(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n").unwrap();
    socket.write_all(&frame(4, 0, 0, &[])).unwrap();
    // A literal header, without an index: `x: AAAA…`.
    let piece = [&[0, 1, b'x', 0x7f, 0x81, 0x7e][..], &[b'A'; 16_256]].concat();
    socket.write_all(&frame(1, 0, 1, &piece)).unwrap();
    let mut reading = socket.try_clone().unwrap();
    let text = thread::spawn(move || {
        let mut all = Vec::new();
        let _ = reading.read_to_end(&mut all);
        all
    });
    let mut sent = 0;
    while socket.write_all(&frame(9, 0, 1, &piece)).is_ok() {
        sent += 1;
        assert!(sent < 2_000, "it goes on");
    }
    let text = text.join().unwrap();
    let (mut kinds, mut rest) = (Vec::new(), text.as_slice());
    while let [a, b, c, kind, ..] = *rest {
        kinds.push(kind);
        let length = usize::try_from(u32::from_be_bytes([0, a, b, c])).unwrap();
        rest = rest.get(9 + length..).unwrap_or_default();
    }
    kinds
}

#[test]
fn endless_header_closes_connection() {
    const GOAWAY: u8 = 7;
    let world = TestWorld::new();
    let served = ServedDesk::start(&world);
    // Its last frame may be lost with the connection, but not every time.
    assert!((0..10).any(|_| frames_after_endless_header(&served.address).contains(&GOAWAY)));
    assert_eq!(served.without_token().get("/healthz").status, 200);
}
