//! Tests of each protocol version and its features.

use crate::mcp::host::{LEGACY, MODERN, McpHost, release, server};
use crate::support::program::python_program::change_desk;
use crate::support::test_world::TestWorld;
use serde_json::{Value, json};
use std::collections::BTreeSet;

fn names(list: &Value) -> Vec<&str> {
    list.as_array().unwrap().iter().map(|entry| entry["name"].as_str().unwrap()).collect()
}

fn assert_all_features(host: &mut McpHost) {
    let tools = host.request("tools/list", json!({}))["result"]["tools"].clone();
    assert_eq!(names(&tools), ["ask", "wait_for_answer", "list_asks", "cancel_ask"]);
    for tool in tools.as_array().unwrap() {
        assert_eq!([&tool["inputSchema"]["type"], &tool["outputSchema"]["type"]], ["object", "object"]);
        for schema in ["inputSchema", "outputSchema"] {
            jsonschema::validator_for(&tool[schema]).unwrap();
        }
    }
    assert_eq!(tools[0]["_meta"]["anthropic/alwaysLoad"], true);
    let result = host.call("ask", &json!({ "questions": release()["questions"], "max_wait_s": 0 }));
    let schema = jsonschema::validator_for(&tools[0]["outputSchema"]).unwrap();
    assert!(schema.is_valid(&result["structuredContent"]), "{result}");
    assert_eq!(result["structuredContent"]["status"], "pending");
    let prompts = host.request("prompts/list", json!({}))["result"]["prompts"].clone();
    assert_eq!(names(&prompts), ["when_to_ask", "when_not_to_ask"]);
    for name in names(&prompts) {
        let prompt = host.request("prompts/get", json!({ "name": name }));
        assert!(prompt["result"]["messages"][0]["content"]["text"].as_str().unwrap().len() > 300, "{prompt}");
    }
}

#[test]
fn session_versions_have_all_features() {
    for version in LEGACY {
        let world = TestWorld::new();
        let mut host = McpHost::with_session(server(&world), version, &json!({}));
        let instructions = host.seen[0]["result"]["instructions"].as_str().unwrap().to_owned();
        assert!(instructions.starts_with("If an ask failed, timed out"), "{instructions}");
        assert_eq!(host.seen[0]["result"]["serverInfo"]["name"], "sayso");
        assert_all_features(&mut host);
        let ended = host.end();
        assert_eq!((ended.exit, ended.stderr.as_str()), (0, ""));
    }
}

#[test]
fn sessionless_version_has_all_features() {
    let world = TestWorld::new();
    let mut host = McpHost::sessionless(server(&world), &json!({}));
    let found = host.request("server/discover", json!({}))["result"].clone();
    assert!(found["supportedVersions"].as_array().unwrap().contains(&json!(MODERN)), "{found}");
    assert_all_features(&mut host);
    assert!(
        host.seen.iter().skip(1).all(|line| line["result"]["resultType"] == "complete"),
        "{:?}",
        host.seen
    );
    assert_eq!(host.end().exit, 0);
}

#[test]
fn host_may_fall_back_to_older() {
    let world = TestWorld::new();
    let mut host = McpHost::sessionless(server(&world), &json!({}));
    host.write(&json!({ "jsonrpc": "2.0", "method": "notifications/stray" }));
    assert!(host.request("server/discover", json!({})).get("result").is_some());
    let info = json!({ "name": "test-host", "version": "1" });
    let params = json!({ "protocolVersion": LEGACY[1], "capabilities": {}, "clientInfo": info });
    assert_eq!(host.request("initialize", params)["result"]["protocolVersion"], LEGACY[1]);
}

#[test]
fn asks_are_resources() {
    let world = TestWorld::new();
    let mut host = McpHost::without_forms(&world);
    let id = host.leave_ask(&release());
    let uri = format!("sayso://asks/{id}");
    let listed = host.request("resources/list", json!({}))["result"]["resources"].clone();
    assert_eq!(listed[0]["uri"], uri);
    let read = host.request("resources/read", json!({ "uri": uri }))["result"]["contents"][0].clone();
    let shown: Value = serde_json::from_str(read["text"].as_str().unwrap()).unwrap();
    assert_eq!([&shown["status"], &shown["ask_id"]], ["pending", id.as_str()]);
    assert_eq!(listed[1]["uri"], "sayso://format", "{listed}");
    let guide =
        host.request("resources/read", json!({ "uri": "sayso://format" }))["result"]["contents"][0].clone();
    assert!(guide["text"].as_str().unwrap().contains("show_if"), "{guide}");
    let missing = host.request("resources/read", json!({ "uri": "sayso://asks/none" }));
    assert_eq!(missing["error"]["message"], "Resource not found");
    // An unreadable value is not taken for a missing one.
    change_desk(&world, "ALTER TABLE ask RENAME TO away");
    let error = host.request("resources/read", json!({ "uri": uri }))["error"].clone();
    assert_eq!(error["code"], -32603, "{error}");
    assert!(error["message"].as_str().unwrap().starts_with("desk_failed: "), "{error}");
    let error = host.request("resources/list", json!({}))["error"].clone();
    assert!(error["message"].as_str().unwrap().starts_with("desk_failed: "), "{error}");
}

#[test]
fn barely_json_line_is_answered() {
    let world = TestWorld::new();
    let mut host = McpHost::without_forms(&world);
    let deep = format!("{}{}", "[".repeat(200), "]".repeat(200));
    host.write_line(&format!(
        "{{\"jsonrpc\":\"2.0\",\"id\":70,\"method\":\"tools/call\",\"params\":{deep}}}"
    ));
    assert_eq!(host.response(70)["error"]["code"], -32700);
    for wrong in [
        json!({ "jsonrpc": "2.0", "id": 69 }),
        json!({ "jsonrpc": "2.0", "id": 70, "method": "ping", "result": {} }),
        json!({ "jsonrpc": "2.0", "id": 71, "method": "tools/call", "params": [] }),
        json!({ "jsonrpc": "2.0", "id": "seventy", "method": 1 }),
        json!({ "id": 72, "method": "ping" }),
    ] {
        host.write(&wrong);
        let refused = host.next();
        assert_eq!([&refused["id"], &refused["error"]["code"]], [&wrong["id"], &json!(-32600)], "{refused}");
    }
    let arguments = r#"{"questions":[{"prompt":"Half an \ud83d?"}],"max_wait_s":0}"#;
    let params = format!("{{\"name\":\"ask\",\"arguments\":{arguments}}}");
    host.write_line(&format!(
        "{{\"jsonrpc\":\"2.0\",\"id\":73,\"method\":\"tools/call\",\"params\":{params}}}"
    ));
    assert_eq!(host.response(73)["result"]["structuredContent"]["title"], "Half an \u{fffd}?");
}

/// An invalid message has no id for the response: JSON-RPC requires null.
#[test]
fn invalid_message_gets_null_id() {
    let refusals = |host: &mut McpHost| {
        let nonsense =
            ["nonsense", "{\"jsonrpc\":\"2.0\",", "{'id':1}", "\u{fffd}"].map(|line| (line, -32700));
        let none = [
            "7",
            "null",
            "\"ping\"",
            "[]",
            "{}",
            r#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#,
            r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#,
        ];
        for (line, code) in nonsense.into_iter().chain(none.map(|line| (line, -32600))) {
            host.write_line(line);
            let refused = host.next();
            assert_eq!(refused["error"]["code"], code, "{line}: {refused}");
            assert_eq!(refused.get("id"), Some(&Value::Null), "{line}: {refused}");
            assert_eq!(refused["jsonrpc"], "2.0", "{line}: {refused}");
        }
    };
    let world = TestWorld::new();
    let mut early = McpHost::sessionless(server(&world), &json!({}));
    refusals(&mut early);
    assert!(early.request("server/discover", json!({})).get("result").is_some());
    let mut host = McpHost::without_forms(&world);
    refusals(&mut host);
    for unanswered in ["", " ", r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"no"}}"#] {
        host.write_line(unanswered);
    }
    assert_eq!(host.request("ping", json!({}))["result"], json!({}));
    let ids = host.seen.iter().map(|line| &line["id"]).skip_while(|id| !id.is_null());
    assert_eq!(ids.filter(|id| !id.is_null()).count(), 1, "nothing else was said: {:?}", host.seen);
}

/// Only 2025-03-26 has batches; the sender waits for each of its messages.
#[test]
fn batch_messages_are_all_answered() {
    let world = TestWorld::new();
    let mut host = McpHost::without_forms(&world);
    let call = |id: &str, method: &str| json!({ "jsonrpc": "2.0", "id": id, "method": method });
    let unheard = json!({ "jsonrpc": "2.0", "method": "notifications/nothing" });
    host.write_line(&json!([call("a", "ping"), unheard, call("b", "tools/list")]).to_string());
    let replies = [host.next(), host.next()];
    assert!(replies.iter().all(|reply| reply.get("result").is_some()), "{replies:?}");
    let ids: BTreeSet<_> = replies.iter().filter_map(|reply| reply["id"].as_str()).collect();
    assert_eq!(ids, BTreeSet::from(["a", "b"]));
}

/// Two programs that reply to each other's errors would never end.
#[test]
fn error_loop_ends() {
    let world = TestWorld::new();
    let mut host = McpHost::without_forms(&world);
    for _ in 0..100 {
        host.write_line("what?");
        assert_eq!(host.next()["error"]["code"], -32700);
    }
    host.write_line("what?");
    assert!(host.is_silent_for(std::time::Duration::from_millis(200)));
    assert_eq!(host.request("ping", json!({}))["result"], json!({}));
    host.write_line("what?");
    assert_eq!(host.next()["error"]["code"], -32700);
}

#[test]
fn malformed_call_is_answered() {
    let world = TestWorld::new();
    let mut host = McpHost::without_forms(&world);
    let unknown = host.request("tools/call", json!({ "name": "nope", "arguments": {} }));
    assert_eq!(unknown["error"]["message"], "Unknown tool: nope");
    let nameless = host.request("tools/call", json!({ "arguments": {} }));
    assert_eq!(nameless["error"]["code"], -32602, "{nameless}");
    assert_eq!(host.request("no/such", json!({}))["error"]["code"], -32601);
}
