//! What the spec's "Ask User Tool" does with responses: judge them and ask again, or return what was answered.

use super::beside::Beside;
use super::payload::{UserAction, UserResponse};
use super::wire::{FieldErrors, InteractionRequest, QuestionnaireSchema};
use super::write::{Answers, ToolResult, timed_out};
use super::{ToolError, build, fixed, understand, validate_input};
use sayso_core::{Code, Problem, Questionnaire};
use serde_json::{Map, Value};
use std::sync::Arc;

/// What a hook decides (the spec's `InteractionOutcome`).
#[derive(Debug, Clone, PartialEq)]
pub enum HookOutcome {
    /// The tool returns this.
    Complete(Value),
    /// The person is asked once more.
    Reprompt(Box<InteractionRequest>),
}

impl HookOutcome {
    /// The tool returns this result.
    pub fn complete(result: &ToolResult) -> Self {
        Self::Complete(serde_json::to_value(result).unwrap_or_default())
    }
}

/// The same request once more, with exactly what was submitted in its fields and what is wrong with them (the spec's
/// "Validation & Reprompt").
pub fn reprompt(
    request: &InteractionRequest,
    submitted: Map<String, Value>,
    field_errors: FieldErrors,
) -> InteractionRequest {
    let mut next = request.clone();
    next.input_schema.initial_values = Some(submitted);
    next.error_summary = Some(fixed::ERROR_SUMMARY.to_owned());
    next.field_errors = field_errors;
    next
}

/// The tool `questions_ask`: its arguments, understood, and what it does with responses.
#[derive(Debug, Clone)]
pub struct QuestionsAsk {
    request: InteractionRequest,
    questionnaire: Arc<Questionnaire>,
}

impl QuestionsAsk {
    /// Reads the arguments.
    ///
    /// # Errors
    /// `invalid_arguments`, in the tool's words.
    pub fn new(arguments: &Value) -> Result<Self, ToolError> {
        let request = understand::arguments(arguments).map_err(|invalid| invalid.error())?;
        let questionnaire = build::questionnaire(request.clone());
        if let Some(problem) = questionnaire.problems().into_iter().next() {
            let said = Problem::new(Code::InvalidSetting, problem.message);
            return Err(super::Invalid::of(&[said]).error());
        }
        let presentation = Some("questionnaire".to_owned());
        let request = InteractionRequest { presentation, ..request };
        Ok(Self { request, questionnaire: Arc::new(questionnaire) })
    }

    /// The same call of the tool with another form, as a hook gives it.
    ///
    /// # Errors
    /// What is wrong with the form.
    pub fn with(&self, request: InteractionRequest) -> Result<Self, Vec<Problem>> {
        let questionnaire = build::questionnaire(request.clone());
        let problems = questionnaire.problems();
        if !problems.is_empty() {
            return Err(problems);
        }
        Ok(Self { request, questionnaire: Arc::new(questionnaire) })
    }

    /// Whether a request shows the form that is asked, whatever stands in its fields.
    pub fn shows_form_of(&self, request: &InteractionRequest) -> bool {
        let initial_values = self.request.input_schema.initial_values.clone();
        let form = QuestionnaireSchema { initial_values, ..request.input_schema.clone() };
        form == self.request.input_schema
    }

    /// The tool as it was when it asked this at a desk; nothing where something else did.
    pub fn that_asked(questionnaire: &Arc<Questionnaire>) -> Option<Self> {
        let request = || super::request::asked(questionnaire);
        let asked = || Self { request: request(), questionnaire: questionnaire.clone() };
        Beside::of(questionnaire).by_tool.then(asked)
    }

    /// The questionnaire as a desk keeps it: it says that the tool judges what is sent, so that this outlasts whoever
    /// waits for it.
    pub fn at_desk(&self) -> Arc<Questionnaire> {
        let mut questionnaire = (*self.questionnaire).clone();
        Beside { by_tool: true, ..Beside::of(&questionnaire) }.keep(&mut questionnaire);
        Arc::new(questionnaire)
    }

    /// What is asked.
    pub const fn request(&self) -> &InteractionRequest {
        &self.request
    }

    /// The questionnaire of it.
    pub const fn questionnaire(&self) -> &Arc<Questionnaire> {
        &self.questionnaire
    }

    /// What it does with a response.
    pub fn responded(&self, response: &UserResponse) -> HookOutcome {
        match response.action {
            UserAction::Cancel | UserAction::Deny => {
                HookOutcome::complete(&ToolResult::Cancelled { reason: response.reason.clone() })
            }
            UserAction::Submit => self.submitted(response.input.clone().unwrap_or_default()),
            UserAction::Approve => HookOutcome::complete(&ToolResult::Failed(fixed::UNEXPECTED.to_owned())),
        }
    }

    fn submitted(&self, input: Map<String, Value>) -> HookOutcome {
        let errors = validate_input(&self.questionnaire, &input);
        if errors.is_empty() {
            let sent = Answers::AsSent(Value::Object(input));
            return HookOutcome::complete(&ToolResult::Answers(sent));
        }
        HookOutcome::Reprompt(Box::new(reprompt(&self.request, input, errors)))
    }

    /// What it does when nobody answers in time.
    pub fn timed_out(&self) -> HookOutcome {
        HookOutcome::complete(&timed_out(self.request.on_timeout))
    }
}

/// Reads the operation's arguments, `{prompt?, schema, completedView?, validate?, timeoutMs?, onTimeout?, mode?}`.
///
/// # Errors
/// What is wrong, in the tool's words, with each issue of the schema.
pub fn read_arguments(arguments: &Value) -> Result<InteractionRequest, super::Invalid> {
    understand::arguments(arguments)
}
