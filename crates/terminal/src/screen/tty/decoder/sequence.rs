//! One key or escape sequence at the start of a buffer.

use super::keys::{self, Held};
use super::{ESC, Told};
use crate::screen::tty::background;
use crate::screen::{Input, Key, KeyCode, Mouse, MouseKind};
use std::str;

/// Maximum length of the known escape sequences.
const SEQUENCE_BYTES: usize = 1 << 10;

/// Item at the start of the buffer.
#[derive(Debug, PartialEq)]
pub(super) enum First {
    /// Its length, and its event.
    Whole(usize, Option<Told>),
    /// Its length; a paste follows.
    Paste(usize),
    /// An incomplete sequence.
    Partial,
}

impl First {
    const fn key(length: usize, key: Option<Key>) -> Self {
        match key {
            Some(key) => Self::Whole(length, Some(Told::Input(Input::Key(key)))),
            None => Self::Whole(length, None),
        }
    }

    /// Adds a prefix of this many bytes.
    fn after(self, before: usize) -> Self {
        match self {
            Self::Whole(length, decoded) => Self::Whole(length + before, decoded),
            Self::Paste(length) => Self::Paste(length + before),
            Self::Partial => Self::Partial,
        }
    }

    /// Adds the alt modifier to a key.
    fn with_alt(self) -> Self {
        match self {
            Self::Whole(length, Some(Told::Input(Input::Key(key)))) => {
                Self::key(length, Some(Key { alt: true, ..key }))
            }
            other => other,
        }
    }
}

/// Decodes the start of the buffer. `is_all`: no further bytes belong to it.
pub(super) fn first(bytes: &[u8], is_all: bool) -> First {
    let found = match bytes {
        [] => return First::Partial,
        [ESC, rest @ ..] => escaped(rest).after(1),
        _ => letter(bytes),
    };
    if found != First::Partial || (!is_all && bytes.len() < SEQUENCE_BYTES) {
        return found;
    }
    match bytes {
        [ESC] | [ESC, ESC] => First::key(1, Some(Key::plain(KeyCode::Esc))),
        [ESC, typed @ b' '..0x7f] => {
            First::key(2, Some(Key::plain(KeyCode::Char((*typed).into())))).with_alt()
        }
        _ => First::Whole(bytes.len(), None),
    }
}

/// Decodes the bytes after an ESC.
fn escaped(rest: &[u8]) -> First {
    match rest {
        [] | [b'[' | b'O' | b']' | ESC] => First::Partial,
        [b'[', rest @ ..] => control(rest).after(1),
        [b'O', letter, ..] => First::key(2, keys::of_letter(*letter).map(Key::plain)),
        [b']', b'0'..=b'9', ..] => command(rest),
        // Alt and an arrow key, as some terminals encode it.
        [ESC, b'[' | b'O', ..] => escaped(rest.get(1..).unwrap_or_default()).with_alt().after(1),
        [ESC, ..] => First::key(0, Some(Key::plain(KeyCode::Esc))),
        _ => letter(rest).with_alt(),
    }
}

/// Decodes a character, or a key of one byte.
fn letter(bytes: &[u8]) -> First {
    let Some(byte) = bytes.first() else { return First::Partial };
    if byte.is_ascii_control() {
        return First::key(1, keys::of_control(*byte));
    }
    let head = bytes.get(..4).unwrap_or(bytes);
    let text = match str::from_utf8(head) {
        Ok(text) => text,
        Err(error) if error.valid_up_to() > 0 => {
            head.get(..error.valid_up_to()).and_then(|valid| str::from_utf8(valid).ok()).unwrap_or_default()
        }
        Err(error) => {
            return error.error_len().map_or(First::Partial, |wrong| First::Whole(wrong, None));
        }
    };
    let Some(c) = text.chars().next() else { return First::Partial };
    let key = (!c.is_control()).then(|| Key::plain(KeyCode::Char(c)));
    First::key(c.len_utf8(), key)
}

/// Decodes the bytes after `ESC [`.
fn control(bytes: &[u8]) -> First {
    match bytes {
        // Function keys of the Linux console.
        [b'[', letter @ b'A'..=b'E', ..] => {
            return First::key(2, Some(Key::plain(KeyCode::F(letter - b'A' + 1))));
        }
        [b'['] => return First::Partial,
        // X10 mouse encoding of terminals without SGR mode.
        [b'M', _, _, _, ..] => return First::Whole(4, None),
        [b'M', ..] => return First::Partial,
        _ => {}
    }
    let is_inside = |byte: &u8| matches!(byte, 0x20..0x40);
    let Some(at) = bytes.iter().position(|byte| !is_inside(byte)) else { return First::Partial };
    let (inside, last) = bytes.split_at(at);
    match last.first() {
        Some(last @ 0x40..0x7f) => Control::of(inside, *last).read().after(at + 1),
        // Aborted sequence: the next byte begins another one.
        _ => First::Whole(at, None),
    }
}

/// A control sequence: `?1;2:3u` has the mark `?`, the numbers 1, 2 and 3, and the final byte `u`.
struct Control<'b> {
    mark: u8,
    numbers: &'b [u8],
    last: u8,
}

impl<'b> Control<'b> {
    const fn of(inside: &'b [u8], last: u8) -> Self {
        match inside {
            [mark @ b'<'..=b'?', numbers @ ..] => Self { mark: *mark, numbers, last },
            numbers => Self { mark: 0, numbers, last },
        }
    }

    /// Returns a number by its parameter and sub-parameter index.
    fn number(&self, at: usize, under: usize) -> Option<u32> {
        let parts = self.numbers.split(|byte| *byte == b';').nth(at)?;
        let digits = parts.split(|byte| *byte == b':').nth(under)?;
        str::from_utf8(digits).ok()?.parse().ok()
    }

    /// Decodes the sequence; the caller adds its length.
    fn read(&self) -> First {
        if (self.mark, self.last) == (0, b'~') && self.number(0, 0) == Some(200) {
            return First::Paste(0);
        }
        let decoded = match (self.mark, self.last) {
            (0, b'I') => Some(Told::Input(Input::Focus(true))),
            (0, b'O') => Some(Told::Input(Input::Focus(false))),
            (0, _) => self.key().map(|key| Told::Input(Input::Key(key))),
            (b'<', b'M') => self.mouse().map(|mouse| Told::Input(Input::Mouse(mouse))),
            (b'?', b'c') => Some(Told::Answered),
            _ => None,
        };
        First::Whole(0, decoded)
    }

    fn key(&self) -> Option<Key> {
        let held = Held::of(self.number(1, 0).unwrap_or(1));
        let (code, held) = match (self.last, self.number(0, 0)) {
            (b'u', Some(code)) => self.unicode(code, held)?,
            (b'~', Some(27)) => (keys::of_code(self.number(2, 0)?)?, held),
            (b'~', Some(number)) => (keys::of_number(number)?, held),
            (b'~' | b'u', None) => return None,
            // An old mouse encoding.
            (b'M', _) => return None,
            (letter, _) => (keys::of_letter(letter)?, held),
        };
        match self.number(1, 1) {
            Some(3) => None,
            event => held.with(code).map(|key| Key { repeat: event == Some(2), ..key }),
        }
    }

    /// Returns the key of `CSI code:shifted:base ; … u`, and the modifiers that its character does not imply.
    fn unicode(&self, code: u32, held: Held) -> Option<(KeyCode, Held)> {
        let base = self.number(0, 2).filter(|_| held.ctrl || held.alt);
        // A shortcut uses the key's position on a Latin keyboard.
        if let Some(base) = base.filter(|_| code > 0x7f) {
            return Some((keys::of_code(base)?, held));
        }
        match self.number(0, 1).filter(|_| held.shift).and_then(keys::of_code) {
            Some(KeyCode::Char(c)) if !c.is_alphabetic() => {
                Some((KeyCode::Char(c), Held { shift: false, ..held }))
            }
            _ => Some((keys::of_code(code)?, held)),
        }
    }

    fn mouse(&self) -> Option<Mouse> {
        // Without shift, alt and control.
        let kind = match self.number(0, 0)? & !(4 | 8 | 16) {
            0 => MouseKind::Press,
            64 => MouseKind::WheelUp,
            65 => MouseKind::WheelDown,
            _ => return None,
        };
        let place = |at| self.number(at, 0).and_then(|from_one| u16::try_from(from_one.checked_sub(1)?).ok());
        Some(Mouse { kind, column: place(1)?, row: place(2)? })
    }
}

/// Decodes an operating system command (OSC): the terminal's reply to a query. `bytes` begin with its `]`.
fn command(bytes: &[u8]) -> First {
    const BEL: u8 = 7;
    let Some(at) = bytes.iter().position(|byte| matches!(*byte, BEL | ESC)) else { return First::Partial };
    let length = match (bytes.get(at), bytes.get(at + 1)) {
        (Some(&BEL), _) => at + 1,
        (_, Some(b'\\')) => at + 2,
        (_, None) => return First::Partial,
        // Aborted sequence.
        _ => return First::Whole(at, None),
    };
    let said = bytes.get(1..at).unwrap_or_default();
    First::Whole(length, background::answered(said).map(|dark| Told::Background { dark }))
}
