//! Answers given as data, before and after they are judged.

use sayso_core::message::{Message, Text};
use sayso_core::problem::Step;
use sayso_core::sheet::Sent;
use sayso_core::{Code, Path, Problem, QuestionId, Questionnaire, Replies, Sheet};
use serde_json::Value;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// Answers given as data.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Given {
    /// The replies, as far as they can be said.
    pub replies: Replies,
    /// What was written, for askers that get exactly that.
    pub as_sent: Option<Value>,
    /// What no reply can say, each at the place of the question: `answers`, its id.
    pub problems: Vec<Problem>,
}

impl Given {
    /// These replies and nothing else.
    pub fn of(replies: Replies) -> Self {
        Self { replies, ..Self::default() }
    }

    /// What would be sent.
    ///
    /// # Errors
    /// All that is wrong, in the order of the questions: what no reply can say, and what the sheet finds.
    pub fn judged(&self, questionnaire: &Arc<Questionnaire>) -> Result<Sent, Vec<Problem>> {
        let sheet = Sheet::new(questionnaire.clone(), self.replies.clone());
        let mut problems = self.counting(&sheet);
        if problems.is_empty() {
            return sheet.submission().map_err(|problem| problem.causes);
        }
        let told: HashSet<String> =
            problems.iter().filter_map(|problem| answered(&problem.path).map(str::to_owned)).collect();
        let is_told =
            |problem: &Problem| answered(&problem.path).is_some_and(|question| told.contains(question));
        // Something was said, though it will not do.
        let is_silence = |problem: &Problem| problem.message == Text::from(Message::NeedsSomeAnswer);
        let others = sheet.problems().into_iter().filter(|problem| !is_told(problem) && !is_silence(problem));
        problems.extend(others);
        let ids = questionnaire.questions.iter().map(|question| question.id.as_str());
        let places: HashMap<_, _> = ids.zip(0..).collect();
        problems.sort_by_key(|problem: &Problem| -> Option<usize> {
            answered(&problem.path).and_then(|question| places.get(question).copied())
        });
        Err(problems)
    }

    /// What no reply can say at questions that are asked. What was given at others counts for nothing, right or wrong.
    fn counting(&self, sheet: &Sheet) -> Vec<Problem> {
        let counts = |problem: &&Problem| {
            let place = answered(&problem.path).and_then(|question| sheet.place(&QuestionId::new(question)));
            place.is_none_or(|place| sheet.is_asked(place))
        };
        self.problems.iter().filter(counts).cloned().collect()
    }

    /// The replies, where every one that counts could be said. A desk judges them, and keeps what it refuses.
    ///
    /// # Errors
    /// One problem that sums up what is wrong.
    pub fn said(self, questionnaire: &Arc<Questionnaire>) -> Result<(Replies, Option<Value>), Problem> {
        let sheet = Sheet::unjudged(questionnaire.clone(), self.replies.clone());
        if self.counting(&sheet).is_empty() {
            return Ok((self.replies, self.as_sent));
        }
        let problems = self.judged(questionnaire).err().unwrap_or_default();
        let said = Message::AnswersNeedAttention.with([problems.len()]);
        Err(Problem::new(Code::InvalidAnswers, said).because(problems))
    }
}

/// The question whose answer stands there.
fn answered(path: &Path) -> Option<&str> {
    match path.0.as_slice() {
        [_, Step::Key(question)] => Some(question),
        _ => None,
    }
}

/// Where the answer to a question stands.
pub(crate) fn answer_place(id: &str) -> Path {
    Path::root().then("answers").then(id)
}
