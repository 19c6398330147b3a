//! Messages that the spec prescribes, and the constraints that use them.

use super::wire::{FieldType, QuestionnaireField};
use crate::javascript;
use sayso_core::{ComparisonValue, Constraint, Number, Requirement};
use std::borrow::Cow;

/// Message for a request that is not an object.
pub(super) const ARGUMENTS_NOT_OBJECT: &str = "Arguments must be an object";
/// Message for a request without a schema.
pub(super) const SCHEMA_REQUIRED: &str = "schema is required and must be an object";
/// Summary above a form whose answers were rejected.
pub(super) const ERROR_SUMMARY: &str = "Please correct the highlighted fields.";
/// Message for a request that expired.
pub(super) const TIMED_OUT: &str = "Interaction timed out";
/// Message for a form that was approved or denied instead of submitted.
pub(super) const UNEXPECTED_ACTION: &str = "Unexpected response action";

pub(super) const REQUIRED: &str = "This field is required.";
pub(super) const INVALID_TEXT: &str = "Enter a valid text value.";
pub(super) const INVALID_NUMBER: &str = "Enter a valid number.";
pub(super) const INVALID_OPTION: &str = "Select a valid option.";
pub(super) const INVALID_OPTIONS: &str = "Select valid options.";
pub(super) const ONE_OR_MORE: &str = "Select one or more options.";
pub(super) const INVALID_DATE: &str = "Enter a valid date/time value.";
const INVALID_FORMAT: &str = "Invalid format.";

/// Returns the message for a value that does not have the field's type.
pub(super) const fn type_mismatch(kind: FieldType) -> &'static str {
    match kind {
        FieldType::Text | FieldType::Textarea => INVALID_TEXT,
        FieldType::Number => INVALID_NUMBER,
        FieldType::Boolean | FieldType::Checkbox | FieldType::Select | FieldType::Radio => INVALID_OPTION,
        FieldType::Multiselect => INVALID_OPTIONS,
        FieldType::Date | FieldType::Time | FieldType::Datetime => INVALID_DATE,
    }
}

/// Returns the constraints on answers to a field, in reverse order of the spec's checks: there a later check overwrites
/// the message of an earlier one.
pub(super) fn field_constraints(field: &mut QuestionnaireField) -> Vec<Constraint> {
    let fixed = |demand, words| Constraint::new(demand, Some(Cow::Borrowed(words)));
    let demand = |demand, words: String| Constraint::new(demand, Some(Cow::Owned(words)));
    let own = [field.pattern.is_some(), field.max_length.is_some(), field.min_length.is_some()];
    let own = own.into_iter().chain([field.max.is_some(), field.min.is_some()]);
    let mut constraints = Vec::with_capacity(IMPLIED_CONSTRAINTS + own.filter(|is_there| *is_there).count());
    if field.required == Some(true) {
        constraints.push(fixed(Requirement::Answered, REQUIRED));
    }
    constraints.push(fixed(Requirement::MatchesKind, type_mismatch(field.kind)));
    if field.kind.is_text() {
        let pattern = field.pattern.take().filter(|pattern| !pattern.source().is_empty());
        constraints.extend(pattern.map(|pattern| fixed(Requirement::Pattern(pattern), INVALID_FORMAT)));
        constraints.extend(field.max_length.and_then(|most| {
            // A limit that does not fit the type is never exceeded.
            let length = u32::try_from(most).ok()?;
            Some(demand(Requirement::MaxLength(length), format!("Must be at most {most} characters.")))
        }));
        constraints.extend(field.min_length.map(|least| {
            let length = u32::try_from(least).unwrap_or(u32::MAX);
            demand(Requirement::MinLength(length), format!("Must be at least {least} characters."))
        }));
    }
    if field.kind == FieldType::Number {
        constraints.extend(field.max.as_ref().and_then(|max| {
            let words = || format!("Must be at most {}.", javascript::number_to_string(max));
            Some(demand(Requirement::Max(ComparisonValue::Number(nearest_bound(max, true)?)), words()))
        }));
        constraints.extend(field.min.as_ref().and_then(|min| {
            let words = || format!("Must be at least {}.", javascript::number_to_string(min));
            Some(demand(Requirement::Min(ComparisonValue::Number(nearest_bound(min, false)?)), words()))
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
        Number::parse(&format!("{sign}{LARGEST_NUMBER}")).filter(|_| !is_within)
    })
}

/// Converts a JSON number of at most 28 digits.
pub(super) fn exact_number(number: &serde_json::Number) -> Option<Number> {
    number.as_i64().map(Number::from).or_else(|| Number::parse(&number.to_string()))
}
