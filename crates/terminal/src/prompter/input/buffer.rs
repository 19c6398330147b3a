//! Buffer that splits bytes into lines.

use super::LineEvent;
use sayso_core::limits::TEXT_ANSWER_BYTES;
use std::collections::VecDeque;

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
            let (text, complete) = piece.strip_suffix(b"\n").map_or((piece, false), |text| (text, true));
            if !self.too_long {
                self.begun.extend_from_slice(text);
            }
            // One more, for a carriage return.
            if self.begun.len() > TEXT_ANSWER_BYTES + 1 {
                self.too_long = true;
                self.begun = Vec::new();
            }
            if complete {
                self.finish_line();
            }
        }
    }

    fn finish_line(&mut self) {
        let mut line = std::mem::take(&mut self.begun);
        if line.last() == Some(&b'\r') {
            line.pop();
        }
        self.lines.push_back(if std::mem::take(&mut self.too_long) || line.len() > TEXT_ANSWER_BYTES {
            LineEvent::TooLong
        } else {
            String::from_utf8(line).map_or(LineEvent::InvalidUtf8, LineEvent::Line)
        });
    }

    /// Makes a line of the beginning of one, and returns true if there is a beginning.
    pub(super) fn finish_begun(&mut self) -> bool {
        let is_begun = !self.begun.is_empty() || self.too_long;
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
        self.lines.pop_front().or_else(|| self.ended.then_some(LineEvent::End))
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
    fn end_follows_the_last_line() {
        let mut buffer = LineBuffer::default();
        buffer.push(b"a");
        assert_eq!(buffer.take(), None);
        buffer.end();
        assert_eq!(buffer.take(), Some(line_event("a")));
        assert_eq!(buffer.take(), Some(LineEvent::End));
    }
}
