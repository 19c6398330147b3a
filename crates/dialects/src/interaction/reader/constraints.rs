//! Constraints on answers to a field, with the spec's messages.

use crate::interaction::messages;
use crate::interaction::wire::{FieldType, QuestionnaireField, exact_number};
use sayso_core::{ComparisonValue, Constraint, Number, Requirement};
use std::borrow::Cow;

/// Returns the constraints on answers to a field, in reverse order of the spec's checks: there a later check overwrites
/// the message of an earlier one.
pub(super) fn field_constraints(field: &mut QuestionnaireField) -> Vec<Constraint> {
    let mut constraints = Vec::new();
    if field.required == Some(true) {
        constraints.push(constraint(Requirement::Answered, messages::REQUIRED));
    }
    constraints.push(constraint(Requirement::MatchesKind, messages::type_mismatch(field.kind)));
    if field.kind.is_text() {
        if let Some(pattern) = field.pattern.take()
            && !pattern.source().is_empty()
        {
            constraints.push(constraint(Requirement::Pattern(pattern), messages::INVALID_FORMAT));
        }
        // A limit that does not fit the type is never exceeded.
        if let Some(most) = field.max_length
            && let Ok(length) = u32::try_from(most)
        {
            constraints.push(constraint(Requirement::MaxLength(length), messages::max_length(most)));
        }
        if let Some(least) = field.min_length {
            let length = u32::try_from(least).unwrap_or(u32::MAX);
            constraints.push(constraint(Requirement::MinLength(length), messages::min_length(least)));
        }
    }
    if field.kind == FieldType::Number {
        if let Some(max) = &field.max
            && let Some(bound) = nearest_bound(max, true)
        {
            let demand = Requirement::Max(ComparisonValue::Number(bound));
            constraints.push(constraint(demand, messages::max(max)));
        }
        if let Some(min) = &field.min
            && let Some(bound) = nearest_bound(min, false)
        {
            let demand = Requirement::Min(ComparisonValue::Number(bound));
            constraints.push(constraint(demand, messages::min(min)));
        }
    }
    constraints
}

fn constraint(demand: Requirement, words: impl Into<Cow<'static, str>>) -> Constraint {
    Constraint::new(demand, Some(words.into()))
}

/// Largest number that can be represented.
const LARGEST_NUMBER: &str = "79228162514264337593543950335";

/// Returns a bound: the number itself, or the nearest one that can be represented. `None` if every number is within it.
fn nearest_bound(bound: &serde_json::Number, is_most: bool) -> Option<Number> {
    if let Some(exact) = exact_number(bound) {
        return Some(exact);
    }
    let float = bound.as_f64()?;
    if float.abs() < 1.0 {
        return Number::parse(&format!("{float:.28}"));
    }
    let is_every_number_within = is_most == (float > 0.0);
    if is_every_number_within {
        return None;
    }
    let sign = if is_most { "-" } else { "" };
    Number::parse(&format!("{sign}{LARGEST_NUMBER}"))
}
