//! Parser of lines for a choice: numbers, ranges, labels or their prefixes, and the words for all and none.

use super::read::{again, fold, reply};
use crate::manner::{Heard, Partial};
use crate::recap;
use crate::typed::{number, unslashed};
use sayso_core::{Choice, Lang, Message, Offer, Pick, Reply};
use std::collections::BTreeSet;
use std::ops::RangeInclusive;

/// Parser of a line for a choice.
pub(super) struct Reading<'c> {
    pub(super) choice: &'c Choice,
    pub(super) required: bool,
    pub(super) lang: Lang,
}

/// Selection named by a part of a line.
enum Named {
    /// Options by their numbers on the screen.
    Numbers(RangeInclusive<usize>),
    /// One option by its label.
    Label(usize),
}

impl Reading<'_> {
    pub(super) fn line(&self, line: &str) -> Heard {
        let typed = unslashed(line.trim());
        if typed.is_empty() {
            return again(String::new());
        }
        if let Some(heard) = self.all_or_none(typed) {
            return heard;
        }
        match self.numbers(typed) {
            Ok((numbers, by_label)) => self.picked(&numbers, by_label),
            Err(said) => again(said),
        }
    }

    /// Parses the words for all and none, unless a label is that word.
    fn all_or_none(&self, typed: &str) -> Option<Heard> {
        let options = &self.choice.options;
        if !self.choice.multi || options.iter().any(|option| fold(&option.label) == fold(typed)) {
            return None;
        }
        match fold(typed).as_str() {
            "all" | "全部" => {
                Some(reply(Reply::picks(options.iter().map(|option| Pick::Option(option.id.clone())))))
            }
            "none" | "无" => {
                let reply = if self.required { Reply::unanswered() } else { Reply::skipped() };
                Some(Heard::Reply { reply, said: Some(Message::NothingPicked.plain(self.lang).to_owned()) })
            }
            _ => None,
        }
    }

    /// Returns the numbers that a line names, in order and without duplicates, and true if a label matched.
    fn numbers(&self, typed: &str) -> Result<(Vec<usize>, bool), String> {
        let parts = self.parts(typed)?;
        let (mut numbers, mut seen, mut by_label) = (Vec::new(), BTreeSet::new(), false);
        for part in parts {
            let named = match part {
                Named::Numbers(named) => named,
                Named::Label(named) => {
                    by_label = true;
                    named..=named
                }
            };
            numbers.extend(named.filter(|number| seen.insert(*number)));
        }
        if numbers.is_empty() { Err(self.no_choice(typed)) } else { Ok((numbers, by_label)) }
    }

    /// Splits a line into parts; a line that is a whole label is one part.
    fn parts(&self, typed: &str) -> Result<Vec<Named>, String> {
        let said = match self.named(typed) {
            Ok(whole) => return Ok(vec![whole]),
            Err(said) => said,
        };
        let parts = typed.split([',', '，', '、']).map(str::trim).filter(|part| !part.is_empty());
        if self.choice.multi {
            return parts.map(|part| self.named(part)).collect();
        }
        let only_numbers = parts.clone().count() > 1 && parts.clone().all(|part| number(part).is_some());
        Err(if only_numbers { Message::OneChoiceOnly.plain(self.lang).to_owned() } else { said })
    }

    /// Parses one part: a number, a range, or a label.
    fn named(&self, typed: &str) -> Result<Named, String> {
        let last = self.last();
        if let Some(number) = number(typed) {
            return match number {
                1.. if number <= last => Ok(Named::Numbers(number..=number)),
                _ => self.labelled(typed),
            };
        }
        if let Some((from, to)) = self.choice.multi.then(|| range(typed)).flatten() {
            return if 1 <= from && from <= to && to <= last {
                Ok(Named::Numbers(from..=to))
            } else {
                Err(self.no_choice(typed))
            };
        }
        self.labelled(typed)
    }

    /// Returns the single option with this label or, failing that, with this prefix.
    fn labelled(&self, typed: &str) -> Result<Named, String> {
        let typed_fold = fold(typed);
        let ours = || Message::OtherWord.plain(self.lang);
        let label = |offer| match offer {
            Offer::Option(option) => option.label.as_str(),
            Offer::Own => self.choice.other_label.as_deref().unwrap_or(ours()),
        };
        let labels: Vec<_> = self.choice.offers().map(label).collect();
        let fits = |fits: &dyn Fn(&str) -> bool| -> Vec<usize> {
            let numbered = labels.iter().enumerate().map(|(index, label)| (index + 1, fold(label)));
            numbered.filter(|(_, label)| fits(label)).map(|(number, _)| number).collect()
        };
        let exact = fits(&|label| label == typed_fold);
        let found = if exact.is_empty() { fits(&|label| label.starts_with(&typed_fold)) } else { exact };
        match found.as_slice() {
            [] => Err(self.no_choice(typed)),
            [one] => Ok(Named::Label(*one)),
            several => {
                let numbers: Vec<_> = several.iter().map(usize::to_string).collect();
                Err(Message::FitsSeveral.say(self.lang, [recap::brief(typed), numbers.join(", ")]))
            }
        }
    }

    /// Returns the number of the last choice, the free-text option included.
    fn last(&self) -> usize {
        self.choice.offered()
    }

    fn no_choice(&self, typed: &str) -> String {
        Message::NotAChoice.say(self.lang, [recap::brief(typed), self.last().to_string()])
    }

    fn picked(&self, numbers: &[usize], by_label: bool) -> Heard {
        let offer = |number: &usize| Some((*number, self.choice.numbered(*number)?));
        let offers: Vec<(usize, Offer<'_>)> = numbers.iter().filter_map(offer).collect();
        let options: Vec<_> = offers
            .iter()
            .filter_map(|(number, offer)| match offer {
                Offer::Option(option) => Some((number, option)),
                Offer::Own => None,
            })
            .collect();
        let picks: Vec<_> = options.iter().map(|(_, option)| Pick::Option(option.id.clone())).collect();
        if let Some(at) = offers.iter().position(|(_, offer)| *offer == Offer::Own) {
            let prompt = Message::HintOwnAnswer.plain(self.lang).to_owned();
            return Heard::More { partial: Partial::OwnAnswer { picks, at }, prompt };
        }
        let understood = options.iter().map(|(number, option)| {
            let label = recap::labelled(&option.label, option.sent_beside(), self.lang);
            Message::Understood.say(self.lang, [number.to_string(), label])
        });
        let said = by_label.then(|| understood.collect::<Vec<_>>().join("\n"));
        Heard::Reply { reply: Reply::picks(picks), said }
    }
}

fn range(typed: &str) -> Option<(usize, usize)> {
    let (from, to) = typed.split_once(['-', '–', '－'])?;
    Some((number(from)?, number(to)?))
}
