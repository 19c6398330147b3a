//! Recorded replies of the original server over HTTP, case by case, against a running server and `examples/agent.py`;
//! deviations are listed here.

use crate::support::http_client::HttpReply;
use crate::support::network_desk::NetworkDesk;
use crate::support::program::TestProgram;
use crate::support::test_vector;
use crate::threads::client::{ThreadClient, events_of, new_thread};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// These routes do not exist: tokens come from the desk.
const NO_SUCH_ROUTE: [&str; 3] = ["001", "002", "003"];

fn vectors() -> BTreeMap<String, Value> {
    let vectors = test_vector::vectors_of("interrupt", "http").into_iter();
    vectors.map(|vector| (vector.number, vector.body)).collect()
}

/// Starts the example agent.
pub(crate) fn start_agent(served: &NetworkDesk) -> TestProgram {
    let bot = served.token("asker", "bot");
    let mut call = served.world.sayso([concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/agent.py")]);
    call.line[0] = "python3".into();
    call.env("SAYSO_DESK", &served.address).env("SAYSO_TOKEN_FILE", &bot).start()
}

/// Returns a message that makes the example agent run these calls, each in a step.
pub(crate) fn script(steps: &[Value]) -> Value {
    let steps: Vec<_> = steps.iter().map(|calls| json!({ "calls": calls })).collect();
    json!({ "message": json!({ "steps": steps }).to_string() })
}

struct VectorFixture {
    ada: ThreadClient,
    eve: ThreadClient,
    vectors: BTreeMap<String, Value>,
}

impl VectorFixture {
    fn chat(&self, thread: &str, message: &Value) -> HttpReply {
        self.ada.post(&format!("/api/chat/{thread}"), message)
    }

    fn resume(&self, thread: &str, body: &Value) -> HttpReply {
        let body = body.as_str().map_or_else(|| body.to_string(), str::to_owned);
        self.ada.send("POST", &format!("/api/resume/{thread}"), Some(&body))
    }

    /// Creates a thread in which the agent made these calls.
    fn thread_with_calls(&self, steps: &[Value]) -> (String, HttpReply) {
        let id = new_thread(&self.ada);
        let reply = self.chat(&id, &script(steps));
        (id, reply)
    }

    /// Creates a thread that asks the questions of the answer vectors.
    fn thread_with_colours(&self) -> String {
        let id = new_thread(&self.ada);
        let message = self.vectors["025"]["expect"]["json"]["messages"][0]["content"].clone();
        let events = events_of(&self.chat(&id, &json!({ "message": message })));
        assert_eq!(events[events.len() - 2].0, "interrupt", "{events:?}");
        id
    }

    fn calls(&self, number: &str) -> Value {
        self.vectors[number]["input"]["agentCalls"].clone()
    }

    /// Returns our server's reply, and the thread.
    fn replay(&self, number: &str, body: &Value) -> (String, HttpReply) {
        let execute = || self.thread_with_calls(&[self.calls("035")]).0;
        let path = "/workspace/src/components/Button.tsx";
        let write = json!([{ "name": "write_file", "args": { "file_path": path, "content": "x" } }]);
        let id = match number {
            "004" => return (String::new(), self.ada.send("POST", "/api/sessions", None)),
            "005" => {
                let id = new_thread(&self.ada);
                let reply = self.chat(&id, body);
                return (id, reply);
            }
            "015" | "017" | "052" => {
                let id = new_thread(&self.ada);
                let scheme = if number == "017" { "Basic" } else { "" };
                let what = if number == "052" { "chat" } else { "resume" };
                let body = if body.is_null() { json!({ "message": "hi" }) } else { body.clone() };
                let path = format!("/api/{what}/{id}");
                return (
                    id,
                    self.ada.send_for_head("POST", &path, Some(&body.to_string()), scheme).read_whole(),
                );
            }
            "019" => {
                let id = new_thread(&self.ada);
                let reply = self.eve.post(&format!("/api/resume/{id}"), body);
                return (id, reply);
            }
            "025" => {
                let id = self.thread_with_colours();
                self.resume(&id, &self.vectors["023"]["input"]["body"]);
                let reply = self.ada.get(&format!("/api/history/{id}"));
                return (id, reply);
            }
            "035" | "038" | "044" => return self.thread_with_calls(&[self.calls(number)]),
            "048" => {
                let id = new_thread(&self.ada);
                self.ada.send("DELETE", &format!("/api/sessions/{id}"), None);
                id
            }
            "051" => {
                let id = self.thread_with_colours();
                let reply = self.chat(&id, body);
                return (id, reply);
            }
            "036" | "039" => execute(),
            "041" => self.thread_with_calls(&[write]).0,
            "043" => {
                let id = self.thread_with_calls(&[write, self.calls("035")]).0;
                self.resume(&id, body);
                id
            }
            "023" | "026" | "028" | "029" | "031" | "032" | "033" | "034" => self.thread_with_colours(),
            _ => new_thread(&self.ada),
        };
        let reply = self.resume(&id, body);
        (id, reply)
    }
}

fn event(name: &str, data: Value) -> (String, Value) {
    (name.to_owned(), data)
}

fn error(message: &str) -> Vec<(String, Value)> {
    vec![event("error", json!({ "message": message })), event("end", json!({ "action": "error" }))]
}

/// Returns the expected reply in cases where the rulings differ from the original.
fn ruled_reply(number: &str, vector: &Value) -> Option<Vec<(String, Value)>> {
    let text = |content: &str| event("messages/partial", json!({ "content": content }));
    Some(match number {
        "026" => error("answers count (1) does not match questions count (2)"),
        "028" => error("answer at index 1 is empty"),
        // The first question takes typed text, the second does not.
        "031" | "032" => error("answer at index 1 is not an option"),
        "033" | "034" => vec![
            text("收到"),
            text("："),
            text("User declined to answer"),
            event("end", json!({ "action": "cancel" })),
        ],
        "044" => {
            let mut expected = events(vector);
            let data = &mut expected[1].1["data"];
            data["action_requests"].as_array_mut().unwrap().truncate(1);
            data["review_configs"].as_array_mut().unwrap().truncate(1);
            expected
        }
        "046" => error("Thread is not waiting for a decision"),
        _ => return None,
    })
}

fn events(vector: &Value) -> Vec<(String, Value)> {
    let events = vector["expect"]["events"].as_array().unwrap();
    events.iter().map(|entry| event(entry["event"].as_str().unwrap(), entry["data"].clone())).collect()
}

/// Returns a vector's text with its varying ids masked.
fn mask_ids(value: &Value, thread: &str) -> Value {
    let text = value.to_string().replace("<threadId>", thread).replace("<callId>", "0.0");
    serde_json::from_str(&text).unwrap()
}

fn compare(number: &str, vector: &Value, thread: &str, reply: &HttpReply) {
    let expect = mask_ids(&vector["expect"], thread);
    if number == "048" {
        assert_eq!(reply.status, 403, "{reply:?}");
        assert_eq!(reply.value(), json!({ "detail": format!("Access denied to thread {thread}") }));
        return;
    }
    assert_eq!(expect["status"], reply.status, "{number}: {reply:?}");
    if let Some(media) = expect["contentType"].as_str() {
        assert_eq!(reply.header("content-type"), Some(media), "{number}");
    }
    if let Some(scheme) = expect["wwwAuthenticate"].as_str() {
        assert_eq!(reply.header("www-authenticate"), Some(scheme), "{number}");
    }
    if number == "004" {
        let begun = reply.value();
        let (owner, own) = begun["thread_id"].as_str().unwrap().split_at(36);
        assert_eq!((owner.len() + own.len(), own.starts_with('-')), (73, true), "{begun}");
    } else if expect["json"].is_object() {
        let mut body = reply.value();
        // The history has our events next to the messages.
        body.as_object_mut().unwrap().shift_remove("events");
        assert_eq!(body, expect["json"], "{number}");
    }
    if expect["events"].is_array() {
        let expected = ruled_reply(number, vector).unwrap_or_else(|| events(&json!({ "expect": expect })));
        assert_eq!(events_of(reply), expected, "{number}");
    }
}

#[test]
fn http_vectors_match_or_are_ruled() {
    let served = NetworkDesk::new();
    let (ada, eve) = (ThreadClient::of(&served, "person", "ada"), ThreadClient::of(&served, "person", "eve"));
    let agent = start_agent(&served);
    let stage = VectorFixture { ada, eve, vectors: vectors() };
    assert_eq!(stage.vectors.len(), 35);
    let mut played = 0;
    for (number, vector) in &stage.vectors {
        if NO_SUCH_ROUTE.contains(&number.as_str()) {
            let path = vector["input"]["POST"].as_str().unwrap();
            assert_eq!(stage.ada.post(path, &json!({})).status, 404, "{number}");
            continue;
        }
        let (thread, reply) = stage.replay(number, &vector["input"]["body"]);
        compare(number, vector, &thread, &reply);
        played += 1;
    }
    assert_eq!(played, 32);
    assert!(agent.is_running(), "{}", agent.stderr.last_part());
}

#[test]
fn several_calls_interrupt_one_by_one() {
    let served = NetworkDesk::new();
    let ada = ThreadClient::of(&served, "person", "ada");
    let _agent = start_agent(&served);
    let stage = VectorFixture { eve: ada.clone(), ada, vectors: vectors() };
    let (id, reply) = stage.thread_with_calls(&[stage.calls("044")]);
    assert_eq!(events_of(&reply)[1].1["taskName"], "执行命令");
    let next = events_of(&stage.resume(&id, &json!({ "action": "continue" })));
    assert_eq!(
        (next[0].1["taskName"].clone(), next[1].clone()),
        (json!("用户问答"), event("end", json!({ "action": "continue" })))
    );
    let last = events_of(&stage.resume(&id, &stage.vectors["023"]["input"]["body"]));
    assert_eq!(last, events(&stage.vectors["023"]));
}
