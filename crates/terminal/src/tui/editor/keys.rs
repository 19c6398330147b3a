//! Key bindings of a text box.

use super::LineMode;
use super::motion::MotionTarget;
use crate::tty::{Key, KeyCode};

/// An editing command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum EditCommand {
    /// Insert a letter.
    Insert(char),
    /// Move the caret.
    Move(MotionTarget),
    /// Move the caret to the row above.
    Up,
    /// Move the caret to the row below.
    Down,
    /// Delete from the caret to there.
    Delete(MotionTarget),
    /// Cut from the caret to there.
    Cut(MotionTarget),
    /// Insert the text that was cut.
    Yank,
    /// Undo the last step.
    Undo,
    /// Redo the step undone last.
    Redo,
}

/// Returns the command of a key, if the text box handles it.
pub(super) fn command(key: Key, lines: LineMode) -> Option<EditCommand> {
    match (key.ctrl, key.alt) {
        (false, false) => plain(key, lines),
        (true, false) => with_ctrl(key, lines),
        (false, true) => with_alt(key, lines),
        (true, true) => None,
    }
}

fn plain(key: Key, lines: LineMode) -> Option<EditCommand> {
    Some(match key.code {
        KeyCode::Char(c) if !c.is_control() => EditCommand::Insert(c),
        KeyCode::Enter => return line_break(lines),
        KeyCode::Backspace => EditCommand::Delete(MotionTarget::Left),
        KeyCode::Delete => EditCommand::Delete(MotionTarget::Right),
        KeyCode::Left => EditCommand::Move(MotionTarget::Left),
        KeyCode::Right => EditCommand::Move(MotionTarget::Right),
        KeyCode::Up => EditCommand::Up,
        KeyCode::Down => EditCommand::Down,
        KeyCode::Home => EditCommand::Move(MotionTarget::LineStart),
        KeyCode::End => EditCommand::Move(MotionTarget::LineEnd),
        _ => return None,
    })
}

fn with_ctrl(key: Key, lines: LineMode) -> Option<EditCommand> {
    Some(match key.code {
        KeyCode::Char('a') => EditCommand::Move(MotionTarget::LineStart),
        KeyCode::Char('e') => EditCommand::Move(MotionTarget::LineEnd),
        KeyCode::Char('b') => EditCommand::Move(MotionTarget::Left),
        KeyCode::Char('f') => EditCommand::Move(MotionTarget::Right),
        KeyCode::Char('p') => EditCommand::Up,
        KeyCode::Char('n') => EditCommand::Down,
        KeyCode::Char('h') => EditCommand::Delete(MotionTarget::Left),
        KeyCode::Char('d') => EditCommand::Delete(MotionTarget::Right),
        KeyCode::Char('j') => return line_break(lines),
        KeyCode::Char('w') => EditCommand::Cut(MotionTarget::SpaceLeft),
        KeyCode::Char('u') => EditCommand::Cut(MotionTarget::LineStart),
        KeyCode::Char('k') => EditCommand::Cut(MotionTarget::LineEnd),
        KeyCode::Char('y') => EditCommand::Yank,
        // Terminals report the byte of ^_ under any of these names.
        KeyCode::Char('_' | '7' | '/' | '-') => EditCommand::Undo,
        KeyCode::Left => EditCommand::Move(MotionTarget::WordLeft),
        KeyCode::Right => EditCommand::Move(MotionTarget::WordRight),
        KeyCode::Home => EditCommand::Move(MotionTarget::TextStart),
        KeyCode::End => EditCommand::Move(MotionTarget::TextEnd),
        KeyCode::Backspace => EditCommand::Cut(MotionTarget::WordLeft),
        KeyCode::Delete => EditCommand::Cut(MotionTarget::WordRight),
        _ => return None,
    })
}

fn with_alt(key: Key, lines: LineMode) -> Option<EditCommand> {
    Some(match key.code {
        KeyCode::Enter => return line_break(lines),
        KeyCode::Char('b') | KeyCode::Left => EditCommand::Move(MotionTarget::WordLeft),
        KeyCode::Char('f') | KeyCode::Right => EditCommand::Move(MotionTarget::WordRight),
        KeyCode::Char('d') | KeyCode::Delete => EditCommand::Cut(MotionTarget::WordRight),
        KeyCode::Backspace => EditCommand::Cut(MotionTarget::WordLeft),
        KeyCode::Char('_') => EditCommand::Redo,
        KeyCode::Char('-') if key.shift => EditCommand::Redo,
        _ => return None,
    })
}

fn line_break(lines: LineMode) -> Option<EditCommand> {
    match lines {
        LineMode::Single => None,
        LineMode::Multiple => Some(EditCommand::Insert('\n')),
    }
}
