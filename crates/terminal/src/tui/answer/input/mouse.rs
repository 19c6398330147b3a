//! Mouse input at a questionnaire. A click does what the corresponding key does, and no more.

use super::InputHandler;
use crate::tty::{Key, KeyCode};
use crate::tui::answer::{AskTab, FieldFocus};
use crate::tui::editor::CellPosition as Cell;
use crate::tui::widgets::line_builder::HitTarget;
use sayso_core::{Message, QuestionKind};

impl InputHandler<'_> {
    /// Handles a click.
    pub(crate) fn handle_click(&mut self, hit: HitTarget, column: usize) {
        if self.view.dialog.is_some() {
            return;
        }
        // A click, like a key, does not answer something that opened by itself a moment ago.
        if matches!(hit, HitTarget::Item(_) | HitTarget::Submit) && self.view.is_settling(self.cx) {
            return;
        }
        self.view.finish_opening(self.cx);
        match (hit, self.view.tab) {
            (HitTarget::Tab(number), _) => self.view.go_to_index(number, self.cx),
            (HitTarget::Item(row), AskTab::Review) => {
                let was_there = self.view.review.is_at(row);
                self.view.move_row(|_, _| row);
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
        if !self.view.action_seen && self.view.shows_action() {
            self.view.notice = Some(Message::ActionUnread.plain(self.cx.lang).to_owned());
            return;
        }
        match self.view.form.question(place).map(|question| &question.kind) {
            Some(QuestionKind::Choice(_)) => {
                self.view.leave_text_box(place, self.cx);
                if self.view.focus_offer(place, item) {
                    self.view.toggle_pick(place, self.cx);
                }
            }
            Some(QuestionKind::Confirm(_)) => self.view.confirm(place, item == 0, self.cx),
            _ => {}
        }
    }
}
