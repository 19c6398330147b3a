//! Buffer that splits bytes into lines.

use super::LineEvent;
use sayso_core::limits::TEXT_ANSWER_BYTES;
use std::collections::VecDeque;
use textwrap::core::display_width;

/// Keys that erase the last character of a line.
const BACKSPACE: u8 = 0x08;
const DELETE: u8 = 0x7f;

/// Keys that erase the line, and its last word: ^U and ^W.
const ERASE_LINE: u8 = 0x15;
const ERASE_WORD: u8 = 0x17;

/// Key that ends the input: ^D.
const END: u8 = 0x04;

/// Buffered lines, and the beginning of the next one.
#[derive(Debug, Default)]
pub(super) struct LineBuffer {
    lines: VecDeque<LineEvent>,
    begun: Vec<u8>,
    /// True while the rest of a too long line is skipped.
    too_long: bool,
    ended: bool,
}

impl LineBuffer {
    pub(super) fn push(&mut self, chunk: &[u8]) {
        for piece in chunk.split_inclusive(|byte| *byte == b'\n') {
            let is_complete = piece.ends_with(b"\n");
            if !self.too_long {
                self.begun.extend_from_slice(piece.strip_suffix(b"\n").unwrap_or(piece));
            }
            // One more, for a carriage return.
            if self.begun.len() > TEXT_ANSWER_BYTES + 1 {
                self.too_long = true;
                self.begun = Vec::new();
            }
            if is_complete {
                self.finish_line();
            }
        }
    }

    /// Takes keys of a begun line as a terminal does: some erase, Enter completes it. Returns what to echo.
    pub(super) fn push_keys(&mut self, keys: &[u8]) -> Vec<u8> {
        let mut echo = Vec::new();
        for key in keys {
            match *key {
                b'\r' | b'\n' => {
                    self.push(b"\n");
                    echo.push(b'\n');
                }
                BACKSPACE | DELETE => echo.extend(self.erase_after(self.last_char())),
                ERASE_LINE => echo.extend(self.erase_after(0)),
                ERASE_WORD => echo.extend(self.erase_after(self.last_word())),
                END if self.begun.is_empty() => self.end(),
                END => {}
                key => {
                    self.push(&[key]);
                    if !key.is_ascii_control() {
                        echo.push(key);
                    }
                }
            }
        }
        echo
    }

    /// Erases the begun line after a byte, and returns what erases it on the screen.
    fn erase_after(&mut self, at: usize) -> Vec<u8> {
        let text = String::from_utf8_lossy(&self.begun.split_off(at)).replace(char::is_control, "");
        b"\x08 \x08".repeat(display_width(&text))
    }

    /// Returns the place of the last character of the begun line.
    fn last_char(&self) -> usize {
        self.begun.iter().rposition(|byte| byte & 0xc0 != 0x80).unwrap_or_default()
    }

    /// Returns the place of the last word of the begun line.
    fn last_word(&self) -> usize {
        let end = self.begun.trim_ascii_end().len();
        match self.begun.iter().take(end).rposition(|byte| *byte == b' ') {
            Some(space) => space + 1,
            None => 0,
        }
    }

    /// Returns true if a line is begun.
    pub(super) fn is_begun(&self) -> bool {
        !self.begun.is_empty() || self.too_long
    }

    fn finish_line(&mut self) {
        let mut line = std::mem::take(&mut self.begun);
        if line.last() == Some(&b'\r') {
            line.pop();
        }
        let is_too_long = std::mem::take(&mut self.too_long) || line.len() > TEXT_ANSWER_BYTES;
        let event = match String::from_utf8(line) {
            _ if is_too_long => LineEvent::TooLong,
            Ok(text) => LineEvent::Line(text),
            Err(_) => LineEvent::InvalidUtf8,
        };
        self.lines.push_back(event);
    }

    /// Makes a line of the beginning of one, and returns true if there is a beginning.
    pub(super) fn finish_begun(&mut self) -> bool {
        let is_begun = self.is_begun();
        if is_begun {
            self.finish_line();
        }
        is_begun
    }

    /// Marks the end of the input: an unterminated line becomes the last one.
    pub(super) fn end(&mut self) {
        self.finish_begun();
        self.ended = true;
    }

    pub(super) fn has_ended(&self) -> bool {
        self.ended
    }

    /// Takes the next line, or the end after the last one.
    pub(super) fn take(&mut self) -> Option<LineEvent> {
        match self.lines.pop_front() {
            None if self.ended => Some(LineEvent::End),
            line => line,
        }
    }

    pub(super) fn take_line(&mut self) -> Option<LineEvent> {
        self.lines.pop_front()
    }

    pub(super) fn len(&self) -> usize {
        self.lines.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_lines(chunks: &[&[u8]]) -> Vec<LineEvent> {
        let mut buffer = LineBuffer::default();
        chunks.iter().for_each(|chunk| buffer.push(chunk));
        buffer.end();
        std::iter::from_fn(|| buffer.take_line()).collect()
    }

    fn line_event(text: &str) -> LineEvent {
        LineEvent::Line(text.to_owned())
    }

    #[test]
    fn chunk_boundaries_do_not_matter() {
        let text = "1\r\n你好\n\nlast";
        let whole = read_lines(&[text.as_bytes()]);
        assert_eq!(whole, [line_event("1"), line_event("你好"), line_event(""), line_event("last")]);
        let bytes: Vec<_> = text.as_bytes().chunks(1).collect();
        assert_eq!(read_lines(&bytes), whole);
    }

    #[test]
    fn invalid_utf8_line_is_reported() {
        assert_eq!(read_lines(&[b"\xff\xfe\nok\n"]), [LineEvent::InvalidUtf8, line_event("ok")]);
    }

    #[test]
    fn overlong_line_is_refused() {
        let most = vec![b'a'; TEXT_ANSWER_BYTES];
        assert_eq!(
            read_lines(&[&most, b"\r\nok"]),
            [line_event(std::str::from_utf8(&most).unwrap()), line_event("ok")]
        );
        assert_eq!(read_lines(&[&most, b"b\nok"]), [LineEvent::TooLong, line_event("ok")]);
        assert_eq!(read_lines(&[&most, &most, &most]), [LineEvent::TooLong]);
    }

    #[test]
    fn keys_of_a_begun_line_erase() {
        let erased = "\u{8} \u{8}";
        let cases = [
            ("ab\u{7f}c\r", "ac", format!("ab{erased}c\n")),
            ("\u{8}a\n", "a", "a\n".to_owned()),
            ("字\u{7f}好\r", "好", format!("字{erased}{erased}好\n")),
            ("n bad idea\u{17}\u{17}no\r", "n no", format!("n bad idea{}no\n", erased.repeat(8))),
            ("all\u{15}y\u{4}\r", "y", format!("all{}y\n", erased.repeat(3))),
        ];
        for (keys, line, echo) in cases {
            let mut buffer = LineBuffer::default();
            let echoed: Vec<u8> = keys.bytes().flat_map(|key| buffer.push_keys(&[key])).collect();
            assert_eq!(String::from_utf8(echoed).unwrap(), echo, "{keys:?}");
            assert_eq!(buffer.take(), Some(line_event(line)), "{keys:?}");
            assert!(!buffer.is_begun() && !buffer.has_ended());
        }
        let mut buffer = LineBuffer::default();
        buffer.push_keys(&[END]);
        assert_eq!(buffer.take(), Some(LineEvent::End));
    }

    #[test]
    fn end_follows_the_last_line() {
        let mut buffer = LineBuffer::default();
        buffer.push(b"a");
        assert_eq!(buffer.take(), None);
        buffer.end();
        assert_eq!(buffer.take(), Some(line_event("a")));
        assert_eq!(buffer.take(), Some(LineEvent::End));
    }
}
