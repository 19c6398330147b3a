//! Decoder of terminal input: bytes to events. It does no I/O and takes chunks of any size.

mod keys;
mod sequence;
#[cfg(test)]
mod tests;

use crate::tty::InputEvent;
use sayso_core::limits;
use sequence::FirstItem;
use std::mem;
use std::time::Duration;

/// Longest pause between an ESC and the rest of its sequence. After that it was the Esc key.
const KEY_TIMEOUT: Duration = Duration::from_millis(25);
/// Longest pause within a longer sequence, which no person types.
const SEQUENCE_TIMEOUT: Duration = Duration::from_millis(250);
/// Longest pause within a paste. After that the part received so far is passed on.
const PASTE_TIMEOUT: Duration = Duration::from_secs(1);

const PASTE_END: &[u8] = b"\x1b[201~";
const CTRL_C: u8 = 3;
const ESC: u8 = 0x1b;

/// A decoded event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum DecodedEvent {
    /// Input of the person.
    Input(InputEvent),
    /// Reply to the background query.
    Background {
        /// The background is dark.
        dark: bool,
    },
    /// Reply to the last query.
    QueryReply,
}

/// Decoder of a terminal's input.
#[derive(Debug, Default)]
pub(super) struct Decoder {
    /// Bytes of an incomplete sequence or paste.
    bytes: Vec<u8>,
    is_pasting: bool,
    /// Number of bytes of the paste that were searched for its end.
    searched_bytes: usize,
}

impl Decoder {
    /// Decodes these bytes, after those that came before.
    pub(super) fn feed(&mut self, bytes: &[u8]) -> Vec<DecodedEvent> {
        let mut events = Vec::new();
        // A paste whose end was lost must not block the keyboard for ever: a lone ^C is never part of one.
        if self.is_pasting && bytes == [CTRL_C] {
            events.extend(self.end_paste(self.bytes.len(), 0));
        }
        self.bytes.extend_from_slice(bytes);
        self.decode(false, &mut events);
        events
    }

    /// Returns the timeout for the rest of an incomplete sequence; `None` if none is pending.
    pub(super) fn timeout(&self) -> Option<Duration> {
        match *self.bytes {
            [] => None,
            _ if self.is_pasting => Some(PASTE_TIMEOUT),
            [ESC] | [ESC, ESC] => Some(KEY_TIMEOUT),
            _ => Some(SEQUENCE_TIMEOUT),
        }
    }

    /// Decodes the pending bytes as if nothing followed.
    pub(super) fn flush(&mut self) -> Vec<DecodedEvent> {
        let mut events = Vec::new();
        if self.is_pasting {
            events.extend(self.paste_so_far());
        } else {
            self.decode(true, &mut events);
        }
        events
    }

    /// Drops the pending bytes.
    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }

    fn decode(&mut self, is_all: bool, events: &mut Vec<DecodedEvent>) {
        let mut at = 0;
        loop {
            if self.is_pasting {
                self.bytes.drain(..mem::take(&mut at));
                if !self.read_paste(events) {
                    return;
                }
            }
            match sequence::decode_first(self.bytes.get(at..).unwrap_or_default(), is_all) {
                FirstItem::Complete(length, event) => {
                    at += length;
                    events.extend(event);
                }
                FirstItem::PasteStart(length) => {
                    at += length;
                    self.is_pasting = true;
                }
                FirstItem::Partial => break,
            }
        }
        self.bytes.drain(..at);
    }

    /// Reads a paste and returns whether its end was found.
    fn read_paste(&mut self, events: &mut Vec<DecodedEvent>) -> bool {
        // The end may have begun before the bytes that are new.
        let from = self.searched_bytes.saturating_sub(PASTE_END.len());
        let rest = self.bytes.get(from..).unwrap_or_default();
        if let Some(at) = rest.windows(PASTE_END.len()).position(|window| window == PASTE_END) {
            events.extend(self.end_paste(from + at, PASTE_END.len()));
            return true;
        }
        self.searched_bytes = self.bytes.len();
        if self.bytes.len() > limits::TEXT_ANSWER_BYTES {
            events.extend(self.paste_so_far());
        }
        false
    }

    /// Ends a paste of this many bytes, which an end mark of `mark` bytes follows.
    fn end_paste(&mut self, length: usize, mark: usize) -> Option<DecodedEvent> {
        let event = self.take_paste(length);
        self.bytes.drain(..mark);
        self.is_pasting = false;
        event
    }

    /// Returns the paste so far, without a partial character or a partial end mark.
    fn paste_so_far(&mut self) -> Option<DecodedEvent> {
        let mut end = self.bytes.len();
        for length in (1..PASTE_END.len()).rev() {
            if let Some(beginning) = PASTE_END.get(..length)
                && self.bytes.ends_with(beginning)
            {
                end -= length;
                break;
            }
        }
        // A character has at most four bytes.
        for length in 1..4 {
            if let Some(start) = end.checked_sub(length)
                && self.bytes.get(start..end).is_some_and(is_partial_char)
            {
                end = start;
                break;
            }
        }
        self.take_paste(end)
    }

    fn take_paste(&mut self, length: usize) -> Option<DecodedEvent> {
        let text = String::from_utf8_lossy(self.bytes.get(..length).unwrap_or_default()).into_owned();
        self.bytes.drain(..length);
        self.searched_bytes = 0;
        if text.is_empty() { None } else { Some(DecodedEvent::Input(InputEvent::Paste(text))) }
    }
}

/// Returns whether these bytes are an incomplete UTF-8 character.
fn is_partial_char(bytes: &[u8]) -> bool {
    match str::from_utf8(bytes) {
        Ok(_) => false,
        Err(error) => error.valid_up_to() == 0 && error.error_len().is_none(),
    }
}
