//! An answer in words, as a person would say it. The words may be an agent's: they are not made safe to show here.

use crate::answer::{Answer, Pick};
use crate::message::{Lang, Message};
use crate::question::{Choice, Confirm, Kind, Question};
use crate::spelling;
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

/// Yes or no in our own word, and after it what the asker calls it, as a quotation: the first word is never the asker's.
pub fn confirm(question: &Question, confirmed: bool, lang: Lang) -> Cow<'_, str> {
    let ours = yes_or_no(confirmed, lang);
    match confirm_label(question, confirmed, lang) {
        Some(label) => Cow::Owned(Message::Quotes.say(lang, [ours, &quotable(label)])),
        None => Cow::Borrowed(ours),
    }
}

/// Our own word for yes or no.
pub const fn yes_or_no(confirmed: bool, lang: Lang) -> &'static str {
    if confirmed { Message::Yes.plain(lang) } else { Message::No.plain(lang) }
}

/// Whether a label is only our own word for yes or no, in whatever language.
pub fn is_yes_or_no(confirmed: bool, label: &str) -> bool {
    Lang::ALL.into_iter().any(|lang| spelling::is_same(label, yes_or_no(confirmed, lang)))
}

/// What the asker calls yes or no at a question, unless that is only our own word.
pub fn confirm_label(question: &Question, confirmed: bool, lang: Lang) -> Option<&str> {
    let Kind::Confirm(Confirm { yes, no }) = &question.kind else { return None };
    let label = if confirmed { yes } else { no }.as_deref()?;
    let is_ours = spelling::is_same(label, yes_or_no(confirmed, lang));
    (!label.trim().is_empty() && !is_ours).then_some(label)
}

/// Words of others without the marks that would end a quotation.
pub fn quotable(words: &str) -> Cow<'_, str> {
    if words.contains(QUOTES) { Cow::Owned(words.replace(QUOTES, "'")) } else { Cow::Borrowed(words) }
}

const QUOTES: [char; 3] = ['"', '“', '”'];

/// What the asker gets for a pick, unless that is only another spelling of its label: who decides reads both.
pub fn sent_beside<'q>(question: &'q Question, pick: &Pick) -> Option<&'q str> {
    match pick {
        Pick::Option(id) => question.choice()?.option(id)?.sent_beside(),
        Pick::Other(_) => None,
    }
}

/// An option's label, and next to it what it sends where that is another word.
pub fn labelled<'a>(label: &'a str, sent: Option<&str>, lang: Lang) -> Cow<'a, str> {
    match sent {
        Some(sent) => Cow::Owned(format!("{label} [{}]", Message::ItsValue.say(lang, [sent]))),
        None => Cow::Borrowed(label),
    }
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
