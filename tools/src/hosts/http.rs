//! Minimal HTTP for programs on this machine: each connection carries one request and one response, which may be read as
//! it arrives.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

/// Longest wait for a response. A host that is asked for the first time may load its plugins before.
const RESPONSE_LIMIT: Duration = Duration::from_secs(180);

/// Request that the simulated model receives.
#[derive(Debug)]
pub(super) struct Request {
    pub(super) method: String,
    pub(super) path: String,
    pub(super) body: Vec<u8>,
}

/// Reads a request; `None` if the connection ends before it.
pub(super) fn read(from: &TcpStream) -> io::Result<Option<Request>> {
    let mut from = BufReader::new(from);
    let first = line(&mut from)?;
    let mut words = first.split(' ');
    let (Some(method), Some(path)) = (words.next(), words.next()) else { return Ok(None) };
    let body = message_body(&mut from)?;
    Ok(Some(Request { method: method.to_owned(), path: path.to_owned(), body }))
}

/// Length of a body, as its headers declare it.
#[derive(Debug, Clone, Copy)]
enum BodyLength {
    Bytes(u64),
    Chunked,
}

impl BodyLength {
    /// Reads the headers of a message.
    fn read(from: &mut impl BufRead) -> io::Result<Self> {
        let mut length = Self::Bytes(0);
        loop {
            let header = line(from)?;
            let Some((name, value)) = header.split_once(':') else { return Ok(length) };
            match name.to_ascii_lowercase().as_str() {
                "content-length" => length = Self::Bytes(value.trim().parse().map_err(io::Error::other)?),
                "transfer-encoding" if value.trim().eq_ignore_ascii_case("chunked") => length = Self::Chunked,
                _ => {}
            }
        }
    }

    /// Reads a part of the body, and returns true if there are more.
    fn read_part(self, from: &mut impl BufRead, body: &mut Vec<u8>) -> io::Result<bool> {
        match self {
            Self::Chunked => chunk(from, body),
            Self::Bytes(length) => from.take(length).read_to_end(body).map(|_| false),
        }
    }
}

/// Reads the headers and the body of a message.
fn message_body(from: &mut impl BufRead) -> io::Result<Vec<u8>> {
    let length = BodyLength::read(from)?;
    let mut body = Vec::new();
    while length.read_part(from, &mut body)? {}
    Ok(body)
}

/// Reads a line, without its end.
fn line(from: &mut impl BufRead) -> io::Result<String> {
    let mut line = String::new();
    from.read_line(&mut line)?;
    Ok(line.trim_end().to_owned())
}

/// Reads one chunk of a body, and returns true if there are more.
fn chunk(from: &mut impl BufRead, body: &mut Vec<u8>) -> io::Result<bool> {
    let size = line(from)?;
    let size =
        u64::from_str_radix(size.split(';').next().unwrap_or_default(), 16).map_err(io::Error::other)?;
    from.take(size).read_to_end(body)?;
    line(from)?;
    Ok(size > 0)
}

/// Writes a response that ends the connection.
pub(super) fn write(mut to: &TcpStream, status: &str, kind: &str, body: &str) -> io::Result<()> {
    let length = body.len();
    write!(
        to,
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}"
    )?;
    to.flush()
}

/// Sends a request, and returns the status and the body of the response.
///
/// # Errors
/// Fails if there is no whole response within [`RESPONSE_LIMIT`].
pub(super) fn send(address: &str, method: &str, path: &str, body: &str) -> io::Result<(u16, String)> {
    let response = open(address, method, path, &[], body)?;
    Ok((response.status, response.read_whole()?))
}

/// Response whose body is read as it arrives.
pub(super) struct OpenResponse {
    pub(super) status: u16,
    length: BodyLength,
    from: BufReader<TcpStream>,
}

/// Sends a request with more headers, and reads the head of the response.
///
/// # Errors
/// Fails if nothing arrives within [`RESPONSE_LIMIT`].
pub(super) fn open(
    address: &str,
    method: &str,
    path: &str,
    headers: &[&str],
    body: &str,
) -> io::Result<OpenResponse> {
    let mut stream = TcpStream::connect(address)?;
    stream.set_read_timeout(Some(RESPONSE_LIMIT))?;
    let length = body.len();
    let more: String = headers.iter().map(|header| format!("{header}\r\n")).collect();
    write!(
        stream,
        "{method} {path} HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/json\r\n{more}\
         Content-Length: {length}\r\nConnection: close\r\n\r\n{body}"
    )?;
    let mut from = BufReader::new(stream);
    let first = line(&mut from)?;
    let status = first.split(' ').nth(1).and_then(|status| status.parse().ok());
    let status = status.ok_or_else(|| io::Error::other(format!("no status: {first}")))?;
    let length = BodyLength::read(&mut from)?;
    Ok(OpenResponse { status, length, from })
}

impl OpenResponse {
    /// Reads the next part of the body, and returns true if there are more.
    pub(super) fn read_part(&mut self, body: &mut Vec<u8>) -> io::Result<bool> {
        self.length.read_part(&mut self.from, body)
    }

    /// Reads the rest of the body.
    pub(super) fn read_whole(mut self) -> io::Result<String> {
        let mut body = Vec::new();
        while self.read_part(&mut body)? {}
        Ok(String::from_utf8_lossy(&body).into_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::read;
    use std::io::Write as _;
    use std::net::{TcpListener, TcpStream};

    fn read_text(text: &str) -> Option<(String, String, String)> {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let mut client = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        client.write_all(text.as_bytes()).unwrap();
        drop(client);
        let request = read(&listener.accept().unwrap().0).unwrap()?;
        Some((request.method, request.path, String::from_utf8(request.body).unwrap()))
    }

    #[test]
    fn bodies_come_whole_or_in_pieces() {
        let whole = read_text("POST /a HTTP/1.1\r\nContent-Length: 3\r\n\r\nabcdef").unwrap();
        assert_eq!(whole, ("POST".to_owned(), "/a".to_owned(), "abc".to_owned()));
        let pieces = read_text(
            "POST /b HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n1;x\r\nc\r\n0\r\n\r\n",
        );
        assert_eq!(pieces.unwrap().2, "abc");
        assert_eq!(read_text(""), None);
    }
}
