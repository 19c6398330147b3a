//! Command keys at a question, for as long as letters are commands.

use super::super::dialog::{Dialog, Pager};
use super::super::effect::Effect;
use super::super::opening_key::OpeningKey;
use super::{AskView, FieldFocus, UpdateContext};
use crate::surface::Clarification;
use crate::tty::{Key, KeyCode};
use sayso_core::{ChoiceQuestion, Message, QuestionKind, RatingQuestion, Reply};

impl AskView {
    pub(super) fn handle_question_key(&mut self, place: usize, key: Key, cx: &UpdateContext) -> Vec<Effect> {
        if key.alt || key.ctrl && !matches!(key.code, KeyCode::Char('n' | 'p')) {
            return Vec::new();
        }
        let taken = match self.form.question(place).map(|question| &question.kind) {
            Some(QuestionKind::Choice(ChoiceQuestion { multi, .. })) => {
                self.handle_choice_key(place, *multi, key, cx)
            }
            Some(QuestionKind::Confirm(_)) => self.handle_confirm_key(place, key, cx),
            Some(QuestionKind::Rating(RatingQuestion { min, max, .. })) => {
                self.handle_rating_key(place, (*min, *max), key, cx)
            }
            Some(
                QuestionKind::Text(_)
                | QuestionKind::Number(_)
                | QuestionKind::Date
                | QuestionKind::Time
                | QuestionKind::Datetime,
            )
            | None => {
                let begins = key.code == KeyCode::Enter || key.typed_char() == Some('i');
                if begins && let Some(field) = self.form.field_mut(place) {
                    field.focus = FieldFocus::Text;
                }
                begins
            }
        };
        if !taken {
            self.handle_common_key(place, key, cx);
        }
        Vec::new()
    }

    /// Handles the keys that every kind of question shares.
    fn handle_common_key(&mut self, place: usize, key: Key, cx: &UpdateContext) {
        match key.code {
            KeyCode::Enter => self.advance(cx),
            KeyCode::Right => self.next_tab(cx),
            KeyCode::Left => self.previous_tab(cx),
            KeyCode::Down | KeyCode::Char('j') => self.scroll.move_by(1),
            KeyCode::Up | KeyCode::Char('k') => self.scroll.move_by(-1),
            KeyCode::Char('n') if !key.ctrl => self.edit_note(place, 'n'),
            KeyCode::Char('u') => self.clear(place, cx),
            KeyCode::Char('-') => self.skip(place, cx),
            KeyCode::Char('g') if !key.ctrl => self.dialog = Some(Dialog::jump()),
            KeyCode::Char('d') if !key.ctrl => self.confirm_decline(cx),
            KeyCode::Char('e') => self.request_clarification(Clarification::Explanation, place, cx),
            KeyCode::Char('w') => self.request_clarification(Clarification::Rephrasing, place, cx),
            _ => {}
        }
    }

    fn handle_choice_key(&mut self, place: usize, multi: bool, key: Key, cx: &UpdateContext) -> bool {
        match key.code {
            KeyCode::Up | KeyCode::Char('k') => self.step_cursor(place, |at, _| at.saturating_sub(1)),
            KeyCode::Char('p') if key.ctrl => self.step_cursor(place, |at, _| at.saturating_sub(1)),
            KeyCode::Down | KeyCode::Char('j') => self.step_cursor(place, |at, _| at + 1),
            KeyCode::Char('n') if key.ctrl => self.step_cursor(place, |at, _| at + 1),
            KeyCode::Home => self.step_cursor(place, |_, _| 0),
            KeyCode::End | KeyCode::Char('G') => self.step_cursor(place, |_, last| last),
            KeyCode::Char(' ') => self.toggle_pick(place, cx),
            KeyCode::Char('x') if multi => self.toggle_pick(place, cx),
            KeyCode::Char(digit @ '1'..='9') => {
                if self.focus_offer(place, usize::from(digit as u8 - b'1')) {
                    self.toggle_pick(place, cx);
                }
            }
            KeyCode::Char('a') if multi => self.toggle_all_picks(place, cx),
            KeyCode::Char('o') => {
                self.edit_own_answer(place, cx);
                self.opening_key = Some(OpeningKey::new('o'));
            }
            KeyCode::Char('/') => {
                if let Some(field) = self.form.field_mut(place) {
                    field.focus = FieldFocus::Filter;
                }
            }
            KeyCode::Char('p') => self.show_preview(place, cx),
            KeyCode::Enter if multi => self.advance(cx),
            KeyCode::Enter => self.choose_by_enter(place, cx),
            _ => return false,
        }
        true
    }

    /// Moves to the note, which this letter opens.
    fn edit_note(&mut self, place: usize, letter: char) {
        if let Some(field) = self.form.field_mut(place) {
            field.focus = FieldFocus::Note;
        }
        self.opening_key = Some(OpeningKey::new(letter));
        self.scroll.show_focus();
    }

    /// Picks the focused option and goes on.
    fn choose_by_enter(&mut self, place: usize, cx: &UpdateContext) {
        if !self.form.is_focused_picked(place) {
            // An Enter that is held down from the question before picks nothing.
            if !self.is_own_press {
                return;
            }
            // Consent is a choice of its own, and not what the cursor happens to be at.
            if self.form.is_consent(place) && !self.has_moved_cursor() {
                self.notice = Some(Message::AnswerFirst.plain(cx.lang).to_owned());
                return;
            }
            self.toggle_pick(place, cx);
        }
        // The person's own answer is still to be typed.
        if self.form.field(place).is_none_or(|field| field.focus == FieldFocus::Question) {
            self.advance(cx);
        }
    }

    /// Moves the cursor by a key.
    fn step_cursor(&mut self, place: usize, to: impl Fn(usize, usize) -> usize) {
        self.move_cursor(place, to);
        self.record_cursor_move();
    }

    fn handle_confirm_key(&mut self, place: usize, key: Key, cx: &UpdateContext) -> bool {
        match key.code {
            KeyCode::Char('y' | 'h' | '1') | KeyCode::Left => {
                self.confirm(place, true, cx);
            }
            KeyCode::Char('n') if !key.ctrl => self.confirm(place, false, cx),
            KeyCode::Right | KeyCode::Char('l' | '2') => self.confirm(place, false, cx),
            // `n` means no here, so the note has another key.
            KeyCode::Char('N') => self.edit_note(place, 'N'),
            _ => return false,
        }
        true
    }

    fn handle_rating_key(
        &mut self,
        place: usize,
        (min, max): (i32, i32),
        key: Key,
        cx: &UpdateContext,
    ) -> bool {
        match key.code {
            KeyCode::Right | KeyCode::Char('l') => self.rate_by(place, 1, cx),
            KeyCode::Left | KeyCode::Char('h') => self.rate_by(place, -1, cx),
            KeyCode::Home => self.rate(place, min, cx),
            KeyCode::End => self.rate(place, max, cx),
            KeyCode::Backspace => self.set_reply_undoable(place, self.reply_without_answer(place), cx),
            // If 0 is a step of the scale, it selects that step.
            KeyCode::Char('0')
                if !(min..=max).contains(&0) && !self.form.extends_step(place, '0', min..=max) =>
            {
                self.set_reply_undoable(place, self.reply_without_answer(place), cx);
            }
            KeyCode::Char(digit @ '0'..='9') => {
                self.rate_digit(place, digit, cx);
                return true;
            }
            _ => return false,
        }
        if let Some(field) = self.form.field_mut(place) {
            field.digits.clear();
        }
        true
    }

    fn reply_without_answer(&self, place: usize) -> Reply {
        Reply::unanswered().with_note(self.form.sheet.reply_at(place).note.clone())
    }

    /// Asks the asker for something in addition to an answer, in the wording of the asker's format.
    fn request_clarification(&mut self, wish: Clarification, place: usize, cx: &UpdateContext) {
        let Some(field) = self.form.field(place) else { return };
        let note = Some(field.note.text()).filter(|note| !note.trim().is_empty());
        let Some(words) = (cx.clarification)(wish, &self.ask, place, note) else {
            self.notice = Some(Message::CannotExplain.plain(cx.lang).to_owned());
            return;
        };
        let reply = self.form.sheet.reply_at(place).clone().with_note(Some(words.clone()));
        self.set_reply_undoable(place, reply, cx);
        if let Some(field) = self.form.field_mut(place) {
            field.note.set_text(&words);
        }
        self.notice = Some(wish.confirmation(&self.ask, cx.lang));
    }
}
