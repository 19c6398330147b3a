//! Schemas of the tools. The arguments of `ask` are checked by the published schema of the `sayso` dialect; hosts get a
//! short one.

pub(crate) mod inline_refs;
pub(crate) mod listed_ask;
pub(crate) mod validation;

use sayso_core::limits;
use sayso_dialects::{Dialect, DialectLimits, SchemaFormat, SchemaPart};
use serde_json::{Map, Value, json};
use std::sync::{Arc, LazyLock};

/// Members that only programs write.
const OMITTED_MEMBERS: &[&str] = &["sayso", "beside", "rules", "completed"];

/// Description of a list of changes.
const CHANGED_DESCRIPTION: &str = "What was mended in your arguments, and what of them was ignored.";

fn into_object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(object) => object,
        _ => Map::new(),
    }
}

fn text_schema() -> Value {
    json!({ "type": "string" })
}

fn received_schema() -> Value {
    json!({
        "type": "array",
        "items": { "type": "string" },
        "description": "The ask_ids of the answers that you have: they are not given again.",
    })
}

fn max_wait_schema() -> Value {
    json!({
        "type": "integer",
        "minimum": 0,
        "description": "How many seconds to wait at most before the status is pending; 0 does not wait.",
    })
}

fn ask_id_schema(description: &str) -> Value {
    json!({ "type": "string", "description": description })
}

/// Returns all arguments of `ask`, by which a call is checked. Cached, because each call reads it.
pub(crate) fn ask_input() -> &'static Arc<Map<String, Value>> {
    static ASK: LazyLock<Arc<Map<String, Value>>> = LazyLock::new(|| Arc::new(build_ask_input()));
    &ASK
}

fn build_ask_input() -> Map<String, Value> {
    let published =
        Dialect::Sayso.schema(SchemaPart::Request, SchemaFormat::JsonSchema, &DialectLimits::default());
    let mut published: Map<String, Value> =
        serde_json::from_str(&published.unwrap_or_default()).unwrap_or_default();
    let mut properties = into_object(published.shift_remove("properties").unwrap_or_default());
    properties.retain(|name, _| !OMITTED_MEMBERS.contains(&name.as_str()));
    let more = json!({
        "key": {
            "type": "string",
            "minLength": 1,
            "maxLength": limits::IDEMPOTENCY_KEY_BYTES,
            "description": "A name of your own for this ask: with the same key and the same questions you find it again, \
                however it ended, also from another thread.",
        },
        "timeout": {
            "type": "string",
            "description": "After how long the question expires without an answer: 30m, 2h, 3 days. Without it it stays \
                open. This is not how long the call waits: that is max_wait_s.",
        },
        "max_wait_s": max_wait_schema(),
        "received": received_schema(),
        "for": {
            "type": "array",
            "items": { "type": "string" },
            "minItems": 1,
            "maxItems": limits::AUDIENCE_NAMES,
            "description": "Accounts and groups that may see and answer this ask, at a desk on the network. Without it \
                they are the usual ones.",
        },
    });
    properties.extend(into_object(more));
    let definitions = published.shift_remove("$defs").unwrap_or_default();
    into_object(json!({ "type": "object", "properties": properties, "$defs": definitions }))
}

/// Returns the arguments of `wait_for_answer`.
pub(crate) fn wait_input() -> Map<String, Value> {
    into_object(json!({
        "type": "object",
        "properties": {
            "ask_id": ask_id_schema("The ask to wait for; without it, any of yours."),
            "max_wait_s": max_wait_schema(),
            "received": received_schema(),
        },
        "additionalProperties": false,
    }))
}

/// Returns the arguments of `list_asks`.
pub(crate) fn list_input() -> Map<String, Value> {
    into_object(json!({
        "type": "object",
        "properties": { "received": received_schema() },
        "additionalProperties": false,
    }))
}

/// Returns the arguments of `cancel_ask`.
pub(crate) fn cancel_input() -> Map<String, Value> {
    into_object(json!({
        "type": "object",
        "properties": { "ask_id": ask_id_schema("The ask to take back."), "received": received_schema() },
        "required": ["ask_id"],
        "additionalProperties": false,
    }))
}

/// Returns the result of `ask`, `wait_for_answer` and `cancel_ask`.
pub(crate) fn ask_output() -> Map<String, Value> {
    let who = json!({
        "type": "object",
        "properties": {
            "name": { "type": "string" },
            "surface": { "type": "string", "description": "Where it was said." },
            "assurance": { "type": "string", "description": "How sure it is that a person was there." },
        },
        "required": ["name", "surface", "assurance"],
    });
    let answer = json!({
        "type": "object",
        "properties": {
            "id": { "type": "string" },
            "prompt": { "type": "string" },
            "state": { "type": "string", "enum": ["answered", "skipped", "unanswered", "not_asked"] },
            "labels": { "type": "array", "items": { "type": "string" }, "description": "The answer as the person read it." },
            "value": { "description": "The answer as data: a text, number or boolean, or a list for several picks." },
            "typed": { "type": "string", "description": "What the person typed instead of, or beside, your options." },
            "note": { "type": "string", "description": "A word from the person to you." },
            "pattern_not_checked": { "type": "boolean" },
        },
        "required": ["id", "prompt", "state"],
    });
    into_object(json!({
        "type": "object",
        "properties": {
            "status": { "type": "string", "enum": ["answered", "pending", "declined", "expired", "cancelled"] },
            "ask_id": text_schema(),
            "title": text_schema(),
            "means": { "type": "string", "description": "What the status means, in words." },
            "answers": { "type": "array", "items": answer, "description": "Only with the status answered." },
            "note": { "type": "string", "description": "A word from the person to you, on all of it." },
            "missing": { "type": "array", "items": text_schema(), "description": "The questions that have no answer." },
            "reason": { "type": "string", "description": "Why a person declined." },
            "answered_by": who.clone(),
            "declined_by": who,
            "asked_at": text_schema(),
            "answered_at": text_schema(),
            "declined_at": text_schema(),
            "expires_at": text_schema(),
            "expired_at": text_schema(),
            "cancelled_at": text_schema(),
            "seen": { "type": "boolean", "description": "Whether a person has opened it." },
            "answer_with": { "type": "string", "description": "What a person runs to answer it." },
            "next_step": text_schema(),
            "changed": { "type": "array", "items": text_schema(), "description": CHANGED_DESCRIPTION },
            "more": { "type": "array", "items": text_schema(), "description": "Other asks of yours whose answer waits." },
        },
        "required": ["status", "ask_id", "means", "next_step"],
    }))
}

/// Returns the result of `list_asks`.
pub(crate) fn list_output() -> Map<String, Value> {
    into_object(json!({
        "type": "object",
        "properties": {
            "asks": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {
                        "ask_id": text_schema(), "status": text_schema(), "title": text_schema(), "asked_at": text_schema(), "expires_at": text_schema(),
                        "seen": { "type": "boolean" },
                    },
                    "required": ["ask_id", "status", "title", "asked_at"],
                },
            },
            "changed": { "type": "array", "items": text_schema(), "description": CHANGED_DESCRIPTION },
            "next_step": text_schema(),
        },
        "required": ["asks", "next_step"],
    }))
}
