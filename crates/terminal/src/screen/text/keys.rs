//! Key bindings of a text box.

use super::Lines;
use super::motion::To;
use crate::screen::{Key, KeyCode};

/// An editing command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Deed {
    /// Insert a letter.
    Type(char),
    /// Move the caret.
    Go(To),
    /// Move the caret to the row above.
    Up,
    /// Move the caret to the row below.
    Down,
    /// Delete from the caret to there.
    Delete(To),
    /// Cut from the caret to there.
    Cut(To),
    /// Insert the text that was cut.
    PutBack,
    /// Undo the last step.
    Undo,
    /// Redo the step undone last.
    Redo,
}

/// Returns the command of a key, if the text box handles it.
pub(super) fn deed(key: Key, lines: Lines) -> Option<Deed> {
    match (key.ctrl, key.alt) {
        (false, false) => plain(key, lines),
        (true, false) => with_ctrl(key, lines),
        (false, true) => with_alt(key, lines),
        (true, true) => None,
    }
}

fn plain(key: Key, lines: Lines) -> Option<Deed> {
    Some(match key.code {
        KeyCode::Char(c) if !c.is_control() => Deed::Type(c),
        KeyCode::Enter => return line_break(lines),
        KeyCode::Backspace => Deed::Delete(To::Left),
        KeyCode::Delete => Deed::Delete(To::Right),
        KeyCode::Left => Deed::Go(To::Left),
        KeyCode::Right => Deed::Go(To::Right),
        KeyCode::Up => Deed::Up,
        KeyCode::Down => Deed::Down,
        KeyCode::Home => Deed::Go(To::LineStart),
        KeyCode::End => Deed::Go(To::LineEnd),
        _ => return None,
    })
}

fn with_ctrl(key: Key, lines: Lines) -> Option<Deed> {
    Some(match key.code {
        KeyCode::Char('a') => Deed::Go(To::LineStart),
        KeyCode::Char('e') => Deed::Go(To::LineEnd),
        KeyCode::Char('b') => Deed::Go(To::Left),
        KeyCode::Char('f') => Deed::Go(To::Right),
        KeyCode::Char('p') => Deed::Up,
        KeyCode::Char('n') => Deed::Down,
        KeyCode::Char('h') => Deed::Delete(To::Left),
        KeyCode::Char('d') => Deed::Delete(To::Right),
        KeyCode::Char('j') => return line_break(lines),
        KeyCode::Char('w') => Deed::Cut(To::SpaceLeft),
        KeyCode::Char('u') => Deed::Cut(To::LineStart),
        KeyCode::Char('k') => Deed::Cut(To::LineEnd),
        KeyCode::Char('y') => Deed::PutBack,
        // Terminals report the byte of ^_ under any of these names.
        KeyCode::Char('_' | '7' | '/' | '-') => Deed::Undo,
        KeyCode::Left => Deed::Go(To::WordLeft),
        KeyCode::Right => Deed::Go(To::WordRight),
        KeyCode::Home => Deed::Go(To::TextStart),
        KeyCode::End => Deed::Go(To::TextEnd),
        KeyCode::Backspace => Deed::Cut(To::WordLeft),
        KeyCode::Delete => Deed::Cut(To::WordRight),
        _ => return None,
    })
}

fn with_alt(key: Key, lines: Lines) -> Option<Deed> {
    Some(match key.code {
        KeyCode::Enter => return line_break(lines),
        KeyCode::Char('b') | KeyCode::Left => Deed::Go(To::WordLeft),
        KeyCode::Char('f') | KeyCode::Right => Deed::Go(To::WordRight),
        KeyCode::Char('d') | KeyCode::Delete => Deed::Cut(To::WordRight),
        KeyCode::Backspace => Deed::Cut(To::WordLeft),
        KeyCode::Char('_') => Deed::Redo,
        KeyCode::Char('-') if key.shift => Deed::Redo,
        _ => return None,
    })
}

fn line_break(lines: Lines) -> Option<Deed> {
    (lines == Lines::Many).then_some(Deed::Type('\n'))
}
