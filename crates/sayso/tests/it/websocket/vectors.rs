//! Recorded messages of the original program, replayed against the running server: each sequence over one held request
//! and one WebSocket.

use crate::support::test_vector::{self, TestVector};
use crate::support::test_world::TestWorld;
use crate::websocket::client::{InteractionServer, WireClient};
use serde_json::{Value, json};

#[test]
fn sequences_match_over_the_wire() {
    let world = TestWorld::new();
    let server = InteractionServer::start(&world);
    let vectors = test_vector::vectors_of("interaction", "interactionSequence");
    assert_eq!(vectors.len(), 14);
    let mut asked = 0;
    for TestVector { number, body: vector, .. } in &vectors {
        let (input, expected) = (&vector["input"], &vector["expect"]);
        let mut client = server.client(number);
        let held = server.ask(number, &input["args"]);
        let wanted = expected["events"].as_array().unwrap();
        let events = if wanted.is_empty() {
            Vec::new()
        } else {
            play_responses(&server, &mut client, input, wanted.len())
        };
        assert_eq!(mask_events(&events), expected_events(wanted), "{number}");
        let (status, reply) = held.reply();
        match expected.get("error") {
            None => {
                let result = &expected["result"];
                assert_eq!((status, &reply), (200, &json!({ "ok": true, "result": result })), "{number}");
            }
            Some(error) => {
                let aborted = error["code"] == "tool_aborted";
                assert_eq!(status, if aborted { 410 } else { 400 }, "{number}");
                assert_eq!(reply, json!({ "error": error["message"], "code": error["code"] }), "{number}");
            }
        }
        if let Some(last) = events.iter().rev().find(|event| event["type"] == "interaction_request") {
            asked += 1;
            client.respond(last, &json!({ "action": "submit", "input": {} }));
            let words = "Interaction response did not match a pending request";
            assert_eq!(client.error("interaction_not_found")["message"], words, "{number}");
        }
    }
    assert_eq!(asked, 8);
}

/// Replays the responses of a vector, until this many events have arrived.
fn play_responses(
    server: &InteractionServer,
    client: &mut WireClient,
    input: &Value,
    count: usize,
) -> Vec<Value> {
    let mut responses = input["responses"].as_array().unwrap().iter();
    let mut events = Vec::new();
    while events.len() < count {
        let event = client.text()["event"].clone();
        if event["type"] == "interaction_request" {
            match responses.next() {
                Some(Value::String(word)) if word == "abort" => {
                    let place =
                        format!("/v1/asks/{}/cancel", event["payload"]["toolCallId"].as_str().unwrap());
                    let (status, _) = server.post(&place, &server.asker, &[], &json!({})).reply();
                    assert_eq!(status, 200);
                }
                Some(response) => client.respond(&event, response),
                // Let the time pass.
                None => {}
            }
        }
        events.push(event);
    }
    events
}

/// Returns events with the parts masked that vary from run to run.
fn mask_events(events: &[Value]) -> Vec<Value> {
    let (mut rounds, mut ids) = (Vec::new(), Vec::new());
    let seen = |event: &Value| {
        let mut event = event.clone();
        assert!(!ids.contains(&event["id"]) && event["timestamp"].is_u64(), "{event}");
        ids.push(event["id"].clone());
        let is_new = event["type"] == "interaction_request";
        if let Some(round) = event["payload"].get_mut("interactionId") {
            if is_new {
                assert!(!rounds.contains(round), "two rounds with one id: {round}");
                rounds.push(round.clone());
            }
            assert_eq!(rounds.last(), Some(&*round));
            *round = json!("<uuid>");
        }
        event["payload"]["toolCallId"] = json!("call-1");
        for (member, value) in [("id", "<uuid>"), ("timestamp", "<ms>"), ("sessionId", "s1")] {
            event[member] = json!(value);
        }
        event
    };
    events.iter().map(seen).collect()
}

/// A call over HTTP belongs to no turn: both members are optional.
fn expected_events(events: &[Value]) -> Vec<Value> {
    let without = |event: &Value| {
        let mut event = event.clone();
        event.as_object_mut().unwrap().retain(|member, _| member != "turnId" && member != "responseId");
        event
    };
    events.iter().map(without).collect()
}

#[test]
fn client_features_are_refused_without_client() {
    let world = TestWorld::new();
    let server = InteractionServer::start(&world);
    let vectors = test_vector::vectors_of("interaction", "error");
    let [TestVector { body: input, .. }, TestVector { body: approval, .. }] = vectors.as_slice() else {
        panic!("there are {}", vectors.len())
    };
    assert_eq!((&input["input"]["type"], &approval["input"]["type"]), (&json!("input"), &json!("approval")));
    let fields = json!({ "fields": [{ "id": "name", "type": "text", "label": "Name" }] });
    let arguments = json!({ "schema": fields, "require_client": true });
    let (status, reply) = server.ask("s1", &arguments).reply();
    let error = json!({ "error": input["expect"]["message"], "code": input["expect"]["code"] });
    assert_eq!((status, reply), (503, error));
    assert_eq!(world.json(&["list", "--json"])["asks"], json!([]));

    let mut disabled = server.connect_client(&server.person);
    disabled.hello("s1", false);
    // A form arrives only after the hello has been handled.
    let other = server.ask("s1", &json!({ "schema": fields }));
    let shown = disabled.form();
    assert_eq!(server.ask("s1", &arguments).reply().0, 503);
    disabled.respond(&shown, &json!({ "action": "cancel" }));
    disabled.error("interaction_disabled");
    disabled.send_json(&json!({ "type": "set_interaction_mode", "enabled": true }));
    disabled.respond(&shown, &json!({ "action": "cancel", "reason": "no" }));
    disabled.event("interaction_response");
    assert_eq!(other.reply().1["result"], json!({ "ok": false, "cancelled": true, "reason": "no" }));
    disabled.event("interaction_pending");
    let asked = server.ask("s1", &arguments);
    let shown = disabled.form();
    disabled.respond(&shown, &json!({ "action": "submit", "input": { "name": "Ada" } }));
    assert_eq!(
        asked.reply(),
        (200, json!({ "ok": true, "result": { "ok": true, "answers": { "name": "Ada" } } }))
    );
}

#[test]
fn invalid_response_is_refused_with_reason() {
    let world = TestWorld::new();
    let server = InteractionServer::start(&world);
    let mut client = server.client("s1");
    let vectors = test_vector::vectors_of("interaction", "payloadSchema");
    assert_eq!(vectors.len(), 1);
    for TestVector { number, body: vector, .. } in vectors {
        let input = &vector["input"];
        client.send_json(&json!({
            "type": "tool_interaction_response", "sessionId": "s1", "callId": input["toolCallId"],
            "interactionId": input["interactionId"], "action": input["action"],
        }));
        client.error("invalid_client_message");
        assert_eq!(vector["expect"]["valid"], false, "{number}");
    }
}

#[test]
fn value_vectors_match_over_wire() {
    let world = TestWorld::new();
    let server = InteractionServer::start(&world);
    let mut client = server.client("s1");
    let vectors = test_vector::vectors_of("interaction", "validateInput");
    assert_eq!(vectors.len(), 43);
    for TestVector { number, body: vector, .. } in vectors {
        let (input, errors) = (&vector["input"], &vector["expect"]["fieldErrors"]);
        let held = server.ask("s1", &json!({ "schema": input["schema"] }));
        let shown = client.form();
        client.respond(&shown, &json!({ "action": "submit", "input": input["input"] }));
        client.event("interaction_response");
        let answers = json!({ "ok": true, "answers": input["input"] });
        let result = if errors.as_object().unwrap().is_empty() {
            answers
        } else {
            let again = client.event("interaction_request");
            assert_eq!(again["payload"]["fieldErrors"], *errors, "{number}");
            assert_eq!(again["payload"]["inputSchema"]["initialValues"], input["input"], "{number}");
            client.respond(&again, &json!({ "action": "cancel" }));
            client.event("interaction_response");
            json!({ "ok": false, "cancelled": true })
        };
        assert_eq!(held.reply(), (200, json!({ "ok": true, "result": result })), "{number}");
        client.event("interaction_pending");
    }
}

#[test]
fn schema_vectors_match_over_wire() {
    let world = TestWorld::new();
    let server = InteractionServer::start(&world);
    let mut client = server.client("s1");
    let shown: Vec<_> = ["schema", "mergeInitialValues"]
        .into_iter()
        .flat_map(|kind| test_vector::vectors_of("interaction", kind))
        .collect();
    assert_eq!(shown.len(), 24);
    for TestVector { number, body: vector, .. } in shown {
        let expected = &vector["expect"];
        let held = server.ask("s1", &vector["input"]);
        if expected["valid"] == false {
            let error = json!({ "error": expected["message"], "code": expected["errorCode"] });
            assert_eq!(held.reply(), (400, error), "{number}");
            continue;
        }
        let form = client.form();
        let schema = &form["payload"]["inputSchema"];
        match expected.get("initialValues") {
            Some(values) => {
                assert_eq!(schema["initialValues"], *values, "{number}");
                let mut given = vector["input"]["schema"].clone();
                // No member of the spec's field.
                let fields = given.get_mut("fields").and_then(Value::as_array_mut).into_iter().flatten();
                fields.for_each(|field| _ = field.as_object_mut().unwrap().remove("initialValue"));
                if !values.is_null() {
                    given["initialValues"] = values.clone();
                }
                assert_eq!(*schema, given, "{number}");
            }
            None => assert_eq!(*schema, expected["parsed"], "{number}"),
        }
        client.respond(&form, &json!({ "action": "cancel" }));
        client.event("interaction_response");
        assert_eq!(held.reply().0, 200, "{number}");
        client.event("interaction_pending");
    }
}
