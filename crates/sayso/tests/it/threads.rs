//! Tests of threads over the wire: a page on one side, an agent on the other, and a desk that outlives both.

use crate::network::Network;
use crate::threads_client::{Speaker, Stream, events_of, thread};
use crate::threads_vectors::{script, start_agent};
use sayso_core::Act;
use sayso_core::row::Standing;
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
pub(crate) struct Agent {
    bot: Speaker,
    thread: String,
    turn: String,
}

impl Agent {
    /// Takes the next turn.
    pub(crate) fn takes(bot: &Speaker, how: &Value) -> (Self, Value) {
        let taken = bot.post("/v1/threads/next?wait=20", how);
        assert_eq!(taken.status, 200, "{taken:?}");
        let taken = taken.value();
        let text = |name: &str| taken[name].as_str().unwrap().to_owned();
        (Self { bot: bot.clone(), thread: text("thread_id"), turn: text("turn") }, taken)
    }

    pub(crate) fn does(&self, what: &str, mut body: Value) -> (u16, Value) {
        body["turn"] = json!(self.turn);
        let reply = self.bot.post(&format!("/v1/threads/{}/{what}", self.thread), &body);
        (reply.status, if reply.body.is_empty() { Value::Null } else { reply.value() })
    }

    pub(crate) fn publishes(&self, events: &Value) {
        assert_eq!(self.does("events", json!({ "events": events })), (204, Value::Null));
    }

    pub(crate) fn says(&self, words: &str) {
        self.publishes(&json!([{ "text": words }]));
    }

    pub(crate) fn asks(&self, calls: &[Value]) -> Value {
        let (status, asked) = self.does("ask", json!({ "calls": calls }));
        assert_eq!(status, 200, "{asked}");
        asked
    }

    /// Waits for the decision.
    pub(crate) fn hears(&self, calls: &[Value]) -> Value {
        let (_, asked) = self.does("ask?wait=20", json!({ "calls": calls }));
        assert_eq!(asked["decided"], true, "{asked}");
        asked["decisions"].clone()
    }

    pub(crate) fn ends(&self) {
        assert_eq!(self.does("end", json!({})), (204, Value::Null));
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

pub(crate) fn rest(mut stream: Stream) -> Vec<(String, Value)> {
    std::iter::from_fn(|| stream.next()).collect()
}

pub(crate) fn says(person: &Speaker, thread: &str, words: &str) -> Stream {
    person.stream(&format!("/api/chat/{thread}"), &json!({ "message": words }))
}

/// Reads the current interrupt as a page does, and then decides on it.
pub(crate) fn resumes(person: &Speaker, thread: &str, body: &Value) -> Stream {
    person.get(&format!("/api/status/{thread}"));
    person.stream(&format!("/api/resume/{thread}"), body)
}

fn red() -> Value {
    json!({ "action": "answer", "answers": ["red"] })
}

/// Creates a desk, a person and an agent.
pub(crate) fn parties() -> (Network, Speaker, Speaker) {
    let served = Network::new();
    let (ada, bot) = (Speaker::of(&served, "person", "ada"), Speaker::of(&served, "asker", "bot"));
    (served, ada, bot)
}

#[test]
fn published_events_are_streamed() {
    let (_served, ada, bot) = parties();
    let id = thread(&ada);
    let mut stream = says(&ada, &id, "hello");
    let (agent, taken) = Agent::takes(&bot, &json!({}));
    assert_eq!((&taken["message"], &taken["again"]), (&json!("hello"), &json!(false)));
    agent.says("one");
    assert_eq!(stream.next(), Some(text("one")));
    agent.publishes(
        &json!([{ "tool_start": "ls" }, { "tool_end": "ls" }, { "error": "no" }, { "title": "T" }]),
    );
    let told: Vec<_> = (0..4).map(|_| stream.next().unwrap()).collect();
    let event = |name: &str, data: Value| (name.to_owned(), data);
    assert_eq!(told[0], event("tool/start", json!({ "tool": "ls", "status": "running" })));
    assert_eq!(told[1], event("tool/end", json!({ "tool": "ls", "status": "completed" })));
    assert_eq!(
        told[2..],
        [event("error", json!({ "message": "no" })), event("title_updated", json!({ "title": "T" }))]
    );
    agent.ends();
    assert_eq!(rest(stream), [end("")]);
    assert_eq!(agent.does("events", json!({ "events": [] })).1["code"], "turn_over");
    let list = ada.get("/api/sessions").value();
    assert_eq!(
        (&list["sessions"][0]["title"], &list["sessions"][0]["status"]),
        (&json!("T"), &json!("idle"))
    );
    assert_eq!(ada.get(&format!("/api/sessions/{id}")).value(), list["sessions"][0]);
}

#[test]
fn first_decision_on_interrupt_counts() {
    let (served, ada, bot) = parties();
    let id = thread(&ada);
    let stream = says(&ada, &id, "hello");
    let (agent, _) = Agent::takes(&bot, &json!({}));
    agent.says("Well.");
    let asked = agent.asks(&[ask_user("c1")]);
    assert_eq!(asked["decided"], false);
    let events = rest(stream);
    assert_eq!(
        (events[0].clone(), events[1].0.as_str(), events[2].clone()),
        (text("Well."), "interrupt", end(""))
    );
    let status = ada.get(&format!("/api/status/{id}")).value();
    assert_eq!((&status["status"], &status["interrupt_info"]), (&json!("interrupted"), &events[1].1));
    let ask = served.world.ask_where(|ask| ask.request.asker.session.as_deref() == Some(&id));
    assert_eq!(ask.request.dialect, "interrupt");
    let place = format!("/v1/asks/{}/answer", ask.id);
    let answered = ada.post(&place, &json!({ "shown": ask.request.digest, "answers": red() }));
    assert_eq!(answered.status, 200, "{answered:?}");
    let late = rest(resumes(&ada, &id, &json!({ "action": "cancel" })));
    assert_eq!(late, error("Thread is not waiting for a decision"));
    let decisions = agent.hears(&[ask_user("c1")]);
    assert_eq!((&decisions[0]["decision"], &decisions[0]["result"]), (&json!("answer"), &json!("[\"red\"]")));
    agent.ends();
    let acked = served.world.ask_where(|ask| ask.is_delivered());
    assert_eq!(acked.id, ask.id);
}

#[test]
fn approval_shows_command_refusal_carries_message() {
    let (served, ada, bot) = parties();
    let id = thread(&ada);
    drop(says(&ada, &id, "go"));
    let (agent, _) = Agent::takes(&bot, &json!({}));
    let both = [execute("a", "rm -r x"), execute("b", "ls")];
    agent.asks(&both);
    let act = Act::Shell { command: "rm -r x".to_owned(), folder: None };
    served
        .world
        .ask_where(|ask| ask.request.questionnaire.action.as_ref().is_some_and(|shown| shown.act == act));
    let stream = says(&ada, &id, "do not");
    let decisions = agent.hears(&both);
    let rejected = |call: &str| format!("User rejected the tool call for `execute` with id {call}: do not");
    assert_eq!(decisions[0]["result"], rejected("a"));
    assert_eq!(
        (&decisions[1]["decision"], &decisions[1]["result"]),
        (&json!("cancel"), &json!(rejected("b")))
    );
    agent.ends();
    let (agent, taken) = Agent::takes(&bot, &json!({}));
    assert_eq!(taken["message"], "do not");
    agent.ends();
    assert_eq!(rest(stream), [end("")]);
}

#[test]
fn server_crash_loses_nothing() {
    let (mut served, ada, bot) = parties();
    let id = thread(&ada);
    let mut stream = says(&ada, &id, "hello");
    // Before an agent has taken it.
    served.kill_9();
    assert_eq!(stream.next(), None);
    served.restart();
    let (agent, taken) = Agent::takes(&bot, &json!({}));
    assert_eq!(taken["message"], "hello");
    // While the agent works: the turn is still its own.
    served.kill_9();
    assert!(agent.bot.try_post("/v1/threads/next", &json!({})).is_none());
    served.restart();
    agent.says("Well.");
    agent.asks(&[execute("c1", "ls")]);
    // While it waits for a decision.
    served.kill_9();
    served.restart();
    let status = ada.get(&format!("/api/status/{id}")).value();
    assert_eq!(status["interrupt_info"]["info"], "正在执行命令: ls", "{status}");
    let followed = events_of(&ada.get(&format!("/api/chat/{id}")));
    assert_eq!((followed[0].0.as_str(), followed[1].clone()), ("interrupt", end("")));
    let stream = resumes(&ada, &id, &json!({ "action": "continue" }));
    // After the decision, before the agent has received it.
    served.kill_9();
    drop(stream);
    served.restart();
    let decisions = agent.hears(&[execute("c1", "ls")]);
    assert_eq!((&decisions[0]["decision"], &decisions[0]["result"]), (&json!("continue"), &Value::Null));
    agent.says("Done.");
    agent.ends();
    let said = ada.get(&format!("/api/history/{id}")).value();
    let words: Vec<_> = said["messages"].as_array().unwrap().iter().map(|said| &said["content"]).collect();
    assert_eq!(words, ["hello", "Well.", "Done."]);
    assert_eq!(ada.get(&format!("/api/status/{id}")).value()["message_count"], 3);
}

#[test]
fn agent_crash_keeps_interrupt_answerable() {
    let (served, ada, _) = parties();
    let id = thread(&ada);
    let agent = start_agent(&served);
    let ask = json!([{ "name": "ask_user", "args": { "questions": colours() } }]);
    let told = events_of(&ada.post(&format!("/api/chat/{id}"), &script(&[ask])));
    assert_eq!(told[1].0, "interrupt", "{told:?}");
    assert!(agent.kill_9());
    let stream = resumes(&ada, &id, &red());
    let again = start_agent(&served);
    assert_eq!(rest(stream), [text("收到"), text("："), text("[\"red\"]"), end("answer")]);
    // Killed with a message and before any question, it gets the message again.
    assert!(again.kill_9());
    let stream = says(&ada, &id, "hello");
    let bot = Speaker::of(&served, "asker", "bot");
    drop(Agent::takes(&bot, &json!({})));
    let _last = start_agent(&served);
    assert_eq!(rest(stream), [text("你"), text("好"), text("！"), end("")]);
}

#[test]
fn turn_belongs_to_one_process() {
    let (_served, ada, bot) = parties();
    let id = thread(&ada);
    drop(says(&ada, &id, "hello"));
    let (first, _) = Agent::takes(&bot, &json!({ "worker": "one" }));
    let other = json!({ "worker": "two", "anew": true });
    assert_eq!(bot.post("/v1/threads/next", &other).status, 204);
    let (second, taken) = Agent::takes(&bot, &json!({ "worker": "one", "anew": true }));
    assert_eq!(taken["again"], true);
    let (status, problem) = first.does("end", json!({}));
    assert_eq!((status, &problem["code"]), (409, &json!("turn_over")));
    second.ends();
}

#[test]
fn thread_is_private() {
    let (served, ada, bot) = parties();
    let (eve, other) = (Speaker::of(&served, "person", "eve"), Speaker::of(&served, "asker", "other"));
    let begun = ada.send("POST", "/api/sessions", Some("{\"agent\":\"bot\"}")).value();
    let id = begun["thread_id"].as_str().unwrap().to_owned();
    let paths = [(&eve, "status"), (&eve, "history"), (&eve, "chat"), (&eve, "sessions"), (&bot, "status")];
    for (who, path) in paths {
        let reply = who.get(&format!("/api/{path}/{id}"));
        assert_eq!(reply.status, 403, "{reply:?}");
    }
    assert_eq!(eve.get("/api/sessions").value(), json!({ "sessions": [] }));
    drop(says(&ada, &id, "one"));
    let (agent, _) = Agent::takes(&bot, &json!({}));
    agent.ends();
    drop(says(&ada, &id, "two"));
    assert_eq!(other.post("/v1/threads/next", &json!({})).status, 204);
    assert_eq!(other.get(&format!("/v1/threads/{id}/history")).status, 404);
    let (agent, _) = Agent::takes(&bot, &json!({}));
    let stolen = Agent { bot: other, thread: agent.thread.clone(), turn: agent.turn.clone() };
    assert_eq!(stolen.does("end", json!({})).0, 409);
    assert_eq!(ada.post("/v1/threads/next", &json!({})).status, 403);
    let reply = ada.send("POST", "/api/sessions", Some("{\"agent\":\"other\"}")).value();
    drop(says(&ada, reply["thread_id"].as_str().unwrap(), "three"));
    assert_eq!(bot.post("/v1/threads/next", &json!({})).status, 204);
    let (named, _) = Agent::takes(&stolen.bot, &json!({}));
    named.ends();
    agent.ends();
}

#[test]
fn ask_ends_without_its_person() {
    let (served, ada, bot) = parties();
    let id = thread(&ada);
    drop(says(&ada, &id, "hello"));
    let (agent, _) = Agent::takes(&bot, &json!({}));
    let short = json!({ "calls": [execute("c1", "ls")], "timeout_ms": 1 });
    let (_, heard) = agent.does("ask?wait=20", short);
    assert_eq!(
        (&heard["decisions"][0]["decision"], &heard["decisions"][0]["state"]),
        (&json!("error"), &json!("expired"))
    );
    let late = rest(resumes(&ada, &id, &json!({ "action": "continue" })));
    assert_eq!(late, error("No answer before the deadline"));
    agent.asks(&[ask_user("c2")]);
    agent.ends();
    served.world.ask_where(|ask| Standing::of(&ask.state.phase) == Standing::Cancelled);
    assert_eq!(ada.get(&format!("/api/status/{id}")).value()["status"], "idle");
    let late = rest(resumes(&ada, &id, &red()));
    assert_eq!(late, error("只有 ask_user 工具支持 'answer' 操作"));
}

#[test]
fn deleting_thread_ends_activity() {
    let (served, ada, bot) = parties();
    let id = thread(&ada);
    let stream = says(&ada, &id, "hello");
    let (agent, _) = Agent::takes(&bot, &json!({}));
    agent.asks(&[ask_user("c1")]);
    drop(stream);
    let stream = resumes(&ada, &id, &red());
    let gone = ada.send("DELETE", &format!("/api/sessions/{id}"), None);
    assert_eq!(gone.value(), json!({ "status": "destroyed", "thread_id": id }));
    assert_eq!(rest(stream), [end("answer")]);
    assert_eq!(agent.does("end", json!({})).0, 409);
    assert_eq!(ada.get(&format!("/api/history/{id}")).status, 403);
    assert_eq!(served.world.ask_where(|_| true).request.asker.account.as_deref(), Some("bot"));
}

#[test]
fn agent_errors_are_explained() {
    let (_served, ada, bot) = parties();
    drop(says(&ada, &thread(&ada), "hello"));
    let (agent, _) = Agent::takes(&bot, &json!({}));
    let none = json!({ "calls": [{ "id": "c", "name": "ask_user", "args": { "questions": [] } }] });
    for (body, code) in [
        (none, "invalid_request"),
        (json!({}), "required"),
        (json!({ "request": { "questions": colours() } }), "required"),
        (json!({ "id": "c", "request": {}, "calls": [execute("c", "ls")] }), "invalid_request"),
    ] {
        let (status, problem) = agent.does("ask", body);
        assert_eq!((status, &problem["code"]), (422, &json!(code)), "{problem}");
    }
    let colour = json!({ "id": "colour", "prompt": "Which?", "options": ["red", "green"] });
    let own = json!({ "questions": [colour, { "id": "go", "kind": "confirm", "prompt": "Go?", "required": false }] });
    let (_, asked) = agent.does("ask", json!({ "id": "c", "dialect": "sayso", "request": own }));
    assert!(asked["lost"].as_array().is_some_and(|lost| !lost.is_empty()), "{asked}");
    agent.asks(&[execute("d", "ls")]);
    let (status, problem) = agent.does("ask", json!({ "calls": [execute("d", "rm")] }));
    assert_eq!((status, &problem["code"]), (422, &json!("key_reused")));
}

#[test]
fn example_page_runs_own_script_only() {
    let (_served, ada, _) = parties();
    let page = ada.begin("GET", "/examples/chat", None, "").whole();
    let policy = page.header("content-security-policy").unwrap();
    assert!(policy.starts_with("default-src 'none'; script-src 'self'; "), "{policy}");
    assert!(!policy.contains("unsafe"), "{policy}");
    for name in ["chat.css", "chat.js"] {
        let path = format!("/examples/{name}");
        assert!(page.text().contains(&format!("\"{path}\"")), "{path}");
        let file = ada.begin("GET", &path, None, "").whole();
        assert_eq!((file.status, file.text().contains("innerHTML")), (200, false));
    }
}
