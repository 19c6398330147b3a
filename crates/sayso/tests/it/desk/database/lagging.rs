//! Standby for which no commit waits: what it lacked when it took over is gone, and no one is left to believe otherwise.

use super::{new_token, start_node};
use crate::support::http_client::{HttpCaller, HttpReply};
use crate::support::program::program_output::LIMIT;
use crate::support::proxy::tcp_proxy::TcpProxy;
use crate::support::served_desk::{answer_body, ask_path, create_ask, text, wait_for_metric};
use crate::support::test_world::TestWorld;
use sayso_desk::contract::DatabaseServer;
use std::thread;
use std::time::Instant;

/// Repeats a request until the node has found the server that took over.
fn get_once_there(caller: &HttpCaller, path: &str) -> HttpReply {
    let until = Instant::now() + LIMIT;
    loop {
        let reply = caller.get(path);
        if reply.status < 500 {
            return reply;
        }
        assert!(Instant::now() < until, "{reply:?}");
        thread::yield_now();
    }
}

#[test]
fn loss_of_lagging_standby_is_told() {
    let (world, primary) = (TestWorld::new(), DatabaseServer::start_at_port());
    primary.make_desk();
    let link = TcpProxy::start(primary.port());
    let standby = primary.start_standby_behind(link.port);
    let desk = primary.address_with_standby(&standby, "desk0");
    let [asker, person, admin] = [("asker", "ci"), ("person", "ada"), ("admin", "gateway")]
        .map(|(role, account)| new_token(&world, &desk, role, account));
    let node = start_node(&world, &desk);
    let [asker, person, admin] = [asker, person, admin].map(|token| node.with_token(&token));
    let [kept, awaited] = ["Kept", "Awaited"].map(|title| create_ask(&asker, title));
    primary.wait_for_replay();
    link.freeze();

    // All of this is confirmed, and the standby has none of it.
    let opened = asker.request("POST", "/v1/asks").header("idempotency-key", "one").json(&text("Lost"));
    let lost = opened.send().json(201);
    person.post(&ask_path(&kept, "/answer"), &answer_body(&kept, "8080")).json(200);
    let mut events = person.events();
    let place = events.expect("hello").id.unwrap();
    let (waiting, path) = (asker.clone(), ask_path(&awaited, "/outcome?wait=60"));
    let waits = thread::spawn(move || get_once_there(&waiting, &path));
    wait_for_metric(&admin, "sayso_waits 1");
    primary.kill_9();
    link.cut();
    standby.promote();

    // An ask that is gone is not found; its key opens it again.
    get_once_there(&asker, &ask_path(&lost, "")).problem(404, "ask_not_found");
    let again = opened.send().json(201);
    assert_ne!(again["id"], lost["id"]);
    // An answer that is gone was never given: its ask is open, and takes one again.
    assert_eq!(asker.get(&ask_path(&kept, "")).json(200)["state"], "open");
    person.post(&ask_path(&kept, "/answer"), &answer_body(&kept, "8081")).json(200);
    // A waiter goes on, though changes have numbers now that others had.
    person.post(&ask_path(&awaited, "/answer"), &answer_body(&awaited, "yes")).json(200);
    assert!(waits.join().unwrap().text().contains("yes"));
    // Readers of events are told to read again what is, those who stayed and those who come back.
    while !["gap", "closing"].contains(&&*events.next().unwrap().name) {}
    let mut resumed = person.events_after(&place);
    assert_ne!(resumed.expect("hello").id, Some(place));
    resumed.expect("gap");
}
