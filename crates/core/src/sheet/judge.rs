//! Validation of an answer: its kind first, then the asker's constraints in their order.

use crate::answer::{Answer, Pick};
use crate::constraint::{Constraint, Demand};
use crate::limits;
use crate::message::{Message, Text};
use crate::pattern::{Matched, StepBudget};
use crate::problem::{Code, Problem};
use crate::question::{Choice, Kind, Question, Rating};
use crate::rules::Rules;
use std::cmp::Ordering;
use std::collections::HashSet;

/// The result of validating an answer.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Verdict {
    /// The problems.
    pub problems: Vec<Problem>,
    /// A pattern exceeded the step budget. The answer is accepted and marked for the asker, unless the questionnaire
    /// rejects unchecked answers.
    pub pattern_not_checked: bool,
}

/// Returns the problem of an answer whose pattern exceeded the step budget, if such answers are rejected.
pub(super) fn unchecked_problem() -> Problem {
    Problem::new(Code::PatternNotChecked, Message::PatternNotChecked).hint(Message::PatternNotCheckedHint)
}

/// Returns true if an answer is empty: no picks, or only white space. It counts as none.
pub fn is_blank(question: &Question, rules: &Rules, answer: &Answer) -> bool {
    match answer {
        Answer::Text(text) => rules.is_blank(text),
        Answer::Picks(picks) => match picks.as_slice() {
            [] => !rules.empty_picks,
            [Pick::Other(text)] => is_blank_own(rules, text),
            _ => false,
        },
        Answer::Confirm(confirmed) => question.required && rules.must_be_true && !confirmed,
        Answer::Rating(_) | Answer::Number(_) | Answer::Date(_) | Answer::Time(_) | Answer::Datetime(_) => {
            false
        }
    }
}

/// Returns the problem of a question without its required answer, with the asker's message of the first constraint
/// that such an answer fails.
pub fn needs_answer(question: &Question) -> Problem {
    let fails = |demand: &Demand| match demand {
        Demand::Answered => true,
        Demand::MinPicks(least) | Demand::MinLength(least) => *least > 0 && demand.suits(&question.kind),
        _ => false,
    };
    let mut failed = question.constraints.iter().filter(|constraint| constraint.demands().any(fails));
    let words = failed.find_map(|constraint| constraint.message.as_deref());
    let message = words.map_or(Message::NeedsAnswer.into(), |words| Text::Verbatim(words.to_owned()));
    Problem::new(Code::NeedsAnswer, message)
}

/// Returns the asker's message for a requirement.
fn own_words(question: &Question, demand: &Demand) -> Option<Text> {
    let has_words = |constraint: &&Constraint| constraint.demands().any(|known| known == demand);
    let worded = question.constraints.iter().find(has_words);
    worded.and_then(|constraint| constraint.message.as_deref()).map(|words| Text::Verbatim(words.to_owned()))
}

/// Validates an answer that is submitted.
pub fn verdict(question: &Question, rules: &Rules, answer: &Answer, steps: &mut StepBudget) -> Verdict {
    if is_blank(question, rules, answer) && !rules.unjudged {
        return Verdict { problems: vec![needs_answer(question)], ..Verdict::default() };
    }
    filled_verdict(question, rules, answer, steps)
}

/// Validates an answer that is not blank.
pub(super) fn filled_verdict(
    question: &Question,
    rules: &Rules,
    answer: &Answer,
    steps: &mut StepBudget,
) -> Verdict {
    let mut verdict = Verdict { problems: misfits(question, rules, answer), pattern_not_checked: false };
    if rules.unjudged {
        verdict.problems.retain(|problem| problem.code == Code::TooLarge);
    }
    if !verdict.problems.is_empty() || rules.unjudged {
        return verdict;
    }
    for constraint in &question.constraints {
        for demand in constraint.demands() {
            match meets(demand, question, rules, answer, steps) {
                Matched::Yes => {}
                Matched::TooCostly => verdict.pattern_not_checked = true,
                Matched::No => {
                    verdict.problems.push(unmet(demand, constraint.message.as_deref()));
                    return verdict;
                }
            }
        }
    }
    verdict
}

/// Returns the problems of an answer that does not fit its kind, in the asker's words if it has some.
#[inline]
pub(crate) fn misfits(question: &Question, rules: &Rules, answer: &Answer) -> Vec<Problem> {
    let problems = kind_problems(question, rules, answer);
    match own_words(question, &Demand::Fits) {
        Some(words) if !problems.is_empty() => in_words(problems, &words),
        _ => problems,
    }
}

/// Replaces the messages by the asker's, of which one is enough. The problem of a too large answer keeps its own
/// message.
#[cold]
fn in_words(problems: Vec<Problem>, words: &Text) -> Vec<Problem> {
    let (mut kept, mut others): (Vec<_>, Vec<_>) =
        problems.into_iter().partition(|problem| problem.code == Code::TooLarge);
    others.truncate(1);
    kept.extend(others.into_iter().map(|problem| Problem { message: words.clone(), ..problem }));
    kept
}

/// Returns the bound hit when stepping an answer up or down, in the asker's words if it has some.
pub(super) fn bound(question: &Question, rules: &Rules, answer: &Answer, grows: bool) -> Option<Problem> {
    let is_in_the_way = |demand: &&Demand| {
        let bounds = match demand {
            Demand::Max(_) | Demand::MaxPicks(_) => grows,
            Demand::Min(_) => !grows,
            _ => false,
        };
        bounds && matches!(meets(demand, question, rules, answer, &mut StepBudget::default()), Matched::No)
    };
    question.constraints.iter().find_map(|constraint| {
        let demand = constraint.demands().find(is_in_the_way)?;
        Some(unmet(demand, constraint.message.as_deref()))
    })
}

fn unmet(demand: &Demand, message: Option<&str>) -> Problem {
    let code = match demand {
        Demand::Answered => Code::NeedsAnswer,
        Demand::Fits => Code::InvalidType,
        Demand::MinPicks(_) | Demand::MinLength(_) | Demand::Min(_) => Code::TooSmall,
        Demand::MaxPicks(_) | Demand::MaxLength(_) | Demand::Max(_) => Code::TooBig,
        Demand::Pattern(_) => Code::PatternUnmet,
        Demand::MultipleOf(_) => Code::InvalidValue,
    };
    let words = message.map_or_else(|| demand.words(), |words| Text::Verbatim(words.to_owned()));
    Problem::new(code, words)
}

/// Checks a requirement. One that does not apply to such answers is met.
fn meets(
    demand: &Demand,
    question: &Question,
    rules: &Rules,
    answer: &Answer,
    steps: &mut StepBudget,
) -> Matched {
    let is_met = match (demand, answer) {
        (Demand::MinPicks(least), Answer::Picks(picks)) => picks.len() >= *least as usize,
        (Demand::MaxPicks(most), Answer::Picks(picks)) => picks.len() <= *most as usize,
        (Demand::MinLength(least), Answer::Text(text)) => length(rules, text) >= *least as usize,
        (Demand::MaxLength(most), Answer::Text(text)) => length(rules, text) <= *most as usize,
        (Demand::Pattern(pattern), Answer::Text(text)) => {
            return pattern.matches(rules.clean(text), steps);
        }
        (Demand::Min(least), answer) => least.order(&question.kind, answer).is_none_or(Ordering::is_ge),
        (Demand::Max(most), answer) => most.order(&question.kind, answer).is_none_or(Ordering::is_le),
        (Demand::MultipleOf(step), Answer::Number(number)) => number.is_multiple_of(*step),
        _ => true,
    };
    if is_met { Matched::Yes } else { Matched::No }
}

fn length(rules: &Rules, text: &str) -> usize {
    rules.length_unit.count(rules.clean(text))
}

/// Returns the problems of an answer for this kind of question, without the asker's constraints.
#[inline]
pub(crate) fn kind_problems(question: &Question, rules: &Rules, answer: &Answer) -> Vec<Problem> {
    let wrong = || vec![Problem::new(Code::InvalidType, wants(&question.kind))];
    if !fits(&question.kind, rules, answer) {
        return wrong();
    }
    match (&question.kind, answer) {
        (Kind::Choice(choice), Answer::Picks(picks)) => match picks.as_slice() {
            // Most answers are one option, which needs no further check.
            [Pick::Option(id)] if choice.option(id).is_some() => Vec::new(),
            picks => pick_problems(choice, rules, picks),
        },
        (_, Answer::Text(text)) => text_problem(text).map_or_else(Vec::new, |problem| vec![problem]),
        (Kind::Rating(rating), Answer::Rating(step)) if !(rating.min..=rating.max).contains(step) => wrong(),
        _ => Vec::new(),
    }
}

/// Returns true if an answer has this kind, valid or not.
pub(crate) const fn fits(kind: &Kind, rules: &Rules, answer: &Answer) -> bool {
    match (kind, answer) {
        (kind, Answer::Text(_)) if kind.is_date_or_time() => rules.loose_dates,
        (Kind::Choice(_), Answer::Picks(_))
        | (Kind::Text(_), Answer::Text(_))
        | (Kind::Confirm(_), Answer::Confirm(_))
        | (Kind::Rating(_), Answer::Rating(_))
        | (Kind::Number(_), Answer::Number(_))
        | (Kind::Date, Answer::Date(_))
        | (Kind::Time, Answer::Time(_))
        | (Kind::Datetime, Answer::Datetime(_)) => true,
        _ => false,
    }
}

/// Describes the answers that a kind of question expects.
pub fn wants(kind: &Kind) -> Text {
    match kind {
        Kind::Choice(_) => Message::WantsPicks.into(),
        Kind::Text(_) => Message::WantsText.into(),
        Kind::Confirm(_) => Message::WantsConfirm.into(),
        Kind::Rating(rating) => wants_rating(rating),
        Kind::Number(_) => Message::WantsNumber.into(),
        Kind::Date => Message::WantsDate.into(),
        Kind::Time => Message::WantsTime.into(),
        Kind::Datetime => Message::WantsDatetime.into(),
    }
}

fn wants_rating(rating: &Rating) -> Text {
    Message::WantsRating.with([rating.min, rating.max])
}

fn text_problem(text: &str) -> Option<Problem> {
    (text.len() > limits::TEXT_ANSWER_BYTES).then(|| {
        Problem::new(Code::TooLarge, Message::TextTooLong.with([text.len(), limits::TEXT_ANSWER_BYTES]))
    })
}

/// Returns the problem of a note.
pub fn note_problem(note: Option<&str>) -> Option<Problem> {
    let bytes = note.map_or(0, str::len);
    (bytes > limits::TEXT_ANSWER_BYTES)
        .then(|| Problem::new(Code::TooLarge, Message::NoteTooLong.with([bytes, limits::TEXT_ANSWER_BYTES])))
}

fn pick_problems(choice: &Choice, rules: &Rules, picks: &[Pick]) -> Vec<Problem> {
    let mut problems = Vec::new();
    if picks.len() > 1 && !choice.multi && !rules.loose_single {
        problems.push(Problem::new(Code::TooBig, Message::OnlyOnePick));
    }
    // Beyond this it is no choice any more, whatever the picks are.
    if picks.len() > choice.options.len().max(limits::OPTIONS) + 1 {
        return vec![Problem::new(Code::TooBig, Message::TooManyPicks.with([picks.len()]))];
    }
    let options = Options::of(choice, picks.len());
    let (mut seen, mut others) = (HashSet::new(), 0);
    for pick in picks {
        match pick {
            Pick::Option(id) if !options.has(id.as_str()) => {
                problems.push(Problem::new(Code::NoSuchOption, Message::NoSuchOption.with([id])));
            }
            Pick::Option(id) => {
                if picks.len() > 1 && !seen.insert(id) && !rules.repeated_picks {
                    problems.push(Problem::new(Code::InvalidValue, Message::PickedTwice));
                }
            }
            Pick::Other(_) if others > 0 => {
                problems.push(Problem::new(Code::InvalidValue, Message::OneOther));
            }
            Pick::Other(_) if !choice.other => {
                problems.push(Problem::new(Code::InvalidValue, Message::NoOther));
            }
            Pick::Other(_) if picks.len() > 1 && rules.other_alone => {
                problems.push(Problem::new(Code::InvalidValue, Message::OtherAlone));
            }
            Pick::Other(text) if is_blank_own(rules, text) => {
                problems.push(Problem::new(Code::NeedsAnswer, Message::NeedsAnswer));
            }
            Pick::Other(text) if rules.is_reserved(text) => {
                problems.push(Problem::new(Code::InvalidValue, Message::OwnReserved.with([text.trim()])));
            }
            Pick::Other(text) => problems.extend(text_problem(text)),
        }
        others += usize::from(matches!(pick, Pick::Other(_)));
    }
    problems
}

fn is_blank_own(rules: &Rules, text: &str) -> bool {
    !rules.empty_other && rules.is_blank(text)
}

/// The options of a choice: a linear search for a few picks, a set for many.
enum Options<'c> {
    Each(&'c Choice),
    Table(HashSet<&'c str>),
}

impl<'c> Options<'c> {
    fn of(choice: &'c Choice, picks: usize) -> Self {
        const FEW: usize = 8;
        let ids = || choice.options.iter().map(|option| option.id.as_str());
        if picks <= FEW { Self::Each(choice) } else { Self::Table(ids().collect()) }
    }

    fn has(&self, id: &str) -> bool {
        match self {
            Self::Each(choice) => choice.options.iter().any(|option| option.id.as_str() == id),
            Self::Table(ids) => ids.contains(id),
        }
    }
}
