//! Schemas of the tools. That of `ask` comes from the published schema of the `sayso` dialect, with references
//! inlined: many hosts and models support none.

use super::flat;
use sayso_core::limits;
use serde_json::{Map, Value, json};
use std::sync::{Arc, LazyLock};

/// Published schema, as generated and committed. Generating it at startup would take half of the time until a host
/// knows the tools, and memory in each process.
const PUBLISHED: &str = include_str!("../../../../schemas/sayso/request.schema.json");

/// Members that only programs write.
const LEFT_OUT: &[&str] = &["sayso", "beside", "rules", "completed"];

/// Description of a list of changes.
const CHANGED: &str = "What was mended in your arguments, and what of them was ignored.";

fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(object) => object,
        _ => Map::new(),
    }
}

fn received() -> Value {
    json!({
        "type": "array",
        "items": { "type": "string" },
        "description": "The ask_ids of the answers that you have: they are not given again.",
    })
}

fn max_wait() -> Value {
    json!({
        "type": "integer",
        "minimum": 0,
        "description": "How many seconds to wait at most before the status is pending; 0 does not wait.",
    })
}

fn ask_id(description: &str) -> Value {
    json!({ "type": "string", "description": description })
}

/// Returns the arguments of `ask`. Cached, because each call reads it.
pub(super) fn ask() -> &'static Arc<Map<String, Value>> {
    static ASK: LazyLock<Arc<Map<String, Value>>> = LazyLock::new(|| Arc::new(made()));
    &ASK
}

fn made() -> Map<String, Value> {
    let published = serde_json::from_str(PUBLISHED).unwrap_or_default();
    let mut properties = flat::properties(&published);
    properties.retain(|name, _| !LEFT_OUT.contains(&name.as_str()));
    let more = json!({
        "key": {
            "type": "string",
            "minLength": 1,
            "maxLength": limits::KEY_BYTES,
            "description": "A name of your own for this ask: with the same key and the same questions you find it again, \
                however it ended, also from another thread.",
        },
        "timeout": {
            "type": "string",
            "description": "After how long the question expires without an answer: 30m, 2h, 3 days. Without it it stays \
                open. This is not how long the call waits: that is max_wait_s.",
        },
        "max_wait_s": max_wait(),
        "received": received(),
    });
    properties.extend(object(more));
    object(json!({ "type": "object", "properties": properties }))
}

/// Returns the arguments of `wait_for_answer`.
pub(super) fn wait() -> Map<String, Value> {
    object(json!({
        "type": "object",
        "properties": {
            "ask_id": ask_id("The ask to wait for; without it, any of yours."),
            "max_wait_s": max_wait(),
            "received": received(),
        },
        "additionalProperties": false,
    }))
}

/// Returns the arguments of `list_asks`.
pub(super) fn list() -> Map<String, Value> {
    object(json!({
        "type": "object",
        "properties": { "received": received() },
        "additionalProperties": false,
    }))
}

/// Returns the arguments of `cancel_ask`.
pub(super) fn cancel() -> Map<String, Value> {
    object(json!({
        "type": "object",
        "properties": { "ask_id": ask_id("The ask to take back."), "received": received() },
        "required": ["ask_id"],
        "additionalProperties": false,
    }))
}

/// Returns the result of `ask`, `wait_for_answer` and `cancel_ask`.
pub(super) fn result() -> Map<String, Value> {
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
    let text = || json!({ "type": "string" });
    object(json!({
        "type": "object",
        "properties": {
            "status": { "type": "string", "enum": ["answered", "pending", "declined", "expired", "cancelled"] },
            "ask_id": text(),
            "title": text(),
            "means": { "type": "string", "description": "What the status means, in words." },
            "answers": { "type": "array", "items": answer, "description": "Only with the status answered." },
            "missing": { "type": "array", "items": text(), "description": "The questions that have no answer." },
            "reason": { "type": "string", "description": "Why a person declined." },
            "answered_by": who.clone(),
            "declined_by": who,
            "asked_at": text(),
            "answered_at": text(),
            "declined_at": text(),
            "expires_at": text(),
            "expired_at": text(),
            "cancelled_at": text(),
            "seen": { "type": "boolean", "description": "Whether a person has opened it." },
            "answer_with": { "type": "string", "description": "What a person runs to answer it." },
            "next_step": text(),
            "changed": { "type": "array", "items": text(), "description": CHANGED },
            "more": { "type": "array", "items": text(), "description": "Other asks of yours whose answer waits." },
        },
        "required": ["status", "ask_id", "means", "next_step"],
    }))
}

/// Returns the result of `list_asks`.
pub(super) fn listed() -> Map<String, Value> {
    let text = || json!({ "type": "string" });
    object(json!({
        "type": "object",
        "properties": {
            "asks": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {
                        "ask_id": text(), "status": text(), "title": text(), "asked_at": text(), "expires_at": text(),
                        "seen": { "type": "boolean" },
                    },
                    "required": ["ask_id", "status", "title", "asked_at"],
                },
            },
            "changed": { "type": "array", "items": text(), "description": CHANGED },
            "next_step": text(),
        },
        "required": ["asks", "next_step"],
    }))
}

#[cfg(test)]
mod tests {
    use super::PUBLISHED;
    use sayso_dialects::{Dialect, Form, Limits, Part};

    #[test]
    fn published_schema_is_current() {
        let made = Dialect::Sayso.schema(Part::Request, Form::JsonSchema, &Limits::default()).unwrap();
        assert_eq!(PUBLISHED.trim_end(), made.trim_end(), "stale: run `cargo xtask codegen`");
    }
}
