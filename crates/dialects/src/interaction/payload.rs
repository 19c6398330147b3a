//! What goes over the wire while a tool asks: the events of the spec's transport and the responses to them.

use super::SchemaIssue;
use super::fixed;
use super::wire::{CompletedView, FieldErrors, InteractionRequest, QuestionnaireSchema};
use crate::judge::{self, Issue, Judge};
use crate::loose::{Loose, Record, Words, members};
use sayso_core::message::Lang;
use sayso_core::{Path, Problem};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Number, Value};

/// An event of a session (the spec's `ChatEvent`).
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Event<'e> {
    /// Its id.
    pub id: &'e str,
    /// When, in milliseconds since 1970.
    pub timestamp: i64,
    /// The session it belongs to.
    pub session_id: &'e str,
    /// The turn of the session.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turn_id: Option<&'e str>,
    /// The response of the turn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub response_id: Option<&'e str>,
    /// What it says.
    #[serde(flatten)]
    pub payload: &'e Payload,
}

/// What an event says.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "type", content = "payload", rename_all = "snake_case")]
pub enum Payload {
    /// The tool waits for a person, or does not any more.
    #[serde(rename_all = "camelCase")]
    InteractionPending {
        /// The call of the tool.
        tool_call_id: String,
        /// The tool.
        tool_name: String,
        /// Whether it waits.
        pending: bool,
        /// Where it is shown.
        #[serde(skip_serializing_if = "Option::is_none")]
        presentation: Option<String>,
    },
    /// A form is shown.
    InteractionRequest(Box<RequestPayload>),
    /// A person responded.
    #[serde(rename_all = "camelCase")]
    InteractionResponse {
        /// The call of the tool.
        tool_call_id: String,
        /// The round that it answers.
        interaction_id: String,
        /// What they did.
        #[serde(flatten)]
        response: UserResponse,
    },
}

/// A form as it is shown.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RequestPayload {
    /// The call of the tool.
    pub tool_call_id: String,
    /// This round of it.
    pub interaction_id: String,
    /// The tool.
    pub tool_name: String,
    /// `input`.
    pub interaction_type: &'static str,
    /// Where it is shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub presentation: Option<String>,
    /// What stands in front of the form.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prompt: Option<String>,
    /// The form, with what stands in it at the beginning.
    pub input_schema: QuestionnaireSchema,
    /// After how many milliseconds it ends by itself, where the request says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timeout_ms: Option<Number>,
    /// What is shown once it is answered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub completed_view: Option<CompletedView>,
    /// What was wrong with the last round.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error_summary: Option<String>,
    /// What was wrong with single fields.
    #[serde(skip_serializing_if = "FieldErrors::is_empty")]
    pub field_errors: FieldErrors,
}

impl RequestPayload {
    /// A request as it is shown in this round of a call. Defaults of fields are put among the initial values, except
    /// in a round that follows, whose initial values are what was submitted before and which has something to say
    /// above the form.
    pub fn new(
        tool_call_id: &str,
        tool_name: &str,
        interaction_id: &str,
        request: &InteractionRequest,
    ) -> Self {
        let mut input_schema = request.input_schema.clone();
        let mut error_summary = request.error_summary.clone();
        if request.is_further_round() {
            error_summary.get_or_insert_with(|| fixed::ERROR_SUMMARY.to_owned());
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

/// What a person can do with a form or an approval.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum UserAction {
    /// Agree to an approval.
    Approve,
    /// Refuse an approval.
    Deny,
    /// Send a form.
    Submit,
    /// Dismiss it.
    Cancel,
}

/// What a person did (the spec's `UserResponse`).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct UserResponse {
    /// What.
    pub action: UserAction,
    /// The values of the form, by field.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input: Option<Map<String, Value>>,
    /// Why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

#[derive(Default)]
struct LooseResponse<'t> {
    tool_call_id: Loose<String>,
    interaction_id: Loose<String>,
    action: Loose<Words<'t>>,
    approval_scope: Loose<Words<'t>>,
    input: Loose<Record<'t, Value>>,
    reason: Loose<String>,
}

members!(LooseResponse<'t> {
    "toolCallId" => tool_call_id,
    "interactionId" => interaction_id,
    "action" => action,
    "approvalScope" => approval_scope,
    "input" => input,
    "reason" => reason,
});

/// Everything that is wrong with the payload of an `interaction_response`, in the words of Zod 3.
pub fn response_issues(payload: &Value) -> Vec<SchemaIssue> {
    let mut judge = Judge::new(judge::zod3);
    let at = |member: &'static str| move || Path::root().then(member);
    let loose = Loose::<LooseResponse<'_>>::deserialize(payload).unwrap_or(Loose::Wrong("unknown"));
    if let Some(response) = judge.expect(loose, &Path::root) {
        judge.expect(response.tool_call_id, &at("toolCallId"));
        judge.expect(response.interaction_id, &at("interactionId"));
        let actions = ["approve", "deny", "submit", "cancel"];
        one_of(&mut judge, response.action, &actions, "action");
        if response.approval_scope.is_there() {
            one_of(&mut judge, response.approval_scope, &["once", "session", "always"], "approvalScope");
        }
        judge.allow(response.input, &at("input"));
        judge.allow(response.reason, &at("reason"));
    }
    let issue = |problem: Problem| SchemaIssue {
        path: problem.path,
        message: problem.message.render(Lang::En),
        code: problem.code,
    };
    judge.verdict().err().unwrap_or_default().into_iter().map(issue).collect()
}

fn one_of(judge: &mut Judge, found: Loose<Words<'_>>, allowed: &[&str], member: &'static str) {
    let place = || Path::root().then(member);
    let Some(name) = judge.expect(found, &place) else { return };
    if !allowed.contains(&name.as_ref()) {
        judge.issue(&Issue::NoneOf { allowed, found: &name }, &place);
    }
}
