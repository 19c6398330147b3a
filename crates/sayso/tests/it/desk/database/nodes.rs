//! Callers that move between two nodes: no node keeps anything of them that the other lacks.

use super::{new_token, start_node_with};
use crate::mcp::host::{LEGACY, release};
use crate::mcp::network::{HttpHost, next_message, result_of};
use crate::support::browser::test_browser::TestBrowser;
use crate::support::http_client::{HttpCaller, HttpReply};
use crate::support::program::program_output::LIMIT;
use crate::support::program::signal;
use crate::support::proxy::tcp_proxy::TcpProxy;
use crate::support::served_desk::{
    ServedDesk, answer_body, ask_path, create_ask, id_of, new_ask, text, wait_for_metric,
};
use crate::support::test_world::TestWorld;
use sayso_core::limits;
use sayso_desk::contract::DatabaseServer;
use sayso_desk::{PostgresAddress, StoreDesk};
use serde_json::json;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::thread;
use std::time::Instant;

/// Two nodes of one desk.
pub(super) struct TwoNodes {
    world: TestWorld,
    _server: Arc<DatabaseServer>,
    address: PostgresAddress,
    pub(super) nodes: [ServedDesk; 2],
}

impl TwoNodes {
    pub(super) fn start(args: &[&str]) -> Self {
        let (world, server) = (TestWorld::new(), DatabaseServer::shared());
        let address = server.make_desk();
        let name = address.to_string();
        let nodes = [start_node_with(&world, &name, args), start_node_with(&world, &name, args)];
        Self { world, _server: server, address, nodes }
    }

    fn desk(&self) -> StoreDesk {
        StoreDesk::open_database(&self.address).unwrap()
    }

    /// Returns one caller at both nodes.
    pub(super) fn caller(&self, role: &str, account: &str) -> [HttpCaller; 2] {
        let token = new_token(&self.world, &self.address.to_string(), role, account);
        self.nodes.each_ref().map(|node| node.with_token(&token))
    }

    fn port(&self, node: usize) -> u16 {
        self.nodes[node].address.rsplit_once(':').unwrap().1.parse().unwrap()
    }

    pub(super) fn kill_9(&self, node: usize) {
        signal(self.nodes[node].program.pid, "KILL");
    }
}

#[test]
fn browser_session_holds_at_both_nodes() {
    let balancer = TcpProxy::start(0);
    let public = format!("127.0.0.1:{}", balancer.port);
    let url = format!("http://{public}");
    let two = TwoNodes::start(&["--rate", "0", "--public-url", &url]);
    let code = two.desk().new_login_code("ada").unwrap().reveal();

    balancer.send_to(two.port(0));
    let mut browser = TestBrowser::new(&public);
    assert_eq!(browser.sign_in(&code).status, 200);
    balancer.send_to(two.port(1));
    assert_eq!(browser.get("/v1/me").json(200)["account"], "ada");
    TestBrowser::new(&public).sign_in(&code).problem(401, "unauthorized");
    let mut events = browser.request("GET", "/v1/events").stream();
    events.expect("hello");

    // Signed out at one node, the browser is signed out at the other, and what it holds open there ends.
    balancer.send_to(two.port(0));
    assert_eq!(browser.delete("/v1/session").status, 204);
    assert_eq!(events.next(), None);
    balancer.send_to(two.port(1));
    browser.get("/v1/me").problem(401, "unauthorized");
}

/// Calls at one node and then at the other until both refuse, and checks that the second one knows what was taken at
/// the first: alone it would let the next call in after a second.
fn assert_counted_together(calls: [&dyn Fn() -> HttpReply; 2]) {
    let until = Instant::now() + LIMIT;
    let refusal = |call: &dyn Fn() -> HttpReply| loop {
        let reply = call();
        if reply.status == 429 {
            break reply.header("retry-after").unwrap().parse::<u64>().unwrap();
        }
    };
    loop {
        refusal(calls[0]);
        if refusal(calls[1]) > 1 {
            return;
        }
        assert!(Instant::now() < until, "each node counts for itself");
    }
}

#[test]
fn rate_limits_count_both_nodes() {
    let two = TwoNodes::start(&["--rate", "1"]);
    let [first, second] = two.caller("asker", "ci");
    assert_counted_together([&|| first.get("/v1/me"), &|| second.get("/v1/me")]);
    // No one else is charged for it.
    let [_, other] = two.caller("person", "ada");
    assert_eq!(other.get("/v1/me").status, 200);
    let wrong = format!("sayso_a_{}", "a".repeat(56));
    let [first, second] = two.nodes.each_ref().map(|node| node.with_token(&wrong));
    assert_counted_together([&|| first.get("/v1/me"), &|| second.get("/v1/me")]);
}

#[test]
fn quota_counts_asks_of_both_nodes() {
    let two = TwoNodes::start(&["--rate", "0"]);
    let ([first, second], [_, person]) = (two.caller("asker", "ci"), two.caller("person", "ada"));
    let all = (2..limits::ACCOUNT_OPEN_ASKS)
        .map(|number| (format!("key {number}"), new_ask("ci", &format!("{number}?"))));
    two.desk().open_all(all.collect()).unwrap();
    create_ask(&first, "The last but one");
    let last = create_ask(&second, "The last one");
    for caller in [&first, &second] {
        caller.post("/v1/asks", &text("One more")).problem(429, "desk_crowded");
    }
    person.post(&ask_path(&last, "/answer"), &answer_body(&last, "yes")).json(200);
    create_ask(&first, "One more");
}

#[test]
fn repeated_key_finds_the_first_reply() {
    let two = TwoNodes::start(&["--rate", "0"]);
    let (askers, people) = (two.caller("asker", "ci"), two.caller("person", "ada"));
    let [opened, again] = askers.each_ref().map(|asker| {
        asker.request("POST", "/v1/asks").header("idempotency-key", "one").json(&text("Which port?")).send()
    });
    let (opened, again) = (opened.json(201), again.json(200));
    assert_eq!(opened["id"], again["id"]);
    let answer = |person: &HttpCaller, words: &str| {
        let request = person.request("POST", &ask_path(&opened, "/answer")).header("idempotency-key", "two");
        request.json(&answer_body(&opened, words)).send()
    };
    let [reply, repeated] = people.each_ref().map(|person| answer(person, "8080").json(200));
    assert_eq!(reply, repeated);
    answer(&people[1], "8081").problem(422, "key_reused");
    let [outcome, repeated] =
        askers.each_ref().map(|asker| asker.get(&ask_path(&opened, "/outcome")).json(200));
    assert_eq!(outcome, repeated, "the outcome was rendered once");
}

#[test]
fn wait_goes_on_at_other_node() {
    let two = TwoNodes::start(&["--rate", "0"]);
    let ([first, second], [_, person]) = (two.caller("asker", "ci"), two.caller("person", "ada"));
    let [admin, _] = two.caller("admin", "gateway");
    let ask = create_ask(&first, "Which port?");
    let wait = |caller: &HttpCaller| caller.request("GET", &ask_path(&ask, "/outcome?wait=60"));
    let (begun, moved) = (wait(&first), wait(&second));
    let waits = thread::spawn(move || {
        assert!(begun.try_send().is_none(), "its node is gone");
        moved.send().json(200)
    });
    wait_for_metric(&admin, "sayso_waits 1");
    two.kill_9(0);
    person.post(&ask_path(&ask, "/answer"), &answer_body(&ask, "8080")).json(200);
    let outcome = waits.join().unwrap();
    assert_eq!(outcome["outcome"]["replies"]["text"]["answer"]["text"], "8080");
}

#[test]
fn events_go_on_at_other_node() {
    let two = TwoNodes::start(&["--rate", "0"]);
    let ([first, second], people) = (two.caller("asker", "ci"), two.caller("person", "ada"));
    let mut whole = people[1].events();
    whole.expect("hello");
    let mut events = people[0].events();
    events.expect("hello");
    let read = create_ask(&second, "Read at the first node");
    let mut seen = vec![events.change_of(id_of(&read))];
    let place = events.last_id.clone().unwrap();
    // More happens at both nodes before the reader comes back, after the end of its node.
    let mut asks = vec![create_ask(&first, "By the first node")];
    two.kill_9(0);
    asks.extend((0..300).map(|number| create_ask(&second, &format!("Number {number}"))));
    let mut moved = people[1].events_after(&place);
    assert_eq!(moved.expect("hello").id, Some(place));
    asks.push(create_ask(&second, "Live"));
    let last = json!(id_of(asks.last().unwrap()));
    while seen.last().unwrap().data["ask"] != last {
        seen.push(moved.expect("change"));
    }
    let expected: Vec<_> = seen.iter().map(|_| whole.expect("change")).collect();
    assert_eq!(seen, expected);
    let ids: BTreeSet<_> = seen.iter().map(|event| event.data["ask"].as_str().unwrap()).collect();
    assert_eq!(ids, asks.iter().chain([&read]).map(id_of).collect());
}

#[test]
fn sealed_round_opens_at_other_node() {
    let (world, elsewhere, server) = (TestWorld::new(), TestWorld::new(), DatabaseServer::shared());
    world.allow_host_features();
    elsewhere.allow_host_features();
    let name = server.make_desk().to_string();
    let nodes = [start_node_with(&world, &name, &[]), start_node_with(&elsewhere, &name, &[])];
    let asker = new_token(&world, &name, "asker", "ci");
    let person = nodes[0].with_token(&new_token(&world, &name, "person", "ada"));
    let pages = json!({ "elicitation": { "url": {} } });
    let hosts = nodes.each_ref().map(|node| HttpHost::sessionless(node.with_token(&asker), pages.clone()));
    let first = hosts[0].call("ask", &release());
    let id = first["inputRequests"]["page"]["params"]["elicitationId"].as_str().unwrap();
    let ask = person.get(&format!("/v1/asks/{id}")).json(200);
    person.post(&ask_path(&ask, "/decline"), &json!({ "shown": ask["digest"] })).json(200);
    let params = json!({
        "name": "ask", "arguments": release(), "requestState": first["requestState"],
        "inputResponses": { "page": { "action": "accept" } },
    });
    let repeat = |host: &HttpHost| {
        let result = result_of(&mut host.request("tools/call", params.clone()).stream());
        let view = &result["structuredContent"];
        assert_eq!([&view["status"], &view["ask_id"]], ["declined", id], "{result}");
    };
    repeat(&hosts[0]);
    nodes[0].with_token(&asker).post(&ask_path(&ask, "/ack"), &json!({})).json(200);
    // The same question would be a new one now, but for the state that names the ask.
    repeat(&hosts[1]);
}

#[test]
fn mcp_session_goes_on_at_other_node() {
    let two = TwoNodes::start(&["--rate", "0"]);
    let ([first, second], [_, person]) = (two.caller("asker", "ci"), two.caller("person", "ada"));
    let host = HttpHost::with_session(first, LEGACY[1], json!({}));
    let last = host.ask_and_cut_off();
    let listed = person.get("/v1/asks").json(200);
    let ask = person.get(&ask_path(&listed["asks"][0], "")).json(200);
    two.kill_9(0);
    let host = host.at(second);
    let lost = next_message(&mut host.resume(&last));
    assert_eq!(lost["id"], 7, "the call does not wait for a node that is gone: {lost}");
    assert_eq!(
        lost["error"]["message"],
        "The server that ran this call has ended. What it asked is kept: repeat the call to go on."
    );
    let mut call = host.begin("ask", &release());
    next_message(&mut call);
    person.post(&ask_path(&ask, "/decline"), &json!({ "shown": ask["digest"] })).json(200);
    let result = result_of(&mut call)["structuredContent"].clone();
    assert_eq!([&result["status"], &result["ask_id"]], [&json!("declined"), &ask["id"]]);
}
