//! Tests with the official SDK's client, from the first message to the answer. It validates every result against the
//! schema of `tools/list`, and reports lines that violate the protocol.

use crate::mcp::clients::sdk::host::{MODES, SdkHosts};
use crate::mcp::host::{answer, release, server, text_of};
use crate::support::test_world::TestWorld;
use serde_json::{Value, json};

/// Returns the published output schema of a tool.
fn published(met: &Value, tool: &str) -> jsonschema::Validator {
    let tools = met["tools"].as_array().unwrap();
    let tool = tools.iter().find(|it| it["name"] == tool).unwrap();
    jsonschema::validator_for(&tool["outputSchema"]).unwrap()
}

#[test]
fn answers_match_schema_per_version() {
    for (mode, version) in MODES.into_iter().zip(["2025-11-25", "2026-07-28", "2026-07-28"]) {
        let world = TestWorld::new();
        let (mut official, met) = SdkHosts::with_host(&world, mode);
        assert_eq!([&met["version"], &met["server"]["name"]], [version, "sayso"], "{mode}");
        assert!(met["instructions"].as_str().unwrap().starts_with("If an ask failed"));
        let names: Vec<_> =
            met["tools"].as_array().unwrap().iter().map(|tool| tool["name"].clone()).collect();
        assert_eq!(names, ["ask", "wait_for_answer", "list_asks", "cancel_ask"]);

        let asked = json!({ "tool": "ask", "arguments": release(), "progress": true });
        let call = official.start_command("host", "call", &asked);
        let (_, id) = world.first_ask();
        official.line(|line| line["progress"]["message"].as_str().is_some_and(|it| it.contains("person")));
        answer(&world, &id);
        let result = official.outcome(call);
        assert!(published(&met, "ask").is_valid(&result["structuredContent"]), "{result}");
        let value: Value = serde_json::from_str(&text_of(&result)).unwrap();
        assert_eq!([&value["status"], &value["ask_id"]], ["answered", id.as_str()], "{mode}");
        assert_eq!([&value["answers"][0]["value"], &value["answers"][0]["note"]], ["now", "before lunch"]);
        assert_eq!(official.sdk_errors(), [&Value::Null; 0], "{mode}");
    }
}

#[test]
fn sdk_accepts_all_statuses_and_errors() {
    for mode in ["legacy", "auto"] {
        let world = TestWorld::new();
        world.allow_scripted_answers();
        let (mut official, met) = SdkHosts::with_host(&world, mode);
        let schema = published(&met, "ask");
        let mut status = |tool: &str, arguments: &Value| {
            let result = official.call_tool("host", tool, arguments)["structuredContent"].clone();
            assert!(schema.is_valid(&result), "{mode}: {result}");
            (result["status"].as_str().unwrap().to_owned(), result["ask_id"].clone())
        };
        let question = |words: &str| json!({ "questions": [{ "prompt": words }], "max_wait_s": 0 });
        let (pending, declined) = status("ask", &question("Declined?"));
        assert_eq!(pending, "pending");
        let decline = ["answer", declined.as_str().unwrap(), "--decline", "--reason", "No!"];
        assert_eq!(world.sayso(decline).run().exit, 3);
        assert_eq!(status("wait_for_answer", &json!({ "ask_id": declined })).0, "declined");
        let mut short = question("Expired?");
        short["timeout"] = json!("1ms");
        short["max_wait_s"] = json!(9);
        assert_eq!(status("ask", &short).0, "expired");
        let (_, taken_back) = status("ask", &question("Taken back?"));
        assert_eq!(status("cancel_ask", &json!({ "ask_id": taken_back })).0, "cancelled");
        official.call_tool("host", "list_asks", &json!({}));
        let refused = official.call_tool("host", "ask", &json!({ "questions": [] }));
        assert_eq!(refused["isError"], true, "{refused}");
        let unknown = official.start_call("host", "nope", &json!({}));
        assert_eq!(official.result_of(unknown)["error"]["code"], -32602);
        assert_eq!(official.sdk_errors(), [&Value::Null; 0], "{mode}");
    }
}

#[test]
fn late_cancellation_loses_nothing() {
    for mode in ["legacy", "auto"] {
        let world = TestWorld::new();
        let (mut official, _) = SdkHosts::with_host(&world, mode);
        let mut begin = |more: Value| {
            let mut call = json!({ "tool": "ask", "arguments": release() });
            call.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            official.start_command("host", "call", &call)
        };
        let (timed_out, aborted) = (begin(json!({ "timeout": 300 })), begin(json!({ "abort": "one" })));
        let (_, id) = world.first_ask();
        assert_eq!(official.result_of(timed_out)["error"]["code"], "REQUEST_TIMEOUT");
        official.run_command("host", "abort", &json!({ "call": "one" }));
        assert!(official.result_of(aborted)["error"]["message"].as_str().unwrap().contains("gave up"));
        assert_eq!(world.show(&id)["state"], "open", "{mode}");
        answer(&world, &id);
        let first = official.text("host", "ask", &release());
        for request in 0..12 {
            let params = json!({ "requestId": request, "reason": "late" });
            official.run_command(
                "host",
                "notify",
                &json!({ "method": "notifications/cancelled", "params": params }),
            );
        }
        assert_eq!(official.text("host", "ask", &release()), first, "{mode}");
        assert_eq!(world.json(&["list", "--state", "all", "--json"])["asks"].as_array().unwrap().len(), 1);
        assert_eq!(official.sdk_errors(), [&Value::Null; 0], "{mode}");
    }
}

#[test]
fn concurrent_duplicates_get_same_bytes() {
    let world = TestWorld::new();
    let mut official = SdkHosts::new(&world);
    let mut calls = Vec::new();
    for (host, mode) in [("one", "legacy"), ("two", "auto")] {
        official.connect(host, &server(&world), mode, &json!({}));
    }
    for host in ["one", "two", "one", "two"] {
        calls.push(official.start_call(host, "ask", &release()));
    }
    let (_, id) = world.first_ask();
    answer(&world, &id);
    let mut texts: Vec<_> = calls.into_iter().map(|call| text_of(&official.outcome(call))).collect();
    texts.dedup();
    assert_eq!(texts.len(), 1, "{texts:?}");
    assert_eq!(world.json(&["list", "--state", "all", "--json"])["asks"].as_array().unwrap().len(), 1);
}
