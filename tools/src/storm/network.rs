//! A server that is killed again and again, and its clients.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::time::Duration;

use serde_json::{Value, json};

use super::Lane;
use super::commands::{FORM, questions};
use super::killable_process::{KillableProcess, Reads};
use super::ledger::{Door, ReportedEnd};

/// Shortest lifetime of a server, and the longest time added to it.
const LIFE: (Duration, Duration) = (Duration::from_millis(150), Duration::from_millis(900));

impl Lane<'_> {
    /// Serves until it is killed.
    pub(super) fn serve(&mut self) -> anyhow::Result<()> {
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
        let mut server = KillableProcess::start(&mut command, Reads::Stdout, life)?;
        if server.read_until(|output| output.contains(&b'\n')) {
            let output = String::from_utf8_lossy(server.output()).into_owned();
            let address = output.lines().next().and_then(|line| line.strip_prefix("http://"));
            self.stage.set_address(address.map(str::to_owned));
        }
        // Once enough were killed nobody is left to call it.
        while !self.ledger.is_over() && !server.read_for(Duration::from_millis(50)) {}
        self.stage.set_address(None);
        let ended = server.kill_and_wait()?;
        self.ledger.record_exit("serve", ended.exit.is_some().then_some(ended.lived));
        Ok(())
    }

    /// Asks over the network, reads the outcome if there is one, and confirms it.
    pub(super) fn ask_over_network(&mut self) -> anyhow::Result<()> {
        let Some(address) = self.stage.address() else { return Ok(()) };
        let (place, record) = self.asked_or_new(Door::Http);
        let asker = Caller { address: &address, token: &self.stage.asker, key: Some(&record.key) };
        let body = json!({ "dialect": "sayso", "request": questions(&record.key) });
        let Some(ask) = asker.call("POST", "/v1/asks", &body) else { return Ok(()) };
        let Some(id) = text(&ask, "/id") else { return Ok(()) };
        self.ledger.record_id(place, id)?;
        let asker = Caller { key: None, ..asker };
        let outcome = format!("/v1/asks/{id}/outcome");
        let Some(report) = asker.call("GET", &outcome, &Value::Null) else { return Ok(()) };
        let Some(output) = text(&report, "/reply/stdout") else { return Ok(()) };
        self.ledger.record_outcome(place, FORM, output.trim_end())?;
        if asker.call("POST", &format!("/v1/asks/{id}/ack"), &json!({})).is_some() {
            self.ledger.record_delivery(place);
        }
        Ok(())
    }

    /// Saves a line or answers over the network, as a person.
    pub(super) fn answer_over_network(&mut self) -> anyhow::Result<()> {
        let Some(address) = self.stage.address() else { return Ok(()) };
        let Some((place, _, id)) = self.known() else { return Ok(()) };
        let words = self.words();
        let person = Caller { address: &address, token: &self.stage.person, key: None };
        let Some(ask) = person.call("GET", &format!("/v1/asks/{id}"), &Value::Null) else { return Ok(()) };
        if self.dice.one_in(2) && self.ledger.begin_typing(place) {
            let line = self.ledger.begin_line(place, "more", &words);
            let reply = json!({ "state": "answered", "answer": { "text": words } });
            let body = json!({ "replies": { "more": reply } });
            if person.call("PATCH", &format!("/v1/asks/{id}/draft"), &body).is_some() {
                self.ledger.acknowledge_line(place, line);
            }
            self.ledger.end_typing(place);
            return Ok(());
        }
        let body = json!({ "shown": text(&ask, "/digest"), "answers": { "say": words } });
        if person.call("POST", &format!("/v1/asks/{id}/answer"), &body).is_some() {
            self.ledger.record_end(place, ReportedEnd::Answered(words));
        }
        Ok(())
    }
}

/// Returns the text at a JSON pointer.
pub(super) fn text<'v>(value: &'v Value, place: &str) -> Option<&'v str> {
    value.pointer(place).and_then(Value::as_str)
}

/// Client of the server.
#[derive(Clone, Copy)]
pub(super) struct Caller<'c> {
    pub(super) address: &'c str,
    pub(super) token: &'c str,
    pub(super) key: Option<&'c str>,
}

impl Caller<'_> {
    /// Returns the response, if it is complete and reports success.
    fn call(&self, verb: &str, place: &str, body: &Value) -> Option<Value> {
        self.send(verb, place, body).and_then(|(status, body)| matches!(status, 200 | 201).then_some(body))
    }

    /// Returns the status and the body of the response, if it is complete.
    pub(super) fn send(&self, verb: &str, place: &str, body: &Value) -> Option<(u16, Value)> {
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
        let status = head.strip_prefix("HTTP/1.1 ")?.get(..3)?.parse().ok()?;
        Some((status, serde_json::from_str(body).ok()?))
    }
}
