//! Tests of hosts that can show a form: in addition to the desk, and never instead of a person.

use crate::mcp::host::{A_PERSONS_TIME, LEGACY, McpHost, answer, release, server, text_of};
use crate::support::test_world::TestWorld;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

fn with_forms(world: &TestWorld) -> McpHost {
    McpHost::with_session(server(world), LEGACY[0], &json!({ "elicitation": {} }))
}

/// Asks, and returns the call and the server's request for a form.
fn ask_with_form(host: &mut McpHost) -> (u64, Value) {
    let call = host.begin("ask", &release());
    let form = host.next_matching(|line| line["method"] == "elicitation/create");
    (call, form)
}

#[test]
fn completed_form_answers_ask() {
    let world = TestWorld::new();
    let mut host = with_forms(&world);
    let (call, form) = ask_with_form(&mut host);
    assert_eq!(form["params"]["message"], "Release");
    let properties = form["params"]["requestedSchema"]["properties"].as_object().unwrap();
    assert_eq!(properties.keys().collect::<Vec<_>>(), ["q01", "q02"]);
    assert_eq!(form["params"]["requestedSchema"]["required"], json!(["q01"]));
    assert!(host.is_silent_for(A_PERSONS_TIME));
    host.reply(&form, &json!({ "action": "accept", "content": { "q01": "now", "q02": "because" } }));
    let result = host.response(call)["result"]["structuredContent"].clone();
    assert_eq!(result["status"], "answered", "{result}");
    assert_eq!([&result["answers"][0]["value"], &result["answers"][1]["value"]], ["now", "because"]);
    assert_eq!(result["answered_by"], json!({ "name": "ada", "surface": "dialog", "assurance": "relayed" }));
}

#[test]
fn invalid_form_is_shown_with_reason() {
    let world = TestWorld::new();
    world.allow_scripted_answers();
    let mut host = with_forms(&world);
    let (call, form) = ask_with_form(&mut host);
    host.reply(&form, &json!({ "action": "accept", "content": { "q02": "because" } }));
    let again = host.next_matching(|line| line["method"] == "elicitation/create");
    assert_eq!(
        again["params"]["message"],
        "- Question 1, \"When?\": This question needs an answer\n\nRelease"
    );
    host.reply(&again, &json!({ "action": "accept", "content": { "q01": "now" } }));
    let result = host.response(call)["result"]["structuredContent"].clone();
    assert_eq!([&result["status"], &result["answered_by"]["assurance"]], ["answered", "scripted"]);
}

#[test]
fn reshown_form_lists_all_errors() {
    let world = TestWorld::new();
    world.allow_scripted_answers();
    let mut host = with_forms(&world);
    let asked = json!({ "questions": [
        { "prompt": "How many?", "label": "Count", "kind": "number", "constraints": [{ "min": 1 }] },
        { "prompt": "Which?", "options": ["A", "B"] },
        { "prompt": "Why?\u{1b}[2J", "constraints": [{ "min_length": 3, "message": "Say a little more.\u{7}" }] },
        { "prompt": "When?", "kind": "date" },
    ] });
    let call = host.begin("ask", &asked);
    let form = host.next_matching(|line| line["method"] == "elicitation/create");
    let wrong = json!({ "q01": 0, "q02": "zzz", "q03": "x", "q04": "2026-03-01" });
    host.reply(&form, &json!({ "action": "accept", "content": wrong }));
    let again = host.next_matching(|line| line["method"] == "elicitation/create");
    let message = again["params"]["message"].as_str().unwrap();
    let lines = [
        "- Question 1, \"How many?\": It must be at least 1.",
        "- Question 2, \"Which?\": There is no option \"zzz\".",
        "- Question 3, \"Why?⟦U+001B⟧[2J\": Say a little more.⟦U+0007⟧",
        "",
        "How many?",
    ];
    assert_eq!(message.lines().collect::<Vec<_>>(), lines);
    let titles = again["params"]["requestedSchema"]["properties"].as_object().unwrap();
    assert_eq!(titles["q01"]["title"], "How many?", "the field is called as it is named above");
    let entered = ["q01", "q02", "q03", "q04"].map(|name| titles[name]["default"].clone());
    assert_eq!(entered, [json!(0), Value::Null, json!("x"), json!("2026-03-01")], "what fits is there again");
    let right = json!({ "q01": 1, "q02": titles["q02"]["enum"][0], "q03": "because", "q04": "2026-03-01" });
    host.reply(&again, &json!({ "action": "accept", "content": right }));
    let result = host.response(call)["result"]["structuredContent"].clone();
    assert_eq!(result["status"], "answered", "{result}");
}

/// Codex draws no field for a number, and no default of a text.
#[test]
fn entries_in_codex_are_kept() {
    let world = TestWorld::new();
    world.allow_scripted_answers();
    let capabilities = json!({ "elicitation": { "form": {} } });
    let mut host = McpHost::with_name("codex-mcp-client", server(&world), "2025-06-18", &capabilities);
    let asked = json!({ "questions": [
        { "id": "count", "prompt": "How many?", "kind": "number", "constraints": [{ "max": 5 }] },
        { "id": "stars", "prompt": "How good?", "kind": "rating" },
        { "id": "why", "prompt": "Why?" },
    ] });
    let call = host.begin("ask", &asked);
    let form = host.next_matching(|line| line["method"] == "elicitation/create");
    let field = |form: &Value, name: &str| form["params"]["requestedSchema"]["properties"][name].clone();
    assert_eq!([&field(&form, "q01")["type"], &field(&form, "q02")["type"]], ["string", "string"], "{form}");
    let entered = json!({ "q01": "9", "q02": "4", "q03": "herons" });
    host.reply(&form, &json!({ "action": "accept", "content": entered }));
    let again = host.next_matching(|line| line["method"] == "elicitation/create");
    assert!(again["params"]["message"].as_str().unwrap().contains("\"herons\""), "{again}");
    assert!(field(&again, "q01")["description"].as_str().unwrap().contains("\"9\""), "{again}");
    host.reply(&again, &json!({ "action": "accept", "content": { "q01": "3" } }));
    let result = host.response(call)["result"]["structuredContent"].clone();
    let values = [0, 1, 2].map(|at| result["answers"][at]["value"].clone());
    assert_eq!(values, [json!(3), json!(4), json!("herons")], "{result}");
}

#[test]
fn declined_form_declines_ask() {
    let world = TestWorld::new();
    let mut host = with_forms(&world);
    let (call, form) = ask_with_form(&mut host);
    assert!(host.is_silent_for(A_PERSONS_TIME));
    host.reply(&form, &json!({ "action": "decline" }));
    let result = host.response(call)["result"]["structuredContent"].clone();
    assert_eq!([&result["status"], &result["declined_by"]["surface"]], ["declined", "dialog"]);
}

#[test]
fn dismissed_form_leaves_ask_open() {
    let world = TestWorld::new();
    let mut host = with_forms(&world);
    let (call, form) = ask_with_form(&mut host);
    assert!(host.is_silent_for(A_PERSONS_TIME));
    host.reply(&form, &json!({ "action": "cancel" }));
    let (_, id) = world.first_ask();
    assert!(host.is_silent_for(Duration::from_millis(200)), "the call goes on waiting");
    assert_eq!(world.show(&id)["state"], "open");
    answer(&world, &id);
    assert_eq!(host.response(call)["result"]["structuredContent"]["status"], "answered");
}

#[test]
fn too_fast_answer_is_ignored() {
    let instant = [
        json!({ "result": { "action": "decline" } }),
        json!({ "result": { "action": "cancel" } }),
        json!({ "result": { "action": "accept", "content": { "q01": "now" } } }),
        json!({ "error": { "code": -32601, "message": "Method not found" } }),
    ];
    for reply in instant {
        let world = TestWorld::new();
        let mut host = with_forms(&world);
        let (call, form) = ask_with_form(&mut host);
        let mut message = reply.clone();
        message["jsonrpc"] = json!("2.0");
        message["id"] = form["id"].clone();
        host.write(&message);
        let (_, id) = world.first_ask();
        assert!(host.is_silent_for(Duration::from_millis(200)), "{reply}");
        assert_eq!(world.show(&id)["state"], "open", "{reply}");
        let other = json!({ "questions": [{ "prompt": "Another?" }], "max_wait_s": 0 });
        assert_eq!(host.call("ask", &other)["structuredContent"]["status"], "pending");
        answer(&world, &id);
        assert_eq!(host.response(call)["result"]["structuredContent"]["status"], "answered", "{reply}");
        let forms = host.seen.iter().filter(|line| line["method"] == "elicitation/create");
        assert_eq!(forms.count(), 1, "{reply}");
    }
}

#[test]
fn desk_answer_closes_dialog_first() {
    let world = TestWorld::new();
    let mut host = with_forms(&world);
    let (call, form) = ask_with_form(&mut host);
    let (_, id) = world.first_ask();
    answer(&world, &id);
    let closed = host.next();
    assert_eq!(
        [&closed["method"], &closed["params"]["requestId"]],
        [&json!("notifications/cancelled"), &form["id"]]
    );
    let result = host.next();
    assert_eq!(result["id"], call);
    let first = text_of(&result["result"]);
    // A click in a dialog that is just closing changes nothing.
    host.reply(&form, &json!({ "action": "decline" }));
    assert_eq!(host.text("ask", &release()), first);
}

#[test]
fn cancelled_call_closes_dialog() {
    let world = TestWorld::new();
    let mut host = with_forms(&world);
    let (call, form) = ask_with_form(&mut host);
    let (_, id) = world.first_ask();
    host.cancel(call);
    let closed = host.next();
    assert_eq!(
        [&closed["method"], &closed["params"]["requestId"]],
        [&json!("notifications/cancelled"), &form["id"]]
    );
    assert_eq!(world.show(&id)["state"], "open");
    assert_eq!(host.end().exit, 0);
}

#[test]
fn input_end_does_not_await_dialog() {
    let world = TestWorld::new();
    let mut host = with_forms(&world);
    ask_with_form(&mut host);
    let (_, id) = world.first_ask();
    let begun = Instant::now();
    assert_eq!(host.end().exit, 0);
    assert!(begun.elapsed() < Duration::from_secs(20));
    assert_eq!(world.show(&id)["state"], "open");
}

#[test]
fn waiting_call_shows_form() {
    let world = TestWorld::new();
    world.allow_scripted_answers();
    let mut host = with_forms(&world);
    let id = host.leave_ask(&release());
    assert!(host.seen.iter().all(|line| line.get("method").is_none()), "nobody waits, so no form is shown");
    let call = host.begin("wait_for_answer", &json!({ "ask_id": id }));
    let form = host.next_matching(|line| line["method"] == "elicitation/create");
    host.reply(&form, &json!({ "action": "accept", "content": { "q01": "now" } }));
    assert_eq!(host.response(call)["result"]["structuredContent"]["status"], "answered");
}

#[test]
fn unsupported_kinds_stay_at_desk() {
    let world = TestWorld::new();
    let mut host = with_forms(&world);
    let action = json!({ "tool": "shell", "act": { "shell": { "command": "rm -r build" } } });
    let arguments = json!({ "action": action, "questions": [{ "prompt": "Go on?", "kind": "confirm" }], "max_wait_s": 0 });
    assert_eq!(host.call("ask", &arguments)["structuredContent"]["status"], "pending");
    assert!(host.seen.iter().all(|line| line.get("method").is_none()), "{:?}", host.seen);
}

/// Up to 2025-06-18 a form supports texts, numbers, yes or no, and one pick among names.
#[test]
fn older_host_gets_older_form() {
    const KNOWN: [&[&str]; 4] = [
        &["type", "title", "description", "minLength", "maxLength", "format"],
        &["type", "title", "description", "minimum", "maximum"],
        &["type", "title", "description", "default"],
        &["type", "title", "description", "enum", "enumNames"],
    ];
    let asked = json!({ "questions": [
        { "id": "db", "prompt": "Which?", "options": ["Postgres", "MySQL"], "other": true },
        { "id": "tags", "prompt": "Tags?", "options": [{ "id": "a", "label": "A" }, { "id": "b", "label": "B" }], "multi": true },
        { "id": "sure", "prompt": "Sure?", "kind": "confirm", "yes": "Go" },
        { "id": "n", "prompt": "How many?", "kind": "rating", "min": 1, "max": 5 },
        { "id": "day", "prompt": "When?", "kind": "date" },
        { "id": "why", "prompt": "Why?", "constraints": [{ "min_length": 2 }] },
    ] });
    for version in ["2024-11-05", "2025-03-26", "2025-06-18"] {
        let world = TestWorld::new();
        world.allow_scripted_answers();
        let mut host = McpHost::with_session(server(&world), version, &json!({ "elicitation": {} }));
        let call = host.begin("ask", &asked);
        let form = host.next_matching(|line| line["method"] == "elicitation/create");
        let fields = form["params"]["requestedSchema"]["properties"].as_object().unwrap();
        for (name, field) in fields {
            let text = field.as_object().unwrap();
            let known = match field["type"].as_str() {
                Some("string") if text.contains_key("enum") => KNOWN[3],
                Some("string") => KNOWN[0],
                Some("number" | "integer") => KNOWN[1],
                Some("boolean") => KNOWN[2],
                _ => &[],
            };
            assert!(text.keys().all(|word| known.contains(&word.as_str())), "{version}: {name}: {field}");
        }
        assert_eq!(fields["q01"]["enumNames"], json!(["Postgres", "MySQL"]));
        assert_eq!([&fields["q02_01"]["title"], &fields["q02_02"]["title"]], ["Tags?: A", "Tags?: B"]);
        let mut filled = json!({ "q01": fields["q01"]["enum"][1], "q02_01": false, "q02_02": false, "q03": "true",
            "q04": 4, "q05": "2026-03-01", "q06": "because" });
        host.reply(&form, &json!({ "action": "accept", "content": filled }));
        let again = host.next_matching(|line| line["method"] == "elicitation/create");
        let message = again["params"]["message"].as_str().unwrap();
        assert!(message.starts_with("- Question 2, \"Tags?\": This question needs an answer\n"), "{message}");
        filled["q02_02"] = json!(true);
        host.reply(&again, &json!({ "action": "accept", "content": filled }));
        let text = host.response(call)["result"]["structuredContent"].clone();
        assert_eq!(text["status"], "answered", "{version}: {text}");
        assert_eq!(
            [&text["answers"][0]["labels"], &text["answers"][1]["value"]],
            [&json!(["MySQL"]), &json!(["b"])]
        );
    }
}

#[test]
fn newer_host_gets_lists_and_titles() {
    let world = TestWorld::new();
    let mut host = McpHost::with_session(server(&world), LEGACY[1], &json!({ "elicitation": {} }));
    let options = json!([{ "id": "a", "label": "A" }, { "id": "b", "label": "B" }]);
    let asked = [false, true]
        .map(|multi| json!({ "prompt": format!("{multi}?"), "options": options, "multi": multi }));
    host.begin("ask", &json!({ "questions": asked }));
    let form = host.next_matching(|line| line["method"] == "elicitation/create");
    let fields = &form["params"]["requestedSchema"]["properties"];
    let titled = json!([{ "const": "A", "title": "A" }, { "const": "B", "title": "B" }]);
    assert_eq!([&fields["q01"]["oneOf"], &fields["q02"]["items"]["anyOf"]], [&titled; 2]);
}
