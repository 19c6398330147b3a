//! What a line means where one value is asked for: yes or no, a step of a scale, a number, a date or a time.

use super::confirm_words;
use super::read::{again, fold, number, reply};
use crate::manner::Heard;
use crate::recap;
use sayso_core::sheet::judge;
use sayso_core::{Answer, Kind, Lang, Message, Moment, Number, Question, Rating, Reply, Rules, moment};

/// Reads a line that is not empty.
pub(super) fn line(question: &Question, rules: &Rules, typed: &str, lang: Lang) -> Heard {
    let answer = match &question.kind {
        Kind::Confirm(_) => return confirm(question, typed, lang),
        Kind::Rating(rating) => rated(rating, typed),
        Kind::Number(_) => Number::parse(&digits(typed)).map(Answer::Number),
        Kind::Date => moment::date(&digits(typed)).map(Answer::Date),
        Kind::Time => moment::time(&digits(typed)).map(Answer::Time),
        Kind::Datetime => Moment::parse(&digits(typed)).map(Answer::Datetime),
        Kind::Choice(_) | Kind::Text(_) => None,
    };
    match answer {
        Some(answer) => reply(Reply::of(answer)),
        None if rules.loose_dates && matches!(question.kind, Kind::Date | Kind::Time | Kind::Datetime) => {
            reply(Reply::text(typed))
        }
        None => again(judge::wants(&question.kind).render(lang)),
    }
}

/// Digits and signs as ASCII has them: a Chinese keyboard types full-width ones.
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

/// The two numbers, what they are called here, or the words for yes and no in both languages.
fn confirm(question: &Question, typed: &str, lang: Lang) -> Heard {
    let said = confirm_words(question, lang);
    let by_number = match number(typed) {
        Some(1) => Some(true),
        Some(2) => Some(false),
        _ => None,
    };
    let typed_fold = fold(typed);
    let called = |fits: &dyn Fn(&str) -> bool| {
        let mut fitting =
            said.iter().filter(|(_, words)| fits(&fold(words))).map(|(confirmed, _)| *confirmed);
        fitting.next().filter(|_| fitting.next().is_none())
    };
    let by_word = match typed_fold.as_str() {
        "yes" | "y" | "是" => Some(true),
        "no" | "n" | "否" => Some(false),
        _ => None,
    };
    let exact = by_number.or_else(|| called(&|words| words == typed_fold)).or(by_word);
    let found = exact.or_else(|| called(&|words| words.starts_with(&typed_fold)));
    match found {
        None => again(Message::NotYesOrNo.say(lang, [recap::brief(typed)])),
        Some(confirmed) => reply(Reply::of(Answer::Confirm(confirmed))),
    }
}
