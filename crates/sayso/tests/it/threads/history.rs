//! Tests of a thread's history: what was asked, what was decided, and which tools ran, between the messages.

use crate::support::network_desk::NetworkDesk;
use crate::threads::client::{ThreadClient, new_thread};
use crate::threads::purge::purge_settled;
use crate::threads::turns::{ScriptedAgent, ask_user, execute, read_and_resume, send_message, start_parties};
use serde_json::{Value, json};

fn history(person: &ThreadClient, thread: &str) -> Value {
    person.get(&format!("/api/history/{thread}")).value()
}

fn message_count(person: &ThreadClient, thread: &str) -> Value {
    person.get(&format!("/api/status/{thread}")).value()["message_count"].clone()
}

/// Resumes what the thread waits for, and reads to the next interrupt.
fn decide(person: &ThreadClient, thread: &str, body: &Value) {
    drop(read_and_resume(person, thread, body));
}

/// Plays a turn with tools, an approval, questions and a refusal, and returns the asks.
fn play_turn(ada: &ThreadClient, bot: &ThreadClient, thread: &str) -> [Value; 3] {
    drop(send_message(ada, thread, "Build it."));
    let (agent, _) = ScriptedAgent::take_turn(bot, &json!({}));
    agent.publish(&json!([{ "tool_start": "ls" }, { "tool_end": "ls" }, { "text": "Well." }]));
    let calls = [execute("a", "make"), ask_user("b")];
    assert_eq!(history(ada, thread)["events"], json!([]), "it is stored with the next ask");
    let asked = agent.ask_calls(&calls);
    decide(ada, thread, &json!({ "action": "continue" }));
    decide(ada, thread, &json!({ "action": "answer", "answers": ["red"] }));
    agent.wait_for_decision(&calls);
    agent.publish(&json!([{ "tool_start": "execute" }, { "tool_end": "execute" }]));
    let no = [execute("c", "rm -r build")];
    let refused = agent.ask_calls(&no);
    let ask = refused["decisions"][0]["ask"].clone();
    let no_way = json!({ "shown": digest(ada, &ask), "reason": "not now" });
    let declined = ada.post(&format!("/v1/asks/{}/decline", ask.as_str().unwrap()), &no_way);
    assert_eq!(declined.status, 200, "{declined:?}");
    agent.wait_for_decision(&no);
    agent.say_text("Done.");
    agent.end_turn();
    [asked["decisions"][0]["ask"].clone(), asked["decisions"][1]["ask"].clone(), ask]
}

fn digest(person: &ThreadClient, ask: &Value) -> Value {
    person.get(&format!("/v1/asks/{}", ask.as_str().unwrap())).value()["digest"].clone()
}

fn tool(after: usize, tool: &str, status: &str) -> Value {
    json!({ "type": "tool", "after": after, "tool": tool, "status": status })
}

fn asked(kind: &str, after: usize, ask: &Value, info: &str, questions: &Value, decision: &Value) -> Value {
    json!({ "type": kind, "after": after, "ask": ask, "info": info, "questions": questions, "decision": decision })
}

/// Returns the events of [`play_turn`].
fn played_events([make, colour, rm]: &[Value; 3]) -> Value {
    let decided = |action: &str, answers: Value, reason: Value| json!({ "action": action, "answers": answers, "reason": reason });
    let questions = &ask_user("b")["args"]["questions"];
    json!([
        tool(1, "ls", "running"),
        tool(1, "ls", "completed"),
        asked(
            "approval",
            2,
            make,
            "正在执行命令: make",
            &Value::Null,
            &decided("continue", json!(null), json!(null))
        ),
        asked(
            "question",
            2,
            colour,
            "Agent 提出了 1 个问题",
            questions,
            &decided("answer", json!(["red"]), json!(null))
        ),
        tool(2, "execute", "running"),
        tool(2, "execute", "completed"),
        asked(
            "approval",
            2,
            rm,
            "正在执行命令: rm -r build",
            &Value::Null,
            &decided("cancel", json!(null), json!("not now"))
        ),
    ])
}

#[test]
fn history_has_events_between_messages() {
    let (mut served, ada, bot) = start_parties();
    let id = new_thread(&ada);
    let asks = play_turn(&ada, &bot, &id);
    let messages = json!([
        { "role": "user", "content": "Build it." },
        { "role": "assistant", "content": "Well." },
        { "role": "assistant", "content": "Done." },
    ]);
    let expected = json!({ "thread_id": id, "messages": messages, "events": played_events(&asks) });
    assert_eq!(history(&ada, &id), expected);
    // The message, the call of ls and its result, "Well." with two results, the next call and its result, "Done."
    assert_eq!(message_count(&ada, &id), 9);
    served.kill_9();
    served.restart();
    assert_eq!(history(&ada, &id), expected);
    assert_eq!(bot.get(&format!("/v1/threads/{id}/history")).value(), expected, "the agent reads the same");
}

#[test]
fn undecided_and_missed_asks_are_in_history() {
    let (_served, ada, bot) = start_parties();
    let id = new_thread(&ada);
    drop(send_message(&ada, &id, "go"));
    let (agent, _) = ScriptedAgent::take_turn(&bot, &json!({}));
    agent.post_step("ask?wait=20", json!({ "calls": [execute("a", "ls")], "timeout_ms": 1 }));
    // That ends the turn.
    while ada.get(&format!("/api/status/{id}")).value()["status"] != "idle" {}
    drop(send_message(&ada, &id, "go on"));
    let (agent, _) = ScriptedAgent::take_turn(&bot, &json!({}));
    agent.ask_calls(&[ask_user("b")]);
    let decisions = |events: &Value| {
        let events = events["events"].as_array().unwrap();
        events.iter().map(|event| event["decision"]["action"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(decisions(&history(&ada, &id)), [json!("error"), Value::Null]);
    assert_eq!(message_count(&ada, &id), 5);
    agent.end_turn();
    assert_eq!(decisions(&history(&ada, &id)), ["error", "cancel"], "it was taken back");
    ada.send("DELETE", &format!("/api/sessions/{id}"), None);
    assert_eq!(ada.get(&format!("/api/history/{id}")).status, 403);
}

#[test]
fn purged_asks_keep_their_decision() {
    let (mut served, ada, bot): (NetworkDesk, _, _) = start_parties();
    let id = new_thread(&ada);
    let asks = play_turn(&ada, &bot, &id);
    // The thread goes on, and stays.
    drop(send_message(&ada, &id, "And now?"));
    purge_settled(&mut served);
    let mut expected = played_events(&asks);
    for event in expected.as_array_mut().unwrap().iter_mut().filter(|event| event["type"] != "tool") {
        event["info"] = Value::Null;
        event["questions"] = Value::Null;
        event["decision"]["answers"] = Value::Null;
        event["decision"]["reason"] = Value::Null;
    }
    assert_eq!(history(&ada, &id)["events"], expected);
    assert_eq!(message_count(&ada, &id), 10);
}
