//! The `AskUserQuestion` shell command: choices of two to four options, always with an own answer. Answers are keyed by
//! the short headers of the questions.
//!
//! `reader` and `refusal` hold the spec's input rules and error texts, `writer` and `answers` its output format.
//! `screen` is its terminal prompter, `manual` its help, `schema` its schemas, `route` the lookup by a shell.

mod answers;
mod manual;
mod reader;
mod refusal;
mod route;
mod schema;
mod screen;
mod translation;
mod writer;

pub use answers::read_answers;
pub use manual::{USAGE, manual};
pub use reader::{AskUserQuestionLimits, read};
pub use refusal::refuse;
pub use route::{CommandRoute, NAME, json_argument, route};
pub(crate) use schema::published;
pub use screen::{
    AskUserQuestionChoice, CUSTOM_PROMPT, default_choice_notice, parse_answer, render_question,
};
pub use translation::write_request;
pub use writer::write;

/// Message for input that ends, or is interrupted, in the middle of the questions.
pub const INTERRUPTED: &str = "Command execution interrupted.";

/// Output for an empty own answer (the spec's output format).
const OTHER: &str = "Other";
/// Prefix of an own answer (the spec's output format).
const CUSTOM_PREFIX: &str = "Other (custom: ";
/// Suffix of an own answer.
const CUSTOM_SUFFIX: &str = ")";
/// Separator of several answers (the spec's output format).
const SEPARATOR: &str = ", ";
