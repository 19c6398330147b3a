//! The spec's "Ask User Tool": validates responses and asks again, or returns the answers.

mod completed_view;
pub(super) mod refusal;
pub(super) mod writer;

pub use completed_view::{SUMMARY_BYTES, completed_summary};
pub use refusal::{InteractionArgumentsError, InteractionSchemaIssue, ToolError};
pub use writer::{InteractionAnswers, InteractionResult, answers_from_replies, tool_result};

use super::answers::validate_input;
use super::extensions::InteractionExtensions;
use super::messages;
use super::reader::{builder, parse_request};
use super::stored_request;
use super::wire::{FieldErrors, InteractionRequest, QuestionnaireSchema};
use crate::interaction::session::payload::{UserAction, UserResponse};
use sayso_core::{Problem, ProblemCode, Questionnaire};
use serde_json::{Map, Value};
use std::sync::Arc;
use writer::timeout_result;

/// Decision of a hook (the spec's `InteractionOutcome`).
#[derive(Debug, Clone, PartialEq)]
pub enum HookOutcome {
    /// Return this value from the tool.
    Complete(Value),
    /// Ask the person again.
    Reprompt(Box<InteractionRequest>),
}

impl HookOutcome {
    /// Returns the decision to return this result from the tool.
    pub fn from_result(result: &InteractionResult) -> Self {
        Self::Complete(serde_json::to_value(result).unwrap_or_default())
    }
}

/// Returns the same request for a further round, with the submitted values in its fields and their errors (the spec's
/// "Validation & Reprompt").
pub fn reprompt(
    request: &InteractionRequest,
    submitted: Map<String, Value>,
    field_errors: FieldErrors,
) -> InteractionRequest {
    let mut next = request.clone();
    next.input_schema.initial_values = Some(submitted);
    next.error_summary = Some(messages::ERROR_SUMMARY.to_owned());
    next.field_errors = field_errors;
    next
}

/// The tool `questions_ask`: its parsed arguments, and its handling of responses.
#[derive(Debug, Clone)]
pub struct QuestionsAsk {
    request: InteractionRequest,
    questionnaire: Arc<Questionnaire>,
}

impl QuestionsAsk {
    /// Parses the arguments.
    ///
    /// # Errors
    /// Fails with `invalid_arguments`, in the tool's words.
    pub fn new(arguments: &Value) -> Result<Self, ToolError> {
        let request = match parse_request::parse_arguments(arguments) {
            Ok(request) => request,
            Err(invalid) => return Err(invalid.to_error()),
        };
        let questionnaire = builder::build_questionnaire(request.clone());
        if let Some(problem) = questionnaire.problems().into_iter().next() {
            let fault = Problem::new(ProblemCode::InvalidSetting, problem.message);
            return Err(InteractionArgumentsError::from_problems(&[fault]).to_error());
        }
        let presentation = Some("questionnaire".to_owned());
        let request = InteractionRequest { presentation, ..request };
        Ok(Self { request, questionnaire: Arc::new(questionnaire) })
    }

    /// Returns the same tool call with another form, which a hook supplied.
    ///
    /// # Errors
    /// Returns the problems of the form.
    pub fn with_request(&self, request: InteractionRequest) -> Result<Self, Vec<Problem>> {
        let questionnaire = builder::build_questionnaire(request.clone());
        let problems = questionnaire.problems();
        if !problems.is_empty() {
            return Err(problems);
        }
        Ok(Self { request, questionnaire: Arc::new(questionnaire) })
    }

    /// Returns whether a request shows the same form, apart from initial values.
    pub fn shows_form_of(&self, request: &InteractionRequest) -> bool {
        let initial_values = self.request.input_schema.initial_values.clone();
        let form = QuestionnaireSchema { initial_values, ..request.input_schema.clone() };
        form == self.request.input_schema
    }

    /// Restores the tool from the questionnaire that it asked at a desk; `None` if something else asked it.
    pub fn from_stored(questionnaire: &Arc<Questionnaire>) -> Option<Self> {
        if !InteractionExtensions::from_questionnaire(questionnaire).validated_by_tool {
            return None;
        }
        let request = stored_request::to_request(questionnaire);
        Some(Self { request, questionnaire: questionnaire.clone() })
    }

    /// Returns the questionnaire as a desk stores it. It records that the tool validates the answers, so that this
    /// outlasts the waiting connection.
    pub fn to_stored(&self) -> Arc<Questionnaire> {
        let mut questionnaire = (*self.questionnaire).clone();
        let mut extensions = InteractionExtensions::from_questionnaire(&questionnaire);
        extensions.validated_by_tool = true;
        extensions.store_in(&mut questionnaire);
        Arc::new(questionnaire)
    }

    /// Returns the request.
    pub const fn request(&self) -> &InteractionRequest {
        &self.request
    }

    /// Returns the questionnaire built from the request.
    pub const fn questionnaire(&self) -> &Arc<Questionnaire> {
        &self.questionnaire
    }

    /// Handles a response.
    pub fn handle_response(&self, response: &UserResponse) -> HookOutcome {
        match response.action {
            UserAction::Cancel | UserAction::Deny => {
                HookOutcome::from_result(&InteractionResult::Cancelled { reason: response.reason.clone() })
            }
            UserAction::Submit => self.handle_submission(response.input.clone().unwrap_or_default()),
            UserAction::Approve => {
                HookOutcome::from_result(&InteractionResult::Failed(messages::UNEXPECTED_ACTION.to_owned()))
            }
        }
    }

    fn handle_submission(&self, input: Map<String, Value>) -> HookOutcome {
        let errors = validate_input(&self.questionnaire, &input);
        if errors.is_empty() {
            let answers = InteractionAnswers::AsSent(Value::Object(input));
            return HookOutcome::from_result(&InteractionResult::Answers(answers));
        }
        HookOutcome::Reprompt(Box::new(reprompt(&self.request, input, errors)))
    }

    /// Handles the timeout.
    pub fn handle_timeout(&self) -> HookOutcome {
        HookOutcome::from_result(&timeout_result(self.request.on_timeout))
    }
}

/// Parses the operation's arguments, `{prompt?, schema, completedView?, validate?, timeoutMs?, onTimeout?, mode?}`.
///
/// # Errors
/// Returns the problems in the tool's words, with each issue of the schema.
pub fn read_arguments(arguments: &Value) -> Result<InteractionRequest, InteractionArgumentsError> {
    parse_request::parse_arguments(arguments)
}
