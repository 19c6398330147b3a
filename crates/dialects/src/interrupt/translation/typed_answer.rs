//! Questions of other kinds than a single choice, as options and typed text: an interrupt has nothing else.

use super::InterruptOptionDocument;
use crate::format::problem_list::verbatim;
use crate::interrupt::messages;
use crate::interrupt::spec::CUSTOM_VALUE;
use sayso_core::{
    Answer, ChoiceOption, ChoiceQuestion, Lang, LineFormat, Message, Pick, Problem, ProblemCode, Question,
    QuestionInput, Reply,
};
use std::borrow::Cow;

/// Value of the option that leaves a question unanswered.
const NO_ANSWER: &str = "__none__";
/// Most steps of a scale that are options; a longer one is typed.
const RATING_OPTIONS: i32 = 20;

/// Returns whether a question has to be asked in another way than it is.
pub(in crate::interrupt) fn is_replaced(question: &Question) -> bool {
    question.choice().is_none_or(|choice| choice.multi)
}

/// Returns the options of a question that is asked in another way.
pub(in crate::interrupt) fn options(question: &Question, lang: Lang) -> Vec<InterruptOptionDocument<'_>> {
    match question.input() {
        QuestionInput::Options(choice) => {
            let mut options: Vec<_> =
                choice.options.iter().map(InterruptOptionDocument::from_option).collect();
            options.push(typed_option(Message::SeveralTyped.plain(lang)));
            options
        }
        QuestionInput::Toggle(confirm) => {
            vec![option("true", confirm.describe(true, lang)), option("false", confirm.describe(false, lang))]
        }
        QuestionInput::Scale(rating) if rating.max.saturating_sub(rating.min) < RATING_OPTIONS => {
            let mut options = Vec::new();
            for step in rating.min..=rating.max {
                let label = match rating.label(step) {
                    Some(label) => format!("{step} ({label})"),
                    None => step.to_string(),
                };
                options.push(option(step.to_string(), label.into()));
            }
            options
        }
        QuestionInput::Line(LineFormat::Text { .. }) => vec![typed_option(Message::TypeAnswer.plain(lang))],
        QuestionInput::Scale(_) | QuestionInput::Line(_) => {
            vec![typed_option(question.kind.expected_answer().render(lang))]
        }
    }
}

/// Returns the option that leaves an optional question unanswered.
pub(in crate::interrupt) fn no_answer_option(
    question: &Question,
    lang: Lang,
) -> Option<InterruptOptionDocument<'_>> {
    if question.required {
        return None;
    }
    Some(option(NO_ANSWER, Message::NoAnswerOption.plain(lang).into()))
}

fn option<'q>(value: impl Into<Cow<'q, str>>, label: Cow<'q, str>) -> InterruptOptionDocument<'q> {
    InterruptOptionDocument { label, value: value.into(), allow_custom: false }
}

fn typed_option<'q>(label: impl Into<Cow<'q, str>>) -> InterruptOptionDocument<'q> {
    InterruptOptionDocument::for_typed_text(label, CUSTOM_VALUE)
}

/// Parses the answer to a question that is optional or asked in another way; `None` if it is neither.
///
/// # Errors
/// Fails if the answer does not fit the kind of the question. The sheet judges the rest.
pub(in crate::interrupt) fn parse(
    question: &Question,
    text: &str,
    index: usize,
) -> Option<Result<Reply, Problem>> {
    let words = text.trim();
    if !question.required && words == NO_ANSWER {
        return Some(Ok(Reply::skipped()));
    }
    if !is_replaced(question) {
        return None;
    }
    let is_reserved = words == CUSTOM_VALUE;
    let answer = match question.input() {
        _ if is_reserved => None,
        QuestionInput::Options(choice) => parse_picks(choice, words).map(|picks| Answer::Picks(picks.into())),
        QuestionInput::Toggle(_) => match words {
            "true" => Some(Answer::Confirm(true)),
            "false" => Some(Answer::Confirm(false)),
            _ => None,
        },
        QuestionInput::Scale(_) => words.parse().ok().map(Answer::Rating),
        QuestionInput::Line(LineFormat::Text { .. }) => Some(Answer::Text(text.to_owned())),
        QuestionInput::Line(_) => question.kind.parse_text(words),
    };
    if let Some(answer) = answer {
        return Some(Ok(Reply::from_answer(answer)));
    }
    Some(Err(match question.input() {
        QuestionInput::Options(_) | QuestionInput::Toggle(_) => {
            verbatim(ProblemCode::NoSuchOption, messages::not_an_option(index))
        }
        QuestionInput::Scale(_) | QuestionInput::Line(_) => {
            Problem::new(ProblemCode::InvalidType, question.kind.expected_answer())
        }
    }))
}

/// Parses several picks: the value of one option, a JSON list, or values or labels with commas between them.
fn parse_picks(choice: &ChoiceQuestion, words: &str) -> Option<Vec<Pick>> {
    if let Some(option) = choice.options.iter().find(|option| option.sent_value() == words) {
        return Some(vec![Pick::Option(option.id.clone())]);
    }
    let names: Vec<String> = match serde_json::from_str(words) {
        Ok(names) => names,
        Err(_) => {
            let names = words.split([',', '，', '、']).map(str::trim);
            names.filter(|name| !name.is_empty()).map(str::to_owned).collect()
        }
    };
    let mut picks = Vec::with_capacity(names.len());
    for name in names {
        match find_option(choice, &name) {
            Some(option) => picks.push(Pick::Option(option.id.clone())),
            None if choice.other => return Some(vec![Pick::Other(words.to_owned())]),
            None => return None,
        }
    }
    Some(picks)
}

/// Returns the option with this value, else with this label, else with this value in other letters.
fn find_option<'c>(choice: &'c ChoiceQuestion, name: &str) -> Option<&'c ChoiceOption> {
    let mut by_label = None;
    let mut by_letters = None;
    for option in &choice.options {
        if option.sent_value() == name {
            return Some(option);
        }
        if by_label.is_none() && option.label.eq_ignore_ascii_case(name) {
            by_label = Some(option);
        }
        if by_letters.is_none() && option.sent_value().eq_ignore_ascii_case(name) {
            by_letters = Some(option);
        }
    }
    by_label.or(by_letters)
}
