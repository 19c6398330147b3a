//! Modal dialogs over a questionnaire. An open dialog receives all keys.

use super::editor::{KeyResult, LineMode, TextBox};
use super::opening_key::{KeyUse, OpeningKey};
use super::send_guard::SendGuard;
use crate::describe::EndedLine;
use crate::tty::{Key, KeyCode};
use jiff::Timestamp;
use sayso_core::{Message, Problem, ProposedAction};

/// A modal dialog.
#[derive(Debug)]
pub(super) enum Dialog {
    /// Confirmation of a decline, with a reason.
    Decline(DeclineForm),
    /// The note on the whole form.
    Note(NoteForm),
    /// Search for a question to go to.
    Jump(JumpForm),
    /// A text to read: a preview, or an answer that will not be sent.
    Pager(Pager),
}

/// Reason to decline, and the guard of its button.
#[derive(Debug)]
pub(super) struct DeclineForm {
    /// The reason typed so far.
    pub(super) reason: TextBox,
    opening_key: OpeningKey,
    guard: SendGuard,
}

/// Note on the whole form, as typed.
#[derive(Debug)]
pub(super) struct NoteForm {
    pub(super) text: TextBox,
    opening_key: OpeningKey,
}

/// Number or words of the question to go to.
#[derive(Debug)]
pub(super) struct JumpForm {
    pub(super) query: TextBox,
    opening_key: OpeningKey,
    /// Focused index of the questions found.
    pub(super) at: usize,
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
    /// Number of columns left of the visible part of a preview. The next frame ends it at the last column.
    pub(super) column: usize,
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
    /// Number of columns left of the visible part of a preview.
    pub(super) column: usize,
    /// Number of visible rows.
    pub(super) visible_rows: usize,
}

/// Text of others. It is drawn behind the gutter, so that it cannot imitate a frame or a sentence of ours.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum QuotedText {
    /// No text.
    Empty,
    /// Lines of several origins, each behind the mark of its own.
    Lines(Vec<EndedLine>),
    /// Markdown.
    Markdown(String),
    /// An option: its description as Markdown, and its preview, which scrolls sideways.
    Option {
        /// The description.
        description: Option<String>,
        /// The preview.
        preview: Option<String>,
    },
    /// An action, from its data.
    Action(Box<ProposedAction>),
}

/// Result of a key in a dialog.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum DialogResult {
    /// The dialog stays open.
    Stay,
    /// Close the dialog.
    Close,
    /// Decline, with this reason.
    Decline(Option<String>),
    /// Go to the question with this index among those found.
    Jump(usize),
}

impl Dialog {
    /// Opens the decline dialog with the reason typed so far.
    pub(super) fn decline(reason: &str, now: Timestamp) -> Self {
        Self::Decline(DeclineForm {
            reason: TextBox::new(reason, LineMode::Single),
            opening_key: OpeningKey::new('d'),
            guard: SendGuard::new(now),
        })
    }

    /// Opens the note on the whole form.
    pub(super) fn note(text: TextBox) -> Self {
        Self::Note(NoteForm { text, opening_key: OpeningKey::new('n') })
    }

    /// Opens the search for a question.
    pub(super) fn jump() -> Self {
        Self::Jump(JumpForm {
            query: TextBox::new("", LineMode::Single),
            opening_key: OpeningKey::new('g'),
            at: 0,
        })
    }

    pub(super) fn handle_key(&mut self, key: Key, now: Timestamp) -> DialogResult {
        if !key.is_unmodified() && matches!(self, Self::Pager(_)) {
            return DialogResult::Stay;
        }
        if let Some((text, opening_key)) = self.guarded_text() {
            match opening_key.judge(key, now) {
                KeyUse::Wait => return DialogResult::Stay,
                KeyUse::Take { before } => type_letter(text, before),
            }
        }
        match self {
            Self::Decline(form) => form.handle_key(key, now),
            Self::Note(form) => form.handle_key(key),
            Self::Jump(form) => form.handle_key(key),
            Self::Pager(pager) => pager.handle_key(key),
        }
    }

    /// Returns the result of a press that took effect in the meantime.
    pub(super) fn take_due(&mut self, now: Timestamp) -> Option<DialogResult> {
        if let Some((text, opening_key)) = self.guarded_text() {
            type_letter(text, opening_key.take_due(now));
        }
        let Self::Decline(form) = self else { return None };
        if !form.guard.take_due(now) {
            return None;
        }
        let reason = form.reason.text().trim();
        Some(DialogResult::Decline(if reason.is_empty() { None } else { Some(reason.to_owned()) }))
    }

    /// Returns the time of the next change without a key.
    pub(super) fn next_wakeup(&self, now: Timestamp) -> Option<Timestamp> {
        let (button, opening_key) = match self {
            Self::Decline(form) => (form.guard.next_wakeup(now), &form.opening_key),
            Self::Note(form) => (None, &form.opening_key),
            Self::Jump(form) => (None, &form.opening_key),
            Self::Pager(_) => return None,
        };
        button.into_iter().chain(opening_key.next_wakeup()).min()
    }

    /// Scrolls by the mouse wheel.
    pub(super) fn scroll_by(&mut self, rows: isize) {
        if let Some(pager) = self.pager_mut() {
            pager.scroll_by(rows);
        }
    }

    /// Returns the pager, if the dialog is one.
    pub(super) const fn pager_mut(&mut self) -> Option<&mut Pager> {
        match self {
            Self::Pager(pager) => Some(pager),
            Self::Decline(_) | Self::Note(_) | Self::Jump(_) => None,
        }
    }

    /// Returns the reason to decline that was typed so far.
    pub(super) fn reason(&self) -> Option<&str> {
        match self {
            Self::Decline(form) => Some(form.reason.text()),
            Self::Note(_) | Self::Jump(_) | Self::Pager(_) => None,
        }
    }

    /// Returns the note on the whole form that was typed so far.
    pub(super) fn form_note(&self) -> Option<&str> {
        match self {
            Self::Note(form) => Some(form.text.text()),
            Self::Decline(_) | Self::Jump(_) | Self::Pager(_) => None,
        }
    }

    /// Returns the text box, which receives typed and pasted text.
    pub(super) fn text_box(&mut self) -> Option<&mut TextBox> {
        let (text, _) = self.guarded_text()?;
        Some(text)
    }

    /// Returns the text box and the guard of the letter that opened it.
    const fn guarded_text(&mut self) -> Option<(&mut TextBox, &mut OpeningKey)> {
        match self {
            Self::Decline(form) => Some((&mut form.reason, &mut form.opening_key)),
            Self::Note(form) => Some((&mut form.text, &mut form.opening_key)),
            Self::Jump(form) => Some((&mut form.query, &mut form.opening_key)),
            Self::Pager(_) => None,
        }
    }

    /// Inserts pasted text into the text box.
    ///
    /// # Errors
    /// Fails if the text box takes no text of this length.
    pub(super) fn paste(&mut self, pasted: &str) -> Result<(), Problem> {
        let Some((text, opening_key)) = self.guarded_text() else { return Ok(()) };
        type_letter(text, opening_key.take());
        text.paste(pasted)?;
        Ok(())
    }

    /// Withdraws a press of the button, because something was pasted.
    pub(super) const fn withdraw_press(&mut self) {
        if let Self::Decline(form) = self {
            form.guard.withdraw();
        }
    }
}

/// Types the letter that waited, if there is one.
fn type_letter(text: &mut TextBox, letter: Option<char>) {
    if let Some(letter) = letter {
        text.handle_key(Key::plain(KeyCode::Char(letter)));
    }
}

impl DeclineForm {
    /// Returns whether the button can be pressed.
    pub(super) fn is_live(&self, now: Timestamp) -> bool {
        self.guard.is_live(now)
    }

    fn handle_key(&mut self, key: Key, now: Timestamp) -> DialogResult {
        match key.code {
            KeyCode::Esc => return DialogResult::Close,
            KeyCode::Enter if key.is_unmodified() => {
                if self.guard.record_press(key, now) {
                    self.guard.arm(now);
                }
            }
            _ => {
                self.guard.withdraw();
                self.reason.handle_key(key);
            }
        }
        DialogResult::Stay
    }
}

impl NoteForm {
    fn handle_key(&mut self, key: Key) -> DialogResult {
        if key.code == KeyCode::Esc || key == Key::plain(KeyCode::Enter) {
            return DialogResult::Close;
        }
        self.text.handle_key(key);
        DialogResult::Stay
    }
}

impl JumpForm {
    fn handle_key(&mut self, key: Key) -> DialogResult {
        match key.code {
            KeyCode::Esc => return DialogResult::Close,
            KeyCode::Enter if !key.repeat => return DialogResult::Jump(self.at),
            KeyCode::Up | KeyCode::BackTab => self.at = self.at.saturating_sub(1),
            KeyCode::Down | KeyCode::Tab => self.at = self.at.saturating_add(1),
            _ => {
                if self.query.handle_key(key) == KeyResult::Changed {
                    self.at = 0;
                }
            }
        }
        DialogResult::Stay
    }
}

impl Pager {
    pub(super) fn new(title: Message, own_text: String, quoted_text: QuotedText) -> Self {
        Self {
            title,
            own_text,
            quoted_text,
            scroll: 0,
            column: 0,
            visible_rows: 0,
            key_hints: Message::PagerKeys,
        }
    }

    /// Returns a pager with the description and the preview of an option.
    pub(super) fn of_option(own_text: String, description: Option<String>, preview: Option<String>) -> Self {
        let key_hints = if preview.is_some() { Message::PreviewKeys } else { Message::PagerKeys };
        let pager = Self::new(Message::PreviewTitle, own_text, QuotedText::Option { description, preview });
        Self { key_hints, ..pager }
    }

    /// Applies the visible part of the last frame.
    pub(super) const fn set_extent(&mut self, extent: PagerExtent) {
        self.scroll = extent.scroll;
        self.column = extent.column;
        self.visible_rows = extent.visible_rows;
    }

    /// Scrolls by a number of rows.
    pub(super) fn scroll_by(&mut self, rows: isize) {
        self.scroll = self.scroll.saturating_add_signed(rows);
    }

    fn handle_key(&mut self, key: Key) -> DialogResult {
        const COLUMNS: usize = 8;
        // A page keeps the last visible row visible.
        let page = self.visible_rows.saturating_sub(1).max(1);
        match key.code {
            KeyCode::Up | KeyCode::Char('k') => self.scroll = self.scroll.saturating_sub(1),
            KeyCode::Down | KeyCode::Char('j') => self.scroll = self.scroll.saturating_add(1),
            KeyCode::Left | KeyCode::Char('h') => self.column = self.column.saturating_sub(COLUMNS),
            KeyCode::Right | KeyCode::Char('l') => self.column = self.column.saturating_add(COLUMNS),
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
