//! Calls in rounds (SEP-2322): what a call requires of the client's user, and whether a repeated call brings it.

use crate::contents::read;
use rmcp::model::{InputRequiredResult, InputResponses, RequestStateCodec};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer};
use serde_json::{Map, Value, json};

/// Key of the seal. Whatever it seals is a number of the suite.
const KEY: [u8; 32] = *b"a key that no one need keep safe";

/// Requirements of one round, by names.
pub(crate) struct Round(Map<String, Value>);

impl Round {
    pub(crate) fn new<const N: usize>(requests: [(&str, Value); N]) -> Self {
        Self(requests.into_iter().map(|(name, request)| (name.to_owned(), request)).collect())
    }
}

/// Returns a request of a form with one field.
pub(crate) fn form(message: &str, field: &str, kind: &str) -> Value {
    let schema = json!({ "type": "object", "properties": { field: { "type": kind } }, "required": [field] });
    json!({ "method": "elicitation/create", "params": { "message": message, "requestedSchema": schema } })
}

/// Returns a request of a text of the client's model.
pub(crate) fn sampling(prompt: &str) -> Value {
    let message = json!({ "role": "user", "content": { "type": "text", "text": prompt } });
    json!({ "method": "sampling/createMessage", "params": { "messages": [message], "maxTokens": 100 } })
}

/// Returns a request of the client's roots.
pub(crate) fn roots() -> Value {
    json!({ "method": "roots/list", "params": {} })
}

/// Returns what a call still requires; `None` once it has all.
///
/// # Errors
/// Fails if the state is not one that was sealed here.
pub(crate) fn play(
    rounds: &[Round],
    has_state: bool,
    (responses, state): (Option<&InputResponses>, Option<&str>),
    context: &RequestContext<RoleServer>,
) -> Result<Option<InputRequiredResult>, ErrorData> {
    let failed = |error: &dyn std::fmt::Display| ErrorData::internal_error(error.to_string(), None);
    let codec = RequestStateCodec::try_new(KEY).map_err(|error| failed(&error))?;
    let mut number = match state.filter(|_| has_state) {
        None => 0,
        Some(state) => {
            let forged = || ErrorData::invalid_params("The state was not sealed here.", None);
            let payload = codec.open(state).map_err(|_| forged())?;
            std::str::from_utf8(&payload).ok().and_then(|number| number.parse().ok()).ok_or_else(forged)?
        }
    };
    let is_there = |name: &String| responses.and_then(|all| all.get(name)).is_some_and(Value::is_object);
    if rounds.get(number).is_some_and(|Round(wanted)| wanted.keys().all(is_there)) {
        number += 1;
    }
    let Some(Round(wanted)) = rounds.get(number) else { return Ok(None) };
    let able = serde_json::to_value(context.client_capabilities()).map_err(|error| failed(&error))?;
    let can = |request: &Value| {
        let method = request.get("method").and_then(Value::as_str).unwrap_or_default();
        let capability = method.split('/').next().unwrap_or_default();
        able.get(capability).is_some()
    };
    let wanted: Map<_, _> = wanted.clone().into_iter().filter(|(_, request)| can(request)).collect();
    let state = has_state.then(|| codec.seal(number.to_string().as_bytes()));
    Ok(Some(InputRequiredResult::new(Some(read(Value::Object(wanted))?), state)))
}
