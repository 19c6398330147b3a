//! What stands over a questionnaire and takes all keys until it is answered.

use super::input::{Key, KeyCode};
use super::text::{Heard, Lines, TextBox};
use sayso_core::Message;

/// A dialog.
#[derive(Debug)]
pub(super) enum Dialog {
    /// Leading out: what is to become of the questionnaire.
    Leave {
        /// Which of [`Way::ALL`] the keys are at.
        at: usize,
    },
    /// Declining, and why.
    Decline {
        /// The reason so far.
        reason: TextBox,
        /// The keys are at the button that declines; otherwise at the reason.
        sure: Sure,
    },
    /// Something to read: a preview, or what will not be sent.
    Pager(Pager),
}

/// Where the keys are in a dialog that declines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sure {
    /// At the reason.
    Reason,
    /// At the button that goes on answering.
    Keep,
    /// At the button that declines.
    Decline,
}

/// A text to read, row by row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Pager {
    /// What it is.
    pub(super) title: Message,
    /// What we say.
    pub(super) ours: String,
    /// What stands below that, in the words of others.
    pub(super) theirs: Theirs,
    /// How many rows are above the screen.
    pub(super) scroll: usize,
    /// How many are on the screen, as it was last drawn.
    pub(super) rows: usize,
    /// What is said below it of keys.
    pub(super) keys: Message,
}

/// Words that are not ours. They stand behind the gutter, so that nothing in them looks like a frame or a sentence of
/// ours.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Theirs {
    /// None.
    Nothing,
    /// A text, broken where the screen ends.
    Text(String),
    /// A text of which every space counts.
    Exactly(String),
}

/// The ways out of a questionnaire.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    /// None: go on.
    Keep,
    /// Leave; the draft is kept.
    Leave,
    /// Tell the asker no.
    Decline,
}

impl Way {
    pub(super) const ALL: [Self; 3] = [Self::Keep, Self::Leave, Self::Decline];
}

/// What a key meant to a dialog.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Said {
    /// Nothing that ends it.
    Stay,
    /// It is to be closed.
    Close,
    /// Leave the questionnaire.
    Leave,
    /// Ask whether to decline.
    AskDecline,
    /// Decline, for this reason.
    Decline(Option<String>),
}

impl Dialog {
    /// Declining, with the reason that was typed so far.
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

    /// The wheel of the mouse was turned.
    pub(super) fn scroll_by(&mut self, rows: isize) {
        if let Self::Pager(pager) = self {
            pager.scroll_by(rows);
        }
    }

    /// The text that a paste goes to.
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
        // Whoever types means the reason.
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

    /// Scrolls by so many rows.
    pub(super) fn scroll_by(&mut self, rows: isize) {
        self.scroll = self.scroll.saturating_add_signed(rows);
    }

    fn key(&mut self, key: Key) -> Said {
        // As far as one can go and still see the row that was the last.
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
