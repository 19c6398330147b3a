//! Tests of agents that the server runs: real programs that speak the Agent Client Protocol, and a person over HTTP.

mod failures;
mod other_user;
mod walls;

use crate::support::program::program_output::LIMIT;
use crate::support::served_desk::{ServedDesk, ask_path, create_ask, new_token};
use crate::support::test_world::TestWorld;
use crate::threads::client::{ThreadClient, TurnStream, new_thread};
use crate::threads::turns::{end, rest, text};
use sayso_desk::Desk as _;
use sayso_desk::token::TokenRole;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Path of the test agent.
pub(super) fn agent_program() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/python/acp_agent.py")
}

/// Server with a test agent, and ada, who speaks to it.
pub(super) struct AgentDesk {
    pub(crate) world: TestWorld,
    pub(crate) served: ServedDesk,
    pub(crate) ada: ThreadClient,
}

impl AgentDesk {
    /// Starts them with options for the agent and for the server.
    pub(crate) fn start(agent_options: &str, more: &[&str]) -> Self {
        Self::start_in(TestWorld::new(), agent_options, more)
    }

    pub(crate) fn start_in(world: TestWorld, agent_options: &str, more: &[&str]) -> Self {
        let agent = format!("bot='{}' {agent_options}", agent_program().display());
        let served = ServedDesk::with(&world, &[&["--rate", "0", "--agent", &agent][..], more].concat());
        let ada = ThreadClient::at(&served.address, &new_token(&world, TokenRole::Person, "ada"));
        Self { world, served, ada }
    }

    /// Kills the server, and starts it again at its address.
    pub(crate) fn restart(self) -> Self {
        let Self { world, served, ada } = self;
        let address = served.address.clone();
        assert!(served.program.kill_9());
        let agent = format!("bot='{}'", agent_program().display());
        let served = ServedDesk::at(&world, &address, &["--rate", "0", "--agent", &agent]);
        Self { world, served, ada }
    }

    /// Sends steps for the agent in a thread.
    pub(crate) fn send(&self, thread: &str, steps: &Value) -> TurnStream {
        self.ada.stream(&format!("/api/chat/{thread}"), &json!({ "message": steps.to_string() }))
    }

    /// Sends steps in a new thread, and returns its events.
    pub(crate) fn run(&self, steps: &Value) -> Vec<(String, Value)> {
        rest(self.send(&new_thread(&self.ada), steps))
    }

    pub(crate) fn resume(&self, thread: &str, body: &Value) -> TurnStream {
        self.ada.stream(&format!("/api/resume/{thread}"), body)
    }
}

/// Returns what the agent said in these events.
pub(crate) fn agent_text(events: &[(String, Value)]) -> String {
    events
        .iter()
        .filter(|(name, _)| name == "messages/partial")
        .filter_map(|(_, data)| data["content"].as_str())
        .collect()
}

fn tool(event: &str) -> (String, Value) {
    let status = if event == "tool/start" { "running" } else { "completed" };
    (event.to_owned(), json!({ "tool": "execute", "status": status }))
}

fn command(words: &str) -> Value {
    json!({ "kind": "execute", "title": "ls", "rawInput": { "command": words, "description": "List files" } })
}

#[test]
fn person_may_take_time_to_decide() {
    let desk = AgentDesk::start("", &[]);
    let thread = new_thread(&desk.ada);
    assert_eq!(rest(desk.send(&thread, &json!([{ "run": command("make") }])))[0].0, "interrupt");
    // Credentials are checked four times a second; another wait shows that it has happened.
    let asker = desk.served.with_token(&new_token(&desk.world, TokenRole::Asker, "ci"));
    let other = create_ask(&asker, "Which port?");
    asker.get(&ask_path(&other, "/outcome?wait=1"));
    let events = rest(desk.resume(&thread, &json!({ "action": "continue" })));
    assert_eq!(agent_text(&events), "[allow_once]", "{events:?}");
}

#[test]
fn agent_speaks_asks_and_runs() {
    let desk = AgentDesk::start("", &[]);
    let thread = new_thread(&desk.ada);
    let steps = json!([{ "say": "Hello." }, { "title": "Clean up" }, { "run": command("rm -rf /srv") }]);
    let events = rest(desk.send(&thread, &steps));
    let names: Vec<_> = events.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["messages/partial", "title_updated", "interrupt", "end"], "{events:?}");
    // The person reads what would run, not the agent's words about it.
    assert_eq!(events[2].1["info"], "正在执行命令: rm -rf /srv");
    assert_eq!(events[2].1["data"]["action_requests"][0]["args"], json!({ "command": "rm -rf /srv" }));
    let events = rest(desk.resume(&thread, &json!({ "action": "continue" })));
    let expected = [text("[allow_once]"), tool("tool/start"), tool("tool/end"), end("continue")];
    assert_eq!(events, expected);
    // The same session, and a refusal.
    let events = rest(desk.send(&thread, &json!([{ "run": command("ls") }])));
    assert_eq!(events[0].0, "interrupt", "{events:?}");
    let events = rest(desk.resume(&thread, &json!({ "action": "cancel" })));
    assert_eq!(agent_text(&events), "[reject_once]");
    let history = desk.ada.get(&format!("/api/history/{thread}")).value();
    assert_eq!(history["messages"][1], json!({ "role": "assistant", "content": "Hello." }));
    assert_eq!(history["events"][0]["decision"]["action"], "continue", "{history}");
    assert_eq!(history["events"].as_array().unwrap().len(), 4, "{history}");
}

#[test]
fn session_is_in_mode_that_asks() {
    let said = |desk: &AgentDesk, thread: &str| agent_text(&rest(desk.send(thread, &json!([{ "mode": 1 }]))));
    let desk = AgentDesk::start("", &[]);
    let thread = new_thread(&desk.ada);
    assert_eq!(said(&desk, &thread), "default");
    // A program that is started again loads the session in the mode in which it begins.
    let desk = desk.restart();
    assert_eq!(said(&desk, &thread), "default");
    let desk = AgentDesk::start("", &["--agent-mode", "own"]);
    assert_eq!(said(&desk, &new_thread(&desk.ada)), "auto");
}

#[test]
fn agent_form_becomes_questions() {
    let desk = AgentDesk::start("", &[]);
    let thread = new_thread(&desk.ada);
    let options = json!([{ "const": "pg", "title": "Postgres" }, { "const": "mongo", "title": "Mongo" }]);
    let form = json!({ "type": "object", "required": ["question_0"], "properties": {
        "question_0": { "type": "string", "title": "DB", "oneOf": options },
        "question_0_custom": { "type": "string", "title": "Other" },
    } });
    let steps = json!([{ "form": form }, { "form": form }]);
    let events = rest(desk.send(&thread, &steps));
    let asked = &events[0].1["questions"];
    assert_eq!(
        (&asked[0]["question"], &asked[0]["options"][2]["allow_custom"]),
        (&json!("DB: Choose."), &json!(true))
    );
    let events = rest(desk.resume(&thread, &json!({ "action": "answer", "answers": ["Redis"] })));
    let response: Value = serde_json::from_str(&agent_text(&events)).unwrap();
    assert_eq!(response, json!({ "action": "accept", "content": { "question_0_custom": "Redis" } }));
    let events = rest(desk.resume(&thread, &json!({ "action": "cancel" })));
    assert_eq!(serde_json::from_str::<Value>(&agent_text(&events)).unwrap(), json!({ "action": "decline" }));
}

#[test]
fn agent_asks_with_tool() {
    let desk = AgentDesk::start("", &[]);
    let thread = new_thread(&desk.ada);
    let questions = json!([{ "question": "When?", "options": [{ "label": "At once", "value": "now" }] }]);
    let steps = json!([{ "ask_user": { "questions": questions } }, { "server": true }]);
    let events = rest(desk.send(&thread, &steps));
    assert_eq!(agent_text(&events), "ask_user ");
    assert_eq!(events[1].1["questions"], questions, "{events:?}");
    let events = rest(desk.resume(&thread, &json!({ "action": "answer", "answers": ["now"] })));
    let output = agent_text(&events);
    let server: Value =
        serde_json::from_str(output.strip_prefix("[\"now\"]").unwrap_or_else(|| panic!("{output}"))).unwrap();
    // The token is for this tool alone, and ends with the thread.
    let token = server["headers"][0]["value"].as_str().unwrap().strip_prefix("Bearer ").unwrap();
    let agent = desk.ada.with_token(token);
    assert_eq!(agent.get("/v1/asks").status, 401);
    assert_eq!(agent.get("/mcp").status, 401);
    assert_ne!(agent.get("/mcp/session").status, 401);
    assert_eq!(desk.ada.get("/mcp/session").status, 401);
    desk.ada.send("DELETE", &format!("/api/sessions/{thread}"), None);
    let until = Instant::now() + LIMIT;
    while agent.get("/mcp/session").status != 401 {
        assert!(Instant::now() < until);
    }
}

#[test]
fn permission_for_always_is_refused() {
    let desk = AgentDesk::start("", &[]);
    let mut call = command("ls");
    call["kinds"] = json!(["allow_always", "reject_always"]);
    let events = desk.run(&json!([{ "run": call }]));
    assert_eq!(events[0].0, "error", "{events:?}");
    assert_eq!(agent_text(&events), "[cancelled]");
    assert!(desk.world.desk().list(&sayso_desk::AskQuery::default()).unwrap().rows.is_empty());
}

#[test]
fn agents_of_server_have_priority() {
    let desk = AgentDesk::start("", &[]);
    // The account of a token is no agent of a thread here, and no other program takes the turns of the agent.
    let other = ThreadClient::at(&desk.served.address, &new_token(&desk.world, TokenRole::Asker, "bot"));
    let refused = other.post("/v1/threads/next", &json!({}));
    assert_eq!(refused.status, 403, "{refused:?}");
    assert_eq!(agent_text(&desk.run(&json!("hello"))), "You said: \"hello\"");
}
