//! Messages of the spec's tool, letter for letter: programs compare them, so they are never reworded.
//!
//! First those for a request, then those for a value in a response, then those of the tool and of its transport. Those
//! of its Zod schema are in `lenient::wording`. Where the spec is silent, ours follow its style.

use super::wire::FieldType;
use crate::javascript;
use serde_json::Number;

// Requests.

/// Message for a request that is not an object.
pub(super) const ARGUMENTS_NOT_OBJECT: &str = "Arguments must be an object";
/// Message for a request without a schema.
pub(super) const SCHEMA_REQUIRED: &str = "schema is required and must be an object";
/// Message for a schema with fields and sections, or with neither.
pub(super) const INVALID_INPUT: &str = "Invalid input";
/// Message for a negative length.
pub(super) const NEGATIVE_LENGTH: &str = "Number must be greater than or equal to 0";
/// Message for a time limit that is no positive number.
pub(super) const TIME_LIMIT_NOT_POSITIVE: &str = "timeoutMs must be a positive number";
/// Message for a time limit below a millisecond.
pub(super) const TIME_LIMIT_BELOW: &str = "timeoutMs must be at least 1";
/// Message for a mode that does not exist.
pub(super) const NO_SUCH_MODE: &str = "mode must be \"sync\" or \"async\"";
/// Message for an effect of the time limit that does not exist.
pub(super) const NO_SUCH_EFFECT: &str = "onTimeout must be \"error\", \"async\", or \"cancel\"";
/// Message for another type of request.
pub(super) const NOT_INPUT: &str = "type must be \"input\"";
/// Message for a presentation that does not exist.
pub(super) const NO_SUCH_PRESENTATION: &str = "presentation must be \"tool\" or \"questionnaire\"";
pub(super) const PROMPT_NOT_TEXT: &str = "prompt must be a string";
pub(super) const VALIDATE_NOT_BOOLEAN: &str = "validate must be a boolean";
pub(super) const STRICT_NOT_BOOLEAN: &str = "strict must be a boolean";
pub(super) const REQUIRE_CLIENT_NOT_BOOLEAN: &str = "require_client must be a boolean";
pub(super) const ERROR_SUMMARY_NOT_TEXT: &str = "errorSummary must be a string";
pub(super) const VIEW_NOT_OBJECT: &str = "completedView must be an object";
pub(super) const SHOW_INPUTS_NOT_BOOLEAN: &str = "completedView.showInputs must be a boolean";
pub(super) const TEMPLATE_NOT_TEXT: &str = "completedView.summaryTemplate must be a string";
/// Message for errors of fields that are no texts.
pub(super) const FIELD_ERRORS_NOT_TEXTS: &str = "fieldErrors must be an object of strings";

/// Returns the message for a time limit above this.
pub(super) fn time_limit_above(most: i64) -> String {
    format!("timeoutMs must be at most {most}")
}

/// Returns the message for issues of the schema.
pub(super) fn schema_invalid(issues: &str) -> String {
    format!("schema is invalid: {issues}")
}

/// Returns the message for a second field with this id.
pub(super) fn duplicate_id(id: &str) -> String {
    format!("Duplicate field id: {id}")
}

/// Returns the message for a field of choices without options.
pub(super) fn options_missing(id: &str) -> String {
    format!("Field \"{id}\" requires options")
}

/// Returns the message for a pattern that does not compile.
pub(super) fn invalid_pattern(id: &str) -> String {
    format!("Invalid pattern for field \"{id}\"")
}

/// Returns the message for a value of another type.
pub(super) fn wrong_type(expected: &str, found: &str) -> String {
    format!("Expected {expected}, received {found}")
}

// Values in a response.

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

// The tool.

/// Summary above a form whose answers were rejected.
pub(super) const ERROR_SUMMARY: &str = "Please correct the highlighted fields.";
/// Message for a request that expired.
pub(super) const TIMED_OUT: &str = "Interaction timed out";
/// Message for a form that was approved or denied instead of submitted.
pub(super) const UNEXPECTED_ACTION: &str = "Unexpected response action";
/// Message for a question that the asker cancelled.
pub(super) const ABORTED: &str = "Tool execution aborted";
/// Message for a response that matches no question.
pub(super) const NOT_FOUND: &str = "Interaction response did not match a pending request";
/// Message for an input request that no client can show.
pub(super) const NO_CLIENT_FOR_INPUT: &str =
    "Input required but no interactive client is available to respond. Ask the user in chat.";
/// Message for an approval request that no client can show.
pub(super) const NO_CLIENT_FOR_APPROVAL: &str =
    "Approval required but no interactive client is available to respond.";

// The transport.

/// Message for a frame that is not JSON.
pub(super) const FRAME_NOT_JSON: &str = "Client message was not valid JSON";
/// Message for a frame of another shape.
pub(super) const FRAME_INVALID: &str = "Client message validation failed";
/// Message for a second hello.
pub(super) const SECOND_HELLO: &str = "hello has already been received";
/// Message for another frame before the hello.
pub(super) const HELLO_FIRST: &str = "The first message must be hello";
/// Message for a response of a client whose interactive mode is off.
pub(super) const INTERACTION_DISABLED: &str = "Interactive mode disabled — enable to respond";

/// Returns the message for an unsupported version of the protocol.
pub(super) fn unsupported_version(version: u64) -> String {
    format!("Unsupported protocol version: {version}")
}
