//! Framing of an HTTP/1.1 connection, to detect requests that a proxy in front may read differently, and take a part of
//! one for the next (request smuggling): with both `Transfer-Encoding` and `Content-Length` (RFC 9112, section 6.3), and
//! with a line that ends in a bare line feed (section 2.2). hyper drops the length silently and takes the line
//! (<https://github.com/hyperium/hyper/blob/master/src/proto/h1/role.rs>), so this parses the raw bytes.

use std::ops::ControlFlow;

/// Maximum bytes of a header line that are kept; the relevant names and values are shorter.
const LINE_BYTES: usize = 64;

/// Parser state: the part that the next byte belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FramingState {
    /// Head of a request.
    Head,
    /// Body, with the number of bytes left.
    Body(u64),
    /// Line with the size of a chunk.
    ChunkSize,
    /// Chunk with its line break, and the number of bytes left.
    Chunk(u64),
    /// Trailer after the last chunk.
    Trailer,
    /// Other protocol; nothing is parsed.
    Other,
}

/// Parser for the framing of one connection.
#[derive(Debug)]
pub(super) struct RequestFraming {
    state: FramingState,
    /// Beginning of the current line.
    line: Vec<u8>,
    is_line_empty: bool,
    /// True after a carriage return.
    is_at_return: bool,
    has_begun: bool,
    length: Option<u64>,
    is_chunked: bool,
}

/// Error for a request with both lengths, or with a bare line feed.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct MalformedHead;

impl RequestFraming {
    pub(super) fn new() -> Self {
        Self {
            state: FramingState::Head,
            line: Vec::new(),
            is_line_empty: true,
            is_at_return: false,
            has_begun: false,
            length: None,
            is_chunked: false,
        }
    }

    /// Parses received bytes.
    ///
    /// # Errors
    /// Fails at the line that specifies a body length a second time, or ends in a bare line feed, with the offset after
    /// it.
    pub(super) fn parse(&mut self, bytes: &[u8]) -> Result<(), (usize, MalformedHead)> {
        let mut at = 0;
        while at < bytes.len() {
            let rest = bytes.get(at..).unwrap_or_default();
            match self.state {
                FramingState::Other => return Ok(()),
                FramingState::Body(length) => {
                    at += self.skip_bytes(length, rest.len(), FramingState::Body, FramingState::Head);
                }
                FramingState::Chunk(length) => {
                    at += self.skip_bytes(length, rest.len(), FramingState::Chunk, FramingState::ChunkSize);
                }
                FramingState::Head | FramingState::ChunkSize | FramingState::Trailer => {
                    let piece = rest.split_inclusive(|byte| *byte == b'\n').next().unwrap_or_default();
                    at += piece.len();
                    let Some(end_of_line) = piece.strip_suffix(b"\n") else {
                        self.append_to_line(piece);
                        continue;
                    };
                    self.append_to_line(end_of_line);
                    if self.end_line().is_break() {
                        return Err((at, MalformedHead));
                    }
                }
            }
        }
        Ok(())
    }

    fn skip_bytes(
        &mut self,
        length: u64,
        available: usize,
        same: fn(u64) -> FramingState,
        next: FramingState,
    ) -> usize {
        let count = length.min(u64::try_from(available).unwrap_or(u64::MAX));
        self.state = if count == length { next } else { same(length - count) };
        usize::try_from(count).unwrap_or(available)
    }

    fn append_to_line(&mut self, piece: &[u8]) {
        if let Some(last) = piece.last() {
            self.is_at_return = *last == b'\r';
        }
        self.is_line_empty &= piece.iter().all(|byte| *byte == b'\r');
        let room = LINE_BYTES.saturating_sub(self.line.len());
        self.line.extend_from_slice(piece.get(..piece.len().min(room)).unwrap_or(piece));
    }

    fn end_line(&mut self) -> ControlFlow<()> {
        let line = std::mem::take(&mut self.line);
        let is_empty = std::mem::replace(&mut self.is_line_empty, true);
        if !std::mem::take(&mut self.is_at_return) {
            return ControlFlow::Break(());
        }
        let line = String::from_utf8_lossy(&line).to_ascii_lowercase();
        match self.state {
            FramingState::Head if is_empty => self.end_head(),
            FramingState::Head if !self.has_begun => {
                self.has_begun = true;
                if line.starts_with("pri * http/2") {
                    self.state = FramingState::Other;
                }
            }
            FramingState::Head => return self.parse_header(&line),
            FramingState::ChunkSize => {
                let digits = line.split([';', ' ', '\t', '\r']).next().unwrap_or_default();
                self.state = match u64::from_str_radix(digits, 16) {
                    Ok(0) => FramingState::Trailer,
                    Ok(size) => FramingState::Chunk(size.saturating_add(2)),
                    // An invalid size makes hyper end the connection.
                    Err(_) => FramingState::Other,
                };
            }
            FramingState::Trailer if is_empty => self.state = FramingState::Head,
            FramingState::Trailer | FramingState::Body(_) | FramingState::Chunk(_) | FramingState::Other => {}
        }
        ControlFlow::Continue(())
    }

    fn parse_header(&mut self, line: &str) -> ControlFlow<()> {
        let Some((name, value)) = line.split_once(':') else { return ControlFlow::Continue(()) };
        match name.trim_end() {
            "content-length" => self.length = Some(value.trim().parse().unwrap_or(0)),
            "transfer-encoding" => self.is_chunked = true,
            _ => {}
        }
        if self.is_chunked && self.length.is_some() {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }

    fn end_head(&mut self) {
        // Empty lines before a request are ignored.
        if !std::mem::take(&mut self.has_begun) {
            return;
        }
        self.state = match (std::mem::take(&mut self.is_chunked), self.length.take()) {
            (true, _) => FramingState::ChunkSize,
            (false, Some(length @ 1..)) => FramingState::Body(length),
            (false, _) => FramingState::Head,
        };
    }
}

#[cfg(test)]
mod tests {
    use super::RequestFraming;

    fn is_refused(text: &str, piece: usize) -> bool {
        let mut framing = RequestFraming::new();
        text.as_bytes().chunks(piece).any(|piece| framing.parse(piece).is_err())
    }

    #[test]
    fn double_body_length_is_detected() {
        let twice = "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTRANSFER-encoding : chunked\r\n\r\n";
        let other = "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n";
        let one = "POST / HTTP/1.1\r\nContent-Length: 36\r\n\r\ncontent-length: 1\ntransfer-encoding:";
        let chunked = "POST / HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\n14;a=b\r\ncontent-length: 123\n\r\n0\r\n\
                       x: y\r\n\r\n";
        let plain = "\r\nGET / HTTP/1.1\r\nhost: x\r\n\r\n";
        for piece in [1, 3, 7, 1_000] {
            for before in ["", one, chunked, plain] {
                let many = format!("{before}{plain}{chunked}{one}{plain}");
                assert!(!is_refused(&many, piece), "{many}");
                for refused in [twice, other] {
                    assert!(is_refused(&format!("{before}{refused}"), piece), "{before}{refused} by {piece}");
                }
            }
        }
    }

    #[test]
    fn bare_line_feed_is_refused() {
        for refused in [
            "GET / HTTP/1.1\nhost: x\r\n\r\n",
            "GET / HTTP/1.1\r\nhost: x\nx: y\r\n\r\n",
            "GET / HTTP/1.1\r\nhost: x\r\n\n",
            "\nGET / HTTP/1.1\r\nhost: x\r\n\r\n",
            "POST / HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\n1\na\r\n0\r\n\r\n",
            "POST / HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\n0\r\nx: y\n\r\n",
        ] {
            for piece in [1, 3, 1_000] {
                assert!(is_refused(refused, piece), "{refused:?} by {piece}");
            }
        }
        let body = "POST / HTTP/1.1\r\ncontent-length: 3\r\n\r\na\nb";
        assert!(!is_refused(body, 1), "a body is the client's own");
    }

    #[test]
    fn other_protocols_are_ignored() {
        let both = "x\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n";
        assert!(!is_refused(&format!("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n{both}"), 4));
    }
}
