//! Tests of MCP Apps: the page of an ask in a sandbox of Chromium, within the reference host's bridge, over both transports.

use crate::mcp::host::{LEGACY, MODERN, McpHost, release, server};
use crate::support::program::node_program::node_call;
use crate::support::served_desk::{ServedDesk, new_token};
use crate::support::test_world::TestWorld;
use crate::web::signed_in::SignedInPage;
use sayso_desk::token::TokenRole;
use serde_json::{Value, json};
use std::time::Duration;

/// Address of the page.
const PAGE: &str = "ui://sayso/ask";

/// Capabilities of a host that shows pages.
fn with_pages() -> Value {
    json!({ "extensions": { "io.modelcontextprotocol/ui": { "mimeTypes": ["text/html;profile=mcp-app"] } } })
}

/// Returns the request to consent to a command.
fn command() -> Value {
    let action = json!({ "tool": "Bash", "act": { "shell": { "command": "rm -rf build" } } });
    json!({ "action": action, "questions": [{ "id": "go", "kind": "confirm", "prompt": "Run it?" }] })
}

/// Returns the same request with an ordinary question.
fn command_with_name() -> Value {
    let mut ask = command();
    ask["questions"]
        .as_array_mut()
        .unwrap()
        .push(json!({ "id": "name", "kind": "text", "prompt": "Its name?" }));
    ask
}

/// Lets a person do things in the page of an ask, and returns what came of it.
fn play(world: &TestWorld, mut scene: Value, ask: &Value, person: &Value) -> Value {
    scene["ask"] = ask.clone();
    scene["person"] = person.clone();
    let package = "@modelcontextprotocol/ext-apps";
    let exit = node_call(world, package, "../browser/app.mjs", &[&scene.to_string()]).start();
    let exit = exit.wait_for(Duration::from_secs(180));
    assert_eq!(exit.exit, 0, "{}{}", exit.stdout, exit.stderr);
    serde_json::from_str(&exit.stdout).unwrap()
}

/// Returns the scene of a host that starts the server.
fn stdio(world: &TestWorld, mode: &str) -> Value {
    let call = server(world);
    let text = |text: &std::ffi::OsString| text.to_str().unwrap().to_owned();
    let environment = call.environment.iter().map(|(name, value)| (text(name), json!(text(value))));
    let line: Vec<_> = call.line.iter().map(text).collect();
    let environment = Value::Object(environment.collect());
    json!({
        "server": { "command": line[0], "args": line[1..], "env": environment, "cwd": call.folder },
        "mode": mode,
    })
}

/// Returns the scene of a host on the network, with a new token of an account.
fn network(world: &TestWorld, served: &ServedDesk, account: &str) -> Value {
    let token = new_token(world, TokenRole::Asker, account);
    json!({ "url": format!("http://{}/mcp", served.address), "token": token, "mode": "auto" })
}

/// Returns who answered: surface and assurance.
fn way(value: &Value) -> [&Value; 2] {
    let by = &value["answer"]["answered_by"];
    [&by["surface"], &by["assurance"]]
}

#[test]
fn page_answers_in_sandbox() {
    for mode in ["legacy", "auto"] {
        let world = TestWorld::new();
        let person = json!([
            { "deed": "choose", "option": "Later" },
            { "deed": "press", "button": "Review answers" },
            { "deed": "press", "button": "Submit" },
            { "deed": "read", "text": "Submitted" },
        ]);
        let report = play(&world, stdio(&world, mode), &release(), &person);
        assert_eq!(report["status"], "pending", "the call ends at once: {report}");
        assert_eq!(report["answer"]["status"], "answered", "{report}");
        assert_eq!(report["answer"]["answers"][0]["labels"], json!(["Later"]), "{report}");
        assert_eq!(way(&report), ["element", "embedded"], "{report}");
        assert_eq!(report["scheme"], "dark", "{report}");
        assert!(report["height"].as_u64().unwrap() > 150, "the page tells its size: {report}");
        let value = report["message"][0][0]["text"].as_str().unwrap();
        assert!(value.contains("wait_for_answer"), "no call waited: {report}");
    }
}

#[test]
fn waiting_call_brings_the_answer() {
    let world = TestWorld::new();
    let person = json!([
        { "deed": "wait" },
        { "deed": "choose", "option": "Later" },
        { "deed": "press", "button": "Review answers" },
        { "deed": "press", "button": "Submit" },
        { "deed": "read", "text": "Submitted" },
    ]);
    let report = play(&world, stdio(&world, "auto"), &release(), &person);
    assert_eq!(report["answer"]["status"], "answered", "{report}");
    assert_eq!(report["message"], json!([]), "the agent has it already: {report}");
}

#[test]
fn typed_answers_outlive_the_page() {
    let world = TestWorld::new();
    // The page goes at once: it is told so, and saves before.
    let typed = json!([{ "deed": "choose", "option": "Later" }]);
    let report = play(&world, stdio(&world, "auto"), &release(), &typed);
    assert_eq!(report["answer"]["status"], "pending", "{report}");
    let id = report["answer"]["ask_id"].as_str().unwrap();
    let draft = world.show(id)["draft"]["replies"].clone();
    assert_eq!(draft["when"]["answer"]["picks"][0]["option"], "o2", "{draft}");
    let rest = json!([
        { "deed": "press", "button": "Review answers" },
        { "deed": "press", "button": "Submit" },
        { "deed": "read", "text": "Submitted" },
    ]);
    let report = play(&world, stdio(&world, "auto"), &release(), &rest);
    assert_eq!(report["answer"]["ask_id"], id, "{report}");
    assert_eq!(report["answer"]["answers"][0]["labels"], json!(["Later"]), "{report}");
}

#[test]
fn refusal_reaches_the_agent() {
    let world = TestWorld::new();
    let person = json!([
        { "deed": "press", "button": "Decline…" },
        { "deed": "type", "field": "Reason (optional)", "text": "not now" },
        { "deed": "press", "button": "Decline" },
        { "deed": "read", "text": "Declined" },
    ]);
    let report = play(&world, stdio(&world, "auto"), &release(), &person);
    assert_eq!(
        [&report["answer"]["status"], &report["answer"]["reason"]],
        ["declined", "not now"],
        "{report}"
    );
}

#[test]
fn consent_leads_to_desk() {
    let world = TestWorld::new();
    let served = ServedDesk::start(&world);
    let person = json!([
        { "deed": "read", "text": "rm -rf build" },
        { "deed": "count", "button": "Submit" },
        { "deed": "press", "button": "Answer at the desk" },
    ]);
    for scene in [stdio(&world, "auto"), network(&world, &served, "ci")] {
        let report = play(&world, scene, &command(), &person);
        let id = report["answer"]["ask_id"].as_str().unwrap();
        let opened = report["opened"][0].as_str().unwrap();
        assert!(opened.starts_with("http://") && opened.ends_with(&format!("/a/{id}")), "{report}");
        assert_eq!(
            [&report["answer"]["status"], &report["buttons"]],
            [&json!("pending"), &json!(0)],
            "{report}"
        );
    }
}

#[test]
fn consent_form_leads_to_desk_with_draft() {
    let mut signed = SignedInPage::start();
    let person = json!([
        { "deed": "type", "field": "Its name?", "text": "Aurora" },
        { "deed": "count", "button": "Submit" },
        { "deed": "press", "button": "Answer at the desk" },
    ]);
    let report = play(&signed.world, stdio(&signed.world, "auto"), &command_with_name(), &person);
    assert_eq!([&report["answer"]["status"], &report["buttons"]], [&json!("pending"), &json!(0)], "{report}");
    let id = report["answer"]["ask_id"].as_str().unwrap();
    signed.page.go_to(&format!("/a/{id}"));
    signed.page.expect_value("Its name?", "Aurora");
    // What is typed there is a draft of the desk; the yes stays the person's.
    signed.page.run_step("check", json!({ "label": "Yes" }));
    signed.page.click_button("Review answers");
    signed.page.expect_text("Aurora");
    signed.page.assert_no_errors();
}

#[test]
fn page_drafts_no_consent() {
    let world = TestWorld::new();
    let mut host = McpHost::with_session(server(&world), LEGACY[1], &with_pages());
    let asked = host.call("ask", &command_with_name());
    let proof = &asked["_meta"]["sayso/form"]["proof"];
    let yes = json!({ "go": { "state": "answered", "answer": { "confirm": true } } });
    let name = json!({ "name": { "state": "answered", "answer": { "text": "x" } } });
    for (draft, detail) in [(yes, "cannot give consent"), (name, "sooner than a person")] {
        let saved = host.call("answer_form", &json!({ "proof": proof, "draft": draft }));
        let problem = &saved["structuredContent"]["problems"][0];
        assert!(problem.to_string().contains(detail), "{problem}");
    }
}

#[test]
fn network_page_needs_operator() {
    let world = TestWorld::new();
    world.write("config/sayso/config.toml", "[server]\nembedded_consent = [\"shop\"]\n");
    let served = ServedDesk::start(&world);
    let look =
        json!([{ "deed": "read", "text": "answered at the desk" }, { "deed": "count", "button": "Submit" }]);
    let report = play(&world, network(&world, &served, "ci"), &release(), &look);
    assert_eq!([&report["answer"]["status"], &report["buttons"]], [&json!("pending"), &json!(0)], "{report}");
    let consent = json!([
        { "deed": "press", "button": "Approve" },
        { "deed": "read", "text": "Approved" },
    ]);
    let report = play(&world, network(&world, &served, "shop"), &command(), &consent);
    assert_eq!(report["answer"]["answers"][0]["value"], true, "{report}");
    assert_eq!(report["answer"]["answered_by"]["name"], "shop", "{report}");
    assert_eq!(way(&report), ["element", "embedded"], "{report}");
}

#[test]
fn other_hosts_see_no_page() {
    for version in [LEGACY[1], MODERN] {
        let world = TestWorld::new();
        let connect = |capabilities: &Value| {
            let call = server(&world);
            if version == MODERN {
                McpHost::sessionless(call, capabilities)
            } else {
                McpHost::with_session(call, version, capabilities)
            }
        };
        let tools = |host: &mut McpHost| host.request("tools/list", json!({}))["result"]["tools"].to_string();
        let listed = tools(&mut connect(&json!({})));
        assert!(!listed.contains("\"ui\"") && !listed.contains("answer_form"), "{listed}");
        let listed = tools(&mut connect(&with_pages()));
        assert!(listed.contains(PAGE) && listed.contains("answer_form"), "{listed}");
    }
}

#[test]
fn only_the_page_answers() {
    let world = TestWorld::new();
    let mut host = McpHost::with_session(server(&world), LEGACY[1], &with_pages());
    let asked = host.call("ask", &release());
    let proof = asked["_meta"]["sayso/form"]["proof"].as_str().unwrap();
    let read = format!("{}{}", asked["structuredContent"], asked["content"]);
    assert!(!read.contains(proof), "what the model reads has no proof: {read}");
    let replies = json!({ "when": { "state": "answered", "answer": { "picks": [{ "option": "now" }] } } });
    let quick = host.call("answer_form", &json!({ "proof": proof, "replies": &replies }));
    let view = &quick["structuredContent"];
    assert_eq!([&view["status"], &view["problems"][0]["code"]], ["pending", "not_allowed"], "{quick}");
    let forged = host.call("answer_form", &json!({ "proof": format!("{proof}x"), "replies": &replies }));
    assert_eq!(forged["isError"], true, "{forged}");
    let bare = host.call("answer_form", &json!({ "replies": &replies }));
    assert_eq!(bare["isError"], true, "{bare}");
}
