//! Places of a questionnaire's questions, computed once for all losses.

use crate::Lost;
use crate::translate::cut;
use sayso_core::message::Message;
use sayso_core::rules::LengthUnit;
use sayso_core::{Path, Question, QuestionId, Questionnaire};
use std::borrow::Cow;
use std::collections::HashMap;

/// Places of questions in the canonical form.
pub(crate) struct Places<'q>(HashMap<&'q QuestionId, Path>);

impl<'q> Places<'q> {
    pub(crate) fn of(questionnaire: &'q Questionnaire) -> Self {
        let mut places = HashMap::with_capacity(questionnaire.questions.len());
        for (question, place) in questionnaire.questions.iter().zip(questionnaire.places()) {
            places.entry(&question.id).or_insert(place);
        }
        Self(places)
    }

    /// Returns the place of a question.
    pub(crate) fn of_question(&self, question: &Question) -> Path {
        self.0.get(&question.id).cloned().unwrap_or_default()
    }

    /// Returns a name for a nameless question, if a request requires one: its prompt, cut to this length.
    pub(crate) fn made_up_name<'p>(
        &self,
        question: &'p Question,
        longest: usize,
        unit: LengthUnit,
        lost: &mut Vec<Lost>,
    ) -> Cow<'p, str> {
        let path = self.of_question(question).then("label");
        let instead = Some(Message::PromptStands.into());
        lost.push(Lost { path, what: Message::LostNoName.into(), instead });
        // This loss includes the cut.
        cut(&question.prompt, longest, unit, &Path::root, &mut Vec::new())
    }
}
