//! Writing of outcomes, for the asker and for the agent's tool.

use super::extensions::InterruptExtensions;
use super::{approval, messages};
use crate::format::cli_output::CliOutput;
use sayso_core::wire::json;
use sayso_core::{
    Answer, ChoiceOption, Lang, Outcome, Pick, Question, Questionnaire, Replies, Reply, i18n::answer_words,
};

/// Writes an outcome for the asker: the answers as a JSON array of strings, or for an approval the decision as the
/// spec's `ResumeRequest`. Declining is a decision too, with its reason as `reason`. Refusing an approval has the same
/// exit code as declining, so that a command that runs only after a success does not run after a no.
pub(crate) fn write(questionnaire: &Questionnaire, outcome: &Outcome) -> CliOutput {
    let extensions = InterruptExtensions::from_questionnaire(questionnaire);
    let (stdout, output) = match outcome {
        Outcome::Answered { replies, .. } => match find_approval(questionnaire, &extensions) {
            None if questionnaire.approval(replies) == Some(false) => {
                (answers_json(questionnaire, replies), CliOutput::declined(None))
            }
            None => (answers_json(questionnaire, replies), CliOutput::from_outcome(outcome)),
            Some(question) if is_agreed(question, replies, &extensions) => {
                (approval::decision_json(true, None), CliOutput::from_outcome(outcome))
            }
            Some(question) => {
                let reason = rejection_reason(question, replies);
                (approval::decision_json(false, reason), CliOutput::declined(reason))
            }
        },
        Outcome::Declined { reason, .. } => {
            (approval::decision_json(false, reason.as_deref()), CliOutput::from_outcome(outcome))
        }
        Outcome::Cancelled { .. } | Outcome::Expired { .. } => {
            (String::new(), CliOutput::from_outcome(outcome))
        }
    };
    CliOutput { stdout, ..output }
}

/// Returns the result of the agent's tool call with this id; `None` if the tool may run now.
pub fn tool_result(questionnaire: &Questionnaire, outcome: &Outcome, call: &str) -> Option<String> {
    let extensions = InterruptExtensions::from_questionnaire(questionnaire);
    let tool = questionnaire.action.as_ref().map(|action| action.tool.as_str());
    let reason = match outcome {
        Outcome::Answered { replies, .. } => match find_approval(questionnaire, &extensions) {
            None => return Some(answers_json(questionnaire, replies)),
            Some(question) if is_agreed(question, replies, &extensions) => return None,
            Some(question) => rejection_reason(question, replies),
        },
        Outcome::Declined { reason, .. } => reason.as_deref(),
        Outcome::Cancelled { .. } | Outcome::Expired { .. } => {
            return Some(CliOutput::from_outcome(outcome).stderr);
        }
    };
    Some(match tool {
        Some(tool) => messages::rejected_call(tool, call, reason),
        None => CliOutput::from_outcome(outcome).stderr,
    })
}

/// Decision on an interrupt, as a client resumes with it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InterruptDecision {
    /// `continue`, `cancel` or `answer`; `error` if no one decided in time.
    pub action: &'static str,
    /// Answers in the order of the questions.
    pub answers: Option<Vec<String>>,
    /// Reason of a `cancel`.
    pub reason: Option<String>,
}

/// Returns whether a questionnaire asks for an approval, and not for answers.
pub fn is_approval(questionnaire: &Questionnaire) -> bool {
    let extensions = InterruptExtensions::from_questionnaire(questionnaire);
    approval::find_approval(questionnaire, &extensions).is_some()
}

/// Returns the decision that an outcome is.
pub fn decision(questionnaire: &Questionnaire, outcome: &Outcome) -> InterruptDecision {
    let extensions = InterruptExtensions::from_questionnaire(questionnaire);
    let mut answers = None;
    let (action, reason) = match outcome {
        Outcome::Answered { replies, .. } => match find_approval(questionnaire, &extensions) {
            None => {
                answers = Some(answer_texts(questionnaire, replies));
                ("answer", None)
            }
            Some(question) if is_agreed(question, replies, &extensions) => ("continue", None),
            Some(question) => ("cancel", rejection_reason(question, replies)),
        },
        Outcome::Declined { reason, .. } => ("cancel", reason.as_deref()),
        Outcome::Cancelled { .. } => ("cancel", None),
        Outcome::Expired { .. } => ("error", None),
    };
    InterruptDecision { action, answers, reason: reason.map(str::to_owned) }
}

/// Returns the question of an approval that goes on or not; `None` also for one that is decided by the picked option.
pub(super) fn find_approval<'q>(
    questionnaire: &'q Questionnaire,
    extensions: &InterruptExtensions,
) -> Option<&'q Question> {
    let question = approval::find_approval(questionnaire, extensions)?;
    if approval::is_open_choice(question, extensions) { None } else { Some(question) }
}

/// Returns whether the answer to an approval lets the agent continue.
pub(super) fn is_agreed(question: &Question, replies: &Replies, extensions: &InterruptExtensions) -> bool {
    match replies.get(&question.id).and_then(|reply| reply.answer()) {
        Some(Answer::Confirm(is_agreed)) => *is_agreed,
        Some(Answer::Picks(picks)) => match picks.as_slice() {
            [Pick::Option(id)] => approval::agreeing_option(question, extensions).as_ref() == Some(id),
            _ => false,
        },
        _ => false,
    }
}

/// Returns the reason for a refused approval: the note of the reply, or the option that was picked instead.
fn rejection_reason<'r>(question: &'r Question, replies: &'r Replies) -> Option<&'r str> {
    let reply = replies.get(&question.id)?;
    match (&reply.note, reply.answer()) {
        (Some(note), _) => Some(note),
        (None, Some(Answer::Picks(picks))) => {
            picks.first().map(|pick| answer_words::describe_pick(question, pick))
        }
        (None, _) => None,
    }
}

/// Returns the answers in the order of the questions.
fn answer_texts(questionnaire: &Questionnaire, replies: &Replies) -> Vec<String> {
    let mut texts = Vec::with_capacity(questionnaire.questions.len());
    for question in &questionnaire.questions {
        texts.push(match replies.get(&question.id).and_then(Reply::answer) {
            Some(answer) => answer_text(question, answer),
            None => String::new(),
        });
    }
    texts
}

/// Returns the answers as JSON, with a space after each comma as Python writes them.
fn answers_json(questionnaire: &Questionnaire, replies: &Replies) -> String {
    let texts = answer_texts(questionnaire, replies);
    let value: Vec<_> = texts.iter().map(json::write).collect();
    format!("[{}]", value.join(", "))
}

fn answer_text(question: &Question, answer: &Answer) -> String {
    match (question.choice(), answer) {
        (Some(choice), Answer::Picks(picks)) => {
            let mut values = Vec::with_capacity(picks.len());
            for pick in picks.iter() {
                values.push(match pick {
                    Pick::Option(id) => choice.option(id).map_or(id.as_str(), ChoiceOption::sent_value),
                    Pick::Other(text) => text.trim(),
                });
            }
            values.join(", ")
        }
        (None, Answer::Confirm(is_confirmed)) => is_confirmed.to_string(),
        (_, answer) => answer.describe(question, Lang::En).into_owned(),
    }
}
