//! Tool `ask_user` of the interrupt format: takes questions and returns the answers as a list of texts in their order
//! (resume-api 3.1).

use super::caller::Caller;
use super::handler::{Door, Object};
use super::refusal::Refusal;
use super::text_tool::{Understood, Words};
use super::{flat, lacking, words};
use rmcp::RoleServer;
use rmcp::model::{CallToolRequestParams, CallToolResponse, Tool, ToolAnnotations};
use rmcp::service::RequestContext;
use sayso_dialects::interrupt::{ASK_USER, tool_result};
use sayso_dialects::{Dialect, Form, Limits, Part};
use serde_json::{Value, json};
use std::sync::Arc;

/// Definition of the tool. Its questions belong to no tool call of an agent, so no result needs a call id.
const WORDS: Words = Words {
    dialect: Dialect::Interrupt,
    kept_as: "ask_user mcp",
    settled: |_, questionnaire, outcome| tool_result(questionnaire, outcome, "").unwrap_or_default(),
    unanswered: |_, _| words::ASK_USER_UNANSWERED.to_owned(),
};

/// The only member that the tool takes. An interrupt with other members asks for a decision.
const QUESTIONS: &str = "questions";

/// Returns the tool's entry in the list.
pub(super) fn entry(hints: ToolAnnotations) -> Tool {
    let tool = published();
    let description = tool.get("description").and_then(Value::as_str).unwrap_or_default().to_owned();
    Tool::new(ASK_USER, description, Arc::new(input_of(&tool)))
        .with_title("Ask the user")
        .with_annotations(hints)
}

fn published() -> Value {
    let published = Dialect::Interrupt.schema(Part::Request, Form::Tool, &Limits::default());
    serde_json::from_str(&published.unwrap_or_default()).unwrap_or_default()
}

/// Returns the schema of the arguments.
pub(super) fn input() -> Object {
    input_of(&published())
}

fn input_of(tool: &Value) -> Object {
    let properties = flat::properties(tool.get("input_schema").unwrap_or(&Value::Null));
    let input =
        [("type", json!("object")), ("properties", json!(properties)), ("required", json!([QUESTIONS]))];
    input.map(|(name, value)| (name.to_owned(), value)).into_iter().collect()
}

impl Door {
    pub(super) async fn ask_user(
        &self,
        request: CallToolRequestParams,
        caller: &Caller,
        context: &RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, Refusal> {
        self.ask_for_text(&WORDS, read, request, caller, context).await
    }
}

/// Reads a call.
///
/// # Errors
/// Returns every problem of its questions.
fn read(mut given: Object) -> Result<Understood, Refusal> {
    let questions = given.shift_remove(QUESTIONS).unwrap_or_default();
    let text = json!({ QUESTIONS: questions }).to_string();
    let read = Dialect::Interrupt.read(&text, &Limits::default());
    let read = read.map_err(|problems| {
        let input = input();
        // Unknown members are only reported if the questions are missing.
        let misnamed = lacking::unknown(&input, &given).filter(|_| questions.is_null());
        Refusal::Wrong([lacking::told(&input, problems), misnamed.collect()].concat(), Vec::new())
    })?;
    Ok(Understood { questionnaire: read.questionnaire, waits: true })
}
