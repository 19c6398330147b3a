//! Parser of lines for single values: yes or no, a step of a scale, a number, a date or a time.

use super::Plain;
use super::read::{again, fold, reply};
use crate::manner::Heard;
use crate::recap;
use crate::typed::{number, yes_or_no};
use crate::when;
use sayso_core::sheet::judge;
use sayso_core::{
    Answer, Kind, Lang, Message, Moment, Number, Question, Rating, Reply, Rules, moment, words,
};

/// Parses a line that is not empty.
pub(super) fn line(question: &Question, rules: &Rules, typed: &str, plain: Plain) -> Heard {
    let lang = plain.lang;
    let now = || plain.now.map(|now| now());
    let plainly = digits(typed);
    let answer = match &question.kind {
        Kind::Confirm(_) => return confirm(question, typed, lang),
        Kind::Rating(rating) => rated(rating, typed),
        Kind::Number(_) => Number::parse(&digits(typed)).map(Answer::Number),
        Kind::Date => moment::date(&plainly).or_else(|| when::date(&plainly, &now()?)).map(Answer::Date),
        Kind::Time => moment::time(&plainly).or_else(|| when::time(&plainly)).map(Answer::Time),
        Kind::Datetime => {
            Moment::parse(&plainly).or_else(|| when::datetime(&plainly, &now()?)).map(Answer::Datetime)
        }
        Kind::Choice(_) | Kind::Text(_) => None,
    };
    match answer {
        Some(answer) => reply(Reply::of(answer)),
        None if rules.loose_dates && question.kind.is_date_or_time() => reply(Reply::text(typed)),
        None if let Some(said) = when::impossible(&question.kind, &plainly) => {
            again(said.say(lang, [recap::brief(typed)]))
        }
        None => again(judge::wants(&question.kind).render(lang)),
    }
}

/// Replaces full-width digits and signs, as Chinese keyboards type them, by ASCII.
fn digits(typed: &str) -> String {
    let ascii = |c: char| match c {
        '０'..='９' | '：' | '－' | '．' | '＋' => char::from_u32(u32::from(c) - 0xfee0).unwrap_or(c),
        '−' => '-',
        c => c,
    };
    typed.chars().map(ascii).collect()
}

fn rated(rating: &Rating, typed: &str) -> Option<Answer> {
    let step: i32 = digits(typed).parse().ok()?;
    (rating.min..=rating.max).contains(&step).then_some(Answer::Rating(step))
}

fn has_turned_labels(question: &Question) -> bool {
    matches!(&question.kind, Kind::Confirm(confirm) if confirm.turned_labels().next().is_some())
}

/// Returns the names of yes and no, in our own words and as the asker's labels, each with true for yes.
fn labels(question: &Question, lang: Lang) -> Vec<(bool, &str)> {
    let ours = [true, false].map(|confirmed| (confirmed, words::yes_or_no(confirmed, lang)));
    let label = |confirmed| Some((confirmed, words::confirm_label(question, confirmed, lang)?));
    ours.into_iter().chain([true, false].into_iter().filter_map(label)).collect()
}

/// Parses yes or no: the two numbers, their labels here, or the words in both languages.
fn confirm(question: &Question, typed: &str, lang: Lang) -> Heard {
    let said = labels(question, lang);
    let by_number = match number(typed) {
        Some(1) => Some(true),
        Some(2) => Some(false),
        _ => None,
    };
    let typed_fold = fold(typed);
    let called = |fits: &dyn Fn(&str) -> bool| {
        let is_called =
            |wanted: bool| said.iter().any(|(confirmed, words)| *confirmed == wanted && fits(&fold(words)));
        match (is_called(true), is_called(false)) {
            (true, false) => Some(true),
            (false, true) => Some(false),
            _ => None,
        }
    };
    // If a label contradicts its value, words are ambiguous: only numbers count.
    if by_number.is_none() && has_turned_labels(question) {
        return again(Message::OnlyByNumber.plain(lang).to_owned());
    }
    let by_word = yes_or_no(typed);
    let begins = |confirmed: bool| {
        said.iter().any(|(other, words)| *other == confirmed && fold(words).starts_with(&typed_fold))
    };
    let contradicts = by_word.is_some_and(|meant| begins(!meant) && !begins(meant));
    let exact = by_number.or_else(|| called(&|words| words == typed_fold));
    let found = exact.or(by_word.filter(|_| !contradicts));
    if let Some(confirmed) = found {
        return reply(Reply::of(Answer::Confirm(confirmed)));
    }
    let by_beginning = if contradicts { None } else { called(&|words| words.starts_with(&typed_fold)) };
    match by_beginning {
        None => again(Message::NotYesOrNo.say(lang, [recap::brief(typed)])),
        Some(confirmed) => {
            let label = words::confirm(question, confirmed, lang);
            let number = if confirmed { 1 } else { 2 };
            let understood = Message::Understood.say(lang, [number.to_string(), recap::brief(&label)]);
            Heard::Reply { reply: Reply::of(Answer::Confirm(confirmed)), said: Some(understood) }
        }
    }
}
