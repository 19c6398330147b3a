//! Modal dialogs over a questionnaire. An open dialog receives all keys.

use super::editor::{KeyResult, LineMode, TextBox};
use crate::tty::{Key, KeyCode};
use sayso_core::Message;

/// A modal dialog.
#[derive(Debug)]
pub(super) enum Dialog {
    /// Choice of what happens to the questionnaire on leaving.
    Leave {
        /// Focused index of [`ExitChoice::ALL`].
        at: usize,
    },
    /// Confirmation of a decline, with a reason.
    Decline {
        /// The reason typed so far.
        reason: TextBox,
        /// The focused element.
        focus: DeclineFocus,
    },
    /// A text to read: a preview, or an answer that will not be sent.
    Pager(Pager),
}

/// Focus in the decline dialog.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum DeclineFocus {
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
    pub(super) own_text: String,
    /// Text of others below it.
    pub(super) quoted_text: QuotedText,
    /// Number of rows above the visible part. The next frame ends it at the last row.
    pub(super) scroll: usize,
    /// Number of visible rows in the last frame.
    visible_rows: usize,
    /// Key hints below the text.
    pub(super) key_hints: Message,
}

/// Visible part of a pager in a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct PagerExtent {
    /// Number of rows above the visible part.
    pub(super) scroll: usize,
    /// Number of visible rows.
    pub(super) visible_rows: usize,
}

/// Text of others. It is drawn behind the gutter, so that it cannot imitate a frame or a sentence of ours.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum QuotedText {
    /// No text.
    Empty,
    /// A text, wrapped at the screen's width.
    Text(String),
    /// A text with significant white space.
    Verbatim(String),
}

/// Ways out of a questionnaire.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ExitChoice {
    /// Stay and go on answering.
    Keep,
    /// Leave; the draft is kept.
    Leave,
    /// Decline the ask.
    Decline,
}

impl ExitChoice {
    pub(super) const ALL: [Self; 3] = [Self::Keep, Self::Leave, Self::Decline];
}

/// Result of a key in a dialog.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum DialogResult {
    /// The dialog stays open.
    Stay,
    /// Close the dialog.
    Close,
    /// Leave the questionnaire.
    Leave,
    /// Open the decline dialog.
    ConfirmDecline,
    /// Decline, with this reason.
    Decline(Option<String>),
}

impl Dialog {
    /// Opens the decline dialog with the reason typed so far.
    pub(super) fn decline(reason: &str) -> Self {
        Self::Decline { reason: TextBox::new(reason, LineMode::Single), focus: DeclineFocus::Keep }
    }

    pub(super) fn handle_key(&mut self, key: Key) -> DialogResult {
        let is_typed = matches!(self, Self::Decline { focus: DeclineFocus::Reason, .. });
        if !key.is_unmodified() && !is_typed {
            return DialogResult::Stay;
        }
        match self {
            Self::Leave { at } => leave_key(at, key),
            Self::Decline { reason, focus: sure } => decline_key(reason, sure, key),
            Self::Pager(pager) => pager.handle_key(key),
        }
    }

    /// Scrolls by the mouse wheel.
    pub(super) fn scroll_by(&mut self, rows: isize) {
        if let Some(pager) = self.pager_mut() {
            pager.scroll_by(rows);
        }
    }

    /// Returns the pager.
    pub(super) const fn pager_mut(&mut self) -> Option<&mut Pager> {
        match self {
            Self::Pager(pager) => Some(pager),
            Self::Leave { .. } | Self::Decline { .. } => None,
        }
    }

    /// Returns the text box of the reason.
    pub(super) const fn reason_mut(&mut self) -> Option<&mut TextBox> {
        match self {
            Self::Decline { reason, .. } => Some(reason),
            Self::Leave { .. } | Self::Pager(_) => None,
        }
    }

    /// Returns the text box that receives a paste.
    pub(super) fn text_box(&mut self) -> Option<&mut TextBox> {
        match self {
            Self::Decline { reason, focus: sure } => {
                *sure = DeclineFocus::Reason;
                Some(reason)
            }
            Self::Leave { .. } | Self::Pager(_) => None,
        }
    }
}

fn leave_key(at: &mut usize, key: Key) -> DialogResult {
    let last = ExitChoice::ALL.len() - 1;
    match key.code {
        KeyCode::Esc => return DialogResult::Close,
        KeyCode::Up | KeyCode::Left | KeyCode::BackTab | KeyCode::Char('k' | 'h') => {
            *at = at.saturating_sub(1);
        }
        KeyCode::Down | KeyCode::Right | KeyCode::Tab | KeyCode::Char('j' | 'l') => *at = (*at + 1).min(last),
        KeyCode::Enter if !key.repeat => {
            return match ExitChoice::ALL.get(*at) {
                Some(ExitChoice::Leave) => DialogResult::Leave,
                Some(ExitChoice::Decline) => DialogResult::ConfirmDecline,
                Some(ExitChoice::Keep) | None => DialogResult::Close,
            };
        }
        _ => {}
    }
    DialogResult::Stay
}

fn decline_key(reason: &mut TextBox, sure: &mut DeclineFocus, key: Key) -> DialogResult {
    if key.code == KeyCode::Esc {
        return DialogResult::Close;
    }
    if *sure == DeclineFocus::Reason {
        if reason.handle_key(key) != KeyResult::Ignored {
            return DialogResult::Stay;
        }
        if matches!(key.code, KeyCode::Enter | KeyCode::Tab | KeyCode::Down) {
            *sure = DeclineFocus::Keep;
        }
        return DialogResult::Stay;
    }
    match (key.code, *sure) {
        (KeyCode::Enter, DeclineFocus::Keep) => return DialogResult::Close,
        (KeyCode::Enter, _) if !key.repeat => {
            let why = reason.text().trim().to_owned();
            return DialogResult::Decline((!why.is_empty()).then_some(why));
        }
        (KeyCode::Up | KeyCode::BackTab, _) => *sure = DeclineFocus::Reason,
        (KeyCode::Right | KeyCode::Down | KeyCode::Tab, _) => *sure = DeclineFocus::Decline,
        (KeyCode::Left, _) => *sure = DeclineFocus::Keep,
        // Typing edits the reason.
        (KeyCode::Char(_) | KeyCode::Backspace, _)
            if key.typed_char().is_some() || key.code == KeyCode::Backspace =>
        {
            *sure = DeclineFocus::Reason;
            reason.handle_key(key);
        }
        _ => {}
    }
    DialogResult::Stay
}

impl Pager {
    pub(super) fn new(title: Message, ours: String, theirs: QuotedText) -> Self {
        Self {
            title,
            own_text: ours,
            quoted_text: theirs,
            scroll: 0,
            visible_rows: 0,
            key_hints: Message::PagerKeys,
        }
    }

    /// Applies the visible part of the last frame.
    pub(super) const fn set_extent(&mut self, extent: PagerExtent) {
        self.scroll = extent.scroll;
        self.visible_rows = extent.visible_rows;
    }

    /// Scrolls by a number of rows.
    pub(super) fn scroll_by(&mut self, rows: isize) {
        self.scroll = self.scroll.saturating_add_signed(rows);
    }

    fn handle_key(&mut self, key: Key) -> DialogResult {
        // A page keeps the last visible row visible.
        let page = self.visible_rows.saturating_sub(1).max(1);
        match key.code {
            KeyCode::Up | KeyCode::Char('k') => self.scroll = self.scroll.saturating_sub(1),
            KeyCode::Down | KeyCode::Char('j') => self.scroll = self.scroll.saturating_add(1),
            KeyCode::PageUp => self.scroll = self.scroll.saturating_sub(page),
            KeyCode::PageDown | KeyCode::Char(' ') => self.scroll = self.scroll.saturating_add(page),
            KeyCode::Home | KeyCode::Char('g') => self.scroll = 0,
            KeyCode::End | KeyCode::Char('G') => self.scroll = usize::MAX / 2,
            KeyCode::Esc | KeyCode::Enter | KeyCode::Char('p' | 'q' | 'v' | '?') => {
                return DialogResult::Close;
            }
            _ => {}
        }
        DialogResult::Stay
    }
}
