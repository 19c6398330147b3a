//! A server that is killed again and again, and those who call it.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::time::Duration;

use serde_json::{Value, json};

use super::Lane;
use super::commands::{FORM, questions};
use super::doomed::{Doomed, Reads};
use super::ledger::{Door, End};

/// A server lives so long at least, and at most so much longer.
const LIFE: (Duration, Duration) = (Duration::from_millis(150), Duration::from_millis(900));

impl Lane<'_> {
    /// Serves until it is killed.
    pub(super) fn serves(&mut self) -> anyhow::Result<()> {
        let life = LIFE.0 + self.dice.time_within(LIFE.1);
        let mut command = self.stage.sayso(&[
            "serve",
            "--listen",
            "127.0.0.1:0",
            "--rate",
            "0",
            "--asks-per-hour",
            "0",
            "--kept-mib",
            "0",
        ]);
        let mut server = Doomed::start(&mut command, Reads::Stdout, life)?;
        if server.says(|said| said.contains(&b'\n')) {
            let said = String::from_utf8_lossy(server.said()).into_owned();
            let address = said.lines().next().and_then(|line| line.strip_prefix("http://"));
            self.stage.set_address(address.map(str::to_owned));
        }
        // Once enough were killed nobody is left to call it.
        while !self.ledger.is_over() && !server.ends_within(Duration::from_millis(50)) {}
        self.stage.set_address(None);
        let ended = server.end_now()?;
        self.ledger.ended("serve", ended.exit.is_some().then_some(ended.lived));
        Ok(())
    }

    /// Asks over the network, gets what there is, and confirms it.
    pub(super) fn asks_over_network(&mut self) -> anyhow::Result<()> {
        let Some(address) = self.stage.address() else { return Ok(()) };
        let (place, note) = self.asked_or_new(Door::Http);
        let asker = Caller { address: &address, token: &self.stage.asker, key: Some(&note.key) };
        let body = json!({ "dialect": "sayso", "request": questions(&note.key) });
        let Some(ask) = asker.call("POST", "/v1/asks", &body) else { return Ok(()) };
        let Some(id) = text(&ask, "/id") else { return Ok(()) };
        self.ledger.asked(place, id)?;
        let asker = Caller { key: None, ..asker };
        let outcome = format!("/v1/asks/{id}/outcome");
        let Some(told) = asker.call("GET", &outcome, &Value::Null) else { return Ok(()) };
        let Some(said) = text(&told, "/reply/stdout") else { return Ok(()) };
        self.ledger.given(place, FORM, said.trim_end())?;
        if asker.call("POST", &format!("/v1/asks/{id}/ack"), &json!({})).is_some() {
            self.ledger.delivered(place);
        }
        Ok(())
    }

    /// A person types a line and answers over the network.
    pub(super) fn answers_over_network(&mut self) -> anyhow::Result<()> {
        let Some(address) = self.stage.address() else { return Ok(()) };
        let Some((place, _, id)) = self.known() else { return Ok(()) };
        let words = self.words();
        let person = Caller { address: &address, token: &self.stage.person, key: None };
        let Some(ask) = person.call("GET", &format!("/v1/asks/{id}"), &Value::Null) else { return Ok(()) };
        if self.dice.one_in(2) && self.ledger.begin_typing(place) {
            let line = self.ledger.types(place, "more", &words);
            let reply = json!({ "state": "answered", "answer": { "text": words } });
            let body = json!({ "replies": { "more": reply } });
            if person.call("PATCH", &format!("/v1/asks/{id}/draft"), &body).is_some() {
                self.ledger.typed(place, line);
            }
            self.ledger.end_typing(place);
            return Ok(());
        }
        let body = json!({ "shown": text(&ask, "/digest"), "answers": { "say": words } });
        if person.call("POST", &format!("/v1/asks/{id}/answer"), &body).is_some() {
            self.ledger.has_ended(place, End::Answered(words));
        }
        Ok(())
    }
}

/// The text at a place of some JSON.
pub(super) fn text<'v>(value: &'v Value, place: &str) -> Option<&'v str> {
    value.pointer(place).and_then(Value::as_str)
}

/// Somebody who calls the server.
#[derive(Clone, Copy)]
struct Caller<'c> {
    address: &'c str,
    token: &'c str,
    key: Option<&'c str>,
}

impl Caller<'_> {
    /// Returns the response, if it is complete and reports success.
    fn call(&self, verb: &str, place: &str, body: &Value) -> Option<Value> {
        let mut socket = TcpStream::connect(self.address).ok()?;
        socket.set_read_timeout(Some(Duration::from_secs(20))).ok()?;
        let body = if body.is_null() { String::new() } else { body.to_string() };
        let key = self.key.map(|key| format!("idempotency-key: {key}\r\n")).unwrap_or_default();
        let (address, token, length) = (self.address, self.token, body.len());
        let head = format!(
            "{verb} {place} HTTP/1.1\r\nhost: {address}\r\nauthorization: Bearer {token}\r\n{key}\
             content-type: application/json\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n"
        );
        socket.write_all((head + &body).as_bytes()).ok()?;
        let mut reply = Vec::new();
        // A server that was killed leaves half a reply, or none: JSON shows that.
        let _ = socket.read_to_end(&mut reply);
        let text = String::from_utf8(reply).ok()?;
        let (head, body) = text.split_once("\r\n\r\n")?;
        let is_done = head.starts_with("HTTP/1.1 200 ") || head.starts_with("HTTP/1.1 201 ");
        serde_json::from_str(body).ok().filter(|_| is_done)
    }
}
