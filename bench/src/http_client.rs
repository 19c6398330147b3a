//! A client of HTTP that costs next to nothing.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};

/// One connection.
pub(crate) struct Client {
    stream: BufReader<TcpStream>,
    headers: String,
}

impl Client {
    pub(crate) fn new(at: SocketAddr, headers: &str) -> anyhow::Result<Self> {
        let stream = TcpStream::connect(at)?;
        stream.set_nodelay(true)?;
        let headers = format!("host: {at}\r\n{headers}");
        Ok(Self { stream: BufReader::with_capacity(4_096, stream), headers })
    }

    pub(crate) fn send(&mut self, method: &str, path: &str, body: &str) -> anyhow::Result<()> {
        let kind = if body.is_empty() { "" } else { "content-type: application/json\r\n" };
        let length = body.len();
        let request = format!(
            "{method} {path} HTTP/1.1\r\n{}{kind}content-length: {length}\r\n\r\n{body}",
            self.headers
        );
        Ok(self.stream.get_mut().write_all(request.as_bytes())?)
    }

    /// The length of the body, once the header has come and says that all is well.
    pub(crate) fn header(&mut self) -> anyhow::Result<usize> {
        let mut line = String::new();
        self.stream.read_line(&mut line)?;
        anyhow::ensure!(line.starts_with("HTTP/1.1 2"), "no reply but {line:?}");
        let mut length = 0;
        loop {
            line.clear();
            self.stream.read_line(&mut line)?;
            match line.trim_end().split_once(": ") {
                Some(("content-length", value)) => length = value.parse()?,
                Some(_) => {}
                None => return Ok(length),
            }
        }
    }

    pub(crate) fn reply(&mut self) -> anyhow::Result<Vec<u8>> {
        let mut body = vec![0; self.header()?];
        self.stream.read_exact(&mut body)?;
        Ok(body)
    }

    pub(crate) fn call(&mut self, method: &str, path: &str, body: &str) -> anyhow::Result<Vec<u8>> {
        self.send(method, path, body)?;
        self.reply()
    }

    /// Waits for an event, and returns its data.
    pub(crate) fn event_data(&mut self, kind: &str) -> anyhow::Result<String> {
        self.event(kind)?;
        let mut line = String::new();
        while !line.starts_with("data: ") {
            line.clear();
            anyhow::ensure!(self.stream.read_line(&mut line)? > 0, "the stream ended");
        }
        Ok(line.trim_end().trim_start_matches("data: ").to_owned())
    }

    /// Reads events until one of this kind has come.
    pub(crate) fn event(&mut self, kind: &str) -> anyhow::Result<()> {
        let mut line = String::new();
        while line.trim_end() != format!("event: {kind}") {
            line.clear();
            anyhow::ensure!(self.stream.read_line(&mut line)? > 0, "the stream ended");
        }
        Ok(())
    }
}
