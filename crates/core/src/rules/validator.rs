//! Validation of an answer: its kind first, then the asker's constraints in their order.

use crate::i18n::{LocalizedText, Message, foreign};
use crate::kinds::Answer;
use crate::kinds::QuestionKind;
use crate::kinds::choice::ChoiceQuestion;
use crate::kinds::rating::RatingQuestion;
use crate::limits;
use crate::model::answer::Pick;
use crate::model::problem::{Problem, ProblemCode};
use crate::model::question::Question;
use crate::pattern::{MatchResult, StepBudget};
use crate::rules::Rules;
use crate::rules::constraint::{Constraint, Requirement};
use std::cmp::Ordering;
use std::collections::HashSet;

/// The result of validating an answer.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ValidationReport {
    /// The problems.
    pub problems: Vec<Problem>,
    /// A pattern exceeded the step budget. The answer is accepted and marked for the asker, unless the questionnaire
    /// rejects unchecked answers.
    pub pattern_not_checked: bool,
}

/// Returns the problem of an answer whose pattern exceeded the step budget, if such answers are rejected.
pub(crate) fn unchecked_problem() -> Problem {
    Problem::new(ProblemCode::PatternNotChecked, Message::PatternNotChecked)
        .with_hint(Message::PatternNotCheckedHint)
}

/// Returns true if an answer is empty: no picks, or only white space. It counts as none.
pub fn is_blank(question: &Question, rules: &Rules, answer: &Answer) -> bool {
    match answer {
        Answer::Text(text) => rules.is_blank(text),
        Answer::Picks(picks) => match picks.as_slice() {
            [] => !rules.empty_picks,
            [Pick::Other(text)] => is_blank_other(rules, text),
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
pub fn missing_answer_problem(question: &Question) -> Problem {
    let fails = |demand: &Requirement| match demand {
        Requirement::Answered => true,
        Requirement::MinPicks(least) | Requirement::MinLength(least) => {
            *least > 0 && demand.applies_to(&question.kind)
        }
        _ => false,
    };
    let mut failed = question.constraints.iter().filter(|constraint| constraint.requirements().any(fails));
    let words = failed.find_map(|constraint| constraint.message.as_deref());
    let message =
        words.map_or(Message::NeedsAnswer.into(), |words| LocalizedText::Verbatim(words.to_owned()));
    Problem::new(ProblemCode::NeedsAnswer, message)
}

/// Returns the asker's message for a requirement.
fn asker_message(question: &Question, demand: &Requirement) -> Option<LocalizedText> {
    let has_words = |constraint: &&Constraint| constraint.requirements().any(|known| known == demand);
    let worded = question.constraints.iter().find(has_words);
    worded
        .and_then(|constraint| constraint.message.as_deref())
        .map(|words| LocalizedText::Verbatim(words.to_owned()))
}

/// Validates an answer that is submitted.
pub fn validate(
    question: &Question,
    rules: &Rules,
    answer: &Answer,
    steps: &mut StepBudget,
) -> ValidationReport {
    if is_blank(question, rules, answer) && !rules.unjudged {
        return ValidationReport {
            problems: vec![missing_answer_problem(question)],
            ..ValidationReport::default()
        };
    }
    validate_filled(question, rules, answer, steps)
}

/// Validates an answer that is not blank.
pub(crate) fn validate_filled(
    question: &Question,
    rules: &Rules,
    answer: &Answer,
    steps: &mut StepBudget,
) -> ValidationReport {
    let mut verdict = ValidationReport {
        problems: worded_kind_problems(question, rules, answer),
        pattern_not_checked: false,
    };
    if rules.unjudged {
        verdict.problems.retain(|problem| problem.code == ProblemCode::TooLarge);
    }
    if !verdict.problems.is_empty() || rules.unjudged {
        return verdict;
    }
    for constraint in &question.constraints {
        for demand in constraint.requirements() {
            match check_requirement(demand, question, rules, answer, steps) {
                MatchResult::Yes => {}
                MatchResult::TooCostly => verdict.pattern_not_checked = true,
                MatchResult::No => {
                    verdict.problems.push(unmet_problem(demand, constraint.message.as_deref()));
                    return verdict;
                }
            }
        }
    }
    verdict
}

/// Returns the problems of an answer that does not fit its kind, in the asker's words if it has some.
#[inline]
pub(crate) fn worded_kind_problems(question: &Question, rules: &Rules, answer: &Answer) -> Vec<Problem> {
    let problems = kind_problems(question, rules, answer);
    match asker_message(question, &Requirement::MatchesKind) {
        Some(words) if !problems.is_empty() => with_asker_message(problems, &words),
        _ => problems,
    }
}

/// Replaces the messages by the asker's, of which one is enough. The problem of a too large answer keeps its own
/// message.
#[cold]
fn with_asker_message(problems: Vec<Problem>, words: &LocalizedText) -> Vec<Problem> {
    let (mut kept, mut others): (Vec<_>, Vec<_>) =
        problems.into_iter().partition(|problem| problem.code == ProblemCode::TooLarge);
    others.truncate(1);
    kept.extend(others.into_iter().map(|problem| Problem { message: words.clone(), ..problem }));
    kept
}

/// Returns the bound hit when stepping an answer up or down, in the asker's words if it has some.
pub(crate) fn bound_hit(question: &Question, rules: &Rules, answer: &Answer, grows: bool) -> Option<Problem> {
    let is_in_the_way = |demand: &&Requirement| {
        let bounds = match demand {
            Requirement::Max(_) | Requirement::MaxPicks(_) => grows,
            Requirement::Min(_) => !grows,
            _ => false,
        };
        bounds
            && matches!(
                check_requirement(demand, question, rules, answer, &mut StepBudget::default()),
                MatchResult::No
            )
    };
    question.constraints.iter().find_map(|constraint| {
        let demand = constraint.requirements().find(is_in_the_way)?;
        Some(unmet_problem(demand, constraint.message.as_deref()))
    })
}

fn unmet_problem(demand: &Requirement, message: Option<&str>) -> Problem {
    let code = match demand {
        Requirement::Answered => ProblemCode::NeedsAnswer,
        Requirement::MatchesKind => ProblemCode::InvalidType,
        Requirement::MinPicks(_) | Requirement::MinLength(_) | Requirement::Min(_) => ProblemCode::TooSmall,
        Requirement::MaxPicks(_) | Requirement::MaxLength(_) | Requirement::Max(_) => ProblemCode::TooBig,
        Requirement::Pattern(_) => ProblemCode::PatternUnmet,
        Requirement::MultipleOf(_) => ProblemCode::InvalidValue,
    };
    let words =
        message.map_or_else(|| demand.default_message(), |words| LocalizedText::Verbatim(words.to_owned()));
    Problem::new(code, words)
}

/// Checks a requirement. One that does not apply to such answers is met.
fn check_requirement(
    demand: &Requirement,
    question: &Question,
    rules: &Rules,
    answer: &Answer,
    steps: &mut StepBudget,
) -> MatchResult {
    let is_met = match (demand, answer) {
        (Requirement::MinPicks(least), Answer::Picks(picks)) => picks.len() >= *least as usize,
        (Requirement::MaxPicks(most), Answer::Picks(picks)) => picks.len() <= *most as usize,
        (Requirement::MinLength(least), Answer::Text(text)) => length(rules, text) >= *least as usize,
        (Requirement::MaxLength(most), Answer::Text(text)) => length(rules, text) <= *most as usize,
        (Requirement::Pattern(pattern), Answer::Text(text)) => {
            return pattern.matches(rules.trimmed(text), steps);
        }
        (Requirement::Min(least), answer) => {
            least.compare_answer(&question.kind, answer).is_none_or(Ordering::is_ge)
        }
        (Requirement::Max(most), answer) => {
            most.compare_answer(&question.kind, answer).is_none_or(Ordering::is_le)
        }
        (Requirement::MultipleOf(step), Answer::Number(number)) => number.is_multiple_of(*step),
        _ => true,
    };
    if is_met { MatchResult::Yes } else { MatchResult::No }
}

fn length(rules: &Rules, text: &str) -> usize {
    rules.length_unit.count(rules.trimmed(text))
}

/// Returns the problems of an answer for this kind of question, without the asker's constraints.
#[inline]
pub(crate) fn kind_problems(question: &Question, rules: &Rules, answer: &Answer) -> Vec<Problem> {
    let wrong = || vec![Problem::new(ProblemCode::InvalidType, expected_answer(&question.kind))];
    if !is_of_kind(&question.kind, rules, answer) {
        return wrong();
    }
    match (&question.kind, answer) {
        (QuestionKind::Choice(choice), Answer::Picks(picks)) => match picks.as_slice() {
            // Most answers are one option, which needs no further check.
            [Pick::Option(id)] if choice.option(id).is_some() => Vec::new(),
            picks => pick_problems(choice, rules, picks),
        },
        (_, Answer::Text(text)) => text_problem(text).map_or_else(Vec::new, |problem| vec![problem]),
        (QuestionKind::Rating(rating), Answer::Rating(step)) if !(rating.min..=rating.max).contains(step) => {
            wrong()
        }
        _ => Vec::new(),
    }
}

/// Returns true if an answer has this kind, valid or not.
pub(crate) const fn is_of_kind(kind: &QuestionKind, rules: &Rules, answer: &Answer) -> bool {
    match (kind, answer) {
        (kind, Answer::Text(_)) if kind.is_date_or_time() => rules.loose_dates,
        (QuestionKind::Choice(_), Answer::Picks(_))
        | (QuestionKind::Text(_), Answer::Text(_))
        | (QuestionKind::Confirm(_), Answer::Confirm(_))
        | (QuestionKind::Rating(_), Answer::Rating(_))
        | (QuestionKind::Number(_), Answer::Number(_))
        | (QuestionKind::Date, Answer::Date(_))
        | (QuestionKind::Time, Answer::Time(_))
        | (QuestionKind::Datetime, Answer::Datetime(_)) => true,
        _ => false,
    }
}

/// Describes the answers that a kind of question expects.
pub fn expected_answer(kind: &QuestionKind) -> LocalizedText {
    match kind {
        QuestionKind::Choice(_) => Message::WantsPicks.into(),
        QuestionKind::Text(_) => Message::WantsText.into(),
        QuestionKind::Confirm(_) => Message::WantsConfirm.into(),
        QuestionKind::Rating(rating) => expected_rating(rating),
        QuestionKind::Number(_) => Message::WantsNumber.into(),
        QuestionKind::Date => Message::WantsDate.into(),
        QuestionKind::Time => Message::WantsTime.into(),
        QuestionKind::Datetime => Message::WantsDatetime.into(),
    }
}

fn expected_rating(rating: &RatingQuestion) -> LocalizedText {
    Message::WantsRating.with([rating.min, rating.max])
}

fn text_problem(text: &str) -> Option<Problem> {
    (text.len() > limits::TEXT_ANSWER_BYTES).then(|| {
        Problem::new(
            ProblemCode::TooLarge,
            Message::TextTooLong.with([text.len(), limits::TEXT_ANSWER_BYTES]),
        )
    })
}

/// Returns the problem of a note.
pub fn note_problem(note: Option<&str>) -> Option<Problem> {
    let bytes = note.map_or(0, str::len);
    (bytes > limits::TEXT_ANSWER_BYTES).then(|| {
        Problem::new(ProblemCode::TooLarge, Message::NoteTooLong.with([bytes, limits::TEXT_ANSWER_BYTES]))
    })
}

fn pick_problems(choice: &ChoiceQuestion, rules: &Rules, picks: &[Pick]) -> Vec<Problem> {
    let mut problems = Vec::new();
    if picks.len() > 1 && !choice.multi && !rules.loose_single {
        problems.push(Problem::new(ProblemCode::TooBig, Message::OnlyOnePick));
    }
    // Beyond this it is no choice any more, whatever the picks are.
    if picks.len() > choice.options.len().max(limits::OPTIONS) + 1 {
        return vec![Problem::new(ProblemCode::TooBig, Message::TooManyPicks.with([picks.len()]))];
    }
    let options: HashSet<_> = choice.options.iter().map(|option| &option.id).collect();
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
            Pick::Other(_) if !choice.other => {
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
            Pick::Other(text) => problems.extend(text_problem(text)),
        }
        others += usize::from(matches!(pick, Pick::Other(_)));
    }
    problems
}

fn is_blank_other(rules: &Rules, text: &str) -> bool {
    !rules.empty_other && rules.is_blank(text)
}
