//! The review: problems first, then everything that will be sent, everything that will not, and the buttons.

use super::{AskTab, AskView, UpdateContext};
use crate::describe;
use sayso_core::Problem;

/// Focusable row of the review.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ReviewItem {
    /// A problem, possibly of one question.
    Problem {
        /// The question's index, if the problem is about one.
        place: Option<usize>,
        /// The problem.
        problem: Problem,
    },
    /// A question that is asked.
    Question(usize),
    /// An answer to a question that is no longer asked.
    Dormant(usize),
    /// An own answer that is not picked.
    Aside(usize),
    /// Button that submits the answers.
    Submit,
    /// Button that declines.
    Decline,
}

impl AskView {
    /// Returns the rows of the review.
    pub(crate) fn review_items(&self) -> Vec<ReviewItem> {
        let item =
            |problem| ReviewItem::Problem { place: describe::question_index(&self.sheet, &problem), problem };
        let mut items: Vec<ReviewItem> = self.sheet.problems().into_iter().map(item).collect();
        items.extend(self.sheet.asked_questions().map(|(place, _)| ReviewItem::Question(place)));
        items.extend(self.sheet.hidden_answered().map(|(place, _)| ReviewItem::Dormant(place)));
        let asked =
            self.sheet.asked_questions().filter(|(place, _)| self.unpicked_own_answer(*place).is_some());
        items.extend(asked.map(|(place, _)| ReviewItem::Aside(place)));
        items.extend([ReviewItem::Submit, ReviewItem::Decline]);
        items
    }

    /// Returns the row that has the focus first: the first problem, or the submit button.
    pub(super) fn review_start(&self) -> usize {
        let items = self.review_items();
        match items.first() {
            Some(ReviewItem::Problem { .. }) => 0,
            _ => items.iter().position(|item| *item == ReviewItem::Submit).unwrap_or_default(),
        }
    }

    pub(super) fn move_row(&mut self, to: impl Fn(usize, usize) -> usize) {
        let last = self.review_items().len().saturating_sub(1);
        self.review_row = to(self.review_row.min(last), last).min(last);
        self.scroll.show_focus();
    }

    /// Returns the focused row.
    pub(crate) fn focused_item(&self) -> Option<ReviewItem> {
        let mut items = self.review_items();
        let at = self.review_row.min(items.len().saturating_sub(1));
        (at < items.len()).then(|| items.swap_remove(at))
    }

    /// Opens a question from the review; its answer leads back to the review.
    pub(super) fn open_from_review(&mut self, place: usize, cx: &UpdateContext) {
        self.go_to(AskTab::Question(place), cx);
        self.opened_from_review = true;
        self.new_follow_ups.clear();
    }
}
