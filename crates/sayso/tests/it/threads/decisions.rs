//! Tests that a decision applies to the interrupt that its person was shown, and is made once; a refused one changes
//! nothing.

use crate::support::network_desk::NetworkDesk;
use crate::threads::client::{ThreadClient, TurnStream, new_thread};
use crate::threads::turns::{ScriptedAgent, ask_user, end, execute, rest, send_message, start_parties, text};
use sayso_core::{ActionKind, Ask, limits};
use serde_json::{Value, json};

fn approval() -> Value {
    json!({ "action": "continue" })
}

/// Command that an interrupt asks to run.
fn run_interrupt((name, data): &(String, Value)) -> &str {
    assert_eq!(name, "interrupt", "{data}");
    data["data"]["action_requests"][0]["args"]["command"].as_str().unwrap_or_else(|| panic!("{data}"))
}

/// Starts an agent that asks to run two commands, of which ada is shown the first.
fn start_two_commands() -> (NetworkDesk, ThreadClient, String, ScriptedAgent, [Value; 2]) {
    let (served, ada, bot) = start_parties();
    let id = new_thread(&ada);
    drop(send_message(&ada, &id, "go"));
    let (agent, _) = ScriptedAgent::take_turn(&bot, &json!({}));
    let both = [execute("a", "ls"), execute("b", "rm -rf /")];
    agent.ask_calls(&both);
    assert_eq!(status(&ada, &id)["interrupt_info"]["data"]["action_requests"][0]["args"]["command"], "ls");
    (served, ada, id, agent, both)
}

/// Returns true if an ask wants to run this.
fn asks_to_run(ask: &Ask, command: &str) -> bool {
    let act = ActionKind::Shell { command: command.to_owned(), folder: None };
    ask.request.questionnaire.action.as_ref().is_some_and(|shown| shown.act == act)
}

/// Decides without reading the interrupt first.
fn resume_blindly(person: &ThreadClient, thread: &str, body: &Value) -> TurnStream {
    person.stream(&format!("/api/resume/{thread}"), body)
}

fn status(person: &ThreadClient, thread: &str) -> Value {
    person.get(&format!("/api/status/{thread}")).value()
}

#[test]
fn unshown_interrupt_is_not_decided() {
    let (served, ada, bot) = start_parties();
    let id = new_thread(&ada);
    let stream = send_message(&ada, &id, "go");
    let (agent, _) = ScriptedAgent::take_turn(&bot, &json!({}));
    let both = [execute("a", "ls"), execute("b", "rm -rf /")];
    agent.ask_calls(&both);
    assert_eq!(run_interrupt(&rest(stream)[0]), "ls");
    let first = served.world.wait_for_ask(|ask| asks_to_run(ask, "ls"));
    let elsewhere = ThreadClient::of(&served, "person", "ada");
    let no =
        elsewhere.post(&format!("/v1/asks/{}/decline", first.id), &json!({ "shown": first.request.digest }));
    assert_eq!(no.status, 200, "{no:?}");
    let events = rest(resume_blindly(&ada, &id, &approval()));
    assert_eq!(events[0], ("error".to_owned(), json!({ "message": "Thread is not waiting for a decision" })));
    assert_eq!((run_interrupt(&events[1]), &events[2]), ("rm -rf /", &end("error")));
    assert_eq!(status(&ada, &id)["status"], "interrupted");
    // Now it was shown.
    let stream = resume_blindly(&ada, &id, &json!({ "action": "cancel" }));
    let decided = agent.wait_for_decision(&both);
    assert_eq!((&decided[0]["decision"], &decided[1]["decision"]), (&json!("cancel"), &json!("cancel")));
    agent.end_turn();
    assert_eq!(rest(stream), [end("cancel")]);
}

#[test]
fn keyed_decision_is_made_once() {
    let (_served, ada, id, agent, both) = start_two_commands();
    let twice = ada.with_key("first decision");
    let events = rest(resume_blindly(&twice, &id, &approval()));
    assert_eq!((run_interrupt(&events[0]), &events[1]), ("rm -rf /", &end("continue")));
    assert_eq!(rest(resume_blindly(&twice, &id, &approval())), events);
    let other = twice.post(&format!("/api/resume/{id}"), &json!({ "action": "cancel" }));
    assert_eq!(other.status, 422, "{other:?}");
    assert_eq!(status(&ada, &id)["status"], "interrupted", "the second is open still");
    let stream = resume_blindly(&ada, &id, &json!({ "action": "cancel" }));
    assert_eq!(agent.wait_for_decision(&both)[0]["decision"], "continue");
    agent.end_turn();
    // A caller that missed the end may repeat the request.
    agent.end_turn();
    assert_eq!(rest(stream), [end("cancel")]);
}

#[test]
fn keyed_decision_survives_restart() {
    let (mut served, ada, id, agent, both) = start_two_commands();
    let keyed = ada.with_key("first decision");
    // The reply is lost with the server.
    drop(resume_blindly(&keyed, &id, &approval()));
    served.world.wait_for_ask(|ask| ask.outcome().is_some());
    served.kill_9();
    served.restart();
    let events = rest(resume_blindly(&keyed, &id, &approval()));
    assert_eq!(
        (run_interrupt(&events[0]), &events[1]),
        ("rm -rf /", &end("continue")),
        "what comes next is shown"
    );
    assert_eq!(status(&ada, &id)["status"], "interrupted", "and not decided");
    drop(resume_blindly(&ada, &id, &json!({ "action": "cancel" })));
    let decided = agent.wait_for_decision(&both);
    assert_eq!((&decided[0]["decision"], &decided[1]["decision"]), (&json!("continue"), &json!("cancel")));
    agent.end_turn();
    assert_eq!(rest(resume_blindly(&keyed, &id, &approval())), [end("continue")]);
    // In the next turn it decides nothing either.
    drop(send_message(&ada, &id, "and now?"));
    let bot = ThreadClient::of(&served, "asker", "bot");
    let (agent, _) = ScriptedAgent::take_turn(&bot, &json!({}));
    agent.ask_calls(&[execute("c", "make")]);
    status(&ada, &id);
    assert_eq!(rest(resume_blindly(&keyed, &id, &approval())), [end("continue")]);
    assert_eq!(status(&ada, &id)["status"], "interrupted");
}

#[test]
fn unseen_interrupt_is_shown_first() {
    let (mut served, ada, id, _agent, _) = start_two_commands();
    let first = served.world.wait_for_ask(|ask| asks_to_run(ask, "ls"));
    let elsewhere = ThreadClient::of(&served, "person", "ada");
    elsewhere.post(&format!("/v1/asks/{}/decline", first.id), &json!({ "shown": first.request.digest }));
    let restart = |served: &mut NetworkDesk| {
        served.kill_9();
        served.restart();
    };
    restart(&mut served);
    let events = rest(resume_blindly(&ada, &id, &approval()));
    assert_eq!(events[0], ("error".to_owned(), json!({ "message": "Thread is not waiting for a decision" })));
    assert_eq!(run_interrupt(&events[1]), "rm -rf /");
    // An interrupt shown before the restart counts as shown after it.
    restart(&mut served);
    drop(resume_blindly(&ada, &id, &json!({ "action": "cancel" })));
    served.world.wait_for_ask(|ask| asks_to_run(ask, "rm -rf /") && ask.outcome().is_some());
}

#[test]
fn refused_message_declines_nothing() {
    let (_served, ada, bot) = start_parties();
    let id = new_thread(&ada);
    drop(send_message(&ada, &id, "go"));
    let (agent, _) = ScriptedAgent::take_turn(&bot, &json!({}));
    for number in 1..limits::THREAD_PENDING_TURNS {
        drop(send_message(&ada, &id, &number.to_string()));
    }
    agent.ask_calls(&[ask_user("c1")]);
    let path = format!("/api/chat/{id}");
    let refused = ada.post(&path, &json!({ "message": "one too many" }));
    assert_eq!(refused.status, 429, "{refused:?}");
    assert_eq!(status(&ada, &id)["status"], "interrupted");
    for key in ["", &"k".repeat(limits::IDEMPOTENCY_KEY_BYTES + 1)] {
        let refused = ada.with_key(key).post(&path, &json!({ "message": "no key" }));
        assert_eq!(refused.status, 422, "{refused:?}");
    }
    assert_eq!(status(&ada, &id)["status"], "interrupted");
}

#[test]
fn reader_sees_queued_turns() {
    let (_served, ada, bot) = start_parties();
    let id = new_thread(&ada);
    drop((send_message(&ada, &id, "one"), send_message(&ada, &id, "two")));
    let mut along: TurnStream = ada.send_for_head("GET", &format!("/api/chat/{id}"), None, "Bearer");
    for _ in 0..2 {
        let (agent, taken) = ScriptedAgent::take_turn(&bot, &json!({}));
        let reply = format!("to {}", taken["message"].as_str().unwrap());
        agent.say_text(&reply);
        assert_eq!(along.next(), Some(text(&reply)));
        agent.end_turn();
    }
    assert_eq!(rest(along), [end("")]);
}

#[test]
fn desk_shows_acts_in_readers_language() {
    let (served, ada, id, agent, _) = start_two_commands();
    agent.ask_calls(&[ask_user("c")]);
    // The wire has the specification's words.
    let interrupt = status(&ada, &id)["interrupt_info"].clone();
    assert_eq!(
        (&interrupt["info"], &interrupt["taskName"]),
        (&json!("正在执行命令: ls"), &json!("执行命令"))
    );
    let world = &served.world;
    let list = |lang: &str| world.sayso(["list", "--lang", lang]).run().stdout;
    for (lang, act) in [("en", "Run ls"), ("zh", "ls")] {
        let list = list(lang);
        assert!(list.contains(act) && !list.contains("执行命令") && !list.contains("用户问答"), "{list}");
    }
    let ask = world.wait_for_ask(|ask| asks_to_run(ask, "ls")).id.to_string();
    let show = |lang: &str| world.sayso(["show", "--lang", lang, &ask]).run().stdout;
    for (lang, prompt) in [("en", "Allow this?"), ("zh", "允许此操作吗？")] {
        let shown = show(lang);
        assert!(shown.contains(prompt) && !shown.contains("执行命令"), "{shown}");
    }
}
