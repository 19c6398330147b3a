//! What is asked: questions in their sections, and the rules their answers are judged by.

mod check;
mod first;

use crate::action::Action;
use crate::answer::{Answer, Replies, Reply};
use crate::constraint::Demand;
use crate::digest::Digest;
use crate::id::{QuestionId, SectionId};
use crate::pattern::PatternTrials;
use crate::problem::{Path, Problem};
use crate::question::{Kind, Question};
use crate::rules::{Rules, UncheckedAnswers};
use crate::section::Section;
use crate::wire;
use serde_json::Value;
use serde_json::value::RawValue;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// A questionnaire.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Questionnaire {
    /// What it is about, in a line.
    pub title: Option<String>,
    /// Why it is asked.
    pub context: Option<String>,
    /// What would be done if the person agrees, where the asker wants to do something.
    pub action: Option<Action>,
    /// The sections, in the order shown. Without any, the questions stand by themselves.
    pub sections: Vec<Section>,
    /// The questions of all sections in the order asked, each before those that follow it up.
    pub questions: Vec<Question>,
    /// What the asker calls the button that sends the answers. A terminal shows it beside words of its own.
    pub submit: Option<String>,
    /// What the asker calls the button that declines. A terminal shows it beside words of its own.
    pub cancel: Option<String>,
    /// What is shown once it is answered.
    pub completed: Option<Completed>,
    /// How answers are judged.
    pub rules: Rules,
    /// Treatment of answers whose pattern takes too many steps to check.
    pub unchecked: UncheckedAnswers,
    /// What the asker's format says that nothing here has words for, so that the way back into it is exact.
    pub beside: Beside,
}

/// What formats say that only they have words for, by the name of the format. It is kept, compared and given back; it
/// is never shown and nothing is judged by it.
pub type Beside = BTreeMap<String, Value>;

/// What is shown of a questionnaire once it is answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Completed {
    /// The answers are shown.
    pub answers: bool,
    /// A sentence with `{{question id}}` in the places of answers.
    pub summary: Option<String>,
}

/// The canonical form of a questionnaire.
#[derive(Debug, Clone)]
pub struct Canonical {
    /// The JSON.
    pub json: Arc<RawValue>,
    /// Its digest.
    pub digest: Digest,
}

impl Questionnaire {
    /// The name to call it by in lists: its title, or else its first question.
    pub fn name(&self) -> &str {
        let first = self.questions.first().map(|question| question.prompt.as_str());
        self.title.as_deref().filter(|title| !title.trim().is_empty()).or(first).unwrap_or_default()
    }

    /// The question with this id. It looks at each: a [`Form`](crate::Form) finds many faster.
    pub fn question(&self, id: &QuestionId) -> Option<&Question> {
        self.questions.iter().find(|question| question.id == *id)
    }

    /// Whether it asks for consent and nothing else: to an action, or by yes or no alone. Consent is given once, to what is
    /// about to happen; what was said to the same words before is no answer to them now.
    pub fn asks_consent(&self) -> bool {
        let is_confirm = |question: &Question| matches!(question.kind, Kind::Confirm(_));
        self.action.is_some() || (!self.questions.is_empty() && self.questions.iter().all(is_confirm))
    }

    /// Whether an answer is refused whose pattern takes too many steps to check: the asker says so, or asks for consent.
    pub fn refuses_unchecked(&self) -> bool {
        self.unchecked == UncheckedAnswers::Refuse || self.asks_consent()
    }

    /// Whether these replies say no to what it asks consent for: to any of it, since who would act on it knows no more.
    pub fn is_refused_by(&self, replies: &Replies) -> bool {
        let is_no = |reply: &Reply| reply.answer() == Some(&Answer::Confirm(false));
        self.asks_consent() && replies.values().any(is_no)
    }

    /// Whether the one answer is all there is to say, so that it can be sent without looking over it: one question alone,
    /// unless something would be done.
    pub fn is_one_answer(&self) -> bool {
        self.questions.len() == 1 && self.action.is_none()
    }

    /// Whether what is asked depends on what is answered.
    pub fn is_conditional(&self) -> bool {
        let depends = |question: &Question| question.parent.is_some() || question.show_if.is_some();
        self.questions.iter().any(depends) || self.sections.iter().any(|section| section.show_if.is_some())
    }

    /// The section with this id.
    pub fn section(&self, id: &SectionId) -> Option<&Section> {
        self.sections.iter().find(|section| section.id == *id)
    }

    /// The digest of its canonical form: of exactly what people are shown.
    pub fn digest(&self) -> Digest {
        self.canonical().digest
    }

    /// Its canonical form and the digest of that. Neither is cheap: keep them where they are needed more than once.
    pub fn canonical(&self) -> Canonical {
        let json: Arc<RawValue> = wire::json::write_raw(self).into();
        Canonical { digest: Digest::of(json.get().as_bytes()), json }
    }

    /// What is wrong with it as a request, each with its place in the canonical form.
    pub fn problems(&self) -> Vec<Problem> {
        check::problems(self)
    }

    /// The patterns that run out of steps on texts like those that people answer, each with its place in the canonical form.
    pub fn costly_patterns(&self) -> Vec<Problem> {
        let mut trials = PatternTrials::default();
        let mut found = Vec::new();
        for (index, question) in self.questions.iter().enumerate() {
            let example = question.prefill.as_ref().and_then(|prefill| match prefill {
                Answer::Text(text) => Some(text.as_str()),
                _ => None,
            });
            for (at, constraint) in question.constraints.iter().enumerate() {
                let patterns = constraint.demands().filter_map(|demand| match demand {
                    Demand::Pattern(pattern) if demand.suits(&question.kind) => Some(pattern),
                    _ => None,
                });
                found.extend(
                    patterns.filter_map(|pattern| Some((index, at, trials.problem(pattern, example)?))),
                );
            }
        }
        if found.is_empty() {
            return Vec::new();
        }
        let places = self.places();
        let placed = |(index, at, problem): (usize, usize, Problem)| {
            let question = places.get(index).cloned().unwrap_or_default();
            problem.at(question.then("constraints").then(at).then("pattern"))
        };
        found.into_iter().map(placed).collect()
    }

    /// Where each question stands in the canonical form, in which follow-up questions stand in their parents.
    pub fn places(&self) -> Vec<Path> {
        let mut places: Vec<Path> = Vec::with_capacity(self.questions.len());
        let mut by_id: HashMap<&QuestionId, (usize, usize)> = HashMap::new();
        let sections: HashMap<_, _> =
            self.sections.iter().enumerate().rev().map(|(at, section)| (&section.id, at)).collect();
        let mut section_counts: HashMap<Option<&SectionId>, usize> = HashMap::new();
        for (index, question) in self.questions.iter().enumerate() {
            let parent = question.parent.as_ref().and_then(|parent| by_id.get_mut(parent));
            let place = if let Some((parent, children)) = parent {
                *children += 1;
                let parent = places.get(*parent).cloned().unwrap_or_default();
                parent.then("children").then(*children - 1)
            } else {
                let count = section_counts.entry(question.section.as_ref()).or_default();
                *count += 1;
                let section = question.section.as_ref().and_then(|id| sections.get(id));
                let root = section.map_or_else(Path::root, |at| Path::root().then("sections").then(*at));
                root.then("questions").then(*count - 1)
            };
            places.push(place);
            by_id.entry(&question.id).or_insert((index, 0));
        }
        places
    }
}
