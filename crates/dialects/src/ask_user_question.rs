//! The `AskUserQuestion` shell command: choices of two to four options, always with an own answer. Answers are keyed by
//! the short headers of the questions.
//!
//! `reader` and `refusal` hold the spec's input rules and error texts, `writer` and `answers` its output format.
//! `messages` has the spec's texts, `screen` is its terminal prompter, `manual` its help, `schema` its schemas, `route` the lookup by a shell.

mod answers;
mod manual;
mod messages;
mod reader;
mod refusal;
mod route;
mod schema;
mod screen;
mod writer;

pub use answers::read_answers;
pub use manual::manual;
pub use messages::{CUSTOM_PROMPT, INTERRUPTED, USAGE};
pub use reader::{AskUserQuestionLimits, read};
pub use refusal::refuse;
pub use route::{CommandRoute, NAME, json_argument, route};
pub(crate) use schema::published;
pub use screen::{AskUserQuestionChoice, default_choice_notice, parse_answer, render_question};
pub use writer::write;
