//! An ask as JSON, in the two parts that a store keeps: the immutable request, and the state.

use super::json;
use crate::model::actor::Asker;
use crate::model::ask::{Ask, AskRequest, AskState};
use crate::model::audience::Audience;
use crate::model::digest::Digest;
use crate::model::id::AskId;
use crate::model::questionnaire::Questionnaire;
use crate::problem::Problem;
use jiff::Timestamp;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use std::sync::Arc;

#[derive(Serialize, Deserialize, JsonSchema)]
struct RequestDocument<Q> {
    questionnaire: Q,
    digest: Digest,
    dialect: String,
    asker: Asker,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    judged: bool,
    #[schemars(with = "String")]
    created_at: Timestamp,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    time_limit_ms: Option<i64>,
    /// The program that asked, as a guess.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    program: Option<String>,
    /// Accounts and groups that may see and answer it, if it was opened for some.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    audience: Option<Audience>,
}

/// An ask: the request as made, and its state.
#[derive(Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "Ask")]
struct FullAskDocument<S> {
    id: AskId,
    #[serde(flatten)]
    request: RequestDocument<Arc<Questionnaire>>,
    #[serde(flatten)]
    state: S,
}

fn request_document<Q>(request: &AskRequest, questionnaire: Q) -> RequestDocument<Q> {
    RequestDocument {
        questionnaire,
        digest: request.digest,
        dialect: request.dialect.clone(),
        asker: request.asker.clone(),
        judged: request.needs_verdict,
        created_at: request.created_at,
        time_limit_ms: request.time_limit_ms,
        program: request.program.clone(),
        audience: request.audience.clone(),
    }
}

/// Writes a request as compact JSON.
pub fn write_request(request: &AskRequest) -> String {
    json::write(&request_document(request, request.questionnaire.clone()))
}

/// Writes a request as compact JSON, copying the given canonical JSON of the questionnaire instead of serializing it.
pub fn write_request_with(request: &AskRequest, canonical: &RawValue) -> String {
    json::write(&request_document(request, canonical))
}

/// Reads a request that [`write_request`] wrote.
///
/// # Errors
/// Returns a problem if the text is not such JSON.
pub fn read_request(text: &str) -> Result<AskRequest, Problem> {
    json::read_own(text).map(request_from_document)
}

/// Returns a written request without its questionnaire: an empty one with this title replaces it. The digest stays that
/// of the original.
///
/// # Errors
/// Returns a problem if the text is not such JSON.
pub fn write_request_without_questions(text: &str, title: &str) -> Result<String, Problem> {
    let document: RequestDocument<IgnoredAny> = json::read_own(text)?;
    let title = if title.is_empty() { None } else { Some(title.to_owned()) };
    let emptied = RequestDocument {
        questionnaire: Arc::new(Questionnaire { title, ..Questionnaire::default() }),
        digest: document.digest,
        dialect: document.dialect,
        asker: document.asker,
        judged: document.judged,
        created_at: document.created_at,
        time_limit_ms: document.time_limit_ms,
        program: document.program,
        audience: document.audience,
    };
    Ok(json::write(&emptied))
}

fn request_from_document(document: RequestDocument<Arc<Questionnaire>>) -> AskRequest {
    AskRequest {
        questionnaire: document.questionnaire,
        digest: document.digest,
        dialect: document.dialect,
        asker: document.asker,
        needs_verdict: document.judged,
        created_at: document.created_at,
        time_limit_ms: document.time_limit_ms,
        program: document.program,
        audience: document.audience,
    }
}

/// Writes a state as compact JSON.
pub fn write_state(state: &AskState) -> String {
    json::write(state)
}

/// Reads a state that [`write_state`] wrote.
///
/// # Errors
/// Returns a problem if the text is not such JSON.
pub fn read_state(text: &str) -> Result<AskState, Problem> {
    json::read_own(text)
}

/// Returns the whole ask as one document, for the network.
pub fn to_document(ask: &Ask) -> impl Serialize {
    FullAskDocument {
        id: ask.id,
        request: request_document(&ask.request, ask.request.questionnaire.clone()),
        state: &ask.state,
    }
}

/// Returns the whole ask as a JSON value, for `show --json`.
pub fn to_value(ask: &Ask) -> serde_json::Value {
    serde_json::to_value(to_document(ask)).unwrap_or_default()
}

/// Reads a whole ask that [`to_value`] gave.
///
/// # Errors
/// Returns a problem if the text is not such JSON.
pub fn read(text: &str) -> Result<Ask, Problem> {
    let FullAskDocument { id, request: asked, state } = json::read_own::<FullAskDocument<AskState>>(text)?;
    Ok(Ask { id, request: Arc::new(request_from_document(asked)), state })
}

/// Returns the schema of a whole ask, as [`to_value`] gives it.
pub fn schema(generator: &mut SchemaGenerator) -> Schema {
    generator.subschema_for::<FullAskDocument<AskState>>()
}
