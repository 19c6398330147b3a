//! Line framing that tolerates input that isn't quite JSON. Dropping it silently would leave the sender waiting for
//! ever. An unpaired surrogate escape becomes a replacement character. Unreadable input gets an error, with its id if
//! that can be found. Lines have a maximum length, and no more than that is buffered.

use super::oversize::OversizeScanner;
use crate::diagnostics::log_event;
use sayso_core::limits;
use serde_json::value::RawValue;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, ready};
use tokio::io::{AsyncRead, ReadBuf};

/// Method that replaces unreadable input: with an id for a request, else without one.
pub(crate) const UNREADABLE: &str = "sayso/unreadable";
/// Method that replaces a JSON request that isn't of the protocol.
pub(crate) const MALFORMED: &str = "sayso/malformed";
/// Method that replaces a request that is too long.
pub(crate) const TOO_LONG: &str = "sayso/too-long";

/// Number of consecutive lines without JSON that are answered. The limit ends a loop with a peer that answers each of
/// our lines with such a line.
const MAX_NONSENSE_LINES: usize = 100;

/// Reader that replaces malformed lines.
pub(crate) struct LineReader<R> {
    inner: R,
    /// Buffer of a line that has not ended yet.
    partial: Vec<u8>,
    /// Scanner of the line that has not ended yet, if it is too long to be buffered.
    oversize: Option<OversizeScanner>,
    /// Set if a line without an id doesn't end.
    flooded: Arc<AtomicBool>,
    /// Number of consecutive lines without JSON.
    nonsense: usize,
    /// Output that can be read, and the position reached.
    output: Vec<u8>,
    position: usize,
}

impl<R> LineReader<R> {
    /// Creates a reader. If a line that is no request doesn't end, the reader sets `flooded` and ends the input.
    pub(crate) const fn new(inner: R, flooded: Arc<AtomicBool>) -> Self {
        Self {
            inner,
            partial: Vec::new(),
            oversize: None,
            flooded,
            nonsense: 0,
            output: Vec::new(),
            position: 0,
        }
    }

    fn push(&mut self, input: &[u8]) {
        for part in input.split_inclusive(|byte| *byte == b'\n') {
            if let Some(scanner) = &mut self.oversize {
                scanner.scan(part);
            } else if self.partial.len() + part.len() > limits::LINE_BYTES {
                let scanner = self.oversize.insert(OversizeScanner::default());
                scanner.scan(&std::mem::take(&mut self.partial));
                scanner.scan(part);
            } else {
                self.partial.extend_from_slice(part);
            }
            if part.ends_with(b"\n") {
                self.end_line();
            } else if let Some(scanner) = &self.oversize
                && (scanner.is_no_object() || scanner.bytes() > limits::LINE_DISCARD_BYTES)
            {
                self.flooded.store(true, Ordering::Release);
                return;
            }
        }
    }

    fn end_line(&mut self) {
        match self.oversize.take() {
            Some(scanner) => {
                log_event!(WARN, Mcp, "line dropped: it is too long", bytes = scanner.bytes());
                if let Some(id) = scanner.id() {
                    self.output.extend_from_slice(replacement_request(&id, TOO_LONG).as_bytes());
                }
            }
            None => {
                let line = normalized_line(&self.partial);
                self.partial.clear();
                self.nonsense = if line == replacement_notification() { self.nonsense + 1 } else { 0 };
                if self.nonsense > 0 {
                    log_event!(WARN, Mcp, "line is no message", consecutive = self.nonsense);
                }
                if self.nonsense <= MAX_NONSENSE_LINES {
                    self.output.extend_from_slice(line.as_bytes());
                }
            }
        }
    }
}

impl<R: AsyncRead + Unpin> AsyncRead for LineReader<R> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        loop {
            let rest = self.output.get(self.position..).unwrap_or_default();
            if !rest.is_empty() {
                let count = rest.len().min(buffer.remaining());
                buffer.put_slice(rest.get(..count).unwrap_or_default());
                self.position += count;
                return Poll::Ready(Ok(()));
            }
            if self.flooded.load(Ordering::Acquire) {
                return Poll::Ready(Ok(()));
            }
            self.output.clear();
            self.position = 0;
            let mut chunk = [0; 8_192];
            let mut input = ReadBuf::new(&mut chunk);
            ready!(Pin::new(&mut self.inner).poll_read(cx, &mut input))?;
            if input.filled().is_empty() {
                return Poll::Ready(Ok(()));
            }
            self.push(input.filled());
        }
    }
}

/// Returns a readable line, or nothing if no one waits for an answer to it.
fn normalized_line(line: &[u8]) -> String {
    let text = String::from_utf8_lossy(line);
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    if text.trim().is_empty() {
        return String::new();
    }
    if let Ok(message) = serde_json::from_str(text) {
        return replace_malformed(&message).unwrap_or_else(|| text.to_owned());
    }
    let text = without_unpaired_surrogates(text);
    if let Ok(message) = serde_json::from_str(&text) {
        return replace_malformed(&message).unwrap_or(text);
    }
    let members: HashMap<String, Box<RawValue>> = serde_json::from_str(&text).unwrap_or_default();
    let has_method = members.contains_key("method");
    if let Some(id) = members.get("id")
        && has_method
        && let Ok(id @ (Value::String(_) | Value::Number(_))) = serde_json::from_str(id.get())
    {
        return replacement_request(&id, UNREADABLE);
    }
    let is_notification = has_method && !members.contains_key("id");
    if is_notification || members.contains_key("result") || members.contains_key("error") {
        // A response or a notification gets no answer.
        return String::new();
    }
    replacement_notification()
}

/// Returns the replacement of a message, if it needs one. A batch, which MCP had until 2025-03-26, is split into
/// messages: each is answered by itself.
fn replace_malformed(message: &Value) -> Option<String> {
    if let Value::Array(batch) = message
        && (1..=limits::LINE_MESSAGES).contains(&batch.len())
    {
        let mut lines = String::new();
        for message in batch {
            match malformed_replacement(message) {
                Some(replacement) => lines.push_str(&replacement),
                None => lines.push_str(&format!("{message}\n")),
            }
        }
        return Some(lines);
    }
    malformed_replacement(message)
}

fn replacement_request(id: &Value, method: &str) -> String {
    format!("{}\n", json!({ "jsonrpc": "2.0", "id": id, "method": method }))
}

/// Returns the replacement of a line that is no message.
fn replacement_notification() -> String {
    format!("{}\n", json!({ "jsonrpc": "2.0", "method": UNREADABLE }))
}

/// Returns the replacement of a request that would be answered without its id, so that no caller could match the
/// answer.
fn malformed_replacement(message: &Value) -> Option<String> {
    let id = message.get("id")?;
    if !id.is_string() && !id.is_i64() {
        return None;
    }
    let is_answer = message.get("result").is_some() || message.get("error").is_some();
    let method = message.get("method");
    if is_answer && method.is_none() {
        return None;
    }
    let params = message.get("params").unwrap_or(&Value::Null);
    let is_request = message.get("jsonrpc") == Some(&json!("2.0"))
        && method.is_some_and(Value::is_string)
        && !is_answer
        && (params.is_object() || params.is_null());
    if is_request { None } else { Some(replacement_request(id, MALFORMED)) }
}

/// Returns the text with a replacement character for each unpaired surrogate escape.
fn without_unpaired_surrogates(text: &str) -> String {
    let mut whole = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        let (text, escape) = rest.split_at(at);
        whole.push_str(text);
        let length = match (surrogate_at(escape), escape.get(6..).and_then(surrogate_at)) {
            (Some(Surrogate::High), Some(Surrogate::Low)) => 12,
            (Some(_), _) => {
                whole.push_str("\\ufffd");
                rest = escape.get(6..).unwrap_or_default();
                continue;
            }
            // The backslash and the escaped character, which may be another backslash.
            (None, _) => 1 + escape.chars().nth(1).map_or(0, char::len_utf8),
        };
        let (escape, tail) = escape.split_at(length);
        whole.push_str(escape);
        rest = tail;
    }
    whole.push_str(rest);
    whole
}

enum Surrogate {
    High,
    Low,
}

/// Returns the kind of surrogate escaped at the start of the text, if any.
fn surrogate_at(text: &str) -> Option<Surrogate> {
    let digits = text.strip_prefix("\\u")?.get(..4)?;
    match u16::from_str_radix(digits, 16).ok()? {
        0xD800..=0xDBFF => Some(Surrogate::High),
        0xDC00..=0xDFFF => Some(Surrogate::Low),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unpaired_surrogates_are_replaced() {
        let cases = [
            (r#""\ud83d\ude00 \\ud83d \n""#, r#""\ud83d\ude00 \\ud83d \n""#),
            (r#""a\ud83d""#, r#""a\ufffd""#),
            (r#""\ude00\ud83d\ud83d\ude00""#, r#""\ufffd\ufffd\ud83d\ude00""#),
            ("\\", "\\"),
        ];
        for (given, expected) in cases {
            assert_eq!(without_unpaired_surrogates(given), expected);
        }
    }

    #[test]
    fn unreadable_requests_are_answered() {
        let deep = format!("{}{}", "[".repeat(200), "]".repeat(200));
        let request = format!("{{\"id\":7,\"method\":\"x\",\"params\":{deep}}}\n");
        assert_eq!(
            normalized_line(request.as_bytes()),
            "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"sayso/unreadable\"}\n"
        );
        let notification = format!("{{\"method\":\"x\",\"params\":{deep}}}\n");
        assert_eq!(normalized_line(notification.as_bytes()), "");
        let answer = format!("{{\"id\":7,\"result\":{deep}}}\n");
        assert_eq!(normalized_line(answer.as_bytes()), "");
        for nonsense in [&b"{\"id\":1,\n"[..], b"nonsense\n", b"\xff\n", b"{'id':1}\n"] {
            assert_eq!(normalized_line(nonsense), replacement_notification());
        }
        for empty in [&b"\n"[..], b" \r\n", b"\xef\xbb\xbf\r\n"] {
            assert_eq!(normalized_line(empty), "");
        }
        let (ping, pong) = ("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}", "{\"id\":2}");
        let malformed = "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"sayso/malformed\"}\n";
        let batch = format!("[{ping},{pong},3]\n");
        assert_eq!(normalized_line(batch.as_bytes()), format!("{ping}\n{malformed}3\n"));
        for none in ["[]".to_owned(), format!("[{}0]", "0,".repeat(limits::LINE_MESSAGES))] {
            assert_eq!(normalized_line(none.as_bytes()), none);
        }
        assert_eq!(normalized_line(b"\xef\xbb\xbf{}\n"), "{}\n");
        assert_eq!(normalized_line(b"{\"a\":\"\xff\"}\n"), "{\"a\":\"\u{fffd}\"}\n");
    }
}
