//! Tests of threads over the wire: a page on one side, an agent on the other, and a desk that outlives both.

use crate::support::network_desk::NetworkDesk;
use crate::threads::client::{ThreadClient, TurnStream, events_of, new_thread, unnamed};
use crate::threads::vectors::{script, start_agent};
use sayso_core::ActionKind;
use sayso_core::model::ask_summary::AskStatus;
use serde_json::{Value, json};

fn colours() -> Value {
    let options = json!([{ "label": "Red", "value": "red" }, { "label": "Green", "value": "green" }]);
    json!([{ "question": "Which colour?", "options": options }])
}

pub(crate) fn ask_user(id: &str) -> Value {
    json!({ "id": id, "name": "ask_user", "args": { "questions": colours() } })
}

pub(crate) fn execute(id: &str, command: &str) -> Value {
    json!({ "id": id, "name": "execute", "args": { "command": command } })
}

/// Agent that follows a test's script.
pub(crate) struct ScriptedAgent {
    bot: ThreadClient,
    thread: String,
    turn: String,
}

impl ScriptedAgent {
    /// Takes the next turn.
    pub(crate) fn take_turn(bot: &ThreadClient, how: &Value) -> (Self, Value) {
        let taken = bot.post("/v1/threads/next?wait=20", how);
        assert_eq!(taken.status, 200, "{taken:?}");
        let taken = taken.value();
        let text = |name: &str| taken[name].as_str().unwrap().to_owned();
        (Self { bot: bot.clone(), thread: text("thread_id"), turn: text("turn") }, taken)
    }

    /// Returns the same process of the agent, which calls another server.
    pub(crate) fn at(&self, bot: &ThreadClient) -> Self {
        Self { bot: bot.clone(), thread: self.thread.clone(), turn: self.turn.clone() }
    }

    pub(crate) fn post_step(&self, what: &str, mut body: Value) -> (u16, Value) {
        body["turn"] = json!(self.turn);
        let reply = self.bot.post(&format!("/v1/threads/{}/{what}", self.thread), &body);
        (reply.status, if reply.body.is_empty() { Value::Null } else { reply.value() })
    }

    pub(crate) fn publish(&self, events: &Value) {
        assert_eq!(self.post_step("events", json!({ "events": events })), (204, Value::Null));
    }

    pub(crate) fn say_text(&self, words: &str) {
        self.publish(&json!([{ "text": words }]));
    }

    pub(crate) fn ask_calls(&self, calls: &[Value]) -> Value {
        let (status, asked) = self.post_step("ask", json!({ "calls": calls }));
        assert_eq!(status, 200, "{asked}");
        asked
    }

    /// Waits for the decision.
    pub(crate) fn wait_for_decision(&self, calls: &[Value]) -> Value {
        let (_, asked) = self.post_step("ask?wait=20", json!({ "calls": calls }));
        assert_eq!(asked["decided"], true, "{asked}");
        asked["decisions"].clone()
    }

    pub(crate) fn end_turn(&self) {
        assert_eq!(self.post_step("end", json!({})), (204, Value::Null));
    }
}

pub(crate) fn text(words: &str) -> (String, Value) {
    ("messages/partial".to_owned(), json!({ "content": words }))
}

pub(crate) fn end(action: &str) -> (String, Value) {
    let data = if action.is_empty() { json!({}) } else { json!({ "action": action }) };
    ("end".to_owned(), data)
}

fn error(message: &str) -> Vec<(String, Value)> {
    vec![("error".to_owned(), json!({ "message": message })), end("error")]
}

pub(crate) fn rest(mut stream: TurnStream) -> Vec<(String, Value)> {
    std::iter::from_fn(|| stream.next()).collect()
}

pub(crate) fn send_message(person: &ThreadClient, thread: &str, words: &str) -> TurnStream {
    person.stream(&format!("/api/chat/{thread}"), &json!({ "message": words }))
}

/// Reads the current interrupt as a page does, and then decides on it.
pub(crate) fn read_and_resume(person: &ThreadClient, thread: &str, body: &Value) -> TurnStream {
    person.get(&format!("/api/status/{thread}"));
    person.stream(&format!("/api/resume/{thread}"), body)
}

fn red_answer() -> Value {
    json!({ "action": "answer", "answers": ["red"] })
}

/// Creates a desk, a person and an agent.
pub(crate) fn start_parties() -> (NetworkDesk, ThreadClient, ThreadClient) {
    let served = NetworkDesk::new();
    let (ada, bot) = (ThreadClient::of(&served, "person", "ada"), ThreadClient::of(&served, "asker", "bot"));
    (served, ada, bot)
}

#[test]
fn published_events_are_streamed() {
    let (_served, ada, bot) = start_parties();
    let id = new_thread(&ada);
    let mut stream = send_message(&ada, &id, "hello");
    let (agent, taken) = ScriptedAgent::take_turn(&bot, &json!({}));
    assert_eq!((&taken["message"], &taken["again"]), (&json!("hello"), &json!(false)));
    agent.say_text("one");
    assert_eq!(stream.next(), Some(text("one")));
    agent
        .publish(&json!([{ "tool_start": "ls" }, { "tool_end": "ls" }, { "error": "no" }, { "title": "T" }]));
    let events: Vec<_> = (0..4).map(|_| stream.next().unwrap()).collect();
    let event = |name: &str, data: Value| (name.to_owned(), data);
    assert_eq!(events[0], event("tool/start", json!({ "tool": "ls", "status": "running" })));
    assert_eq!(events[1], event("tool/end", json!({ "tool": "ls", "status": "completed" })));
    assert_eq!(
        events[2..],
        [event("error", json!({ "message": "no" })), event("title_updated", json!({ "title": "T" }))]
    );
    agent.end_turn();
    assert_eq!(rest(stream), [end("")]);
    assert_eq!(agent.post_step("events", json!({ "events": [] })).1["code"], "turn_over");
    let list = ada.get("/api/sessions").value();
    assert_eq!(
        (&list["sessions"][0]["title"], &list["sessions"][0]["status"]),
        (&json!("T"), &json!("idle"))
    );
    assert_eq!(ada.get(&format!("/api/sessions/{id}")).value(), list["sessions"][0]);
}

#[test]
fn first_decision_on_interrupt_counts() {
    let (served, ada, bot) = start_parties();
    let id = new_thread(&ada);
    let stream = send_message(&ada, &id, "hello");
    let (agent, _) = ScriptedAgent::take_turn(&bot, &json!({}));
    agent.say_text("Well.");
    let asked = agent.ask_calls(&[ask_user("c1")]);
    assert_eq!(asked["decided"], false);
    let events = rest(stream);
    assert_eq!(
        (events[0].clone(), events[1].0.as_str(), events[2].clone()),
        (text("Well."), "interrupt", end(""))
    );
    let status = ada.get(&format!("/api/status/{id}")).value();
    assert_eq!((&status["status"], &status["interrupt_info"]), (&json!("interrupted"), &events[1].1));
    let ask = served.world.wait_for_ask(|ask| ask.request.asker.session.as_deref() == Some(&id));
    assert_eq!(ask.request.dialect, "interrupt");
    let place = format!("/v1/asks/{}/answer", ask.id);
    let answered = ada.post(&place, &json!({ "shown": ask.request.digest, "answers": red_answer() }));
    assert_eq!(answered.status, 200, "{answered:?}");
    let late = rest(read_and_resume(&ada, &id, &json!({ "action": "cancel" })));
    assert_eq!(late, error("Thread is not waiting for a decision"));
    let decisions = agent.wait_for_decision(&[ask_user("c1")]);
    assert_eq!((&decisions[0]["decision"], &decisions[0]["result"]), (&json!("answer"), &json!("[\"red\"]")));
    agent.end_turn();
    let acked = served.world.wait_for_ask(|ask| ask.is_delivered());
    assert_eq!(acked.id, ask.id);
}

#[test]
fn approval_shows_command_refusal_carries_message() {
    let (served, ada, bot) = start_parties();
    let id = new_thread(&ada);
    drop(send_message(&ada, &id, "go"));
    let (agent, _) = ScriptedAgent::take_turn(&bot, &json!({}));
    let both = [execute("a", "rm -r x"), execute("b", "ls")];
    agent.ask_calls(&both);
    let act = ActionKind::Shell { command: "rm -r x".to_owned(), folder: None };
    served
        .world
        .wait_for_ask(|ask| ask.request.questionnaire.action.as_ref().is_some_and(|shown| shown.act == act));
    let stream = send_message(&ada, &id, "do not");
    let decisions = agent.wait_for_decision(&both);
    let rejected = |call: &str| format!("User rejected the tool call for `execute` with id {call}: do not");
    assert_eq!(decisions[0]["result"], rejected("a"));
    assert_eq!(
        (&decisions[1]["decision"], &decisions[1]["result"]),
        (&json!("cancel"), &json!(rejected("b")))
    );
    agent.end_turn();
    let (agent, taken) = ScriptedAgent::take_turn(&bot, &json!({}));
    assert_eq!(taken["message"], "do not");
    agent.end_turn();
    assert_eq!(rest(stream), [end("")]);
}

#[test]
fn server_crash_loses_nothing() {
    let (mut served, ada, bot) = start_parties();
    let id = new_thread(&ada);
    let mut stream = send_message(&ada, &id, "hello");
    // Before an agent has taken it.
    served.kill_9();
    assert_eq!(stream.next(), None);
    served.restart();
    let (agent, taken) = ScriptedAgent::take_turn(&bot, &json!({}));
    assert_eq!(taken["message"], "hello");
    // While the agent works: the turn is still its own.
    served.kill_9();
    assert!(agent.bot.try_post("/v1/threads/next", &json!({})).is_none());
    served.restart();
    agent.say_text("Well.");
    agent.ask_calls(&[execute("c1", "ls")]);
    // While it waits for a decision.
    served.kill_9();
    served.restart();
    let status = ada.get(&format!("/api/status/{id}")).value();
    assert_eq!(status["interrupt_info"]["info"], "正在执行命令: ls", "{status}");
    let followed = events_of(&ada.get(&format!("/api/chat/{id}")));
    assert_eq!((followed[0].0.as_str(), followed[1].clone()), ("interrupt", end("")));
    let stream = read_and_resume(&ada, &id, &json!({ "action": "continue" }));
    // After the decision, before the agent has received it.
    served.kill_9();
    drop(stream);
    served.restart();
    let decisions = agent.wait_for_decision(&[execute("c1", "ls")]);
    assert_eq!((&decisions[0]["decision"], &decisions[0]["result"]), (&json!("continue"), &Value::Null));
    agent.say_text("Done.");
    agent.end_turn();
    let history = ada.get(&format!("/api/history/{id}")).value();
    let words: Vec<_> =
        history["messages"].as_array().unwrap().iter().map(|message| &message["content"]).collect();
    assert_eq!(words, ["hello", "Well.", "Done."]);
    assert_eq!(ada.get(&format!("/api/status/{id}")).value()["message_count"], 4);
}

#[test]
fn agent_crash_keeps_interrupt_answerable() {
    let (served, ada, _) = start_parties();
    let id = new_thread(&ada);
    let agent = start_agent(&served);
    let ask = json!([{ "name": "ask_user", "args": { "questions": colours() } }]);
    let events = events_of(&ada.post(&format!("/api/chat/{id}"), &script(&[ask])));
    assert_eq!(events[1].0, "interrupt", "{events:?}");
    assert!(agent.kill_9());
    let stream = read_and_resume(&ada, &id, &red_answer());
    let again = start_agent(&served);
    assert_eq!(rest(stream), [text("收到"), text("："), text("[\"red\"]"), end("answer")]);
    // Killed with a message and before any question, it gets the message again.
    assert!(again.kill_9());
    let stream = send_message(&ada, &id, "hello");
    let bot = ThreadClient::of(&served, "asker", "bot");
    drop(ScriptedAgent::take_turn(&bot, &json!({})));
    let _last = start_agent(&served);
    assert_eq!(rest(stream), [text("你"), text("好"), text("！"), end("")]);
}

#[test]
fn turn_belongs_to_one_process() {
    let (_served, ada, bot) = start_parties();
    let id = new_thread(&ada);
    drop(send_message(&ada, &id, "hello"));
    let (first, _) = ScriptedAgent::take_turn(&bot, &json!({ "worker": "one" }));
    let other = json!({ "worker": "two", "restarted": true });
    assert_eq!(bot.post("/v1/threads/next", &other).status, 204);
    let (second, taken) = ScriptedAgent::take_turn(&bot, &json!({ "worker": "one", "restarted": true }));
    assert_eq!(taken["again"], true);
    let (status, problem) = first.post_step("end", json!({}));
    assert_eq!((status, &problem["code"]), (409, &json!("turn_over")));
    second.end_turn();
}

#[test]
fn thread_is_private() {
    let (served, ada, bot) = start_parties();
    let (eve, other) =
        (ThreadClient::of(&served, "person", "eve"), ThreadClient::of(&served, "asker", "other"));
    let begun = ada.send("POST", "/api/sessions", Some("{\"agent\":\"bot\"}")).value();
    let id = begun["thread_id"].as_str().unwrap().to_owned();
    let paths = [(&eve, "status"), (&eve, "history"), (&eve, "chat"), (&eve, "sessions"), (&bot, "status")];
    for (who, path) in paths {
        let reply = who.get(&format!("/api/{path}/{id}"));
        assert_eq!(reply.status, 403, "{reply:?}");
    }
    assert_eq!(eve.get("/api/sessions").value(), json!({ "sessions": [] }));
    drop(send_message(&ada, &id, "one"));
    let (agent, _) = ScriptedAgent::take_turn(&bot, &json!({}));
    agent.end_turn();
    drop(send_message(&ada, &id, "two"));
    assert_eq!(other.post("/v1/threads/next", &json!({})).status, 204);
    assert_eq!(other.get(&format!("/v1/threads/{id}/history")).status, 404);
    let (agent, _) = ScriptedAgent::take_turn(&bot, &json!({}));
    let stolen = ScriptedAgent { bot: other, thread: agent.thread.clone(), turn: agent.turn.clone() };
    assert_eq!(stolen.post_step("end", json!({})).0, 409);
    assert_eq!(ada.post("/v1/threads/next", &json!({})).status, 403);
    let reply = ada.send("POST", "/api/sessions", Some("{\"agent\":\"other\"}")).value();
    drop(send_message(&ada, reply["thread_id"].as_str().unwrap(), "three"));
    assert_eq!(bot.post("/v1/threads/next", &json!({})).status, 204);
    let (named, _) = ScriptedAgent::take_turn(&stolen.bot, &json!({}));
    named.end_turn();
    agent.end_turn();
}

#[test]
fn ask_ends_without_its_person() {
    let (served, ada, bot) = start_parties();
    let id = new_thread(&ada);
    let stream = send_message(&ada, &id, "hello");
    let (agent, _) = ScriptedAgent::take_turn(&bot, &json!({}));
    let short = json!({ "calls": [execute("c1", "ls")], "timeout_ms": 1 });
    let (_, reply) = agent.post_step("ask?wait=20", short);
    assert_eq!(
        (&reply["decisions"][0]["decision"], &reply["decisions"][0]["state"]),
        (&json!("error"), &json!("expired"))
    );
    // Its turn has ended with the error, for who reads now and for who comes later.
    let mut events = rest(stream);
    let asked = events.iter().position(|(name, _)| name == "interrupt");
    asked.into_iter().for_each(|at| drop(events.drain(..=at)));
    let ended = error("No answer before the deadline");
    assert!(events == ended || events == [end("")], "{events:?}");
    while ada.get(&format!("/api/status/{id}")).value()["status"] != "idle" {}
    let late = rest(read_and_resume(&ada, &id, &json!({ "action": "continue" })));
    assert_eq!(late, ended);
    assert_eq!(events_of(&ada.get(&format!("/api/chat/{id}"))), ended);
    let browser = unnamed(&ada.after_event("0.0.0").get(&format!("/api/stream/{id}")).text());
    assert_eq!((&browser[0].1["event"], &browser[1].1["event"]), (&json!("error"), &json!("end")));
    assert_eq!(browser[1].1["action"], "error", "{browser:?}");
    assert_eq!(agent.post_step("end", json!({})).0, 409);
    // An ask that its agent takes back ends with its turn.
    drop(send_message(&ada, &id, "hello"));
    let (agent, _) = ScriptedAgent::take_turn(&bot, &json!({}));
    agent.ask_calls(&[ask_user("c2")]);
    agent.end_turn();
    served.world.wait_for_ask(|ask| AskStatus::from_phase(&ask.state.phase) == AskStatus::Cancelled);
    assert_eq!(ada.get(&format!("/api/status/{id}")).value()["status"], "idle");
    let late = rest(read_and_resume(&ada, &id, &red_answer()));
    assert_eq!(late, error("只有 ask_user 工具支持 'answer' 操作"));
}

#[test]
fn deleting_thread_ends_activity() {
    let (served, ada, bot) = start_parties();
    let id = new_thread(&ada);
    let stream = send_message(&ada, &id, "hello");
    let (agent, _) = ScriptedAgent::take_turn(&bot, &json!({}));
    agent.ask_calls(&[ask_user("c1")]);
    drop(stream);
    let stream = read_and_resume(&ada, &id, &red_answer());
    let gone = ada.send("DELETE", &format!("/api/sessions/{id}"), None);
    assert_eq!(gone.value(), json!({ "status": "destroyed", "thread_id": id }));
    assert_eq!(rest(stream), [end("answer")]);
    assert_eq!(agent.post_step("end", json!({})).0, 409);
    assert_eq!(ada.get(&format!("/api/history/{id}")).status, 403);
    assert_eq!(served.world.wait_for_ask(|_| true).request.asker.account.as_deref(), Some("bot"));
}

#[test]
fn agent_errors_are_explained() {
    let (_served, ada, bot) = start_parties();
    drop(send_message(&ada, &new_thread(&ada), "hello"));
    let (agent, _) = ScriptedAgent::take_turn(&bot, &json!({}));
    let none = json!({ "calls": [{ "id": "c", "name": "ask_user", "args": { "questions": [] } }] });
    for (body, code) in [
        (none, "invalid_request"),
        (json!({}), "required"),
        (json!({ "request": { "questions": colours() } }), "required"),
        (json!({ "id": "c", "request": {}, "calls": [execute("c", "ls")] }), "invalid_request"),
    ] {
        let (status, problem) = agent.post_step("ask", body);
        assert_eq!((status, &problem["code"]), (422, &json!(code)), "{problem}");
    }
    let colour = json!({ "id": "colour", "prompt": "Which?", "options": ["red", "green"] });
    let own = json!({ "questions": [colour, { "id": "go", "kind": "confirm", "prompt": "Go?", "required": false }] });
    let (_, asked) = agent.post_step("ask", json!({ "id": "c", "dialect": "sayso", "request": own }));
    assert!(asked["lost"].as_array().is_some_and(|lost| !lost.is_empty()), "{asked}");
    agent.ask_calls(&[execute("d", "ls")]);
    let (status, problem) = agent.post_step("ask", json!({ "calls": [execute("d", "rm")] }));
    assert_eq!((status, &problem["code"]), (422, &json!("key_reused")));
}

#[test]
fn example_page_runs_own_script_only() {
    let (_served, ada, _) = start_parties();
    let page = ada.send_for_head("GET", "/examples/chat", None, "").read_whole();
    let policy = page.header("content-security-policy").unwrap();
    assert!(policy.starts_with("default-src 'none'; script-src 'self'; "), "{policy}");
    assert!(!policy.contains("unsafe"), "{policy}");
    for name in ["chat.css", "chat.js"] {
        let path = format!("/examples/{name}");
        assert!(page.text().contains(&format!("\"{path}\"")), "{path}");
        let file = ada.send_for_head("GET", &path, None, "").read_whole();
        assert_eq!((file.status, file.text().contains("innerHTML")), (200, false));
    }
}
