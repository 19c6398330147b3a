//! Questions of other kinds than a single choice, as options and typed text: an interrupt has nothing else.

use super::InterruptOptionDocument;
use crate::format::problem_list::verbatim;
use crate::interrupt::messages;
use crate::interrupt::spec::CUSTOM_VALUE;
use sayso_core::{
    Answer, ChoiceQuestion, Lang, LineFormat, Message, Pick, Problem, ProblemCode, Question, QuestionInput,
    Reply,
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
    let option =
        |value: Cow<'static, str>, label| InterruptOptionDocument { label, value, allow_custom: false };
    match question.input() {
        QuestionInput::Options(choice) => {
            let listed = choice.options.iter().map(InterruptOptionDocument::from_option);
            listed.chain([typed_option(Message::SeveralTyped.plain(lang))]).collect()
        }
        QuestionInput::Toggle(confirm) => [true, false]
            .map(|yes| {
                let value = if yes { "true" } else { "false" };
                option(value.into(), confirm.describe(yes, lang))
            })
            .into(),
        QuestionInput::Scale(rating) if rating.max.saturating_sub(rating.min) < RATING_OPTIONS => {
            let step = |step: i32| {
                let label = rating.label(step);
                let label = label.map_or_else(|| step.to_string(), |label| format!("{step} ({label})"));
                option(step.to_string().into(), label.into())
            };
            (rating.min..=rating.max).map(step).collect()
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
    let label = Message::NoAnswerOption.plain(lang).into();
    (!question.required).then(|| InterruptOptionDocument {
        label,
        value: NO_ANSWER.into(),
        allow_custom: false,
    })
}

fn typed_option<'q>(label: impl Into<Cow<'q, str>>) -> InterruptOptionDocument<'q> {
    InterruptOptionDocument { label: label.into(), value: CUSTOM_VALUE.into(), allow_custom: true }
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
    let typed = text.trim();
    if !question.required && typed == NO_ANSWER {
        return Some(Ok(Reply::skipped()));
    }
    if !is_replaced(question) {
        return None;
    }
    let is_reserved = typed == CUSTOM_VALUE;
    let answer = match question.input() {
        _ if is_reserved => None,
        QuestionInput::Options(choice) => parse_picks(choice, typed).map(|picks| Answer::Picks(picks.into())),
        QuestionInput::Toggle(_) => match typed {
            "true" => Some(Answer::Confirm(true)),
            "false" => Some(Answer::Confirm(false)),
            _ => None,
        },
        QuestionInput::Scale(_) => typed.parse().ok().map(Answer::Rating),
        QuestionInput::Line(LineFormat::Text { .. }) => Some(Answer::Text(text.to_owned())),
        QuestionInput::Line(_) => question.kind.parse_text(typed),
    };
    let unfit = || match question.input() {
        QuestionInput::Options(_) | QuestionInput::Toggle(_) => {
            verbatim(ProblemCode::NoSuchOption, messages::not_an_option(index))
        }
        QuestionInput::Scale(_) | QuestionInput::Line(_) => {
            Problem::new(ProblemCode::InvalidType, question.kind.expected_answer())
        }
    };
    Some(answer.map(Reply::from_answer).ok_or_else(unfit))
}

/// Parses several picks: the value of one option, a JSON list, or values or labels with commas between them.
fn parse_picks(choice: &ChoiceQuestion, typed: &str) -> Option<Vec<Pick>> {
    let by_value = |name: &str| choice.options.iter().find(|option| option.sent_value() == name);
    if let Some(option) = by_value(typed) {
        return Some(vec![Pick::Option(option.id.clone())]);
    }
    let listed: Option<Vec<String>> = serde_json::from_str(typed).ok();
    let names = listed.unwrap_or_else(|| {
        let names = typed.split([',', '，', '、']).map(str::trim).filter(|name| !name.is_empty());
        names.map(str::to_owned).collect()
    });
    let pick = |name: &String| {
        let by_label = || choice.options.iter().find(|option| option.label.eq_ignore_ascii_case(name));
        let named = || choice.options.iter().find(|option| option.sent_value().eq_ignore_ascii_case(name));
        by_value(name).or_else(by_label).or_else(named).map(|option| Pick::Option(option.id.clone()))
    };
    let picks: Option<Vec<Pick>> = names.iter().map(pick).collect();
    picks.or_else(|| choice.other.then(|| vec![Pick::Other(typed.to_owned())]))
}
