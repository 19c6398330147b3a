//! Tests of many agents at one desk, and of texts that try to break their transport, through the official SDK's
//! client.

use crate::mcp::clients::sdk::host::SdkHosts;
use crate::mcp::host::{server, text_of};
use crate::prompter::hostile_text::texts_of;
use crate::support::test_world::TestWorld;
use sayso_core::model::ask_summary::AskStatus;
use sayso_desk::{AskQuery, Desk as _, Interest};
use serde_json::{Map, Value, json};
use std::time::Duration;

const AGENTS: usize = 100;

#[test]
fn hundred_agents_get_own_answers() {
    let world = TestWorld::new();
    world.allow_scripted_answers();
    let mut official = SdkHosts::new(&world);
    let mode = |at: usize| if at.is_multiple_of(2) { "legacy" } else { "pinned" };
    let begin = |official: &mut SdkHosts, at: usize| {
        official.start_connecting(&format!("agent {at}"), &server(&world), mode(at), &json!({}))
    };
    let connecting: Vec<_> = (0..AGENTS).map(|at| begin(&mut official, at)).collect();
    connecting.into_iter().for_each(|id| drop(official.outcome(id)));
    let question =
        |at: usize| json!({ "questions": [{ "id": "who", "prompt": format!("Who is agent {at}?") }] });
    let calls: Vec<_> =
        (0..AGENTS).map(|at| official.start_call(&format!("agent {at}"), "ask", &question(at))).collect();
    // One person answers all open asks.
    let desk = world.desk();
    let mut watch = desk.watch(Interest::All, None).unwrap();
    let mut answered = 0;
    while answered < AGENTS {
        let open = AskQuery { states: vec![AskStatus::Open], ..AskQuery::default() };
        let rows = desk.list(&open).unwrap().rows;
        if rows.is_empty() {
            watch.wait(Duration::from_secs(60)).unwrap();
        }
        for row in rows {
            let name = desk.get(row.id).unwrap().request.questionnaire.display_name().to_owned();
            let text = format!("{name} I say.");
            let answers = json!({ "answers": { "who": { "answer": { "text": text } } } }).to_string();
            let ended = world.sayso(["answer", &row.id.to_string(), "--answers", &answers]).run();
            assert!(ended.exit == 0 && ended.stdout.is_empty(), "{ended:?}");
            answered += 1;
        }
    }
    for (at, call) in calls.into_iter().enumerate() {
        let text = official.outcome(call)["structuredContent"].clone();
        assert_eq!(text["answers"][0]["value"], format!("Who is agent {at}? I say."), "{text}");
    }
    assert_eq!(answered, AGENTS);
    assert_eq!(official.sdk_errors(), [&Value::Null; 0]);
}

/// Returns those texts, and some that imitate frames of the protocol.
fn hostile_texts() -> Vec<String> {
    let texts = texts_of(&["terminal", "unicode", "forge", "web"], 60).into_iter().map(|(_, text)| text);
    let framing = [
        "}\n{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n",
        "\r\n\r\nContent-Length: 2\r\n\r\n{}",
        "\u{85}\u{0}\\u0000\\",
    ];
    texts.chain(framing.map(str::to_owned)).collect()
}

#[test]
fn hostile_text_round_trips() {
    for mode in ["legacy", "auto"] {
        let world = TestWorld::new();
        world.allow_scripted_answers();
        let mut official = SdkHosts::new(&world);
        let name = "agent\u{1b}[2J\n{\"jsonrpc\":\"2.0\"}\u{202e}";
        official.connect(
            "host",
            &server(&world),
            mode,
            &json!({ "info": { "name": name, "version": "\u{1b}]0;x\u{7}" } }),
        );
        let texts = hostile_texts();
        let question = |(at, text): (usize, &String)| json!({ "id": format!("q{at}"), "prompt": format!("?{text}"), "long": true });
        let questions: Vec<_> = texts.iter().enumerate().map(question).collect();
        let asked = json!({ "title": texts.concat(), "context": texts.join("\n"), "questions": questions,
            "key": name });
        let mut unawaited = asked.clone();
        unawaited["max_wait_s"] = json!(0);
        let pending = official.text("host", "ask", &unawaited);
        let pending: Value = serde_json::from_str(&pending).unwrap_or_else(|_| panic!("{mode}: {pending}"));
        let id = pending["ask_id"].as_str().unwrap().to_owned();
        let call = official.start_call("host", "ask", &asked);
        let mut answers = Map::new();
        for (at, text) in texts.iter().enumerate() {
            answers.insert(
                format!("q{at}"),
                json!({ "answer": { "text": format!("<{text}>") }, "note": format!("<{text}>") }),
            );
        }
        let answers = json!({ "answers": answers }).to_string();
        let ended = world.sayso(["answer", &id, "--answers", &answers]).run();
        assert!(ended.exit == 0 && ended.stdout.is_empty(), "{mode}: {ended:?}");
        let result = official.outcome(call);
        let value: Value = serde_json::from_str(&text_of(&result)).unwrap();
        assert_eq!(value["title"], texts.concat());
        for (at, text) in texts.iter().enumerate() {
            let answer = &value["answers"][at];
            assert_eq!(answer["value"], format!("<{text}>"), "{mode} {text:?}");
            assert_eq!(
                [&answer["prompt"], &answer["note"]],
                [&json!(format!("?{text}")), &json!(format!("<{text}>"))]
            );
        }
        let listed = world.sayso(["list", "--state", "all"]).run();
        assert!(!listed.stdout.contains('\u{1b}') && listed.stdout.lines().count() < 9, "{listed:?}");
        assert_eq!(official.sdk_errors(), [&Value::Null; 0], "{mode}");
    }
}
