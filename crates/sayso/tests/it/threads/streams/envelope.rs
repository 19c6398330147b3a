//! Tests of streams for the spec's own front end: events without a name, in a browser's `EventSource`.

use crate::support::browser::page_browser::chromium;
use crate::support::program::node_program::node_call;
use crate::threads::client::{new_thread, unnamed};
use crate::threads::turns::{ScriptedAgent, ask_user, execute, start_parties};
use crate::threads::vectors::{script, start_agent};
use serde_json::{Value, json};
use std::time::Duration;

#[test]
fn browser_stream_continues_after_last_event() {
    let (_served, ada, bot) = start_parties();
    let thread = new_thread(&ada);
    let path = format!("/api/stream/{thread}");
    let idle = unnamed(&ada.get(&path).text());
    assert_eq!(idle[0].1, json!({ "event": "end", "data": {} }));
    assert_eq!(ada.after_event(&idle[0].0).get(&path).status, 204);
    let chat = ada.stream(&format!("/api/chat/{thread}"), &json!({ "message": "Go." }));
    let (agent, _) = ScriptedAgent::take_turn(&bot, &json!({}));
    agent.say_text("One.");
    agent.ask_calls(&[execute("c1", "ls"), ask_user("c2")]);
    drop(chat.read_whole());
    let events = unnamed(&ada.get(&path).text());
    let (last, shown) = &events[events.len() - 2];
    assert_eq!(
        (&shown["event"], &shown["taskName"]),
        (&json!("interrupt"), &shown["data"]["taskName"]),
        "{shown}"
    );
    assert_eq!(shown["data"]["data"]["action_requests"][0]["name"], "execute", "{shown}");
    assert_eq!(events.last().unwrap().1, json!({ "event": "end", "data": {} }));
    // It waits for the decision, and goes on after it.
    let more = ada.after_event(last).send_for_head("GET", &path, None, "Bearer");
    let resumed = ada.post(&format!("/api/resume/{thread}?envelope=1"), &json!({ "action": "continue" }));
    assert!(resumed.text().starts_with("data: {"), "{resumed:?}");
    let next = unnamed(&more.read_whole().text());
    assert_eq!(next[0].1["questions"][0]["question"], "Which colour?", "{next:?}");
    let resume = json!({ "action": "answer", "answers": ["red"] });
    let waiting = ada.after_event(&next[0].0).send_for_head("GET", &path, None, "Bearer");
    let resumed = ada.stream(&format!("/api/resume/{thread}"), &resume);
    agent.end_turn();
    drop(resumed.read_whole());
    let ended = unnamed(&waiting.read_whole().text());
    assert_eq!(ended.len(), 1, "{ended:?}");
    // A browser that asks again is told that nothing follows.
    let over = ada.after_event(&ended[0].0).get(&path);
    assert_eq!((over.status, over.body.len()), (204, 0));
    assert_eq!(ada.get(&format!("/api/stream/{thread}?envelope=2")).status, 400);
}

#[test]
fn reader_gets_what_came_before_it_reconnected() {
    let (_served, ada, bot) = start_parties();
    let thread = new_thread(&ada);
    let path = format!("/api/stream/{thread}");
    let chat = ada.stream(&format!("/api/chat/{thread}"), &json!({ "message": "Go." }));
    let (agent, _) = ScriptedAgent::take_turn(&bot, &json!({}));
    agent.ask_calls(&[execute("c1", "ls")]);
    drop(chat.read_whole());
    let stopped = unnamed(&ada.get(&path).text()).pop().unwrap().0;
    // The turn ends before the browser asks again.
    let resumed = ada.stream(&format!("/api/resume/{thread}"), &json!({ "action": "continue" }));
    agent.say_text("Done.");
    agent.end_turn();
    drop(resumed.read_whole());
    let events = unnamed(&ada.after_event(&stopped).get(&path).text());
    let contents: Vec<_> = events.iter().map(|(_, event)| event["content"].clone()).collect();
    assert_eq!(contents, [json!("Done."), Value::Null], "{events:?}");
    assert_eq!(ada.after_event(&events[1].0).get(&path).status, 204);
    assert!(ada.get(&format!("{path}?envelope=0")).text().contains("event: end"));
}

#[test]
fn browser_stream_is_same_after_restart() {
    let (mut served, ada, bot) = start_parties();
    let thread = new_thread(&ada);
    let path = format!("/api/stream/{thread}?envelope=1");
    let (begin, _) = unnamed(&ada.get(&path).text()).remove(0);
    let chat = ada.stream(&format!("/api/chat/{thread}"), &json!({ "message": "Go." }));
    let (agent, _) = ScriptedAgent::take_turn(&bot, &json!({}));
    agent.say_text("One, ");
    agent.ask_calls(&[execute("c1", "ls")]);
    drop(chat.read_whole());
    let on = json!({ "action": "continue" });
    let resumed = ada.stream(&format!("/api/resume/{thread}"), &on);
    agent.wait_for_decision(&[execute("c1", "ls")]);
    agent.say_text("two, ");
    agent.say_text("three.");
    agent.ask_calls(&[execute("c2", "ls -l")]);
    drop(resumed.read_whole());
    let before = unnamed(&ada.after_event(&begin).get(&path).text());
    let texts: Vec<_> = before.iter().filter_map(|(_, event)| event["content"].as_str()).collect();
    assert_eq!(texts, ["One, ", "two, ", "three."], "{before:?}");
    served.kill_9();
    served.restart();
    let after = unnamed(&ada.after_event(&begin).get(&path).text());
    assert_eq!(after, before, "with the same ids");
    let rest_after = |at: usize| unnamed(&ada.after_event(&before[at].0).get(&path).text());
    (0..before.len() - 2).for_each(|at| assert_eq!(rest_after(at), before[at + 1..], "after event {at}"));

    let resumed = ada.stream(&format!("/api/resume/{thread}"), &on);
    agent.wait_for_decision(&[execute("c2", "ls -l")]);
    agent.say_text("Four.");
    agent.end_turn();
    drop(resumed.read_whole());
    let history = ada.get(&format!("/api/history/{thread}")).value();
    let messages = history["messages"].as_array().unwrap().iter();
    let contents: Vec<_> = messages.map(|message| message["content"].as_str().unwrap()).collect();
    assert_eq!(contents, ["Go.", "One, ", "two, three.", "Four."], "{history}");
}

#[test]
fn front_end_of_spec_runs() {
    let (served, ada, _) = start_parties();
    let _agent = start_agent(&served);
    let thread = new_thread(&ada);
    let option = |label: &str, value: &str| json!({ "label": label, "value": value });
    let own = json!({ "label": "自定义", "value": "__custom__", "allow_custom": true });
    let questions = json!([
        { "question": "你喜欢什么颜色?", "options": [option("红色", "red"), option("绿色", "green"), own] },
        { "question": "你喜欢什么动物?", "options": [option("狗", "dog"), option("猫", "cat"), own] },
        { "question": "怎么执行?", "options": [option("立即执行", "now"), option("审视后执行", "review"), own] },
    ]);
    let run = json!([{ "name": "execute", "args": { "command": "npm install" } }]);
    let ask = json!([{ "name": "ask_user", "args": { "questions": questions } }]);
    let message = script(&[run, ask]);
    let words = message["message"].as_str().unwrap();
    let chromium = chromium();
    let args = [chromium.to_str().unwrap(), &served.address, ada.token(), &thread, words];
    let ended = node_call(&served.world, "playwright-core", "front_end.mjs", &args).start();
    let ended = ended.wait_for(Duration::from_secs(180));
    assert_eq!((ended.exit, ended.stderr.as_str()), (0, ""), "{ended:?}");
    let came: Value = serde_json::from_str(&ended.stdout).unwrap();
    assert_eq!(came["errors"], json!([]), "{came}");
    let shown = &came["approval"][0];
    assert_eq!(
        (&shown["info"], &shown["asks"]),
        (&json!("正在执行命令: npm install"), &json!(false)),
        "{came}"
    );
    assert_eq!(came["again"], came["approval"], "{came}");
    assert_eq!(came["questions"][1]["questions"], questions, "{came}");
    let has =
        |step: &str, words: &str| assert!(came[step].as_str().unwrap().contains(words), "{step}: {came}");
    has("chat", "event: interrupt\n");
    has("wrongCount", "answers count (2) does not match questions count (3)");
    has("empty", "answer at index 1 is empty");
    has("accepted", "event: end\ndata: {\"action\":\"answer\"}");
}
