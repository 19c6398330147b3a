//! Writer of outcomes: text for a model, in the generation of the request.

use super::answer_text::{AuqAnswerBlock, AuqAnswerPiece, answers_text};
use super::messages::{
    self, ended_status_text, pending_status_text, rejected_status, rejection_text, session_line, status_text,
};
use crate::auq::limits::AuqCompat;
use crate::format::form_note::form_note_text;
use sayso_core::model::ask_summary::AskStatus;
use sayso_core::{
    Answer, AskId, ChoiceOption, ChoiceQuestion, Lang, OptionId, Outcome, Pick, Question, Questionnaire,
    Replies, Reply,
};
use std::collections::HashMap;
use std::time::Duration;

/// Returns the text of the tool's result: that of the outcome, in 3.4 under a session line.
pub fn tool_result(ask: AskId, questionnaire: &Questionnaire, outcome: &Outcome) -> String {
    let text = outcome_text(questionnaire, outcome);
    match AuqCompat::from_questionnaire(questionnaire) {
        AuqCompat::Spec => text,
        AuqCompat::V3_4 => with_session(ask, questionnaire, &text),
    }
}

fn with_session(ask: AskId, questionnaire: &Questionnaire, text: &str) -> String {
    format!("{}\n\n{text}", session_line(ask, questionnaire.questions.len()))
}

/// Returns the text of an outcome alone, as the spec's command prints it.
pub fn outcome_text(questionnaire: &Questionnaire, outcome: &Outcome) -> String {
    match outcome {
        Outcome::Answered { replies, .. } => answered_text(questionnaire, replies),
        Outcome::Declined { reason, .. } => rejection_text(reason.as_deref()),
        Outcome::Cancelled { .. } => messages::SESSION_CANCELLED.to_owned(),
        Outcome::Expired { .. } => messages::SESSION_EXPIRED.to_owned(),
    }
}

/// Returns the reply of `get_answered_questions` (3.4) for an ask that has this outcome, or is open for this long.
pub fn fetch_status_text(
    ask: AskId,
    questionnaire: &Questionnaire,
    outcome: Option<&Outcome>,
    remaining: Option<Duration>,
) -> String {
    match outcome {
        None => pending_status_text(ask, remaining),
        Some(Outcome::Answered { replies, .. }) => {
            with_session(ask, questionnaire, &answered_text(questionnaire, replies))
        }
        Some(Outcome::Declined { reason, .. }) => {
            status_text(ask, AskStatus::Declined, &rejected_status(reason.as_deref()))
        }
        Some(Outcome::Cancelled { .. }) => status_text(ask, AskStatus::Cancelled, messages::SESSION_OVER),
        Some(Outcome::Expired { .. }) => status_text(ask, AskStatus::Expired, messages::SESSION_OVER),
    }
}

/// Returns the output of `auq fetch-answers`: the original's command has a sentence of its own for what has ended.
pub fn fetch_answers_text(
    ask: AskId,
    questionnaire: &Questionnaire,
    outcome: Option<&Outcome>,
    remaining: Option<Duration>,
) -> String {
    match outcome {
        Some(Outcome::Cancelled { .. }) => ended_status_text(ask, AskStatus::Cancelled),
        Some(Outcome::Expired { .. }) => ended_status_text(ask, AskStatus::Expired),
        _ => fetch_status_text(ask, questionnaire, outcome, remaining),
    }
}

fn answered_text(questionnaire: &Questionnaire, replies: &Replies) -> String {
    let form_note = form_note_text(replies);
    let mut blocks = Vec::with_capacity(questionnaire.questions.len());
    for question in &questionnaire.questions {
        let block = match replies.get(&question.id) {
            Some(reply) if has_content(reply) => Some(answer_block(question, reply)),
            _ => None,
        };
        blocks.push((question.prompt.as_str(), block));
    }
    if let Some(note) = &form_note {
        let last_answer = blocks.iter().rposition(|(_, block)| block.is_some());
        let last = last_answer.unwrap_or(blocks.len().saturating_sub(1));
        if let Some((_, block)) = blocks.get_mut(last) {
            block.get_or_insert_default().pieces.push(AuqAnswerPiece::Own(note));
        }
    }
    answers_text(blocks.into_iter(), AuqCompat::from_questionnaire(questionnaire))
}

pub(super) fn has_content(reply: &Reply) -> bool {
    reply.answer().is_some() || note(reply).is_some()
}

fn note(reply: &Reply) -> Option<&str> {
    reply.note.as_deref().filter(|note| !note.trim().is_empty())
}

/// Returns the answer block for a reply to a question.
pub(super) fn answer_block<'q>(question: &'q Question, reply: &'q Reply) -> AuqAnswerBlock<'q> {
    let mut block = AuqAnswerBlock::default();
    match (question.choice(), reply.answer()) {
        (Some(choice), Some(Answer::Picks(picks))) => {
            block.nothing_picked = picks.is_empty();
            block.pieces = picked_pieces(choice, picks);
        }
        // The spec has choices only.
        (_, Some(answer)) => {
            block.pieces.push(AuqAnswerPiece::Words(answer.describe(question, Lang::En)));
        }
        (_, None) => {}
    }
    // The spec's answers have typed text in addition to options, so a note is included and not dropped.
    block.pieces.extend(note(reply).map(AuqAnswerPiece::Own));
    block
}

/// Returns the options in the order picked, then the typed text.
fn picked_pieces<'q>(choice: &'q ChoiceQuestion, picks: &'q [Pick]) -> Vec<AuqAnswerPiece<'q>> {
    let options: HashMap<&OptionId, &ChoiceOption> =
        choice.options.iter().map(|option| (&option.id, option)).collect();
    let mut pieces = Vec::with_capacity(picks.len());
    let mut own_pieces = Vec::new();
    for pick in picks {
        match pick {
            Pick::Other(text) => own_pieces.push(AuqAnswerPiece::Own(text)),
            Pick::Option(id) => pieces.push(match options.get(id) {
                Some(option) => AuqAnswerPiece::Option(&option.label, option.description.as_deref()),
                None => AuqAnswerPiece::Option(id.as_str(), None),
            }),
        }
    }
    pieces.append(&mut own_pieces);
    pieces
}
