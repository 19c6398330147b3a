//! The tool `get_answered_questions` (3.4), which returns answers later, and the text for a call that stops waiting.

use super::limits::AuqCompat;
use super::messages::{CALL_AGAIN, submitted_text};
use super::tool_arguments_error;
use crate::lenient::validator::{LazyPlace, RequestValidator};
use crate::lenient::wording;
use crate::lenient::{self, lenient_objects};
use sayso_core::model::validation_rules::LengthUnit;
use sayso_core::wire::json::JsonSource;
use sayso_core::{AskId, Problem, Questionnaire};
use serde_json::{Value, json};

/// The name of the tool.
pub const FETCH_TOOL: &str = "get_answered_questions";

const ABOUT: &str = "\
Brings the answers to questions that were put with ask_user_questions and not answered at once: call it with the session \
that its result names. It can be called again at any time and gives the same answers again. Silence is no answer: while \
the status is pending, do other work or wait with blocking, and do not go on as if the user had answered.";

/// Arguments of the tool.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AuqFetchRequest {
    /// The session: its id, or its first characters.
    pub session_id: String,
    /// Set if the call waits for the answers.
    pub blocking: bool,
}

lenient_objects! {
    AuqFetchDocument {
        session_id: "session_id" => String,
        blocking: "blocking" => bool,
    }
}

/// Reads the arguments of the tool.
///
/// # Errors
/// Returns `invalid_json`, or every issue of the schema in its order with the messages of Zod 4.
pub fn read_fetch<'t>(json: impl Into<JsonSource<'t>>) -> Result<AuqFetchRequest, Vec<Problem>> {
    let request = lenient::read::<AuqFetchDocument>(json)?;
    let mut judge = RequestValidator::new(wording::zod4);
    let mut fetch = AuqFetchRequest::default();
    if let Some(request) = judge.required(request, LazyPlace::Root) {
        let place = LazyPlace::Root.member("session_id");
        if let Some(id) = judge.required(request.session_id, place) {
            judge.check_length(&id, (1, usize::MAX), LengthUnit::Scalar, place);
            fetch.session_id = id;
        }
        let blocking = judge.optional(request.blocking, LazyPlace::Root.member("blocking"));
        fetch.blocking = blocking.unwrap_or_default();
    }
    judge.finish()?;
    Ok(fetch)
}

/// Returns the message of the JSON-RPC error −32602 for a call of this tool with these problems.
pub fn fetch_error(problems: &[Problem]) -> String {
    tool_arguments_error(FETCH_TOOL, problems)
}

/// Returns the entry of the tool in `tools/list`.
pub fn fetch_tool() -> Value {
    json!({
        "name": FETCH_TOOL,
        "description": ABOUT,
        "annotations": {
            "title": "Get Answered Questions",
            "readOnlyHint": true,
            "idempotentHint": true,
            "openWorldHint": false,
        },
        "inputSchema": {
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": "GetAnsweredQuestionsArgsSchema",
            "description": "Whose answers to bring.",
            "type": "object",
            "properties": {
                "session_id": {
                    "description": "The session that ask_user_questions named: its first 8 characters, or the whole id.",
                    "type": "string",
                    "minLength": 1,
                    "examples": ["a3f2e8b1"],
                },
                "blocking": {
                    "description": "Set to true to wait for the answers. Default: false (say where the session stands)",
                    "type": "boolean",
                    "default": false,
                },
            },
            "required": ["session_id"],
        },
    })
}

/// Returns the text for a call of `ask_user_questions` that can wait no longer. In 3.4 it equals the text for an asker
/// that does not wait. The spec's generation has no tool to fetch the answers: there a repeated call resumes waiting.
pub fn pending_text(ask: AskId, questionnaire: &Questionnaire) -> String {
    match AuqCompat::from_questionnaire(questionnaire) {
        AuqCompat::Spec => CALL_AGAIN.to_owned(),
        AuqCompat::V3_4 => submitted_text(ask, questionnaire.questions.len()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reader_agrees_with_the_schema() {
        let schema = jsonschema::draft202012::new(&fetch_tool()["inputSchema"]).unwrap();
        for (text, read) in [
            (r#"{"session_id":"a"}"#, Some(("a", false))),
            (r#"{"session_id":"a","blocking":true,"more":1}"#, Some(("a", true))),
            (r#"{"session_id":""}"#, None),
            (r#"{"session_id":"a","blocking":null}"#, None),
            (r#"{"session_id":5}"#, None),
            ("{}", None),
            ("[]", None),
        ] {
            assert_eq!(schema.is_valid(&serde_json::from_str(text).unwrap()), read.is_some(), "{text}");
            let ours = read_fetch(text).ok();
            assert_eq!(ours.as_ref().map(|it| (it.session_id.as_str(), it.blocking)), read, "{text}");
        }
    }
}
