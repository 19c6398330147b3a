//! Tests with a third-party client: the `ws` package for Node.

use crate::support::program::node_program::node_call;
use crate::support::test_world::TestWorld;
use crate::websocket::client::InteractionServer;
use serde_json::{Value, json};

#[test]
fn stock_client_answers_and_leaves() {
    let world = TestWorld::new();
    let server = InteractionServer::start(&world);
    let responses =
        json!([{ "action": "submit", "input": {} }, { "action": "submit", "input": { "name": "Ada 😀" } }]);
    let args = [server.address(), &server.person, &responses.to_string()];
    let call = node_call(&world, "ws", "interaction.mjs", &args);
    let node = call.start();
    // Both are connected before the first ask.
    for who in ["header", "browser"] {
        node.stdout.wait_for(&format!("{{\"who\":\"{who}\",\"open\""), 0);
    }
    let fields = json!({ "fields": [{ "id": "name", "type": "text", "label": "Name", "required": true }] });
    let held = server.ask("s1", &json!({ "schema": fields }));
    assert_eq!(held.reply().1["result"], json!({ "ok": true, "answers": { "name": "Ada 😀" } }));
    let ended = node.wait();
    let lines: Vec<Value> = ended.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    for (who, protocol) in [("header", ""), ("browser", "interaction")] {
        let own: Vec<_> = lines.iter().filter(|line| line["who"] == who).collect();
        assert_eq!(own[0]["open"], protocol, "{ended:?}");
        let kinds: Vec<_> = own.iter().filter_map(|line| line["frame"]["event"]["type"].as_str()).collect();
        let round = ["interaction_request", "interaction_response"];
        let all = [["interaction_pending"].as_slice(), &round, &round, &["interaction_pending"]].concat();
        assert_eq!(kinds, all, "{who}");
        assert_eq!(own.last().unwrap()["close"], 1000, "{ended:?}");
        assert!(own.iter().all(|line| line["isBinary"] != true && line.get("error").is_none()));
    }
}
