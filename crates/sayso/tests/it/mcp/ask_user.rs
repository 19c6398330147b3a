//! Tests of the interrupt format's tool `ask_user`: schema, result and durability.

use crate::mcp::auq::{ask_count, ask_of, is_delivered, text};
use crate::mcp::host::{LEGACY, McpHost};
use crate::support::test_world::TestWorld;
use serde_json::{Value, json};

/// Name of the tool.
pub(crate) const ASK_USER: &str = "ask_user";

fn host_with(world: &TestWorld, args: &[&str]) -> McpHost {
    McpHost::with_session(
        world.sayso(["mcp", "--tools", "ask_user"].iter().chain(args)),
        LEGACY[1],
        &json!({}),
    )
}

/// The questions of the spec's example.
fn open_example() -> Value {
    json!({ "questions": [
        { "question": "你喜欢什么颜色?", "options": [
            { "label": "红色", "value": "red" },
            { "label": "自定义", "value": "__custom__", "allow_custom": true }] },
        { "question": "怎么执行?", "options": [
            { "label": "立即执行", "value": "now" }, { "label": "审视后执行", "value": "review" }] }] })
}

/// Returns the example's open ask.
fn open(world: &TestWorld) -> String {
    ask_of(world, "你喜欢什么颜色?")
}

fn answer(world: &TestWorld, id: &str, answers: &str) {
    let given = json!({ "action": "answer", "answers": serde_json::from_str::<Value>(answers).unwrap() });
    let args = ["answer", id, "--answers", &given.to_string()];
    let ended = world.sayso(args).run();
    assert_eq!(ended.exit, 0, "{ended:?}");
}

fn world() -> TestWorld {
    let world = TestWorld::new();
    world.write("config/sayso/config.toml", "scripted_answers = true\n");
    world
}

#[test]
fn spec_input_yields_ordered_texts() {
    let world = world();
    let mut host = host_with(&world, &[]);
    let tool = host.request("tools/list", json!({}))["result"]["tools"][0].clone();
    let schema = &tool["inputSchema"];
    assert_eq!((&schema["type"], &schema["required"]), (&json!("object"), &json!(["questions"])));
    assert_eq!(schema["properties"].as_object().unwrap().len(), 1, "{schema}");
    let question = &schema["properties"]["questions"]["items"];
    assert_eq!(question["required"], json!(["question", "options"]));
    let option = &question["properties"]["options"]["items"]["properties"];
    assert_eq!(option.as_object().unwrap().keys().collect::<Vec<_>>(), ["label", "value", "allow_custom"]);

    let call = host.begin(ASK_USER, &open_example());
    let id = open(&world);
    answer(&world, &id, r#"["浅紫色", "review"]"#);
    assert_eq!(text(&host.response(call)["result"]), r#"["浅紫色", "review"]"#);
}

#[test]
fn decline_carries_reason() {
    let world = world();
    let mut host = host_with(&world, &[]);
    let call = host.begin(ASK_USER, &open_example());
    let ended = world.sayso(["answer", &open(&world), "--decline", "--reason", "Not today."]).run();
    assert_eq!(ended.exit, 3, "{ended:?}");
    let result = host.response(call)["result"].clone();
    assert!(text(&result).contains("declined") && text(&result).contains("Not today."), "{result}");
}

#[test]
fn empty_or_decision_input_is_refused() {
    let world = world();
    let mut host = host_with(&world, &[]);
    let decision = json!({ "info": "Delete it?", "taskName": "delete",
        "data": { "action_requests": [{ "name": "rm", "args": {} }] } });
    let no_options = json!({ "questions": [{ "question": "A?", "options": [] }] });
    let no_value = json!({ "questions": [{ "question": "A?", "options": [{ "label": "x" }] }] });
    for (wrong, place) in [
        (json!({}), "questions"),
        (json!({ "questions": [] }), "questions"),
        (decision, "questions"),
        (no_options, "questions[0].options"),
        (no_value, "questions[0].options[0].value"),
    ] {
        let result = host.call(ASK_USER, &wrong);
        assert_eq!(result["isError"], true, "{result}");
        assert!(result["content"][0]["text"].as_str().unwrap().contains(&format!("- {place}: ")), "{result}");
    }
    assert_eq!(ask_count(&world), 0);
}

#[test]
fn same_questions_find_undelivered_ask() {
    let world = world();
    let mut host = host_with(&world, &["--hold", "1ms"]);
    assert!(text(&host.call(ASK_USER, &open_example())).starts_with("No answer yet."));
    let id = open(&world);
    host.begin(ASK_USER, &open_example());
    host.request("tools/list", json!({}));
    host.kill_9();
    answer(&world, &id, r#"["red", "now"]"#);

    let mut host = host_with(&world, &[]);
    assert_eq!(text(&host.call(ASK_USER, &open_example())), r#"["red", "now"]"#);
    assert_eq!(ask_count(&world), 1);
    let call = host.begin(ASK_USER, &open_example());
    assert_ne!(open(&world), id, "what was said once is not said for the next time");
    assert!(is_delivered(&world, &id));
    host.cancel(call);
}
