//! The review: problems first, then everything that will be sent, everything that will not, and the buttons.

use super::{Answering, Moment, Scroll, Spot};
use crate::recap;
use sayso_core::Problem;

/// Focusable row of the review.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Item {
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

impl Answering {
    /// Returns the rows of the review.
    pub(crate) fn review(&self) -> Vec<Item> {
        let item = |problem| Item::Problem { place: recap::place_of(&self.sheet, &problem), problem };
        let mut items: Vec<Item> = self.sheet.problems().into_iter().map(item).collect();
        items.extend(self.sheet.asked().map(|(place, _)| Item::Question(place)));
        items.extend(self.sheet.dormant().map(|(place, _)| Item::Dormant(place)));
        let asked = self.sheet.asked().filter(|(place, _)| self.aside(*place).is_some());
        items.extend(asked.map(|(place, _)| Item::Aside(place)));
        items.extend([Item::Submit, Item::Decline]);
        items
    }

    /// Returns the row that has the focus first: the first problem, or the submit button.
    pub(super) fn review_start(&self) -> usize {
        let items = self.review();
        match items.first() {
            Some(Item::Problem { .. }) => 0,
            _ => items.iter().position(|item| *item == Item::Submit).unwrap_or_default(),
        }
    }

    pub(super) fn move_row(&mut self, to: impl Fn(usize, usize) -> usize) {
        let last = self.review().len().saturating_sub(1);
        self.row = to(self.row.min(last), last).min(last);
        self.scroll = Scroll::Keys;
    }

    /// Returns the focused row.
    pub(crate) fn item(&self) -> Option<Item> {
        let mut items = self.review();
        let at = self.row.min(items.len().saturating_sub(1));
        (at < items.len()).then(|| items.swap_remove(at))
    }

    /// Opens a question from the review; its answer leads back to the review.
    pub(super) fn change(&mut self, place: usize, cx: &Moment) {
        self.go(Spot::Question(place), cx);
        self.from_review = true;
        self.brought_up.clear();
    }
}
