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
        let mut decoded = Vec::new();
        // A paste whose end was lost must not block the keyboard for ever: a lone ^C is never part of one.
        if self.is_pasting && bytes == [CTRL_C] {
            decoded.extend(self.end_paste(self.bytes.len(), 0));
        }
        self.bytes.extend_from_slice(bytes);
        self.decode(false, &mut decoded);
        decoded
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
        let mut decoded = Vec::new();
        if self.is_pasting {
            decoded.extend(self.paste_so_far());
        } else {
            self.decode(true, &mut decoded);
        }
        decoded
    }

    /// Drops the pending bytes.
    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }

    fn decode(&mut self, is_all: bool, decoded: &mut Vec<DecodedEvent>) {
        let mut at = 0;
        loop {
            if self.is_pasting {
                self.bytes.drain(..mem::take(&mut at));
                if !self.read_paste(decoded) {
                    return;
                }
            }
            match sequence::decode_first(self.bytes.get(at..).unwrap_or_default(), is_all) {
                FirstItem::Complete(length, text) => {
                    at += length;
                    decoded.extend(text);
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
    fn read_paste(&mut self, decoded: &mut Vec<DecodedEvent>) -> bool {
        let from = self.searched_bytes.saturating_sub(PASTE_END.len());
        let rest = self.bytes.get(from..).unwrap_or_default();
        let found = rest.windows(PASTE_END.len()).position(|window| window == PASTE_END);
        if let Some(at) = found {
            decoded.extend(self.end_paste(from + at, PASTE_END.len()));
        } else {
            self.searched_bytes = self.bytes.len();
            if self.bytes.len() > limits::TEXT_ANSWER_BYTES {
                decoded.extend(self.paste_so_far());
            }
        }
        found.is_some()
    }

    /// Ends a paste of this many bytes, which an end mark of `mark` bytes follows.
    fn end_paste(&mut self, length: usize, mark: usize) -> Option<DecodedEvent> {
        let decoded = self.take_paste(length);
        self.bytes.drain(..mark);
        self.is_pasting = false;
        decoded
    }

    /// Returns the paste so far, without a partial character or a partial end mark.
    fn paste_so_far(&mut self) -> Option<DecodedEvent> {
        let bytes = &self.bytes;
        let mark = (1..PASTE_END.len())
            .rev()
            .find(|length| PASTE_END.get(..*length).is_some_and(|beginning| bytes.ends_with(beginning)));
        let text = bytes.get(..bytes.len() - mark.unwrap_or(0)).unwrap_or_default();
        let half = (1..4).find(|length| {
            let tail = text.len().checked_sub(*length).and_then(|from| text.get(from..));
            tail.is_some_and(is_partial_char)
        });
        self.take_paste(text.len() - half.unwrap_or(0))
    }

    fn take_paste(&mut self, length: usize) -> Option<DecodedEvent> {
        let text = String::from_utf8_lossy(self.bytes.get(..length).unwrap_or_default()).into_owned();
        self.bytes.drain(..length);
        self.searched_bytes = 0;
        (!text.is_empty()).then_some(DecodedEvent::Input(InputEvent::Paste(text)))
    }
}

/// Returns whether these bytes are an incomplete UTF-8 character.
fn is_partial_char(bytes: &[u8]) -> bool {
    str::from_utf8(bytes).is_err_and(|error| error.valid_up_to() == 0 && error.error_len().is_none())
}
