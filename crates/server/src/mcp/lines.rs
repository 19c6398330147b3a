//! Lines that are not quite JSON. Left alone they would be dropped without a word, and their sender would wait for ever:
//! half an emoji becomes a replacement character, and what cannot be read at all is answered, where its id can be.

use serde_json::value::RawValue;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use tokio::io::{AsyncRead, ReadBuf};

/// The method that stands in for a request which cannot be read.
pub(super) const UNREADABLE: &str = "sayso/unreadable";
/// The one for a request that is JSON and none of the protocol's.
pub(super) const MALFORMED: &str = "sayso/malformed";
/// A longer line goes on as it is.
const LINE_BYTES: usize = 16 << 20;

/// Reads lines and mends them.
pub(super) struct Lines<R> {
    inner: R,
    /// What came of a line that has not ended yet.
    begun: Vec<u8>,
    /// The rest of the line is passed on: it is too long to be looked at.
    is_long: bool,
    /// What can be read, and how far it was.
    mended: Vec<u8>,
    at: usize,
}

impl<R> Lines<R> {
    pub(super) const fn new(inner: R) -> Self {
        Self { inner, begun: Vec::new(), is_long: false, mended: Vec::new(), at: 0 }
    }

    fn take(&mut self, read: &[u8]) {
        for part in read.split_inclusive(|byte| *byte == b'\n') {
            self.begun.extend_from_slice(part);
            let has_ended = part.ends_with(b"\n");
            if self.is_long || self.begun.len() > LINE_BYTES {
                self.mended.append(&mut self.begun);
                self.is_long = !has_ended;
            } else if has_ended {
                self.mended.extend_from_slice(mended(&self.begun).as_bytes());
                self.begun.clear();
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

/// A line that can be read, or nothing where nobody waits for an answer to it.
fn mended(line: &[u8]) -> String {
    let text = String::from_utf8_lossy(line);
    if text.trim().is_empty() {
        return text.into_owned();
    }
    if let Ok(message) = serde_json::from_str(&text) {
        return malformed(&message).unwrap_or_else(|| text.into_owned());
    }
    let whole = without_halves(&text);
    if let Ok(message) = serde_json::from_str(&whole) {
        return malformed(&message).unwrap_or(whole);
    }
    let members: HashMap<String, Box<RawValue>> = serde_json::from_str(&whole).unwrap_or_default();
    let id = members.get("id").and_then(|id| serde_json::from_str::<Value>(id.get()).ok());
    match id.filter(|id| members.contains_key("method") && (id.is_string() || id.is_number())) {
        Some(id) => stand_in(&id, UNREADABLE),
        None => String::new(),
    }
}

fn stand_in(id: &Value, method: &str) -> String {
    format!("{}\n", json!({ "jsonrpc": "2.0", "id": id, "method": method }))
}

/// What stands in for a request that would be answered without its id, so that nobody could tell whose answer that is.
fn malformed(message: &Value) -> Option<String> {
    let id = message.get("id").filter(|id| id.is_string() || id.is_i64())?;
    let method = message.get("method")?;
    let params = message.get("params").unwrap_or(&Value::Null);
    let is_request = message.get("jsonrpc") == Some(&json!("2.0"))
        && method.is_string()
        && (params.is_object() || params.is_null());
    if is_request { None } else { Some(stand_in(id, MALFORMED)) }
}

/// The text with a replacement character for each escaped half of a character that has no other half.
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
            // The backslash and what it escapes, which may be another backslash.
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

/// Which half of a character is escaped here, if one is.
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
    fn halves_of_characters_are_replaced_and_whole_ones_are_not() {
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
    fn what_cannot_be_read_is_answered_where_somebody_waits() {
        let deep = format!("{}{}", "[".repeat(200), "]".repeat(200));
        let request = format!("{{\"id\":7,\"method\":\"x\",\"params\":{deep}}}\n");
        assert_eq!(
            mended(request.as_bytes()),
            "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"sayso/unreadable\"}\n"
        );
        let notification = format!("{{\"method\":\"x\",\"params\":{deep}}}\n");
        assert_eq!(mended(notification.as_bytes()), "");
        assert_eq!(mended(b"{\"id\":1,\n"), "");
        assert_eq!(mended(b"{\"a\":\"\xff\"}\n"), "{\"a\":\"\u{fffd}\"}\n");
    }
}
