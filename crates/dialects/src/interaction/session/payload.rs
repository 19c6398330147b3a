//! Events of the spec's transport while a tool asks, and the responses to them.

use crate::interaction::messages;
use crate::interaction::tool::refusal::InteractionSchemaIssue;
use crate::interaction::wire::{CompletedView, FieldErrors, InteractionRequest, QuestionnaireSchema};
use crate::lenient::validator::{LazyPlace, RequestValidator};
use crate::lenient::wording::{self, RequestIssue};
use crate::lenient::{CowText, Lenient, LenientRecord, lenient_objects};
use sayso_core::Lang;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Number, Value};

/// Event of a session (the spec's `ChatEvent`).
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct InteractionEvent<'e> {
    /// Id of the event.
    pub id: &'e str,
    /// Time of the event, in milliseconds since 1970.
    pub timestamp: i64,
    /// Session that the event belongs to.
    pub session_id: &'e str,
    /// Turn of the session.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turn_id: Option<&'e str>,
    /// Response of the turn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub response_id: Option<&'e str>,
    /// Content of the event.
    #[serde(flatten)]
    pub payload: &'e InteractionPayload,
}

/// Content of an event.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "type", content = "payload", rename_all = "snake_case")]
pub enum InteractionPayload {
    /// The tool starts or stops waiting for a person.
    #[serde(rename_all = "camelCase")]
    InteractionPending {
        /// Id of the tool call.
        tool_call_id: String,
        /// Name of the tool.
        tool_name: String,
        /// Set if it waits.
        pending: bool,
        /// Place in which the form is shown.
        #[serde(skip_serializing_if = "Option::is_none")]
        presentation: Option<String>,
    },
    /// Form to show.
    InteractionRequest(Box<RequestPayload>),
    /// Response of a person.
    #[serde(rename_all = "camelCase")]
    InteractionResponse {
        /// Id of the tool call.
        tool_call_id: String,
        /// Round that it answers.
        interaction_id: String,
        /// Response of the person.
        #[serde(flatten)]
        response: UserResponse,
    },
}

/// Form as it is shown.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RequestPayload {
    /// Id of the tool call.
    pub tool_call_id: String,
    /// Id of this round.
    pub interaction_id: String,
    /// Name of the tool.
    pub tool_name: String,
    /// Always `input`.
    pub interaction_type: &'static str,
    /// Place in which the form is shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub presentation: Option<String>,
    /// Text in front of the form.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prompt: Option<String>,
    /// Form, with its initial values.
    pub input_schema: QuestionnaireSchema,
    /// Time limit in milliseconds, if the request has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timeout_ms: Option<Number>,
    /// View of the answered form.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub completed_view: Option<CompletedView>,
    /// Summary of the errors of the last round.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error_summary: Option<String>,
    /// Errors of single fields.
    #[serde(skip_serializing_if = "FieldErrors::is_empty")]
    pub field_errors: FieldErrors,
}

impl RequestPayload {
    /// Builds the payload of a request in this round of a call. Defaults of fields are merged into the initial values.
    /// A further round instead keeps its initial values, which were submitted before, and always has an error summary.
    pub fn new(
        tool_call_id: &str,
        tool_name: &str,
        interaction_id: &str,
        request: &InteractionRequest,
    ) -> Self {
        let mut input_schema = request.input_schema.clone();
        let mut error_summary = request.error_summary.clone();
        if request.is_further_round() {
            if error_summary.is_none() {
                error_summary = Some(messages::ERROR_SUMMARY.to_owned());
            }
        } else {
            input_schema.initial_values = input_schema.merged_initial_values();
        }
        Self {
            tool_call_id: tool_call_id.to_owned(),
            interaction_id: interaction_id.to_owned(),
            tool_name: tool_name.to_owned(),
            interaction_type: "input",
            presentation: request.presentation.clone(),
            prompt: request.prompt.clone(),
            input_schema,
            timeout_ms: request.timeout_ms.clone(),
            completed_view: request.completed_view.clone(),
            error_summary,
            field_errors: request.field_errors.clone(),
        }
    }
}

/// Action of a person on a form or an approval.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum UserAction {
    /// Agrees to an approval.
    Approve,
    /// Refuses an approval.
    Deny,
    /// Sends a form.
    Submit,
    /// Dismisses a form.
    Cancel,
}

/// Response of a person (the spec's `UserResponse`).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct UserResponse {
    /// Action that the person took.
    pub action: UserAction,
    /// Values of the form, by field.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input: Option<Map<String, Value>>,
    /// Reason that the person gave.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

lenient_objects! {
    UserResponseInput<'t> {
        tool_call_id: "toolCallId" => String,
        interaction_id: "interactionId" => String,
        action: "action" => CowText<'t>,
        approval_scope: "approvalScope" => CowText<'t>,
        input: "input" => LenientRecord<'t, Value>,
        reason: "reason" => String,
    }
}

/// Returns all problems of the payload of an `interaction_response`, in the words of Zod 3.
pub fn response_issues(payload: &Value) -> Vec<InteractionSchemaIssue> {
    let mut judge = RequestValidator::new(wording::zod3);
    let place = LazyPlace::Root;
    let response =
        Lenient::<UserResponseInput<'_>>::deserialize(payload).unwrap_or(Lenient::WrongType("unknown"));
    if let Some(response) = judge.required(response, place) {
        judge.required(response.tool_call_id, place.member("toolCallId"));
        judge.required(response.interaction_id, place.member("interactionId"));
        let actions = ["approve", "deny", "submit", "cancel"];
        expect_one_of(&mut judge, response.action, &actions, place.member("action"));
        if response.approval_scope.is_present() {
            let scopes = ["once", "session", "always"];
            expect_one_of(&mut judge, response.approval_scope, &scopes, place.member("approvalScope"));
        }
        judge.optional(response.input, place.member("input"));
        judge.optional(response.reason, place.member("reason"));
    }
    let mut issues = Vec::new();
    for problem in judge.finish().err().unwrap_or_default() {
        let message = problem.message.render(Lang::En);
        issues.push(InteractionSchemaIssue { path: problem.path, message, code: problem.code });
    }
    issues
}

fn expect_one_of(
    judge: &mut RequestValidator,
    name: Lenient<CowText<'_>>,
    allowed: &[&str],
    place: LazyPlace<'_>,
) {
    let Some(name) = judge.required(name, place) else { return };
    if !allowed.contains(&name.as_ref()) {
        judge.report_issue(&RequestIssue::NoneOf { allowed, found: &name }, place);
    }
}
