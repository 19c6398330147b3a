//! Mouse input at a questionnaire. A click does what the corresponding key does, and no more.

use super::super::effect::Effect;
use super::super::input::{Key, KeyCode};
use super::super::paper::Hit;
use super::super::text::Spot as Cell;
use super::{Answering, Focus, Moment, Spot};
use sayso_core::Kind;

impl Answering {
    /// Handles a click.
    pub(crate) fn pressed(&mut self, hit: Hit, column: usize, cx: &Moment) -> Vec<Effect> {
        if self.dialog.is_some() {
            return Vec::new();
        }
        // A click, like a key, does not answer something that opened by itself a moment ago.
        if matches!(hit, Hit::Item(_)) && self.is_settling(cx) {
            return Vec::new();
        }
        match (hit, self.spot) {
            (Hit::Tab(number), _) => self.tab(number, cx),
            (Hit::Item(row), Spot::Review) => {
                let was_there = self.row == row;
                self.move_row(|_, _| row);
                if was_there {
                    let effects = self.chosen(Key::plain(KeyCode::Enter), cx);
                    self.entered = cx.at();
                    return effects;
                }
            }
            (Hit::Item(item), Spot::Question(place)) => self.pressed_item(place, item, cx),
            (Hit::Text { note, row, from }, Spot::Question(place)) => {
                self.settle_text(cx);
                if let Some(field) = self.field_mut(place) {
                    field.focus = if note { Focus::Note } else { Focus::Text };
                    if let Some(text) = field.typing() {
                        text.place(Cell { row, column: column.saturating_sub(from) });
                    }
                }
            }
            _ => {}
        }
        Vec::new()
    }

    fn pressed_item(&mut self, place: usize, item: usize, cx: &Moment) {
        match self.question(place).map(|question| &question.kind) {
            Some(Kind::Choice(_)) => {
                self.leave_box(place, cx);
                if self.go_to_offer(place, item) {
                    self.pick(place, cx);
                }
            }
            Some(Kind::Confirm(_)) => self.confirm(place, item == 0, cx),
            _ => {}
        }
    }
}
