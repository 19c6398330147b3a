//! Input state of one question: focus, cursor and typed text.

use super::super::text::{Lines, TextBox};
use crate::asked::Looks;
use crate::when;
use jiff::Zoned;
use sayso_core::{Answer, Choice, Kind, Lang, Number, Offer, Pick, Question, Reply, moment, words};
use std::cell::OnceCell;
use std::rc::Rc;

/// Part of a question that receives the keys.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Focus {
    /// The question itself: letters are commands.
    #[default]
    Body,
    /// The text that is the answer, or the own answer of a choice.
    Text,
    /// The filter for options.
    Filter,
    /// The note to the asker.
    Note,
}

/// Input state of one question, apart from its reply on the sheet.
#[derive(Debug)]
pub(crate) struct Field {
    pub(crate) focus: Focus,
    /// Cursor of a choice: index into the visible offers, from 0.
    pub(crate) at: usize,
    /// The typed answer, or the own answer of a choice.
    pub(crate) text: TextBox,
    pub(crate) note: TextBox,
    pub(crate) filter: TextBox,
    /// Digits of a rating that are being typed.
    pub(crate) digits: String,
    looks: OnceCell<Rc<Looks>>,
}

impl Field {
    /// Builds the state of a question as the person first sees it.
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

    /// Returns the display hints of the question, computed once.
    pub(crate) fn looks(&self, question: &Question, lang: Lang) -> Rc<Looks> {
        self.looks.get_or_init(|| Rc::new(Looks::of(question, lang))).clone()
    }

    /// Returns whether nothing was changed, so that the field can be rebuilt from the reply.
    pub(crate) fn is_untouched(&self) -> bool {
        self.at == 0 && self.text.is_untouched() && self.note.is_untouched()
    }

    /// Returns the text box that has the focus.
    pub(crate) fn typing(&mut self) -> Option<&mut TextBox> {
        match self.focus {
            Focus::Body => None,
            Focus::Text => Some(&mut self.text),
            Focus::Filter => Some(&mut self.filter),
            Focus::Note => Some(&mut self.note),
        }
    }

    /// Returns the offers that match the filter, as indices into all offers. Picked offers always remain.
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

    /// Parses the typed text as an answer to a question that is answered by typing. Text that cannot be parsed is kept
    /// verbatim.
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

/// Returns the own answer among the picks.
pub(crate) fn own_answer(answer: Option<&Answer>) -> Option<&str> {
    let Some(Answer::Picks(picks)) = answer else { return None };
    picks.iter().find_map(Pick::own)
}

/// Returns the picks of a reply.
pub(crate) fn picks(reply: &Reply) -> &[Pick] {
    match reply.answer() {
        Some(Answer::Picks(picks)) => picks,
        _ => &[],
    }
}

/// Returns whether an offer is picked.
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
