//! Where the keys are at one question, and what is typed there.

use super::super::text::{Lines, TextBox};
use crate::asked::Looks;
use crate::when;
use jiff::Zoned;
use sayso_core::{Answer, Choice, Kind, Lang, Number, Offer, Pick, Question, Reply, moment, words};
use std::cell::OnceCell;
use std::rc::Rc;

/// What the keys act on.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Focus {
    /// The question: letters are commands.
    #[default]
    Body,
    /// The text that is the answer, or the own answer of a choice.
    Text,
    /// What options are looked for by.
    Filter,
    /// The note to the asker.
    Note,
}

/// The state of one question on the screen, beside the reply that stands on the sheet.
#[derive(Debug)]
pub(crate) struct Field {
    pub(crate) focus: Focus,
    /// At a choice: which of the offers that are shown the keys are at, from 0.
    pub(crate) at: usize,
    /// The typed answer, or the own answer of a choice.
    pub(crate) text: TextBox,
    pub(crate) note: TextBox,
    pub(crate) filter: TextBox,
    /// The digits of a rating that are being typed.
    pub(crate) digits: String,
    looks: OnceCell<Rc<Looks>>,
}

impl Field {
    /// A question as it stands when somebody comes to it.
    pub(crate) fn of(question: &Question, reply: &Reply) -> Self {
        let text = match (&question.kind, reply.answer()) {
            (Kind::Choice(_), answer) => {
                own_answer(answer).or(reply.aside.as_deref()).unwrap_or_default().to_owned()
            }
            (
                _,
                Some(
                    answer @ (Answer::Text(_)
                    | Answer::Number(_)
                    | Answer::Date(_)
                    | Answer::Time(_)
                    | Answer::Datetime(_)),
                ),
            ) => words::answer(question, answer, Lang::En).into_owned(),
            _ => String::new(),
        };
        let lines = match &question.kind {
            Kind::Text(_) if question.is_long_text() || text.contains('\n') => Lines::Many,
            Kind::Choice(_) if text.contains('\n') => Lines::Many,
            _ => Lines::One,
        };
        let at = match &question.kind {
            Kind::Choice(choice) => picked_first(choice, reply),
            _ => 0,
        };
        Self {
            focus: Focus::Body,
            at,
            text: TextBox::new(&text, lines),
            note: TextBox::new(reply.note.as_deref().unwrap_or_default(), Lines::Many),
            filter: TextBox::new("", Lines::One),
            digits: String::new(),
            looks: OnceCell::new(),
        }
    }

    /// How the words of its question look, which is found out once.
    pub(crate) fn looks(&self, question: &Question, lang: Lang) -> Rc<Looks> {
        self.looks.get_or_init(|| Rc::new(Looks::of(question, lang))).clone()
    }

    /// Whether it is as somebody found it: then it can be made again from the reply.
    pub(crate) fn is_untouched(&self) -> bool {
        self.at == 0 && self.text.is_untouched() && self.note.is_untouched()
    }

    /// The text that the keys type into.
    pub(crate) fn typing(&mut self) -> Option<&mut TextBox> {
        match self.focus {
            Focus::Body => None,
            Focus::Text => Some(&mut self.text),
            Focus::Filter => Some(&mut self.filter),
            Focus::Note => Some(&mut self.note),
        }
    }

    /// The offers of a choice that the filter leaves, by their place among all, from 0. What is picked always stays.
    pub(crate) fn offers(&self, choice: &Choice, reply: &Reply) -> Vec<usize> {
        let wanted = self.filter.text().to_lowercase();
        let wanted: Vec<&str> = wanted.split_whitespace().collect();
        let fits = |offer: &Offer<'_>| match offer {
            Offer::Own => true,
            Offer::Option(option) => {
                let all = format!("{} {}", option.label, option.description.as_deref().unwrap_or_default());
                let all = all.to_lowercase();
                wanted.iter().all(|word| all.contains(word)) || is_picked(reply, offer)
            }
        };
        let offers = choice.offers().enumerate();
        offers.filter(|(_, offer)| wanted.is_empty() || fits(offer)).map(|(at, _)| at).collect()
    }

    /// What is typed, as an answer to a question that is answered by typing. What cannot be read stands as it was typed.
    pub(crate) fn typed(&self, question: &Question, now: &Zoned) -> Option<Answer> {
        let text = self.text.text();
        if text.trim().is_empty() && !matches!(question.kind, Kind::Text(_)) || text.is_empty() {
            return None;
        }
        let as_typed = || Answer::Text(text.to_owned());
        Some(match &question.kind {
            Kind::Number(_) => Number::parse(text.trim()).map_or_else(as_typed, Answer::Number),
            Kind::Date => {
                moment::date(text).or_else(|| when::date(text, now)).map_or_else(as_typed, Answer::Date)
            }
            Kind::Time => moment::time(text).or_else(|| when::time(text)).map_or_else(as_typed, Answer::Time),
            Kind::Datetime => moment::Moment::parse(text)
                .or_else(|| when::datetime(text, now))
                .map_or_else(as_typed, Answer::Datetime),
            Kind::Text(_) | Kind::Choice(_) | Kind::Confirm(_) | Kind::Rating(_) => as_typed(),
        })
    }
}

/// The own answer among picks.
pub(crate) fn own_answer(answer: Option<&Answer>) -> Option<&str> {
    let Some(Answer::Picks(picks)) = answer else { return None };
    picks.iter().find_map(Pick::own)
}

/// What is picked.
pub(crate) fn picks(reply: &Reply) -> &[Pick] {
    match reply.answer() {
        Some(Answer::Picks(picks)) => picks,
        _ => &[],
    }
}

/// Whether an offer is picked.
pub(crate) fn is_picked(reply: &Reply, offer: &Offer<'_>) -> bool {
    picks(reply).iter().any(|pick| match (pick, offer) {
        (Pick::Option(id), Offer::Option(option)) => *id == option.id,
        (Pick::Other(_), Offer::Own) => true,
        _ => false,
    })
}

fn picked_first(choice: &Choice, reply: &Reply) -> usize {
    choice.offers().position(|offer| is_picked(reply, &offer)).unwrap_or_default()
}
