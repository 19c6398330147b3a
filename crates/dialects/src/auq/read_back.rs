//! The answers of an ask as the spec's `UserAnswer`s, for programs that read them from the desk.

use super::UserAnswer;
use super::sessions::{iso, options};
use super::text::Piece;
use super::write::{block, is_given};
use sayso_core::{Ask, Outcome, Question};

/// Returns the answers by question; `None` if the ask has no answer.
pub(super) fn user_answers(ask: &Ask) -> Option<Vec<UserAnswer>> {
    let Some(Outcome::Answered { replies, receipt, .. }) = ask.outcome() else { return None };
    let questions = ask.request.questionnaire.questions.iter().enumerate();
    let answer = |(index, question): (usize, &Question)| {
        let block = block(question, replies.get(&question.id).filter(|reply| is_given(reply))?);
        let (mut labels, mut own) = (Vec::new(), Vec::new());
        for piece in &block.pieces {
            match piece {
                Piece::Option(label, _) => labels.push((*label).to_owned()),
                Piece::Own(text) => own.push(*text),
                Piece::Words(words) => own.push(words),
            }
        }
        let several = options(question).1 || labels.len() > 1 || block.nothing_picked;
        let (selected_option, selected_options) = match labels {
            labels if several && (block.nothing_picked || !labels.is_empty()) => (None, Some(labels)),
            labels => (labels.into_iter().next(), None),
        };
        Some(UserAnswer {
            question_index: index.into(),
            selected_option,
            selected_options,
            custom_text: (!own.is_empty()).then(|| own.join("\n")),
            timestamp: Some(iso(receipt.at)),
        })
    };
    Some(questions.filter_map(answer).collect())
}
