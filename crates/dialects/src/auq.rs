//! AUQ, the `ask_user_questions` tool: one to four questions of two to four options each, always with an own answer.
//! Answers are text for a model.
//!
//! `limits` has the generations, `wire` the spec's types, `reader` and `refusal` its requests. `answers`
//! and `answer_text` are its answers, `messages` the original's sentences, `writer` the output for an asker.
//! `schema` describes the tool to a model, and `fetch` is the tool that returns answers later. `command` has the
//! format's own commands, with its sessions and their history.

mod answer_text;
mod answers;
mod command;
mod fetch;
mod limits;
mod messages;
mod reader;
mod refusal;
mod schema;
mod wire;
mod writer;

pub use answer_text::format_answers;
pub use answers::{read_answers, validate_answers};
pub use command::{AuqAnswersRefusal, AuqSession, AuqSessionSummary, read_command_answers, write_command};
pub use fetch::{AuqFetchRequest, FETCH_TOOL, fetch_error, fetch_tool, pending_text, read_fetch};
pub use limits::{AuqCompat, AuqLimits};
pub use messages::{
    elaborate_request, own_note, rejection_text, rephrase_request, session_line, submitted_text,
};
pub use reader::{read, read_command, read_tool_call};
use refusal::tool_arguments_error;
pub use refusal::{arguments_error, refuse};
pub(crate) use schema::published;
pub use schema::tool;
pub use wire::{AskUserQuestionsParameters, OptionInput, QuestionInput, UserAnswer};
pub use writer::{fetch_answers_text, fetch_status_text, outcome_text, tool_result, write, write_pending};

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
