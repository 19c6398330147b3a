//! Rows of the review, made of the answers.

use super::AnswerForm;
use crate::describe;
use sayso_core::{Problem, QuestionId};

/// Focusable row of the review.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::tui) enum ReviewItem {
    /// A problem, possibly of one question.
    Problem {
        /// The question's index, if the problem is about one.
        place: Option<usize>,
        /// The problem.
        problem: Problem,
    },
    /// A question that is asked.
    Question(usize),
    /// The note on the whole form, or the place to add one.
    Note,
    /// An answer to a question that is no longer asked.
    Dormant(usize),
    /// An own answer that is not picked.
    Aside(usize),
    /// Button that submits the answers.
    Submit,
    /// Button that declines.
    Decline,
}

impl AnswerForm {
    /// Returns the rows of the review from top to bottom.
    pub(in crate::tui) fn review_items(&self) -> Vec<ReviewItem> {
        let mut items = Vec::new();
        for problem in self.sheet.surface_problems() {
            let place = describe::question_index(&self.sheet, &problem);
            items.push(ReviewItem::Problem { place, problem });
        }
        let mut questions_without_input = Vec::new();
        let mut unpicked_answers = Vec::new();
        for (place, _) in self.sheet.asked_questions() {
            if self.sheet.reply_at(place).has_input() {
                items.push(ReviewItem::Question(place));
            } else {
                questions_without_input.push(ReviewItem::Question(place));
            }
            if self.unpicked_own_answer(place).is_some() {
                unpicked_answers.push(ReviewItem::Aside(place));
            }
        }
        items.extend(questions_without_input);
        items.extend(self.sheet.hidden_answered().map(|(place, _)| ReviewItem::Dormant(place)));
        items.extend(unpicked_answers);
        if self.takes_form_note() {
            items.push(ReviewItem::Note);
        }
        items.extend([ReviewItem::Submit, ReviewItem::Decline]);
        items
    }

    /// Returns whether the review has a row for the note on the whole form. A lone question has a note of its own.
    pub(in crate::tui) fn takes_form_note(&self) -> bool {
        self.sheet.questionnaire().note_place() == QuestionId::FORM || self.sheet.note().is_some()
    }

    /// Returns the row that has the focus first: the first problem, or the submit button.
    pub(in crate::tui) fn review_start(&self) -> usize {
        let items = self.review_items();
        match items.first() {
            Some(ReviewItem::Problem { .. }) => 0,
            _ => items.iter().position(|item| *item == ReviewItem::Submit).unwrap_or_default(),
        }
    }
}
