//! Line framing that tolerates input that isn't quite JSON. Dropping it silently would leave the sender waiting for
//! ever. An unpaired surrogate escape becomes a replacement character. Unreadable input gets an error, with its id if
//! that can be found. Lines have a maximum length, and no more than that is buffered.

use super::skim::Skim;
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
pub(super) const UNREADABLE: &str = "sayso/unreadable";
/// Method that replaces a JSON request that isn't of the protocol.
pub(super) const MALFORMED: &str = "sayso/malformed";
/// Method that replaces a request that is too long.
pub(super) const TOO_LONG: &str = "sayso/too-long";

/// Number of consecutive lines without JSON that are answered. The limit ends a loop with a peer that answers each of
/// our lines with such a line.
const NONSENSE: usize = 100;

/// Reader that replaces malformed lines.
pub(super) struct Lines<R> {
    inner: R,
    /// Buffer of a line that has not ended yet.
    begun: Vec<u8>,
    /// Scanner of the line that has not ended yet, if it is too long to be buffered.
    skim: Option<Skim>,
    /// Set if a line without an id doesn't end.
    flooded: Arc<AtomicBool>,
    /// Number of consecutive lines without JSON.
    nonsense: usize,
    /// Output that can be read, and the position reached.
    mended: Vec<u8>,
    at: usize,
}

impl<R> Lines<R> {
    /// Creates a reader. If a line that is no request doesn't end, the reader sets `flooded` and ends the input.
    pub(super) const fn new(inner: R, flooded: Arc<AtomicBool>) -> Self {
        Self { inner, begun: Vec::new(), skim: None, flooded, nonsense: 0, mended: Vec::new(), at: 0 }
    }

    fn take(&mut self, read: &[u8]) {
        for part in read.split_inclusive(|byte| *byte == b'\n') {
            let has_ended = part.ends_with(b"\n");
            if let Some(skim) = &mut self.skim {
                skim.read(part);
            } else if self.begun.len() + part.len() > limits::LINE_BYTES {
                let skim = self.skim.insert(Skim::default());
                skim.read(&std::mem::take(&mut self.begun));
                skim.read(part);
            } else {
                self.begun.extend_from_slice(part);
            }
            if has_ended {
                self.end_line();
            } else if let Some(skim) = &self.skim
                && (skim.is_no_object() || skim.bytes() > limits::ENDLESS_LINE_BYTES)
            {
                self.flooded.store(true, Ordering::Release);
                return;
            }
        }
    }

    fn end_line(&mut self) {
        match self.skim.take() {
            Some(skim) => {
                let answered = skim.id().map(|id| stand_in(&id, TOO_LONG));
                self.mended.extend_from_slice(answered.unwrap_or_default().as_bytes());
            }
            None => {
                let mended = mended(&self.begun);
                self.begun.clear();
                self.nonsense = if mended == nameless() { self.nonsense + 1 } else { 0 };
                if self.nonsense <= NONSENSE {
                    self.mended.extend_from_slice(mended.as_bytes());
                }
            }
        }
    }
}

impl<R: AsyncRead + Unpin> AsyncRead for Lines<R> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        loop {
            let rest = self.mended.get(self.at..).unwrap_or_default();
            if !rest.is_empty() {
                let count = rest.len().min(buffer.remaining());
                buffer.put_slice(rest.get(..count).unwrap_or_default());
                self.at += count;
                return Poll::Ready(Ok(()));
            }
            if self.flooded.load(Ordering::Acquire) {
                return Poll::Ready(Ok(()));
            }
            self.mended.clear();
            self.at = 0;
            let mut chunk = [0; 8_192];
            let mut read = ReadBuf::new(&mut chunk);
            ready!(Pin::new(&mut self.inner).poll_read(cx, &mut read))?;
            if read.filled().is_empty() {
                return Poll::Ready(Ok(()));
            }
            self.take(read.filled());
        }
    }
}

/// Returns a readable line, or nothing if no one waits for an answer to it.
fn mended(line: &[u8]) -> String {
    let text = String::from_utf8_lossy(line);
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    if text.trim().is_empty() {
        return String::new();
    }
    if let Ok(message) = serde_json::from_str(text) {
        return one_or_several(&message, || text.to_owned());
    }
    let whole = without_halves(text);
    if let Ok(message) = serde_json::from_str(&whole) {
        return one_or_several(&message, || whole);
    }
    let members: HashMap<String, Box<RawValue>> = serde_json::from_str(&whole).unwrap_or_default();
    let has = |name: &str| members.contains_key(name);
    let id = members.get("id").and_then(|id| serde_json::from_str::<Value>(id.get()).ok());
    match id.filter(|id| has("method") && (id.is_string() || id.is_number())) {
        Some(id) => stand_in(&id, UNREADABLE),
        // A response or a notification gets no answer.
        None if has("result") || has("error") || (has("method") && !has("id")) => String::new(),
        None => nameless(),
    }
}

/// Returns a message unchanged, or its replacement. A batch, which MCP had until 2025-03-26, is split into messages:
/// each is answered by itself.
fn one_or_several(message: &Value, as_it_came: impl FnOnce() -> String) -> String {
    let one = |message: &Value| malformed(message).unwrap_or_else(|| format!("{message}\n"));
    match message {
        Value::Array(batch) if (1..=limits::LINE_MESSAGES).contains(&batch.len()) => {
            batch.iter().map(one).collect()
        }
        _ => malformed(message).unwrap_or_else(as_it_came),
    }
}

fn stand_in(id: &Value, method: &str) -> String {
    format!("{}\n", json!({ "jsonrpc": "2.0", "id": id, "method": method }))
}

/// Returns the replacement of a line that is no message.
fn nameless() -> String {
    format!("{}\n", json!({ "jsonrpc": "2.0", "method": UNREADABLE }))
}

/// Returns the replacement of a request that would be answered without its id, so that no caller could match the
/// answer.
fn malformed(message: &Value) -> Option<String> {
    let id = message.get("id").filter(|id| id.is_string() || id.is_i64())?;
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
    if is_request { None } else { Some(stand_in(id, MALFORMED)) }
}

/// Returns the text with a replacement character for each unpaired surrogate escape.
fn without_halves(text: &str) -> String {
    let mut whole = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        let (before, escape) = rest.split_at(at);
        whole.push_str(before);
        let length = match (half(escape), escape.get(6..).and_then(half)) {
            (Some(Half::First), Some(Half::Second)) => 12,
            (Some(_), _) => {
                whole.push_str("\\ufffd");
                rest = escape.get(6..).unwrap_or_default();
                continue;
            }
            // The backslash and the escaped character, which may be another backslash.
            (None, _) => 1 + escape.chars().nth(1).map_or(0, char::len_utf8),
        };
        let (kept, after) = escape.split_at(length);
        whole.push_str(kept);
        rest = after;
    }
    whole.push_str(rest);
    whole
}

enum Half {
    First,
    Second,
}

/// Returns the kind of surrogate escaped at the start of the text, if any.
fn half(text: &str) -> Option<Half> {
    let digits = text.strip_prefix("\\u")?.get(..4)?;
    match u16::from_str_radix(digits, 16).ok()? {
        0xD800..=0xDBFF => Some(Half::First),
        0xDC00..=0xDFFF => Some(Half::Second),
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
            assert_eq!(without_halves(given), expected);
        }
    }

    #[test]
    fn unreadable_requests_are_answered() {
        let deep = format!("{}{}", "[".repeat(200), "]".repeat(200));
        let request = format!("{{\"id\":7,\"method\":\"x\",\"params\":{deep}}}\n");
        assert_eq!(
            mended(request.as_bytes()),
            "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"sayso/unreadable\"}\n"
        );
        let notification = format!("{{\"method\":\"x\",\"params\":{deep}}}\n");
        assert_eq!(mended(notification.as_bytes()), "");
        let answer = format!("{{\"id\":7,\"result\":{deep}}}\n");
        assert_eq!(mended(answer.as_bytes()), "");
        for nonsense in [&b"{\"id\":1,\n"[..], b"nonsense\n", b"\xff\n", b"{'id':1}\n"] {
            assert_eq!(mended(nonsense), nameless());
        }
        for empty in [&b"\n"[..], b" \r\n", b"\xef\xbb\xbf\r\n"] {
            assert_eq!(mended(empty), "");
        }
        let (ping, pong) = ("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}", "{\"id\":2}");
        let malformed = "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"sayso/malformed\"}\n";
        let batch = format!("[{ping},{pong},3]\n");
        assert_eq!(mended(batch.as_bytes()), format!("{ping}\n{malformed}3\n"));
        for none in ["[]".to_owned(), format!("[{}0]", "0,".repeat(limits::LINE_MESSAGES))] {
            assert_eq!(mended(none.as_bytes()), none);
        }
        assert_eq!(mended(b"\xef\xbb\xbf{}\n"), "{}\n");
        assert_eq!(mended(b"{\"a\":\"\xff\"}\n"), "{\"a\":\"\u{fffd}\"}\n");
    }
}
