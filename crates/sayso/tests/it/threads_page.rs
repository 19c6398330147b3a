//! Tests of the threads' example page in a real browser.

use crate::network::Network;
use crate::node::node;
use crate::program::Program;
use crate::threads::{Agent, ask_user, execute, parties};
use crate::threads_client::Speaker;
use crate::threads_vectors::{script, start_agent};
use serde_json::{Value, json};
use std::cell::Cell;
use std::path::PathBuf;

/// Browser whose page is driven step by step.
struct Browser {
    node: Program,
    steps: Cell<usize>,
    at: Cell<usize>,
}

fn chromium() -> PathBuf {
    let path = std::env::var_os("PATH").unwrap();
    let there = std::env::split_paths(&path).map(|folder| folder.join("chromium")).find(|file| file.exists());
    there.unwrap_or_else(|| panic!("chromium is missing: run `cargo xtask setup`"))
}

impl Browser {
    fn start(served: &Network) -> Self {
        let chromium = chromium();
        let args = [chromium.to_str().unwrap(), &served.address];
        let call = node(&served.world, "playwright-core", "page.mjs", &args);
        Self { node: call.start_piped(), steps: Cell::new(0), at: Cell::new(0) }
    }

    /// Runs a step, and returns its result.
    fn does(&mut self, what: &str, mut how: Value) -> Value {
        let number = self.steps.get() + 1;
        self.steps.set(number);
        how["number"] = number.into();
        how["what"] = what.into();
        self.node.write(format!("{how}\n").as_bytes());
        let end = self.node.stdout.wait_for("\n", self.at.get());
        let told: Value = serde_json::from_str(&self.node.stdout.between(self.at.get(), end)).unwrap();
        self.at.set(end);
        assert_eq!((&told["number"], &told["error"]), (&json!(number), &Value::Null), "{how}: {told:#}");
        told["came"].clone()
    }

    fn sees(&mut self, text: &str) {
        self.does("sees", json!({ "text": text }));
    }

    fn fills(&mut self, label: &str, text: &str) {
        self.does("fill", json!({ "label": label, "text": text }));
    }

    fn clicks(&mut self, button: &str) {
        self.does("click", json!({ "button": button }));
    }

    fn says(&mut self, words: &str) {
        self.fills("Message", words);
        self.does("press", json!({ "label": "Message", "key": "Enter" }));
    }

    fn text(&mut self, selector: &str) -> String {
        self.does("text", json!({ "selector": selector })).as_str().unwrap().to_owned()
    }

    /// Opens the page, and signs in with a token.
    fn enters(&mut self, person: &Speaker) {
        self.does("goto", json!({ "path": "/examples/chat" }));
        self.fills("Token of a person", person.token());
        self.clicks("Enter");
    }

    /// Asserts that the page has no errors and kept its content security policy.
    fn leaves(mut self) {
        assert_eq!(self.does("errors", json!({})), json!([]));
        self.node.end_input();
        assert_eq!(self.node.wait().exit, 0);
    }
}

#[test]
fn person_chats_and_decides_on_page() {
    let (served, ada, _) = parties();
    let _agent = start_agent(&served);
    let mut page = Browser::start(&served);
    page.enters(&ada);
    page.says("hello");
    page.sees("你好！");
    assert_eq!(page.does("value", json!({ "label": "Thread" })).as_str().unwrap().len(), 73);
    assert!(page.text("#threads").contains("标题"));
    // An agent's message is text, and hides nothing.
    let bad = "<img src=x onerror=alert(1)> \u{202e}abc\u{200b}";
    let shown = "<img src=x onerror=alert(1)> ‹U+202E›abc‹U+200B›";
    let custom = json!({ "label": "Mine", "value": "__custom__", "allow_custom": true });
    let options = json!([{ "label": bad, "value": "bad" }, custom]);
    let colours = json!([{ "label": "Red", "value": "red" }, { "label": "Green", "value": "green" }]);
    let questions =
        json!([{ "question": bad, "options": options }, { "question": "Colour?", "options": colours }]);
    let calls = json!([
        { "name": "ask_user", "args": { "questions": questions } },
        { "name": "execute", "args": { "command": bad } },
        { "name": "write_file", "args": { "file_path": "a.txt", "content": "x" } },
    ]);
    page.says(script(&[calls])["message"].as_str().unwrap());
    page.does("check", json!({ "label": "Green" }));
    assert_eq!(page.text("legend >> nth=0"), shown);
    page.fills(&format!("{bad}: Mine"), " my own ");
    page.clicks("Answer");
    assert!(page.text("#waiting pre").contains(shown));
    assert!(page.text("#said").contains("my own · Green"));
    page.clicks("Cancel");
    // The last is decided on another surface, and the page continues by itself.
    page.sees("a.txt");
    let ask = served.world.ask_where(|ask| ask.outcome().is_none());
    let yes = json!({ "shown": ask.request.digest, "answers": { "action": "continue" } });
    assert_eq!(ada.post(&format!("/v1/asks/{}/answer", ask.id), &yes).status, 200);
    page.sees("收到：Updated file a.txt");
    assert_eq!(page.text("body").matches("Updated file").count(), 1);
    page.leaves();
}

#[test]
fn page_streams_and_survives_restart() {
    let (mut served, ada, bot) = parties();
    let mut page = Browser::start(&served);
    page.enters(&ada);
    page.says("go on");
    let (agent, taken) = Agent::takes(&bot, &json!({}));
    assert_eq!(taken["message"], "go on");
    agent.says("One");
    page.sees("One");
    agent.says(", two.");
    page.sees("One, two.");
    agent.asks(&[ask_user("c1"), execute("c2", "make it so")]);
    page.does("check", json!({ "label": "Red" }));
    served.kill_9();
    // The pick stays; the page shows why it cannot be sent.
    page.clicks("Answer");
    page.sees("Failed to fetch");
    served.restart();
    page.clicks("Answer");
    page.sees("make it so");
    page.clicks("Continue");
    let heard = agent.hears(&[ask_user("c1"), execute("c2", "make it so")]);
    assert_eq!((&heard[0]["result"], &heard[1]["decision"]), (&json!("[\"red\"]"), &json!("continue")));
    agent.says("Three.");
    page.sees("Three.");
    // In the middle of a stream.
    served.kill_9();
    page.sees("The connection broke");
    served.restart();
    agent.says("Four.");
    page.sees("Four.");
    agent.ends();
    let (_, said) = (agent, ada.get(&format!("/api/history/{}", taken["thread_id"].as_str().unwrap())));
    let words: Vec<_> =
        said.value()["messages"].as_array().unwrap().iter().map(|one| one["content"].clone()).collect();
    assert_eq!(words, ["go on", "One, two.", "Four."], "what was said between is lost with the server");
    page.does("gone", json!({ "text": "The connection broke" }));
    let log = page.text("#said");
    assert_eq!(log.matches("One, two.").count(), 1, "{log}");
    page.leaves();
}
