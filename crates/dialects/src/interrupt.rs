//! Interrupts: a thread stops for a decision or for answers, and is resumed with an action or with a list of strings.
//!
//! `reader` reads the three forms of a request. `approval` is the question for an interrupt without questions, `actions`
//! the tool calls as actions, and `extensions` what only this format has. `translation` is the way back, with its
//! `losses`, and `translation/typed_answer` for questions of other kinds; `interrupt_data` the data for an agent's calls. `resume` is a client's decision, `chat` its message, and
//! `json_errors` the errors for a body that is not JSON. `writer` and `event` produce what the asker and the stream get,
//! `python_repr` formats values as the original does; `messages` has its texts, `schema` is published.

mod actions;
mod approval;
mod chat;
mod event;
mod extensions;
mod interrupt_data;
mod json_errors;
mod losses;
mod messages;
mod python_repr;
mod reader;
mod resume;
mod schema;
mod translation;
mod writer;

pub use chat::ChatRequest;
pub use event::{InterruptEvent, end_events, interrupt_events, rejection_events};
pub use interrupt_data::{
    call_info, data_from_call, drop_derived_words, event_data, is_ask_user_interrupt, split_requests,
    task_name,
};
pub use losses::TranslationLoss;
pub use reader::read;
pub use resume::{
    InterruptBodyError, InterruptBodyIssue, ResumeAction, ResumeDecision, ResumeRequest, not_waiting_problem,
    read_answers, resolve_decision,
};
pub(crate) use schema::published;
pub use translation::{TranslatedRequest, write_request};
pub use writer::{InterruptDecision, decision, is_approval, tool_result, write};

use crate::{CliOutput, Dialect};
use sayso_core::{Lang, Problem};

/// Tool with which an agent asks (the spec's `ask_user`).
pub const ASK_USER: &str = "ask_user";
/// Value of an option for typed text, if it has no other.
const CUSTOM_VALUE: &str = "__custom__";

/// Writes the refusal of a request: a line for each problem, with its path. The spec has no format for it.
pub fn refuse(problems: &[Problem], lang: Lang) -> CliOutput {
    CliOutput::from_problems(Dialect::Interrupt, problems, lang)
}
