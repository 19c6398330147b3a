//! Tests of the threads' example page in a real browser.

use crate::support::network_desk::NetworkDesk;
use crate::support::node_program::node_call;
use crate::support::program::TestProgram;
use crate::threads::client::ThreadClient;
use crate::threads::turns::{ScriptedAgent, ask_user, execute, start_parties};
use crate::threads::vectors::{script, start_agent};
use serde_json::{Value, json};
use std::cell::Cell;
use std::path::PathBuf;

/// Browser whose page is driven step by step.
struct PageBrowser {
    node: TestProgram,
    steps: Cell<usize>,
    at: Cell<usize>,
}

fn chromium() -> PathBuf {
    let path = std::env::var_os("PATH").unwrap();
    let there = std::env::split_paths(&path).map(|folder| folder.join("chromium")).find(|file| file.exists());
    there.unwrap_or_else(|| panic!("chromium is missing: run `cargo xtask setup`"))
}

impl PageBrowser {
    fn start(served: &NetworkDesk) -> Self {
        let chromium = chromium();
        let args = [chromium.to_str().unwrap(), &served.address];
        let call = node_call(&served.world, "playwright-core", "page.mjs", &args);
        Self { node: call.start_piped(), steps: Cell::new(0), at: Cell::new(0) }
    }

    /// Runs a step, and returns its result.
    fn run_step(&mut self, what: &str, mut how: Value) -> Value {
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

    fn expect_text(&mut self, text: &str) {
        self.run_step("sees", json!({ "text": text }));
    }

    fn fill_field(&mut self, label: &str, text: &str) {
        self.run_step("fill", json!({ "label": label, "text": text }));
    }

    fn click_button(&mut self, button: &str) {
        self.run_step("click", json!({ "button": button }));
    }

    fn send_message(&mut self, words: &str) {
        self.fill_field("Message", words);
        self.run_step("press", json!({ "label": "Message", "key": "Enter" }));
    }

    fn text_of(&mut self, selector: &str) -> String {
        self.run_step("text", json!({ "selector": selector })).as_str().unwrap().to_owned()
    }

    /// Opens the page, and signs in with a token.
    fn sign_in(&mut self, person: &ThreadClient) {
        self.run_step("goto", json!({ "path": "/examples/chat" }));
        self.fill_field("Token of a person", person.token());
        self.click_button("Enter");
    }

    /// Asserts that the page has no errors and kept its content security policy.
    fn assert_no_errors(mut self) {
        assert_eq!(self.run_step("errors", json!({})), json!([]));
        self.node.end_input();
        assert_eq!(self.node.wait().exit, 0);
    }
}

#[test]
fn person_chats_and_decides_on_page() {
    let (served, ada, _) = start_parties();
    let _agent = start_agent(&served);
    let mut page = PageBrowser::start(&served);
    page.sign_in(&ada);
    page.send_message("hello");
    page.expect_text("你好！");
    assert_eq!(page.run_step("value", json!({ "label": "Thread" })).as_str().unwrap().len(), 73);
    assert!(page.text_of("#threads").contains("标题"));
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
    page.send_message(script(&[calls])["message"].as_str().unwrap());
    page.run_step("check", json!({ "label": "Green" }));
    assert_eq!(page.text_of("legend >> nth=0"), shown);
    page.fill_field(&format!("{bad}: Mine"), " my own ");
    page.click_button("Answer");
    assert!(page.text_of("#waiting pre").contains(shown));
    assert!(page.text_of("#said").contains("my own · Green"));
    page.click_button("Cancel");
    // The last is decided on another surface, and the page continues by itself.
    page.expect_text("a.txt");
    let ask = served.world.wait_for_ask(|ask| ask.outcome().is_none());
    let yes = json!({ "shown": ask.request.digest, "answers": { "action": "continue" } });
    assert_eq!(ada.post(&format!("/v1/asks/{}/answer", ask.id), &yes).status, 200);
    page.expect_text("收到：Updated file a.txt");
    assert_eq!(page.text_of("body").matches("Updated file").count(), 1);
    page.assert_no_errors();
}

#[test]
fn page_streams_and_survives_restart() {
    let (mut served, ada, bot) = start_parties();
    let mut page = PageBrowser::start(&served);
    page.sign_in(&ada);
    page.send_message("go on");
    let (agent, taken) = ScriptedAgent::take_turn(&bot, &json!({}));
    assert_eq!(taken["message"], "go on");
    agent.say_text("One");
    page.expect_text("One");
    agent.say_text(", two.");
    page.expect_text("One, two.");
    agent.ask_calls(&[ask_user("c1"), execute("c2", "make it so")]);
    page.run_step("check", json!({ "label": "Red" }));
    served.kill_9();
    // The pick stays; the page shows why it cannot be sent.
    page.click_button("Answer");
    page.expect_text("Failed to fetch");
    served.restart();
    page.click_button("Answer");
    page.expect_text("make it so");
    page.click_button("Continue");
    let heard = agent.wait_for_decision(&[ask_user("c1"), execute("c2", "make it so")]);
    assert_eq!((&heard[0]["result"], &heard[1]["decision"]), (&json!("[\"red\"]"), &json!("continue")));
    agent.say_text("Three.");
    page.expect_text("Three.");
    // In the middle of a stream.
    served.kill_9();
    page.expect_text("The connection broke");
    served.restart();
    agent.say_text("Four.");
    page.expect_text("Four.");
    agent.end_turn();
    let (_, said) = (agent, ada.get(&format!("/api/history/{}", taken["thread_id"].as_str().unwrap())));
    let words: Vec<_> =
        said.value()["messages"].as_array().unwrap().iter().map(|one| one["content"].clone()).collect();
    assert_eq!(words, ["go on", "One, two.", "Four."], "what was said between is lost with the server");
    page.run_step("gone", json!({ "text": "The connection broke" }));
    let log = page.text_of("#said");
    assert_eq!(log.matches("One, two.").count(), 1, "{log}");
    page.assert_no_errors();
}

#[test]
fn blank_own_answer_is_not_sent() {
    let (served, ada, bot) = start_parties();
    let mut page = PageBrowser::start(&served);
    page.sign_in(&ada);
    page.send_message("go on");
    let (agent, _) = ScriptedAgent::take_turn(&bot, &json!({}));
    let custom = json!({ "label": "Mine", "value": "__custom__", "allow_custom": true });
    let red = json!({ "label": "Red", "value": "red" });
    let questions = json!([{ "question": "Colour?", "options": [red, custom] }]);
    let call = json!({ "id": "c1", "name": "ask_user", "args": { "questions": questions } });
    agent.ask_calls(std::slice::from_ref(&call));
    for blank in ["", "  ", "\u{3000}\t"] {
        page.fill_field("Colour?: Mine", "blue");
        assert_eq!(page.run_step("valid", json!({ "selector": "#waiting" })), "true");
        page.fill_field("Colour?: Mine", blank);
        assert_eq!(page.run_step("valid", json!({ "selector": "#waiting" })), "false", "{blank:?}");
        page.click_button("Answer");
        assert_eq!(page.text_of("#wrong"), "", "{blank:?}");
    }
    // Typed text that is not picked blocks nothing.
    page.run_step("check", json!({ "label": "Red" }));
    assert_eq!(page.run_step("valid", json!({ "selector": "#waiting" })), "true");
    page.fill_field("Colour?: Mine", " blue ");
    page.click_button("Answer");
    assert_eq!(agent.wait_for_decision(&[call])[0]["result"], "[\"blue\"]");
    agent.end_turn();
    assert!(!page.text_of("#wrong").contains("answer at index"));
    page.assert_no_errors();
}
