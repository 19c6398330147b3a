//! Events that describe an ask at a desk: its rounds, the responses in each, and the results of those.

use super::beside::Beside;
use super::payload::{Payload, RequestPayload, UserAction, UserResponse};
use super::session::Call;
use super::tool::HookOutcome;
use super::write::answers;
use super::{FieldErrors, InteractionRequest, request};
use sayso_core::ask::Feedback;
use sayso_core::{Outcome, Question, Questionnaire, Replies};
use serde_json::{Map, Value};
use std::collections::HashMap;

/// Default place in which a form is shown.
const PRESENTATION: &str = "questionnaire";

/// Response of a person, as a desk stores it.
#[derive(Debug, Clone, PartialEq)]
pub struct Sent {
    /// Replies, as far as they could be parsed.
    pub replies: Replies,
    /// Submitted values, or the name of the action that was taken instead.
    pub as_sent: Option<Value>,
}

impl Sent {
    /// Converts a response to the form that a desk stores; `None` for one that declines.
    pub fn of(questionnaire: &Questionnaire, response: &UserResponse) -> Option<Self> {
        match response.action {
            UserAction::Cancel | UserAction::Deny => None,
            UserAction::Submit => {
                let Some(input) = response.input.clone() else { return Some(Self::without_values(response)) };
                let given = super::given(questionnaire, input);
                Some(Self { replies: given.replies, as_sent: given.as_sent })
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
pub fn says(questionnaire: &Questionnaire, sent: &Value, replies: &Replies) -> bool {
    match sent {
        Value::Object(input) => super::given(questionnaire, input.clone()).replies == *replies,
        Value::String(_) => {
            replies.is_empty()
                && serde_json::from_value(sent.clone())
                    .is_ok_and(|action| matches!(action, UserAction::Approve | UserAction::Submit))
        }
        _ => false,
    }
}

/// Returns the request that is shown for a questionnaire.
fn asked_for(questionnaire: &Questionnaire) -> InteractionRequest {
    let mut request = request::asked(questionnaire);
    request.presentation.get_or_insert_with(|| PRESENTATION.to_owned());
    request
}

/// Returns the event that shows the form in this round; in a further round with the feedback and the values submitted
/// before.
pub fn asked(
    call: &Call,
    questionnaire: &Questionnaire,
    interaction_id: &str,
    again: Option<(&Feedback, Map<String, Value>)>,
) -> Payload {
    let mut request = asked_for(questionnaire);
    if let Some((feedback, sent)) = again {
        request.input_schema.initial_values = Some(sent);
        request.error_summary = Some(summary(feedback));
        request.field_errors = field_errors(questionnaire, feedback);
    }
    let shown = RequestPayload::new(&call.tool_call_id, &call.tool_name, interaction_id, &request);
    Payload::InteractionRequest(Box::new(shown))
}

fn summary(feedback: &Feedback) -> String {
    feedback.summary.clone().unwrap_or_else(|| super::fixed::ERROR_SUMMARY.to_owned())
}

fn field_errors(questionnaire: &Questionnaire, feedback: &Feedback) -> FieldErrors {
    let keys: HashMap<_, _> =
        questionnaire.questions.iter().map(|question| (&question.id, question.key())).collect();
    let named = |(id, words): &(_, String)| Some(((*keys.get(id)?).to_owned(), words.clone()));
    FieldErrors(feedback.errors.iter().filter_map(named).collect())
}

/// Returns the event that the tool starts or stops waiting for a person.
pub fn pending(call: &Call, questionnaire: &Questionnaire, pending: bool) -> Payload {
    let presentation = Beside::of(questionnaire).presentation;
    Payload::InteractionPending {
        tool_call_id: call.tool_call_id.clone(),
        tool_name: call.tool_name.clone(),
        pending,
        presentation: Some(presentation.unwrap_or_else(|| PRESENTATION.to_owned())),
    }
}

/// Returns the response of a person that corresponds to a submission on any surface.
pub fn responded(questionnaire: &Questionnaire, replies: &Replies, as_sent: Option<&Value>) -> UserResponse {
    let action =
        as_sent.filter(|sent| sent.is_string()).and_then(|sent| serde_json::from_value(sent.clone()).ok());
    match action {
        Some(action) => UserResponse { action, input: None, reason: None },
        None => {
            let input = Some(values(questionnaire, replies, as_sent));
            UserResponse { action: UserAction::Submit, input, reason: None }
        }
    }
}

/// Returns the submitted values by field: as they were sent, or as the controls would send the replies.
pub fn values(
    questionnaire: &Questionnaire,
    replies: &Replies,
    as_sent: Option<&Value>,
) -> Map<String, Value> {
    match as_sent {
        Some(Value::Object(sent)) => sent.clone(),
        _ => match serde_json::to_value(answers(questionnaire, replies)) {
            Ok(Value::Object(made)) => made,
            _ => Map::new(),
        },
    }
}

/// Returns the response that ended an ask, unless an event has already reported it as one for the asker to validate.
pub fn settled(questionnaire: &Questionnaire, outcome: &Outcome) -> Option<UserResponse> {
    match outcome {
        Outcome::Answered { replies, as_sent, verdict: None, .. } => {
            Some(responded(questionnaire, replies, as_sent.as_ref()))
        }
        Outcome::Declined { reason, .. } => {
            Some(UserResponse { action: UserAction::Cancel, input: None, reason: reason.clone() })
        }
        Outcome::Answered { .. } | Outcome::Cancelled { .. } | Outcome::Expired { .. } => None,
    }
}

/// Converts a hook's decision to the feedback that a desk stores; `None` unless it reprompts. A desk stores only the
/// errors; a different form is asked as a new ask.
pub fn feedback(questionnaire: &Questionnaire, outcome: &HookOutcome) -> Option<Feedback> {
    let HookOutcome::Reprompt(request) = outcome else { return None };
    let by_key: HashMap<&str, &Question> =
        questionnaire.questions.iter().map(|question| (question.key(), question)).collect();
    let named =
        |(field, words): &(String, String)| Some((by_key.get(field.as_str())?.id.clone(), words.clone()));
    let errors: Vec<_> = request.field_errors.0.iter().filter_map(named).collect();
    let unsaid = || errors.is_empty().then(|| super::fixed::ERROR_SUMMARY.to_owned());
    let summary = request.error_summary.clone().or_else(unsaid);
    Some(Feedback { summary, errors })
}
