//! Tests that consent goes to its asker for the asked action, and to no one else.

use crate::mcp::host::McpHost;
use crate::mcp::network::HttpHost;
use crate::support::program::TestProgram;
use crate::support::served_desk::ServedDesk;
use crate::support::test_world::TestWorld;
use serde_json::{Value, json};

const MAY_I: &str = r#"{"questions": [{"kind": "confirm", "id": "go", "prompt": "Delete it?"}]}"#;

/// Starts a program that asks, and returns it with the id of its ask.
fn start_asker(world: &TestWorld) -> (TestProgram, String) {
    let program = world.sayso(["ask", "--elsewhere", MAY_I]).start();
    let pid = program.pid.to_string();
    let ask = world.wait_for_ask(|ask| format!("{:?}", ask.state.presence).contains(&pid));
    (program, ask.id.to_string())
}

fn answer(world: &TestWorld, id: &str, go: bool) {
    let answers = json!({ "answers": { "go": go } }).to_string();
    assert_eq!(world.sayso(["answer", id, "--answers", &answers]).run().exit, 0);
}

#[test]
#[cfg(target_os = "linux")]
fn parallel_callers_get_separate_consent() {
    let world = TestWorld::new();
    world.allow_scripted_answers();
    let (one, first) = start_asker(&world);
    // A poll does not change the owner of an ask.
    assert_eq!(world.sayso(["wait", &first, "--timeout", "50ms"]).run().exit, 4);
    let (two, second) = start_asker(&world);
    assert_ne!(first, second, "one yes would let both of them act");
    answer(&world, &first, true);
    assert!(one.wait().stdout.contains("true"));
    assert_eq!(world.show(&second)["state"], "open");
    assert_eq!(world.sayso(["cancel", &second]).run().exit, 0);
    assert_eq!(two.wait().exit, 6);
}

#[test]
fn spec_names_its_task_in_the_readers_language() {
    let world = TestWorld::new();
    let interrupt = r#"{"info": "正在执行命令: npm install", "taskName": "执行命令", "data": {"action_requests": [{"name": "execute", "args": {"command": "npm install"}}]}}"#;
    let id = world.leave_ask(interrupt, &["--format", "interrupt"]);
    let mut terminal = world.sayso(["answer", &id]).on_terminal();
    terminal
        .expect("Running the command: npm install")
        .expect("Run a command?")
        .expect("/help): ")
        .line("/quit");
    let seen = terminal.wait();
    assert!(!seen.screen.contains("执行命令"), "{seen:?}");
}

#[test]
fn refused_consent_stops_the_command() {
    let world = TestWorld::new();
    world.allow_scripted_answers();
    let with_comment = r#"{"questions": [{"id": "go", "prompt": "Go?", "kind": "confirm"}, {"id": "why", "prompt": "Why?",
        "required": false}]}"#;
    let longer = r#"{"questions": [{"id": "go", "prompt": "Go?", "kind": "confirm"}, {"id": "why", "prompt": "Why?"}]}"#;
    let marked = longer.replace(r#""confirm""#, r#""confirm", "consent": true"#);
    let value = MAY_I.replace(r#""confirm""#, r#""confirm", "consent": false"#);
    let choice = r#"{"action": {"tool": "sh", "act": {"shell": {"command": "rm x"}}}, "questions": [{"id": "go",
        "prompt": "Go?", "options": ["This time", "Always", "No, leave it"]}]}"#;
    let go = |go: bool| json!({ "go": go });
    let both = |go: bool| json!({ "go": go, "why": "So." });
    let rows = [
        (MAY_I, go(true), 0, json!(true)),
        (MAY_I, go(false), 3, json!(false)),
        (with_comment, go(true), 0, json!(true)),
        (with_comment, go(false), 3, json!(false)),
        (longer, both(false), 0, Value::Null),
        (&marked, both(true), 0, json!(true)),
        (&marked, both(false), 3, json!(false)),
        (&value, go(false), 0, Value::Null),
        (choice, json!({ "go": "Always" }), 0, json!(true)),
        (choice, json!({ "go": "No, leave it" }), 3, json!(false)),
    ];
    for (request, answers, exit, approved) in rows {
        let program = world.sayso(["ask", "--elsewhere", request]).start();
        let id = world.wait_for_ask(|ask| ask.outcome().is_none()).id.to_string();
        let answered =
            world.sayso(["answer", &id, "--answers", &json!({ "answers": answers }).to_string()]).run();
        assert_eq!(answered.exit, 0, "{answered:?}");
        for ended in [program.wait(), world.sayso(["wait", &id]).run()] {
            assert_eq!(ended.exit, exit, "{request} {answers}: {ended:?}");
            let outcome: Value = serde_json::from_str(&ended.stdout).unwrap();
            assert_eq!(
                (&outcome["outcome"], &outcome["approved"]),
                (&json!("answered"), &approved),
                "{outcome}"
            );
        }
    }
}

#[test]
fn mcp_results_say_if_consent_was_given() {
    let world = TestWorld::new();
    world.allow_scripted_answers();
    let mut host = McpHost::without_forms(&world);
    let value = MAY_I.replace(r#""confirm""#, r#""confirm", "consent": false"#);
    let rows = [(MAY_I, true, json!(true)), (MAY_I, false, json!(false)), (&value, false, Value::Null)];
    for (request, go, approved) in rows {
        let call = host.begin("ask", &serde_json::from_str(request).unwrap());
        let id = world.wait_for_ask(|ask| ask.outcome().is_none()).id.to_string();
        answer(&world, &id, go);
        let asked = host.response(call)["result"]["structuredContent"].clone();
        let waited = host.call("wait_for_answer", &json!({ "ask_id": id }))["structuredContent"].clone();
        for result in [asked, waited] {
            assert_eq!([&result["status"], &result["approved"]], [&json!("answered"), &approved], "{result}");
        }
    }
}

#[test]
fn http_request_for_consent_is_new() {
    let world = TestWorld::new();
    let served = ServedDesk::start(&world);
    let asker = served.asker(&world);
    let refund = json!({ "questions": [{ "id": "go", "kind": "confirm", "prompt": "Refund 20 €?" }] });
    let body = json!({ "request": refund });
    let spec =
        json!({ "questions": [{ "id": "go", "type": "confirm", "label": "Go", "prompt": "Refund 20 €?" }] });
    let form = json!({ "mode": "async", "schema": { "fields": [
        { "id": "go", "type": "checkbox", "label": "Refund 20 €?", "required": true },
        { "id": "why", "type": "text", "label": "Why?" }] } });
    let host = HttpHost::sessionless(asker.clone(), json!({}));
    let mut call = refund.clone();
    call["max_wait_s"] = json!(0);
    let send = |path: &str, body: &Value| {
        asker.request("POST", path).json(body).header("prefer", "respond-async").send().value()
    };
    let doors: [&dyn Fn() -> Value; 4] = [
        &|| send("/v1/asks", &body)["id"].clone(),
        &|| send("/questionnaire", &spec)["ask"].clone(),
        &|| send("/api/plugins/questions/operations/ask", &form)["result"]["toolCallId"].clone(),
        &|| host.call("ask", &call)["structuredContent"]["ask_id"].clone(),
    ];
    for door in doors {
        let [first, second] = [door(), door()];
        assert!(
            first.is_string() && second.is_string() && first != second,
            "one yes would serve both: {first}"
        );
    }
    let keyed = || {
        asker.request("POST", "/v1/asks").header("idempotency-key", "r1").json(&body).send().value()["id"]
            .clone()
    };
    assert_eq!(keyed(), keyed());
    let keyed_form = || {
        let request = asker.request("POST", "/api/plugins/questions/operations/ask");
        request.header("idempotency-key", "r2").json(&form).send().value()["result"]["toolCallId"].clone()
    };
    assert_eq!(keyed_form(), keyed_form());
}

#[test]
#[cfg(target_os = "linux")]
fn killed_caller_finds_its_own_ask() {
    let world = TestWorld::new();
    let (one, first) = start_asker(&world);
    let (_two, second) = start_asker(&world);
    one.kill_9();
    let (_again, found) = start_asker(&world);
    assert_eq!(found, first);
    let (_three, third) = start_asker(&world);
    assert!(third != first && third != second);
}

#[test]
fn earlier_consent_is_not_reused() {
    let world = TestWorld::new();
    world.allow_scripted_answers();
    let mut request: Value = serde_json::from_str(MAY_I).unwrap();
    let mut older = McpHost::without_forms(&world);
    let before = older.leave_ask(&request);
    older.kill_9();
    request["questions"][0]["prompt"] = json!("Delete all of it?");
    let mut host = McpHost::without_forms(&world);
    let now = host.leave_ask(&request);
    answer(&world, &before, true);
    let waited = &host.call("wait_for_answer", &json!({ "max_wait_s": 0 }))["structuredContent"];
    let value = [&waited["status"], &waited["ask_id"], &waited["more"][0]];
    assert_eq!(value, [&json!("pending"), &json!(now), &json!(before)]);
    answer(&world, &now, false);
    let waited = &host.call("wait_for_answer", &json!({}))["structuredContent"];
    assert_eq!([&waited["status"], &waited["ask_id"]], ["answered", now.as_str()], "{waited}");
    // By its id, or without an ask of its own, it gets the earlier outcome.
    let confirmed = json!({ "received": [now] });
    let waited = &host.call("wait_for_answer", &confirmed)["structuredContent"];
    assert_eq!([&waited["status"], &waited["ask_id"]], ["answered", before.as_str()], "{waited}");
}
