//! The answers of an ask as the spec's `UserAnswer`s, for programs that read them from the desk.

use super::sessions::{javascript_time, options};
use crate::auq::answer_text::AuqAnswerPiece;
use crate::auq::wire::UserAnswer;
use crate::auq::writer::{answer_block, has_content};
use sayso_core::{Ask, Outcome, Question};

/// Returns the answers by question; `None` if the ask has no answer.
pub(crate) fn user_answers(ask: &Ask) -> Option<Vec<UserAnswer>> {
    let Some(Outcome::Answered { replies, receipt, .. }) = ask.outcome() else { return None };
    let questions = ask.request.questionnaire.questions.iter().enumerate();
    let answer = |(index, question): (usize, &Question)| {
        let block = answer_block(question, replies.get(&question.id).filter(|reply| has_content(reply))?);
        let (mut labels, mut own) = (Vec::new(), Vec::new());
        for piece in &block.pieces {
            match piece {
                AuqAnswerPiece::Option(label, _) => labels.push((*label).to_owned()),
                AuqAnswerPiece::Own(text) => own.push(*text),
                AuqAnswerPiece::Words(words) => own.push(words),
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
            timestamp: Some(javascript_time(receipt.at)),
        })
    };
    Some(questions.filter_map(answer).collect())
}
