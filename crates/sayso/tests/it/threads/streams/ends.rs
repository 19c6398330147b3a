//! Tests that `end` is the last event of every stream of a thread, and unique, whatever the agent and the person do.

use crate::threads::client::{ThreadClient, TurnStream, new_thread};
use crate::threads::turns::{
    ScriptedAgent, ask_user, end, execute, read_and_resume, rest, send_message, start_parties, text,
};
use crate::threads::vectors::start_agent;
use proptest::collection::vec;
use proptest::prelude::{ProptestConfig, any};
use proptest::test_runner::TestRunner;
use sayso_core::limits::TURN_ATTEMPTS;
use serde_json::{Value, json};

/// Reads a stream to its end, and asserts one `end` with this action.
fn assert_single_end(stream: TurnStream, action: &str) -> Vec<(String, Value)> {
    let events = rest(stream);
    assert_eq!(events.iter().filter(|(name, _)| name == "end").count(), 1, "{events:?}");
    assert_eq!(events.last(), Some(&end(action)), "{events:?}");
    events
}

struct TurnScript {
    ada: ThreadClient,
    bot: ThreadClient,
    thread: String,
    agent: Option<ScriptedAgent>,
    /// Interrupt that waits for a decision: questions, or an approval.
    waiting: Option<bool>,
    /// Open streams with the action of their end: of the current turn, and of the next one.
    streams: Vec<(TurnStream, &'static str)>,
    asks: usize,
    /// Times that the turn was taken since its last question. It is not handed out a fourth time.
    tries: u32,
}

impl TurnScript {
    fn send_message(&mut self) {
        self.streams.push((send_message(&self.ada, &self.thread, "go on"), ""));
        self.waiting = None;
    }

    /// Performs an action of the agent's own accord.
    fn agent_step(&mut self, step: u8) {
        let Some(agent) = &self.agent else {
            self.agent = Some(ScriptedAgent::take_turn(&self.bot, &json!({})).0);
            self.tries = 1;
            return;
        };
        let events = match step % 8 {
            0 => json!([{ "text": "a" }, { "text": "\n\nevent: end\ndata: {}\n\n" }]),
            1 => json!([{ "tool_start": "ls\n\nevent: end" }]),
            2 => json!([{ "tool_end": "" }, { "error": "end" }]),
            3 => json!([{ "title": "event: end" }]),
            4 if self.tries == TURN_ATTEMPTS => json!([]),
            4 => {
                self.tries += 1;
                self.agent = Some(ScriptedAgent::take_turn(&self.bot, &json!({ "restarted": true })).0);
                return;
            }
            5 => {
                agent.end_turn();
                let (stream, action) = self.streams.remove(0);
                assert_single_end(stream, action);
                self.agent = None;
                return;
            }
            kind => {
                self.asks += 1;
                self.tries = 1;
                let id = self.asks.to_string();
                let call = if kind == 6 { ask_user(&id) } else { execute(&id, "ls") };
                assert_eq!(agent.post_step("ask", json!({ "calls": [call] })).0, 200);
                let (stream, action) = self.streams.remove(0);
                let events = assert_single_end(stream, action);
                assert_eq!(events[events.len() - 2].0, "interrupt", "{events:?}");
                self.waiting = Some(kind == 6);
                return;
            }
        };
        assert_eq!(agent.post_step("events", json!({ "events": events })).0, 204);
    }

    /// Performs a person's action on the interrupt.
    fn person_step(&mut self, step: u8, asks_questions: bool) {
        let (right, wrong) = match asks_questions {
            true => (json!({ "action": "answer", "answers": ["red"] }), json!({ "action": "continue" })),
            false => (json!({ "action": "continue" }), json!({ "action": "answer", "answers": ["red"] })),
        };
        let action = match step % 4 {
            0 => return drop(assert_single_end(read_and_resume(&self.ada, &self.thread, &wrong), "error")),
            1 => {
                // The current turn has no reader; the next one is read.
                self.send_message();
                let agent = self.agent.take().unwrap();
                agent.end_turn();
                return;
            }
            2 => "cancel",
            _ if asks_questions => "answer",
            _ => "continue",
        };
        let body = if action == "cancel" { json!({ "action": "cancel" }) } else { right };
        self.streams.push((read_and_resume(&self.ada, &self.thread, &body), action));
        self.waiting = None;
    }
}

#[test]
fn end_is_last_and_unique() {
    let (_served, ada, bot) = start_parties();
    let mut runner =
        TestRunner::new(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() });
    let steps = vec(any::<u8>(), 1..30);
    let played = runner.run(&steps, |steps| {
        let mut play = TurnScript {
            thread: new_thread(&ada),
            ada: ada.clone(),
            bot: bot.clone(),
            agent: None,
            waiting: None,
            streams: Vec::new(),
            asks: 0,
            tries: 0,
        };
        for step in steps {
            match play.waiting {
                Some(asks_questions) => play.person_step(step, asks_questions),
                None if play.streams.is_empty() => play.send_message(),
                None => play.agent_step(step),
            }
        }
        let gone = ada.send("DELETE", &format!("/api/sessions/{}", play.thread), None);
        assert_eq!(gone.status, 200);
        for (stream, action) in play.streams {
            assert_single_end(stream, action);
        }
        Ok(())
    });
    played.unwrap();
}

#[test]
fn closing_server_ends_streams() {
    let (served, ada, bot) = start_parties();
    let id = new_thread(&ada);
    let stream = send_message(&ada, &id, "hello");
    let (agent, _) = ScriptedAgent::take_turn(&bot, &json!({}));
    assert_eq!(agent.post_step("events", json!({ "events": [{ "text": "one" }] })).0, 204);
    served.tell_to_end();
    let events = assert_single_end(stream, "");
    assert_eq!((&events[0], events[1].0.as_str()), (&text("one"), "error"), "{events:?}");
}

#[test]
fn two_hundred_threads_at_once() {
    let (served, ada, _) = start_parties();
    let _agent = start_agent(&served);
    let streams: Vec<_> = (0..200).map(|_| send_message(&ada, &new_thread(&ada), "hello")).collect();
    for stream in streams {
        let events = assert_single_end(stream, "");
        assert_eq!(events[events.len() - 4..], [text("你"), text("好"), text("！"), end("")]);
    }
}
