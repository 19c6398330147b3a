//! Validation of an answer: its kind first, then the asker's constraints in their order.

use crate::i18n::{LocalizedText, Message};
use crate::kinds::text;
use crate::limits;
use crate::model::answer::Answer;
use crate::model::question::Question;
use crate::model::question::constraint::Requirement;
use crate::model::question::kind::QuestionKind;
use crate::model::validation_rules::Rules;
use crate::pattern::{MatchResult, StepBudget};
use crate::problem::{Problem, ProblemCode};
use std::cmp::Ordering;

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

/// Returns the problem of a question without its required answer, with the asker's message of the first constraint
/// that such an answer fails.
pub fn missing_answer_problem(question: &Question) -> Problem {
    for constraint in &question.constraints {
        if let Some(words) = &constraint.message
            && constraint.requirements().any(|demand| needs_answer(demand, &question.kind))
        {
            return Problem::new(
                ProblemCode::NeedsAnswer,
                LocalizedText::Verbatim(words.clone().into_owned()),
            );
        }
    }
    Problem::new(ProblemCode::NeedsAnswer, Message::NeedsAnswer)
}

/// Returns whether a question without an answer fails a requirement.
fn needs_answer(demand: &Requirement, kind: &QuestionKind) -> bool {
    match demand {
        Requirement::Answered => true,
        Requirement::MinPicks(least) | Requirement::MinLength(least) => *least > 0 && demand.applies_to(kind),
        _ => false,
    }
}

/// Returns the asker's message for a requirement.
fn asker_message(question: &Question, demand: &Requirement) -> Option<LocalizedText> {
    for constraint in &question.constraints {
        if constraint.requirements().any(|requirement| requirement == demand) {
            let words = constraint.message.as_deref()?;
            return Some(LocalizedText::Verbatim(words.to_owned()));
        }
    }
    None
}

/// Validates an answer that is submitted.
pub fn validate(
    question: &Question,
    rules: &Rules,
    answer: &Answer,
    steps: &mut StepBudget,
) -> ValidationReport {
    if answer.is_blank(question, rules) && !rules.unjudged {
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
    let mut report = ValidationReport {
        problems: worded_kind_problems(question, rules, answer),
        pattern_not_checked: false,
    };
    if rules.unjudged {
        report.problems.retain(|problem| problem.code == ProblemCode::TooLarge);
    }
    if !report.problems.is_empty() || rules.unjudged {
        return report;
    }
    for constraint in &question.constraints {
        for demand in constraint.requirements() {
            match check_requirement(demand, question, rules, answer, steps) {
                MatchResult::Yes => {}
                MatchResult::TooCostly => report.pattern_not_checked = true,
                MatchResult::No => {
                    report.problems.push(unmet_problem(demand, constraint.message.as_deref()));
                    return report;
                }
            }
        }
    }
    report
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
    let (mut reworded, others): (Vec<_>, Vec<_>) =
        problems.into_iter().partition(|problem| problem.code == ProblemCode::TooLarge);
    if let Some(first) = others.into_iter().next() {
        reworded.push(Problem { message: words.clone(), ..first });
    }
    reworded
}

/// Returns the bound hit when stepping an answer up or down, in the asker's words if it has some.
pub(crate) fn bound_hit(question: &Question, rules: &Rules, answer: &Answer, grows: bool) -> Option<Problem> {
    for constraint in &question.constraints {
        for demand in constraint.requirements() {
            let is_bound = match demand {
                Requirement::Max(_) | Requirement::MaxPicks(_) => grows,
                Requirement::Min(_) => !grows,
                _ => false,
            };
            let mut steps = StepBudget::default();
            if is_bound && check_requirement(demand, question, rules, answer, &mut steps) == MatchResult::No {
                return Some(unmet_problem(demand, constraint.message.as_deref()));
            }
        }
    }
    None
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
    let message = match message {
        Some(words) => LocalizedText::Verbatim(words.to_owned()),
        None => demand.default_message(),
    };
    Problem::new(code, message)
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
    let kind = question.kind.behavior();
    if !is_of_kind(&question.kind, rules, answer) {
        return vec![*kind.type_problem()];
    }
    match answer {
        Answer::Text(text) => text::length_problem(text).into_iter().collect(),
        answer => kind.answer_problems(rules, answer),
    }
}

/// Returns true if an answer has this kind, valid or not.
pub(crate) fn is_of_kind(kind: &QuestionKind, rules: &Rules, answer: &Answer) -> bool {
    let kind = kind.behavior();
    if matches!(answer, Answer::Text(_)) && kind.is_date_or_time() {
        return rules.loose_dates;
    }
    kind.accepts(answer)
}

/// Returns the problem of a note.
pub fn note_problem(note: Option<&str>) -> Option<Problem> {
    let bytes = note?.len();
    if bytes <= limits::TEXT_ANSWER_BYTES {
        return None;
    }
    let message = Message::NoteTooLong.with([bytes, limits::TEXT_ANSWER_BYTES]);
    Some(Problem::new(ProblemCode::TooLarge, message))
}
