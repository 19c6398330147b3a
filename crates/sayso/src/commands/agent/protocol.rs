//! The Agent Client Protocol (version 1) as data: what an agent does and asks, as events and requests of a thread, and a
//! person's decision as its response.
//!
//! **Invariant:** nothing here decides. Without a decision the response is the protocol's "cancelled", never a default.

pub(super) mod form;
pub(super) mod permission;
pub(super) mod session_mode;
pub(super) mod tool_call;

use serde_json::{Value, json};

/// Decision of a person, as the desk returns it to an agent of a thread.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct ThreadDecision {
    /// `answer`, `continue`, `cancel` or `error`.
    pub(super) action: String,
    /// Result in the format of the request.
    pub(super) result: Option<String>,
}

/// Request to ask a person in a thread.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum ThreadRequest {
    /// Call of a tool: an approval, or the questions of `ask_user`.
    Call {
        /// Tool.
        name: String,
        /// Arguments, from the data of the call.
        args: Value,
    },
    /// Request in a dialect.
    Dialect(&'static str, Value),
}

impl ThreadRequest {
    /// Returns the members of the body that asks it under this id.
    pub(super) fn to_body(&self, id: &str) -> Value {
        match self {
            Self::Call { name, args } => json!({ "calls": [{ "id": id, "name": name, "args": args }] }),
            Self::Dialect(dialect, request) => json!({ "id": id, "dialect": dialect, "request": request }),
        }
    }
}

impl ThreadDecision {
    /// Returns the answers of a list of texts.
    fn answers(&self) -> Vec<String> {
        let result = self.result.as_deref().unwrap_or_default();
        serde_json::from_str(result).unwrap_or_default()
    }

    /// Returns the outcome of a questionnaire.
    fn outcome(&self) -> Value {
        let result = self.result.as_deref().unwrap_or_default();
        serde_json::from_str(result).unwrap_or_default()
    }
}

/// Returns the answer to a question in an outcome.
fn answer_in<'o>(outcome: &'o Value, question: &str) -> Option<&'o Value> {
    outcome.get("replies")?.get(question)?.get("answer")
}

/// Returns a member that is a text with more than spaces.
fn text_of<'v>(value: &'v Value, name: &str) -> Option<&'v str> {
    value.get(name).and_then(Value::as_str).filter(|text| !text.trim().is_empty())
}
