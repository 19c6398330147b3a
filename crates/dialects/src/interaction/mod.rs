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
mod builder;
mod callback;
mod completed_view;
mod confirmations;
mod document;
mod events;
mod extensions;
mod frames;
mod hooks;
mod initial_values;
mod lenient_wire;
mod messages;
mod original_form;
mod parse_answer;
mod parse_request;
mod payload;
mod read;
mod refuse;
mod request;
mod schema;
mod schema_validation;
mod session;
mod tool;
mod warnings;
mod wire;
mod write;

pub use a2ui::{A2UI_CATALOG, SUBMIT_ACTION, input_from_a2ui, to_a2ui, translate_to_a2ui};
pub use answers::{field_errors, parse_input, read_answers, validate_input};
pub use callback::InteractionCallback;
pub use completed_view::{SUMMARY_BYTES, completed_summary};
pub use events::{
    InteractionSubmission, final_response, hook_feedback, matches_replies, pending_event, request_event,
    submitted_values, to_user_response,
};
pub use frames::{
    ClientFrame, FrameError, HelloFrame, InteractionMode, PROTOCOL, ResponseFrame, ServerFrame,
    SetInteractionMode, read_frame,
};
pub use hooks::{InteractionClient, InteractionHooks, WaitOutcome, run_interaction};
pub use payload::{
    InteractionEvent, InteractionPayload, RequestPayload, UserAction, UserResponse, response_issues,
};
pub use read::read;
pub use refuse::{InteractionArgumentsError, InteractionSchemaIssue, ToolError, refuse};
pub use request::request;
pub(crate) use schema::published;
pub use session::{InteractionCall, InteractionExchange, InteractionSession, InteractionStep};
pub use tool::{HookOutcome, QuestionsAsk, read_arguments, reprompt};
pub use wire::{
    CompletedView, FieldErrors, FieldType, InteractionRequest, OnTimeout, QuestionnaireField,
    QuestionnaireOption, QuestionnaireSchema, QuestionnaireSection,
};
pub use write::{InteractionAnswers, InteractionResult, answers_from_replies, tool_result, write};

/// Name of the tool that asks.
pub const TOOL: &str = "questions_ask";
/// Default time limit of a request, in milliseconds.
pub const TIME_LIMIT_MS: i64 = 300_000;
