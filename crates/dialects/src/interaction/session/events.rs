//! Events that describe an ask at a desk: its rounds, the responses in each, and the results of those.

use super::InteractionCall;
use super::payload::{InteractionPayload, RequestPayload, UserAction, UserResponse};
use crate::interaction::answers::parse_input;
use crate::interaction::extensions::InteractionExtensions;
use crate::interaction::tool::HookOutcome;
use crate::interaction::tool::writer::answers_from_replies;
use crate::interaction::wire::FieldErrors;
use crate::interaction::{messages, stored_request};
use sayso_core::model::ask::RoundFeedback;
use sayso_core::{Outcome, Question, Questionnaire, Replies};
use serde_json::{Map, Value};
use std::collections::HashMap;

/// Default place in which a form is shown.
const DEFAULT_PRESENTATION: &str = "questionnaire";

/// Response of a person, as a desk stores it.
#[derive(Debug, Clone, PartialEq)]
pub struct InteractionSubmission {
    /// Replies, as far as they could be parsed.
    pub replies: Replies,
    /// Submitted values, or the name of the action that was taken instead.
    pub as_sent: Option<Value>,
}

impl InteractionSubmission {
    /// Converts a response to the form that a desk stores; `None` for one that declines.
    pub fn from_response(questionnaire: &Questionnaire, response: &UserResponse) -> Option<Self> {
        match response.action {
            UserAction::Cancel | UserAction::Deny => None,
            UserAction::Submit => {
                let Some(input) = response.input.clone() else { return Some(Self::without_values(response)) };
                let answers = parse_input(questionnaire, input);
                Some(Self { replies: answers.replies, as_sent: answers.as_sent })
            }
            UserAction::Approve => Some(Self::without_values(response)),
        }
    }

    /// Converts a response without values. It stores the action instead, so that events repeat it unchanged.
    fn without_values(response: &UserResponse) -> Self {
        Self { replies: Replies::new(), as_sent: serde_json::to_value(response.action).ok() }
    }
}

/// Returns whether a submission has these replies: its values parse to them, or it is an action without values.
pub(crate) fn matches_replies(questionnaire: &Questionnaire, sent: &Value, replies: &Replies) -> bool {
    match sent {
        Value::Object(input) => parse_input(questionnaire, input.clone()).replies == *replies,
        Value::String(_) => {
            let action = serde_json::from_value(sent.clone());
            replies.is_empty() && matches!(action, Ok(UserAction::Approve | UserAction::Submit))
        }
        _ => false,
    }
}

/// Returns the event that shows the form in this round; in a further round with the feedback and the values submitted
/// before.
pub fn request_event(
    call: &InteractionCall,
    questionnaire: &Questionnaire,
    interaction_id: &str,
    earlier_round: Option<(&RoundFeedback, Map<String, Value>)>,
) -> InteractionPayload {
    let mut request = stored_request::to_request(questionnaire);
    if request.presentation.is_none() {
        request.presentation = Some(DEFAULT_PRESENTATION.to_owned());
    }
    if let Some((feedback, earlier_values)) = earlier_round {
        let summary = feedback.summary.as_deref().unwrap_or(messages::ERROR_SUMMARY);
        request.input_schema.initial_values = Some(earlier_values);
        request.error_summary = Some(summary.to_owned());
        request.field_errors = field_errors(questionnaire, feedback);
    }
    let payload = RequestPayload::new(&call.tool_call_id, &call.tool_name, interaction_id, &request);
    InteractionPayload::InteractionRequest(Box::new(payload))
}

fn field_errors(questionnaire: &Questionnaire, feedback: &RoundFeedback) -> FieldErrors {
    let keys: HashMap<_, _> =
        questionnaire.questions.iter().map(|question| (&question.id, question.asker_key())).collect();
    let mut errors = FieldErrors::default();
    for (id, words) in &feedback.errors {
        if let Some(key) = keys.get(id) {
            errors.0.push(((*key).to_owned(), words.clone()));
        }
    }
    errors
}

/// Returns the event that the tool starts or stops waiting for a person.
pub fn pending_event(
    call: &InteractionCall,
    questionnaire: &Questionnaire,
    pending: bool,
) -> InteractionPayload {
    let presentation = InteractionExtensions::from_questionnaire(questionnaire).presentation;
    InteractionPayload::InteractionPending {
        tool_call_id: call.tool_call_id.clone(),
        tool_name: call.tool_name.clone(),
        pending,
        presentation: Some(presentation.as_deref().unwrap_or(DEFAULT_PRESENTATION).to_owned()),
    }
}

/// Returns the response of a person that corresponds to a submission on any surface.
pub fn to_user_response(
    questionnaire: &Questionnaire,
    replies: &Replies,
    as_sent: Option<&Value>,
) -> UserResponse {
    // A string is the name of an action without values.
    if let Some(name @ Value::String(_)) = as_sent
        && let Ok(action) = serde_json::from_value(name.clone())
    {
        return UserResponse { action, input: None, reason: None };
    }
    let input = Some(submitted_values(questionnaire, replies, as_sent));
    UserResponse { action: UserAction::Submit, input, reason: None }
}

/// Returns the submitted values by field: as they were sent, or as the controls would send the replies.
pub fn submitted_values(
    questionnaire: &Questionnaire,
    replies: &Replies,
    as_sent: Option<&Value>,
) -> Map<String, Value> {
    match as_sent {
        Some(Value::Object(sent)) => sent.clone(),
        _ => match serde_json::to_value(answers_from_replies(questionnaire, replies)) {
            Ok(Value::Object(values)) => values,
            _ => Map::new(),
        },
    }
}

/// Returns the response that ended an ask, unless an event has already reported it as one for the asker to validate.
pub fn final_response(questionnaire: &Questionnaire, outcome: &Outcome) -> Option<UserResponse> {
    match outcome {
        Outcome::Answered { replies, as_sent, verdict: None, .. } => {
            Some(to_user_response(questionnaire, replies, as_sent.as_ref()))
        }
        Outcome::Declined { reason, .. } => {
            Some(UserResponse { action: UserAction::Cancel, input: None, reason: reason.clone() })
        }
        Outcome::Answered { .. } | Outcome::Cancelled { .. } | Outcome::Expired { .. } => None,
    }
}

/// Converts a hook's decision to the feedback that a desk stores; `None` unless it reprompts. A desk stores only the
/// errors; a different form is asked as a new ask.
pub fn hook_feedback(questionnaire: &Questionnaire, outcome: &HookOutcome) -> Option<RoundFeedback> {
    let HookOutcome::Reprompt(request) = outcome else { return None };
    let by_key: HashMap<&str, &Question> =
        questionnaire.questions.iter().map(|question| (question.asker_key(), question)).collect();
    let mut errors = Vec::new();
    for (field, words) in &request.field_errors.0 {
        if let Some(question) = by_key.get(field.as_str()) {
            errors.push((question.id.clone(), words.clone()));
        }
    }
    let mut summary = request.error_summary.clone();
    if summary.is_none() && errors.is_empty() {
        summary = Some(messages::ERROR_SUMMARY.to_owned());
    }
    Some(RoundFeedback { summary, errors })
}
