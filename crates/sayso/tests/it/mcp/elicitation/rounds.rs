//! Tests of forms in the version without server requests: the call returns with the person's response, or never.

use crate::mcp::host::{A_PERSONS_TIME, McpHost, answer, release, server};
use crate::support::test_world::TestWorld;
use serde_json::{Value, json};

fn with_forms(world: &TestWorld) -> McpHost {
    McpHost::sessionless(server(world), &json!({ "elicitation": { "form": {} } }))
}

/// Calls `ask` with the state of the previous round.
fn call(host: &mut McpHost, arguments: &Value, before: Option<(&Value, &Value)>) -> Value {
    let mut params = json!({ "name": "ask", "arguments": arguments });
    if let Some((result, reply)) = before {
        params["requestState"] = result["requestState"].clone();
        params["inputResponses"] = json!({ "form": reply });
    }
    host.request("tools/call", params)["result"].clone()
}

fn is_form(result: &Value) -> bool {
    result["resultType"] == "input_required"
        && result["inputRequests"]["form"]["method"] == "elicitation/create"
}

#[test]
fn form_returns_to_any_process() {
    let world = TestWorld::new();
    world.allow_host_features();
    let mut host = with_forms(&world);
    let first = call(&mut host, &release(), None);
    assert!(is_form(&first), "{first}");
    let schema = &first["inputRequests"]["form"]["params"]["requestedSchema"];
    assert_eq!(schema["properties"].as_object().unwrap().keys().collect::<Vec<_>>(), ["q01", "q02"]);
    assert_eq!(schema["properties"]["q01"]["oneOf"][0], json!({ "const": "Now", "title": "Now" }));
    assert!(host.is_silent_for(A_PERSONS_TIME));
    host.kill_9();
    let mut next = with_forms(&world);
    let reply = json!({ "action": "accept", "content": { "q01": "now" } });
    let result = call(&mut next, &release(), Some((&first, &reply)))["structuredContent"].clone();
    assert_eq!([&result["status"], &result["answers"][0]["value"]], ["answered", "now"], "{result}");
    assert_eq!(result["answered_by"]["assurance"], "relayed");
    let again = call(&mut next, &release(), Some((&first, &json!({ "action": "decline" }))));
    assert_eq!(again["structuredContent"], result, "a form answers once");
}

#[test]
fn waiting_call_returns_form() {
    let world = TestWorld::new();
    world.allow_host_features();
    world.allow_scripted_answers();
    let mut host = with_forms(&world);
    let id = host.leave_ask(&release());
    let form = host.call("wait_for_answer", &json!({ "ask_id": id }));
    assert!(is_form(&form), "{form}");
    let result = call(
        &mut host,
        &release(),
        Some((&form, &json!({ "action": "accept", "content": { "q01": "now" } }))),
    );
    assert_eq!(
        result["structuredContent"]["status"], "answered",
        "the form is of the ask, not of the tool: {result}"
    );
}

#[test]
fn answer_is_the_result_of_the_call() {
    let world = TestWorld::new();
    world.allow_scripted_answers();
    // As Claude Code announces them on its screen.
    let capabilities = json!({
        "elicitation": { "form": {}, "url": {} }, "extensions": { "io.modelcontextprotocol/tasks": {} },
    });
    let mut host = McpHost::sessionless(server(&world), &capabilities);
    let call = host.begin("ask", &release());
    let (_, id) = world.first_ask();
    answer(&world, &id);
    let result = host.response(call)["result"].clone();
    assert_eq!(result["structuredContent"]["status"], "answered", "neither a task nor a form: {result}");
}

#[test]
fn invalid_form_retries_three_times() {
    let world = TestWorld::new();
    world.allow_host_features();
    world.allow_scripted_answers();
    let mut host = McpHost::sessionless(world.sayso(["mcp", "--hold", "1ms"]), &json!({ "elicitation": {} }));
    let mut result = call(&mut host, &release(), None);
    let reply = json!({ "action": "accept", "content": {} });
    for _ in 0..2 {
        result = call(&mut host, &release(), Some((&result, &reply)));
        assert!(is_form(&result), "{result}");
        let message = result["inputRequests"]["form"]["params"]["message"].as_str().unwrap();
        assert!(message.starts_with("- Question 1, \"When?\": This question needs an answer\n"), "{message}");
    }
    result = call(&mut host, &release(), Some((&result, &reply)));
    assert_eq!(result["structuredContent"]["status"], "pending", "{result}");
}

#[test]
fn too_fast_answer_is_ignored() {
    for action in ["decline", "cancel"] {
        let world = TestWorld::new();
        let mut host =
            McpHost::sessionless(world.sayso(["mcp", "--hold", "1ms"]), &json!({ "elicitation": {} }));
        let first = call(&mut host, &release(), None);
        let result = call(&mut host, &release(), Some((&first, &json!({ "action": action }))));
        assert_eq!(result["structuredContent"]["status"], "pending", "{result}");
        let next = call(&mut host, &json!({ "questions": [{ "prompt": "Another?" }] }), None);
        assert_eq!(next["structuredContent"]["status"], "pending", "no more forms: {next}");
    }
}

#[test]
fn decline_differs_from_dismissal() {
    for (action, status) in [("decline", "declined"), ("cancel", "pending")] {
        let world = TestWorld::new();
        world.allow_host_features();
        let mut host =
            McpHost::sessionless(world.sayso(["mcp", "--hold", "1ms"]), &json!({ "elicitation": {} }));
        let first = call(&mut host, &release(), None);
        assert!(host.is_silent_for(A_PERSONS_TIME));
        let result = call(&mut host, &release(), Some((&first, &json!({ "action": action }))));
        assert_eq!(result["structuredContent"]["status"], status, "{result}");
    }
}

#[test]
fn unsealed_state_is_rejected() {
    let world = TestWorld::new();
    world.allow_host_features();
    let mut host = with_forms(&world);
    let first = call(&mut host, &release(), None);
    let other = json!({ "questions": [{ "prompt": "Another?" }] });
    let others = call(&mut host, &other, None);
    assert!(host.is_silent_for(A_PERSONS_TIME));
    let reply = json!({ "action": "accept", "content": { "q01": "now" } });
    let mut forged = first.clone();
    let state = first["requestState"].as_str().unwrap();
    forged["requestState"] = json!(format!("{}A", &state[..state.len() - 1]));
    let made_up = json!({ "requestState": "rs1.AAAA.BBBB" });
    for (what, state) in [("another ask's", &others), ("forged", &forged), ("made up", &made_up)] {
        if state["requestState"] == first["requestState"] {
            continue; // its last letter was already this one
        }
        let result = call(&mut host, &release(), Some((state, &reply)));
        assert!(is_form(&result), "{what}: {result}");
    }
    let asks = world.json(&["list", "--json"])["asks"].clone();
    assert_eq!(asks.as_array().unwrap().len(), 2, "both are open: {asks}");
}

#[test]
fn desk_answer_beats_later_form() {
    let world = TestWorld::new();
    world.allow_host_features();
    let mut host = with_forms(&world);
    let first = call(&mut host, &release(), None);
    let (_, id) = world.first_ask();
    answer(&world, &id);
    let result = call(&mut host, &release(), Some((&first, &json!({ "action": "decline" }))));
    assert_eq!(result["structuredContent"]["status"], "answered", "{result}");
}
