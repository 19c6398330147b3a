//! Answers as text for a model.

use super::status::is_request;
use super::{Compat, OptionInput, QuestionInput, UserAnswer};
use sayso_core::message::Text;
use sayso_core::{Code, Problem};
use std::borrow::Cow;
use std::collections::HashMap;

/// Piece of an answer.
#[derive(Debug, Clone)]
pub(super) enum Piece<'a> {
    /// An option: its label and what it means.
    Option(&'a str, Option<&'a str>),
    /// Typed text.
    Own(&'a str),
    /// An answer of a kind that the spec lacks, in words.
    Words(Cow<'a, str>),
}

/// Answer under a question.
#[derive(Debug, Clone, Default)]
pub(super) struct Block<'a> {
    pub(super) pieces: Vec<Piece<'a>>,
    /// Set if the person explicitly picked nothing.
    pub(super) nothing_picked: bool,
}

/// Formats answers given as data to these questions. In the spec's generation the first answer to a question counts; in
/// 3.4 all of them do, and a request to the asker has no `Other`.
///
/// ```
/// use sayso_dialects::auq::{Compat, OptionInput, QuestionInput, format_answers};
/// let question = QuestionInput {
///     prompt: "Which one?".into(),
///     options: vec![OptionInput { label: "This".into(), description: Some("the first".into()) }],
///     ..QuestionInput::default()
/// };
/// let answer = serde_json::from_str(r#"{"questionIndex":0,"selectedOption":"This"}"#).unwrap();
/// let text = format_answers(&[question], &[answer], Compat::Spec).unwrap();
/// assert_eq!(text, "Here are the user's answers:\n\n1. Which one?\n→ This — the first");
/// ```
///
/// # Errors
/// Returns a problem if there is no answer, or no question.
pub fn format_answers(
    questions: &[QuestionInput],
    answers: &[UserAnswer],
    compat: Compat,
) -> Result<String, Problem> {
    let none = |words: &str| Err(Problem::new(Code::NeedsAnswer, Text::Verbatim(words.to_owned())));
    if answers.is_empty() {
        return none("No answers provided in session");
    }
    if questions.is_empty() {
        return none("No questions provided");
    }
    let mut blocks: Vec<Option<Block<'_>>> = vec![None; questions.len()];
    let options: Vec<HashMap<&str, &OptionInput>> = questions.iter().map(by_label).collect();
    for answer in answers {
        let place = answer.place();
        let found = place.and_then(|place| Some((blocks.get_mut(place)?, options.get(place)?)));
        let Some((block, options)) = found else { continue };
        if block.is_none() || compat == Compat::V3_4 {
            put(block.get_or_insert_default(), options, answer);
        }
    }
    let asked = questions.iter().map(|question| question.prompt.as_str());
    Ok(answers_text(asked.zip(blocks), compat))
}

/// Indexes the options by label; of several with the same label, the first.
fn by_label(question: &QuestionInput) -> HashMap<&str, &OptionInput> {
    question.options.iter().rev().map(|option| (option.label.as_str(), option)).collect()
}

fn put<'a>(block: &mut Block<'a>, options: &HashMap<&str, &'a OptionInput>, answer: &'a UserAnswer) {
    let option = |label: &'a String| match options.get(label.as_str()) {
        Some(option) => Some(Piece::Option(&option.label, option.description.as_deref())),
        // An unknown label is dropped if one of several, and shown unchanged if alone.
        None => answer.selected_options.is_none().then_some(Piece::Option(label, None)),
    };
    let labels = answer.labels();
    block.nothing_picked |= labels.is_some_and(<[_]>::is_empty);
    block.pieces.extend(labels.into_iter().flatten().filter_map(option));
    block.pieces.extend(answer.own().map(Piece::Own));
}

/// Formats the questions with their answers. Those without an answer keep their number and are left out.
pub(super) fn answers_text<'a>(
    asked: impl Iterator<Item = (&'a str, Option<Block<'a>>)>,
    compat: Compat,
) -> String {
    let mut text = "Here are the user's answers:\n\n".to_owned();
    let mut between = "";
    for (index, (prompt, block)) in asked.enumerate() {
        let Some(block) = block else { continue };
        text.push_str(&format!("{between}{}. {prompt}", index + 1));
        between = "\n\n";
        for piece in &block.pieces {
            text.push('\n');
            text.push_str(&line(piece, compat));
        }
        if block.pieces.is_empty() {
            text.push_str(if block.nothing_picked {
                "\n→ (No selection)"
            } else {
                "\n→ No answer provided"
            });
        }
    }
    text
}

fn line<'a>(piece: &'a Piece<'_>, compat: Compat) -> Cow<'a, str> {
    match piece {
        Piece::Option(label, Some(description)) if !description.is_empty() => {
            format!("→ {label} — {description}").into()
        }
        Piece::Option(label, _) => format!("→ {label}").into(),
        Piece::Own(text) if compat == Compat::V3_4 && is_request(text) => (*text).into(),
        Piece::Own(text) => format!("→ Other: '{}'", text.replace('\'', "\\'")).into(),
        Piece::Words(words) => format!("→ {words}").into(),
    }
}
