//! Tests of the client's address behind a proxy, and of the addresses that the server listens at.

use crate::support::browser::test_browser::TestBrowser;
use crate::support::http_client::HttpCaller;
use crate::support::network_desk::NetworkDesk;
use crate::support::served_desk::ServedDesk;
use crate::support::test_world::TestWorld;
use serde_json::json;
use std::io::{Read as _, Write as _, copy};
use std::net::{Ipv4Addr, Ipv6Addr, TcpListener, TcpStream};
use std::thread;

#[test]
fn limit_counts_clients_behind_proxy() {
    let world = TestWorld::new();
    let served = ServedDesk::with(&world, &["--trusted-proxy", "127.0.0.1"]);
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
fn unnamed_program_cannot_pass_for_many_clients() {
    let world = TestWorld::new();
    let served = ServedDesk::start(&world);
    let guess = |number: usize| {
        let body = json!({ "code": "7KQM-2WXA", "key": TestBrowser::new(&served.address).public_key() });
        let request = served.without_token().request("POST", "/v1/session").json(&body);
        request.header("x-forwarded-for", &format!("198.51.100.{number}")).send().status
    };
    let refused = (0..40).map(guess).position(|status| status == 429);
    assert!(refused.is_some_and(|count| (20..30).contains(&count)), "{refused:?}");
    served.program.stderr.wait_for("through a proxy that --trusted-proxy does not name", 0);
}

/// Starts a proxy to a server that says for whom it passes requests on, and returns its address.
fn start_forwarding_proxy(server: String) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let own = address.clone();
    thread::spawn(move || {
        for client in listener.incoming().map_while(Result::ok) {
            let hosts = [own.clone(), server.clone()];
            let server = TcpStream::connect(&server).unwrap();
            let (mut replies, mut to_client) = (server.try_clone().unwrap(), client.try_clone().unwrap());
            thread::spawn(move || copy(&mut replies, &mut to_client));
            thread::spawn(move || forward_requests(client, server, hosts));
        }
    });
    address
}

/// Passes requests without a body on, each with the server's host and the header of a proxy.
fn forward_requests(mut client: TcpStream, mut server: TcpStream, [own, host]: [String; 2]) {
    let mut head = [0; 16 << 10];
    while let Ok(size @ 1..) = client.read(&mut head) {
        let text = str::from_utf8(&head[..size]).unwrap().replace(&own, &host);
        let text = text.replacen("\r\n", "\r\nx-forwarded-for: 198.51.100.7\r\n", 1);
        server.write_all(text.as_bytes()).unwrap();
    }
}

#[test]
fn doctor_reports_unnamed_proxy() {
    let network = NetworkDesk::new();
    let world = network.caller_world(&[("asker", "ci")]);
    let server = network.address.strip_prefix("http://").unwrap();
    let proxy = start_forwarding_proxy(server.to_owned());
    let warnings =
        |address: &str| world.json(&["doctor", "--json", "--desk", address])["desk"]["warnings"].to_string();
    assert!(!warnings(&network.address).contains("proxy"));
    let through_proxy = warnings(&format!("http://{proxy}"));
    assert!(through_proxy.contains("--trusted-proxy 127.0.0.1"), "{through_proxy}");
}

#[test]
fn start_asks_for_the_name_of_a_proxy() {
    let world = TestWorld::new();
    let public = ["--public-url", "https://desk.example.com"];
    let unnamed = ServedDesk::with(&world, &public);
    unnamed.program.stderr.wait_for("A proxy has to serve https://desk.example.com", 0);
    let named = [&public[..], &["--trusted-proxy", "127.0.0.1"]].concat();
    let named = ServedDesk::with(&world, &named);
    let stopped = named.stop();
    assert!(!stopped.stderr.contains("--trusted-proxy"), "{stopped:?}");
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
    assert!(TcpStream::connect(format!("[::1]:{port}")).is_err(), "nothing but what was asked for");
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
