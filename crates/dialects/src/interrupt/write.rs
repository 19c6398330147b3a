//! Writing of outcomes, for the asker and for the agent's tool.

use super::approval;
use super::kept::Kept;
use crate::Written;
use sayso_core::wire::json;
use sayso_core::{Answer, Kind, Lang, Outcome, Pick, Question, Questionnaire, Replies, words};

/// Writes an outcome for the asker: the answers as a JSON array of strings, or for an approval the decision as the
/// spec's `ResumeRequest`. Declining is a decision too, with its reason as `reason`. Refusing an approval has the same
/// exit code as declining, so that a command that runs only after a success does not run after a no.
pub fn write(questionnaire: &Questionnaire, outcome: &Outcome) -> Written {
    let extensions = Kept::of(questionnaire);
    let (stdout, told) = match outcome {
        Outcome::Answered { replies, .. } => match approval::approved(questionnaire, &extensions) {
            None => (answers(questionnaire, replies, &extensions), Written::in_words(outcome)),
            Some(question) if is_agreed(question, replies, &extensions) => {
                (approval::decided(true, None), Written::in_words(outcome))
            }
            Some(question) => {
                let reason = reason(question, replies);
                (approval::decided(false, reason), Written::declined(reason))
            }
        },
        Outcome::Declined { reason, .. } => {
            (approval::decided(false, reason.as_deref()), Written::in_words(outcome))
        }
        Outcome::Cancelled { .. } | Outcome::Expired { .. } => (String::new(), Written::in_words(outcome)),
    };
    Written { stdout, ..told }
}

/// Returns the result of the agent's tool call with this id; `None` if the tool may run now.
pub fn tool_result(questionnaire: &Questionnaire, outcome: &Outcome, call: &str) -> Option<String> {
    let extensions = Kept::of(questionnaire);
    let tool = questionnaire.action.as_ref().map(|action| action.tool.as_str());
    let rejected = |reason: Option<&str>| match tool {
        Some(tool) => {
            let because = reason.map(|reason| format!(": {reason}")).unwrap_or_default();
            format!("User rejected the tool call for `{tool}` with id {call}{because}")
        }
        None => Written::in_words(outcome).stderr,
    };
    match outcome {
        Outcome::Answered { replies, .. } => match approval::approved(questionnaire, &extensions) {
            None => Some(answers(questionnaire, replies, &extensions)),
            Some(question) if is_agreed(question, replies, &extensions) => None,
            Some(question) => Some(rejected(reason(question, replies))),
        },
        Outcome::Declined { reason, .. } => Some(rejected(reason.as_deref())),
        Outcome::Cancelled { .. } | Outcome::Expired { .. } => Some(Written::in_words(outcome).stderr),
    }
}

/// Returns whether the answer to an approval lets the agent continue.
pub(super) fn is_agreed(question: &Question, replies: &Replies, extensions: &Kept) -> bool {
    match replies.get(&question.id).and_then(|reply| reply.answer()) {
        Some(Answer::Confirm(agreed)) => *agreed,
        Some(Answer::Picks(picks)) => match picks.as_slice() {
            [Pick::Option(id)] => {
                approval::agreement(question, extensions).is_some_and(|agreed| agreed == *id)
            }
            _ => false,
        },
        _ => false,
    }
}

/// Returns the reason for a refused approval: the note of the reply, or the option that was picked instead.
fn reason<'r>(question: &'r Question, replies: &'r Replies) -> Option<&'r str> {
    let reply = replies.get(&question.id)?;
    let picked = || match reply.answer() {
        Some(Answer::Picks(picks)) => picks.first().map(|pick| words::pick(question, pick)),
        _ => None,
    };
    reply.note.as_deref().or_else(picked)
}

/// Returns the answers in the order of the questions, with a space after each comma as Python writes them.
fn answers(questionnaire: &Questionnaire, replies: &Replies, extensions: &Kept) -> String {
    let asked = super::request::asked(questionnaire, extensions);
    let said = |question: &Question| {
        let answer = replies.get(&question.id).and_then(|reply| reply.answer());
        json::write(&answer.map(|answer| said(question, answer)).unwrap_or_default())
    };
    let said: Vec<_> = asked.into_iter().map(said).collect();
    format!("[{}]", said.join(", "))
}

fn said(question: &Question, answer: &Answer) -> String {
    match (&question.kind, answer) {
        (Kind::Choice(choice), Answer::Picks(picks)) => match picks.first() {
            Some(Pick::Option(id)) => {
                choice.option(id).map_or(id.as_str(), |option| option.sent()).to_owned()
            }
            Some(Pick::Other(text)) => text.trim().to_owned(),
            None => String::new(),
        },
        (_, answer) => words::answer(question, answer, Lang::En).into_owned(),
    }
}
