//! The schemas of what routes read and write, for the document. Bodies are made from the types that read and write them.

use super::{about, asker, asks, browser, interaction, outcome, person, questionnaire, tokens as token};
use sayso_core::row::Standing;
use sayso_core::wire::ask as wire;
use sayso_core::{Code, Late, limits};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Serialize;
use serde_json::{Value, json};
use std::borrow::Cow;

/// What is wrong (RFC 9457).
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Problem")]
pub(super) struct ProblemBody {
    /// Where its kind is explained.
    #[serde(rename = "type")]
    kind: Option<String>,
    /// Its kind in words.
    title: Option<String>,
    /// The status of the reply.
    status: Option<u16>,
    /// Its kind, as a stable word.
    code: String,
    /// What is wrong, in words.
    detail: String,
    /// Where: the steps into the request or the answers.
    path: Option<Vec<Value>>,
    /// What to do about it.
    hint: Option<String>,
    /// The single problems, where this one sums up several.
    causes: Option<Vec<ProblemBody>>,
}

macro_rules! shapes {
    ($($name:ident: $body:ty,)*) => {
        $(pub(super) fn $name(generator: &mut SchemaGenerator) -> Schema {
            generator.subschema_for::<$body>()
        })*
    };
}

shapes! {
    ask: AskBody,
    problem: ProblemBody,
    new_ask: asks::NewBody,
    page: asks::PageBody,
    found: asks::Found,
    outcome: outcome::OutcomeBody,
    nothing: asker::Nothing,
    attach: asker::Attach,
    verdict: asker::Verdict,
    seen: person::Seen,
    draft: person::DraftBody,
    draft_change: person::DraftChange,
    saved: person::SavedBody,
    answer: person::Answer,
    decline: person::Decline,
    interaction_returned: interaction::Returned,
    me: about::Me,
    sign_in: browser::SignIn,
    later: questionnaire::Later,
    tokens: token::TokensBody,
    new_token: token::NewTokenBody,
    token_shown: token::TokenShown,
}

/// A whole ask, with what is said beside it.
struct AskBody;

impl JsonSchema for AskBody {
    fn schema_name() -> Cow<'static, str> {
        "AskBody".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let standing = generator.subschema_for::<Standing>();
        let warnings = generator.subschema_for::<Vec<ProblemBody>>();
        let mut schema = wire::schema(generator);
        let late = generator.subschema_for::<Vec<Late>>();
        let properties = json!({ "state": standing, "warnings": warnings, "late": late });
        schema.insert("properties".to_owned(), properties);
        schema.insert("required".to_owned(), json!(["state"]));
        schema
    }
}

/// An idempotency key.
pub(super) fn key() -> Value {
    json!({ "type": "string", "minLength": 1, "maxLength": limits::KEY_BYTES })
}

/// The role that an admin acts in.
pub(super) fn role() -> Value {
    json!({ "enum": ["asker", "person"] })
}

/// What its own document tells.
pub(super) fn anything(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "object" })
}

/// Any text.
pub(super) fn text() -> Value {
    json!({ "type": "string" })
}

/// Yes or no.
pub(super) fn flag() -> Value {
    json!({ "type": "boolean" })
}

/// The id of an ask.
pub(super) fn ask_id() -> Value {
    json!({ "type": "string", "format": "uuid" })
}

/// A revision of a draft, as `If-Match` has it.
pub(super) fn revision() -> Value {
    json!({ "type": "string", "pattern": "^\"[0-9]{1,18}\"$" })
}

/// States with commas between them.
pub(super) fn states() -> Value {
    let one = Standing::ALL.map(Standing::as_str).join("|");
    json!({ "type": "string", "pattern": format!("^({one})(,({one}))*$") })
}

/// A place in a list.
pub(super) fn place() -> Value {
    json!({ "type": "string", "pattern": "^[0-9]{1,18}$" })
}

/// Rows of a page.
pub(super) fn rows() -> Value {
    json!({ "type": "integer", "minimum": 1, "maximum": limits::LIST_ROWS })
}

/// Seconds to wait.
pub(super) fn wait() -> Value {
    json!({ "type": "integer", "minimum": 0, "maximum": limits::CALL_WAIT_SECONDS })
}

/// The name of a form.
pub(super) fn form() -> Value {
    json!({ "type": "string", "minLength": 1, "maxLength": limits::FORM_CHARS })
}

/// Every code, for the page.
pub(super) fn codes() -> &'static [Code] {
    Code::ALL
}

/// The arguments of `questions_ask`; `sayso schema interaction` has all of it.
pub(super) fn interaction_arguments(_: &mut SchemaGenerator) -> Schema {
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
