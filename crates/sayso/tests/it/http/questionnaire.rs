//! Tests of `POST /questionnaire` as its own clients use it.

use crate::support::http_client::{HttpCaller, HttpReply};
use crate::support::program::program_output::LIMIT;
use crate::support::served_desk::{ServedDesk, ask_path, new_ask, wait_for_metric};
use crate::support::test_world::TestWorld;
use sayso_core::{Actor, AskCommand, limits};
use sayso_desk::{AskQuery, Desk as _, Interest};
use serde_json::{Value, json};
use std::io::Write as _;
use std::thread;

fn request() -> Value {
    json!({ "questions": [
        {
            "id": "lang", "type": "select", "label": "Language", "prompt": "Which one?", "maxSelect": 1,
            "options": [{ "value": "ts", "label": "TypeScript" }, { "value": "rs", "label": "Rust" }],
            "children": [
                { "id": "why", "type": "text", "label": "Why", "prompt": "Why?", "showIf": { "value": "rs" } },
            ],
        },
    ] })
}

/// Waits until one ask is open, and reads it as a person does.
fn open_ask(world: &TestWorld, person: &HttpCaller) -> Value {
    let desk = world.desk();
    let mut watch = desk.watch(Interest::All, None).unwrap();
    loop {
        if let Some(row) = desk.list(&AskQuery::default()).unwrap().rows.first() {
            return person.get(&format!("/v1/asks/{}", row.id)).json(200);
        }
        watch.wait(LIMIT).unwrap();
    }
}

/// Asks in a thread, as a blocking client, runs a person's actions meanwhile, and returns the reply.
fn call_while_blocked(asker: &HttpCaller, work: impl FnOnce()) -> HttpReply {
    thread::scope(|scope| {
        let asking = scope.spawn(|| asker.post("/questionnaire", &request()));
        work();
        asking.join().unwrap()
    })
}

fn answers(person: &HttpCaller, ask: &Value) {
    let given = json!({ "lang": { "value": "rs" }, "why": { "text": "speed" } });
    person.post(&ask_path(ask, "/answer"), &json!({ "shown": ask["digest"], "answers": given })).json(200);
}

#[test]
fn request_blocks_until_answered() {
    let world = TestWorld::new();
    let served = ServedDesk::start(&world);
    let (asker, person) = (served.asker(&world), served.person(&world));
    let reply = call_while_blocked(&asker, || answers(&person, &open_ask(&world, &person)));
    let result = reply.json(200);
    assert_eq!(result["answers"]["lang"]["value"], "rs");
    assert_eq!(result["answers"]["why"]["text"], "speed");
    assert!(result["submittedAt"].as_str().unwrap().ends_with('Z'));
    // It was taken: the next call creates a new ask.
    let again = call_while_blocked(&asker, || answers(&person, &open_ask(&world, &person)));
    assert_ne!(again.json(200)["submittedAt"], result["submittedAt"]);
}

#[test]
fn decline_returns_reason_and_draft() {
    let world = TestWorld::new();
    let served = ServedDesk::start(&world);
    let (asker, person) = (served.asker(&world), served.person(&world));
    let draft = json!({ "why": { "state": "answered", "answer": { "text": "half a thought" } } });
    let reply = call_while_blocked(&asker, || {
        let ask = open_ask(&world, &person);
        person
            .request("PATCH", &ask_path(&ask, "/draft"))
            .json(&json!({ "replies": draft }))
            .send()
            .json(200);
        let no = json!({ "shown": ask["digest"], "reason": "not now" });
        person.post(&ask_path(&ask, "/decline"), &no).json(200);
    });
    let value =
        json!({ "cancelled": true, "message": "User cancelled the questionnaire", "reason": "not now" });
    assert_eq!(reply.json(499), value);
    // However many asks came after it.
    let desk = world.desk();
    for number in 0..limits::LIST_ROWS + 5 {
        let ask = desk.open(None, new_ask("ci", &number.to_string())).unwrap().into_ask();
        desk.act(&Actor::Asker(ask.request.asker.clone()), ask.id, None, AskCommand::CANCEL).unwrap();
    }
    call_while_blocked(&asker, || {
        // It is asked, and then the typed text is returned.
        let desk = world.desk();
        let mut watch = desk.watch(Interest::All, None).unwrap();
        let ask = open_ask(&world, &person);
        let kept = || person.get(&ask_path(&ask, "/draft")).json(200)["replies"].clone();
        while kept() != draft {
            assert!(!watch.wait(LIMIT).unwrap().is_empty(), "nothing is brought: {}", kept());
        }
        answers(&person, &ask);
    });
    // A draft older than the answer does not come back, whatever has ended without an answer since.
    for _ in 0..2 {
        let asked = asker.request("POST", "/questionnaire").header("prefer", "respond-async");
        let id = asked.json(&request()).send().json(202)["ask"].as_str().unwrap().to_owned();
        asker.post(&format!("/v1/asks/{id}/cancel"), &json!({})).json(200);
    }
    call_while_blocked(&asker, || {
        let ask = open_ask(&world, &person);
        let fresh = person.get(&ask_path(&ask, "/draft")).json(200);
        assert_eq!(fresh["replies"], json!({}), "after an answer it starts fresh");
        answers(&person, &ask);
    });
}

#[test]
fn disconnected_client_finds_its_ask() {
    let world = TestWorld::new();
    let served = ServedDesk::start(&world);
    let (asker, person) = (served.asker(&world), served.person(&world));
    let mut gone = asker.request("POST", "/questionnaire").json(&request()).send_and_disconnect();
    // Even after it has sent more than is read.
    gone.write_all(b"GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n").unwrap();
    let ask = open_ask(&world, &person);
    assert!(ask["presence"].get("attached").is_some(), "{ask}");
    let desk = world.desk();
    let mut watch = desk.watch(Interest::All, None).unwrap();
    drop(gone);
    while person.get(&ask_path(&ask, "")).json(200)["presence"].get("detached").is_none() {
        assert!(!watch.wait(LIMIT).unwrap().is_empty(), "nobody notices that it has left");
    }
    let reply = call_while_blocked(&asker, || {
        assert_eq!(open_ask(&world, &person)["id"], ask["id"]);
        answers(&person, &ask);
    });
    reply.json(200);
    assert_eq!(world.desk().list(&AskQuery::default()).unwrap().rows.len(), 0, "there was one ask");
}

#[test]
fn any_waiting_client_counts() {
    let world = TestWorld::new();
    let served = ServedDesk::start(&world);
    let (asker, person, admin) = (served.asker(&world), served.person(&world), served.admin(&world));
    let waits = || asker.request("POST", "/questionnaire").json(&request()).send_and_disconnect();
    let (one, other) = (waits(), waits());
    wait_for_metric(&admin, "sayso_waits 2");
    let ask = open_ask(&world, &person);
    drop(one);
    wait_for_metric(&admin, "sayso_waits 1");
    for _ in 0..20 {
        let presence = person.get(&ask_path(&ask, "")).json(200)["presence"].clone();
        assert!(presence.get("attached").is_some(), "{presence}");
    }
    drop(other);
    let detached = || person.get(&ask_path(&ask, "")).json(200)["presence"].get("detached").is_some();
    let mut watch = world.desk().watch(Interest::All, None).unwrap();
    while !detached() {
        assert!(!watch.wait(LIMIT).unwrap().is_empty(), "nobody notices that it has left");
    }
}

#[test]
fn non_waiting_client_gets_outcome_url() {
    let world = TestWorld::new();
    let served = ServedDesk::start(&world);
    let (asker, person) = (served.asker(&world), served.person(&world));
    let later =
        asker.request("POST", "/questionnaire").header("prefer", "respond-async").json(&request()).send();
    let place = later.json(202)["outcome"].as_str().unwrap().to_owned();
    assert_eq!(later.header("location"), Some(place.as_str()));
    answers(&person, &open_ask(&world, &person));
    let outcome = asker.get(&place).json(200);
    assert_eq!(outcome["state"], "answered");
    let reply: Value = serde_json::from_str(outcome["reply"]["stdout"].as_str().unwrap()).unwrap();
    assert_eq!(reply["answers"]["why"]["text"], "speed");
}

#[test]
fn bad_request_lists_all_places() {
    let world = TestWorld::new();
    let served = ServedDesk::start(&world);
    let asker = served.asker(&world);
    let bad = json!({ "questions": [{ "id": "x", "type": "selct", "label": "X" }] });
    let problem = asker.post("/questionnaire", &bad).json(400);
    let places: Vec<_> =
        problem["errors"].as_array().unwrap().iter().map(|error| &error["pointer"]).collect();
    assert_eq!(places, ["/questions/0/prompt", "/questions/0/type"]);
    assert_eq!(
        served.without_token().post("/questionnaire", &request()).problem(401, "unauthorized")["status"],
        401
    );
    let document = served.without_token().get("/questionnaire/openapi.json").json(200);
    assert_eq!(document["openapi"], "3.0.3");
}
