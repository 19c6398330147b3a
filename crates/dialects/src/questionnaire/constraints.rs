//! Constraints (the spec's `Constraint`): reading them in their order, and writing them.

use super::MAX_SELECT_LEAST;
use super::shape::Rule;
use crate::judge::{Issue, Judge, Place};
use crate::loose::{List, Loose, type_name};
use crate::told::Told;
use sayso_core::constraint::{Constraint, Demand, LazyPattern};
use sayso_core::message::Message;
use sayso_core::{Choice, Code, Kind, Problem, Question, limits};
use serde::Serialize;
use serde_json::Value;

/// Most constraints of one question; one more is reserved for its own `maxSelect`.
pub(super) const MOST: usize = limits::CONSTRAINTS - 1;

/// Types of constraint, in the spec's order.
const TYPES: [&str; 6] = ["required", "minSelect", "maxSelect", "minLength", "maxLength", "pattern"];

/// Constraints of one question.
#[derive(Default)]
pub(super) struct Constraints {
    /// Constraints that can fail.
    pub(super) constraints: Vec<Constraint>,
    /// Index of each in the asker's list; `None` for the question's own `maxSelect`.
    pub(super) origins: Vec<Option<usize>>,
}

/// Reads the constraints of a question of this kind, and warns of those that never fail.
pub(super) fn read(
    judge: &mut Judge,
    warnings: &mut Told,
    list: Loose<List<Rule<'_>>>,
    kind: Option<&Kind>,
    place: Place<'_>,
) -> Constraints {
    let mut read = Constraints::default();
    if matches!(list, Loose::Missing) {
        return read;
    }
    let rules = judge.list(list, (0, MOST), place);
    for (index, rule) in rules.into_iter().enumerate() {
        let place = || place().then(index);
        let Some((constraint, beyond)) = constraint(judge, rule, &place) else { continue };
        let Some((kind, demand)) = kind.zip(constraint.demands().next()) else { continue };
        let is_applied = demand.suits(kind);
        if let Some(warning) = warning(kind, demand, beyond) {
            warnings.add(|| warning.at(if is_applied { place().then("value") } else { place() }));
        }
        // The asker's number could not be written back.
        let is_dropped = beyond.is_some() && matches!(demand, Demand::MaxPicks(_) | Demand::MaxLength(_));
        if is_applied && !is_dropped {
            read.push(constraint, Some(index));
        }
    }
    read
}

impl Constraints {
    fn push(&mut self, constraint: Constraint, origin: Option<usize>) {
        self.constraints.push(constraint);
        self.origins.push(origin);
    }

    /// Adds the question's own `maxSelect` in front, unless a constraint has a message for the same or a lower limit.
    pub(super) fn after(mut self, own: Option<u32>) -> Self {
        if let Some(most) = own.filter(|most| !is_worded(&self.constraints, *most)) {
            self.constraints.insert(0, Constraint::new(Demand::MaxPicks(most), None));
            self.origins.insert(0, None);
        }
        self
    }
}

/// Reads a constraint, and its number if that exceeds the supported range.
fn constraint(
    judge: &mut Judge,
    rule: Loose<Rule<'_>>,
    place: Place<'_>,
) -> Option<(Constraint, Option<i64>)> {
    let rule = judge.expect(rule, place)?;
    let kind = judge.expect(rule.kind, &|| place().then("type"));
    let mut beyond = None;
    let demand = kind.and_then(|kind| demand(judge, &kind, rule.value, &mut beyond, place));
    let message = judge.expect(rule.message, &|| place().then("message"))?;
    Some((Constraint::new(demand?, Some(message.into())), beyond))
}

fn demand(
    judge: &mut Judge,
    kind: &str,
    value: Loose<Value>,
    beyond: &mut Option<i64>,
    place: Place<'_>,
) -> Option<Demand> {
    let at = || place().then("value");
    let mut count = |value| {
        let number = positive(judge, value, &at)?;
        let count = u32::try_from(number).ok();
        *beyond = count.is_none().then_some(number);
        Some(count.unwrap_or(u32::MAX))
    };
    Some(match kind {
        "required" => Demand::Answered,
        "minSelect" => Demand::MinPicks(count(value)?),
        "maxSelect" => Demand::MaxPicks(count(value)?),
        "minLength" => Demand::MinLength(count(value)?),
        "maxLength" => Demand::MaxLength(count(value)?),
        "pattern" => {
            let source = match value {
                Loose::Value(Value::String(source)) => source,
                value => judge.expect::<String>(wrong(value), &at)?,
            };
            // Checked even if the pattern never applies and is never compiled.
            if source.chars().nth(limits::PATTERN_CHARS).is_some() {
                judge.note(Code::BadPattern, Message::PatternTooLong.with([limits::PATTERN_CHARS]), &at);
                return None;
            }
            Demand::Pattern(LazyPattern::new(source))
        }
        found => {
            judge.issue(&Issue::NoneOf { allowed: &TYPES, found }, &|| place().then("type"));
            return None;
        }
    })
}

/// Turns a value into the error of a wrong type.
fn wrong<T>(value: Loose<Value>) -> Loose<T> {
    match value {
        Loose::Value(value) => Loose::Wrong(type_name(&value)),
        Loose::Wrong(found) => Loose::Wrong(found),
        Loose::Missing => Loose::Missing,
    }
}

fn positive(judge: &mut Judge, value: Loose<Value>, place: Place<'_>) -> Option<i64> {
    let number = match value {
        Loose::Value(Value::Number(number)) => Loose::Value(number),
        value => {
            judge.expect::<serde_json::Number>(wrong(value), place);
            return None;
        }
    };
    at_least(judge, number, 1, place)
}

/// Reads a whole number with a lower bound.
pub(super) fn at_least(
    judge: &mut Judge,
    number: Loose<serde_json::Number>,
    least: u32,
    place: Place<'_>,
) -> Option<i64> {
    if matches!(number, Loose::Missing) {
        judge.issue(&Issue::Missing { expected: "number" }, place);
    }
    let whole = judge.whole(number, place)?;
    if whole < i64::from(least) {
        judge.note(Code::TooSmall, Message::AtLeast.with([least]), place);
        return None;
    }
    Some(whole)
}

/// Returns the warning about a demand on answers of this kind.
fn warning(kind: &Kind, demand: &Demand, beyond: Option<i64>) -> Option<Problem> {
    if !demand.suits(kind) {
        let said =
            Message::ConstraintDoesNotSuit.with([type_of(demand).unwrap_or_default(), type_name_of(kind)]);
        return Some(Problem::new(Code::BadConstraint, said));
    }
    if let Some(number) = beyond {
        let is_least = matches!(demand, Demand::MinPicks(_) | Demand::MinLength(_));
        let said = if is_least { Message::NeverThatLow } else { Message::NeverThatHigh };
        return Some(Problem::new(Code::BadConstraint, said.with([number])));
    }
    let Kind::Choice(choice) = kind else { return None };
    match demand {
        Demand::MaxPicks(most) => above_options(choice, i64::from(*most)),
        Demand::MinPicks(least) => {
            let most = if choice.multi { choice.offered() } else { 1 };
            (*least as usize > most)
                .then(|| Problem::new(Code::BadConstraint, Message::PicksUnreachable.with([most])))
        }
        _ => None,
    }
}

/// Returns the warning about a maximum that exceeds the number of options.
pub(super) fn above_options(choice: &Choice, most: i64) -> Option<Problem> {
    let options = choice.options.len();
    usize::try_from(most)
        .is_ok_and(|most| most > options)
        .then(|| Problem::new(Code::BadConstraint, Message::MaxNeverReached.with([options])))
}

/// Returns the spec's name of questions of this kind.
pub(super) fn type_name_of(kind: &Kind) -> &'static str {
    match kind {
        Kind::Choice(choice) if choice.multi => "multiSelect",
        Kind::Choice(_) => "select",
        kind => kind.name(),
    }
}

/// Returns the spec's name of a demand, if it has one.
fn type_of(demand: &Demand) -> Option<&'static str> {
    Some(match demand {
        Demand::Answered => "required",
        Demand::MinPicks(_) => "minSelect",
        Demand::MaxPicks(_) => "maxSelect",
        Demand::MinLength(_) => "minLength",
        Demand::MaxLength(_) => "maxLength",
        Demand::Pattern(_) => "pattern",
        Demand::Fits | Demand::Min(_) | Demand::Max(_) | Demand::MultipleOf(_) => return None,
    })
}

/// Constraint as it is written.
#[derive(Serialize)]
pub(super) struct Written {
    #[serde(rename = "type")]
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<Value>,
    pub(super) message: String,
}

/// Converts a demand to a constraint with this message, if the spec has one for such questions.
pub(super) fn written(question: &Question, demand: &Demand, message: String) -> Option<Written> {
    let kind = type_of(demand).filter(|_| demand.suits(&question.kind))?;
    let value = match demand {
        Demand::MinPicks(0) | Demand::MaxPicks(0) | Demand::MinLength(0) | Demand::MaxLength(0) => {
            return None;
        }
        Demand::MinPicks(count)
        | Demand::MaxPicks(count)
        | Demand::MinLength(count)
        | Demand::MaxLength(count) => Some(Value::from(*count)),
        Demand::Pattern(pattern) => Some(Value::from(pattern.source())),
        _ => None,
    };
    Some(Written { kind, value, message })
}

/// Returns the `maxSelect` of a multiple choice if it has an effect: `None` if it equals the number of all options
/// offered, or exceeds the supported range.
pub(super) fn demanded(choice: &Choice, most: i64) -> Option<u32> {
    u32::try_from(most).ok().filter(|most| *most as usize != choice.offered())
}

/// Returns whether a constraint has a message for this maximum of picks, or a lower one.
fn is_worded(constraints: &[Constraint], most: u32) -> bool {
    lowest(constraints).is_some_and(|lowest| lowest <= most)
}

/// Returns the lowest maximum of picks that a constraint has and the spec can express.
fn lowest(constraints: &[Constraint]) -> Option<u32> {
    let demands = constraints.iter().flat_map(Constraint::demands);
    let counts = demands.filter_map(|demand| match demand {
        Demand::MaxPicks(most) => Some(*most).filter(|most| *most > 0),
        _ => None,
    });
    counts.min()
}

/// Returns the `maxSelect` of a multiple choice, and whether it is the first of its constraints. If a constraint has a
/// message for it, it is as low as that constraint's.
pub(super) fn max_select(question: &Question, choice: &Choice) -> (u32, bool) {
    let offered = u32::try_from(choice.options.len()).unwrap_or(u32::MAX).saturating_add(1);
    let own = question.constraints.split_first().and_then(|(first, others)| {
        let (Some(Demand::MaxPicks(most)), 1) = (first.demands().next(), first.demands().count()) else {
            return None;
        };
        let is_said = *most >= MAX_SELECT_LEAST && *most != offered && !is_worded(others, *most);
        (is_said && first.message.is_none()).then_some(*most)
    });
    match own {
        Some(most) => (most, true),
        None => {
            let lowest = lowest(&question.constraints).unwrap_or(offered);
            (lowest.min(offered).max(MAX_SELECT_LEAST), false)
        }
    }
}
