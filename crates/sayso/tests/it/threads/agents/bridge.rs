//! Tests of `sayso agent`: real programs that speak the Agent Client Protocol, and a person over HTTP.

mod failures;
mod processes;

use crate::support::program::TestProgram;
use crate::support::served_desk::{ServedDesk, new_token};
use crate::support::test_world::{ProgramCall, TestWorld};
use crate::threads::client::{ThreadClient, TurnStream, new_thread};
use crate::threads::turns::{end, rest, text};
use sayso_desk::Desk as _;
use sayso_desk::token::TokenRole;
use serde_json::{Value, json};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// Server, a bridge with the test agent, and ada, who speaks to it.
pub(super) struct AgentDesk {
    pub(crate) world: TestWorld,
    pub(crate) served: ServedDesk,
    pub(crate) bridge: Option<TestProgram>,
    pub(crate) ada: ThreadClient,
    agent_options: String,
}

/// Returns the call of a bridge for the account `bot`, whose token is in a file.
pub(super) fn bridge_call(world: &TestWorld, address: &str, args: &[&str]) -> ProgramCall {
    let file = world.path("bot.token");
    if !file.exists() {
        world.write("bot.token", new_token(world, TokenRole::Asker, "bot"));
        std::fs::set_permissions(&file, PermissionsExt::from_mode(0o600)).unwrap();
    }
    let folder = world.path("work");
    std::fs::create_dir_all(&folder).unwrap();
    let server = format!("http://{address}");
    let call = world.sayso(["agent", "--server", &server].iter().chain(args));
    call.env("SAYSO_TOKEN_FILE", &file).in_folder(&folder)
}

impl AgentDesk {
    /// Starts them with options for the agent and for the bridge.
    pub(crate) fn start(agent_options: &str, more: &[&str]) -> Self {
        let world = TestWorld::new();
        let served = ServedDesk::with(&world, &["--rate", "0"]);
        let ada = ThreadClient::at(&served.address, &new_token(&world, TokenRole::Person, "ada"));
        let agent_options = agent_options.to_owned();
        let mut desk = Self { world, served, bridge: None, ada, agent_options };
        desk.start_bridge(more);
        desk
    }

    /// Starts a bridge.
    pub(crate) fn start_bridge(&mut self, more: &[&str]) {
        let agent = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/python/acp_agent.py");
        let options = self.agent_options.split_whitespace();
        let args: Vec<&str> = more.iter().copied().chain(["bot", "--", agent]).chain(options).collect();
        self.bridge = Some(bridge_call(&self.world, &self.served.address, &args).start());
    }

    /// Kills the bridge, and starts it again.
    pub(crate) fn restart_bridge(&mut self) {
        assert!(self.bridge.take().unwrap().kill_9());
        self.start_bridge(&[]);
    }

    /// Kills the server, and starts it again at its address.
    pub(crate) fn restart_server(self) -> Self {
        let address = self.served.address.clone();
        assert!(self.served.program.kill_9());
        let served = ServedDesk::at(&self.world, &address, &["--rate", "0"]);
        Self { served, ..self }
    }

    /// Returns the path of a file in the folder in which the agent works.
    pub(crate) fn work(&self, name: &str) -> PathBuf {
        self.world.path("work").join(Path::new(name))
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
    let mut desk = AgentDesk::start("", &[]);
    let thread = new_thread(&desk.ada);
    assert_eq!(said(&desk, &thread), "default");
    // A program that is started again loads the session in the mode in which it begins.
    desk.restart_bridge();
    assert_eq!(said(&desk, &thread), "default");
    let desk = AgentDesk::start("", &["--mode", "own"]);
    assert_eq!(said(&desk, &new_thread(&desk.ada)), "auto");
}

#[test]
fn agent_form_is_judged() {
    let desk = AgentDesk::start("", &[]);
    let thread = new_thread(&desk.ada);
    let options = json!([{ "const": "pg", "title": "Postgres" }, { "const": "mongo", "title": "Mongo" }]);
    let form = json!({ "type": "object", "required": ["port"], "properties": {
        "question_0": { "type": "string", "title": "DB", "oneOf": options },
        "question_0_custom": { "type": "string", "title": "Other" },
        "port": { "type": "integer", "minimum": 1 },
    } });
    let steps = json!([{ "form": form }, { "form": form }]);
    let events = rest(desk.send(&thread, &steps));
    let asked = &events[0].1["questions"];
    assert_eq!((&asked[0]["question"], &asked[1]["question"]), (&json!("DB"), &json!("port")));
    assert_eq!(asked[0]["options"][2]["allow_custom"], true);
    let answer = |port: &str| json!({ "action": "answer", "answers": ["Redis", port] });
    for (port, expected) in
        [("abc", "The answer must be a number, such as 12.5."), ("0", "It must be at least 1.")]
    {
        let events = rest(desk.resume(&thread, &answer(port)));
        assert_eq!(events[0].1["message"], format!("answer at index 1: {expected}"), "{events:?}");
    }
    let events = rest(desk.resume(&thread, &answer("8080")));
    let response: Value = serde_json::from_str(&agent_text(&events)).unwrap();
    assert_eq!(
        response,
        json!({ "action": "accept", "content": { "question_0_custom": "Redis", "port": 8080 } })
    );
    let events = rest(desk.resume(&thread, &json!({ "action": "cancel" })));
    assert_eq!(serde_json::from_str::<Value>(&agent_text(&events)).unwrap(), json!({ "action": "decline" }));
}

#[test]
fn permission_with_several_options_is_a_choice() {
    let desk = AgentDesk::start("", &[]);
    let thread = new_thread(&desk.ada);
    let options = json!([
        { "optionId": "q0", "name": "Drop Postgres", "kind": "allow_once" },
        { "optionId": "q1", "name": "Keep both", "kind": "allow_once" },
        { "optionId": "skip", "name": "Skip", "kind": "reject_once" },
    ]);
    let step = json!([{ "run": { "title": "Which database?", "options": options } }]);
    let events = rest(desk.send(&thread, &step));
    let (info, labels) = (&events[0].1["info"], &events[0].1["options"]);
    assert_eq!((info, &labels[1]["label"]), (&json!("Which database?"), &json!("Keep both")), "{events:?}");
    let events = rest(desk.resume(&thread, &json!({ "action": "continue" })));
    assert_eq!(events[1], end("error"), "{events:?}");
    let events = rest(desk.resume(&thread, &json!({ "action": "answer", "answers": ["q1"] })));
    assert_eq!(agent_text(&events), "[q1]", "{events:?}");
}

#[test]
fn agent_asks_with_tool() {
    for way in ["", "--no-http"] {
        let desk = AgentDesk::start(way, &[]);
        let thread = new_thread(&desk.ada);
        let questions = json!([{ "question": "When?", "options": [{ "label": "At once", "value": "now" }] }]);
        let call = json!({ "title": "sayso - ask_user", "rawInput": { "questions": questions }, "kinds": ["allow_once"] });
        let steps = json!([{ "run": call }, { "ask_user": { "questions": questions } }]);
        let events = rest(desk.send(&thread, &steps));
        // The tool asks by itself, so its call needs no permission.
        assert_eq!(agent_text(&events), "[allow_once]ask_user ", "{way}: {events:?}");
        assert_eq!(events[events.len() - 2].1["questions"], questions, "{way}: {events:?}");
        let events = rest(desk.resume(&thread, &json!({ "action": "answer", "answers": ["now"] })));
        assert_eq!(agent_text(&events), "[\"now\"]", "{way}");
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
fn agent_gets_no_token_of_the_bridge() {
    let desk = AgentDesk::start("", &[]);
    let variables: Value =
        serde_json::from_str(&agent_text(&desk.run(&json!([{ "environment": 1 }])))).unwrap();
    assert_eq!((variables.get("SAYSO_TOKEN_FILE"), variables.get("SAYSO_DESK")), (None, None));
}

#[test]
fn wrong_start_is_refused() {
    let world = TestWorld::new();
    let served = ServedDesk::start(&world);
    let refused = |args: &[&str]| bridge_call(&world, &served.address, args).run();
    let missing = refused(&["bot", "--", "no-such-program"]);
    assert!(missing.exit == 2 && missing.stderr.contains("no-such-program"), "{missing:?}");
    let other = refused(&["claude", "--", "cat"]);
    assert!(other.exit == 2 && other.stderr.contains("agent bot"), "{other:?}");
    let running = bridge_call(&world, &served.address, &["bot", "--", "cat"]).start();
    let bot = ThreadClient::at(&served.address, &new_token(&world, TokenRole::Person, "ada"));
    // It has taken its lock once it polls: its thread has an agent then.
    let thread = new_thread(&bot);
    let mut stream = bot.stream(&format!("/api/chat/{thread}"), &json!({ "message": "hello" }));
    stream.next();
    let second = refused(&["bot", "--", "cat"]);
    assert!(second.exit == 2 && second.stderr.contains("Another bridge"), "{second:?}");
    drop(running);
}
