//! HTTP side of a page and an agent, and the streams of turns, read event by event.

use crate::support::http_client::{BodyReader, HttpCaller, HttpReply, OpenReply};
use crate::support::network_desk::NetworkDesk;
use serde_json::Value;
use std::fs::read_to_string;
use std::io::{BufRead as _, BufReader, Read as _};

/// Caller with a token.
#[derive(Clone)]
pub(crate) struct ThreadClient {
    caller: HttpCaller,
    /// Idempotency key of its next requests.
    key: Option<String>,
    /// Last event that it has read, for its next requests.
    last_event: Option<String>,
}

const MEDIA: &str = "text/event-stream; charset=utf-8";

/// Returns the events of a finished stream.
pub(crate) fn events_of(reply: &HttpReply) -> Vec<(String, Value)> {
    assert_eq!((reply.status, reply.header("content-type")), (200, Some(MEDIA)), "{reply:?}");
    let text = reply.text();
    assert!(text.ends_with("\n\n"), "{text}");
    let events = text.split_terminator("\n\n").filter(|block| *block != ":").map(event);
    events.filter(|(name, _)| name != "status").collect()
}

/// Returns the ids and the data of the events of a browser's stream.
pub(crate) fn unnamed(text: &str) -> Vec<(String, Value)> {
    let event = |block: &str| {
        let (id, data) = block.split_once("\ndata: ").unwrap_or_else(|| panic!("{text}"));
        (id.strip_prefix("id: ").unwrap().to_owned(), serde_json::from_str(data).unwrap())
    };
    text.split_terminator("\n\n").filter(|block| *block != ":").map(event).collect()
}

fn event(block: &str) -> (String, Value) {
    let lines = block.split_once('\n').unwrap_or_else(|| panic!("{block:?}"));
    let name = lines.0.strip_prefix("event: ").unwrap();
    let data = lines.1.strip_prefix("data: ").unwrap();
    (name.to_owned(), serde_json::from_str(data).unwrap())
}

impl ThreadClient {
    pub(crate) fn of(served: &NetworkDesk, role: &str, account: &str) -> Self {
        let header = read_to_string(served.token(role, account)).unwrap();
        let token = header.trim().rsplit(' ').next().map(str::to_owned);
        let address = served.address.strip_prefix("http://").unwrap().to_owned();
        Self::at(&address, &token.unwrap_or_default())
    }

    /// Returns the caller with this token, at a server's host and port.
    pub(crate) fn at(address: &str, token: &str) -> Self {
        let caller = HttpCaller { address: address.to_owned(), token: Some(token.to_owned()) };
        Self { caller, key: None, last_event: None }
    }

    /// Returns this caller as a browser that continues after an event.
    pub(crate) fn after_event(&self, id: &str) -> Self {
        Self { last_event: Some(id.to_owned()), ..self.clone() }
    }

    pub(crate) fn token(&self) -> &str {
        self.caller.token.as_deref().unwrap()
    }

    /// Returns this caller with another token.
    pub(crate) fn with_token(&self, token: &str) -> Self {
        Self { caller: HttpCaller { token: Some(token.to_owned()), ..self.caller.clone() }, ..self.clone() }
    }

    /// Returns this caller with an idempotency key for its requests.
    pub(crate) fn with_key(&self, key: &str) -> Self {
        Self { key: Some(key.to_owned()), ..self.clone() }
    }

    /// Sends a request, and reads only the head of the reply. Without a scheme it sends no token.
    pub(crate) fn send_for_head(
        &self,
        method: &str,
        path: &str,
        body: Option<&str>,
        scheme: &str,
    ) -> TurnStream {
        self.try_send_for_head(method, path, body, scheme).unwrap()
    }

    fn try_send_for_head(
        &self,
        method: &str,
        path: &str,
        body: Option<&str>,
        scheme: &str,
    ) -> Option<TurnStream> {
        let nobody = HttpCaller { token: None, ..self.caller.clone() };
        let mut request = nobody.request(method, path).body("application/json", body.unwrap_or_default());
        if !scheme.is_empty() {
            request = request.header("authorization", &format!("{scheme} {}", self.token()));
        }
        if let Some(key) = &self.key {
            request = request.header("idempotency-key", key);
        }
        if let Some(id) = &self.last_event {
            request = request.header("last-event-id", id);
        }
        request.try_send_for_head().map(TurnStream::of)
    }

    /// Sends a request, and reads the whole reply.
    pub(crate) fn send(&self, method: &str, path: &str, body: Option<&str>) -> HttpReply {
        self.send_for_head(method, path, body, "Bearer").read_whole()
    }

    pub(crate) fn get(&self, path: &str) -> HttpReply {
        self.send("GET", path, None)
    }

    pub(crate) fn post(&self, path: &str, body: &Value) -> HttpReply {
        self.send("POST", path, Some(&body.to_string()))
    }

    /// Sends a request to a server that may be down, or exit before it replies.
    pub(crate) fn try_post(&self, path: &str, body: &Value) -> Option<HttpReply> {
        self.try_send_for_head("POST", path, Some(&body.to_string()), "Bearer")?.try_read_whole()
    }

    /// Reads a stream as it arrives.
    pub(crate) fn stream(&self, path: &str, body: &Value) -> TurnStream {
        self.send_for_head("POST", path, Some(&body.to_string()), "Bearer")
    }
}

/// Reply that is read as it arrives.
pub(crate) struct TurnStream {
    /// Head, and the text read after it.
    reply: HttpReply,
    rest: BufReader<BodyReader>,
}

impl TurnStream {
    fn of(OpenReply { reply, rest }: OpenReply) -> Self {
        Self { reply, rest: BufReader::new(rest) }
    }

    fn try_read_whole(mut self) -> Option<HttpReply> {
        self.rest.read_to_end(&mut self.reply.body).ok()?;
        Some(self.reply)
    }

    pub(crate) fn read_whole(self) -> HttpReply {
        self.try_read_whole().unwrap()
    }

    /// Returns the next event of the spec; `None` at any end of the stream.
    pub(crate) fn next(&mut self) -> Option<(String, Value)> {
        std::iter::from_fn(|| self.next_of_any()).find(|(name, _)| name != "status")
    }

    /// Returns the next event, including notices about a silent agent.
    pub(crate) fn next_of_any(&mut self) -> Option<(String, Value)> {
        loop {
            let mut block = String::new();
            while !block.ends_with("\n\n") {
                if self.rest.read_line(&mut block).ok()? == 0 {
                    return None;
                }
            }
            let block = block.trim_end_matches('\n');
            if block != ":" {
                return Some(event(block));
            }
        }
    }
}

/// Creates a thread, and returns its id.
pub(crate) fn new_thread(person: &ThreadClient) -> String {
    let begun = person.send("POST", "/api/sessions", None).value();
    begun["thread_id"].as_str().unwrap_or_else(|| panic!("{begun}")).to_owned()
}
