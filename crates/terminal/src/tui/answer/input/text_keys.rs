//! Keys of a text box, and those that it leaves to its question.

use super::InputHandler;
use crate::tty::{Key, KeyCode};
use crate::tui::answer::FieldFocus;
use crate::tui::answer::reply::{choice_picks, scales, text_input};
use crate::tui::cursor_move::CursorMove;
use crate::tui::editor::KeyResult;
use crate::tui::effect::Effect;
use crate::tui::opening_key::KeyUse;
use sayso_core::{LineFormat, Message, Question, QuestionInput, limits};

impl InputHandler<'_> {
    /// Handles a key of a text box. Returns `None` if the key means something else.
    pub(super) fn handle_text_key(&mut self, key: Key) -> Option<Vec<Effect>> {
        let place = self.view.tab.question_place()?;
        let focus = self.view.form.field_mut(place)?.focus;
        if focus == FieldFocus::Filter && moves_options(key) {
            return None;
        }
        if focus == FieldFocus::Question {
            self.view.opening_key = None;
            return None;
        }
        if let Some(guard) = &mut self.view.opening_key {
            match guard.judge(key, self.cx.instant()) {
                KeyUse::Wait => return Some(Vec::new()),
                KeyUse::Take { before: letter } => {
                    text_input::type_letter(self.view, letter, self.cx);
                    self.view.opening_key = None;
                }
            }
        }
        if focus == FieldFocus::Note && key == Key::plain(KeyCode::Enter) {
            text_input::leave_text_box(self.view, place, self.cx);
            return Some(Vec::new());
        }
        if focus == FieldFocus::Text && breaks_line(key) {
            text_input::allow_line_breaks(self.view, place);
        }
        let key_result = self.view.form.field_mut(place)?.focused_box()?.handle_key(key);
        if focus == FieldFocus::Text {
            text_input::fit_lines(self.view, place);
        }
        match key_result {
            KeyResult::Changed => {
                text_input::text_changed(self.view, place, focus, self.cx);
                self.view.scroll.show_focus();
            }
            KeyResult::Moved => self.view.scroll.show_focus(),
            KeyResult::Full => {
                self.view.notice =
                    Some(Message::MaxLength.render_with(self.cx.lang, [limits::TEXT_ANSWER_BYTES]));
            }
            KeyResult::Ignored if self.handle_ignored_key(place, focus, key) => {}
            KeyResult::Ignored => return None,
        }
        Some(Vec::new())
    }

    /// Handles a key that the text box ignored. Returns whether the question used it.
    fn handle_ignored_key(&mut self, place: usize, focus: FieldFocus, key: Key) -> bool {
        match (key.code, focus) {
            (KeyCode::Esc, _) => {
                choice_picks::clear_filter(self.view, place);
                text_input::leave_text_box(self.view, place, self.cx);
            }
            (KeyCode::Enter, FieldFocus::Filter) => {
                if self.view.is_own_press {
                    choice_picks::toggle_pick(self.view, place, self.cx);
                }
                if self.view.form.focus(place) == FieldFocus::Filter {
                    text_input::leave_text_box(self.view, place, self.cx);
                }
            }
            (KeyCode::Enter, FieldFocus::Text) => self.view.advance(self.cx),
            (KeyCode::Up | KeyCode::Down, FieldFocus::Text) => {
                let up = key.code == KeyCode::Up;
                match self.view.form.question(place).map(Question::input) {
                    Some(QuestionInput::Line(LineFormat::Number { .. })) => {
                        scales::step_number(self.view, place, up, self.cx);
                    }
                    Some(QuestionInput::Options(_)) => {
                        text_input::leave_text_box(self.view, place, self.cx);
                        let movement = if up { CursorMove::Up(1) } else { CursorMove::Down(1) };
                        choice_picks::move_cursor(self.view, place, movement);
                        self.view.record_cursor_move();
                    }
                    _ => {}
                }
            }
            (KeyCode::Up | KeyCode::Down, _) => {}
            // Global keys.
            _ => return false,
        }
        true
    }
}

/// Returns whether a key begins a new line in any text. Enter alone does so only in a long one.
fn breaks_line(key: Key) -> bool {
    match key.code {
        KeyCode::Enter => (key.alt || key.shift) && !key.ctrl,
        KeyCode::Char('j') => key.ctrl && !key.alt,
        _ => false,
    }
}

/// Returns whether a key moves through options while the filter has the focus.
pub(super) const fn moves_options(key: Key) -> bool {
    matches!(key.code, KeyCode::Up | KeyCode::Down)
        || key.ctrl && matches!(key.code, KeyCode::Char('n' | 'p'))
}
