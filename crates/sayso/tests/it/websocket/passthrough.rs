//! Tests that forms and responses pass unchanged.

use crate::support::test_world::TestWorld;
use crate::websocket::client::InteractionServer;
use serde_json::{Value, json};

/// A form whose members are spelled differently in a questionnaire.
fn form() -> Value {
    json!({
        "fields": [
            { "id": "name", "type": "text", "label": "Name", "required": false, "defaultValue": "Ada", "min": 3 },
            { "id": "role", "type": "text", "label": "Role", "defaultValue": "dev" },
            { "id": "age", "type": "number", "label": "Age", "max": 99.5, "validateOnClient": true },
        ],
        "initialValues": { "name": "Bo", "role": null, "other": [1, null] },
    })
}

#[test]
fn form_passes_unchanged() {
    let world = TestWorld::new();
    let server = InteractionServer::start(&world);
    let mut client = server.client("s");
    let view = json!({ "showInputs": false, "summaryTemplate": "{{name}} it is" });
    let held = server.ask("s", &json!({ "schema": form(), "completedView": view }));
    let event = client.form();
    assert_eq!(event["payload"]["inputSchema"], form(), "{event}");
    assert_eq!(event["payload"]["completedView"], view, "{event}");
    client.respond(&event, &json!({ "action": "submit", "input": { "age": 100 } }));
    client.event("interaction_response");
    let again = client.event("interaction_request");
    let mut expected = form();
    expected["initialValues"] = json!({ "age": 100 });
    assert_eq!(again["payload"]["inputSchema"], expected, "{again}");
    client.respond(&again, &json!({ "action": "submit", "input": { "age": 9 } }));
    assert_eq!(held.reply(), (200, json!({ "ok": true, "result": { "ok": true, "answers": { "age": 9 } } })));
}

#[test]
fn response_without_input_echoes_none() {
    let world = TestWorld::new();
    let server = InteractionServer::start(&world);
    let mut client = server.client("s");
    let fields = json!([{ "id": "a", "type": "text", "label": "A" }]);
    let held = server.ask("s", &json!({ "schema": { "fields": fields } }));
    let event = client.form();
    client.respond(&event, &json!({ "action": "submit" }));
    let echoed = client.event("interaction_response")["payload"].clone();
    assert_eq!(echoed["action"], "submit");
    assert_eq!(echoed.get("input"), None, "{echoed}");
    assert_eq!(held.reply(), (200, json!({ "ok": true, "result": { "ok": true, "answers": {} } })));
}
