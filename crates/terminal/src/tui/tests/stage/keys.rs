//! Notation of keys in scripts.

use crate::tty::{Key, KeyCode};

/// One action at the keyboard.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::tui::tests) enum KeyStroke {
    Key(Key),
    Typed(String),
    Paste(String),
}

/// Parses keys separated by spaces: `a`, `tab`, `s-tab`, `^s`, `alt-1`, `down*3`; `'some text'` is typed letter by
/// letter, and `<some text>` is pasted.
pub(in crate::tui::tests) fn parse_script(script: &str) -> Vec<KeyStroke> {
    let mut strokes = Vec::new();
    let mut rest = script.trim_start();
    while let Some(first) = rest.chars().next() {
        let quoted = |close: char| {
            let text = &rest[1..];
            let end = text.find(close).unwrap_or_else(|| panic!("{rest} does not end"));
            (text[..end].to_owned(), &text[end + 1..])
        };
        match first {
            '\'' if rest.len() > 1 => {
                let (text, after) = quoted('\'');
                strokes.push(KeyStroke::Typed(text));
                rest = after;
            }
            '<' if rest.len() > 1 => {
                let (text, after) = quoted('>');
                strokes.push(KeyStroke::Paste(text));
                rest = after;
            }
            _ => {
                let (word, after) = rest.split_once(' ').unwrap_or((rest, ""));
                let (name, times) = match word.split_once('*') {
                    Some((name, times)) if !name.is_empty() => (name, times.parse().unwrap()),
                    _ => (word, 1),
                };
                strokes.extend(std::iter::repeat_n(KeyStroke::Key(key(name)), times));
                rest = after;
            }
        }
        rest = rest.trim_start();
    }
    strokes
}

pub(in crate::tui::tests) fn key(name: &str) -> Key {
    if let Some(key) = name.strip_prefix("alt-").map(key) {
        return Key { alt: true, ..key };
    }
    let mut letters = name.chars();
    if let (Some(c), None) = (letters.next(), letters.next()) {
        return Key::plain(KeyCode::Char(c));
    }
    if let Some(c) = name.strip_prefix('^') {
        return Key::ctrl(c.chars().next().unwrap());
    }
    let code = match name {
        "tab" => KeyCode::Tab,
        "s-tab" => KeyCode::BackTab,
        "enter" => KeyCode::Enter,
        "esc" => KeyCode::Esc,
        "space" => KeyCode::Char(' '),
        "up" => KeyCode::Up,
        "down" => KeyCode::Down,
        "left" => KeyCode::Left,
        "right" => KeyCode::Right,
        "home" => KeyCode::Home,
        "end" => KeyCode::End,
        "pgup" => KeyCode::PageUp,
        "pgdn" => KeyCode::PageDown,
        "bs" => KeyCode::Backspace,
        "del" => KeyCode::Delete,
        "f1" => KeyCode::F(1),
        other => panic!("there is no key {other}"),
    };
    Key::plain(code)
}
