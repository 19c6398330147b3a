//! Where ids stand first among the questions.

use crate::id::QuestionId;
use crate::question::Question;
use std::collections::HashMap;

/// The first question with each id. Few questions are gone through; many are looked up.
pub(super) struct First<'q> {
    questions: &'q [Question],
    by_id: Option<HashMap<&'q QuestionId, usize>>,
}

impl<'q> First<'q> {
    /// Of these questions.
    pub(super) fn of(questions: &'q [Question]) -> Self {
        const FEW: usize = 16;
        let by_id = (questions.len() > FEW).then(|| {
            let mut by_id = HashMap::with_capacity(questions.len());
            for (index, question) in questions.iter().enumerate() {
                by_id.entry(&question.id).or_insert(index);
            }
            by_id
        });
        Self { questions, by_id }
    }

    /// The place of the first question with this id.
    pub(super) fn get(&self, id: &QuestionId) -> Option<usize> {
        match &self.by_id {
            Some(by_id) => by_id.get(id).copied(),
            None => self.questions.iter().position(|question| question.id == *id),
        }
    }
}
