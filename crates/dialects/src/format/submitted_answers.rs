//! Answers given as data, before and after validation.

use sayso_core::model::document_path::PathStep;
use sayso_core::sheet::SubmittedReplies;
use sayso_core::{DocumentPath, Problem, ProblemCode, QuestionId, Questionnaire, Replies, Sheet};
use sayso_core::{LocalizedText, Message};
use serde_json::Value;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// Answers given as data.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SubmittedAnswers {
    /// The replies, as far as the answers can be expressed as such.
    pub replies: Replies,
    /// The original answers, for askers that get them verbatim.
    pub as_sent: Option<Value>,
    /// Answers that no reply can express, each at the place of the question: `answers`, its id.
    pub problems: Vec<Problem>,
}

impl SubmittedAnswers {
    /// Wraps replies without problems.
    pub fn from_replies(replies: Replies) -> Self {
        Self { replies, ..Self::default() }
    }

    /// Returns the validated answers, as they would be sent.
    ///
    /// # Errors
    /// Returns all problems in the order of the questions: answers that no reply can express, and those that the sheet
    /// finds.
    pub fn validate(&self, questionnaire: &Arc<Questionnaire>) -> Result<SubmittedReplies, Vec<Problem>> {
        let sheet = Sheet::new(questionnaire.clone(), self.replies.clone());
        let mut problems = self.relevant_problems(&sheet);
        if problems.is_empty() {
            return sheet.submission().map_err(|problem| problem.causes);
        }
        let mut reported_questions = HashSet::new();
        for problem in &problems {
            reported_questions.extend(question_in_path(&problem.path).map(str::to_owned));
        }
        for problem in sheet.problems() {
            let question = question_in_path(&problem.path);
            let is_reported = question.is_some_and(|question| reported_questions.contains(question));
            // There was an answer, although an invalid one.
            let is_silence = problem.message == LocalizedText::from(Message::NeedsSomeAnswer);
            if !is_reported && !is_silence {
                problems.push(problem);
            }
        }
        let ids = questionnaire.questions.iter().map(|question| question.id.as_str());
        let order: HashMap<&str, usize> = ids.zip(0..).collect();
        // Problems of no question come first.
        problems.sort_by_key(|problem| Some(*order.get(question_in_path(&problem.path)?)?));
        Err(problems)
    }

    /// Returns the problems at questions that are asked. Answers to others count for nothing, valid or not.
    fn relevant_problems(&self, sheet: &Sheet) -> Vec<Problem> {
        let mut relevant = Vec::new();
        for problem in &self.problems {
            let question = question_in_path(&problem.path);
            let index = question.and_then(|question| sheet.index_of(&QuestionId::new(question)));
            if index.is_none_or(|index| sheet.is_asked(index)) {
                relevant.push(problem.clone());
            }
        }
        relevant
    }

    /// Returns the replies, if each one that counts can be expressed. A desk judges them, and keeps rejected ones.
    ///
    /// # Errors
    /// Returns one problem that sums up the others.
    pub fn into_replies(
        self,
        questionnaire: &Arc<Questionnaire>,
    ) -> Result<(Replies, Option<Value>), Problem> {
        let sheet = Sheet::without_validation(questionnaire.clone(), self.replies.clone());
        if self.relevant_problems(&sheet).is_empty() {
            return Ok((self.replies, self.as_sent));
        }
        let problems = self.validate(questionnaire).err().unwrap_or_default();
        let message = Message::AnswersNeedAttention.with([problems.len()]);
        Err(Problem::new(ProblemCode::InvalidAnswers, message).with_causes(problems))
    }
}

/// Returns the id of the question that a problem's path refers to.
fn question_in_path(path: &DocumentPath) -> Option<&str> {
    match path.0.as_slice() {
        [_, PathStep::Key(question)] => Some(question),
        _ => None,
    }
}

/// Returns the place of the answer to a question.
pub(crate) fn answer_place(id: &str) -> DocumentPath {
    DocumentPath::root().join("answers").join(id)
}
