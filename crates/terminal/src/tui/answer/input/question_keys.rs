//! Command keys at a question, for as long as letters are commands.

use super::InputHandler;
use crate::surface::Clarification;
use crate::tty::{Key, KeyCode};
use crate::tui::answer::reply::{choice_picks, scales, undo};
use crate::tui::answer::{FieldFocus, ending, pagers};
use crate::tui::cursor_move::CursorMove;
use crate::tui::dialog::Dialog;
use crate::tui::effect::Effect;
use crate::tui::opening_key::OpeningKey;
use sayso_core::{ChoiceQuestion, Message, Question, QuestionInput, RatingQuestion, Reply};

impl InputHandler<'_> {
    pub(super) fn handle_question_key(&mut self, place: usize, key: Key) -> Vec<Effect> {
        if key.alt || key.ctrl && !matches!(key.code, KeyCode::Char('n' | 'p')) {
            return Vec::new();
        }
        let is_handled = match self.view.form.question(place).map(Question::input) {
            Some(QuestionInput::Options(ChoiceQuestion { multi, .. })) => {
                self.handle_choice_key(place, *multi, key)
            }
            Some(QuestionInput::Toggle(_)) => self.handle_confirm_key(place, key),
            Some(QuestionInput::Scale(RatingQuestion { min, max, .. })) => {
                self.handle_rating_key(place, (*min, *max), key)
            }
            Some(QuestionInput::Line(_)) | None => {
                let begins = key.code == KeyCode::Enter || key.typed_char() == Some('i');
                if begins && let Some(field) = self.view.form.field_mut(place) {
                    field.focus = FieldFocus::Text;
                }
                begins
            }
        };
        if !is_handled {
            self.handle_common_key(place, key);
        }
        Vec::new()
    }

    /// Handles the keys that every kind of question shares.
    fn handle_common_key(&mut self, place: usize, key: Key) {
        match key.code {
            KeyCode::Enter => self.view.advance(self.cx),
            KeyCode::Right => self.view.next_tab(self.cx),
            KeyCode::Left => self.view.previous_tab(self.cx),
            KeyCode::Down | KeyCode::Char('j') => self.view.scroll.move_by(1),
            KeyCode::Up | KeyCode::Char('k') => self.view.scroll.move_by(-1),
            KeyCode::Char('n') if !key.ctrl => self.edit_note(place, 'n'),
            KeyCode::Char('u') => self.view.clear(place, self.cx),
            KeyCode::Char('-') => self.view.skip(place, self.cx),
            KeyCode::Char('g') if !key.ctrl => self.view.dialog = Some(Dialog::jump()),
            KeyCode::Char('d') if !key.ctrl => ending::confirm_decline(self.view, self.cx),
            KeyCode::Char('e') => self.request_clarification(Clarification::Explanation, place),
            KeyCode::Char('w') => self.request_clarification(Clarification::Rephrasing, place),
            _ => {}
        }
    }

    fn handle_choice_key(&mut self, place: usize, multi: bool, key: Key) -> bool {
        match key.code {
            KeyCode::Up | KeyCode::Char('k') => self.step_cursor(place, CursorMove::Up(1)),
            KeyCode::Char('p') if key.ctrl => self.step_cursor(place, CursorMove::Up(1)),
            KeyCode::Down | KeyCode::Char('j') => self.step_cursor(place, CursorMove::Down(1)),
            KeyCode::Char('n') if key.ctrl => self.step_cursor(place, CursorMove::Down(1)),
            KeyCode::Home => self.step_cursor(place, CursorMove::First),
            KeyCode::End | KeyCode::Char('G') => self.step_cursor(place, CursorMove::Last),
            KeyCode::Char(' ') => choice_picks::toggle_pick(self.view, place, self.cx),
            KeyCode::Char('x') if multi => choice_picks::toggle_pick(self.view, place, self.cx),
            KeyCode::Char(digit @ '1'..='9') => {
                if choice_picks::focus_offer(self.view, place, usize::from(digit as u8 - b'1')) {
                    choice_picks::toggle_pick(self.view, place, self.cx);
                }
            }
            KeyCode::Char('a') if multi => choice_picks::toggle_all_picks(self.view, place, self.cx),
            KeyCode::Char('o') => {
                choice_picks::edit_own_answer(self.view, place, self.cx);
                self.view.opening_key = Some(OpeningKey::new('o'));
            }
            KeyCode::Char('/') => {
                if let Some(field) = self.view.form.field_mut(place) {
                    field.focus = FieldFocus::Filter;
                }
            }
            KeyCode::Char('p') => pagers::show_preview(self.view, place, self.cx),
            KeyCode::Enter if multi => self.view.advance(self.cx),
            KeyCode::Enter => self.choose_by_enter(place),
            _ => return false,
        }
        true
    }

    /// Moves to the note, which this letter opens.
    fn edit_note(&mut self, place: usize, letter: char) {
        if let Some(field) = self.view.form.field_mut(place) {
            field.focus = FieldFocus::Note;
        }
        self.view.opening_key = Some(OpeningKey::new(letter));
        self.view.scroll.show_focus();
    }

    /// Picks the focused option and goes on.
    fn choose_by_enter(&mut self, place: usize) {
        if !self.view.form.is_focused_picked(place) {
            // An Enter that is held down from the question before picks nothing.
            if !self.view.is_own_press {
                return;
            }
            // Consent is a choice of its own, and not what the cursor happens to be at.
            if self.view.form.is_consent(place) && !self.view.has_moved_cursor() {
                self.view.notice = Some(Message::AnswerFirst.plain(self.cx.lang).to_owned());
                return;
            }
            choice_picks::toggle_pick(self.view, place, self.cx);
        }
        // The person's own answer is still to be typed.
        if self.view.form.focus(place) == FieldFocus::Question {
            self.view.advance(self.cx);
        }
    }

    /// Moves the cursor by a key.
    fn step_cursor(&mut self, place: usize, movement: CursorMove) {
        choice_picks::move_cursor(self.view, place, movement);
        self.view.record_cursor_move();
    }

    fn handle_confirm_key(&mut self, place: usize, key: Key) -> bool {
        match key.code {
            KeyCode::Char('y' | 'Y' | 'h' | '1') | KeyCode::Left => {
                scales::confirm(self.view, place, true, self.cx);
            }
            KeyCode::Char('n') if !key.ctrl => scales::confirm(self.view, place, false, self.cx),
            KeyCode::Right | KeyCode::Char('l' | '2') => scales::confirm(self.view, place, false, self.cx),
            // `n` means no here, so the note has another key.
            KeyCode::Char('N') => self.edit_note(place, 'N'),
            _ => return false,
        }
        true
    }

    fn handle_rating_key(&mut self, place: usize, (min, max): (i32, i32), key: Key) -> bool {
        match key.code {
            KeyCode::Right | KeyCode::Char('l') => scales::rate_by(self.view, place, 1, self.cx),
            KeyCode::Left | KeyCode::Char('h') => scales::rate_by(self.view, place, -1, self.cx),
            KeyCode::Home => scales::rate(self.view, place, min, self.cx),
            KeyCode::End => scales::rate(self.view, place, max, self.cx),
            KeyCode::Backspace => {
                undo::set_reply_undoable(self.view, place, self.reply_without_answer(place), self.cx);
            }
            // If 0 is a step of the scale, it selects that step.
            KeyCode::Char('0')
                if !(min..=max).contains(&0) && !self.view.form.extends_step(place, '0', min..=max) =>
            {
                undo::set_reply_undoable(self.view, place, self.reply_without_answer(place), self.cx);
            }
            KeyCode::Char(digit @ '0'..='9') => {
                scales::rate_digit(self.view, place, digit, self.cx);
                return true;
            }
            _ => return false,
        }
        if let Some(field) = self.view.form.field_mut(place) {
            field.digits.clear();
        }
        true
    }

    fn reply_without_answer(&self, place: usize) -> Reply {
        Reply::unanswered().with_note(self.view.form.sheet.reply_at(place).note.clone())
    }

    /// Asks the asker for something in addition to an answer, in the wording of the asker's format.
    fn request_clarification(&mut self, wish: Clarification, place: usize) {
        let Some(field) = self.view.form.field(place) else { return };
        let text = field.note.text();
        let note = if text.trim().is_empty() { None } else { Some(text) };
        let Some(words) = (self.cx.clarification)(wish, &self.view.ask, place, note) else {
            self.view.notice = Some(Message::CannotExplain.plain(self.cx.lang).to_owned());
            return;
        };
        let reply = self.view.form.sheet.reply_at(place).clone().with_note(Some(words.clone()));
        undo::set_reply_undoable(self.view, place, reply, self.cx);
        if let Some(field) = self.view.form.field_mut(place) {
            field.note.set_text(&words);
        }
        self.view.notice = Some(wish.confirmation(&self.view.ask, self.cx.lang));
    }
}
