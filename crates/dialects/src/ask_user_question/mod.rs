//! The `AskUserQuestion` shell command: choices of two to four options, always with an own answer. Answers are keyed by
//! the short headers of the questions.
//!
//! `reader` and `refusal` hold the spec's input rules and error texts, `writer` and `answers` its output format.
//! `screen` is its terminal prompter, `manual` its help, `schema` its schemas, `route` the lookup by a shell.

mod answers;
mod manual;
mod read;
mod refuse;
mod request;
mod route;
mod schema;
mod screen;
mod write;

pub use answers::read_answers;
pub use manual::{USAGE, manual};
pub use read::{AskLimits, read};
pub use refuse::refuse;
pub use request::request;
pub use route::{NAME, Routed, json_argument, route};
pub(crate) use schema::published;
pub use screen::{CUSTOM_PROMPT, Heard, hear, no_valid_choice, screen};
pub use write::write;

/// Message for input that ends, or is interrupted, in the middle of the questions.
pub const INTERRUPTED: &str = "Command execution interrupted.";

/// Output for an empty own answer (the spec's output format).
const OTHER: &str = "Other";
/// Prefix of an own answer (the spec's output format).
const CUSTOM_BEFORE: &str = "Other (custom: ";
/// Suffix of an own answer.
const CUSTOM_AFTER: &str = ")";
/// Separator of several answers (the spec's output format).
const BETWEEN: &str = ", ";
