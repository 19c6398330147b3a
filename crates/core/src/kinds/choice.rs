//! A choice among options.

use super::behavior::{ComparedQuestion, KindAliases, KindBehavior, ReadResult, leaves_no_answer_problem};
use super::input::QuestionInput;
use super::members::KindMembers;
use super::{KindName, text};
use crate::i18n::{Lang, LocalizedText, Message, answer_words, foreign, spelling};
use crate::limits;
use crate::model::answer::{Answer, Pick};
use crate::model::document_path::DocumentPath;
use crate::model::id::{IdSet, OptionId};
use crate::model::question::Question;
use crate::model::question::choice::{ChoiceOption, ChoiceQuestion};
use crate::model::question::constraint::Requirement;
use crate::model::validation_rules::Rules;
use crate::model::value::ComparisonValue;
use crate::problem::{Problem, ProblemCode};
use std::borrow::Cow;
use std::collections::HashSet;

impl ChoiceQuestion {
    pub(super) fn take_from(members: &mut KindMembers<'_>) -> Self {
        Self {
            options: members.options.take().unwrap_or_default(),
            multi: members.multi,
            other: members.other || members.other_label.is_some() || members.other_at.is_some(),
            other_label: members.other_label.take().map(Cow::into_owned),
            other_at: members.other_at,
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

impl KindBehavior for ChoiceQuestion {
    fn kind_name(&self) -> KindName {
        KindName::Choice
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

    fn write<'q>(&'q self, members: &mut KindMembers<'q>) {
        members.multi = self.multi;
        members.other = self.other;
        if self.other {
            members.other_label = self.other_label.as_deref().map(Cow::Borrowed);
            members.other_at = self.other_at;
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
        let excess = Problem::too_many(count, limits::OPTIONS, Message::ManyOptions);
        problems.extend(excess.map(|problem| problem.at(place())));
        for (at, option) in self.options.iter().enumerate() {
            let id_place = || place().join(at).join("id");
            if !seen_options.insert(&option.id) {
                problems.push(Problem::duplicate_id(&option.id).at(id_place()));
            }
            problems.extend(Problem::invalid_id(option.id.as_str()).map(|problem| problem.at(id_place())));
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
            Requirement::MaxPicks(0) if !rules.empty_picks => Some(leaves_no_answer_problem(requirement)),
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

/// Finds the option with this id, or else the only one with this label.
#[inline]
pub(crate) fn find_option<'c>(choice: &'c ChoiceQuestion, name: &str) -> ReadResult<&'c ChoiceOption> {
    for option in &choice.options {
        if option.id.as_str() == name {
            return Ok(option);
        }
    }
    find_by_label(choice, name)
}

/// Finds the only option with this label.
fn find_by_label<'c>(choice: &'c ChoiceQuestion, label: &str) -> ReadResult<&'c ChoiceOption> {
    let mut matches = choice.options.iter().filter(|option| option.label == label);
    let Some(option) = matches.next() else {
        let ids = choice.options.iter().map(|option| option.id.as_str());
        return Err(Box::new(Problem { hint: spelling::suggestion(label, ids), ..no_such_option(label) }));
    };
    if matches.next().is_some() {
        return Err(ambiguous_label_problem(label));
    }
    Ok(option)
}

#[cold]
pub(crate) fn ambiguous_label_problem(name: &str) -> Box<Problem> {
    Box::new(Problem::new(ProblemCode::InvalidValue, Message::AmbiguousLabel.with([foreign(name)])))
}

/// Returns the problem of an option that the question does not have.
pub fn no_such_option(name: &str) -> Problem {
    Problem::new(ProblemCode::NoSuchOption, Message::NoSuchOption.with([foreign(name)]))
}
