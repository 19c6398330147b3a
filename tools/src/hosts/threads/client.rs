//! Person's side of a thread: the routes of the interrupt spec, and the events of its streams.

use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use serde_json::{Value, json};

use crate::hosts::http::{self, OpenResponse};

/// Longest stream. It sends a comment every 15 seconds, so that no single read takes longer.
const STREAM_LIMIT: Duration = Duration::from_secs(180);

/// Person who speaks in a thread.
pub(super) struct ThreadClient {
    address: String,
    /// Header with the person's token.
    authorization: String,
    thread: String,
}

/// Event of a stream.
#[derive(Debug, PartialEq)]
pub(super) struct ThreadEvent {
    pub(super) name: String,
    pub(super) data: Value,
}

impl ThreadClient {
    /// Creates a thread with an agent.
    pub(super) fn new(address: &str, authorization: &str, agent: &str) -> anyhow::Result<Self> {
        let authorization = authorization.trim().to_owned();
        let mut client = Self { address: address.to_owned(), authorization, thread: String::new() };
        let begun = client.call("POST", "/api/sessions", &json!({ "agent": agent }).to_string())?;
        let thread = begun.get("thread_id").and_then(Value::as_str);
        thread.context("a thread has an id")?.clone_into(&mut client.thread);
        Ok(client)
    }

    /// Sends a message, and returns the events until the agent asks or its turn ends.
    pub(super) fn send_message(&self, words: &str) -> anyhow::Result<TurnEvents> {
        self.stream("chat", &json!({ "message": words }))
    }

    /// Decides on the current interrupt, and returns the events until the agent asks again or its turn ends.
    pub(super) fn resume(&self, decision: &Value) -> anyhow::Result<TurnEvents> {
        self.stream("resume", decision)
    }

    /// Returns the state of the thread.
    pub(super) fn status(&self) -> anyhow::Result<String> {
        let status = self.call("GET", &format!("/api/status/{}", self.thread), "")?;
        status.get("status").and_then(Value::as_str).map(str::to_owned).context("a thread has a state")
    }

    /// Deletes the thread.
    pub(super) fn delete(&self) -> anyhow::Result<()> {
        self.call("DELETE", &format!("/api/sessions/{}", self.thread), "").map(drop)
    }

    fn call(&self, method: &str, path: &str, body: &str) -> anyhow::Result<Value> {
        let response = self.open(method, path, body)?;
        let status = response.status;
        let text = response.read_whole()?;
        if !(200..300).contains(&status) {
            bail!("{method} {path}: {status} {text}");
        }
        Ok(serde_json::from_str(&text).unwrap_or_default())
    }

    fn stream(&self, route: &str, body: &Value) -> anyhow::Result<TurnEvents> {
        let path = format!("/api/{route}/{}", self.thread);
        let response = self.open("POST", &path, &body.to_string())?;
        let status = response.status;
        if status != 200 {
            bail!("POST {path}: {status} {}", response.read_whole()?);
        }
        TurnEvents::read(response)
    }

    fn open(&self, method: &str, path: &str, body: &str) -> anyhow::Result<OpenResponse> {
        http::open(&self.address, method, path, &[&self.authorization], body)
            .with_context(|| format!("{method} {path}"))
    }
}

/// Events of one stream, which ends with `end`.
#[derive(Debug, Default)]
pub(super) struct TurnEvents(Vec<ThreadEvent>);

impl TurnEvents {
    /// Reads a stream event by event.
    ///
    /// # Errors
    /// Fails if `end` is missing or is not the last event, or after [`STREAM_LIMIT`].
    fn read(mut response: OpenResponse) -> anyhow::Result<Self> {
        let end = Instant::now() + STREAM_LIMIT;
        let (mut unread, mut events) = (Vec::new(), Vec::new());
        while response.read_part(&mut unread)? {
            let text = String::from_utf8_lossy(&unread).into_owned();
            if let Some((blocks, rest)) = text.rsplit_once("\n\n") {
                events.extend(blocks.split("\n\n").filter_map(parse_event));
                unread = rest.as_bytes().to_vec();
            }
            if Instant::now() > end {
                bail!("the stream did not end within {} s: {events:?}", STREAM_LIMIT.as_secs());
            }
        }
        let ends = events.iter().filter(|event| event.name == "end").count();
        if ends != 1 || events.last().is_none_or(|event| event.name != "end") {
            bail!("the stream does not end with one `end`: {events:?}");
        }
        Ok(Self(events))
    }

    /// Returns the agent's words.
    pub(super) fn text(&self) -> String {
        self.members("messages/partial", "content").collect()
    }

    /// Returns the messages of all errors.
    pub(super) fn errors(&self) -> Vec<&str> {
        self.members("error", "message").collect()
    }

    /// Returns the interrupt with which the stream has stopped.
    pub(super) fn interrupt(&self) -> Option<&Value> {
        self.0.iter().find(|event| event.name == "interrupt").map(|event| &event.data)
    }

    /// Returns true if the turn has ended with an error.
    pub(super) fn has_failed(&self) -> bool {
        self.members("end", "action").any(|action| action == "error")
    }

    fn members(&self, event: &'static str, member: &'static str) -> impl Iterator<Item = &str> {
        let events = self.0.iter().filter(move |known| known.name == event);
        events.filter_map(move |known| known.data.get(member)?.as_str())
    }
}

/// Reads an event; `None` for a comment.
fn parse_event(block: &str) -> Option<ThreadEvent> {
    let (name, data) = block.strip_prefix("event: ")?.split_once("\ndata: ")?;
    Some(ThreadEvent { name: name.to_owned(), data: serde_json::from_str(data).ok()? })
}

#[cfg(test)]
mod tests {
    use super::{ThreadEvent, parse_event};
    use serde_json::json;

    #[test]
    fn events_have_name_and_data() {
        let event = parse_event("event: messages/partial\ndata: {\"content\":\"a\"}");
        let expected = ThreadEvent { name: "messages/partial".to_owned(), data: json!({ "content": "a" }) };
        assert_eq!(event, Some(expected));
        assert_eq!(parse_event(":"), None);
    }
}
