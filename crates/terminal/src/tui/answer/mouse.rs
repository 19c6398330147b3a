//! Mouse input at a questionnaire. A click does what the corresponding key does, and no more.

use super::super::editor::CellPosition as Cell;
use super::super::effect::Effect;
use super::super::widgets::line_builder::HitTarget;
use super::{AskTab, AskView, FieldFocus, UpdateContext};
use crate::tty::{Key, KeyCode};
use sayso_core::QuestionKind;

impl AskView {
    /// Handles a click.
    pub(crate) fn handle_click(&mut self, hit: HitTarget, column: usize, cx: &UpdateContext) -> Vec<Effect> {
        if self.dialog.is_some() {
            return Vec::new();
        }
        // A click, like a key, does not answer something that opened by itself a moment ago.
        if matches!(hit, HitTarget::Item(_)) && self.key_guard.is_settling(cx.instant()) {
            return Vec::new();
        }
        match (hit, self.tab) {
            (HitTarget::Tab(number), _) => self.go_to_index(number, cx),
            (HitTarget::Item(row), AskTab::Review) => {
                let was_there = self.review.is_at(row);
                self.move_row(|_, _| row);
                if was_there {
                    let effects = self.activate_row(Key::plain(KeyCode::Enter), cx);
                    self.key_guard.record_click(cx.instant());
                    return effects;
                }
            }
            (HitTarget::Item(item), AskTab::Question(place)) => self.click_item(place, item, cx),
            (HitTarget::Text { note, row, from }, AskTab::Question(place)) => {
                self.commit_text(cx);
                if let Some(field) = self.field_mut(place) {
                    field.focus = if note { FieldFocus::Note } else { FieldFocus::Text };
                    if let Some(text) = field.focused_box() {
                        text.place_caret(Cell { row, column: column.saturating_sub(from) });
                    }
                }
            }
            _ => {}
        }
        Vec::new()
    }

    fn click_item(&mut self, place: usize, item: usize, cx: &UpdateContext) {
        match self.question(place).map(|question| &question.kind) {
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
