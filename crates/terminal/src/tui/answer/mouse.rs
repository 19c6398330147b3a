//! Mouse input at a questionnaire. A click does what the corresponding key does, and no more.

use super::super::editor::CellPosition as Cell;
use super::super::widgets::line_builder::HitTarget;
use super::{AskTab, AskView, FieldFocus, UpdateContext};
use crate::tty::{Key, KeyCode};
use sayso_core::{Message, QuestionKind};

impl AskView {
    /// Handles a click.
    pub(crate) fn handle_click(&mut self, hit: HitTarget, column: usize, cx: &UpdateContext) {
        if self.dialog.is_some() {
            return;
        }
        // A click, like a key, does not answer something that opened by itself a moment ago.
        if matches!(hit, HitTarget::Item(_) | HitTarget::Submit) && self.is_settling(cx) {
            return;
        }
        self.finish_opening(cx);
        match (hit, self.tab) {
            (HitTarget::Tab(number), _) => self.go_to_index(number, cx),
            (HitTarget::Item(row), AskTab::Review) => {
                let was_there = self.review.is_at(row);
                self.move_row(|_, _| row);
                if was_there {
                    self.is_own_press = self.guard.record_press(Key::plain(KeyCode::Enter), cx.instant());
                    self.activate_row(cx);
                }
            }
            (HitTarget::Submit, AskTab::Question(_)) => {
                self.is_own_press = self.guard.record_press(Key::plain(KeyCode::Enter), cx.instant());
                self.prepare_press(self.is_own_press, cx);
                self.advance(cx);
            }
            (HitTarget::Item(item), AskTab::Question(place)) => self.click_item(place, item, cx),
            (HitTarget::Text { note, row, from }, AskTab::Question(place)) => {
                self.commit_text(cx);
                if let Some(field) = self.form.field_mut(place) {
                    field.focus = if note { FieldFocus::Note } else { FieldFocus::Text };
                    if let Some(text) = field.focused_box() {
                        text.place_caret(Cell { row, column: column.saturating_sub(from) });
                    }
                }
            }
            _ => {}
        }
    }

    fn click_item(&mut self, place: usize, item: usize, cx: &UpdateContext) {
        if !self.action_seen && self.shows_action() {
            self.notice = Some(Message::ActionUnread.plain(cx.lang).to_owned());
            return;
        }
        match self.form.question(place).map(|question| &question.kind) {
            Some(QuestionKind::Choice(_)) => {
                self.leave_text_box(place, cx);
                if self.focus_offer(place, item) {
                    self.toggle_pick(place, cx);
                }
            }
            Some(QuestionKind::Confirm(_)) => self.confirm(place, item == 0, cx),
            _ => {}
        }
    }
}
