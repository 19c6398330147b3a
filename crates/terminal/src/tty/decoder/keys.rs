//! Key codes of control bytes and escape sequences.

use crate::tty::{Key, KeyCode};

/// Modifiers as terminals encode them: one more than the sum of the bits.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct KeyModifiers {
    pub(super) shift: bool,
    pub(super) alt: bool,
    pub(super) ctrl: bool,
    /// A modifier of the desktop (super, hyper): its keys are not input for us.
    pub(super) is_system: bool,
}

impl KeyModifiers {
    pub(super) const fn from_parameter(number: u32) -> Self {
        let bits = number.saturating_sub(1);
        // Meta is the name of alt on old keyboards.
        Self {
            shift: bits & 1 != 0,
            alt: bits & (2 | 32) != 0,
            ctrl: bits & 4 != 0,
            is_system: bits & (8 | 16) != 0,
        }
    }

    /// Returns a key with these modifiers; `None` if the key belongs to the desktop.
    pub(super) fn to_key(self, code: KeyCode) -> Option<Key> {
        if self.is_system {
            return None;
        }
        Some(normalize(Key { code, ctrl: self.ctrl, alt: self.alt, shift: self.shift, repeat: false }))
    }
}

/// Normalizes a key: keys that old terminals cannot tell apart are one key in all terminals.
fn normalize(key: Key) -> Key {
    match key.code {
        KeyCode::Tab if key.shift => Key { code: KeyCode::BackTab, shift: false, ..key },
        KeyCode::BackTab => Key { shift: false, ..key },
        KeyCode::Char(c) if key.ctrl => match c.to_ascii_lowercase() {
            'm' => Key { code: KeyCode::Enter, ctrl: false, ..key },
            'i' => normalize(Key { code: KeyCode::Tab, ctrl: false, ..key }),
            '[' | '3' => Key { code: KeyCode::Esc, ctrl: false, ..key },
            'h' | '8' => Key { code: KeyCode::Backspace, ctrl: false, ..key },
            '/' | '7' => Key { code: KeyCode::Char('_'), shift: false, ..key },
            '-' if key.shift => Key { code: KeyCode::Char('_'), shift: false, ..key },
            c if c.is_alphabetic() => Key { code: KeyCode::Char(c), ..key },
            c => Key { code: KeyCode::Char(c), shift: false, ..key },
        },
        KeyCode::Char(c) if key.shift => {
            let mut upper = c.to_uppercase();
            let letter = if upper.len() == 1 { upper.next().unwrap_or(c) } else { c };
            Key { code: KeyCode::Char(letter), shift: false, ..key }
        }
        _ => key,
    }
}

/// Returns the key that sends this byte; `None` for a byte that no key sends.
pub(super) fn from_control_byte(byte: u8) -> Option<Key> {
    Some(match byte {
        b'\r' => Key::plain(KeyCode::Enter),
        b'\t' => Key::plain(KeyCode::Tab),
        0x1b => Key::plain(KeyCode::Esc),
        0x08 | 0x7f => Key::plain(KeyCode::Backspace),
        0 => Key::ctrl(' '),
        1..0x1b => Key::ctrl((byte | 0x60).into()),
        // ^\ ^] ^^ ^_
        0x1c..0x20 => Key::ctrl((byte | 0x40).into()),
        _ => return None,
    })
}

/// Returns the key of `CSI … letter` or `SS3 letter`.
pub(super) const fn from_final_letter(letter: u8) -> Option<KeyCode> {
    Some(match letter {
        b'A' => KeyCode::Up,
        b'B' => KeyCode::Down,
        b'C' => KeyCode::Right,
        b'D' => KeyCode::Left,
        b'F' => KeyCode::End,
        b'H' => KeyCode::Home,
        b'M' => KeyCode::Enter,
        b'P'..=b'S' => KeyCode::F(letter - b'P' + 1),
        b'Z' => KeyCode::BackTab,
        _ => return None,
    })
}

/// Returns the key of `CSI number ~`.
pub(super) fn from_tilde_number(number: u32) -> Option<KeyCode> {
    // The numbers of function keys have gaps.
    let function_key = match number {
        1 | 7 => return Some(KeyCode::Home),
        3 => return Some(KeyCode::Delete),
        4 | 8 => return Some(KeyCode::End),
        5 => return Some(KeyCode::PageUp),
        6 => return Some(KeyCode::PageDown),
        11..=15 => number - 10,
        17..=21 => number - 11,
        23..=26 => number - 12,
        28..=29 => number - 13,
        31..=34 => number - 14,
        _ => return None,
    };
    Some(KeyCode::F(u8::try_from(function_key).ok()?))
}

/// Returns the key of a code point, or of a number that kitty's keyboard protocol assigns to a key without one.
pub(super) fn from_code_point(code: u32) -> Option<KeyCode> {
    const KEYPAD: &[u8] = b"0123456789./*-+";
    Some(match code {
        9 => KeyCode::Tab,
        13 | 57414 => KeyCode::Enter,
        27 => KeyCode::Esc,
        8 | 127 => KeyCode::Backspace,
        57399..=57413 => {
            let index = usize::try_from(code - 57399).ok()?;
            KeyCode::Char((*KEYPAD.get(index)?).into())
        }
        57415 => KeyCode::Char('='),
        57416 => KeyCode::Char(','),
        57417 => KeyCode::Left,
        57418 => KeyCode::Right,
        57419 => KeyCode::Up,
        57420 => KeyCode::Down,
        57421 => KeyCode::PageUp,
        57422 => KeyCode::PageDown,
        57423 => KeyCode::Home,
        57424 => KeyCode::End,
        57426 => KeyCode::Delete,
        57376..=57398 => KeyCode::F(u8::try_from(code - 57376 + 13).ok()?),
        // The rest of Unicode's private use area: unknown keys.
        57344..=63743 => return None,
        _ => KeyCode::Char(char::from_u32(code).filter(|c| !c.is_control())?),
    })
}
