//! Scanner of a line that is too long to be buffered: finds the id of its request without storing it.

use serde_json::{Map, Value};

/// Buffer size of a member, in bytes: a request's id and method are shorter.
const MEMBER_BYTES: usize = 1_024;

/// Incremental scanner of a JSON object that buffers its short top-level members.
#[derive(Default)]
pub(crate) struct OversizeScanner {
    bytes: usize,
    depth: usize,
    in_text: bool,
    is_escaped: bool,
    is_no_object: bool,
    /// Buffer of the present member, without nested values.
    member: Vec<u8>,
    id: Option<Value>,
    has_method: bool,
}

impl OversizeScanner {
    /// Returns the number of bytes scanned.
    pub(crate) const fn bytes(&self) -> usize {
        self.bytes
    }

    /// Returns whether the line can't be a request.
    pub(crate) const fn is_no_object(&self) -> bool {
        self.is_no_object
    }

    /// Returns the id of the request, if it has one.
    pub(crate) fn id(self) -> Option<Value> {
        if self.has_method { self.id } else { None }
    }

    /// Scans more bytes.
    pub(crate) fn scan(&mut self, bytes: &[u8]) {
        self.bytes = self.bytes.saturating_add(bytes.len());
        for byte in bytes {
            self.scan_byte(*byte);
        }
    }

    fn scan_byte(&mut self, byte: u8) {
        if self.is_no_object {
            return;
        }
        if self.in_text {
            self.in_text = self.is_escaped || byte != b'"';
            self.is_escaped = !self.is_escaped && byte == b'\\';
            return self.buffer_byte(byte);
        }
        match byte {
            b'{' | b'[' => self.depth = self.depth.saturating_add(1),
            b'}' | b']' => {
                if self.depth == 1 {
                    self.end_member();
                }
                self.depth = self.depth.saturating_sub(1);
            }
            b',' if self.depth == 1 => self.end_member(),
            b'"' => {
                self.in_text = true;
                self.buffer_byte(byte);
            }
            _ => {
                self.is_no_object = self.depth == 0 && !byte.is_ascii_whitespace();
                self.buffer_byte(byte);
            }
        }
    }

    fn buffer_byte(&mut self, byte: u8) {
        if self.depth == 1 && self.member.len() <= MEMBER_BYTES {
            self.member.push(byte);
        }
    }

    fn end_member(&mut self) {
        let member = [b"{", self.member.as_slice(), b"}"].concat();
        let object: Map<String, Value> = serde_json::from_slice(&member).unwrap_or_default();
        for (name, value) in object {
            match (name.as_str(), value) {
                ("id", id @ (Value::String(_) | Value::Number(_))) => self.id = Some(id),
                ("method", Value::String(_)) => self.has_method = true,
                _ => {}
            }
        }
        self.member.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn id_in(text: &str) -> Option<Value> {
        let mut skim = OversizeScanner::default();
        text.as_bytes().chunks(7).for_each(|chunk| skim.scan(chunk));
        assert_eq!(skim.bytes(), text.len());
        assert!(skim.member.len() <= MEMBER_BYTES + 1);
        skim.id()
    }

    #[test]
    fn request_id_is_found_anywhere() {
        let long = "x\\\"},{".repeat(1_000);
        let nested = format!(r#"{{"id":9,"method":"no","a":["{long}",{{"id":8}}]}}"#);
        let cases = [
            (format!(r#"{{"id":7,"method":"m","params":{nested}}}"#), Some(json!(7))),
            (format!(r#" {{ "method": "m", "params": {nested}, "id": "a\"b" }}"#), Some(json!("a\"b"))),
            (format!(r#"{{"note":"{long}","method":"m","id":-1}}"#), Some(json!(-1))),
            (format!(r#"{{"method":"m","params":{nested}}}"#), None),
            (format!(r#"{{"id":7,"result":{nested}}}"#), None),
            (format!(r#"{{"id":"{long}","method":"m"}}"#), None),
            (format!("[{nested}]"), None),
            (long, None),
        ];
        for (text, id) in cases {
            assert_eq!(id_in(&text), id, "{text:.60}");
        }
    }
}
