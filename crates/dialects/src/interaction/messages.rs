//! Messages of the spec, letter for letter.

use super::wire::FieldType;
use crate::javascript;
use serde_json::Number;

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
pub(super) const INVALID_FORMAT: &str = "Invalid format.";

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

/// Returns the message for a text longer than this.
pub(super) fn max_length(most: u64) -> String {
    format!("Must be at most {most} characters.")
}

/// Returns the message for a text shorter than this.
pub(super) fn min_length(least: u64) -> String {
    format!("Must be at least {least} characters.")
}

/// Returns the message for a number above this.
pub(super) fn max(most: &Number) -> String {
    format!("Must be at most {}.", javascript::number_to_string(most))
}

/// Returns the message for a number below this.
pub(super) fn min(least: &Number) -> String {
    format!("Must be at least {}.", javascript::number_to_string(least))
}
