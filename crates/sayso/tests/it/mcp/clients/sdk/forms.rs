//! Tests of forms that the official SDK shows. It validates each form against the protocol and each response against
//! the form. In the version without server requests it makes the rounds itself.

use crate::mcp::clients::sdk::host::SdkHosts;
use crate::mcp::host::{answer, release, server};
use crate::support::program::ProgramExit;
use crate::support::test_world::{ProgramCall, TestWorld};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

const ERAS: [&str; 2] = ["legacy", "auto"];

/// Waits longer than the limit that counts as faster than a person, whatever the host does meanwhile.
fn wait_reading_time(official: &mut SdkHosts) {
    let until = Instant::now() + Duration::from_millis(1_100);
    assert!(!official.is_message_before(until), "{:?}", official.seen);
}

fn with_forms(world: &TestWorld, server: &ProgramCall, mode: &str, more: &Value) -> SdkHosts {
    let mut official = SdkHosts::new(world);
    let mut options = more.clone();
    options["forms"] = json!(true);
    official.connect("host", server, mode, &options);
    official
}

fn accept(value: &str) -> Value {
    json!({ "action": "accept", "content": { "q01": value } })
}

#[test]
fn sdk_accepts_all_field_kinds() {
    let options =
        json!([{ "id": "a", "label": "A" }, { "id": "b", "label": "B", "description": "the other" }]);
    let questions = json!([
        { "id": "one", "prompt": "One?", "options": options, "other": true },
        { "id": "many", "prompt": "Many?", "options": options, "multi": true },
        { "id": "text", "prompt": "Text?", "constraints": [{ "min_length": 2 }, { "max_length": 9 }] },
        { "id": "sure", "prompt": "Sure?", "kind": "confirm" },
        { "id": "how", "prompt": "How?", "kind": "rating", "max": 5 },
        { "id": "count", "prompt": "Count?", "kind": "number", "constraints": [{ "min": 1 }, { "max": 9.5 }] },
        { "id": "day", "prompt": "Day?", "kind": "date" },
    ]);
    for mode in ERAS {
        let world = TestWorld::new();
        world.allow_host_features();
        let mut official = with_forms(&world, &server(&world), mode, &json!({}));
        let call = official.start_call("host", "ask", &json!({ "title": "All", "questions": questions }));
        let form = official.form("host", 0);
        assert_eq!(form["requestedSchema"]["properties"].as_object().unwrap().len(), 8, "{form}");
        wait_reading_time(&mut official);
        let content = json!({ "q01_other": "mine", "q02": ["b"], "q03": "né\u{1f600}", "q04": false, "q05": 4, "q06": 9.5,
            "q07": "2027-02-28" });
        official.reply("host", 0, &json!({ "action": "accept", "content": content }));
        let result = official.outcome(call)["structuredContent"].clone();
        assert_eq!(
            [&result["status"], &result["answered_by"]["assurance"]],
            ["answered", "relayed"],
            "{result}"
        );
        let values: Vec<_> =
            result["answers"].as_array().unwrap().iter().map(|it| it["value"].clone()).collect();
        assert_eq!(
            values[1..],
            [json!(["b"]), json!("né\u{1f600}"), json!(false), json!(4), json!(9.5), json!("2027-02-28")]
        );
        assert_eq!(result["answers"][0]["typed"], "mine", "{result}");
        assert_eq!(official.sdk_errors(), [&Value::Null; 0], "{mode}");
    }
}

#[test]
fn automatic_decline_answers_nothing() {
    for (mode, action) in ERAS.into_iter().flat_map(|mode| [(mode, "decline"), (mode, "cancel")]) {
        let world = TestWorld::new();
        world.allow_host_features();
        let mut official = with_forms(&world, &server(&world), mode, &json!({ "byItself": action }));
        let call = official.start_call("host", "ask", &release());
        official.form("host", 0);
        let (_, id) = world.first_ask();
        let other = json!({ "questions": [{ "prompt": "Another?" }], "max_wait_s": 0 });
        let pending = official.call_tool("host", "ask", &other)["structuredContent"].clone();
        assert_eq!(pending["status"], "pending", "{mode} {action}: {pending}");
        assert_eq!(world.show(&id)["state"], "open", "{mode} {action}");
        answer(&world, &id);
        let result = official.outcome(call)["structuredContent"].clone();
        assert_eq!(
            [&result["status"], &result["answers"][0]["value"]],
            ["answered", "now"],
            "{mode} {action}: {result}"
        );
        assert_eq!(official.forms("host"), 1, "{mode} {action}");
    }
}

#[test]
fn desk_answer_closes_sdk_form() {
    let world = TestWorld::new();
    let mut official = with_forms(&world, &server(&world), "legacy", &json!({}));
    let call = official.start_call("host", "ask", &release());
    official.form("host", 0);
    let (_, id) = world.first_ask();
    answer(&world, &id);
    let closed = official.position_of(|line| line["closed"] == 0);
    let result = official.position_of(|line| line["id"] == call);
    assert!(closed < result, "{:?}", official.seen);
    official.reply("host", 0, &json!({ "action": "decline" }));
    let again = official.call_tool("host", "ask", &release())["structuredContent"].clone();
    assert_eq!(again["status"], "answered", "what is clicked in a closed form counts for nothing: {again}");
}

#[test]
fn unclosable_form_keeps_desk_answer() {
    for action in ["decline", "accept"] {
        let world = TestWorld::new();
        world.allow_host_features();
        let mut official = with_forms(&world, &server(&world), "auto", &json!({}));
        let call = official.start_call("host", "ask", &release());
        official.form("host", 0);
        let (_, id) = world.first_ask();
        wait_reading_time(&mut official);
        answer(&world, &id);
        official.reply("host", 0, &json!({ "action": action, "content": { "q01": "2" } }));
        let result = official.outcome(call)["structuredContent"].clone();
        assert_eq!([&result["status"], &result["answers"][0]["value"]], ["answered", "now"], "{result}");
    }
}

#[test]
fn simultaneous_answers_have_one_winner() {
    let world = TestWorld::new();
    world.allow_host_features();
    world.allow_scripted_answers();
    let mut official = SdkHosts::new(&world);
    let mut calls = Vec::new();
    for at in 0..8 {
        let (host, mode) = (format!("host {at}"), ERAS[at % 2]);
        official.connect(&host, &server(&world), mode, &json!({ "forms": true }));
        let question = json!({ "id": "who", "prompt": format!("Race {at}?"), "options": [
            { "id": "dialog", "label": "Dialog" }, { "id": "desk", "label": "Desk" }] });
        let call = official.start_call(&host, "ask", &json!({ "questions": [question] }));
        official.form(&host, 0);
        let id = world
            .wait_for_ask(|ask| ask.request.questionnaire.display_name() == format!("Race {at}?"))
            .id
            .to_string();
        calls.push((host, call, id));
    }
    wait_reading_time(&mut official);
    let at_the_desk = |id: &str| -> ProgramExit {
        world.sayso(["answer", id, "--answers", r#"{"answers":{"who":{"answer":"desk"}}}"#]).run()
    };
    let ends = std::thread::scope(|scope| {
        let ids: Vec<_> = calls.iter().map(|(.., id)| id.as_str()).collect();
        let person = scope.spawn(move || ids.into_iter().map(at_the_desk).collect::<Vec<_>>());
        // The desk answers some while all dialogs are answered: each wins some.
        world.wait_for_ask(|ask| ask.outcome().is_some());
        for (host, ..) in &calls {
            official.start_command(host, "reply", &json!({ "form": 0, "result": accept("dialog") }));
        }
        person.join().unwrap()
    });
    for ((host, call, id), end) in calls.into_iter().zip(ends) {
        let result = official.outcome(call)["structuredContent"].clone();
        let reply = result["answers"][0]["value"].as_str().unwrap().to_owned();
        assert_eq!(result["answered_by"]["surface"] == "dialog", reply == "dialog", "{host}: {result}");
        assert_eq!(end.exit == 0, reply == "desk", "{host}: {end:?}");
        let kept = world.show(&id)["phase"]["settled"]["replies"]["who"].clone();
        assert!(kept.to_string().contains(&reply), "{host}: {kept}");
    }
}

#[test]
fn rounds_stay_within_sdk_limit() {
    std::thread::scope(|scope| {
        for mode in ERAS {
            scope.spawn(move || reply_with_blanks(mode));
        }
    });
}

fn reply_with_blanks(mode: &str) {
    let world = TestWorld::new();
    world.allow_host_features();
    let short = world.sayso(["mcp", "--hold", "2s"]);
    world.allow_scripted_answers();
    let mut official = with_forms(&world, &short, mode, &json!({}));
    let blank = json!({ "questions": [{ "id": "why", "prompt": "Why?" }] });
    let call = official.start_call("host", "ask", &blank);
    for round in 0..3 {
        let form = official.form("host", round);
        let says_why = form["message"].as_str().unwrap().starts_with("- ");
        assert_eq!(says_why, round > 0, "{mode} {form}");
        // It fits the form, but it is no answer.
        official.reply("host", round, &accept("  "));
    }
    let (_, id) = world.first_ask();
    let result = official.outcome(call)["structuredContent"].clone();
    assert_eq!([&result["status"], &result["ask_id"]], ["pending", id.as_str()], "{mode}: {result}");
    assert_eq!(official.forms("host"), 3, "{mode}");
    assert_eq!(official.sdk_errors(), [&Value::Null; 0], "{mode}");
}

#[test]
fn single_round_host_keeps_question() {
    let world = TestWorld::new();
    world.allow_host_features();
    world.allow_scripted_answers();
    let mut official = with_forms(&world, &server(&world), "auto", &json!({ "maxRounds": 1 }));
    let call = official.start_call("host", "ask", &release());
    official.form("host", 0);
    // The SDK sends nothing that does not fit the form: its call fails.
    official.reply("host", 0, &json!({ "action": "accept", "content": { "q01": 7 } }));
    let error = official.result_of(call)["error"].clone();
    assert!(error["message"].is_string(), "{error}");
    let (_, id) = world.first_ask();
    assert_eq!(world.show(&id)["state"], "open");
    answer(&world, &id);
    let result = official.call_tool("host", "ask", &release())["structuredContent"].clone();
    assert_eq!([&result["status"], &result["ask_id"]], ["answered", id.as_str()], "{result}");
}
