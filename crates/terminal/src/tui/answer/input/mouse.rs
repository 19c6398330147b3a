//! Mouse input at a questionnaire. A click does what the corresponding key does, and no more.

use super::InputHandler;
use crate::tty::{Key, KeyCode};
use crate::tui::answer::reply::{choice_picks, scales, text_input};
use crate::tui::answer::{AskTab, FieldFocus, review};
use crate::tui::cursor_move::CursorMove;
use crate::tui::editor::CellPosition as Cell;
use crate::tui::widgets::line_builder::HitTarget;
use sayso_core::{Question, QuestionInput};

impl InputHandler<'_> {
    /// Handles a click on a target, at this column of the screen.
    pub(crate) fn handle_click(&mut self, hit: HitTarget, column: usize) {
        if self.view.dialog.is_some() {
            return;
        }
        // A click, like a key, does not answer something that opened by itself a moment ago.
        if matches!(hit, HitTarget::Item(_) | HitTarget::YesNo { .. } | HitTarget::Submit)
            && self.view.is_settling(self.cx)
        {
            return;
        }
        text_input::finish_opening(self.view, self.cx);
        match (hit, self.view.tab) {
            (HitTarget::Tab(number), _) => self.view.go_to_index(number, self.cx),
            (HitTarget::Item(row), AskTab::Review) => {
                let was_there = self.view.review.is_at(row);
                review::move_row(self.view, CursorMove::To(row));
                if was_there {
                    self.view.is_own_press =
                        self.view.guard.record_press(Key::plain(KeyCode::Enter), self.cx.instant());
                    self.activate_row();
                }
            }
            (HitTarget::Submit, AskTab::Question(_)) => {
                self.view.is_own_press =
                    self.view.guard.record_press(Key::plain(KeyCode::Enter), self.cx.instant());
                self.view.prepare_press(self.view.is_own_press, self.cx);
                self.view.advance(self.cx);
            }
            (HitTarget::Item(item), AskTab::Question(place)) => self.click_item(place, item),
            (HitTarget::YesNo { no_from }, AskTab::Question(place)) => {
                self.click_item(place, usize::from(column >= no_from));
            }
            (HitTarget::Text { note, row, from }, AskTab::Question(place)) => {
                self.view.commit_text(self.cx);
                if let Some(field) = self.view.form.field_mut(place) {
                    field.focus = if note { FieldFocus::Note } else { FieldFocus::Text };
                    if let Some(text) = field.focused_box() {
                        text.place_caret(Cell { row, column: column.saturating_sub(from) });
                    }
                }
            }
            _ => {}
        }
    }

    fn click_item(&mut self, place: usize, item: usize) {
        let input = self.view.form.question(place).map(Question::input);
        let is_no = item == 1 && matches!(input, Some(QuestionInput::Toggle(_)));
        if self.view.is_unread(place) && !is_no {
            self.view.read_on(place, self.cx);
            return;
        }
        match input {
            Some(QuestionInput::Options(_)) => {
                text_input::leave_text_box(self.view, place, self.cx);
                if choice_picks::focus_offer(self.view, place, item) {
                    choice_picks::toggle_pick(self.view, place, self.cx);
                }
            }
            Some(QuestionInput::Toggle(_)) => scales::confirm(self.view, place, item == 0, self.cx),
            _ => {}
        }
    }
}
