//! Messages of the spec, letter for letter: scripts and models match on them, so they are never reworded.
//!
//! Those of its Zod schema are in `lenient::wording`. The last section has our own, for cases that the spec leaves out.

// Output format ("command output format").

/// Output for an empty own answer.
pub(super) const OTHER: &str = "Other";
/// Prefix of an own answer.
pub(super) const CUSTOM_PREFIX: &str = "Other (custom: ";
/// Suffix of an own answer.
pub(super) const CUSTOM_SUFFIX: &str = ")";
/// Separator of several answers.
pub(super) const SEPARATOR: &str = ", ";

// Screen (`renderQuestion`, `waitForCustomInput`).

/// Line of the own answer among the options.
pub(super) const CUSTOM_LINE: &str = "│  0. Other (custom input)";
/// Prompt for an own answer.
pub const CUSTOM_PROMPT: &str = "Enter your answer: ";
/// Prompt at a choice of one option.
pub(super) const HINT_ONE: &str = "Enter number or 0 for custom: ";
/// Prompt at a choice of several options.
pub(super) const HINT_SEVERAL: &str = "Enter numbers (e.g., 1,3) or 0 for custom: ";

// Errors ("error handling").

/// Output of `-h`, and second line of errors that show the usage.
pub const USAGE: &str = "Usage: AskUserQuestion '{\"questions\":[...]}'";
/// Prefix of each error.
pub(super) const ERROR_PREFIX: &str = "Error: ";
/// Error of a call without a request.
pub(super) const MISSING_PARAMETER: &str = "Missing JSON parameter";
/// Error of a request that is not JSON.
pub(super) const INVALID_JSON: &str = "Invalid JSON format";
/// First line of an error with issues of the schema.
pub(super) const VALIDATION_FAILED: &str = "Validation failed";
/// Message for input that ends, or is interrupted, in the middle of the questions.
pub const INTERRUPTED: &str = "Command execution interrupted.";

// Ours.

/// Returns the notice that the first option was taken for lack of valid input.
pub(super) fn first_taken(label: &str) -> String {
    format!("No valid choice: took 1. {label}")
}
