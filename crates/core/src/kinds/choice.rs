//! A choice among options.

mod option;

pub use option::ChoiceOption;

use super::behavior::{ComparedQuestion, KindAliases, KindBehavior};
use super::input::QuestionInput;
use super::{Answer, KindName, QuestionKind, text};
use crate::i18n::{Lang, LocalizedText, Message, answer_words, foreign, spelling};
use crate::limits;
use crate::model::answer::Pick;
use crate::model::constraint::Requirement;
use crate::model::document_path::DocumentPath;
use crate::model::id::{IdSet, OptionId};
use crate::model::question::Question;
use crate::model::validation_rules::Rules;
use crate::model::value::ComparisonValue;
use crate::problem::{Problem, ProblemCode};
use crate::rules::questionnaire_validation::{duplicate_id_problem, id_problem, too_many_problem};
use crate::wire::answers::ReadResult;
use crate::wire::answers::pick::find_option;
use crate::wire::questionnaire::option::option_entry;
use crate::wire::questionnaire::question::QuestionEntry;
use crate::wire::questionnaire::text::WireText;
use crate::wire::questionnaire::unmeetable_demands::leaves_no_answer;
use std::borrow::Cow;
use std::cmp::Ordering;
use std::collections::HashSet;

/// A choice among options.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ChoiceQuestion {
    /// The options in the order shown, numbered from 1.
    pub options: Vec<ChoiceOption>,
    /// Several may be picked.
    pub multi: bool,
    /// A typed own answer is offered in addition to the options.
    pub other: bool,
    /// Label of the own answer; a label of the catalogue without it.
    pub other_label: Option<String>,
    /// Number of options above the own answer; all of them without it.
    pub other_at: Option<usize>,
}

/// One item that can be picked in a choice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChoiceItem<'c> {
    /// An option.
    Option(&'c ChoiceOption),
    /// An own answer, to be typed.
    Other,
}

impl ChoiceQuestion {
    /// Returns the option with this id.
    #[inline]
    pub fn option(&self, id: &OptionId) -> Option<&ChoiceOption> {
        self.options.iter().find(|option| option.id == *id)
    }

    /// Returns the items that can be picked, in the order shown: the options, with the own answer at its position.
    pub fn items(&self) -> impl Iterator<Item = ChoiceItem<'_>> {
        let (above, below) = self.options.split_at(self.other_index());
        let own = self.other.then_some(ChoiceItem::Other);
        above.iter().map(ChoiceItem::Option).chain(own).chain(below.iter().map(ChoiceItem::Option))
    }

    /// Returns the number of items that can be picked.
    pub fn item_count(&self) -> usize {
        self.options.len() + usize::from(self.other)
    }

    /// Returns the item with this number on the screen, from 1.
    pub fn item_by_number(&self, number: usize) -> Option<ChoiceItem<'_>> {
        let at = number.checked_sub(1)?;
        match at.cmp(&self.other_index()) {
            Ordering::Equal if self.other => Some(ChoiceItem::Other),
            Ordering::Greater if self.other => self.options.get(at - 1).map(ChoiceItem::Option),
            _ => self.options.get(at).map(ChoiceItem::Option),
        }
    }

    fn other_index(&self) -> usize {
        self.other_at.map_or(self.options.len(), |at| at.min(self.options.len()))
    }
}

impl ChoiceQuestion {
    pub(super) fn take_from(entry: &mut QuestionEntry<'_>) -> Self {
        let entries = entry.options.take().unwrap_or_default();
        let mut options = Vec::with_capacity(entries.len());
        for (index, option) in entries.into_iter().enumerate() {
            options.push(option.into_option(index));
        }
        Self {
            options,
            multi: entry.multi,
            other: entry.other || entry.other_label.is_some() || entry.other_at.is_some(),
            other_label: entry.other_label.take().map(WireText::into_owned),
            other_at: entry.other_at,
        }
    }

    /// Returns the name of the own answer: the asker's label, or the word that its format has for it.
    pub fn own_answer_name(&self, rules: &Rules, lang: Lang) -> &str {
        self.own_answer_label(rules, Message::OtherName, lang)
    }

    /// Returns the name of the own answer for a list without a text box next to it: it says what to do.
    pub fn own_answer_row(&self, rules: &Rules, lang: Lang) -> &str {
        self.own_answer_label(rules, Message::OtherOption, lang)
    }

    fn own_answer_label(&self, rules: &Rules, other: Message, lang: Lang) -> &str {
        let ours = if rules.own_answers_are_custom { Message::CustomOption } else { other };
        self.other_label.as_deref().filter(|label| !label.trim().is_empty()).unwrap_or(ours.plain(lang))
    }

    /// Returns the option that was most likely meant: the one with this label, or with an id that differs in a few
    /// letters.
    fn suggest_option(&self, named: &str) -> Option<&str> {
        let with_label = self.options.iter().find(|option| option.label.eq_ignore_ascii_case(named));
        if let Some(option) = with_label {
            return Some(option.id.as_str());
        }
        spelling::nearest_word(named, self.options.iter().map(|option| option.id.as_str()))
    }

    /// Returns the problem of a minimum above the possible number of picks.
    fn too_many_picks(&self, rules: &Rules, least: u32) -> Option<Problem> {
        let options = self.options.len();
        let several = self.multi || rules.loose_single;
        let most = match (several, rules.repeated_picks) {
            (false, _) => 1,
            (true, true) if options > 0 => options.max(limits::OPTIONS) + 1,
            // The own answer is one more pick, or replaces all others.
            (true, _) if rules.other_alone => options.max(usize::from(self.other)),
            (true, _) => self.item_count(),
        };
        // A choice without options is a problem of its own.
        if least as usize <= most || self.item_count() == 0 {
            return None;
        }
        let message = match several {
            false => Message::PicksOfOne,
            true if most == options => Message::PicksOfOptions,
            true => Message::PicksBeyond,
        };
        let problem = Problem::new(ProblemCode::BadConstraint, message.with([least as usize, most]));
        Some(if several { problem } else { problem.with_hint(Message::SeveralPicksHow) })
    }

    fn pick_problems(&self, rules: &Rules, picks: &[Pick]) -> Vec<Problem> {
        let mut problems = Vec::new();
        if picks.len() > 1 && !self.multi && !rules.loose_single {
            problems.push(Problem::new(ProblemCode::TooBig, Message::OnlyOnePick));
        }
        // Beyond this it is no choice any more, whatever the picks are.
        if picks.len() > self.options.len().max(limits::OPTIONS) + 1 {
            return vec![Problem::new(ProblemCode::TooBig, Message::TooManyPicks.with([picks.len()]))];
        }
        let options: HashSet<_> = self.options.iter().map(|option| &option.id).collect();
        let (mut seen, mut others) = (HashSet::new(), 0);
        for pick in picks {
            match pick {
                Pick::Option(id) if !options.contains(id) => {
                    problems.push(Problem::new(ProblemCode::NoSuchOption, Message::NoSuchOption.with([id])));
                }
                Pick::Option(id) => {
                    if picks.len() > 1 && !seen.insert(id) && !rules.repeated_picks {
                        problems.push(Problem::new(ProblemCode::InvalidValue, Message::PickedTwice));
                    }
                }
                Pick::Other(_) if others > 0 => {
                    problems.push(Problem::new(ProblemCode::InvalidValue, Message::OneOther));
                }
                Pick::Other(_) if !self.other => {
                    problems.push(Problem::new(ProblemCode::InvalidValue, Message::NoOther));
                }
                Pick::Other(_) if picks.len() > 1 && rules.other_alone => {
                    problems.push(Problem::new(ProblemCode::InvalidValue, Message::OtherAlone));
                }
                Pick::Other(text) if is_blank_other(rules, text) => {
                    problems.push(Problem::new(ProblemCode::NeedsAnswer, Message::NeedsAnswer));
                }
                Pick::Other(text) if rules.is_reserved(text) => {
                    problems.push(Problem::new(
                        ProblemCode::InvalidValue,
                        Message::OwnReserved.with([foreign(text.trim())]),
                    ));
                }
                Pick::Other(text) => problems.extend(text::length_problem(text)),
            }
            others += usize::from(matches!(pick, Pick::Other(_)));
        }
        problems
    }
}

impl From<ChoiceQuestion> for QuestionKind {
    fn from(choice: ChoiceQuestion) -> Self {
        Self::Choice(choice)
    }
}

impl KindBehavior for ChoiceQuestion {
    fn name(&self) -> &'static str {
        "choice"
    }

    fn aliases(&self) -> &'static [KindAliases] {
        &[
            KindAliases {
                flag: None,
                names: &[
                    "select",
                    "singleselect",
                    "single",
                    "singlechoice",
                    "radio",
                    "dropdown",
                    "enum",
                    "choices",
                ],
            },
            KindAliases {
                flag: Some("multi"),
                names: &["multi", "multiselect", "multiplechoice", "multichoice", "checkbox", "checkboxes"],
            },
        ]
    }

    fn input(&self) -> QuestionInput<'_> {
        QuestionInput::Options(self)
    }

    fn write<'q>(&'q self, entry: &mut QuestionEntry<'q>) {
        entry.kind = Some(KindName::Choice);
        entry.options = Some(self.options.iter().map(option_entry).collect());
        entry.multi = self.multi;
        entry.other = self.other;
        if self.other {
            entry.other_label = WireText::from_option(self.other_label.as_ref());
            entry.other_at = self.other_at;
        }
    }

    fn problems<'q>(&'q self, seen_options: &mut IdSet<&'q OptionId>) -> Vec<Problem> {
        seen_options.clear();
        let place = || DocumentPath::root().join("options");
        let mut problems = Vec::new();
        let count = self.options.len();
        if count == 0 && !self.other {
            problems.push(Problem::new(ProblemCode::TooSmall, Message::FewOptions).at(place()));
        }
        let excess = too_many_problem(count, limits::OPTIONS, Message::ManyOptions);
        problems.extend(excess.map(|problem| problem.at(place())));
        for (at, option) in self.options.iter().enumerate() {
            let id_place = || place().join(at).join("id");
            if !seen_options.insert(&option.id) {
                problems.push(duplicate_id_problem(&option.id).at(id_place()));
            }
            problems.extend(id_problem(option.id.as_str()).map(|problem| problem.at(id_place())));
        }
        if !self.other {
            for (member, is_set) in
                [("other_label", self.other_label.is_some()), ("other_at", self.other_at.is_some())]
            {
                if is_set {
                    let problem = Problem::new(ProblemCode::InvalidValue, Message::NoOther);
                    problems.push(problem.at(DocumentPath::root().join(member)));
                }
            }
        }
        if let Some(at) = self.other_at
            && at > count
        {
            let problem = Problem::new(ProblemCode::TooBig, Message::OtherPlace.with([at, count]));
            problems.push(problem.at(DocumentPath::root().join("other_at")));
        }
        problems
    }

    fn unmeetable_problem(&self, rules: &Rules, requirement: &Requirement) -> Option<Problem> {
        match requirement {
            Requirement::MinPicks(least) => self.too_many_picks(rules, *least),
            Requirement::MaxPicks(0) if !rules.empty_picks => Some(leaves_no_answer(requirement)),
            _ => None,
        }
    }

    fn expected_answer(&self) -> LocalizedText {
        Message::WantsPicks.into()
    }

    fn answer_words(&self) -> LocalizedText {
        if self.multi { Message::ChooseSeveral.into() } else { Message::ChooseOne.into() }
    }

    fn line_hint(&self) -> Message {
        if self.multi { Message::HintSeveral } else { Message::HintChoice }
    }

    fn accepts(&self, answer: &Answer) -> bool {
        matches!(answer, Answer::Picks(_))
    }

    #[inline]
    fn answer_problems(&self, rules: &Rules, answer: &Answer) -> Vec<Problem> {
        let Answer::Picks(picks) = answer else { return Vec::new() };
        match picks.as_slice() {
            // Most answers are one option, which needs no further check.
            [Pick::Option(id)] if self.option(id).is_some() => Vec::new(),
            picks => self.pick_problems(rules, picks),
        }
    }

    fn answer_members(&self) -> &'static [&'static str] {
        &["option", "other", "picks"]
    }

    fn read_text(&self, text: &str) -> ReadResult<Answer> {
        find_option(self, text).map(|option| Answer::Picks(Pick::Option(option.id.clone()).into()))
    }

    fn comparison_problem(
        &self,
        compared: &ComparedQuestion<'_>,
        value: &ComparisonValue,
    ) -> Option<Problem> {
        let ComparisonValue::Text(id) = value else {
            return Some(compared.wrong_value(Message::ConditionWantsOption, value));
        };
        if (compared.has_option)(id) || (self.other && compared.rules.own_answers_match) {
            return None;
        }
        let message = Message::ConditionNoOption.with([foreign(compared.id), foreign(id)]);
        let problem = Problem::new(ProblemCode::NoSuchOption, message);
        Some(match self.suggest_option(id) {
            Some(nearest) => problem.with_hint(Message::DidYouMean.with([foreign(nearest)])),
            None => problem,
        })
    }
}

/// Returns true if picks count as no answer.
pub(super) fn is_blank(rules: &Rules, picks: &[Pick]) -> bool {
    match picks {
        [] => !rules.empty_picks,
        [Pick::Other(text)] => is_blank_other(rules, text),
        _ => false,
    }
}

fn is_blank_other(rules: &Rules, text: &str) -> bool {
    !rules.empty_other && rules.is_blank(text)
}

/// Describes picks by their labels, or as typed.
pub(super) fn describe<'a>(question: &Question, picks: &[Pick]) -> Cow<'a, str> {
    let words: Vec<_> = picks.iter().map(|pick| answer_words::describe_pick(question, pick)).collect();
    Cow::Owned(words.join(", "))
}
