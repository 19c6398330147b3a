//! Tool `ask_user` of the interrupt format: takes questions and returns the answers as a list of texts in their order
//! (resume-api 3.1).

use super::text_tool::{self, ParsedCall, TextTool};
use crate::mcp::arguments::schema::{inline_refs, validation};
use crate::mcp::caller::McpCaller;
use crate::mcp::descriptions;
use crate::mcp::error::CallError;
use crate::mcp::result::JsonMap;
use crate::mcp::server::McpServer;
use rmcp::RoleServer;
use rmcp::model::{CallToolRequestParams, CallToolResponse, Tool, ToolAnnotations};
use rmcp::service::RequestContext;
use sayso_dialects::interrupt::{ASK_USER, tool_result};
use sayso_dialects::{Dialect, DialectLimits, SchemaFormat, SchemaPart};
use serde_json::{Value, json};
use std::sync::Arc;

/// Definition of the tool. Its questions belong to no tool call of an agent, so no result needs a call id.
const TEXT_TOOL: TextTool = TextTool {
    dialect: Dialect::Interrupt,
    form: "ask_user mcp",
    write_outcome: |_, questionnaire, outcome| tool_result(questionnaire, outcome, "").unwrap_or_default(),
    write_unanswered: |_, _| descriptions::ASK_USER_UNANSWERED.to_owned(),
};

/// The only member that the tool takes. An interrupt with other members asks for a decision.
const QUESTIONS: &str = "questions";

/// Returns the tool's entry in the list.
pub(crate) fn tool_entry(hints: ToolAnnotations) -> Tool {
    let tool = published_tool();
    let description = tool.get("description").and_then(Value::as_str).unwrap_or_default().to_owned();
    Tool::new(ASK_USER, description, Arc::new(input_schema_of(&tool)))
        .with_title("Ask the user")
        .with_annotations(hints)
}

fn published_tool() -> Value {
    let schema =
        Dialect::Interrupt.schema(SchemaPart::Request, SchemaFormat::Tool, &DialectLimits::default());
    serde_json::from_str(&schema.unwrap_or_default()).unwrap_or_default()
}

/// Returns the schema of the arguments.
pub(crate) fn input_schema() -> JsonMap {
    input_schema_of(&published_tool())
}

fn input_schema_of(tool: &Value) -> JsonMap {
    let properties = inline_refs::inlined_properties(tool.get("input_schema").unwrap_or(&Value::Null));
    let mut schema = JsonMap::new();
    schema.insert("type".to_owned(), json!("object"));
    schema.insert("properties".to_owned(), Value::Object(properties));
    schema.insert("required".to_owned(), json!([QUESTIONS]));
    schema
}

pub(crate) async fn ask_user(
    server: &McpServer,
    request: CallToolRequestParams,
    caller: &McpCaller,
    context: &RequestContext<RoleServer>,
) -> Result<CallToolResponse, CallError> {
    text_tool::ask_for_text(server, &TEXT_TOOL, read_call, request, caller, context).await
}

/// Reads the arguments of a call as a questionnaire.
///
/// # Errors
/// Returns every problem of its questions.
pub(crate) fn read_call(mut arguments: JsonMap) -> Result<ParsedCall, CallError> {
    let questions = arguments.shift_remove(QUESTIONS).unwrap_or_default();
    let is_missing = questions.is_null();
    match Dialect::Interrupt.read(&json!({ QUESTIONS: questions }), &DialectLimits::default()) {
        Ok(request) => Ok(ParsedCall { questionnaire: request.questionnaire, waits: true }),
        Err(problems) => {
            let schema = input_schema();
            let mut problems = validation::with_hints(&schema, problems);
            // Unknown members are only reported if the questions are missing.
            if is_missing {
                problems.extend(validation::unknown_names(&schema, &arguments));
            }
            Err(CallError::from_problems(problems))
        }
    }
}
