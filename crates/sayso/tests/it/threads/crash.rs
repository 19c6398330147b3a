//! Tests of `kill -9` of the agent, the server or both, at each step of a turn that a person can see.

use crate::support::network_desk::NetworkDesk;
use crate::support::program::TestProgram;
use crate::threads::client::{ThreadClient, TurnStream, new_thread};
use crate::threads::turns::start_parties;
use crate::threads::vectors::{script, start_agent};
use sayso_core::Outcome;
use sayso_core::model::ask_summary::AskStatus;
use sayso_desk::{AskQuery, Desk as _};
use serde_json::{Value, json};

/// Events of the whole turn for a person: a text, two interrupts each with its `end`, the texts of the reply, the last
/// `end`.
const EVENTS: usize = 9;

/// The last of them before the last decision.
const LAST_ASK: usize = 5;

#[derive(Debug, Clone, Copy, PartialEq)]
enum CrashVictim {
    Agent,
    Server,
    Both,
}

/// Turn with a crash.
struct CrashTurn {
    served: NetworkDesk,
    ada: ThreadClient,
    agent: Option<TestProgram>,
    thread: String,
    /// Number of events before the crash, and its victim.
    crash_at: (usize, CrashVictim),
    seen: usize,
}

impl CrashTurn {
    fn count_event(&mut self) {
        let (at, who) = self.crash_at;
        if self.seen == at {
            if who != CrashVictim::Server {
                assert!(self.agent.take().unwrap().kill_9());
            }
            if who != CrashVictim::Agent {
                self.served.kill_9();
                self.served.restart();
            }
            if who != CrashVictim::Server {
                self.agent = Some(start_agent(&self.served));
            }
        }
        self.seen += 1;
    }

    fn read_stream(&mut self, mut stream: TurnStream) -> Vec<(String, Value)> {
        let mut events = Vec::new();
        while let Some(event) = stream.next() {
            events.push(event);
            self.count_event();
        }
        events
    }

    /// Acts as a page until the turn is over: reads, decides, and reconnects after a cut.
    fn play_page(&mut self) -> Vec<(String, Value)> {
        let message = json!([{ "name": "ask_user", "args": { "questions": [
            { "question": "Which?", "options": [{ "label": "Red", "value": "red" }] },
        ] } }]);
        let run = json!([{ "name": "execute", "args": { "command": "make" } }]);
        let mut agent_script: Value =
            serde_json::from_str(script(&[message, run])["message"].as_str().unwrap()).unwrap();
        agent_script["steps"][0]["say"] = json!("Well.");
        let place = |what: &str| format!("/api/{what}/{}", self.thread);
        let (chat, resume, status) = (place("chat"), place("resume"), place("status"));
        let stream = self.ada.stream(&chat, &json!({ "message": agent_script.to_string() }));
        self.count_event();
        let mut events = self.read_stream(stream);
        loop {
            let stands = self.ada.get(&status).value();
            let stream = match &stands["interrupt_info"]["questions"] {
                _ if stands["status"] == "idle" => return events,
                _ if stands["status"] == "running" => self.ada.send_for_head("GET", &chat, None, "Bearer"),
                Value::Null => self.ada.stream(&resume, &json!({ "action": "continue" })),
                _ => self.ada.stream(&resume, &json!({ "action": "answer", "answers": ["red"] })),
            };
            events.extend(self.read_stream(stream));
        }
    }
}

fn run_with_crash(at: usize, who: CrashVictim) {
    let (served, ada, _) = start_parties();
    let agent = Some(start_agent(&served));
    let thread = new_thread(&ada);
    let mut turn = CrashTurn { served, ada, agent, thread, crash_at: (at, who), seen: 0 };
    let events = turn.play_page();
    let texts = |events: &[(String, Value)]| -> String {
        events.iter().filter_map(|(_, data)| data["content"].as_str()).collect()
    };
    assert!(turn.seen > at, "{at} {who:?}: {events:?}");
    let read = texts(&events);
    // A server loses text since the last ask that was not read yet.
    if who == CrashVictim::Agent {
        assert!(read.starts_with("Well."), "{at}: {read}");
    }
    if who == CrashVictim::Agent || at <= LAST_ASK {
        let result = "收到：ran: make\n[Command succeeded with exit code 0]";
        assert!(read.ends_with(result), "{at} {who:?}: {read}");
    }
    // Each interrupt was asked once, and decided as the person did.
    let desk = turn.served.world.desk();
    let rows = desk.list(&AskQuery { states: AskStatus::ALL.to_vec(), ..AskQuery::default() }).unwrap().rows;
    assert_eq!(rows.len(), 2, "{at} {who:?}: {events:?}");
    for row in rows {
        let ask = desk.get(row.id).unwrap();
        assert!(
            matches!(ask.outcome(), Some(Outcome::Answered { .. })) && ask.is_delivered(),
            "{at} {who:?}: {ask:?}"
        );
    }
    let history = turn.ada.get(&format!("/api/history/{}", turn.thread)).value();
    let by_ada =
        history["messages"].as_array().unwrap().iter().filter(|message| message["role"] == "user").count();
    assert_eq!(by_ada, 1, "{at} {who:?}: {history}");
}

#[test]
fn killed_agent_loses_nothing() {
    (0..EVENTS).for_each(|at| run_with_crash(at, CrashVictim::Agent));
}

#[test]
fn killed_server_loses_nothing() {
    (0..EVENTS).for_each(|at| run_with_crash(at, CrashVictim::Server));
}

#[test]
fn killed_agent_and_server_lose_nothing() {
    (0..EVENTS).for_each(|at| run_with_crash(at, CrashVictim::Both));
}
