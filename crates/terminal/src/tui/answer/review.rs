//! The review: problems first, then the answers given, the questions without one, everything that will not be sent, and
//! the buttons.

use super::super::cursor_move::CursorMove;
use super::super::dialog::Dialog;
use super::super::editor::{LineMode, TextBox};
use super::{AskTab, AskView, ReviewItem, UpdateContext};
use std::collections::BTreeSet;

/// The person's place at the review, and on the way back to it.
#[derive(Debug, Default)]
pub(crate) struct ReviewVisit {
    /// Focused row.
    row: usize,
    /// The review was shown, so that an answered question leads back to it.
    is_origin: bool,
    /// Questions that appeared since, to be answered before the review.
    new_follow_ups: BTreeSet<usize>,
}

impl ReviewVisit {
    /// Returns the focused row of a review with this many rows.
    pub(crate) fn row(&self, rows: usize) -> usize {
        self.row.min(rows.saturating_sub(1))
    }

    /// Returns whether a row has the focus.
    pub(super) const fn is_at(&self, row: usize) -> bool {
        self.row == row
    }

    /// Moves the focus to a row.
    pub(super) const fn focus_row(&mut self, row: usize) {
        self.row = row;
    }

    /// Shows the review, with the focus on a row.
    pub(super) const fn show(&mut self, row: usize) {
        self.row = row;
        self.is_origin = true;
    }

    /// Leaves the review for a question.
    pub(super) fn open_question(&mut self) {
        self.is_origin = true;
        self.new_follow_ups.clear();
    }

    /// Returns whether an answered question leads back to the review.
    pub(super) const fn is_origin(&self) -> bool {
        self.is_origin
    }

    /// Adds questions that appeared, if an answered question leads back to the review.
    pub(super) fn add_follow_ups(&mut self, appeared: &[usize]) {
        if self.is_origin {
            self.new_follow_ups.extend(appeared);
        }
    }

    /// Returns the next question that appeared and is still open, after this one is answered.
    pub(super) fn next_follow_up(
        &mut self,
        answered: usize,
        is_open: impl Fn(usize) -> bool,
    ) -> Option<usize> {
        self.new_follow_ups.remove(&answered);
        self.new_follow_ups.iter().copied().find(|place| is_open(*place))
    }
}

pub(super) fn move_row(view: &mut AskView, movement: CursorMove) {
    let last = view.form.review_items().len().saturating_sub(1);
    view.review.focus_row(movement.apply(view.review.row(last + 1), last));
    view.scroll.show_focus();
}

/// Returns what the focused row of the review is about.
pub(crate) fn focused_item(view: &AskView) -> Option<ReviewItem> {
    let mut items = view.form.review_items();
    let row = view.review.row(items.len());
    if row < items.len() { Some(items.swap_remove(row)) } else { None }
}

/// Opens the note on the whole form, where the review has one.
pub(super) fn edit_form_note(view: &mut AskView) {
    if !view.form.takes_form_note() {
        return;
    }
    let note = view.form.sheet.note().unwrap_or_default();
    let text = view.note_text.take().unwrap_or_else(|| TextBox::new(note, LineMode::Multiple));
    view.dialog = Some(Dialog::note(text));
}

/// Opens a question from the review; its answer leads back to the review.
pub(super) fn open_from_review(view: &mut AskView, place: usize, cx: &UpdateContext) {
    view.go_to(AskTab::Question(place), cx);
    view.review.open_question();
}
