//! Constraints (the spec's `Constraint`), read in their order.

use super::reader::lenient_wire::QuestionnaireConstraintInput;
use crate::format::problem_list::ProblemList;
use crate::lenient::validator::{LazyPlace, RequestValidator};
use crate::lenient::wording::RequestIssue;
use crate::lenient::{Lenient, LenientList, type_name};
use sayso_core::Message;
use sayso_core::pattern::budget;
use sayso_core::{ChoiceQuestion, Problem, ProblemCode, QuestionKind, limits};
use sayso_core::{Constraint, LazyPattern, Requirement};
use serde_json::Value;

/// Most constraints of one question; one more is reserved for its own `maxSelect`.
pub(super) const MAX_CONSTRAINTS: usize = limits::CONSTRAINTS - 1;

/// Types of constraint, in the spec's order.
const CONSTRAINT_TYPES: [&str; 6] =
    ["required", "minSelect", "maxSelect", "minLength", "maxLength", "pattern"];

/// Constraints of one question.
#[derive(Default)]
pub(super) struct QuestionnaireConstraints {
    /// Constraints that can fail.
    pub(super) constraints: Vec<Constraint>,
    /// Index of each in the asker's list; `None` for the question's own `maxSelect`.
    pub(super) origins: Vec<Option<usize>>,
}

/// Reads the constraints of a question of this kind, and warns of those that never fail.
pub(super) fn read_constraints(
    judge: &mut RequestValidator,
    warnings: &mut ProblemList,
    list: Lenient<LenientList<QuestionnaireConstraintInput<'_>>>,
    kind: Option<&QuestionKind>,
    place: LazyPlace<'_>,
) -> QuestionnaireConstraints {
    let mut all = QuestionnaireConstraints::default();
    if matches!(list, Lenient::Missing) {
        return all;
    }
    let rules = judge.required_list(list, (0, MAX_CONSTRAINTS), place);
    for (index, rule) in rules.into_iter().enumerate() {
        let place = place.element(index);
        let Some((constraint, excess)) = read_constraint(judge, rule, place) else { continue };
        let (Some(kind), Some(demand)) = (kind, constraint.requirements().next()) else { continue };
        let is_applied = demand.applies_to(kind);
        if let Some(warning) = constraint_warning(kind, demand, excess) {
            warnings.add(|| warning.at(if is_applied { place.member("value").path() } else { place.path() }));
        }
        // No answer reaches such a maximum.
        let is_dropped =
            excess.is_some() && matches!(demand, Requirement::MaxPicks(_) | Requirement::MaxLength(_));
        if is_applied && !is_dropped {
            all.push(constraint, Some(index));
        }
    }
    all
}

impl QuestionnaireConstraints {
    fn push(&mut self, constraint: Constraint, origin: Option<usize>) {
        self.constraints.push(constraint);
        self.origins.push(origin);
    }

    /// Adds the question's own `maxSelect` in front, unless a constraint has a message for the same or a lower limit.
    pub(super) fn with_max_select(mut self, own: Option<u32>) -> Self {
        if let Some(most) = own
            && !has_message_for(&self.constraints, most)
        {
            self.constraints.insert(0, Constraint::new(Requirement::MaxPicks(most), None));
            self.origins.insert(0, None);
        }
        self
    }
}

/// Reads a constraint, and its number if that exceeds the supported range.
fn read_constraint(
    judge: &mut RequestValidator,
    rule: Lenient<QuestionnaireConstraintInput<'_>>,
    place: LazyPlace<'_>,
) -> Option<(Constraint, Option<i64>)> {
    let rule = judge.required(rule, place)?;
    let kind = judge.required(rule.kind, place.member("type"));
    let mut excess = None;
    let demand = match kind {
        Some(kind) => read_demand(judge, &kind, rule.value, &mut excess, place),
        None => None,
    };
    let message = judge.required(rule.message, place.member("message"))?;
    Some((Constraint::new(demand?, Some(message.into())), excess))
}

fn read_demand(
    judge: &mut RequestValidator,
    kind: &str,
    value: Lenient<Value>,
    excess: &mut Option<i64>,
    place: LazyPlace<'_>,
) -> Option<Requirement> {
    let value_place = place.member("value");
    Some(match kind {
        "required" => Requirement::Answered,
        "minSelect" => Requirement::MinPicks(read_count(judge, value, excess, value_place)?),
        "maxSelect" => Requirement::MaxPicks(read_count(judge, value, excess, value_place)?),
        "minLength" => Requirement::MinLength(read_count(judge, value, excess, value_place)?),
        "maxLength" => Requirement::MaxLength(read_count(judge, value, excess, value_place)?),
        "pattern" => {
            let source = match value {
                Lenient::Value(Value::String(source)) => source,
                value => judge.required::<String>(as_wrong_type(value), value_place)?,
            };
            // Checked even if the pattern never applies and is never compiled.
            if source.chars().nth(budget::PATTERN_CHARS).is_some() {
                judge.report(
                    ProblemCode::BadPattern,
                    Message::PatternTooLong.with([budget::PATTERN_CHARS]),
                    value_place,
                );
                return None;
            }
            Requirement::Pattern(LazyPattern::new(source))
        }
        found => {
            judge.report_issue(
                &RequestIssue::NoneOf { allowed: &CONSTRAINT_TYPES, found },
                place.member("type"),
            );
            return None;
        }
    })
}

/// Reads a count of at least 1. A number above the range of the type becomes its largest, and is the excess.
fn read_count(
    judge: &mut RequestValidator,
    value: Lenient<Value>,
    excess: &mut Option<i64>,
    place: LazyPlace<'_>,
) -> Option<u32> {
    let number = read_positive(judge, value, place)?;
    let count = u32::try_from(number);
    *excess = if count.is_err() { Some(number) } else { None };
    Some(count.unwrap_or(u32::MAX))
}

/// Turns a value into the error of a wrong type.
fn as_wrong_type<T>(value: Lenient<Value>) -> Lenient<T> {
    match value {
        Lenient::Value(value) => Lenient::WrongType(type_name(&value)),
        Lenient::WrongType(found) => Lenient::WrongType(found),
        Lenient::Missing => Lenient::Missing,
    }
}

fn read_positive(judge: &mut RequestValidator, value: Lenient<Value>, place: LazyPlace<'_>) -> Option<i64> {
    let number = match value {
        Lenient::Value(Value::Number(number)) => Lenient::Value(number),
        value => {
            judge.required::<serde_json::Number>(as_wrong_type(value), place);
            return None;
        }
    };
    read_at_least(judge, number, 1, place)
}

/// Reads a whole number with a lower bound.
pub(super) fn read_at_least(
    judge: &mut RequestValidator,
    number: Lenient<serde_json::Number>,
    least: u32,
    place: LazyPlace<'_>,
) -> Option<i64> {
    if matches!(number, Lenient::Missing) {
        judge.report_issue(&RequestIssue::Missing { expected: "number" }, place);
    }
    let whole = judge.optional_integer(number, place)?;
    if whole < i64::from(least) {
        judge.report(ProblemCode::TooSmall, Message::AtLeast.with([least]), place);
        return None;
    }
    Some(whole)
}

/// Returns the warning about a demand on answers of this kind.
fn constraint_warning(kind: &QuestionKind, demand: &Requirement, excess: Option<i64>) -> Option<Problem> {
    if !demand.applies_to(kind) {
        let message = Message::ConstraintDoesNotSuit
            .with([constraint_type(demand).unwrap_or_default(), question_type(kind)]);
        return Some(Problem::new(ProblemCode::BadConstraint, message));
    }
    if let Some(number) = excess {
        let is_least = matches!(demand, Requirement::MinPicks(_) | Requirement::MinLength(_));
        let message = if is_least { Message::NeverThatLow } else { Message::NeverThatHigh };
        return Some(Problem::new(ProblemCode::BadConstraint, message.with([number])));
    }
    let choice = kind.choice()?;
    match demand {
        Requirement::MaxPicks(most) => above_options_warning(choice, i64::from(*most)),
        Requirement::MinPicks(least) => {
            let most = if choice.multi { choice.item_count() } else { 1 };
            if *least as usize <= most {
                return None;
            }
            Some(Problem::new(ProblemCode::BadConstraint, Message::PicksUnreachable.with([most])))
        }
        _ => None,
    }
}

/// Returns the warning about a maximum that exceeds the number of options.
pub(super) fn above_options_warning(choice: &ChoiceQuestion, most: i64) -> Option<Problem> {
    let options = choice.options.len();
    if usize::try_from(most).ok()? <= options {
        return None;
    }
    Some(Problem::new(ProblemCode::BadConstraint, Message::MaxNeverReached.with([options])))
}

/// Returns the spec's name of questions of this kind.
pub(super) fn question_type(kind: &QuestionKind) -> &'static str {
    match kind.choice() {
        Some(choice) if choice.multi => "multiSelect",
        Some(_) => "select",
        None => kind.name(),
    }
}

/// Returns the spec's name of a demand, if it has one.
fn constraint_type(demand: &Requirement) -> Option<&'static str> {
    Some(match demand {
        Requirement::Answered => "required",
        Requirement::MinPicks(_) => "minSelect",
        Requirement::MaxPicks(_) => "maxSelect",
        Requirement::MinLength(_) => "minLength",
        Requirement::MaxLength(_) => "maxLength",
        Requirement::Pattern(_) => "pattern",
        Requirement::MatchesKind | Requirement::Min(_) | Requirement::Max(_) | Requirement::MultipleOf(_) => {
            return None;
        }
    })
}

/// Returns the `maxSelect` of a multiple choice if it has an effect: `None` if it equals the number of all options
/// offered, or exceeds the supported range.
pub(super) fn effective_max_select(choice: &ChoiceQuestion, most: i64) -> Option<u32> {
    let most = u32::try_from(most).ok()?;
    if most as usize == choice.item_count() { None } else { Some(most) }
}

/// Returns whether a constraint has a message for this maximum of picks, or a lower one.
fn has_message_for(constraints: &[Constraint], most: u32) -> bool {
    lowest_max_picks(constraints).is_some_and(|lowest| lowest <= most)
}

/// Returns the lowest maximum of picks that a constraint has and the spec can express.
fn lowest_max_picks(constraints: &[Constraint]) -> Option<u32> {
    let mut lowest = None;
    for demand in constraints.iter().flat_map(Constraint::requirements) {
        if let Requirement::MaxPicks(most) = demand
            && *most > 0
        {
            lowest = Some(lowest.unwrap_or(*most).min(*most));
        }
    }
    lowest
}
