//! Reader of server-sent events.

use sayso_core::limits;
use std::io::{BufRead as _, BufReader, Error, ErrorKind, Read, Result};
use std::time::Duration;

/// Server-sent event.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct SseEvent {
    pub(super) name: String,
    pub(super) id: Option<String>,
    pub(super) data: String,
}

/// Reader of the events of a stream.
pub(super) struct SseReader<R> {
    lines: BufReader<R>,
    /// Reconnection delay that the server asked for.
    pub(super) retry: Option<Duration>,
}

impl<R: Read> SseReader<R> {
    pub(super) fn new(stream: R) -> Self {
        Self { lines: BufReader::new(stream), retry: None }
    }

    /// Waits for the next event; `None` at the end of the stream.
    ///
    /// # Errors
    /// If the stream breaks off, or a line is not UTF-8 or too long.
    pub(super) fn next_event(&mut self) -> Result<Option<SseEvent>> {
        let mut event = SseEvent::default();
        let mut has_data = false;
        loop {
            let Some(line) = self.next_line()? else { return Ok(None) };
            if line.is_empty() {
                // An event without data is dropped, as the specification says.
                if has_data {
                    return Ok(Some(event));
                }
                event = SseEvent::default();
                continue;
            }
            let (field, value) = line.split_once(':').unwrap_or((&line, ""));
            let value = value.strip_prefix(' ').unwrap_or(value);
            match field {
                "event" => value.clone_into(&mut event.name),
                "id" if !value.contains('\0') => event.id = Some(value.to_owned()),
                "retry" => self.retry = value.parse().ok().map(Duration::from_millis).or(self.retry),
                "data" => {
                    if std::mem::replace(&mut has_data, true) {
                        event.data.push('\n');
                    }
                    event.data.push_str(value);
                }
                // A comment that keeps the connection alive, or an unknown field.
                _ => {}
            }
        }
    }

    /// Reads the next line without its end; `None` at the end of the stream, also in the middle of a line.
    fn next_line(&mut self) -> Result<Option<String>> {
        let mut line = Vec::new();
        (&mut self.lines).take(limits::EVENT_LINE_BYTES).read_until(b'\n', &mut line)?;
        if line.pop() != Some(b'\n') {
            let is_long = line.len() as u64 + 1 >= limits::EVENT_LINE_BYTES;
            return if is_long { Err(Error::from(ErrorKind::InvalidData)) } else { Ok(None) };
        }
        if line.last() == Some(&b'\r') {
            line.pop();
        }
        String::from_utf8(line).map(Some).map_err(|_| Error::from(ErrorKind::InvalidData))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(name: &str, id: Option<&str>, data: &str) -> SseEvent {
        SseEvent { name: name.to_owned(), id: id.map(str::to_owned), data: data.to_owned() }
    }

    #[test]
    fn events_are_split_from_comments() {
        let stream = ": \n\nretry: 1500\nevent: hello\nid: 0-1\ndata: {\"a\":\n\
                      data:1}\n\n:\n\nevent: nothing\n\nevent:change\r\nid:0-2\r\ndata: x\r\n\r\nevent: cut\ndata: y\n";
        let mut events = SseReader::new(stream.as_bytes());
        assert_eq!(events.next_event().unwrap(), Some(event("hello", Some("0-1"), "{\"a\":\n1}")));
        assert_eq!(events.retry, Some(Duration::from_millis(1500)));
        assert_eq!(events.next_event().unwrap(), Some(event("change", Some("0-2"), "x")));
        assert_eq!(events.next_event().unwrap(), None, "what was cut off is no event");
    }

    #[test]
    fn invalid_utf8_is_an_error() {
        assert!(SseReader::new([b'd', 0xff, b'\n'].as_slice()).next_event().is_err());
    }
}
