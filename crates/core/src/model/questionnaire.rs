//! A questionnaire: questions in their sections, and the rules that validate answers.

use crate::model::action::ProposedAction;
use crate::model::document_path::DocumentPath;
use crate::model::id::{QuestionId, SectionId};
use crate::model::question::Question;
use crate::model::section::Section;
use crate::model::validation_rules::{Rules, UncheckedAnswers};
use serde_json::Value;
use std::collections::{BTreeMap, HashMap};

/// A questionnaire.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Questionnaire {
    /// Its topic, in one line.
    pub title: Option<String>,
    /// Background: the reason for asking.
    pub context: Option<String>,
    /// The action that runs if the person agrees, if the asker wants to act.
    pub action: Option<ProposedAction>,
    /// The sections, in the order shown. Without any, the questions belong to no section.
    pub sections: Vec<Section>,
    /// The questions of all sections in the order asked, each before those that follow it up.
    pub questions: Vec<Question>,
    /// The asker's label of the submit button. A terminal shows it next to its own.
    pub submit: Option<String>,
    /// The asker's label of the decline button. A terminal shows it next to its own.
    pub cancel: Option<String>,
    /// The view shown after it is answered.
    pub completed: Option<CompletionView>,
    /// The rules that validate answers.
    pub rules: Rules,
    /// Treatment of answers that exceed the step budget of their pattern.
    pub unchecked: UncheckedAnswers,
    /// Members of the asker's format without an equivalent here, so that converting back is exact.
    pub extensions: FormatExtensions,
}

/// Members that only one format has, by the name of the format. They are kept, compared and returned; they are never
/// shown, and validate nothing.
pub type FormatExtensions = BTreeMap<String, Value>;

/// The view of a questionnaire after it is answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CompletionView {
    /// The view shows the answers.
    pub answers: bool,
    /// A sentence with `{{question id}}` as the placeholder of each answer.
    pub summary: Option<String>,
}

impl Questionnaire {
    /// Returns its display name in lists: its title, or else its first question.
    pub fn display_name(&self) -> &str {
        if let Some(title) = &self.title
            && !title.trim().is_empty()
        {
            return title;
        }
        match self.questions.first() {
            Some(question) => &question.prompt,
            None => "",
        }
    }

    /// Returns the question with this id. Linear search: a [`PreparedQuestionnaire`](crate::PreparedQuestionnaire) is faster for many look-ups.
    pub fn question(&self, id: &QuestionId) -> Option<&Question> {
        self.questions.iter().find(|question| question.id == *id)
    }

    /// Returns the id of the reply whose note is on the whole form: that of a lone question, or else the form's own.
    pub fn note_place(&self) -> QuestionId {
        match self.questions.as_slice() {
            [question] => question.id.clone(),
            _ => QuestionId::FORM,
        }
    }

    /// Returns true if one answer completes it, so that it can be sent without a review: one question alone, without
    /// an action.
    pub fn has_single_answer(&self) -> bool {
        self.questions.len() == 1 && self.action.is_none()
    }

    /// Returns true if the questions asked depend on the answers.
    pub fn is_conditional(&self) -> bool {
        self.questions.iter().any(|question| question.parent.is_some() || question.show_if.is_some())
            || self.sections.iter().any(|section| section.show_if.is_some())
    }

    /// Returns the section with this id.
    pub fn section(&self, id: &SectionId) -> Option<&Section> {
        self.sections.iter().find(|section| section.id == *id)
    }

    /// Returns the path of each question in the canonical form, which nests follow-up questions in their parents.
    pub fn question_paths(&self) -> Vec<DocumentPath> {
        let mut places: Vec<DocumentPath> = Vec::with_capacity(self.questions.len());
        let mut by_id: HashMap<&QuestionId, (usize, usize)> = HashMap::new();
        let sections: HashMap<_, _> =
            self.sections.iter().enumerate().rev().map(|(at, section)| (&section.id, at)).collect();
        let mut section_counts: HashMap<Option<&SectionId>, usize> = HashMap::new();
        for (index, question) in self.questions.iter().enumerate() {
            let parent = question.parent.as_ref().and_then(|parent| by_id.get_mut(parent));
            let place = if let Some((parent, child_count)) = parent {
                let parent = places.get(*parent).cloned().unwrap_or_default();
                let place = parent.join("children").join(*child_count);
                *child_count += 1;
                place
            } else {
                let question_count = section_counts.entry(question.section.as_ref()).or_default();
                let list = match question.section.as_ref().and_then(|id| sections.get(id)) {
                    Some(section) => DocumentPath::root().join("sections").join(*section),
                    None => DocumentPath::root(),
                };
                let place = list.join("questions").join(*question_count);
                *question_count += 1;
                place
            };
            places.push(place);
            by_id.entry(&question.id).or_insert((index, 0));
        }
        places
    }
}
