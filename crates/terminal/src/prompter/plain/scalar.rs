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
    let clock = plain.now.map(|read_clock| read_clock());
    if let Some(answer) = question.kind.parse_typed(&digits, clock.as_ref()) {
        return parsed_reply(Reply::from_answer(answer));
    }
    if rules.loose_dates && question.kind.is_date_or_time() {
        return parsed_reply(Reply::from_text(typed));
    }
    match question.kind.impossible_message(&digits) {
        Some(notice) => invalid_line(notice.render_with(lang, [foreign(describe::excerpt(typed))])),
        None => invalid_line(question.kind.expected_answer().render(lang)),
    }
}

/// Replaces full-width digits and signs, as Chinese keyboards type them, by ASCII.
fn ascii_digits(typed: &str) -> String {
    let mut text = String::with_capacity(typed.len());
    for c in typed.chars() {
        text.push(match c {
            '０'..='９' | '：' | '－' | '．' | '＋' => {
                char::from_u32(u32::from(c) - 0xfee0).unwrap_or(c)
            }
            '−' => '-',
            c => c,
        });
    }
    text
}

/// Returns the names of yes and no, in our own words and as the asker's labels, folded and each with true for yes.
fn confirm_labels(confirm: &ConfirmQuestion, lang: Lang) -> Vec<(bool, String)> {
    let mut labels = Vec::new();
    for yes in [true, false] {
        labels.push((yes, fold_label(answer_words::yes_or_no(yes, lang))));
        if let Some(label) = confirm.label(yes, lang) {
            labels.push((yes, fold_label(label)));
        }
    }
    labels
}

/// Returns the value that has a matching label, unless both values have one.
fn match_label(labels: &[(bool, String)], matches: impl Fn(&str) -> bool) -> Option<bool> {
    let mut matches_yes = false;
    let mut matches_no = false;
    for (yes, label) in labels {
        if matches(label) {
            if *yes {
                matches_yes = true;
            } else {
                matches_no = true;
            }
        }
    }
    match (matches_yes, matches_no) {
        (true, false) => Some(true),
        (false, true) => Some(false),
        _ => None,
    }
}

/// Parses yes or no: the two numbers, their labels here, or the words in both languages.
fn parse_confirm(confirm: &ConfirmQuestion, typed: &str, lang: Lang) -> ParsedLine {
    match parse_number(typed) {
        Some(1) => return parsed_reply(Reply::from_answer(Answer::Confirm(true))),
        Some(2) => return parsed_reply(Reply::from_answer(Answer::Confirm(false))),
        _ => {}
    }
    // If a label contradicts its value, words are ambiguous: only numbers count.
    if confirm.contrary_labels().next().is_some() {
        return invalid_line(Message::OnlyByNumber.plain(lang).to_owned());
    }
    let labels = confirm_labels(confirm, lang);
    let text = fold_label(typed);
    if let Some(yes) = match_label(&labels, |label| label == text) {
        return parsed_reply(Reply::from_answer(Answer::Confirm(yes)));
    }
    let by_beginning = match_label(&labels, |label| label.starts_with(&text));
    let answer = match (parse_yes_no(typed), by_beginning) {
        // A word for one of them that begins a label of the other one means neither.
        (Some(word), Some(beginning)) if word != beginning => None,
        (Some(word), _) => return parsed_reply(Reply::from_answer(Answer::Confirm(word))),
        (None, beginning) => beginning,
    };
    let Some(yes) = answer else {
        return invalid_line(Message::NotYesOrNo.render_with(lang, [foreign(describe::excerpt(typed))]));
    };
    let own_word = answer_words::yes_or_no(yes, lang);
    let label = match confirm.label(yes, lang) {
        Some(label) => format!("{own_word} ('{label}')"),
        None => own_word.to_owned(),
    };
    let number = own(if yes { 1 } else { 2 });
    let notice = Message::Understood.render_with(lang, [number, foreign(describe::excerpt(&label))]);
    ParsedLine::Reply { reply: Reply::from_answer(Answer::Confirm(yes)), notice: Some(notice) }
}
