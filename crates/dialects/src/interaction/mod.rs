//! Interaction requests with an input schema: forms of eleven types of field, answers as an object by field id.
//!
//! `wire` has the types of the spec. `read` reads a request by way of `lenient_wire`, `schema_validation` and
//! `parse_request`; `builder` makes the questionnaire of it, with the spec's `messages`, the `initial_values` and the
//! `extensions` that the core does not model. `request` goes the other way, by way of `original_form`, `document` and
//! `confirmations`. `warnings` reports members of a valid request that have no effect. `parse_answer` and `answers`
//! read what a person entered; `write` and `refuse` have what the tool returns, `completed_view` the summary shown
//! then, `callback` the message to an asker that did not wait. `session` is one call of the tool as a state machine,
//! `tool` decides as the spec's example does, and `hooks` lets a program decide instead. `a2ui` translates a form into
//! that protocol, for programs that embed this crate. `frames` are the WebSocket frames, with a `payload` in them;
//! `events` describes an ask at a desk in those payloads; `schema` is published.

mod a2ui;
mod answers;
mod as_asked;
mod beside;
mod build;
mod callback;
mod completed;
mod document;
mod fixed;
mod frames;
mod hear;
mod hooks;
mod initial;
mod loose_wire;
mod payload;
mod read;
mod refuse;
mod request;
mod schema;
mod session;
mod shape;
mod telling;
mod tool;
mod understand;
mod warnings;
mod wire;
mod write;
mod yes_no;

pub use a2ui::{A2UI_CATALOG, SUBMIT_ACTION, a2ui, a2ui_input, a2ui_translated};
pub use answers::{field_errors, given, read_answers, validate_input};
pub use callback::Callback;
pub use completed::{SUMMARY_BYTES, summary};
pub use frames::{
    ClientFrame, FrameError, Hello, InteractionMode, PROTOCOL, Responded, ServerFrame, SetInteractionMode,
    read_frame,
};
pub use hooks::{Client, Hooks, Waited, run};
pub use payload::{Event, Payload, RequestPayload, UserAction, UserResponse, response_issues};
pub use read::read;
pub use refuse::{InteractionSchemaIssue, Invalid, ToolError, refuse};
pub use request::request;
pub(crate) use schema::published;
pub use session::{Call, Exchange, Session, Step};
pub use telling::{Sent, asked, feedback, pending, responded, says, settled, values};
pub use tool::{HookOutcome, QuestionsAsk, read_arguments, reprompt};
pub use wire::{
    CompletedView, FieldErrors, FieldType, InteractionRequest, OnTimeout, QuestionnaireField,
    QuestionnaireOption, QuestionnaireSchema, QuestionnaireSection,
};
pub use write::{Answers, ToolResult, answers, result, write};

/// Name of the tool that asks.
pub const TOOL: &str = "questions_ask";
/// Default time limit of a request, in milliseconds.
pub const TIME_LIMIT_MS: i64 = 300_000;
