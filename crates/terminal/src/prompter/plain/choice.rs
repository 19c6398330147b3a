//! Parser of lines for a choice: numbers, ranges, labels or their prefixes, and the words for all and none.

use super::line_parser::{fold_label, invalid_line, parsed_reply};
use crate::describe;
use crate::prompter::line_input::{parse_number, unescape_slash};
use crate::prompter::prompt_style::{ParsedLine, PartialAnswer};
use sayso_core::i18n::{foreign, own};
use sayso_core::{ChoiceItem, ChoiceQuestion, Lang, Message, Pick, Reply, Rules};
use std::collections::BTreeSet;
use std::ops::RangeInclusive;

/// Parser of a line for a choice.
pub(super) struct ChoiceParser<'c> {
    pub(super) choice: &'c ChoiceQuestion,
    pub(super) rules: &'c Rules,
    pub(super) required: bool,
    pub(super) lang: Lang,
}

/// Selection named by a part of a line.
enum ChoiceRef {
    /// Options by their numbers on the screen.
    Numbers(RangeInclusive<usize>),
    /// One option by its label.
    Label(usize),
}

impl ChoiceParser<'_> {
    pub(super) fn parse(&self, line: &str) -> ParsedLine {
        let typed = unescape_slash(line.trim());
        if typed.is_empty() {
            return invalid_line(String::new());
        }
        if let Some(line) = self.parse_all_or_none(typed) {
            return line;
        }
        match self.parse_numbers(typed) {
            Ok((numbers, by_label)) => self.reply_with_picks(&numbers, by_label),
            Err(notice) => invalid_line(notice),
        }
    }

    /// Parses the words for all and none, unless a label is that word.
    fn parse_all_or_none(&self, typed: &str) -> Option<ParsedLine> {
        let options = &self.choice.options;
        if !self.choice.multi || options.iter().any(|option| fold_label(&option.label) == fold_label(typed)) {
            return None;
        }
        match fold_label(typed).as_str() {
            "all" | "全部" => Some(parsed_reply(Reply::from_picks(
                options.iter().map(|option| Pick::Option(option.id.clone())),
            ))),
            "none" | "无" => {
                let reply = if self.required { Reply::unanswered() } else { Reply::skipped() };
                Some(ParsedLine::Reply {
                    reply,
                    notice: Some(Message::NothingPicked.plain(self.lang).to_owned()),
                })
            }
            _ => None,
        }
    }

    /// Returns the numbers that a line names, in order and without duplicates, and true if a label matched.
    fn parse_numbers(&self, typed: &str) -> Result<(Vec<usize>, bool), String> {
        let parts = self.parse_parts(typed)?;
        let (mut numbers, mut seen, mut by_label) = (Vec::new(), BTreeSet::new(), false);
        for part in parts {
            let named = match part {
                ChoiceRef::Numbers(named) => named,
                ChoiceRef::Label(named) => {
                    by_label = true;
                    named..=named
                }
            };
            numbers.extend(named.filter(|number| seen.insert(*number)));
        }
        if numbers.is_empty() { Err(self.no_such_choice(typed)) } else { Ok((numbers, by_label)) }
    }

    /// Splits a line into parts; a line that is a whole label is one part.
    fn parse_parts(&self, typed: &str) -> Result<Vec<ChoiceRef>, String> {
        let notice = match self.parse_part(typed) {
            Ok(whole) => return Ok(vec![whole]),
            Err(notice) => notice,
        };
        let parts = typed.split([',', '，', '、']).map(str::trim).filter(|part| !part.is_empty());
        if self.choice.multi {
            return parts.map(|part| self.parse_part(part)).collect();
        }
        let only_numbers =
            parts.clone().count() > 1 && parts.clone().all(|part| parse_number(part).is_some());
        Err(if only_numbers { Message::OneChoiceOnly.plain(self.lang).to_owned() } else { notice })
    }

    /// Parses one part: a number, a range, or a label.
    fn parse_part(&self, typed: &str) -> Result<ChoiceRef, String> {
        let last = self.last_number();
        if let Some(number) = parse_number(typed) {
            return match number {
                1.. if number <= last => Ok(ChoiceRef::Numbers(number..=number)),
                _ => self.match_label(typed),
            };
        }
        if let Some((from, to)) = self.choice.multi.then(|| parse_range(typed)).flatten() {
            return if 1 <= from && from <= to && to <= last {
                Ok(ChoiceRef::Numbers(from..=to))
            } else {
                Err(self.no_such_choice(typed))
            };
        }
        self.match_label(typed)
    }

    /// Returns the single option with this label or, failing that, with this prefix.
    fn match_label(&self, typed: &str) -> Result<ChoiceRef, String> {
        let typed_fold = fold_label(typed);
        let label = |offer| match offer {
            ChoiceItem::Option(option) => option.label.as_str(),
            ChoiceItem::Other => self.choice.own_answer_name(self.rules, self.lang),
        };
        let labels: Vec<_> = self.choice.items().map(label).collect();
        let fits = |fits: &dyn Fn(&str) -> bool| -> Vec<usize> {
            let numbered = labels.iter().enumerate().map(|(index, label)| (index + 1, fold_label(label)));
            numbered.filter(|(_, label)| fits(label)).map(|(number, _)| number).collect()
        };
        let exact = fits(&|label| label == typed_fold);
        let found = if exact.is_empty() { fits(&|label| label.starts_with(&typed_fold)) } else { exact };
        match found.as_slice() {
            [] => Err(self.no_such_choice(typed)),
            [one] => Ok(ChoiceRef::Label(*one)),
            several => {
                let numbers: Vec<_> = several.iter().map(usize::to_string).collect();
                Err(Message::FitsSeveral
                    .render_with(self.lang, [foreign(describe::excerpt(typed)), own(numbers.join(", "))]))
            }
        }
    }

    /// Returns the number of the last choice, the free-text option included.
    fn last_number(&self) -> usize {
        self.choice.item_count()
    }

    fn no_such_choice(&self, typed: &str) -> String {
        Message::NotAChoice
            .render_with(self.lang, [foreign(describe::excerpt(typed)), own(self.last_number())])
    }

    fn reply_with_picks(&self, numbers: &[usize], by_label: bool) -> ParsedLine {
        let offer = |number: &usize| Some((*number, self.choice.item_by_number(*number)?));
        let offers: Vec<(usize, ChoiceItem<'_>)> = numbers.iter().filter_map(offer).collect();
        let options: Vec<_> = offers
            .iter()
            .filter_map(|(number, offer)| match offer {
                ChoiceItem::Option(option) => Some((number, option)),
                ChoiceItem::Other => None,
            })
            .collect();
        let picks: Vec<_> = options.iter().map(|(_, option)| Pick::Option(option.id.clone())).collect();
        if let Some(at) = offers.iter().position(|(_, offer)| *offer == ChoiceItem::Other) {
            let prompt = Message::HintOwnAnswer.plain(self.lang).to_owned();
            return ParsedLine::More { partial: PartialAnswer::OtherText { picks, at }, prompt };
        }
        let understood = options.iter().map(|(number, option)| {
            let label = describe::excerpt(&option.label);
            Message::Understood.render_with(self.lang, [own(number), foreign(label)])
        });
        let notice = by_label.then(|| understood.collect::<Vec<_>>().join("\n"));
        ParsedLine::Reply { reply: Reply::from_picks(picks), notice }
    }
}

fn parse_range(typed: &str) -> Option<(usize, usize)> {
    let (from, to) = typed.split_once(['-', '–', '－'])?;
    Some((parse_number(from)?, parse_number(to)?))
}
