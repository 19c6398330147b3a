//! Constraints on answers to a field, with the spec's messages.

use crate::interaction::messages;
use crate::interaction::wire::{FieldType, QuestionnaireField, exact_number};
use sayso_core::{ComparisonValue, Constraint, Number, Requirement};
use std::borrow::Cow;

/// Returns the constraints on answers to a field, in reverse order of the spec's checks: there a later check overwrites
/// the message of an earlier one.
pub(super) fn field_constraints(field: &mut QuestionnaireField) -> Vec<Constraint> {
    let fixed = |demand, words| Constraint::new(demand, Some(Cow::Borrowed(words)));
    let demand = |demand, words: String| Constraint::new(demand, Some(Cow::Owned(words)));
    let own = [field.pattern.is_some(), field.max_length.is_some(), field.min_length.is_some()];
    let own = own.into_iter().chain([field.max.is_some(), field.min.is_some()]);
    let mut constraints = Vec::with_capacity(IMPLIED_CONSTRAINTS + own.filter(|is_there| *is_there).count());
    if field.required == Some(true) {
        constraints.push(fixed(Requirement::Answered, messages::REQUIRED));
    }
    constraints.push(fixed(Requirement::MatchesKind, messages::type_mismatch(field.kind)));
    if field.kind.is_text() {
        let pattern = field.pattern.take().filter(|pattern| !pattern.source().is_empty());
        constraints
            .extend(pattern.map(|pattern| fixed(Requirement::Pattern(pattern), messages::INVALID_FORMAT)));
        constraints.extend(field.max_length.and_then(|most| {
            // A limit that does not fit the type is never exceeded.
            let length = u32::try_from(most).ok()?;
            Some(demand(Requirement::MaxLength(length), messages::max_length(most)))
        }));
        constraints.extend(field.min_length.map(|least| {
            let length = u32::try_from(least).unwrap_or(u32::MAX);
            demand(Requirement::MinLength(length), messages::min_length(least))
        }));
    }
    if field.kind == FieldType::Number {
        constraints.extend(field.max.as_ref().and_then(|max| {
            let bound = ComparisonValue::Number(nearest_bound(max, true)?);
            Some(demand(Requirement::Max(bound), messages::max(max)))
        }));
        constraints.extend(field.min.as_ref().and_then(|min| {
            let bound = ComparisonValue::Number(nearest_bound(min, false)?);
            Some(demand(Requirement::Min(bound), messages::min(min)))
        }));
    }
    constraints
}

/// Most constraints that a field has in addition to those of its own members.
const IMPLIED_CONSTRAINTS: usize = 2;

/// Largest number that can be represented.
const LARGEST_NUMBER: &str = "79228162514264337593543950335";

/// Returns a bound: the number itself, or the nearest one that can be represented. `None` if every number is within it.
fn nearest_bound(found: &serde_json::Number, is_most: bool) -> Option<Number> {
    exact_number(found).or_else(|| {
        let float = found.as_f64()?;
        if float.abs() < 1.0 {
            return Number::parse(&format!("{float:.28}"));
        }
        let sign = if is_most { "-" } else { "" };
        let is_within = is_most == (float > 0.0);
        if is_within { None } else { Number::parse(&format!("{sign}{LARGEST_NUMBER}")) }
    })
}
