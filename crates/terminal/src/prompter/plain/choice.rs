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

/// Options that a line names.
struct NamedOptions {
    /// Their numbers on the screen, in the order of the line and without duplicates.
    numbers: Vec<usize>,
    /// True if one was named by its label.
    by_label: bool,
}

impl ChoiceParser<'_> {
    pub(super) fn parse(&self, line: &str) -> ParsedLine {
        let text = unescape_slash(line.trim());
        if text.is_empty() {
            return invalid_line(String::new());
        }
        if let Some(parsed_line) = self.parse_all_or_none(text) {
            return parsed_line;
        }
        match self.parse_options(text) {
            Ok(NamedOptions { numbers, by_label }) => self.reply_with_picks(&numbers, by_label),
            Err(notice) => invalid_line(notice),
        }
    }

    /// Parses the words for all and none, unless a label is that word.
    fn parse_all_or_none(&self, text: &str) -> Option<ParsedLine> {
        let options = &self.choice.options;
        let word = fold_label(text);
        if !self.choice.multi || options.iter().any(|option| fold_label(&option.label) == word) {
            return None;
        }
        match word.as_str() {
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

    /// Returns the options that a line names, at least one.
    fn parse_options(&self, text: &str) -> Result<NamedOptions, String> {
        let mut numbers = Vec::new();
        let mut unique_numbers = BTreeSet::new();
        let mut by_label = false;
        for part in self.parse_parts(text)? {
            let range = match part {
                ChoiceRef::Numbers(range) => range,
                ChoiceRef::Label(number) => {
                    by_label = true;
                    number..=number
                }
            };
            for number in range {
                if unique_numbers.insert(number) {
                    numbers.push(number);
                }
            }
        }
        if numbers.is_empty() {
            return Err(self.no_such_choice(text));
        }
        Ok(NamedOptions { numbers, by_label })
    }

    /// Splits a line into parts; a line that is a whole label is one part.
    fn parse_parts(&self, text: &str) -> Result<Vec<ChoiceRef>, String> {
        let notice = match self.parse_part(text) {
            Ok(whole) => return Ok(vec![whole]),
            Err(notice) => notice,
        };
        let mut parts: Vec<&str> = text.split([',', '，', '、']).map(str::trim).collect();
        parts.retain(|part| !part.is_empty());
        if self.choice.multi {
            return parts.into_iter().map(|part| self.parse_part(part)).collect();
        }
        let are_numbers = parts.iter().all(|part| parse_number(part).is_some());
        if parts.len() > 1 && are_numbers {
            return Err(Message::OneChoiceOnly.plain(self.lang).to_owned());
        }
        Err(notice)
    }

    /// Parses one part: a number, a range, or a label.
    fn parse_part(&self, text: &str) -> Result<ChoiceRef, String> {
        let last = self.last_number();
        if let Some(number) = parse_number(text) {
            return match number {
                1.. if number <= last => Ok(ChoiceRef::Numbers(number..=number)),
                _ => self.match_label(text),
            };
        }
        if self.choice.multi
            && let Some((from, to)) = parse_range(text)
        {
            return if 1 <= from && from <= to && to <= last {
                Ok(ChoiceRef::Numbers(from..=to))
            } else {
                Err(self.no_such_choice(text))
            };
        }
        self.match_label(text)
    }

    /// Returns the single option with this label or, failing that, with this prefix.
    fn match_label(&self, text: &str) -> Result<ChoiceRef, String> {
        let word = fold_label(text);
        let mut whole_labels = Vec::new();
        let mut prefixes = Vec::new();
        for (number, offer) in (1..).zip(self.choice.items()) {
            let label = fold_label(match offer {
                ChoiceItem::Option(option) => &option.label,
                ChoiceItem::Other => self.choice.own_answer_name(self.rules, self.lang),
            });
            if label == word {
                whole_labels.push(number);
            } else if label.starts_with(&word) {
                prefixes.push(number);
            }
        }
        let matches = if whole_labels.is_empty() { prefixes } else { whole_labels };
        match matches.as_slice() {
            [] => Err(self.no_such_choice(text)),
            [one] => Ok(ChoiceRef::Label(*one)),
            several => {
                let numbers: Vec<_> = several.iter().map(usize::to_string).collect();
                let words = [foreign(describe::excerpt(text)), own(numbers.join(", "))];
                Err(Message::FitsSeveral.render_with(self.lang, words))
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
        let mut picks = Vec::new();
        let mut notices = Vec::new();
        let mut other_place = None;
        for number in numbers {
            match self.choice.item_by_number(*number) {
                Some(ChoiceItem::Option(option)) => {
                    picks.push(Pick::Option(option.id.clone()));
                    let label = describe::excerpt(&option.label);
                    notices.push(Message::Understood.render_with(self.lang, [own(number), foreign(label)]));
                }
                Some(ChoiceItem::Other) => other_place = Some(picks.len()),
                None => {}
            }
        }
        if let Some(at) = other_place {
            let prompt = Message::HintOwnAnswer.plain(self.lang).to_owned();
            return ParsedLine::More { partial: PartialAnswer::OtherText { picks, at }, prompt };
        }
        // A number needs no confirmation; a label was completed or spelled otherwise.
        let notice = if by_label { Some(notices.join("\n")) } else { None };
        ParsedLine::Reply { reply: Reply::from_picks(picks), notice }
    }
}

fn parse_range(typed: &str) -> Option<(usize, usize)> {
    let (from, to) = typed.split_once(['-', '–', '－'])?;
    Some((parse_number(from)?, parse_number(to)?))
}
