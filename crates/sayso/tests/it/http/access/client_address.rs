//! Tests of the client's address behind a proxy, and of the addresses that the server listens at.

use crate::support::http_client::HttpCaller;
use crate::support::served_desk::ServedDesk;
use crate::support::test_world::TestWorld;
use std::net::{Ipv4Addr, Ipv6Addr, TcpListener};

#[test]
fn limit_counts_clients_behind_proxy() {
    let world = TestWorld::new();
    let served = ServedDesk::start(&world);
    let guess = |forwarded: &str| {
        let request = served.with_token("sayso_wrong").request("GET", "/v1/me");
        request.header("x-forwarded-for", forwarded).send().status
    };
    let refused = (0..40).map(|_| guess("198.51.100.7")).position(|status| status == 429);
    assert!(refused.is_some_and(|count| count >= 20), "{refused:?}");
    // A client writes only the beginning of the list, so it cannot pass for another one.
    assert_eq!(guess("203.0.113.1, 198.51.100.7"), 429);
    assert_eq!(guess("198.51.100.8"), 401, "another client behind the same proxy");
}

/// Returns listeners on one free port of `127.0.0.1` and `[::1]`, or nothing on a machine without IPv6.
fn listeners_on_both_families() -> Option<[TcpListener; 2]> {
    loop {
        let sixth = TcpListener::bind((Ipv6Addr::LOCALHOST, 0)).ok()?;
        let port = sixth.local_addr().unwrap().port();
        // A connection of another program may begin at this port.
        if let Ok(fourth) = TcpListener::bind((Ipv4Addr::LOCALHOST, port)) {
            return Some([fourth, sixth]);
        }
    }
}

#[test]
fn localhost_answers_on_both_families() {
    let Some([fourth, sixth]) = listeners_on_both_families() else {
        return;
    };
    let address = fourth.local_addr().unwrap();
    drop([fourth, sixth]);
    let world = TestWorld::new();
    let _served = ServedDesk::restart_at(&world, &address.to_string());
    let caller = HttpCaller { address: format!("[::1]:{}", address.port()), token: None };
    assert_eq!(caller.get("/login").status, 200);
    let elsewhere = ServedDesk::with(&world, &["--public-url", "https://desk.example.com"]);
    let port = elsewhere.address.rsplit_once(':').unwrap().1;
    assert!(std::net::TcpStream::connect(format!("[::1]:{port}")).is_err(), "nothing but what was asked for");
}

#[test]
fn log_names_a_port_that_another_program_has() {
    let Some([fourth, sixth]) = listeners_on_both_families() else {
        return;
    };
    let address = fourth.local_addr().unwrap();
    drop(fourth);
    let world = TestWorld::new();
    let served = ServedDesk::restart_at(&world, &address.to_string());
    let line = format!("another program has this port at [::1] port={}", address.port());
    served.program.stderr.wait_for(&line, 0);
    drop(sixth);
}
