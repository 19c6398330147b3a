//! AUQ, the `ask_user_questions` tool: one to four questions of two to four options each, always with an own answer.
//! Answers are text for a model.
//!
//! `limits` has the generations, `wire` the spec's types, `reader`, `refusal` and `translation` its requests. `answers`
//! and `answer_text` are its answers, `status_text` the sentences around them, `writer` the output for an asker.
//! `schema` describes the tool to a model, and `fetch` is the tool that returns answers later. `command`, `sessions`
//! and `history` are its own commands, `user_answers` the answers that they show.

mod answers;
mod command;
mod fetch;
mod history;
mod limits;
mod read;
mod read_back;
mod refuse;
mod request;
mod schema;
mod sessions;
mod status;
mod text;
mod wire;
mod write;

pub use answers::{read_answers, validate_answers};
pub use command::{Refused, read_command_answers, write_command};
pub use fetch::{FETCH_TOOL, Fetch, fetch_error, fetch_tool, read_fetch, unanswered};
pub use limits::{AuqLimits, Compat};
pub use read::{read, read_command};
use refuse::arguments_error_of;
pub use refuse::{arguments_error, refuse};
pub use request::request;
pub(crate) use schema::published;
pub use schema::tool;
pub use sessions::{Session, SessionRow};
pub use status::{elaborate_request, own_note, rejection, rephrase_request, session_line, submitted};
pub use text::format_answers;
pub use wire::{AskUserQuestionsParameters, OptionInput, QuestionInput, UserAnswer};
pub use write::{outcome_text, pending, status, tool_result, write};

/// The spec's `OptionSchema`.
pub type OptionSchema = OptionInput;
/// The spec's `QuestionSchema`, of which `QuestionInput` is the type.
pub type QuestionSchema = QuestionInput;
/// The spec's `QuestionsSchema`.
pub type QuestionsSchema = Vec<QuestionInput>;
/// The spec's `AskUserQuestionsParametersSchema`.
pub type AskUserQuestionsParametersSchema = AskUserQuestionsParameters;

/// The name of the tool.
pub const TOOL: &str = "ask_user_questions";

/// The fewest options of a question (the spec's "options array bounds").
const OPTIONS_MIN: usize = 2;
