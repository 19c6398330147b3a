//! Answers as text for a model.

use super::limits::AuqCompat;
use super::messages::{self, is_request};
use super::wire::{OptionInput, QuestionInput, UserAnswer};
use crate::format::problem_list::verbatim;
use sayso_core::{Problem, ProblemCode};
use std::borrow::Cow;
use std::collections::HashMap;

/// Piece of an answer.
#[derive(Debug, Clone)]
pub(super) enum AuqAnswerPiece<'a> {
    /// An option: its label and what it means.
    Option(&'a str, Option<&'a str>),
    /// Typed text.
    Own(&'a str),
    /// An answer of a kind that the spec lacks, in words.
    Words(Cow<'a, str>),
}

/// Answer under a question.
#[derive(Debug, Clone, Default)]
pub(super) struct AuqAnswerBlock<'a> {
    pub(super) pieces: Vec<AuqAnswerPiece<'a>>,
    /// Set if the person explicitly picked nothing.
    pub(super) nothing_picked: bool,
}

/// Formats answers given as data to these questions. In the spec's generation the first answer to a question counts; in
/// 3.4 all of them do, and a request to the asker has no `Other`.
///
/// ```
/// use sayso_dialects::auq::{AuqCompat, OptionInput, QuestionInput, format_answers};
/// let question = QuestionInput {
///     prompt: "Which one?".into(),
///     options: vec![OptionInput { label: "This".into(), description: Some("the first".into()) }],
///     ..QuestionInput::default()
/// };
/// let answer = serde_json::from_str(r#"{"questionIndex":0,"selectedOption":"This"}"#).unwrap();
/// let text = format_answers(&[question], &[answer], AuqCompat::Spec).unwrap();
/// assert_eq!(text, "Here are the user's answers:\n\n1. Which one?\n→ This — the first");
/// ```
///
/// # Errors
/// Returns a problem if there is no answer, or no question.
pub fn format_answers(
    questions: &[QuestionInput],
    answers: &[UserAnswer],
    compat: AuqCompat,
) -> Result<String, Problem> {
    if answers.is_empty() {
        return Err(verbatim(ProblemCode::NeedsAnswer, messages::NO_ANSWERS_IN_SESSION));
    }
    if questions.is_empty() {
        return Err(verbatim(ProblemCode::NeedsAnswer, messages::NO_QUESTIONS));
    }
    let mut blocks: Vec<Option<AuqAnswerBlock<'_>>> = vec![None; questions.len()];
    let options: Vec<HashMap<&str, &OptionInput>> = questions.iter().map(by_label).collect();
    for answer in answers {
        let Some(place) = answer.question_place() else { continue };
        let (Some(block), Some(options)) = (blocks.get_mut(place), options.get(place)) else { continue };
        if block.is_none() || compat == AuqCompat::V3_4 {
            append_answer(block.get_or_insert_default(), options, answer);
        }
    }
    let prompts = questions.iter().map(|question| question.prompt.as_str());
    Ok(answers_text(prompts.zip(blocks), compat))
}

/// Indexes the options by label; of several with the same label, the first.
fn by_label(question: &QuestionInput) -> HashMap<&str, &OptionInput> {
    question.options.iter().rev().map(|option| (option.label.as_str(), option)).collect()
}

fn append_answer<'a>(
    block: &mut AuqAnswerBlock<'a>,
    options: &HashMap<&str, &'a OptionInput>,
    answer: &'a UserAnswer,
) {
    let labels = answer.labels();
    block.nothing_picked |= labels.is_some_and(<[_]>::is_empty);
    for label in labels.unwrap_or_default() {
        match options.get(label.as_str()) {
            Some(option) => {
                let description = option.description.as_deref();
                block.pieces.push(AuqAnswerPiece::Option(&option.label, description));
            }
            // An unknown label is dropped if one of several, and shown unchanged if alone.
            None if answer.selected_options.is_some() => {}
            None => block.pieces.push(AuqAnswerPiece::Option(label, None)),
        }
    }
    block.pieces.extend(answer.custom_answer().map(AuqAnswerPiece::Own));
}

/// Formats the questions with their answers. Those without an answer keep their number and are left out.
pub(super) fn answers_text<'a>(
    blocks: impl Iterator<Item = (&'a str, Option<AuqAnswerBlock<'a>>)>,
    compat: AuqCompat,
) -> String {
    let mut text = format!("{}\n\n", messages::ANSWERS_HEAD);
    let mut separator = "";
    for (index, (prompt, block)) in blocks.enumerate() {
        let Some(block) = block else { continue };
        text.push_str(&format!("{separator}{}. {prompt}", index + 1));
        separator = "\n\n";
        for piece in &block.pieces {
            text.push('\n');
            text.push_str(&line(piece, compat));
        }
        if block.pieces.is_empty() {
            text.push('\n');
            text.push_str(if block.nothing_picked {
                messages::NOTHING_PICKED
            } else {
                messages::NOT_ANSWERED
            });
        }
    }
    text
}

fn line<'a>(piece: &'a AuqAnswerPiece<'_>, compat: AuqCompat) -> Cow<'a, str> {
    match piece {
        AuqAnswerPiece::Option(label, Some(description)) if !description.is_empty() => {
            format!("→ {label} — {description}").into()
        }
        AuqAnswerPiece::Option(label, _) => format!("→ {label}").into(),
        AuqAnswerPiece::Own(text) if compat == AuqCompat::V3_4 && is_request(text) => (*text).into(),
        AuqAnswerPiece::Own(text) => format!("→ Other: '{}'", text.replace('\'', "\\'")).into(),
        AuqAnswerPiece::Words(words) => format!("→ {words}").into(),
    }
}
