//! One key or escape sequence at the start of a buffer.

use super::keys::{self, KeyModifiers};
use super::{DecodedEvent, ESC};
use crate::tty::background;
use crate::tty::{InputEvent, Key, KeyCode, MouseEvent, MouseKind};
use std::str;

/// Maximum length of the known escape sequences.
const SEQUENCE_BYTES: usize = 1 << 10;

/// Item at the start of the buffer.
#[derive(Debug, PartialEq)]
pub(super) enum FirstItem {
    /// Its length, and its event.
    Complete(usize, Option<DecodedEvent>),
    /// Its length; a paste follows.
    PasteStart(usize),
    /// An incomplete sequence.
    Partial,
}

impl FirstItem {
    const fn from_key(length: usize, key: Option<Key>) -> Self {
        match key {
            Some(key) => Self::Complete(length, Some(DecodedEvent::Input(InputEvent::Key(key)))),
            None => Self::Complete(length, None),
        }
    }

    /// Adds a prefix of this many bytes.
    fn with_prefix(self, before: usize) -> Self {
        match self {
            Self::Complete(length, decoded) => Self::Complete(length + before, decoded),
            Self::PasteStart(length) => Self::PasteStart(length + before),
            Self::Partial => Self::Partial,
        }
    }

    /// Adds the alt modifier to a key.
    fn with_alt(self) -> Self {
        match self {
            Self::Complete(length, Some(DecodedEvent::Input(InputEvent::Key(key)))) => {
                Self::from_key(length, Some(Key { alt: true, ..key }))
            }
            other => other,
        }
    }
}

/// Decodes the start of the buffer. `is_all`: no further bytes belong to it.
pub(super) fn decode_first(bytes: &[u8], is_all: bool) -> FirstItem {
    let found = match bytes {
        [] => return FirstItem::Partial,
        [ESC, rest @ ..] => decode_escape(rest).with_prefix(1),
        _ => decode_character(bytes),
    };
    if found != FirstItem::Partial || (!is_all && bytes.len() < SEQUENCE_BYTES) {
        return found;
    }
    match bytes {
        [ESC] | [ESC, ESC] => FirstItem::from_key(1, Some(Key::plain(KeyCode::Esc))),
        [ESC, typed @ b' '..0x7f] => {
            FirstItem::from_key(2, Some(Key::plain(KeyCode::Char((*typed).into())))).with_alt()
        }
        _ => FirstItem::Complete(bytes.len(), None),
    }
}

/// Decodes the bytes after an ESC.
fn decode_escape(rest: &[u8]) -> FirstItem {
    match rest {
        [] | [b'[' | b'O' | b']' | ESC] => FirstItem::Partial,
        [b'[', rest @ ..] => decode_csi(rest).with_prefix(1),
        [b'O', letter, ..] => FirstItem::from_key(2, keys::from_final_letter(*letter).map(Key::plain)),
        [b']', b'0'..=b'9', ..] => decode_osc(rest),
        // Alt and an arrow key, as some terminals encode it.
        [ESC, b'[' | b'O', ..] => decode_escape(rest.get(1..).unwrap_or_default()).with_alt().with_prefix(1),
        [ESC, ..] => FirstItem::from_key(0, Some(Key::plain(KeyCode::Esc))),
        _ => decode_character(rest).with_alt(),
    }
}

/// Decodes a character, or a key of one byte.
fn decode_character(bytes: &[u8]) -> FirstItem {
    let Some(byte) = bytes.first() else { return FirstItem::Partial };
    if byte.is_ascii_control() {
        return FirstItem::from_key(1, keys::from_control_byte(*byte));
    }
    let head = bytes.get(..4).unwrap_or(bytes);
    let text = match str::from_utf8(head) {
        Ok(text) => text,
        Err(error) if error.valid_up_to() > 0 => {
            head.get(..error.valid_up_to()).and_then(|valid| str::from_utf8(valid).ok()).unwrap_or_default()
        }
        Err(error) => {
            return error.error_len().map_or(FirstItem::Partial, |wrong| FirstItem::Complete(wrong, None));
        }
    };
    let Some(c) = text.chars().next() else { return FirstItem::Partial };
    let key = (!c.is_control()).then(|| Key::plain(KeyCode::Char(c)));
    FirstItem::from_key(c.len_utf8(), key)
}

/// Decodes the bytes after `ESC [`.
fn decode_csi(bytes: &[u8]) -> FirstItem {
    match bytes {
        // Function keys of the Linux console.
        [b'[', letter @ b'A'..=b'E', ..] => {
            return FirstItem::from_key(2, Some(Key::plain(KeyCode::F(letter - b'A' + 1))));
        }
        [b'['] => return FirstItem::Partial,
        // X10 mouse encoding of terminals without SGR mode.
        [b'M', _, _, _, ..] => return FirstItem::Complete(4, None),
        [b'M', ..] => return FirstItem::Partial,
        _ => {}
    }
    let is_inside = |byte: &u8| matches!(byte, 0x20..0x40);
    let Some(at) = bytes.iter().position(|byte| !is_inside(byte)) else { return FirstItem::Partial };
    let (inside, last) = bytes.split_at(at);
    match last.first() {
        Some(last @ 0x40..0x7f) => CsiSequence::new(inside, *last).decode().with_prefix(at + 1),
        // Aborted sequence: the next byte begins another one.
        _ => FirstItem::Complete(at, None),
    }
}

/// A control sequence: `?1;2:3u` has the mark `?`, the numbers 1, 2 and 3, and the final byte `u`.
struct CsiSequence<'b> {
    mark: u8,
    numbers: &'b [u8],
    final_byte: u8,
}

impl<'b> CsiSequence<'b> {
    const fn new(inside: &'b [u8], last: u8) -> Self {
        match inside {
            [mark @ b'<'..=b'?', numbers @ ..] => Self { mark: *mark, numbers, final_byte: last },
            numbers => Self { mark: 0, numbers, final_byte: last },
        }
    }

    /// Returns a number by its parameter and sub-parameter index.
    fn parameter(&self, at: usize, under: usize) -> Option<u32> {
        let parts = self.numbers.split(|byte| *byte == b';').nth(at)?;
        let digits = parts.split(|byte| *byte == b':').nth(under)?;
        str::from_utf8(digits).ok()?.parse().ok()
    }

    /// Decodes the sequence; the caller adds its length.
    fn decode(&self) -> FirstItem {
        if (self.mark, self.final_byte) == (0, b'~') && self.parameter(0, 0) == Some(200) {
            return FirstItem::PasteStart(0);
        }
        let decoded = match (self.mark, self.final_byte) {
            (0, b'I') => Some(DecodedEvent::Input(InputEvent::Focus(true))),
            (0, b'O') => Some(DecodedEvent::Input(InputEvent::Focus(false))),
            (0, _) => self.key().map(|key| DecodedEvent::Input(InputEvent::Key(key))),
            (b'<', b'M') => self.mouse().map(|mouse| DecodedEvent::Input(InputEvent::Mouse(mouse))),
            (b'?', b'c') => Some(DecodedEvent::QueryReply),
            _ => None,
        };
        FirstItem::Complete(0, decoded)
    }

    fn key(&self) -> Option<Key> {
        let held = KeyModifiers::from_parameter(self.parameter(1, 0).unwrap_or(1));
        let (code, held) = match (self.final_byte, self.parameter(0, 0)) {
            (b'u', Some(code)) => self.decode_unicode_key(code, held)?,
            (b'~', Some(27)) => (keys::from_code_point(self.parameter(2, 0)?)?, held),
            (b'~', Some(number)) => (keys::from_tilde_number(number)?, held),
            (b'~' | b'u', None) => return None,
            // An old mouse encoding.
            (b'M', _) => return None,
            (letter, _) => (keys::from_final_letter(letter)?, held),
        };
        match self.parameter(1, 1) {
            Some(3) => None,
            event => held.to_key(code).map(|key| Key { repeat: event == Some(2), ..key }),
        }
    }

    /// Returns the key of `CSI code:shifted:base ; … u`, and the modifiers that its character does not imply.
    fn decode_unicode_key(&self, code: u32, held: KeyModifiers) -> Option<(KeyCode, KeyModifiers)> {
        let base = self.parameter(0, 2).filter(|_| held.ctrl || held.alt);
        // A shortcut uses the key's position on a Latin keyboard.
        if let Some(base) = base.filter(|_| code > 0x7f) {
            return Some((keys::from_code_point(base)?, held));
        }
        match self.parameter(0, 1).filter(|_| held.shift).and_then(keys::from_code_point) {
            Some(KeyCode::Char(c)) if !c.is_alphabetic() => {
                Some((KeyCode::Char(c), KeyModifiers { shift: false, ..held }))
            }
            _ => Some((keys::from_code_point(code)?, held)),
        }
    }

    fn mouse(&self) -> Option<MouseEvent> {
        // Without shift, alt and control.
        let kind = match self.parameter(0, 0)? & !(4 | 8 | 16) {
            0 => MouseKind::Press,
            64 => MouseKind::WheelUp,
            65 => MouseKind::WheelDown,
            _ => return None,
        };
        let place =
            |at| self.parameter(at, 0).and_then(|from_one| u16::try_from(from_one.checked_sub(1)?).ok());
        Some(MouseEvent { kind, column: place(1)?, row: place(2)? })
    }
}

/// Decodes an operating system command (OSC): the terminal's reply to a query. `bytes` begin with its `]`.
fn decode_osc(bytes: &[u8]) -> FirstItem {
    const BEL: u8 = 7;
    let Some(at) = bytes.iter().position(|byte| matches!(*byte, BEL | ESC)) else {
        return FirstItem::Partial;
    };
    let length = match (bytes.get(at), bytes.get(at + 1)) {
        (Some(&BEL), _) => at + 1,
        (_, Some(b'\\')) => at + 2,
        (_, None) => return FirstItem::Partial,
        // Aborted sequence.
        _ => return FirstItem::Complete(at, None),
    };
    let text = bytes.get(1..at).unwrap_or_default();
    FirstItem::Complete(length, background::parse_reply(text).map(|dark| DecodedEvent::Background { dark }))
}
