//! The `AskUserQuestion` shell command: choices of two to four options, an own answer always offered, answers keyed by
//! the short headers of the questions.
//!
//! `read` and `refuse` hold the spec's input rules and error texts, `write` and `answers` its output format, `screen`
//! what its terminal prompter shows and hears, `manual` its help, `schema` its schemas, `route` how a shell finds it.

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

/// What is said when the input ends in the middle of the questions, or they are interrupted.
pub const INTERRUPTED: &str = "Command execution interrupted.";

/// How an own answer left empty is written (the spec's output format).
const OTHER: &str = "Other";
/// What stands before an own answer (the spec's output format).
const CUSTOM_BEFORE: &str = "Other (custom: ";
/// What stands after it.
const CUSTOM_AFTER: &str = ")";
/// What stands between several answers (the spec's output format).
const BETWEEN: &str = ", ";
