//! Tests of the five outcomes of an ask, and that they cannot be confused.

use crate::mcp::host::{LEGACY, McpHost, answer, release, server, text_of};
use crate::support::test_world::TestWorld;
use serde_json::{Value, json};

/// Members that only answered asks have.
fn assert_no_answer(result: &Value) {
    for name in ["answers", "missing", "answered_by", "answered_at"] {
        assert!(result.get(name).is_none(), "{name} in {result}");
    }
}

#[test]
fn answered_call_returns_everything() {
    let world = TestWorld::new();
    let mut host = McpHost::without_forms(&world);
    let call = host.begin("ask", &release());
    let (_, id) = world.first_ask();
    answer(&world, &id);
    let result = host.response(call)["result"].clone();
    let content = &result["structuredContent"];
    text_of(&result);
    assert_eq!(
        [&content["status"], &content["ask_id"], &content["title"]],
        ["answered", id.as_str(), "Release"]
    );
    assert_eq!(
        content["answers"],
        json!([
            { "id": "when", "prompt": "When?", "state": "answered", "labels": ["Now"], "value": "now",
                "note": "before lunch" },
            { "id": "why", "prompt": "Why?", "state": "unanswered" },
        ])
    );
    assert_eq!(content["missing"], json!(["why"]));
    assert_eq!(
        content["answered_by"],
        json!({ "name": "ada", "surface": "command", "assurance": "scripted" })
    );
    assert!(content["answered_at"].as_str() > content["asked_at"].as_str(), "{content}");
    let next = content["next_step"].as_str().unwrap();
    assert!(next.starts_with("A program gave these answers, and no person did."), "{content}");
    assert!(next.contains(&format!("received: [\"{id}\"]")), "{content}");
    assert_eq!(result["isError"], false);
}

#[test]
fn progress_is_sent_on_request_only() {
    let world = TestWorld::new();
    let mut host = McpHost::without_forms(&world);
    let meta = json!({ "progressToken": "tok" });
    let call = host.send("tools/call", json!({ "name": "ask", "arguments": release(), "_meta": meta }));
    let first = host.next();
    assert_eq!([&first["method"], &first["params"]["progressToken"]], ["notifications/progress", "tok"]);
    let (_, id) = world.first_ask();
    answer(&world, &id);
    host.response(call);
    let before = host.seen.len();
    host.call("wait_for_answer", &json!({ "ask_id": id }));
    assert_eq!(host.seen.len(), before + 1, "nothing but the response: {:?}", host.seen);
}

#[test]
fn pending_is_not_an_answer() {
    let world = TestWorld::new();
    let mut host = McpHost::with_session(world.sayso(["mcp", "--hold", "1ms"]), LEGACY[0], &json!({}));
    let result = host.call("ask", &release());
    let content = &result["structuredContent"];
    assert_eq!([&content["status"], &content["seen"]], [&json!("pending"), &json!(false)]);
    assert_no_answer(content);
    let id = content["ask_id"].as_str().unwrap();
    assert_eq!(content["answer_with"], format!("sayso answer {}", &id[id.len() - 8..]));
    assert!(content["next_step"].as_str().unwrap().starts_with("Call wait_for_answer"), "{content}");
    assert_eq!(world.show(id)["state"], "open");
}

#[test]
fn declined_ask_has_reason() {
    let world = TestWorld::new();
    world.allow_scripted_answers();
    let mut host = McpHost::without_forms(&world);
    let call = host.begin("ask", &release());
    let (_, id) = world.first_ask();
    assert_eq!(world.sayso(["answer", &id, "--decline", "--reason", "not today"]).run().exit, 3);
    let result = host.response(call)["result"]["structuredContent"].clone();
    assert_eq!([&result["status"], &result["reason"]], ["declined", "not today"]);
    assert_eq!(result["declined_by"]["name"], "ada");
    assert!(result["means"].as_str().unwrap().contains("not consent"), "{result}");
    assert_no_answer(&result);
}

#[test]
fn expiry_wakes_waiting_call() {
    let world = TestWorld::new();
    let mut host = McpHost::without_forms(&world);
    let mut arguments = release();
    arguments["timeout"] = json!("1s");
    let result = host.call("ask", &arguments)["structuredContent"].clone();
    assert_eq!(result["status"], "expired");
    assert!(result["means"].as_str().unwrap().contains("no consent"), "{result}");
    assert_no_answer(&result);
}

#[test]
fn cancelled_ask_is_reported_and_repeated() {
    let world = TestWorld::new();
    let mut host = McpHost::without_forms(&world);
    let id = host.leave_ask(&release());
    let waiting = host.begin("wait_for_answer", &json!({ "ask_id": id }));
    let cancelled = host.text("cancel_ask", &json!({ "ask_id": id }));
    let value: Value = serde_json::from_str(&cancelled).unwrap();
    assert_eq!(value["status"], "cancelled");
    assert_no_answer(&value);
    // Its response may precede that of the call that cancelled.
    let seen = |line: &&Value| line["id"] == waiting && line.get("result").is_some();
    let waited = host.seen.iter().find(seen).cloned();
    let waited = waited.unwrap_or_else(|| host.response(waiting));
    assert_eq!(text_of(&waited["result"]), cancelled);
    assert_eq!(host.text("cancel_ask", &json!({ "ask_id": id })), cancelled);
}

#[test]
fn late_cancel_returns_answer() {
    let world = TestWorld::new();
    let mut host = McpHost::without_forms(&world);
    let id = host.leave_ask(&release());
    answer(&world, &id);
    let result = host.call("cancel_ask", &json!({ "ask_id": id }))["structuredContent"].clone();
    assert_eq!(result["status"], "answered");
    assert_eq!(world.show(&id)["state"], "answered");
}

#[test]
fn without_id_answered_come_first() {
    let world = TestWorld::new();
    let mut host = McpHost::without_forms(&world);
    assert_eq!(host.call("wait_for_answer", &json!({}))["isError"], true, "nothing was asked");
    let open = host.leave_ask(&json!({ "questions": [{ "prompt": "A?" }] }));
    let answered = host.leave_ask(&release());
    let listed = host.call("list_asks", &json!({}))["structuredContent"]["asks"].clone();
    let states = |listed: &Value| -> Vec<(String, String)> {
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        listed.as_array().unwrap().iter().map(|ask| (text(&ask["ask_id"]), text(&ask["status"]))).collect()
    };
    let pending = |id: &str| (id.to_owned(), "pending".to_owned());
    assert_eq!(states(&listed), [pending(&open), pending(&answered)]);
    let waiting = host.begin("wait_for_answer", &json!({}));
    answer(&world, &answered);
    assert_eq!(host.response(waiting)["result"]["structuredContent"]["ask_id"], answered);
    let listed = host.call("list_asks", &json!({}))["structuredContent"]["asks"].clone();
    assert_eq!(states(&listed), [(answered.clone(), "answered".to_owned()), pending(&open)]);
    let left = host.call("wait_for_answer", &json!({ "received": [answered], "max_wait_s": 0 }));
    assert_eq!(left["structuredContent"]["ask_id"], open);
}

#[test]
fn foreign_folder_asks_are_hidden() {
    let world = TestWorld::new();
    let mut host = McpHost::without_forms(&world);
    let id = host.leave_ask(&release());
    let elsewhere = world.path("home");
    let mut other = McpHost::with_session(server(&world).in_folder(&elsewhere), LEGACY[1], &json!({}));
    assert_eq!(other.call("list_asks", &json!({}))["structuredContent"]["asks"], json!([]));
    for tool in ["cancel_ask", "wait_for_answer"] {
        let refused = other.text(tool, &json!({ "ask_id": id }));
        assert!(refused.starts_with("ask_not_found:"), "{refused}");
    }
    assert_eq!(world.show(&id)["state"], "open");
}
