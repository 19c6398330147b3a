//! Answer of a host's own dialog, as far as the host tells it when a call ends.

use super::call::HookCall;
use super::input::QUESTION_TOOL;
use super::permission::{self, PermissionDecision};
use super::questions;
use sayso_core::{Answer, Ask, Outcome, Pick, Question, Questionnaire, Replies, Reply};
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
        let mut texts = Vec::new();
        for (prompt, text) in answers {
            if let Some(text) = text.as_str() {
                texts.push((prompt.clone(), text.to_owned()));
            }
        }
        Some(Self::Texts(texts))
    }

    /// Returns the answers in lists of labels.
    pub(super) fn of_labels(answers: &Value) -> Option<Self> {
        let mut lists = Vec::new();
        for answer in answers.as_array()? {
            let labels = answer.as_array()?.iter();
            lists.push(labels.map(|label| label.as_str().map(str::to_owned)).collect::<Option<_>>()?);
        }
        Some(Self::Labels(lists))
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
        if is_same || used.is_empty() { None } else { Some(used) }
    }

    fn replies_to(&self, questionnaire: &Questionnaire) -> Replies {
        let mut replies = Replies::default();
        for (index, question) in questionnaire.questions.iter().enumerate() {
            let reply = match self {
                Self::Rejection => None,
                Self::Permission(is_allowed) => Some(Reply::from_answer(Answer::Confirm(*is_allowed))),
                Self::Texts(texts) => {
                    let answer = texts.iter().find(|(prompt, _)| *prompt == question.prompt);
                    answer.map(|(_, text)| reply_from_text(question, text))
                }
                Self::Labels(lists) => match lists.get(index) {
                    Some(labels) if !labels.is_empty() => Some(reply_from_labels(question, labels)),
                    _ => None,
                },
            };
            if let Some(reply) = reply {
                replies.insert(question.id.clone(), reply);
            }
        }
        replies
    }
}

/// Returns the option with this label.
fn option_of(question: &Question, label: &str) -> Option<Pick> {
    let option = question.choice()?.options.iter().find(|option| option.label == label)?;
    Some(Pick::Option(option.id.clone()))
}

/// Returns the reply of a text: several labels if it is a list of them, else one label or an own text.
fn reply_from_text(question: &Question, text: &str) -> Reply {
    let labels = questions::split_items(text).unwrap_or_default();
    let is_list = !labels.is_empty() && labels.iter().all(|label| option_of(question, label).is_some());
    if is_list {
        reply_from_labels(question, &labels)
    } else {
        reply_from_labels(question, &[text.to_owned()])
    }
}

fn reply_from_labels(question: &Question, labels: &[String]) -> Reply {
    let mut picks = Vec::with_capacity(labels.len());
    for label in labels {
        picks.push(match option_of(question, label) {
            Some(pick) => pick,
            None => Pick::Other(label.clone()),
        });
    }
    Reply::from_picks(picks)
}

/// Returns the labels of each question with an answer, in an order that no dialog decides.
fn labels_of<'q>(questionnaire: &'q Questionnaire, replies: &'q Replies) -> Vec<(&'q str, Vec<&'q str>)> {
    let mut sorted = Vec::new();
    for (question, mut labels) in questions::picked_labels(questionnaire, replies) {
        labels.sort_unstable();
        sorted.push((question.id.as_str(), labels));
    }
    sorted
}
