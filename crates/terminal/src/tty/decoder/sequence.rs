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
    fn with_prefix(self, prefix: usize) -> Self {
        match self {
            Self::Complete(length, event) => Self::Complete(length + prefix, event),
            Self::PasteStart(length) => Self::PasteStart(length + prefix),
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
    let item = match bytes {
        [] => return FirstItem::Partial,
        [ESC, rest @ ..] => decode_escape(rest).with_prefix(1),
        _ => decode_character(bytes),
    };
    if item != FirstItem::Partial || (!is_all && bytes.len() < SEQUENCE_BYTES) {
        return item;
    }
    match bytes {
        [ESC] | [ESC, ESC] => FirstItem::from_key(1, Some(Key::plain(KeyCode::Esc))),
        [ESC, letter @ b' '..0x7f] => FirstItem::from_key(2, Some(Key::alt((*letter).into()))),
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
    // The bytes after the first character may be half of another one.
    let Some(valid) = head.utf8_chunks().next() else { return FirstItem::Partial };
    let Some(c) = valid.valid().chars().next() else {
        return match str::from_utf8(head) {
            Err(error) if let Some(length) = error.error_len() => FirstItem::Complete(length, None),
            _ => FirstItem::Partial,
        };
    };
    let key = if c.is_control() { None } else { Some(Key::plain(KeyCode::Char(c))) };
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
    let Some(at) = bytes.iter().position(|byte| !matches!(byte, 0x20..0x40)) else {
        return FirstItem::Partial;
    };
    let (parameters, rest) = bytes.split_at(at);
    match rest.first() {
        Some(final_byte @ 0x40..0x7f) => {
            CsiSequence::new(parameters, *final_byte).decode().with_prefix(at + 1)
        }
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
    const fn new(parameters: &'b [u8], final_byte: u8) -> Self {
        match parameters {
            [mark @ b'<'..=b'?', numbers @ ..] => Self { mark: *mark, numbers, final_byte },
            numbers => Self { mark: 0, numbers, final_byte },
        }
    }

    /// Returns a number by its parameter and sub-parameter index.
    fn parameter(&self, index: usize, sub_index: usize) -> Option<u32> {
        let numbers = str::from_utf8(self.numbers).ok()?;
        let digits = numbers.split(';').nth(index)?.split(':').nth(sub_index)?;
        digits.parse().ok()
    }

    /// Decodes the sequence; the caller adds its length.
    fn decode(&self) -> FirstItem {
        if (self.mark, self.final_byte) == (0, b'~') && self.parameter(0, 0) == Some(200) {
            return FirstItem::PasteStart(0);
        }
        let input = match (self.mark, self.final_byte) {
            (0, b'I') => Some(InputEvent::Focus(true)),
            (0, b'O') => Some(InputEvent::Focus(false)),
            (0, _) => self.key().map(InputEvent::Key),
            (b'<', b'M') => self.mouse().map(InputEvent::Mouse),
            (b'?', b'c') => return FirstItem::Complete(0, Some(DecodedEvent::QueryReply)),
            _ => None,
        };
        FirstItem::Complete(0, input.map(DecodedEvent::Input))
    }

    fn key(&self) -> Option<Key> {
        let modifiers = KeyModifiers::from_parameter(self.parameter(1, 0).unwrap_or(1));
        let (code, modifiers) = match (self.final_byte, self.parameter(0, 0)) {
            (b'u', Some(code)) => self.decode_unicode_key(code, modifiers)?,
            (b'~', Some(27)) => (keys::from_code_point(self.parameter(2, 0)?)?, modifiers),
            (b'~', Some(number)) => (keys::from_tilde_number(number)?, modifiers),
            (b'~' | b'u', None) => return None,
            // An old mouse encoding.
            (b'M', _) => return None,
            (letter, _) => (keys::from_final_letter(letter)?, modifiers),
        };
        let key = modifiers.to_key(code)?;
        // Kitty's event types: a press (1 or none), a repeat and a release.
        match self.parameter(1, 1) {
            Some(2) => Some(Key { repeat: true, ..key }),
            Some(3) => None,
            _ => Some(key),
        }
    }

    /// Returns the key of `CSI code:shifted:base ; … u`, and the modifiers that its character does not imply.
    fn decode_unicode_key(&self, code: u32, modifiers: KeyModifiers) -> Option<(KeyCode, KeyModifiers)> {
        // A shortcut uses the key's position on a Latin keyboard.
        if (modifiers.ctrl || modifiers.alt)
            && code > 0x7f
            && let Some(base) = self.parameter(0, 2)
        {
            return Some((keys::from_code_point(base)?, modifiers));
        }
        if modifiers.shift
            && let Some(shifted_code) = self.parameter(0, 1)
            && let Some(KeyCode::Char(c)) = keys::from_code_point(shifted_code)
            && !c.is_alphabetic()
        {
            return Some((KeyCode::Char(c), KeyModifiers { shift: false, ..modifiers }));
        }
        Some((keys::from_code_point(code)?, modifiers))
    }

    fn mouse(&self) -> Option<MouseEvent> {
        // Without shift, alt and control.
        let kind = match self.parameter(0, 0)? & !(4 | 8 | 16) {
            0 => MouseKind::Press,
            64 => MouseKind::WheelUp,
            65 => MouseKind::WheelDown,
            _ => return None,
        };
        Some(MouseEvent { kind, column: self.coordinate(1)?, row: self.coordinate(2)? })
    }

    /// Returns a column or a row, which the terminal counts from 1.
    fn coordinate(&self, index: usize) -> Option<u16> {
        u16::try_from(self.parameter(index, 0)?.checked_sub(1)?).ok()
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
    let background = background::parse_reply(bytes.get(1..at).unwrap_or_default());
    FirstItem::Complete(length, background.map(|dark| DecodedEvent::Background { dark }))
}
