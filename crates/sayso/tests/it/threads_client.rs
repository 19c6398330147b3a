//! A page and an agent, as far as they are HTTP: requests over plain sockets, and streams read event by event.

use crate::network::Served;
use crate::output::LIMIT;
use serde_json::Value;
use std::fs::read_to_string;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;

/// Somebody with a token.
#[derive(Clone)]
pub(crate) struct Caller {
    /// Host and port.
    address: String,
    pub(crate) token: String,
    /// What its next requests are called.
    key: Option<String>,
}

/// What came back.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: String,
}

impl Reply {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// The events of a stream that has ended.
    pub(crate) fn events(&self) -> Vec<(String, Value)> {
        assert_eq!((self.status, self.header("content-type")), (200, Some(MEDIA)), "{self:?}");
        assert!(self.body.ends_with("\n\n"), "{self:?}");
        self.body.split_terminator("\n\n").filter(|block| *block != ":").map(event).collect()
    }
}

const MEDIA: &str = "text/event-stream; charset=utf-8";

fn event(block: &str) -> (String, Value) {
    let lines = block.split_once('\n').unwrap_or_else(|| panic!("{block:?}"));
    let name = lines.0.strip_prefix("event: ").unwrap();
    let data = lines.1.strip_prefix("data: ").unwrap();
    (name.to_owned(), serde_json::from_str(data).unwrap())
}

impl Caller {
    pub(crate) fn of(served: &Served, role: &str, account: &str) -> Self {
        let file = served.world.path(&format!("{role}-{account}.token"));
        let file = if Path::new(&file).exists() { file } else { served.token(role, account) };
        let header = read_to_string(file).unwrap();
        let token = header.trim().rsplit(' ').next().unwrap().to_owned();
        Self { address: served.address.strip_prefix("http://").unwrap().to_owned(), token, key: None }
    }

    /// The same one, whose requests have this key.
    pub(crate) fn keyed(&self, key: &str) -> Self {
        Self { key: Some(key.to_owned()), ..self.clone() }
    }

    /// Sends a request, and reads no more than the head of the reply.
    pub(crate) fn begin(&self, method: &str, path: &str, body: Option<&str>, scheme: &str) -> Stream {
        self.try_begin(method, path, body, scheme).unwrap()
    }

    fn try_begin(
        &self,
        method: &str,
        path: &str,
        body: Option<&str>,
        scheme: &str,
    ) -> std::io::Result<Stream> {
        let mut socket = TcpStream::connect(&self.address)?;
        socket.set_read_timeout(Some(LIMIT))?;
        let body = body.unwrap_or_default();
        let authorization = if scheme.is_empty() {
            String::new()
        } else {
            format!("authorization: {scheme} {}\r\n", self.token)
        };
        let key = self.key.iter().map(|key| format!("idempotency-key: {key}\r\n")).collect::<String>();
        let head = format!(
            "{method} {path} HTTP/1.1\r\nhost: {}\r\nconnection: close\r\n{authorization}{key}\
             content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
            self.address,
            body.len()
        );
        socket.write_all(head.as_bytes())?;
        Stream::of(socket)
    }

    /// Sends a request, and reads the whole reply.
    pub(crate) fn send(&self, method: &str, path: &str, body: Option<&str>) -> Reply {
        self.begin(method, path, body, "Bearer").whole()
    }

    pub(crate) fn get(&self, path: &str) -> Reply {
        self.send("GET", path, None)
    }

    pub(crate) fn post(&self, path: &str, body: &Value) -> Reply {
        self.send("POST", path, Some(&body.to_string()))
    }

    /// Sends a request to a server that may not be there, or may go before it replies.
    pub(crate) fn try_post(&self, path: &str, body: &Value) -> Option<Reply> {
        self.try_begin("POST", path, Some(&body.to_string()), "Bearer").ok()?.try_whole()
    }

    /// Reads a stream as it comes.
    pub(crate) fn stream(&self, path: &str, body: &Value) -> Stream {
        self.begin("POST", path, Some(&body.to_string()), "Bearer")
    }
}

/// A reply that is read as it comes.
pub(crate) struct Stream {
    pub(crate) status: u16,
    headers: Vec<(String, String)>,
    socket: BufReader<TcpStream>,
    /// What was read and is no whole event yet.
    text: String,
    is_over: bool,
}

impl Stream {
    fn of(socket: TcpStream) -> std::io::Result<Self> {
        let gone = || std::io::Error::from(std::io::ErrorKind::UnexpectedEof);
        let mut socket = BufReader::new(socket);
        let mut line = || {
            let mut line = String::new();
            socket.read_line(&mut line).map(|_| line.trim_end().to_owned())
        };
        let status = line()?.split(' ').nth(1).and_then(|status| status.parse().ok()).ok_or_else(gone)?;
        let mut headers = Vec::new();
        while let Some((name, value)) = line()?.split_once(':') {
            headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
        }
        Ok(Self { status, headers, socket, text: String::new(), is_over: false })
    }

    fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// Reads a piece more; none where the server has gone.
    fn grow(&mut self) -> Option<()> {
        let mut bytes = Vec::new();
        if self.header("transfer-encoding") == Some("chunked") {
            let mut size = String::new();
            self.socket.read_line(&mut size).ok()?;
            let size = usize::from_str_radix(size.trim(), 16).ok()?;
            bytes.resize(size + 2, 0);
            self.socket.read_exact(&mut bytes).ok()?;
            bytes.truncate(size);
            self.is_over = size == 0;
        } else {
            self.socket.read_to_end(&mut bytes).ok()?;
            self.is_over = true;
        }
        self.text.push_str(std::str::from_utf8(&bytes).unwrap());
        Some(())
    }

    fn try_whole(mut self) -> Option<Reply> {
        while !self.is_over {
            self.grow()?;
        }
        Some(Reply { status: self.status, headers: self.headers, body: self.text })
    }

    pub(crate) fn whole(self) -> Reply {
        self.try_whole().unwrap()
    }

    /// The next event; none where the stream has ended, however that was.
    pub(crate) fn next(&mut self) -> Option<(String, Value)> {
        loop {
            if let Some((block, rest)) = self.text.split_once("\n\n") {
                let (block, rest) = (block.to_owned(), rest.to_owned());
                self.text = rest;
                if block == ":" {
                    continue;
                }
                return Some(event(&block));
            }
            if self.is_over {
                return None;
            }
            self.grow()?;
        }
    }
}

/// Begins a thread, and gives its id.
pub(crate) fn thread(person: &Caller) -> String {
    let begun = person.send("POST", "/api/sessions", None).json();
    begun["thread_id"].as_str().unwrap_or_else(|| panic!("{begun}")).to_owned()
}
