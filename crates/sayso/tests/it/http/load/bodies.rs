//! Tests of partial request bodies: their memory in the server is bounded and freed again.

use crate::support::http_client::{HttpCaller, connect};
use crate::support::program::program_output::LIMIT;
use crate::support::served_desk::{ServedDesk, ask_path, create_ask, text, wait_for_metric};
use crate::support::test_world::TestWorld;
use sayso_core::limits;
use sayso_desk::token::TokenRole;
use std::io::{ErrorKind, Read as _, Write as _};
use std::net::TcpStream;
use std::time::Instant;

const MIB: u64 = 1 << 20;

/// Returns the resident memory of a process, in bytes.
fn resident_bytes(pid: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() << 10
}

/// Waits until a process takes at most this much memory.
fn wait_until_resident(pid: u32, most: u64) {
    let until = Instant::now() + LIMIT;
    while resident_bytes(pid) > most {
        assert!(Instant::now() < until, "{} MiB, more than {}", resident_bytes(pid) / MIB, most / MIB);
        std::thread::yield_now();
    }
}

/// Starts a request whose body has this many bytes.
fn begin(caller: &HttpCaller, path: &str, length: usize) -> TcpStream {
    let mut socket = connect(&caller.address);
    let head = format!(
        "POST {path} HTTP/1.1\r\nhost: {}\r\nauthorization: Bearer {}\r\ncontent-type: application/octet-stream\r\n\
         content-length: {length}\r\n\r\n",
        caller.address,
        caller.token.as_deref().unwrap()
    );
    socket.write_all(head.as_bytes()).unwrap();
    socket.set_nonblocking(true).unwrap();
    socket
}

/// Sends this many bytes on each connection, as far as the peer reads them, until `is_done`.
fn send(sockets: &mut [TcpStream], bytes: usize, is_done: impl Fn() -> bool) {
    let piece = vec![b'x'; 64 << 10];
    let mut left = vec![bytes; sockets.len()];
    let until = Instant::now() + LIMIT;
    while !is_done() {
        assert!(Instant::now() < until);
        for (socket, left) in sockets.iter_mut().zip(&mut left) {
            while *left > 0 {
                match socket.write(&piece[..piece.len().min(*left)]) {
                    Ok(written) => *left -= written,
                    Err(error) if error.kind() == ErrorKind::WouldBlock => break,
                    Err(_) => *left = 0,
                }
            }
        }
    }
}

fn metric(admin: &HttpCaller, name: &str) -> usize {
    let text = admin.get("/metrics").text();
    text.lines().find_map(|line| line.strip_prefix(name)?.trim().parse().ok()).unwrap_or(0)
}

#[test]
fn partial_bodies_per_account_are_bounded() {
    let world = TestWorld::new();
    let served = ServedDesk::start(&world);
    let (asker, admin) = (served.asker(&world), served.admin(&world));
    let path = ask_path(&create_ask(&asker, "door"), "/offer?form=f");
    let pid = served.program.pid;
    let before = resident_bytes(pid);
    let mut sockets: Vec<_> = (0..380).map(|_| begin(&asker, &path, limits::BODY_BYTES)).collect();
    let refused = || metric(&admin, "sayso_refused_total{reason=\"Bodies\"}");
    send(&mut sockets, limits::BODY_BYTES - 1, || refused() == 378);
    assert_eq!(metric(&admin, "sayso_body_bytes_in_flight"), limits::ACCOUNT_BODIES_BYTES);
    let taken = resident_bytes(pid) - before;
    assert!(taken < 48 * MIB, "{} MiB", taken / MIB);
    // Other accounts are not blocked.
    create_ask(&served.caller(&world, TokenRole::Asker, "other"), "wall");
    drop(sockets);
    wait_for_metric(&admin, "sayso_body_bytes_in_flight 0");
    wait_until_resident(pid, before + 24 * MIB);
}

#[test]
fn refused_body_gets_retry_after() {
    let world = TestWorld::new();
    let served = ServedDesk::start(&world);
    let (asker, admin) = (served.asker(&world), served.admin(&world));
    let path = ask_path(&create_ask(&asker, "door"), "/offer?form=f");
    let held: Vec<_> = (0..2).map(|_| begin(&asker, &path, limits::BODY_BYTES)).collect();
    wait_for_metric(&admin, &format!("sayso_body_bytes_in_flight {}", limits::ACCOUNT_BODIES_BYTES));
    let refused = asker.post("/v1/asks", &text("wall"));
    refused.problem(429, "too_many_requests");
    assert_eq!(refused.header("retry-after"), Some("30"));
    drop(held);
    create_ask(&asker, "wall");
}

#[test]
fn partial_bodies_are_bounded_and_freed() {
    let world = TestWorld::new();
    let served = ServedDesk::start(&world);
    let admin = served.admin(&world);
    let pid = served.program.pid;
    let accounts: Vec<_> =
        (0..20).map(|n| served.caller(&world, TokenRole::Asker, &format!("ci-{n}"))).collect();
    let before = resident_bytes(pid);
    let mut sockets: Vec<_> =
        (0..60).map(|n| begin(&accounts[n % 20], "/v1/asks/x/offer?form=f", limits::BODY_BYTES)).collect();
    let refused = || metric(&admin, "sayso_refused_total{reason=\"Bodies\"}");
    send(&mut sockets, limits::BODY_BYTES - 1, || refused() == 28);
    assert_eq!(metric(&admin, "sayso_body_bytes_in_flight"), limits::BODIES_IN_FLIGHT_BYTES);
    let taken = resident_bytes(pid) - before;
    assert!(taken < 320 * MIB, "{} MiB", taken / MIB);
    for mut socket in sockets {
        socket.set_nonblocking(false).unwrap();
        // The last byte, so that each body is read and handled to its end.
        let _ = socket.write_all(b"x");
        let _ = socket.read(&mut [0; 64]);
    }
    wait_for_metric(&admin, "sayso_body_bytes_in_flight 0");
    wait_until_resident(pid, before + 64 * MIB);
}

#[test]
fn memory_returns_after_flood() {
    let world = TestWorld::new();
    let served = ServedDesk::with(&world, &["--rate", "0"]);
    let pid = served.program.pid;
    let askers: Vec<_> =
        (0..8).map(|n| served.caller(&world, TokenRole::Asker, &format!("ci-{n}"))).collect();
    let before = resident_bytes(pid);
    std::thread::scope(|scope| {
        for n in 0..100 {
            let asker = &askers[n % askers.len()];
            scope.spawn(move || {
                let mut request = text(&format!("door {n}"));
                request["request"]["context"] = "x".repeat(300_000).into();
                let ask = asker.post("/v1/asks", &request).json(201);
                asker.post(&ask_path(&ask, "/cancel"), &serde_json::json!({})).json(200);
            });
        }
    });
    wait_until_resident(pid, before * 5 / 2);
}

#[test]
fn duplicate_content_length_is_refused() {
    let world = TestWorld::new();
    let served = ServedDesk::start(&world);
    let token = served.asker(&world).token.unwrap();
    let head = format!(
        "POST /v1/asks HTTP/1.1\r\nhost: {}\r\nauthorization: Bearer {token}\r\ncontent-type: application/json\r\n",
        served.address
    );
    let smuggled = format!(
        "0\r\n\r\nGET /v1/me HTTP/1.1\r\nhost: {}\r\nauthorization: Bearer {token}\r\n\r\n",
        served.address
    );
    let length = format!("content-length: {}\r\n", smuggled.len());
    let chunked = "transfer-encoding: chunked\r\n".to_owned();
    for both in [[&length, &chunked], [&chunked, &length]].map(|both| both.map(String::as_str).concat()) {
        let mut socket = connect(&served.address);
        socket.write_all(format!("{head}{both}\r\n{smuggled}").as_bytes()).unwrap();
        let mut reply = String::new();
        // Unread bytes may end the connection with a reset.
        let _ = socket.read_to_string(&mut reply);
        assert!(reply.starts_with("HTTP/1.1 400"), "{both}: {reply}");
        assert_eq!(reply.matches("HTTP/1.1").count(), 1, "{reply}");
    }
    create_ask(&served.with_token(&token), "chunked or not, others are served");
}
