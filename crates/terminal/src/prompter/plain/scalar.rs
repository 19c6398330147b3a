//! Parser of lines for single values: yes or no, a step of a scale, a number, a date or a time.

use super::PlainStyle;
use super::line_parser::{fold_label, invalid_line, parsed_reply};
use crate::describe;
use crate::prompter::line_input::{parse_number, parse_yes_no};
use crate::prompter::prompt_style::ParsedLine;
use sayso_core::i18n::{foreign, own};
use sayso_core::{
    Answer, ConfirmQuestion, Lang, Message, Question, QuestionInput, Reply, Rules, i18n::answer_words,
};

/// Parses a line that is not empty.
pub(super) fn parse_scalar(question: &Question, rules: &Rules, typed: &str, plain: PlainStyle) -> ParsedLine {
    let lang = plain.lang;
    if let QuestionInput::Toggle(confirm) = question.input() {
        return parse_confirm(confirm, typed, lang);
    }
    let digits = ascii_digits(typed);
    let now = plain.now.map(|now| now());
    let answer = question.kind.parse_typed(&digits, now.as_ref());
    match answer {
        Some(answer) => parsed_reply(Reply::from_answer(answer)),
        None if rules.loose_dates && question.kind.is_date_or_time() => parsed_reply(Reply::from_text(typed)),
        None if let Some(notice) = question.kind.impossible_message(&digits) => {
            invalid_line(notice.render_with(lang, [foreign(describe::excerpt(typed))]))
        }
        None => invalid_line(question.kind.expected_answer().render(lang)),
    }
}

/// Replaces full-width digits and signs, as Chinese keyboards type them, by ASCII.
fn ascii_digits(typed: &str) -> String {
    let ascii = |c: char| match c {
        '０'..='９' | '：' | '－' | '．' | '＋' => char::from_u32(u32::from(c) - 0xfee0).unwrap_or(c),
        '−' => '-',
        c => c,
    };
    typed.chars().map(ascii).collect()
}

/// Returns the names of yes and no, in our own words and as the asker's labels, each with true for yes.
fn confirm_labels(confirm: &ConfirmQuestion, lang: Lang) -> Vec<(bool, &str)> {
    let ours = [true, false].map(|confirmed| (confirmed, answer_words::yes_or_no(confirmed, lang)));
    let label = |confirmed| Some((confirmed, confirm.label(confirmed, lang)?));
    ours.into_iter().chain([true, false].into_iter().filter_map(label)).collect()
}

/// Parses yes or no: the two numbers, their labels here, or the words in both languages.
fn parse_confirm(confirm: &ConfirmQuestion, typed: &str, lang: Lang) -> ParsedLine {
    let labels = confirm_labels(confirm, lang);
    let by_number = match parse_number(typed) {
        Some(1) => Some(true),
        Some(2) => Some(false),
        _ => None,
    };
    let typed_fold = fold_label(typed);
    let called = |fits: &dyn Fn(&str) -> bool| {
        let is_called = |wanted: bool| {
            labels.iter().any(|(confirmed, words)| *confirmed == wanted && fits(&fold_label(words)))
        };
        match (is_called(true), is_called(false)) {
            (true, false) => Some(true),
            (false, true) => Some(false),
            _ => None,
        }
    };
    // If a label contradicts its value, words are ambiguous: only numbers count.
    if by_number.is_none() && confirm.contrary_labels().next().is_some() {
        return invalid_line(Message::OnlyByNumber.plain(lang).to_owned());
    }
    let by_word = parse_yes_no(typed);
    let begins = |confirmed: bool| {
        labels.iter().any(|(other, words)| *other == confirmed && fold_label(words).starts_with(&typed_fold))
    };
    let contradicts = by_word.is_some_and(|meant| begins(!meant) && !begins(meant));
    let exact = by_number.or_else(|| called(&|words| words == typed_fold));
    let found = exact.or(by_word.filter(|_| !contradicts));
    if let Some(confirmed) = found {
        return parsed_reply(Reply::from_answer(Answer::Confirm(confirmed)));
    }
    let by_beginning = if contradicts { None } else { called(&|words| words.starts_with(&typed_fold)) };
    match by_beginning {
        None => invalid_line(Message::NotYesOrNo.render_with(lang, [foreign(describe::excerpt(typed))])),
        Some(confirmed) => {
            let ours = answer_words::yes_or_no(confirmed, lang);
            let label = match confirm.label(confirmed, lang) {
                Some(label) => format!("{ours} ('{label}')"),
                None => ours.to_owned(),
            };
            let number = if confirmed { 1 } else { 2 };
            let understood =
                Message::Understood.render_with(lang, [own(number), foreign(describe::excerpt(&label))]);
            ParsedLine::Reply {
                reply: Reply::from_answer(Answer::Confirm(confirmed)),
                notice: Some(understood),
            }
        }
    }
}
