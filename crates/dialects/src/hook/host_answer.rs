//! Answer of a host's own dialog, as far as the host tells it when a call ends.

use super::call::HookCall;
use super::input::QUESTION_TOOL;
use super::permission::{self, PermissionDecision};
use super::questions;
use sayso_core::{Answer, Ask, Outcome, Pick, Question, QuestionId, Questionnaire, Replies, Reply};
use serde_json::Value;

/// Answer that a host used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HostAnswer {
    /// One text for each question, by the words of the question. Several labels have commas between them.
    Texts(Vec<(String, String)>),
    /// Labels and own texts of each question, in the order of the questions.
    Labels(Vec<Vec<String>>),
    /// Yes or no to a permission.
    Permission(bool),
    /// The questions were dismissed.
    Rejection,
}

impl HostAnswer {
    /// Returns the answer that a call shows which has run: to its questions, whose answers the host adds to the
    /// arguments, or the yes to its permission.
    pub(super) fn of_run(call: &HookCall) -> Option<Self> {
        if call.tool() != QUESTION_TOOL {
            return Some(Self::Permission(true));
        }
        let answers = call.input().get("answers")?.as_object()?;
        let texts =
            answers.iter().filter_map(|(prompt, text)| Some((prompt.clone(), text.as_str()?.to_owned())));
        Some(Self::Texts(texts.collect()))
    }

    /// Returns the answers in lists of labels.
    pub(super) fn of_labels(answers: &Value) -> Option<Self> {
        let labels = |answer: &Value| -> Option<Vec<String>> {
            answer.as_array()?.iter().map(|label| label.as_str().map(str::to_owned)).collect()
        };
        answers.as_array()?.iter().map(labels).collect::<Option<_>>().map(Self::Labels)
    }

    /// Returns true unless a person has decided otherwise at the desk, and that decision has gone nowhere.
    pub fn takes(&self, ask: &Ask) -> bool {
        !matches!((self, ask.outcome()), (Self::Rejection, Some(Outcome::Answered { .. })))
    }

    /// Returns it as replies to an ask, if a person has decided otherwise at the desk: the host did not use that.
    pub fn replies_against(&self, ask: &Ask) -> Option<Replies> {
        let questionnaire = &ask.request.questionnaire;
        let used = self.replies_to(questionnaire);
        let is_same = match (self, ask.outcome()?) {
            (Self::Rejection, _) => return None,
            (Self::Permission(yes), outcome) => {
                let is_allowed = matches!(permission::decision(outcome)?, PermissionDecision::Allow);
                is_allowed == *yes
            }
            // The answer itself, as it was written with its notes.
            (Self::Labels(labels), Outcome::Answered { replies, .. })
                if *labels == questions::label_lists(questionnaire, replies) =>
            {
                true
            }
            (_, Outcome::Answered { replies, .. }) => {
                labels_of(questionnaire, replies) == labels_of(questionnaire, &used)
            }
            // The decline itself, as it was written for a host that has no other place for its reason.
            (Self::Labels(labels), Outcome::Declined { reason, .. }) => {
                questions::declined_text(reason.as_deref()).is_some_and(|text| labels.concat() == [text])
            }
            (_, Outcome::Declined { .. }) => false,
            (_, Outcome::Cancelled { .. } | Outcome::Expired { .. }) => return None,
        };
        (!is_same && !used.is_empty()).then_some(used)
    }

    fn replies_to(&self, questionnaire: &Questionnaire) -> Replies {
        let questions = questionnaire.questions.iter();
        match self {
            Self::Rejection => Replies::default(),
            Self::Permission(yes) => {
                let reply =
                    |question: &Question| (question.id.clone(), Reply::from_answer(Answer::Confirm(*yes)));
                questions.map(reply).collect()
            }
            Self::Texts(texts) => questions
                .filter_map(|question| {
                    let (_, text) = texts.iter().find(|(prompt, _)| *prompt == question.prompt)?;
                    let whole = [text.as_str()];
                    let parts = questions::split_items(text).unwrap_or_default();
                    let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
                    let is_listed =
                        !parts.is_empty() && parts.iter().all(|part| option_of(question, part).is_some());
                    Some(reply_of(question, if is_listed { parts.as_slice() } else { whole.as_slice() }))
                })
                .collect(),
            Self::Labels(labels) => questions
                .zip(labels)
                .filter(|(_, labels)| !labels.is_empty())
                .map(|(question, labels)| {
                    let labels: Vec<&str> = labels.iter().map(String::as_str).collect();
                    reply_of(question, &labels)
                })
                .collect(),
        }
    }
}

/// Returns the option with this label.
fn option_of(question: &Question, label: &str) -> Option<Pick> {
    let option = question.choice()?.options.iter().find(|option| option.label == label)?;
    Some(Pick::Option(option.id.clone()))
}

fn reply_of(question: &Question, texts: &[&str]) -> (QuestionId, Reply) {
    let pick = |text: &&str| option_of(question, text).unwrap_or_else(|| Pick::Other((*text).to_owned()));
    (question.id.clone(), Reply::from_picks(texts.iter().map(pick)))
}

/// Returns the labels of each question with an answer, in an order that no dialog decides.
fn labels_of<'q>(questionnaire: &'q Questionnaire, replies: &'q Replies) -> Vec<(&'q str, Vec<&'q str>)> {
    let picked = questions::picked_labels(questionnaire, replies);
    picked
        .map(|(question, mut labels)| {
            labels.sort_unstable();
            (question.id.as_str(), labels)
        })
        .collect()
}
