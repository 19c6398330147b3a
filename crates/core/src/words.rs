//! An answer in words, as a person would say it. The words may be an agent's: they are not made safe to show here.

use crate::answer::{Answer, Pick};
use crate::message::{Lang, Message};
use crate::question::{Choice, Confirm, Kind, Question};
use jiff::civil::Time;
use std::borrow::Cow;

/// An answer in words: labels, the text as typed, dates and numbers in their plain forms.
pub fn answer<'a>(question: &'a Question, answer: &'a Answer, lang: Lang) -> Cow<'a, str> {
    match answer {
        Answer::Text(text) => Cow::Borrowed(text),
        Answer::Picks(picks) => {
            let words: Vec<_> = picks.iter().map(|picked| pick(question, picked)).collect();
            Cow::Owned(words.join(", "))
        }
        Answer::Confirm(confirmed) => confirm(question, *confirmed, lang),
        Answer::Rating(step) => match rating_note(question, *step) {
            Some(note) => Cow::Owned(format!("{step} ({note})")),
            None => Cow::Owned(step.to_string()),
        },
        Answer::Number(number) => Cow::Owned(number.to_string()),
        Answer::Date(date) => Cow::Owned(date.to_string()),
        Answer::Time(time) => Cow::Owned(clock(*time)),
        Answer::Datetime(moment) => {
            let at = format!("{} {}", moment.at.date(), clock(moment.at.time()));
            let shown = moment.to_string();
            let offset = shown.get(moment.at.to_string().len()..).unwrap_or_default();
            Cow::Owned(format!("{at}{offset}"))
        }
    }
}

/// A time without the seconds that nobody said.
fn clock(time: Time) -> String {
    let shown = time.to_string();
    shown.strip_suffix(":00").map_or(shown.clone(), str::to_owned)
}

/// A pick in words: an option's label, or what was typed.
pub fn pick<'a>(question: &'a Question, pick: &'a Pick) -> &'a str {
    match (pick, &question.kind) {
        (Pick::Other(text), _) => text,
        (Pick::Option(id), Kind::Choice(choice)) => {
            choice.option(id).map_or(id.as_str(), |option| option.label.as_str())
        }
        (Pick::Option(id), _) => id.as_str(),
    }
}

/// What yes or no is called at a question.
pub fn confirm(question: &Question, confirmed: bool, lang: Lang) -> Cow<'_, str> {
    let (yes, no) = match &question.kind {
        Kind::Confirm(Confirm { yes, no }) => (yes.as_deref(), no.as_deref()),
        _ => (None, None),
    };
    let (own, ours) = if confirmed { (yes, Message::Yes) } else { (no, Message::No) };
    Cow::Borrowed(own.unwrap_or(ours.plain(lang)))
}

/// What the offer of an own answer is called.
pub fn other(choice: &Choice, lang: Lang) -> &str {
    choice.other_label.as_deref().unwrap_or(Message::OtherOption.plain(lang))
}

/// What a step of a rating means, where the asker said so.
pub fn rating_note(question: &Question, step: i32) -> Option<&str> {
    match &question.kind {
        Kind::Rating(rating) => rating.annotations.get(&step).map(String::as_str),
        _ => None,
    }
}
