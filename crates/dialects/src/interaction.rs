//! Interaction requests with an input schema: forms of eleven types of field, answers as an object by field id.
//!
//! `wire` has the types of the spec, `messages` its sentences. `reader` reads a request, `extensions` is what the core
//! does not model, `stored_request` the request that a client is shown. `answers` reads what a person entered. `tool` decides about a response
//! as the spec's example does, and writes what the tool returns. `session` is one call of the tool as a state machine,
//! with its hooks, its WebSocket frames and its events. `schema` is published.

mod answers;
mod extensions;
mod messages;
mod reader;
mod schema;
mod session;
pub(crate) mod spec;
mod stored_request;
mod tool;
mod wire;

pub use answers::{field_errors, parse_input, validate_input};
pub use session::{
    ClientFrame, FrameError, HelloFrame, InteractionCall, InteractionCallback, InteractionClient,
    InteractionEvent, InteractionExchange, InteractionHooks, InteractionMode, InteractionPayload,
    InteractionSession, InteractionStep, InteractionSubmission, PROTOCOL, RequestPayload, ResponseFrame,
    ServerFrame, SetInteractionMode, UserAction, UserResponse, WaitOutcome, final_response, hook_feedback,
    pending_event, read_frame, request_event, response_issues, run_interaction, submitted_values,
    to_user_response,
};
pub use spec::TOOL;
pub use tool::{
    HookOutcome, InteractionAnswers, InteractionArgumentsError, InteractionResult, InteractionSchemaIssue,
    QuestionsAsk, SUMMARY_BYTES, ToolError, answers_from_replies, completed_summary, read_arguments,
    reprompt, tool_result,
};
pub use wire::{
    CompletedView, FieldErrors, FieldType, InteractionRequest, OnTimeout, QuestionnaireField,
    QuestionnaireOption, QuestionnaireSchema, QuestionnaireSection,
};

use crate::format::WireFormat;
use crate::format::cli_output::CliOutput;
use crate::format::parsed_request::ParsedRequest;
use crate::format::submitted_answers::SubmittedAnswers;
use crate::schema::PublishedSchemas;
use crate::schema::committed::{CommittedFiles, committed_files};
use sayso_core::wire::json::JsonSource;
use sayso_core::{AskId, Lang, Outcome, Problem, Questionnaire, Replies};
use serde_json::Value;

/// Default time limit of a request, in milliseconds.
pub const TIME_LIMIT_MS: i64 = 300_000;

/// The format.
pub(crate) struct InteractionFormat;

impl WireFormat for InteractionFormat {
    fn read(&self, json: JsonSource<'_>) -> Result<ParsedRequest, Vec<Problem>> {
        reader::read(json)
    }

    fn refuse(&self, problems: &[Problem], _: Lang) -> CliOutput {
        tool::refusal::refuse(problems)
    }

    fn write(&self, _: AskId, questionnaire: &Questionnaire, outcome: &Outcome) -> CliOutput {
        tool::writer::write(questionnaire, outcome)
    }

    fn has_answers_member(&self) -> bool {
        false
    }

    fn matches_replies(&self, questionnaire: &Questionnaire, sent: &Value, replies: &Replies) -> bool {
        session::events::matches_replies(questionnaire, sent, replies)
    }

    fn read_answers(
        &self,
        questionnaire: &Questionnaire,
        text: &str,
    ) -> Result<SubmittedAnswers, Vec<Problem>> {
        answers::read_answers(questionnaire, text)
    }

    fn published(&self) -> PublishedSchemas {
        schema::published()
    }

    fn committed(&self) -> Option<&'static CommittedFiles> {
        Some(committed_files!("interaction", None))
    }
}
