//! Writer of outcomes: text for a model, in the generation of the request.

use super::status::{rejected, rejection, session_line, standing, submitted};
use super::text::{Block, Piece, answers_text};
use crate::{Compat, Written};
use sayso_core::row::Standing;
use sayso_core::{
    Answer, AskId, Choice, Kind, Lang, Opt, OptionId, Outcome, Pick, Question, Questionnaire, Replies, Reply,
    words,
};
use std::collections::HashMap;

/// Returns the output for an outcome: the text of [`tool_result`] on stdout for every outcome, with an exit code and
/// the default message on stderr.
pub fn write(ask: AskId, questionnaire: &Questionnaire, outcome: &Outcome) -> Written {
    Written { stdout: tool_result(ask, questionnaire, outcome), ..Written::in_words(outcome) }
}

/// Returns the output for an asker that does not wait.
pub fn pending(ask: AskId, questionnaire: &Questionnaire) -> Written {
    Written { stdout: submitted(ask, questionnaire.questions.len()), ..Written::default() }
}

/// Returns the text of the tool's result: that of the outcome, in 3.4 under a session line.
pub fn tool_result(ask: AskId, questionnaire: &Questionnaire, outcome: &Outcome) -> String {
    let text = outcome_text(questionnaire, outcome);
    match Compat::of(questionnaire) {
        Compat::Spec => text,
        Compat::V3_4 => with_session(ask, questionnaire, &text),
    }
}

fn with_session(ask: AskId, questionnaire: &Questionnaire, text: &str) -> String {
    format!("{}\n\n{text}", session_line(ask, questionnaire.questions.len()))
}

/// Returns the text of an outcome alone, as the spec's command prints it.
pub fn outcome_text(questionnaire: &Questionnaire, outcome: &Outcome) -> String {
    match outcome {
        Outcome::Answered { replies, .. } => answered(questionnaire, replies),
        Outcome::Declined { reason, .. } => rejection(reason.as_deref()),
        Outcome::Cancelled { .. } => "Session cancelled by the asking agent.".to_owned(),
        Outcome::Expired { .. } => "Session timed out. No answer was given.".to_owned(),
    }
}

/// Returns the reply of `get_answered_questions` (3.4) for an ask that is open or has this outcome.
pub fn status(ask: AskId, questionnaire: &Questionnaire, outcome: Option<&Outcome>) -> String {
    const OVER: &str = "Session is no longer active.";
    match outcome {
        None => standing(ask, Standing::Open, "No answers yet."),
        Some(Outcome::Answered { replies, .. }) => {
            with_session(ask, questionnaire, &answered(questionnaire, replies))
        }
        Some(Outcome::Declined { reason, .. }) => {
            standing(ask, Standing::Declined, &rejected(reason.as_deref()))
        }
        Some(Outcome::Cancelled { .. }) => standing(ask, Standing::Cancelled, OVER),
        Some(Outcome::Expired { .. }) => standing(ask, Standing::Expired, OVER),
    }
}

fn answered(questionnaire: &Questionnaire, replies: &Replies) -> String {
    let reply = |question: &Question| replies.get(&question.id).filter(|reply| is_given(reply));
    let blocks = questionnaire.questions.iter().map(|question| {
        let block = reply(question).map(|reply| block(question, reply));
        (question.prompt.as_str(), block)
    });
    answers_text(blocks, Compat::of(questionnaire))
}

pub(super) fn is_given(reply: &Reply) -> bool {
    reply.answer().is_some() || note(reply).is_some()
}

fn note(reply: &Reply) -> Option<&str> {
    reply.note.as_deref().filter(|note| !note.trim().is_empty())
}

/// Returns the answer block for a reply to a question.
pub(super) fn block<'q>(question: &'q Question, reply: &'q Reply) -> Block<'q> {
    let mut block = Block::default();
    match (&question.kind, reply.answer()) {
        (Kind::Choice(choice), Some(Answer::Picks(picks))) => {
            block.nothing_picked = picks.is_empty();
            block.pieces = picked(choice, picks);
        }
        // The spec has choices only.
        (_, Some(answer)) => block.pieces.push(Piece::Words(words::answer(question, answer, Lang::En))),
        (_, None) => {}
    }
    // The spec's answers have typed text in addition to options, so a note is included and not dropped.
    block.pieces.extend(note(reply).map(Piece::Own));
    block
}

/// Returns the options in the order picked, then the typed text.
fn picked<'q>(choice: &'q Choice, picks: &'q [Pick]) -> Vec<Piece<'q>> {
    let options: HashMap<&OptionId, &Opt> =
        choice.options.iter().map(|option| (&option.id, option)).collect();
    let option = |pick: &'q Pick| match pick {
        Pick::Option(id) => Some(match options.get(id) {
            Some(option) => Piece::Option(&option.label, option.description.as_deref()),
            None => Piece::Option(id.as_str(), None),
        }),
        Pick::Other(_) => None,
    };
    let own = |pick: &'q Pick| match pick {
        Pick::Other(text) => Some(Piece::Own(text)),
        Pick::Option(_) => None,
    };
    picks.iter().filter_map(option).chain(picks.iter().filter_map(own)).collect()
}
