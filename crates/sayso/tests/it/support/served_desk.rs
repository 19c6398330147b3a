//! Desk on the network: `sayso serve` over a desk of a world, and its callers.

pub(crate) mod in_process;

use crate::support::http_client::HttpCaller;
use crate::support::program::program_output::LIMIT;
use crate::support::program::{ProgramExit, TestProgram, signal};
use crate::support::test_world::TestWorld;
use sayso_core::{Asker, NewAsk, Questionnaire};
use sayso_desk::token::TokenRole;
use serde_json::{Value, json};
use std::time::Instant;

/// Running server.
pub(crate) struct ServedDesk {
    pub(crate) program: TestProgram,
    /// Host and port.
    pub(crate) address: String,
}

impl ServedDesk {
    /// Starts a server without a rate limit for asks.
    pub(crate) fn start(world: &TestWorld) -> Self {
        Self::with(world, &["--rate", "0"])
    }

    pub(crate) fn with(world: &TestWorld, more: &[&str]) -> Self {
        Self::at(world, "127.0.0.1:0", more)
    }

    /// Starts it at the address of another one.
    pub(crate) fn restart_at(world: &TestWorld, address: &str) -> Self {
        Self::at(world, address, &["--rate", "0"])
    }

    /// Starts it at an address.
    pub(crate) fn at(world: &TestWorld, address: &str, more: &[&str]) -> Self {
        Self::from_program(world.sayso(["serve", "--listen", address].iter().chain(more)).start())
    }

    /// Wraps a server that was just started.
    pub(crate) fn from_program(program: TestProgram) -> Self {
        let end = program.stdout.wait_for("\n", 0);
        let line = program.stdout.between(0, end);
        let address = line.trim_end().strip_prefix("http://").unwrap().to_owned();
        Self { program, address }
    }

    /// Returns a caller without a token.
    pub(crate) fn without_token(&self) -> HttpCaller {
        HttpCaller { address: self.address.clone(), token: None }
    }

    /// Returns a caller with this token.
    pub(crate) fn with_token(&self, token: &str) -> HttpCaller {
        HttpCaller { token: Some(token.to_owned()), ..self.without_token() }
    }

    /// Returns a caller with a new token.
    pub(crate) fn caller(&self, world: &TestWorld, role: TokenRole, account: &str) -> HttpCaller {
        self.with_token(&new_token(world, role, account))
    }

    pub(crate) fn asker(&self, world: &TestWorld) -> HttpCaller {
        self.caller(world, TokenRole::Asker, "ci")
    }

    pub(crate) fn person(&self, world: &TestWorld) -> HttpCaller {
        self.caller(world, TokenRole::Person, "ada")
    }

    pub(crate) fn admin(&self, world: &TestWorld) -> HttpCaller {
        self.caller(world, TokenRole::Admin, "gateway")
    }

    /// Tells it to end, and waits for its exit.
    pub(crate) fn stop(self) -> ProgramExit {
        signal(self.program.pid, "TERM");
        self.program.wait()
    }
}

/// Creates a token and returns its text.
pub(crate) fn new_token(world: &TestWorld, role: TokenRole, account: &str) -> String {
    world.desk().new_token(role, account, None).unwrap().1.reveal().to_owned()
}

/// Returns a request in our own dialect: one text.
pub(crate) fn text(title: &str) -> Value {
    json!({ "request": { "title": title, "questions": [{ "id": "text", "prompt": "Say it." }] } })
}

/// Returns a new ask of an account, to create at the desk directly: one text.
pub(crate) fn new_ask(account: &str, prompt: &str) -> NewAsk {
    let question = json!({ "questions": [{ "id": "text", "kind": "text", "prompt": prompt }] });
    let questionnaire: Questionnaire = serde_json::from_value(question).unwrap();
    let (name, account) = (account.to_owned(), Some(account.to_owned()));
    NewAsk::new(questionnaire.into(), "sayso", Asker { name, account, ..Asker::default() })
}

/// Asks a question with this title, and returns the ask.
pub(crate) fn create_ask(asker: &HttpCaller, title: &str) -> Value {
    asker.post("/v1/asks", &text(title)).json(201)
}

/// Returns the id of an ask, as text.
pub(crate) fn id_of(ask: &Value) -> &str {
    ask["id"].as_str().unwrap()
}

/// Returns the path of an ask's resource.
pub(crate) fn ask_path(ask: &Value, more: &str) -> String {
    format!("/v1/asks/{}{more}", id_of(ask))
}

/// Returns the body of an answer to [`asked`].
pub(crate) fn answer_body(ask: &Value, words: &str) -> Value {
    json!({ "shown": ask["digest"], "answers": { "text": words } })
}

/// Answers [`asked`] as a person.
pub(crate) fn answer_ask(person: &HttpCaller, ask: &Value, words: &str) -> Value {
    person.post(&ask_path(ask, "/answer"), &answer_body(ask, words)).json(200)
}

/// Waits until a line of the metrics matches.
pub(crate) fn wait_for_metric(admin: &HttpCaller, line: &str) {
    let until = Instant::now() + LIMIT;
    loop {
        let metrics = admin.get("/metrics").text();
        if metrics.lines().any(|known| known == line) {
            return;
        }
        assert!(Instant::now() < until, "no {line} in {metrics}");
    }
}
