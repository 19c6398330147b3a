//! Tests of the client's address behind a proxy, and of the addresses that the server listens at.

use crate::support::http_client::HttpCaller;
use crate::support::served_desk::ServedDesk;
use crate::support::test_world::TestWorld;
use std::net::{Ipv6Addr, TcpListener};

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

#[test]
fn localhost_answers_on_both_families() {
    if TcpListener::bind((Ipv6Addr::LOCALHOST, 0)).is_err() {
        return;
    }
    let world = TestWorld::new();
    let served = ServedDesk::start(&world);
    let port = served.address.rsplit_once(':').unwrap().1.to_owned();
    let caller = HttpCaller { address: format!("[::1]:{port}"), token: None };
    assert_eq!(caller.get("/login").status, 200);
    let elsewhere = ServedDesk::with(&world, &["--public-url", "https://desk.example.com"]);
    let port = elsewhere.address.rsplit_once(':').unwrap().1;
    assert!(std::net::TcpStream::connect(format!("[::1]:{port}")).is_err(), "nothing but what was asked for");
}
