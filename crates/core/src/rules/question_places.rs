//! Places of questions in the canonical form, for problems at them.

use crate::model::document_path::DocumentPath;
use crate::model::questionnaire::Questionnaire;
use std::cell::OnceCell;

/// Places of the questions of a questionnaire, computed if there is a problem at one.
pub(crate) struct QuestionPlaces<'q> {
    questionnaire: &'q Questionnaire,
    places: OnceCell<Vec<DocumentPath>>,
}

impl<'q> QuestionPlaces<'q> {
    pub(crate) const fn new(questionnaire: &'q Questionnaire) -> Self {
        Self { questionnaire, places: OnceCell::new() }
    }

    /// Returns the place of the question with this index.
    pub(crate) fn at(&self, index: usize) -> DocumentPath {
        let places = self.places.get_or_init(|| self.questionnaire.question_paths());
        places.get(index).cloned().unwrap_or_default()
    }
}
