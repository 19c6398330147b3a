//! Tests of the routes of `sayso serve`, one after another.

use crate::docs::formats::{DIALECTS, DialectExample, mask_varying};
use crate::support::http_client::HttpCaller;
use crate::support::served_desk::{ServedDesk, answer_ask, answer_body, ask_path, create_ask, id_of, text};
use crate::support::test_world::TestWorld;
use serde_json::{Value, json};

fn note(words: &str) -> Value {
    json!({ "text": { "state": "answered", "answer": { "text": words } } })
}

/// Saves a draft based on this revision.
fn save(person: &HttpCaller, ask: &Value, words: &str, rev: u64) -> crate::support::http_client::HttpReply {
    let request = person.request("PATCH", &ask_path(ask, "/draft")).json(&json!({ "replies": note(words) }));
    request.header("if-match", &format!("\"{rev}\"")).send()
}

#[test]
fn each_dialect_round_trips() {
    let world = TestWorld::new();
    let served = ServedDesk::start(&world);
    let (asker, person) = (served.asker(&world), served.person(&world));
    for dialect in DIALECTS {
        let example = DialectExample::from_page(dialect);
        let read = |text: &str| serde_json::from_str::<Value>(text).unwrap();
        let ask = asker.post("/v1/asks", &json!({ "request": read(&example.request) })).json(201);
        assert_eq!(ask["dialect"], dialect);
        let open = asker.get(&ask_path(&ask, "/outcome")).json(200);
        assert_eq!(open, json!({ "ask": ask["id"], "state": "open" }));
        let body = json!({ "shown": ask["digest"], "answers": read(&example.answers) });
        let done = person.post(&ask_path(&ask, "/answer"), &body).json(200);
        assert_eq!(done["state"], "answered", "{dialect}");
        let report = asker.get(&ask_path(&ask, "/outcome")).json(200);
        assert_eq!([&report["state"], &report["outcome"]["outcome"]], ["answered", "answered"], "{dialect}");
        assert_eq!(
            (&report["reply"]["exit"], &report["reply"]["stderr"]),
            (&json!(0), &json!("")),
            "{dialect}"
        );
        let output = report["reply"]["stdout"].as_str().unwrap();
        assert_eq!(mask_varying(output.trim_end()), mask_varying(&example.reply), "{dialect}");
        // A repeated request gets the same bytes, over HTTP and on the command line.
        assert_eq!(asker.get(&ask_path(&ask, "/outcome")).json(200), report, "{dialect}");
        assert_eq!(
            world.sayso(["wait", id_of(&ask)]).run().stdout.trim_end(),
            output.trim_end(),
            "{dialect}"
        );
    }
}

#[test]
fn request_errors_name_their_place() {
    let world = TestWorld::new();
    let served = ServedDesk::start(&world);
    let asker = served.asker(&world);
    let twice = json!([{ "id": "a", "prompt": "A?" }, { "id": "a", "prompt": "B?" }]);
    let problem = asker.post("/v1/asks", &json!({ "request": { "questions": twice } }));
    let problem = problem.problem(422, "invalid_request");
    assert_eq!(problem["path"], json!(["request"]));
    assert_eq!(problem["causes"][0]["path"], json!(["questions", 1, "id"]), "{problem}");
    asker.post("/v1/asks", &json!({})).problem(422, "required");
    asker.post("/v1/asks", &json!({ "request": { "title": "T" } })).problem(422, "unknown_dialect");
    asker.post("/v1/asks", &json!({ "dialect": "cobol", "request": {} })).problem(422, "unknown_dialect");
    asker.post("/v1/asks", &json!({ "questionnaire": {}, "request": {} })).problem(422, "invalid_request");
    let no_such = asker.post("/v1/asks", &json!({ "requests": {} })).problem(422, "unknown_member");
    assert!(no_such["detail"].as_str().unwrap().contains("requests"), "{no_such}");
    let raw = |body: &[u8], media: &str| asker.request("POST", "/v1/asks").body(media, body).send();
    raw(b"{", "application/json").problem(400, "invalid_json");
    raw(b"", "application/json").problem(422, "required");
    raw(b"\xff\xfe", "application/json").problem(400, "not_text");
    raw(b"{}", "text/plain").problem(415, "unsupported_media_type");
    raw(b"a=b", "application/x-www-form-urlencoded").problem(415, "unsupported_media_type");
    // A refused request creates no ask.
    assert_eq!(asker.get("/v1/asks?state=open,answered").json(200)["asks"], json!([]));
}

#[test]
fn repeated_write_is_idempotent() {
    let world = TestWorld::new();
    let served = ServedDesk::start(&world);
    let (asker, person) = (served.asker(&world), served.person(&world));
    let asking =
        |title: &str| asker.request("POST", "/v1/asks").json(&text(title)).header("idempotency-key", "k");
    let ask = asking("A").send().json(201);
    assert_eq!(id_of(&asking("A").send().json(200)), id_of(&ask));
    asking("B").send().problem(422, "key_reused");
    assert_eq!(asker.get("/v1/keys/k").json(200), json!({ "ask": ask["id"] }));
    asker.get("/v1/keys/other").problem(404, "ask_not_found");
    let other = asker.request("POST", "/v1/asks").json(&text("C")).header("idempotency-key", "%E4%B8%AD");
    let other = other.send().json(201);
    assert_eq!(asker.get("/v1/keys/%E4%B8%AD").json(200), json!({ "ask": other["id"] }));

    let twice = |caller: &HttpCaller, more: &str, body: &Value| {
        let request =
            caller.request("POST", &ask_path(&ask, more)).json(body).header("idempotency-key", more);
        let first = request.send().json(200);
        assert_eq!(request.send().json(200), first, "{more}");
        first
    };
    twice(&asker, "/detach", &json!({}));
    twice(&asker, "/attach", &json!({}));
    twice(&person, "/see", &json!({}));
    let done = twice(&person, "/answer", &answer_body(&ask, "yes"));
    // Another answer under the same key is neither the same write nor a second one.
    let again = person.request("POST", &ask_path(&ask, "/answer")).json(&answer_body(&ask, "no"));
    again.clone().header("idempotency-key", "/answer").send().problem(422, "key_reused");
    again.send().problem(409, "ask_answered");
    assert_eq!(asker.get(&ask_path(&ask, "")).json(200)["phase"], done["phase"]);
    // The key finds it after any end.
    assert_eq!(asking("A").send().json(200)["state"], "answered");

    for (end, body) in [("/cancel", json!({})), ("/decline", json!({ "reason": "no" }))] {
        let ask = create_ask(&asker, end);
        let mut body = body;
        let caller = if end == "/decline" { &person } else { &asker };
        if end == "/decline" {
            body["shown"] = ask["digest"].clone();
        }
        let request =
            caller.request("POST", &ask_path(&ask, end)).json(&body).header("idempotency-key", "end");
        let first = request.send().json(200);
        assert_eq!(request.send().json(200), first);
    }
    for bad in ["%ff", "", &"k".repeat(513)] {
        let request = asker.request("POST", "/v1/asks").json(&text("D")).header("idempotency-key", bad);
        let reply = request.send();
        assert!([400, 422].contains(&reply.status), "{bad}: {reply:?} {}", reply.text());
    }
}

#[test]
fn draft_merges_or_respects_if_match() {
    let world = TestWorld::new();
    let served = ServedDesk::start(&world);
    let (asker, person) = (served.asker(&world), served.person(&world));
    let bob = served.caller(&world, sayso_desk::token::TokenRole::Person, "bob");
    let ask = create_ask(&asker, "A");
    let draft = |rev: u64| {
        let reply = person.get(&ask_path(&ask, "/draft"));
        assert_eq!(reply.header("etag"), Some(format!("\"{rev}\"").as_str()));
        reply.json(200)
    };
    assert_eq!(draft(0), json!({ "rev": 0, "replies": {}, "scripted": [] }));
    let saved = save(&person, &ask, "one", 0);
    assert_eq!(saved.header("etag"), Some("\"1\""));
    assert_eq!(saved.json(200), json!({ "rev": 1, "problems": [], "overwritten": [] }));
    save(&bob, &ask, "two", 0).problem(412, "draft_changed");
    save(&bob, &ask, "two", 7).problem(412, "draft_changed");
    assert_eq!(draft(1)["replies"], note("one"));
    assert_eq!(save(&bob, &ask, "two", 1).json(200)["rev"], 2);
    // Without If-Match it is saved, and the reply says what it replaced.
    let late = json!({ "replies": note("three"), "base": 1 });
    let late = person.request("PATCH", &ask_path(&ask, "/draft")).json(&late).send().json(200);
    assert_eq!(late, json!({ "rev": 3, "problems": [], "overwritten": ["text"] }));
    let unasked = json!({ "replies": { "nothing": { "state": "skipped" } } });
    person.request("PATCH", &ask_path(&ask, "/draft")).json(&unasked).send().problem(422, "no_such_question");
    for tag in ["*", "3", "\"3", "\"+3\""] {
        let odd = person.request("PATCH", &ask_path(&ask, "/draft")).json(&json!({ "replies": note("x") }));
        odd.header("if-match", tag).send().problem(400, "bad_header");
    }
    assert_eq!(draft(3)["replies"], note("three"));
    asker.get(&ask_path(&ask, "/draft")).problem(403, "not_allowed");
}

#[test]
fn note_on_the_form_goes_from_draft_to_outcome() {
    let world = TestWorld::new();
    let served = ServedDesk::start(&world);
    let (asker, person) = (served.asker(&world), served.person(&world));
    let questions = json!([{ "id": "a", "type": "text", "label": "A", "prompt": "A?" }, { "id": "b", "type": "text", "label": "B", "prompt": "B?" }]);
    for (dialect, carries) in [("sayso", true), ("questionnaire", false)] {
        let request = match carries {
            true => json!({ "questions": [{ "id": "a", "prompt": "A?" }, { "id": "b", "prompt": "B?" }] }),
            false => json!({ "title": "T", "questions": questions }),
        };
        let ask = asker.post("/v1/asks", &json!({ "request": request, "dialect": dialect })).json(201);
        let noted = json!({ "state": "unanswered", "note": "only \u{1b}[1mthis week" });
        let text = |words: &str| json!({ "state": "answered", "answer": { "text": words } });
        let replies = json!({ "": noted, "a": text("x"), "b": text("y") });
        let draft = person.request("PATCH", &ask_path(&ask, "/draft"));
        draft.json(&json!({ "replies": replies })).send().json(200);
        assert_eq!(person.get(&ask_path(&ask, "/draft")).json(200)["replies"], replies, "{dialect}");
        let shown = |review: &Value| (review["note"].clone(), review["carries_notes"].clone());
        let safe = (json!("only ⟦U+001B⟧[1mthis week"), json!(carries));
        assert_eq!(shown(&person.get(&ask_path(&ask, "/review")).json(200)), safe, "{dialect}");
        let body = json!({ "shown": ask["digest"], "replies": replies });
        person.post(&ask_path(&ask, "/answer"), &body).json(200);
        assert_eq!(shown(&person.get(&ask_path(&ask, "/review")).json(200)), safe, "{dialect}");
        let report = asker.get(&ask_path(&ask, "/outcome")).json(200);
        assert_eq!(report["outcome"]["replies"][""], noted, "{dialect}");
        assert_eq!(report["reply"]["stdout"].as_str().unwrap().contains("this week"), carries, "{report:#}");
    }
}

#[test]
fn judging_asker_requests_changes() {
    let world = TestWorld::new();
    let served = ServedDesk::start(&world);
    let (asker, person) = (served.asker(&world), served.person(&world));
    let mut body = text("A");
    body["judged"] = true.into();
    let ask = asker.post("/v1/asks", &body).json(201);
    let verdict = |body: Value| asker.post(&ask_path(&ask, "/verdict"), &body);
    verdict(json!({ "round": 1, "accept": true })).problem(409, "ask_open");
    assert_eq!(answer_ask(&person, &ask, "no")["state"], "submitted");
    let shown = world.sayso(["show", id_of(&ask)]).run().stdout;
    assert!(shown.contains("submitted: ") && shown.contains("  no\n"), "{shown}");
    person.post(&ask_path(&ask, "/answer"), &answer_body(&ask, "no")).problem(409, "ask_submitted");
    let submitted = asker.get(&ask_path(&ask, "/outcome")).json(200);
    assert_eq!((&submitted["state"], &submitted["answers"]["text"]), (&json!("submitted"), &json!("no")));
    verdict(json!({ "round": 2, "accept": true })).problem(409, "wrong_round");
    let mend = json!({ "round": 1, "summary": "Not yet.", "errors": [{ "question": "text", "message": "Longer." }] });
    let open = verdict(mend).json(200);
    assert_eq!(open["state"], "open");
    let feedback = json!({ "summary": "Not yet.", "errors": [["text", "Longer."]] });
    assert_eq!(open["phase"]["open"]["round"], 2);
    assert_eq!(open["phase"]["open"]["feedback"], feedback);
    assert_eq!(answer_ask(&person, &ask, "Much longer")["state"], "submitted");
    assert_eq!(verdict(json!({ "round": 2, "accept": true })).json(200)["state"], "answered");
    let report = asker.get(&ask_path(&ask, "/outcome")).json(200);
    assert_eq!(report["outcome"]["replies"]["text"]["answer"]["text"], "Much longer");
}

#[test]
fn bad_answers_and_stale_digest_refused() {
    let world = TestWorld::new();
    let served = ServedDesk::start(&world);
    let (asker, person) = (served.asker(&world), served.person(&world));
    let question =
        json!({ "id": "port", "prompt": "Port?", "kind": "number", "constraints": [{ "max": 10 }] });
    let ask = asker.post("/v1/asks", &json!({ "request": { "questions": [question] } })).json(201);
    let answer = |shown: &Value, answers: Value| {
        person.post(&ask_path(&ask, "/answer"), &json!({ "shown": shown, "answers": answers }))
    };
    let problem = answer(&ask["digest"], json!({ "port": 11 })).problem(422, "invalid_answers");
    assert_eq!(problem["causes"][0]["code"], "too_big", "{problem}");
    answer(&json!("0".repeat(64)), json!({ "port": 1 })).problem(409, "ask_changed");
    answer(&json!("short"), json!({ "port": 1 })).problem(422, "invalid_type");
    person.post(&ask_path(&ask, "/answer"), &json!({ "shown": ask["digest"] })).problem(422, "required");
    let both = json!({ "shown": ask["digest"], "answers": {}, "replies": {} });
    person.post(&ask_path(&ask, "/answer"), &both).problem(422, "invalid_request");
    let canonical = json!({ "port": { "state": "answered", "answer": { "number": "7" } } });
    let body = json!({ "shown": ask["digest"], "replies": canonical });
    let done = person.post(&ask_path(&ask, "/answer"), &body).json(200);
    assert_eq!(done["state"], "answered");
    for late in ["/decline", "/answer"] {
        let mut body = json!({ "shown": ask["digest"] });
        if late == "/answer" {
            body["answers"] = json!({ "port": 2 });
        }
        let problem = person.post(&ask_path(&ask, late), &body).problem(409, "ask_answered");
        assert!(problem["detail"].as_str().unwrap().starts_with("ada already answered this"), "{problem}");
    }
    asker.post(&ask_path(&ask, "/cancel"), &json!({})).problem(409, "ask_answered");
}

#[test]
fn outcome_is_offered_and_acknowledged() {
    let world = TestWorld::new();
    let served = ServedDesk::start(&world);
    let (asker, person) = (served.asker(&world), served.person(&world));
    let ask = create_ask(&asker, "A");
    let offer = |form: &str, bytes: &str| {
        let request = asker.request("POST", &ask_path(&ask, &format!("/offer?form={form}")));
        if bytes.is_empty() { request.send() } else { request.body("application/octet-stream", bytes).send() }
    };
    offer("mine", "first").problem(409, "ask_open");
    answer_ask(&person, &ask, "yes");
    assert_eq!(offer("mine", "").status, 204);
    assert_eq!(offer("mine", "first").text(), "first");
    assert_eq!(offer("mine", "second").text(), "first");
    assert_eq!(offer("mine", "").text(), "first");
    assert_eq!(offer("other", "second").text(), "second");
    offer("", "x").problem(422, "invalid_value");
    offer(&"f".repeat(65), "x").problem(422, "invalid_value");
    asker.request("POST", &ask_path(&ask, "/offer")).send().problem(422, "invalid_value");
    asker.post(&ask_path(&ask, "/offer?form=x"), &json!({})).problem(415, "unsupported_media_type");
    let acked = asker.post(&ask_path(&ask, "/ack"), &json!({})).json(200);
    assert!(acked["delivery"]["acked"]["at"].is_string(), "{acked}");
    // The same question after that is a new one.
    assert_ne!(id_of(&create_ask(&asker, "A")), id_of(&ask));
}

#[test]
fn lists_are_searched_and_paged() {
    let world = TestWorld::new();
    let served = ServedDesk::start(&world);
    let (asker, person) = (served.asker(&world), served.person(&world));
    let asks: Vec<_> = ["red", "green", "blue"].iter().map(|title| create_ask(&asker, title)).collect();
    answer_ask(&person, &asks[2], "x");
    let titles = |query: &str| -> Vec<String> {
        let page = person.get(&format!("/v1/asks?{query}")).json(200);
        page["asks"].as_array().unwrap().iter().map(|row| row["title"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(titles(""), ["red", "green"]);
    assert_eq!(titles("state=answered"), ["blue"]);
    assert_eq!(titles("search=gre"), ["green"]);
    assert_eq!(titles("name=ci&undelivered=true"), ["red", "green"]);
    assert_eq!(titles("name=nobody"), [""; 0]);
    let first = person.get("/v1/asks?rows=1").json(200);
    assert_eq!(titles(&format!("rows=1&after={}", first["next"].as_str().unwrap())), ["green"]);
    for bad in ["rows=0", "rows=201", "rows=x", "state=gone", "after=x", "more=1", "undelivered=perhaps"] {
        person.get(&format!("/v1/asks?{bad}")).problem(422, "invalid_value");
    }
    person.get("/v1/asks/nothing").problem(404, "ask_not_found");
    person.get("/v1/nothing").problem(404, "no_such_route");
    person.request("PUT", "/v1/asks").send().problem(405, "method_not_allowed");
}

#[test]
fn admins_manage_tokens() {
    let world = TestWorld::new();
    let served = ServedDesk::start(&world);
    let admin = served.admin(&world);
    let me = admin.get("/v1/me").json(200);
    assert_eq!([&me["account"], &me["role"]], ["gateway", "admin"]);
    let body = json!({ "role": "person", "account": "bob", "expires_in_ms": 60_000 });
    let made = admin.post("/v1/tokens", &body).json(201);
    let bob = served.with_token(made["secret"].as_str().unwrap());
    assert_eq!(bob.get("/v1/me").json(200)["account"], "bob");
    let list = admin.get("/v1/tokens");
    let rows = list.json(200);
    let row = rows["tokens"].as_array().unwrap().iter().find(|row| row["id"] == made["id"]).unwrap();
    assert_eq!([&row["role"], &row["account"]], ["person", "bob"]);
    assert!(!list.text().contains(made["secret"].as_str().unwrap()));
    let revoke = || admin.request("DELETE", &format!("/v1/tokens/{}", made["id"].as_str().unwrap())).send();
    assert_eq!((revoke().status, revoke().status), (204, 204));
    bob.get("/v1/me").problem(401, "unauthorized");
    admin.request("DELETE", "/v1/tokens/nothing").send().problem(404, "no_such_route");
    for bad in [json!({ "role": "boss", "account": "x" }), json!({ "role": "asker", "account": "" })] {
        assert_eq!(admin.post("/v1/tokens", &bad).status, 422);
    }
}
