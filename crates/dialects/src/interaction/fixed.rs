//! The words that the spec prescribes, and the constraints that have them.

use super::wire::{FieldType, QuestionnaireField};
use crate::javascript;
use sayso_core::{Constraint, Demand, Number, Value};
use std::borrow::Cow;

/// A request that is no object.
pub(super) const ARGUMENTS: &str = "Arguments must be an object";
/// A request without a schema.
pub(super) const SCHEMA: &str = "schema is required and must be an object";
/// What stands over a form that did not suffice.
pub(super) const ERROR_SUMMARY: &str = "Please correct the highlighted fields.";
/// Nobody answered in time.
pub(super) const TIMED_OUT: &str = "Interaction timed out";
/// A form was agreed to or refused instead of being sent.
pub(super) const UNEXPECTED: &str = "Unexpected response action";

pub(super) const REQUIRED: &str = "This field is required.";
pub(super) const TEXT: &str = "Enter a valid text value.";
pub(super) const NUMBER: &str = "Enter a valid number.";
pub(super) const OPTION: &str = "Select a valid option.";
pub(super) const OPTIONS: &str = "Select valid options.";
pub(super) const ONE_OR_MORE: &str = "Select one or more options.";
pub(super) const DATE: &str = "Enter a valid date/time value.";
const FORMAT: &str = "Invalid format.";

/// The words for a value that is none of the field's type.
pub(super) const fn misfit(kind: FieldType) -> &'static str {
    match kind {
        FieldType::Text | FieldType::Textarea => TEXT,
        FieldType::Number => NUMBER,
        FieldType::Boolean | FieldType::Checkbox | FieldType::Select | FieldType::Radio => OPTION,
        FieldType::Multiselect => OPTIONS,
        FieldType::Date | FieldType::Time | FieldType::Datetime => DATE,
    }
}

/// What answers to a field must be like. A later check of the spec's overwrites what an earlier one said, so the last
/// one stands first here.
pub(super) fn constraints(field: &mut QuestionnaireField) -> Vec<Constraint> {
    let fixed = |demand, words| Constraint::new(demand, Some(Cow::Borrowed(words)));
    let demand = |demand, words: String| Constraint::new(demand, Some(Cow::Owned(words)));
    let own = [field.pattern.is_some(), field.max_length.is_some(), field.min_length.is_some()];
    let own = own.into_iter().chain([field.max.is_some(), field.min.is_some()]);
    let mut constraints = Vec::with_capacity(FIXED + own.filter(|is_there| *is_there).count());
    if field.required == Some(true) {
        constraints.push(fixed(Demand::Answered, REQUIRED));
    }
    constraints.push(fixed(Demand::Fits, misfit(field.kind)));
    if field.kind.is_text() {
        let pattern = field.pattern.take().filter(|pattern| !pattern.source().is_empty());
        constraints.extend(pattern.map(|pattern| fixed(Demand::Pattern(pattern), FORMAT)));
        constraints.extend(field.max_length.and_then(|most| {
            // No answer is longer than what does not fit.
            let length = u32::try_from(most).ok()?;
            Some(demand(Demand::MaxLength(length), format!("Must be at most {most} characters.")))
        }));
        constraints.extend(field.min_length.map(|least| {
            let length = u32::try_from(least).unwrap_or(u32::MAX);
            demand(Demand::MinLength(length), format!("Must be at least {least} characters."))
        }));
    }
    if field.kind == FieldType::Number {
        constraints.extend(field.max.as_ref().and_then(|max| {
            let words = || format!("Must be at most {}.", javascript::number(max));
            Some(demand(Demand::Max(Value::Number(bound(max, true)?)), words()))
        }));
        constraints.extend(field.min.as_ref().and_then(|min| {
            let words = || format!("Must be at least {}.", javascript::number(min));
            Some(demand(Demand::Min(Value::Number(bound(min, false)?)), words()))
        }));
    }
    constraints
}

/// So many, at most, that a field has beside those of its own members.
const FIXED: usize = 2;

/// The largest number there is.
const LARGEST: &str = "79228162514264337593543950335";

/// A bound: the number itself, or the nearest there is. Nothing where every number is within it.
fn bound(found: &serde_json::Number, is_most: bool) -> Option<Number> {
    number(found).or_else(|| {
        let float = found.as_f64()?;
        if float.abs() < 1.0 {
            return Number::parse(&format!("{float:.28}"));
        }
        let sign = if is_most { "-" } else { "" };
        let is_within = is_most == (float > 0.0);
        Number::parse(&format!("{sign}{LARGEST}")).filter(|_| !is_within)
    })
}

/// A number of JSON, where it has at most 28 digits.
pub(super) fn number(number: &serde_json::Number) -> Option<Number> {
    number.as_i64().map(Number::from).or_else(|| Number::parse(&number.to_string()))
}
