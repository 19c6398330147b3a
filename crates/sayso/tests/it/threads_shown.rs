//! Tests that a decision applies to the interrupt that its person was shown, and is made once; a refused one changes
//! nothing.

use crate::network::Network;
use crate::threads::{Agent, ask_user, end, execute, parties, rest, says, text};
use crate::threads_client::{Speaker, Stream, thread};
use sayso_core::{Act, Ask, limits};
use serde_json::{Value, json};

fn yes() -> Value {
    json!({ "action": "continue" })
}

/// Command that an interrupt asks to run.
fn command((name, data): &(String, Value)) -> &str {
    assert_eq!(name, "interrupt", "{data}");
    data["data"]["action_requests"][0]["args"]["command"].as_str().unwrap_or_else(|| panic!("{data}"))
}

/// Starts an agent that asks to run two commands, of which ada is shown the first.
fn two_commands() -> (Network, Speaker, String, Agent, [Value; 2]) {
    let (served, ada, bot) = parties();
    let id = thread(&ada);
    drop(says(&ada, &id, "go"));
    let (agent, _) = Agent::takes(&bot, &json!({}));
    let both = [execute("a", "ls"), execute("b", "rm -rf /")];
    agent.asks(&both);
    assert_eq!(status(&ada, &id)["interrupt_info"]["data"]["action_requests"][0]["args"]["command"], "ls");
    (served, ada, id, agent, both)
}

/// Returns true if an ask wants to run this.
fn runs(ask: &Ask, command: &str) -> bool {
    let act = Act::Shell { command: command.to_owned(), folder: None };
    ask.request.questionnaire.action.as_ref().is_some_and(|shown| shown.act == act)
}

/// Decides without reading the interrupt first.
fn resumes(person: &Speaker, thread: &str, body: &Value) -> Stream {
    person.stream(&format!("/api/resume/{thread}"), body)
}

fn status(person: &Speaker, thread: &str) -> Value {
    person.get(&format!("/api/status/{thread}")).value()
}

#[test]
fn unshown_interrupt_is_not_decided() {
    let (served, ada, bot) = parties();
    let id = thread(&ada);
    let stream = says(&ada, &id, "go");
    let (agent, _) = Agent::takes(&bot, &json!({}));
    let both = [execute("a", "ls"), execute("b", "rm -rf /")];
    agent.asks(&both);
    assert_eq!(command(&rest(stream)[0]), "ls");
    let first = served.world.ask_where(|ask| runs(ask, "ls"));
    let bob = Speaker::of(&served, "person", "bob");
    let no = bob.post(&format!("/v1/asks/{}/decline", first.id), &json!({ "shown": first.request.digest }));
    assert_eq!(no.status, 200, "{no:?}");
    let told = rest(resumes(&ada, &id, &yes()));
    assert_eq!(told[0], ("error".to_owned(), json!({ "message": "Thread is not waiting for a decision" })));
    assert_eq!((command(&told[1]), &told[2]), ("rm -rf /", &end("error")));
    assert_eq!(status(&ada, &id)["status"], "interrupted");
    // Now it was shown.
    let stream = resumes(&ada, &id, &json!({ "action": "cancel" }));
    let decided = agent.hears(&both);
    assert_eq!((&decided[0]["decision"], &decided[1]["decision"]), (&json!("cancel"), &json!("cancel")));
    agent.ends();
    assert_eq!(rest(stream), [end("cancel")]);
}

#[test]
fn keyed_decision_is_made_once() {
    let (_served, ada, id, agent, both) = two_commands();
    let twice = ada.keyed("first decision");
    let told = rest(resumes(&twice, &id, &yes()));
    assert_eq!((command(&told[0]), &told[1]), ("rm -rf /", &end("continue")));
    assert_eq!(rest(resumes(&twice, &id, &yes())), told);
    let other = twice.post(&format!("/api/resume/{id}"), &json!({ "action": "cancel" }));
    assert_eq!(other.status, 422, "{other:?}");
    assert_eq!(status(&ada, &id)["status"], "interrupted", "the second is open still");
    let stream = resumes(&ada, &id, &json!({ "action": "cancel" }));
    assert_eq!(agent.hears(&both)[0]["decision"], "continue");
    agent.ends();
    // A caller that missed the end may repeat the request.
    agent.ends();
    assert_eq!(rest(stream), [end("cancel")]);
}

#[test]
fn keyed_decision_survives_restart() {
    let (mut served, ada, id, agent, both) = two_commands();
    let keyed = ada.keyed("first decision");
    // The reply is lost with the server.
    drop(resumes(&keyed, &id, &yes()));
    served.world.ask_where(|ask| ask.outcome().is_some());
    served.kill_9();
    served.restart();
    let told = rest(resumes(&keyed, &id, &yes()));
    assert_eq!((command(&told[0]), &told[1]), ("rm -rf /", &end("continue")), "what comes next is shown");
    assert_eq!(status(&ada, &id)["status"], "interrupted", "and not decided");
    drop(resumes(&ada, &id, &json!({ "action": "cancel" })));
    let decided = agent.hears(&both);
    assert_eq!((&decided[0]["decision"], &decided[1]["decision"]), (&json!("continue"), &json!("cancel")));
    agent.ends();
    assert_eq!(rest(resumes(&keyed, &id, &yes())), [end("continue")]);
    // In the next turn it decides nothing either.
    drop(says(&ada, &id, "and now?"));
    let bot = Speaker::of(&served, "asker", "bot");
    let (agent, _) = Agent::takes(&bot, &json!({}));
    agent.asks(&[execute("c", "make")]);
    status(&ada, &id);
    assert_eq!(rest(resumes(&keyed, &id, &yes())), [end("continue")]);
    assert_eq!(status(&ada, &id)["status"], "interrupted");
}

#[test]
fn unseen_interrupt_is_shown_first() {
    let (mut served, ada, id, _agent, _) = two_commands();
    let first = served.world.ask_where(|ask| runs(ask, "ls"));
    let bob = Speaker::of(&served, "person", "bob");
    bob.post(&format!("/v1/asks/{}/decline", first.id), &json!({ "shown": first.request.digest }));
    let restart = |served: &mut Network| {
        served.kill_9();
        served.restart();
    };
    restart(&mut served);
    let told = rest(resumes(&ada, &id, &yes()));
    assert_eq!(told[0], ("error".to_owned(), json!({ "message": "Thread is not waiting for a decision" })));
    assert_eq!(command(&told[1]), "rm -rf /");
    // An interrupt shown before the restart counts as shown after it.
    restart(&mut served);
    drop(resumes(&ada, &id, &json!({ "action": "cancel" })));
    served.world.ask_where(|ask| runs(ask, "rm -rf /") && ask.outcome().is_some());
}

#[test]
fn refused_message_declines_nothing() {
    let (_served, ada, bot) = parties();
    let id = thread(&ada);
    drop(says(&ada, &id, "go"));
    let (agent, _) = Agent::takes(&bot, &json!({}));
    for number in 1..limits::THREAD_PENDING_TURNS {
        drop(says(&ada, &id, &number.to_string()));
    }
    agent.asks(&[ask_user("c1")]);
    let path = format!("/api/chat/{id}");
    let refused = ada.post(&path, &json!({ "message": "one too many" }));
    assert_eq!(refused.status, 429, "{refused:?}");
    assert_eq!(status(&ada, &id)["status"], "interrupted");
    for key in ["", &"k".repeat(limits::KEY_BYTES + 1)] {
        let refused = ada.keyed(key).post(&path, &json!({ "message": "no key" }));
        assert_eq!(refused.status, 422, "{refused:?}");
    }
    assert_eq!(status(&ada, &id)["status"], "interrupted");
}

#[test]
fn reader_sees_queued_turns() {
    let (_served, ada, bot) = parties();
    let id = thread(&ada);
    drop((says(&ada, &id, "one"), says(&ada, &id, "two")));
    let mut along: Stream = ada.begin("GET", &format!("/api/chat/{id}"), None, "Bearer");
    for _ in 0..2 {
        let (agent, taken) = Agent::takes(&bot, &json!({}));
        let reply = format!("to {}", taken["message"].as_str().unwrap());
        agent.says(&reply);
        assert_eq!(along.next(), Some(text(&reply)));
        agent.ends();
    }
    assert_eq!(rest(along), [end("")]);
}
