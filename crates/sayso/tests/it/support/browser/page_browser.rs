//! Real browser whose pages are driven step by step.

use crate::support::program::node_program::node_call;
use crate::support::program::{TestProgram, start_lock};
use crate::support::test_world::TestWorld;
use serde_json::{Value, json};
use std::cell::Cell;
use std::io::{BufRead as _, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::LazyLock;
use std::time::Duration;

thread_local! {
    /// Browser that this thread's tests use.
    static PLAYED_IN: Cell<&'static str> = const { Cell::new("chromium") };
}

/// Runs a test in another browser.
pub(crate) fn play_in(browser: &'static str, test: fn()) {
    PLAYED_IN.set(browser);
    test();
}

/// Returns true unless a test is played in another browser.
pub(crate) fn plays_in_chromium() -> bool {
    PLAYED_IN.get() == "chromium"
}

/// Browser, and the page that the steps are on.
pub(crate) struct PageBrowser {
    node: TestProgram,
    steps: Cell<usize>,
    at: Cell<usize>,
    page: String,
}

/// Returns true if tests try all of their cases, as in the long set; a sample otherwise.
pub(crate) fn sees_everything() -> bool {
    std::env::var_os("SAYSO_TEST_CASES").is_some_and(|cases| cases == "all")
}

/// Returns the path of the browser.
pub(crate) fn chromium() -> PathBuf {
    let path = std::env::var_os("PATH").unwrap();
    let there = std::env::split_paths(&path).map(|folder| folder.join("chromium")).find(|file| file.exists());
    there.unwrap_or_else(|| panic!("chromium is missing: run `cargo xtask setup`"))
}

/// Returns the address of the browser that all tests of a run share. If there is none for the run, those of this process
/// share one; it ends with the process, which holds its standard input.
pub(crate) fn shared_browser() -> &'static str {
    static BROWSER: LazyLock<(Option<Child>, String)> = LazyLock::new(|| {
        if let Some(address) = std::env::var_os("SAYSO_TEST_BROWSER") {
            return (None, address.into_string().unwrap());
        }
        let program = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/node/browser.mjs");
        let mut command = Command::new("node");
        command.arg(program).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let starting = start_lock();
        let mut child = command.spawn().unwrap();
        drop(starting);
        let mut address = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut address).unwrap();
        (Some(child), address.trim().to_owned())
    });
    &BROWSER.1
}

impl Drop for PageBrowser {
    /// Lets a browser of its own end before the program that started it.
    fn drop(&mut self) {
        if std::thread::panicking() && !plays_in_chromium() {
            self.node.end_input();
            let _ = self.node.ends_well_within(Duration::from_secs(20));
        }
    }
}

impl PageBrowser {
    /// Starts a browser with a page at an address, `http://HOST:PORT`.
    pub(crate) fn start(world: &TestWorld, address: &str) -> Self {
        Self::start_with(world, address, &[])
    }

    /// Starts a browser of its own with further switches; without any, it is the shared one.
    pub(crate) fn start_with(world: &TestWorld, address: &str, switches: &[&str]) -> Self {
        let chromium = chromium();
        let place = match PLAYED_IN.get() {
            "chromium" if switches.is_empty() => shared_browser(),
            "chromium" => chromium.to_str().unwrap(),
            other => other,
        };
        let args = [&[place, address], switches].concat();
        let call = node_call(world, "playwright-core", "page.mjs", &args);
        Self { node: call.start_piped(), steps: Cell::new(0), at: Cell::new(0), page: "main".to_owned() }
    }

    /// Opens a page in a profile of its own; the next steps are on it.
    pub(crate) fn open(&mut self, page: &str, how: Value) {
        self.turn_to(page);
        self.run_step("open", how);
    }

    /// Makes the next steps on another page.
    pub(crate) fn turn_to(&mut self, page: &str) {
        page.clone_into(&mut self.page);
    }

    /// Runs a step, and returns its result.
    pub(crate) fn run_step(&mut self, what: &str, mut how: Value) -> Value {
        let number = self.steps.get() + 1;
        self.steps.set(number);
        how["number"] = number.into();
        how["what"] = what.into();
        how["page"] = self.page.as_str().into();
        self.node.write(format!("{how}\n").as_bytes());
        let end = self.node.stdout.wait_for("\n", self.at.get());
        let output: Value = serde_json::from_str(&self.node.stdout.between(self.at.get(), end)).unwrap();
        self.at.set(end);
        assert_eq!(
            (&output["number"], &output["error"]),
            (&json!(number), &Value::Null),
            "{how}: {output:#}"
        );
        output["came"].clone()
    }

    pub(crate) fn go_to(&mut self, path: &str) {
        self.run_step("goto", json!({ "path": path }));
    }

    pub(crate) fn expect_text(&mut self, text: &str) {
        self.run_step("sees", json!({ "text": text }));
    }

    pub(crate) fn expect_gone(&mut self, text: &str) {
        self.run_step("gone", json!({ "text": text }));
    }

    pub(crate) fn fill_field(&mut self, label: &str, text: &str) {
        self.run_step("fill", json!({ "label": label, "text": text }));
    }

    /// Types key by key.
    pub(crate) fn type_keys(&mut self, label: &str, text: &str) {
        self.run_step("type", json!({ "label": label, "text": text }));
    }

    /// Waits until a field has this text.
    pub(crate) fn expect_value(&mut self, label: &str, text: &str) {
        self.run_step("holds", json!({ "label": label, "text": text }));
    }

    pub(crate) fn check_radio(&mut self, label: &str) {
        self.run_step("check", json!({ "label": label }));
    }

    pub(crate) fn click_button(&mut self, button: &str) {
        self.run_step("click", json!({ "button": button }));
    }

    pub(crate) fn follow_link(&mut self, text: &str) {
        self.run_step("follow", json!({ "text": text }));
    }

    /// Waits until an element is shown.
    pub(crate) fn expect_element(&mut self, selector: &str) {
        self.run_step("visible", json!({ "selector": selector }));
    }

    /// Clicks an element, in whatever language its words are.
    pub(crate) fn click(&mut self, selector: &str) {
        self.run_step("hit", json!({ "selector": selector }));
    }

    pub(crate) fn text_of(&mut self, selector: &str) -> String {
        self.run_step("text", json!({ "selector": selector })).as_str().unwrap().to_owned()
    }

    /// Asserts that nothing is wider than the page, and that axe-core finds no fault.
    pub(crate) fn assert_accessible(&mut self) {
        assert_eq!(self.run_step("axe", json!({})), json!([]), "{}", self.text_of("body"));
        let excess: i32 = self.run_step("excess", json!({})).as_str().unwrap().parse().unwrap();
        assert!(excess <= 0, "{excess} px too wide");
    }

    /// Asserts that nothing is cut off, and nothing sticks out of the page.
    pub(crate) fn assert_nothing_cut(&mut self, what: &str) {
        assert_eq!(self.run_step("cut", json!({})), json!([]), "{what}");
    }

    /// Asserts that nothing is cut off with the spacing of text that a reader may set.
    pub(crate) fn assert_text_can_be_spaced(&mut self, what: &str) {
        assert_eq!(self.run_step("spaced", json!({})), json!([]), "{what}, spaced");
    }

    /// Asserts that whatever takes the focus is seen.
    pub(crate) fn assert_focus_is_seen(&mut self, what: &str) {
        assert_eq!(self.run_step("hidden", json!({})), json!([]), "{what}");
    }

    /// Asserts that from right to left each box is where the mirror would show it.
    pub(crate) fn assert_mirrored(&mut self, what: &str) {
        assert_eq!(self.run_step("mirrored", json!({})), json!([]), "{what}");
    }

    /// Asserts that each target is at least this large, in pixels.
    pub(crate) fn assert_targets(&mut self, least: u32, what: &str) {
        assert_eq!(self.run_step("small", json!({ "least": least })), json!([]), "{what}");
    }

    /// Asserts that no page has errors and each kept its content security policy.
    pub(crate) fn assert_no_errors(mut self) {
        assert_eq!(self.run_step("errors", json!({})), json!([]));
        self.node.end_input();
        assert!(self.node.ends_well_within(Duration::from_secs(60)), "the browser does not end");
    }
}
