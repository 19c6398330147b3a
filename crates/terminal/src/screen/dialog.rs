//! Modal dialogs over a questionnaire. An open dialog receives all keys.

use super::input::{Key, KeyCode};
use super::text::{Heard, Lines, TextBox};
use sayso_core::Message;

/// A modal dialog.
#[derive(Debug)]
pub(super) enum Dialog {
    /// Choice of what happens to the questionnaire on leaving.
    Leave {
        /// Focused index of [`Way::ALL`].
        at: usize,
    },
    /// Confirmation of a decline, with a reason.
    Decline {
        /// The reason typed so far.
        reason: TextBox,
        /// The focused element.
        sure: Sure,
    },
    /// A text to read: a preview, or an answer that will not be sent.
    Pager(Pager),
}

/// Focus in the decline dialog.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sure {
    /// The reason.
    Reason,
    /// The button that keeps answering.
    Keep,
    /// The button that declines.
    Decline,
}

/// Scrollable text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Pager {
    /// Title.
    pub(super) title: Message,
    /// Text in our own words.
    pub(super) ours: String,
    /// Text of others below it.
    pub(super) theirs: Theirs,
    /// Number of rows above the visible part.
    pub(super) scroll: usize,
    /// Number of visible rows in the last frame.
    pub(super) rows: usize,
    /// Key hints below the text.
    pub(super) keys: Message,
}

/// Text of others. It is drawn behind the gutter, so that it cannot imitate a frame or a sentence of ours.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Theirs {
    /// No text.
    Nothing,
    /// A text, wrapped at the screen's width.
    Text(String),
    /// A text with significant white space.
    Exactly(String),
}

/// Ways out of a questionnaire.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    /// Stay and go on answering.
    Keep,
    /// Leave; the draft is kept.
    Leave,
    /// Decline the ask.
    Decline,
}

impl Way {
    pub(super) const ALL: [Self; 3] = [Self::Keep, Self::Leave, Self::Decline];
}

/// Result of a key in a dialog.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Said {
    /// The dialog stays open.
    Stay,
    /// Close the dialog.
    Close,
    /// Leave the questionnaire.
    Leave,
    /// Open the decline dialog.
    AskDecline,
    /// Decline, with this reason.
    Decline(Option<String>),
}

impl Dialog {
    /// Opens the decline dialog with the reason typed so far.
    pub(super) fn decline(reason: &str) -> Self {
        Self::Decline { reason: TextBox::new(reason, Lines::One), sure: Sure::Keep }
    }

    pub(super) fn key(&mut self, key: Key) -> Said {
        let is_typed = matches!(self, Self::Decline { sure: Sure::Reason, .. });
        if !key.is_bare() && !is_typed {
            return Said::Stay;
        }
        match self {
            Self::Leave { at } => leave(at, key),
            Self::Decline { reason, sure } => decline(reason, sure, key),
            Self::Pager(pager) => pager.key(key),
        }
    }

    /// Scrolls by the mouse wheel.
    pub(super) fn scroll_by(&mut self, rows: isize) {
        if let Self::Pager(pager) = self {
            pager.scroll_by(rows);
        }
    }

    /// Returns the text box that receives a paste.
    pub(super) fn text(&mut self) -> Option<&mut TextBox> {
        match self {
            Self::Decline { reason, sure } => {
                *sure = Sure::Reason;
                Some(reason)
            }
            Self::Leave { .. } | Self::Pager(_) => None,
        }
    }
}

fn leave(at: &mut usize, key: Key) -> Said {
    let last = Way::ALL.len() - 1;
    match key.code {
        KeyCode::Esc => return Said::Close,
        KeyCode::Up | KeyCode::Left | KeyCode::BackTab | KeyCode::Char('k' | 'h') => {
            *at = at.saturating_sub(1);
        }
        KeyCode::Down | KeyCode::Right | KeyCode::Tab | KeyCode::Char('j' | 'l') => *at = (*at + 1).min(last),
        KeyCode::Enter if !key.repeat => {
            return match Way::ALL.get(*at) {
                Some(Way::Leave) => Said::Leave,
                Some(Way::Decline) => Said::AskDecline,
                Some(Way::Keep) | None => Said::Close,
            };
        }
        _ => {}
    }
    Said::Stay
}

fn decline(reason: &mut TextBox, sure: &mut Sure, key: Key) -> Said {
    if key.code == KeyCode::Esc {
        return Said::Close;
    }
    if *sure == Sure::Reason {
        if reason.key(key) != Heard::Ignored {
            return Said::Stay;
        }
        if matches!(key.code, KeyCode::Enter | KeyCode::Tab | KeyCode::Down) {
            *sure = Sure::Keep;
        }
        return Said::Stay;
    }
    match (key.code, *sure) {
        (KeyCode::Enter, Sure::Keep) => return Said::Close,
        (KeyCode::Enter, _) if !key.repeat => {
            let why = reason.text().trim().to_owned();
            return Said::Decline((!why.is_empty()).then_some(why));
        }
        (KeyCode::Up | KeyCode::BackTab, _) => *sure = Sure::Reason,
        (KeyCode::Right | KeyCode::Down | KeyCode::Tab, _) => *sure = Sure::Decline,
        (KeyCode::Left, _) => *sure = Sure::Keep,
        // Typing edits the reason.
        (KeyCode::Char(_) | KeyCode::Backspace, _)
            if key.typed().is_some() || key.code == KeyCode::Backspace =>
        {
            *sure = Sure::Reason;
            reason.key(key);
        }
        _ => {}
    }
    Said::Stay
}

impl Pager {
    pub(super) fn new(title: Message, ours: String, theirs: Theirs) -> Self {
        Self { title, ours, theirs, scroll: 0, rows: 0, keys: Message::PagerKeys }
    }

    /// Scrolls by a number of rows.
    pub(super) fn scroll_by(&mut self, rows: isize) {
        self.scroll = self.scroll.saturating_add_signed(rows);
    }

    fn key(&mut self, key: Key) -> Said {
        // A page keeps the last visible row visible.
        let page = self.rows.saturating_sub(1).max(1);
        match key.code {
            KeyCode::Up | KeyCode::Char('k') => self.scroll = self.scroll.saturating_sub(1),
            KeyCode::Down | KeyCode::Char('j') => self.scroll = self.scroll.saturating_add(1),
            KeyCode::PageUp => self.scroll = self.scroll.saturating_sub(page),
            KeyCode::PageDown | KeyCode::Char(' ') => self.scroll = self.scroll.saturating_add(page),
            KeyCode::Home | KeyCode::Char('g') => self.scroll = 0,
            KeyCode::End | KeyCode::Char('G') => self.scroll = usize::MAX / 2,
            KeyCode::Esc | KeyCode::Enter | KeyCode::Char('p' | 'q' | 'v' | '?') => return Said::Close,
            _ => {}
        }
        Said::Stay
    }
}
