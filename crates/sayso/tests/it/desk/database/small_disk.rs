//! Database on a disk that is full for a while: a node says so, loses nothing that it confirmed, and goes on by itself.

use super::load::read_all;
use super::{new_token, start_node};
use crate::support::served_desk::{answer_body, ask_path, create_ask, id_of};
use crate::support::test_world::TestWorld;
use sayso_core::AskId;
use sayso_desk::StoreDesk;
use sayso_desk::contract::DatabaseServer;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// Size of the disk, of which empty databases take the half.
const DISK_MEGABYTES: u32 = 32;

fn large_request(number: usize) -> Value {
    // Random letters: the database compresses what repeats itself.
    let random = sayso_desk::random::random_bytes::<200_000>().unwrap();
    let prompt: String = random.iter().map(|byte| char::from(b'a' + byte % 26)).collect();
    json!({ "request": { "title": format!("Large {number}"), "questions": [{ "id": "text", "prompt": prompt }] } })
}

#[test]
#[expect(clippy::print_stderr, reason = "a test that is not run says why")]
fn full_disk_loses_nothing_confirmed() {
    let server = match DatabaseServer::start_on_small_disk(DISK_MEGABYTES) {
        Ok(server) => server,
        Err(reason) => {
            eprintln!("not run: this needs a disk of its own, and {reason}");
            return;
        }
    };
    let world = TestWorld::new();
    let address = server.make_desk();
    let [asker, person] = [("asker", "ci"), ("person", "ada")]
        .map(|(role, account)| new_token(&world, &address.to_string(), role, account));
    let node = start_node(&world, &address.to_string());
    let (asker, person) = (node.with_token(&asker), node.with_token(&person));
    let mut asks = vec![create_ask(&asker, "Which port?")];

    let post = |number: usize, body: &Value| {
        asker.request("POST", "/v1/asks").header("idempotency-key", &format!("{number}")).json(body).send()
    };
    let refused = (0..1_000).find_map(|number| {
        let body = large_request(number);
        let reply = post(number, &body);
        if reply.status == 201 {
            asks.push(reply.json(201));
            return None;
        }
        reply.problem(507, "desk_full");
        Some((number, body))
    });
    let (number, body) = refused.expect("the disk never fills up");
    server.fill_disk();
    post(number, &body).problem(507, "desk_full");
    // Confirmed asks are read as before.
    for ask in &asks {
        assert_eq!(asker.get(&ask_path(ask, "")).json(200)["id"], ask["id"]);
    }

    server.clear_disk();
    asks.push(post(number, &body).json(201));
    person.post(&ask_path(&asks[0], "/answer"), &answer_body(&asks[0], "8080")).json(200);
    let opened: BTreeSet<AskId> = asks.iter().map(|ask| AskId::parse(id_of(ask)).unwrap()).collect();
    let desk = StoreDesk::open_database(&address).unwrap();
    let seen: BTreeSet<AskId> = read_all(&desk).iter().map(|seen| seen.ask.id).collect();
    assert_eq!(seen, opened, "a refused ask is not there, and no confirmed one is missing");
    let answered = asker.get(&ask_path(&asks[0], "")).json(200);
    assert_eq!(answered["state"], "answered");
}
