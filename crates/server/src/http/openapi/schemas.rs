//! Schemas of bodies and parameters for the OpenAPI document, generated from the Rust types.

use sayso_core::model::ask_summary::AskStatus;
use sayso_core::wire::ask as wire;
use sayso_core::{LateSubmission, ProblemCode, limits};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Serialize;
use serde_json::{Value, json};
use std::borrow::Cow;

/// Problem (RFC 9457).
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Problem")]
pub(crate) struct ProblemBody {
    /// Address of the explanation of its kind.
    #[serde(rename = "type")]
    kind: Option<String>,
    /// The kind, in words.
    title: Option<String>,
    /// The status of the reply.
    status: Option<u16>,
    /// The kind, as a stable code.
    code: String,
    /// Message for people.
    detail: String,
    /// Place in the request or the answers, as a list of keys and indexes.
    path: Option<Vec<Value>>,
    /// Hint for fixing the problem.
    hint: Option<String>,
    /// The single problems, if this one summarizes several.
    causes: Option<Vec<ProblemBody>>,
}

/// Returns the schema of a type.
pub(crate) fn schema_of<T: JsonSchema>(generator: &mut SchemaGenerator) -> Schema {
    generator.subschema_for::<T>()
}

/// Schema of a whole ask, with the members that responses add.
pub(crate) struct AskBody;

impl JsonSchema for AskBody {
    fn schema_name() -> Cow<'static, str> {
        "AskBody".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let state = generator.subschema_for::<AskStatus>();
        let warnings = generator.subschema_for::<Vec<ProblemBody>>();
        let mut schema = wire::schema(generator);
        let late_submissions = generator.subschema_for::<Vec<LateSubmission>>();
        let properties = json!({ "state": state, "warnings": warnings, "late": late_submissions });
        schema.insert("properties".to_owned(), properties);
        schema.insert("required".to_owned(), json!(["state"]));
        schema
    }
}

/// Schema of an idempotency key.
pub(crate) fn key() -> Value {
    json!({ "type": "string", "minLength": 1, "maxLength": limits::IDEMPOTENCY_KEY_BYTES })
}

/// Schema of the role that an admin acts in.
pub(crate) fn role() -> Value {
    json!({ "enum": ["asker", "person"] })
}

/// Schema of a body that another document specifies.
pub(crate) fn anything(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "object" })
}

/// Schema of any text.
pub(crate) fn text() -> Value {
    json!({ "type": "string" })
}

/// Schema of a boolean.
pub(crate) fn flag() -> Value {
    json!({ "type": "boolean" })
}

/// Schema of an ask's id.
pub(crate) fn ask_id() -> Value {
    json!({ "type": "string", "format": "uuid" })
}

/// Schema of a draft's revision, as in `If-Match`.
pub(crate) fn revision() -> Value {
    json!({ "type": "string", "pattern": "^\"[0-9]{1,18}\"$" })
}

/// Schema of a comma-separated list of states.
pub(crate) fn states() -> Value {
    let names = AskStatus::ALL.map(AskStatus::as_str).join("|");
    json!({ "type": "string", "pattern": format!("^({names})(,({names}))*$") })
}

/// Schema of a position in a list.
pub(crate) fn place() -> Value {
    json!({ "type": "string", "pattern": "^[0-9]{1,18}$" })
}

/// Schema of the header with which an admin opens an ask for others.
pub(crate) fn outside() -> Value {
    json!({ "type": "string", "enum": ["open"] })
}

/// Schema of a page size.
pub(crate) fn rows() -> Value {
    json!({ "type": "integer", "minimum": 1, "maximum": limits::LIST_ROWS })
}

/// Schema of the number on an icon.
pub(crate) fn badge() -> Value {
    json!({ "type": "integer", "minimum": 0, "maximum": 99 })
}

/// Schema of a timeout in seconds.
pub(crate) fn wait() -> Value {
    json!({ "type": "integer", "minimum": 0 })
}

/// Schema of a rendering's name.
pub(crate) fn form() -> Value {
    json!({ "type": "string", "minLength": 1, "maxLength": limits::FORM_CHARS })
}

/// Returns all problem codes, for the HTML page.
pub(crate) fn codes() -> &'static [ProblemCode] {
    ProblemCode::ALL
}

/// Schema of the arguments of `questions_ask`; `sayso schema interaction` prints the complete one.
pub(crate) fn interaction_arguments(_: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "type": "object",
        "properties": {
            "prompt": { "type": "string" },
            "schema": { "type": "object" },
            "validate": { "type": "boolean" },
            "timeoutMs": { "type": "number", "exclusiveMinimum": 0 },
            "onTimeout": { "enum": ["error", "async", "cancel"] },
            "mode": { "enum": ["sync", "async"] },
        },
        "required": ["schema"],
    })
}
