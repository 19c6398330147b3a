//! Forms in the version in which servers send no requests: the call comes back with what a person filled in, or never.

use crate::mcp_host::{A_PERSONS_TIME, Host, answer, release, server};
use crate::world::World;
use serde_json::{Value, json};

fn with_forms(world: &World) -> Host {
    Host::modern(server(world), &json!({ "elicitation": { "form": {} } }))
}

/// Calls `ask`, with what the round before left.
fn call(host: &mut Host, arguments: &Value, before: Option<(&Value, &Value)>) -> Value {
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
fn a_form_comes_back_filled_in_to_whichever_process_there_is_then() {
    let world = World::new();
    let mut host = with_forms(&world);
    let first = call(&mut host, &release(), None);
    assert!(is_form(&first), "{first}");
    let schema = &first["inputRequests"]["form"]["params"]["requestedSchema"];
    assert_eq!(schema["properties"].as_object().unwrap().keys().collect::<Vec<_>>(), ["q01", "q02"]);
    assert_eq!(schema["properties"]["q01"]["oneOf"][0], json!({ "const": "now", "title": "Now" }));
    assert!(host.is_silent_for(A_PERSONS_TIME));
    host.kill_9();
    let mut next = with_forms(&world);
    let reply = json!({ "action": "accept", "content": { "q01": "now" } });
    let said = call(&mut next, &release(), Some((&first, &reply)))["structuredContent"].clone();
    assert_eq!([&said["status"], &said["answers"][0]["value"]], ["answered", "now"], "{said}");
    assert_eq!(said["answered_by"]["assurance"], "relayed");
    let again = call(&mut next, &release(), Some((&first, &json!({ "action": "decline" }))));
    assert_eq!(again["structuredContent"], said, "a form answers once");
}

#[test]
fn waiting_for_one_ask_comes_back_with_its_form_too() {
    let world = World::new();
    world.allow_scripted_answers();
    let mut host = with_forms(&world);
    let id = host.leave(&release());
    let form = host.call("wait_for_answer", &json!({ "ask_id": id }));
    assert!(is_form(&form), "{form}");
    let said = call(
        &mut host,
        &release(),
        Some((&form, &json!({ "action": "accept", "content": { "q01": "now" } }))),
    );
    assert_eq!(
        said["structuredContent"]["status"], "answered",
        "the form is of the ask, not of the tool: {said}"
    );
}

#[test]
fn what_is_filled_in_wrongly_comes_back_three_times_and_then_waits_at_the_desk() {
    let world = World::new();
    world.allow_scripted_answers();
    let mut host = Host::modern(world.sayso(["mcp", "--hold", "1ms"]), &json!({ "elicitation": {} }));
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
fn what_comes_faster_than_a_person_is_nobodys_answer() {
    for action in ["decline", "cancel"] {
        let world = World::new();
        let mut host = Host::modern(world.sayso(["mcp", "--hold", "1ms"]), &json!({ "elicitation": {} }));
        let first = call(&mut host, &release(), None);
        let said = call(&mut host, &release(), Some((&first, &json!({ "action": action }))));
        assert_eq!(said["structuredContent"]["status"], "pending", "{said}");
        let next = call(&mut host, &json!({ "questions": [{ "prompt": "Another?" }] }), None);
        assert_eq!(next["structuredContent"]["status"], "pending", "no more forms: {next}");
    }
}

#[test]
fn a_person_who_declines_has_declined_and_one_who_puts_it_away_has_not() {
    for (action, status) in [("decline", "declined"), ("cancel", "pending")] {
        let world = World::new();
        let mut host = Host::modern(world.sayso(["mcp", "--hold", "1ms"]), &json!({ "elicitation": {} }));
        let first = call(&mut host, &release(), None);
        assert!(host.is_silent_for(A_PERSONS_TIME));
        let said = call(&mut host, &release(), Some((&first, &json!({ "action": action }))));
        assert_eq!(said["structuredContent"]["status"], status, "{said}");
    }
}

#[test]
fn what_was_not_sealed_for_this_ask_is_not_heard() {
    let world = World::new();
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
            continue; // it ended in the same letter
        }
        let result = call(&mut host, &release(), Some((state, &reply)));
        assert!(is_form(&result), "{what}: {result}");
    }
    let asks = world.json(&["list", "--json"])["asks"].clone();
    assert_eq!(asks.as_array().unwrap().len(), 2, "both are open: {asks}");
}

#[test]
fn an_answer_at_the_desk_stands_against_a_form_that_comes_later() {
    let world = World::new();
    let mut host = with_forms(&world);
    let first = call(&mut host, &release(), None);
    let (_, id) = world.first_ask();
    answer(&world, &id);
    let said = call(&mut host, &release(), Some((&first, &json!({ "action": "decline" }))));
    assert_eq!(said["structuredContent"]["status"], "answered", "{said}");
}
