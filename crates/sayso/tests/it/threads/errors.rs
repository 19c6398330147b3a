//! Tests of interrupts that cannot be asked: the error uses the agent's own names, and nothing is left behind.

use crate::http::load::limits::create_open_asks;
use crate::support::network_desk::NetworkDesk;
use crate::threads::client::{ThreadClient, new_thread};
use crate::threads::turns::{
    ScriptedAgent, ask_user, end, execute, read_and_resume, rest, send_message, start_parties,
};
use sayso_core::{Actor, AskCommand, limits};
use sayso_desk::Desk as _;
use serde_json::{Value, json};
use std::thread as threads;

/// Returns the open asks of a person at the desk.
fn open_asks(person: &ThreadClient) -> usize {
    person.get("/v1/asks").value()["asks"].as_array().unwrap().len()
}

fn refused_path(agent: &ScriptedAgent, body: Value, status: u16, code: &str) -> Value {
    let (got, problem) = agent.post_step("ask", body);
    assert_eq!((got, &problem["code"]), (status, &json!(code)), "{problem}");
    problem
}

/// Returns the first three steps of the first problem's path.
fn path_start(problem: &Value) -> String {
    let place = problem["causes"][0]["path"].as_array().unwrap_or_else(|| panic!("{problem}"));
    let steps = place.iter().take(3).map(|step| step.as_str().map_or(step.to_string(), str::to_owned));
    steps.collect::<Vec<_>>().join(".")
}

#[test]
fn partial_interrupt_asks_nothing() {
    let (_served, ada, bot) = start_parties();
    let _stream = send_message(&ada, &new_thread(&ada), "Go.");
    let (agent, _) = ScriptedAgent::take_turn(&bot, &json!({}));
    let problem =
        refused_path(&agent, json!({ "calls": [execute("a", "ls"), ask_user("a")] }), 422, "duplicate_id");
    assert_eq!(problem["path"], json!(["calls", 1, "id"]));
    let none = json!({ "id": "b", "name": "ask_user", "args": { "questions": [{ "question": "" }] } });
    let problem =
        refused_path(&agent, json!({ "calls": [execute("a", "ls"), none] }), 422, "invalid_request");
    assert_eq!(problem["path"], json!(["calls", 1]));
    assert_eq!(path_start(&problem), "args.questions.0");
    let never = json!({ "calls": [execute("a", "ls")], "timeout_ms": 0 });
    assert_eq!(refused_path(&agent, never, 422, "invalid_value")["path"], json!(["timeout_ms"]));
    assert_eq!(open_asks(&ada), 0);
    agent.ask_calls(&[ask_user("b")]);
    let problem =
        refused_path(&agent, json!({ "calls": [execute("a", "ls"), execute("b", "ls")] }), 422, "key_reused");
    assert_eq!(
        (&problem["path"], problem["detail"].as_str().unwrap().contains("key \"b\"")),
        (&json!(["calls", 1, "id"]), true)
    );
    assert_eq!(open_asks(&ada), 1, "what was there before stays, and nothing came to it");
    // An id that was refused with others is still unused.
    let asked = agent.ask_calls(&[execute("a", "pwd"), ask_user("b")]);
    assert_eq!((asked["decided"].clone(), open_asks(&ada)), (json!(false), 2));
    agent.end_turn();
    assert_eq!(open_asks(&ada), 0);
}

#[test]
fn full_desk_asks_nothing() {
    let (served, ada, bot) = start_parties();
    let id = new_thread(&ada);
    let _stream = send_message(&ada, &id, "Go.");
    let (agent, _) = ScriptedAgent::take_turn(&bot, &json!({}));
    create_open_asks(&served.world, "bot", limits::ACCOUNT_OPEN_ASKS - 1);
    let calls = [execute("a", "ls"), execute("b", "ls")];
    let state = || ada.get(&format!("/api/status/{id}")).value()["status"].clone();
    refused_path(&agent, json!({ "calls": calls }), 429, "desk_crowded");
    assert_eq!(state(), "running", "one of two is not asked alone");
    let desk = served.world.desk();
    let one = served.world.wait_for_ask(|ask| ask.outcome().is_none());
    desk.act(&Actor::Asker(one.request.asker.clone()), one.id, None, AskCommand::CANCEL).unwrap();
    let asked = agent.ask_calls(&calls);
    let states: Vec<_> = asked["decisions"].as_array().unwrap().iter().map(|one| &one["state"]).collect();
    assert_eq!((states, state()), (vec![&json!("open"); 2], json!("interrupted")));
    agent.end_turn();
}

#[test]
fn other_formats_get_their_own_results() {
    let (_served, ada, bot) = start_parties();
    let id = new_thread(&ada);
    let _stream = send_message(&ada, &id, "Go.");
    let (agent, _) = ScriptedAgent::take_turn(&bot, &json!({}));
    let options = json!([{ "label": "A", "description": "a" }, { "label": "B", "description": "b" }]);
    let auq = json!({ "prompt": "Which?", "title": "Q", "options": options, "multiSelect": false });
    let spec = json!({ "question": "Which?", "header": "Q", "options": options, "multiSelect": false });
    let own = json!({ "id": "why", "kind": "text", "prompt": "Why?", "required": false });
    for (dialect, question, expected) in [
        ("auq", auq, "\u{2192} B \u{2014} b"),
        ("ask_user_question", spec, r#"{"answers":{"Q":"B"}}"#),
        ("sayso", own, r#""why":{"state":"answered","answer":{"text":"B"}}"#),
    ] {
        let ask = json!({ "id": dialect, "dialect": dialect, "request": { "questions": [question] } });
        assert_eq!(agent.post_step("ask", ask.clone()).0, 200);
        let status = ada.get(&format!("/api/status/{id}")).value();
        let asked = &status["interrupt_info"]["questions"][0]["options"];
        let answer = if dialect == "sayso" { &json!("B") } else { &asked[1]["value"] };
        let resume = json!({ "action": "answer", "answers": [answer] });
        let _stream = ada.stream(&format!("/api/resume/{id}"), &resume);
        let result = agent.post_step("ask?wait=20", ask).1["decisions"][0]["result"].clone();
        assert!(result.as_str().unwrap().contains(expected), "{dialect}: {result} {asked}");
    }
}

#[test]
fn large_answers_are_refused() {
    let (_served, ada, bot) = start_parties();
    let id = new_thread(&ada);
    let _stream = send_message(&ada, &id, "Go.");
    let (agent, _) = ScriptedAgent::take_turn(&bot, &json!({}));
    let option = json!({ "label": "Mine", "value": "__custom__", "allow_custom": true });
    let questions = json!([{ "question": "What?", "options": [option] }]);
    agent.ask_calls(&[json!({ "id": "c", "name": "ask_user", "args": { "questions": questions } })]);
    ada.get(&format!("/api/status/{id}"));
    let answer = |bytes: usize| json!({ "action": "answer", "answers": ["x".repeat(bytes)] });
    let events = rest(ada.stream(&format!("/api/resume/{id}"), &answer(3 << 20)));
    let message = events[0].1["message"].as_str().unwrap();
    assert!(message.starts_with("answer at index 0: ") && message.contains("1048576"), "{message}");
    assert_eq!(ada.post(&format!("/api/resume/{id}"), &answer(20 << 20)).status, 413);
}

#[test]
fn thread_names_its_agent() {
    let (served, ada, _) = start_parties();
    let _other = ThreadClient::of(&served, "asker", "other");
    let unknown = ada.send("POST", "/api/sessions", Some("{\"agent\":\"nobody\"}"));
    assert_eq!(unknown.status, 409, "{unknown:?}");
    assert!(unknown.text().contains(r#"There are: \"bot\", \"other\"."#), "{unknown:?}");
    let thread = new_thread(&ada);
    let unnamed = ada.post(&format!("/api/chat/{thread}"), &json!({ "message": "hello" }));
    assert!(unnamed.status == 409 && unnamed.text().contains(r#"\"bot\", \"other\""#), "{unnamed:?}");
}

#[test]
fn places_are_those_of_the_request() {
    let (_served, ada, bot) = start_parties();
    let _stream = send_message(&ada, &new_thread(&ada), "Go.");
    let (agent, _) = ScriptedAgent::take_turn(&bot, &json!({}));
    let action = |name: &str, args: Value| json!({ "name": name, "args": args });
    let bad = json!({ "questions": [{ "question": "" }] });
    let actions = json!([action("execute", json!({ "command": "ls" })), action("ask_user", bad)]);
    let request = json!({ "data": { "action_requests": actions }, "questions": null });
    let problem = refused_path(&agent, json!({ "id": "a", "request": request }), 422, "invalid_request");
    assert_eq!(problem["path"], json!(["request"]));
    assert_eq!(path_start(&problem), "data.action_requests.1");
    let large = execute("b", &"x".repeat(1 << 20));
    let problem = refused_path(&agent, json!({ "calls": [large] }), 413, "too_large");
    assert!(problem["detail"].as_str().unwrap().contains("1048590 bytes"), "{problem}");
    assert_eq!(open_asks(&ada), 0);
}

#[test]
fn foreign_thread_history_is_hidden() {
    let (served, ada, bot) = start_parties();
    let id = new_thread(&ada);
    let _stream = send_message(&ada, &id, "Go.");
    let (agent, _) = ScriptedAgent::take_turn(&bot, &json!({}));
    let history = format!("/v1/threads/{id}/history");
    assert_eq!(bot.get(&history).status, 200);
    let other = ThreadClient::of(&served, "asker", "other").get(&history);
    assert_eq!((other.status, &other.value()["code"]), (404, &json!("thread_not_found")));
    agent.end_turn();
}

#[test]
fn second_decision_finds_nothing() {
    let (_served, ada, bot) = start_parties();
    let id = new_thread(&ada);
    let _stream = send_message(&ada, &id, "Go.");
    let (agent, _) = ScriptedAgent::take_turn(&bot, &json!({}));
    for round in 0..10 {
        let call = [execute(&round.to_string(), "ls")];
        agent.ask_calls(&call);
        let decide = || {
            let mut events = Vec::new();
            let mut stream = read_and_resume(&ada, &id, &json!({ "action": "continue" }));
            // The winner reads on, up to the end of the turn.
            let first = stream.next();
            if first.as_ref().is_some_and(|(name, _)| name == "error") {
                events.extend(first);
                events.extend(rest(stream));
            }
            events
        };
        let replies = threads::scope(|scope| {
            let others = [scope.spawn(decide), scope.spawn(decide), scope.spawn(decide)];
            agent.wait_for_decision(&call);
            agent.say_text("Done.");
            others.map(|one| one.join().unwrap())
        });
        let refused = ("error".to_owned(), json!({ "message": "Thread is not waiting for a decision" }));
        let mut refusals = 0;
        for events in replies.iter().filter(|events| !events.is_empty()) {
            refusals += 1;
            assert_eq!(*events, [refused.clone(), end("error")]);
        }
        assert_eq!(refusals, 2, "{replies:?}");
    }
}

#[test]
fn invalid_token_is_told_from_missing() {
    let (_served, ada, _) = start_parties();
    let id = new_thread(&ada);
    let elsewhere = NetworkDesk::new();
    let stranger = ThreadClient::of(&elsewhere, "person", "ada");
    let cases = [
        ("", "Not authenticated"),
        (" ", "Not authenticated"),
        ("nonsense", "Could not validate credentials"),
        (stranger.token(), "Could not validate credentials"),
    ];
    for (token, detail) in cases {
        let caller = ada.with_token(token);
        let cancel = json!({ "action": "cancel" });
        let replies = [
            caller.get(&format!("/api/history/{id}")),
            caller.get("/api/sessions"),
            caller.post(&format!("/api/resume/{id}"), &cancel),
            caller.post(&format!("/api/chat/{id}"), &json!({ "message": "hi" })),
        ];
        for reply in replies {
            assert_eq!((reply.status, reply.value()), (401, json!({ "detail": detail })), "{token:?}");
            assert_eq!(reply.header("www-authenticate"), Some("Bearer"), "{token:?}");
        }
    }
}
