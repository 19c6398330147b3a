//! Client of `sayso serve` over plain sockets, which sends exactly the bytes of a test.

use crate::support::program::program_output::LIMIT;
use serde_json::Value;
use std::io::{BufRead as _, BufReader, Read, Write as _};
use std::net::TcpStream;
use std::time::Instant;

const EVENTS: &str = "text/event-stream";

/// Caller, with or without a token.
#[derive(Clone)]
pub(crate) struct HttpCaller {
    /// Host and port.
    pub(crate) address: String,
    pub(crate) token: Option<String>,
}

impl HttpCaller {
    pub(crate) fn request(&self, method: &str, target: &str) -> TestRequest {
        let host = ("host".to_owned(), self.address.clone());
        let authorization =
            self.token.iter().map(|token| ("authorization".to_owned(), format!("Bearer {token}")));
        TestRequest {
            address: self.address.clone(),
            line: format!("{method} {target} HTTP/1.1"),
            headers: std::iter::once(host).chain(authorization).collect(),
            body: None,
        }
    }

    pub(crate) fn get(&self, target: &str) -> HttpReply {
        self.request("GET", target).send()
    }

    pub(crate) fn post(&self, target: &str, body: &Value) -> HttpReply {
        self.request("POST", target).json(body).send()
    }

    /// Follows the events from the beginning.
    pub(crate) fn events(&self) -> SseStream {
        self.request("GET", "/v1/events").stream()
    }

    /// Follows the events after the one with this id.
    pub(crate) fn events_after(&self, id: &str) -> SseStream {
        self.request("GET", "/v1/events").header("last-event-id", id).stream()
    }
}

/// Request builder.
#[derive(Clone)]
pub(crate) struct TestRequest {
    address: String,
    line: String,
    pub(crate) headers: Vec<(String, String)>,
    body: Option<Vec<u8>>,
}

impl TestRequest {
    pub(crate) fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Replaces a default header.
    pub(crate) fn replace_header(mut self, name: &str, value: &str) -> Self {
        self.headers.retain(|(known, _)| known != name);
        self.header(name, value)
    }

    pub(crate) fn json(self, body: &Value) -> Self {
        self.body("application/json", body.to_string())
    }

    pub(crate) fn body(mut self, media: &str, body: impl Into<Vec<u8>>) -> Self {
        self.body = Some(body.into());
        self.header("content-type", media)
    }

    /// Sends it with a chunked body of this many pieces, without a length.
    pub(crate) fn chunked_body(mut self, media: &str, piece: &str, count: usize) -> HttpReply {
        self = self.header("content-type", media).header("transfer-encoding", "chunked");
        let mut socket = self.start();
        for _ in 0..count {
            if socket.write_all(piece.as_bytes()).is_err() {
                break;
            }
        }
        OpenReply::of(socket).and_then(OpenReply::whole).unwrap()
    }

    fn start(&self) -> TcpStream {
        self.start_on(connect(&self.address))
    }

    fn start_on(&self, mut socket: TcpStream) -> TcpStream {
        let mut text = format!("{}\r\n", self.line);
        for (name, value) in &self.headers {
            text += &format!("{name}: {value}\r\n");
        }
        if let Some(body) = &self.body {
            text += &format!("content-length: {}\r\n", body.len());
        }
        let mut bytes = (text + "connection: close\r\n\r\n").into_bytes();
        bytes.extend(self.body.iter().flatten());
        // A server that has read enough closes; its reply still arrives.
        let _ = socket.write_all(&bytes);
        socket
    }

    pub(crate) fn send(&self) -> HttpReply {
        let begun = OpenReply::of(self.start());
        begun.and_then(OpenReply::whole).unwrap_or_else(|| panic!("no reply to {}", self.line))
    }

    /// Sends it to a server that may be down, or exit before it replies.
    pub(crate) fn try_send(&self) -> Option<HttpReply> {
        self.try_send_for_head()?.whole()
    }

    /// Sends it to a server that may be down, and reads only the head of the reply.
    pub(crate) fn try_send_for_head(&self) -> Option<OpenReply> {
        let socket = TcpStream::connect(&self.address).ok()?;
        socket.set_read_timeout(Some(LIMIT)).unwrap();
        OpenReply::of(self.start_on(socket))
    }

    /// Sends it and reads nothing; dropping the returned stream disconnects the client.
    pub(crate) fn send_and_disconnect(&self) -> TcpStream {
        self.start()
    }

    /// Sends it, and reads only the head of a stream of events.
    pub(crate) fn send_for_head(&self) -> HttpReply {
        let begun = OpenReply::of(self.start()).unwrap();
        let is_stream = begun.reply.header("content-type").is_some_and(|media| media.starts_with(EVENTS));
        if is_stream { begun.reply } else { begun.whole().unwrap() }
    }

    /// Sends it, for a reply that is a stream of events.
    pub(crate) fn stream(&self) -> SseStream {
        let begun = OpenReply::of(self.start()).unwrap();
        if begun.reply.status != 200 {
            panic!("{:?}", begun.whole());
        }
        assert_eq!(begun.reply.header("content-type"), Some(EVENTS));
        SseStream { lines: BufReader::new(begun.rest), comments: 0, last_id: None }
    }
}

/// Opens a connection with timeouts.
pub(crate) fn connect(address: &str) -> TcpStream {
    let socket = TcpStream::connect(address).unwrap();
    socket.set_read_timeout(Some(LIMIT)).unwrap();
    socket.set_write_timeout(Some(LIMIT)).unwrap();
    socket
}

/// Reply whose head has arrived.
pub(crate) struct OpenReply {
    /// Head, without a body.
    pub(crate) reply: HttpReply,
    pub(crate) rest: BodyReader,
}

impl OpenReply {
    /// Reads the head; `None` if the server is gone.
    pub(crate) fn of(socket: TcpStream) -> Option<Self> {
        let mut rest = BodyReader::of(socket);
        let (status, headers) = rest.head()?;
        Some(Self { reply: HttpReply { status, headers, body: Vec::new() }, rest })
    }

    /// Reads the body too; `None` if it is incomplete.
    pub(crate) fn whole(mut self) -> Option<HttpReply> {
        self.rest.read_to_end(&mut self.reply.body).ok()?;
        Some(self.reply)
    }
}

/// Complete reply.
#[derive(Debug, Clone)]
pub(crate) struct HttpReply {
    pub(crate) status: u16,
    headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

impl HttpReply {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8(self.body.clone()).unwrap()
    }

    /// Returns the JSON of a reply with any status.
    pub(crate) fn value(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// Returns the JSON of a reply with this status.
    pub(crate) fn json(&self, status: u16) -> Value {
        assert_eq!(self.status, status, "{self:?}: {}", self.text());
        self.value()
    }

    /// Returns the problem of a reply with this status and code, and checks that it is a whole document.
    pub(crate) fn problem(&self, status: u16, code: &str) -> Value {
        let problem = self.json(status);
        assert_eq!(problem["code"], code, "{problem}");
        assert_eq!(self.header("content-type"), Some("application/problem+json"));
        assert_eq!(problem["status"], status, "{problem}");
        assert_eq!(problem["type"], format!("/docs#{code}"));
        assert!(
            problem["title"].is_string() && problem["detail"].as_str().is_some_and(|text| !text.is_empty())
        );
        problem
    }
}

/// Body of a reply, in any transfer encoding.
pub(crate) struct BodyReader {
    socket: BufReader<TcpStream>,
    is_chunked: bool,
    /// Remaining bytes of this chunk or of the whole; `None` up to the end of the connection.
    left: Option<usize>,
    is_over: bool,
}

impl BodyReader {
    fn of(socket: TcpStream) -> Self {
        Self { socket: BufReader::new(socket), is_chunked: false, left: None, is_over: false }
    }

    fn line(&mut self) -> Option<String> {
        let mut line = String::new();
        let read = self.socket.read_line(&mut line).ok()?;
        (read > 0).then(|| line.trim_end_matches("\r\n").to_owned())
    }

    fn head(&mut self) -> Option<(u16, Vec<(String, String)>)> {
        let first = self.line()?;
        let status = first.split(' ').nth(1)?.parse().ok()?;
        let mut headers = Vec::new();
        loop {
            let line = self.line()?;
            if line.is_empty() {
                break;
            }
            let (name, value) = line.split_once(": ")?;
            headers.push((name.to_ascii_lowercase(), value.to_owned()));
        }
        let of =
            |name: &str| headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str());
        self.is_chunked = of("transfer-encoding") == Some("chunked");
        self.left = of("content-length").and_then(|length| length.parse().ok());
        self.is_over = status == 204;
        Some((status, headers))
    }
}

impl Read for BodyReader {
    fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
        if self.is_chunked && !self.is_over && self.left.unwrap_or(0) == 0 {
            let size = self.line().filter(|line| !line.is_empty()).or_else(|| self.line());
            let size = size.and_then(|line| usize::from_str_radix(&line, 16).ok()).unwrap_or(0);
            (self.left, self.is_over) = (Some(size), size == 0);
        }
        if self.is_over || self.left == Some(0) {
            return Ok(0);
        }
        let most = self.left.map_or(into.len(), |left| left.min(into.len()));
        let read = self.socket.read(&mut into[..most])?;
        self.left = self.left.map(|left| left - read);
        self.is_over |= read == 0;
        Ok(read)
    }
}

/// Event of a stream.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct StreamEvent {
    pub(crate) name: String,
    pub(crate) id: Option<String>,
    pub(crate) retry: Option<u64>,
    pub(crate) data: Value,
}

impl StreamEvent {
    /// Returns the changes of the event, as one word each.
    pub(crate) fn change_names(&self) -> Vec<String> {
        let events = self.data["events"].as_array().unwrap_or_else(|| panic!("{self:?}"));
        events
            .iter()
            .map(|event| event["event"].as_str().unwrap_or_else(|| panic!("{event}")).to_owned())
            .collect()
    }
}

/// Stream of events.
pub(crate) struct SseStream {
    lines: BufReader<BodyReader>,
    /// Number of comments.
    pub(crate) comments: usize,
    /// Id of the last event that had one.
    pub(crate) last_id: Option<String>,
}

impl SseStream {
    /// Returns the next line, and counts comments.
    pub(crate) fn line(&mut self) -> Option<String> {
        let mut line = String::new();
        if self.lines.read_line(&mut line).ok()? == 0 {
            return None;
        }
        self.comments += usize::from(line.starts_with(':'));
        Some(line.trim_end_matches('\n').to_owned())
    }

    /// Returns the next event; `None` at the end of the stream.
    pub(crate) fn next(&mut self) -> Option<StreamEvent> {
        let (mut event, mut data) = (StreamEvent::default(), None::<String>);
        let until = Instant::now() + LIMIT;
        loop {
            let line = self.line()?;
            assert!(Instant::now() < until, "nothing but comments");
            let (name, value) = line.split_once(':').unwrap_or((&line, ""));
            let value = value.strip_prefix(' ').unwrap_or(value).to_owned();
            match name {
                "" if line.is_empty() => match data.take() {
                    Some(data) => {
                        let is_empty = data.is_empty();
                        event.data =
                            if is_empty { Value::Null } else { serde_json::from_str(&data).unwrap() };
                        return Some(event);
                    }
                    None => event = StreamEvent::default(),
                },
                "" => {}
                "event" => event.name = value,
                "id" => (event.id, self.last_id) = (Some(value.clone()), Some(value)),
                "retry" => event.retry = value.parse().ok(),
                "data" => data = Some(data.map_or(value.clone(), |before| format!("{before}\n{value}"))),
                other => panic!("no field of an event: {other}"),
            }
        }
    }

    /// Returns the next event, which must have this name.
    pub(crate) fn expect(&mut self, name: &str) -> StreamEvent {
        let event = self.next().unwrap_or_else(|| panic!("the stream is over before {name}"));
        assert_eq!(event.name, name, "{event:?}");
        event
    }

    /// Returns the next change of an ask.
    pub(crate) fn change_of(&mut self, ask: &str) -> StreamEvent {
        loop {
            let event = self.expect("change");
            if event.data["ask"] == ask {
                return event;
            }
        }
    }
}
