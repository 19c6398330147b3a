//! Places of a questionnaire's questions, computed once for all losses.

use super::truncate;
use crate::TranslationLoss;
use sayso_core::Message;
use sayso_core::rules::LengthUnit;
use sayso_core::{DocumentPath, Question, QuestionId, Questionnaire};
use std::borrow::Cow;
use std::collections::HashMap;

/// Places of questions in the canonical form.
pub(crate) struct QuestionPlaces<'q>(HashMap<&'q QuestionId, DocumentPath>);

impl<'q> QuestionPlaces<'q> {
    pub(crate) fn from_questionnaire(questionnaire: &'q Questionnaire) -> Self {
        let mut places = HashMap::with_capacity(questionnaire.questions.len());
        for (question, place) in questionnaire.questions.iter().zip(questionnaire.question_paths()) {
            places.entry(&question.id).or_insert(place);
        }
        Self(places)
    }

    /// Returns the place of a question.
    pub(crate) fn place(&self, question: &Question) -> DocumentPath {
        self.0.get(&question.id).cloned().unwrap_or_default()
    }

    /// Returns a name for a nameless question, if a request requires one: its prompt, cut to this length.
    pub(crate) fn generated_name<'p>(
        &self,
        question: &'p Question,
        longest: usize,
        unit: LengthUnit,
        lost: &mut Vec<TranslationLoss>,
    ) -> Cow<'p, str> {
        let path = self.place(question).join("label");
        lost.push(TranslationLoss::new(path, Message::LostNoName).replaced_by(Message::PromptStands));
        // This loss includes the cut.
        truncate(&question.prompt, longest, unit, &DocumentPath::root, &mut Vec::new())
    }
}
