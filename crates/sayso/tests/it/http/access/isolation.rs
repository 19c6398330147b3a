//! Tests of isolation between callers, and of streams that end with their credential.

use crate::support::http_client::HttpCaller;
use crate::support::served_desk::{
    ServedDesk, ask_path, create_ask, id_of, new_ask, new_token, text, wait_for_metric,
};
use crate::support::test_world::TestWorld;
use sayso_desk::Desk as _;
use sayso_desk::token::TokenRole;
use serde_json::{Value, json};
use std::collections::HashSet;

/// Returns the error about an ask, without the requested id.
fn error_text(problem: &Value, id: &str) -> String {
    problem.to_string().replace(id, "ID")
}

#[test]
fn foreign_ask_looks_missing() {
    let world = TestWorld::new();
    let served = ServedDesk::start(&world);
    let (asker, other) = (served.asker(&world), served.caller(&world, TokenRole::Asker, "other"));
    let ask = create_ask(&asker, "Secret");
    let (there, none) = (id_of(&ask), "01a2026d-e0f7-72d6-9f76-8d171d35a856");
    for (method, more) in [("GET", ""), ("GET", "/outcome"), ("POST", "/ack"), ("POST", "/cancel")] {
        let output_of = |id: &str| {
            let target = format!("/v1/asks/{id}{more}");
            error_text(&other.request(method, &target).send().problem(404, "ask_not_found"), id)
        };
        assert_eq!(output_of(there), output_of(none), "{method} {more}");
    }
}

#[test]
fn tokens_of_one_account_share_asks() {
    let world = TestWorld::new();
    let served = ServedDesk::start(&world);
    let [one, two] = [(); 2].map(|()| served.with_token(&new_token(&world, TokenRole::Asker, "ci")));
    let ask = create_ask(&one, "Ours");
    assert_eq!(two.post("/v1/asks", &text("Ours")).json(200)["id"], ask["id"]);
    assert_eq!(two.get("/v1/asks").json(200)["asks"][0]["id"], ask["id"]);
    two.post(&ask_path(&ask, "/cancel"), &json!({})).json(200);
    assert_eq!(one.get(&ask_path(&ask, "")).json(200)["state"], "cancelled");
}

#[test]
fn foreign_asks_keep_short_ids_unique() {
    let world = TestWorld::new();
    let served = ServedDesk::start(&world);
    let (asker, other) = (served.asker(&world), served.caller(&world, TokenRole::Asker, "other"));
    let mine = create_ask(&asker, "Mine");
    create_ask(&other, "Theirs");
    // Created within minutes, their ids begin alike.
    let short = &id_of(&mine)[..6];
    assert_eq!(asker.get(&format!("/v1/asks/{short}")).json(200)["id"], mine["id"]);
    served.person(&world).get(&format!("/v1/asks/{short}")).problem(409, "ambiguous_id");
    // A finished one is found too, though another one is open.
    asker.post(&ask_path(&mine, "/cancel"), &json!({})).json(200);
    assert_eq!(asker.get(&format!("/v1/asks/{short}")).json(200)["id"], mine["id"]);
}

#[test]
fn revoked_token_closes_its_streams() {
    let world = TestWorld::new();
    let served = ServedDesk::start(&world);
    let asker = served.asker(&world);
    let ask = create_ask(&asker, "A");
    let token = new_token(&world, TokenRole::Person, "eve");
    let eve = served.with_token(&token);
    let late = served.asker(&world);
    let waits = ask_path(&ask, "/outcome");
    let mut streams = [
        eve.events(),
        late.events(),
        late.request("GET", &waits).header("accept", "text/event-stream").stream(),
    ];
    streams[0].expect("hello");
    streams[1].expect("hello");
    let long = {
        let late = late.clone();
        std::thread::spawn(move || late.get(&format!("{waits}?wait=60")))
    };
    let mut mine = asker.events();
    wait_for_metric(&served.admin(&world), "sayso_waits 2");
    let desk = world.desk();
    let keep = desk.verify_token(asker.token.as_deref().unwrap()).unwrap().unwrap().id;
    for token in
        desk.tokens().unwrap().into_iter().filter(|token| token.role != TokenRole::Admin && token.id != keep)
    {
        desk.revoke_token(&token.id).unwrap();
    }
    assert_eq!(streams[2].next().map(|event| event.name).as_deref(), Some("closing"));
    assert!(streams.iter_mut().all(|stream| stream.next().is_none()));
    long.join().unwrap().problem(401, "unauthorized");
    mine.expect("hello");
    create_ask(&asker, "B");
    mine.expect("change");
}

#[test]
fn vouched_names_obey_account_rules() {
    let world = TestWorld::new();
    let served = ServedDesk::start(&world);
    let (asker, admin) = (served.asker(&world), served.admin(&world));
    let ask = create_ask(&asker, "A");
    for name in ["", " ada", "ada\u{202e}", "ad\u{200b}a", "a\nb", &"x".repeat(101)] {
        let problem = admin.post(&ask_path(&ask, "/see"), &json!({ "by": { "name": name } }));
        assert_eq!(problem.problem(422, "invalid_value")["path"], json!(["by", "name"]), "{name:?}");
        let mut from = text("B");
        from["from"] = json!({ "account": name });
        let problem = admin.post("/v1/asks", &from).problem(422, "invalid_value");
        assert_eq!(problem["path"], json!(["from", "account"]), "{name:?}");
    }
    admin.post(&ask_path(&ask, "/see"), &json!({ "by": { "name": "苍鹭 Ada" } })).json(200);
}

#[test]
fn asker_fields_are_bounded() {
    let world = TestWorld::new();
    let served = ServedDesk::start(&world);
    let asker = served.asker(&world);
    for member in ["name", "folder", "session"] {
        let mut long = text("A");
        long["from"] = json!({ member: "x".repeat(5_000) });
        asker.post("/v1/asks", &long).problem(422, "too_big");
    }
    let mut longest = text("A");
    longest["from"] = json!({ "folder": "/".repeat(4_096) });
    asker.post("/v1/asks", &longest).json(201);
}

#[test]
fn wrong_tokens_block_no_one_else() {
    let world = TestWorld::new();
    let served = ServedDesk::start(&world);
    let asker = served.asker(&world);
    let stranger = served.with_token("sayso_a_wrong");
    let refused: Vec<_> = (0..25).map(|_| stranger.get("/v1/me").status).collect();
    assert!(refused.contains(&401) && refused.contains(&429), "{refused:?}");
    assert_eq!(asker.get("/v1/me").status, 200);
}

#[test]
fn host_must_match_request_target() {
    let world = TestWorld::new();
    let served = ServedDesk::start(&world);
    let own = format!("http://{}/healthz", served.address);
    assert_eq!(served.without_token().get(&own).status, 200);
    served.without_token().get("http://evil.example/healthz").problem(400, "bad_header");
    let both = served
        .without_token()
        .request("GET", "http://evil.example/healthz")
        .replace_header("host", "evil.example");
    both.send().problem(421, "host_not_allowed");
}

#[test]
fn links_may_navigate_but_not_ask() {
    let world = TestWorld::new();
    let served = ServedDesk::start(&world);
    let port = served.address.rsplit_once(':').unwrap().1;
    let from = |method: &str, mode: &str| {
        let request = served.without_token().request(method, "/login").header("sec-fetch-site", "cross-site");
        let request = request.replace_header("host", &format!("localhost:{port}"));
        request.header("sec-fetch-mode", mode).send().status
    };
    assert_eq!([from("GET", "navigate"), from("GET", "no-cors"), from("POST", "navigate")], [200, 403, 403]);
}

#[test]
fn errors_name_place_and_fix() {
    let world = TestWorld::new();
    let served = ServedDesk::start(&world);
    let (asker, person) = (served.asker(&world), served.person(&world));
    let ask = create_ask(&asker, "A");
    let hint = |problem: &Value| problem["hint"].as_str().unwrap_or_default().to_owned();
    for (query, name, words) in [
        ("/v1/asks?rows=0", "rows", "from 1 to 200"),
        ("/v1/asks?rows=x", "rows", "from 1 to 200"),
        ("/v1/asks?state=opn", "state", "open, submitted"),
    ] {
        let problem = asker.get(query).problem(422, "invalid_value");
        assert!(problem["path"] == json!([name]) && hint(&problem).contains(words), "{problem}");
    }
    let problem = asker.get(&ask_path(&ask, "/outcome?wait=x")).problem(422, "invalid_value");
    assert!(hint(&problem).contains("from 0 to 60"), "{problem}");
    let unclear = asker.post("/v1/asks", &json!({ "request": {} })).problem(422, "unknown_dialect");
    assert!(hint(&unclear).contains("`dialect`") && !hint(&unclear).contains("--"), "{unclear}");
    let form = asker.request("POST", "/v1/asks").body("application/x-www-form-urlencoded", "a=b").send();
    assert!(hint(&form.problem(415, "unsupported_media_type")).contains("content-type: application/json"));
    let shape = json!({ "replies": { "text": { "state": "answered", "answer": true } } });
    let wrong =
        person.request("PATCH", &ask_path(&ask, "/draft")).json(&shape).send().problem(422, "invalid_type");
    assert_eq!(wrong["path"], json!(["replies", "text", "answer"]));
    for target in ["/v1/asks/%ff", "/v1/keys/%ff"] {
        asker.get(target).problem(404, "no_such_route");
    }
    let twice = asker.request("POST", &ask_path(&ask, "/detach")).header("idempotency-key", "a");
    twice.header("idempotency-key", "b").send().problem(400, "bad_header");
}

/// Returns the number of asks whose changes a caller gets in a stream from an old id, up to the first change of one.
fn count_from(caller: &HttpCaller, place: &str, until: &str) -> usize {
    let mut events = caller.events_after(place);
    events.expect("hello");
    let mut asks = HashSet::new();
    loop {
        let event = events.next().unwrap();
        if event.name == "ready" {
            continue;
        }
        assert_eq!(event.name, "change", "{event:?}");
        // An ask may change once more when its caller has gone.
        asks.insert(event.data["ask"].to_string());
        if event.data["ask"] == until {
            return asks.len();
        }
    }
}

#[test]
fn long_history_needs_permission() {
    let world = TestWorld::new();
    let served = ServedDesk::start(&world);
    let (asker, other) = (served.asker(&world), served.caller(&world, TokenRole::Asker, "other"));
    let mut events = other.events();
    let begun = events.expect("hello").id.unwrap();
    create_ask(&other, "First");
    let desk = world.desk();
    for key in 0..700 {
        let new = new_ask("ci", "Say it.");
        // The same question would be found again.
        desk.open(Some(&key.to_string()), new).unwrap();
    }
    let last = create_ask(&other, "Last");
    let mine = create_ask(&asker, "End");
    assert_eq!(count_from(&other, &begun, id_of(&last)), 2);
    assert_eq!(count_from(&asker, &begun, id_of(&mine)), 701);
}
