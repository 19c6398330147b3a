//! Server with the tool `ask_user` alone, for a session of an agent that speaks the Agent Client Protocol: whoever runs
//! the agent asks the questions.

use super::text_tool::text_result;
use super::{McpTool, ToolSet, ask_user};
use crate::mcp::descriptions;
use crate::mcp::handler::unknown_tool_error;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, Implementation, ListToolsResult,
    PaginatedRequestParams, ServerCapabilities, ServerConfig,
};
use rmcp::service::RequestContext;
use rmcp::transport::stdio_pipes;
use rmcp::{ErrorData, RoleServer, ServerHandler, ServiceExt as _};
use sayso_core::{Message, Problem, ProblemCode};
use sayso_dialects::auq::AuqLimits;
use sayso_dialects::interrupt::ASK_USER;
use serde_json::Value;
use std::sync::Arc;

/// Asks questions, and returns the result for the model, or why there is none.
pub type QuestionHandler = Arc<dyn Fn(Value) -> Result<String, String> + Send + Sync>;

/// Server of one session.
#[derive(Clone)]
struct QuestionServer(QuestionHandler);

impl ServerHandler for QuestionServer {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(Implementation::new("sayso", env!("CARGO_PKG_VERSION")).with_title("Sayso"))
            .with_instructions(descriptions::instructions(ToolSet::AskUser, AuqLimits::default().compat()))
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(vec![McpTool::AskUser.list_entry(&AuqLimits::default())]))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        if request.name != ASK_USER {
            return Err(unknown_tool_error(ToolSet::AskUser, &request.name));
        }
        let arguments = request.arguments.unwrap_or_default();
        if let Err(error) = ask_user::read_call(arguments.clone()) {
            return error.to_result().map(Into::into);
        }
        let (ask, questions) = (self.0.clone(), arguments.get("questions").cloned().unwrap_or_default());
        let asked = tokio::task::spawn_blocking(move || ask(questions)).await;
        Ok(match asked {
            Ok(Ok(text)) => text_result(text),
            Ok(Err(reason)) => CallToolResult::error(vec![ContentBlock::text(reason)]).into(),
            Err(error) => CallToolResult::error(vec![ContentBlock::text(error.to_string())]).into(),
        })
    }
}

/// Serves the tool on standard streams, until the input ends.
///
/// # Errors
/// Fails if the streams cannot be used, or the agent does not speak the protocol.
pub fn serve_questions(ask: QuestionHandler) -> Result<(), Problem> {
    let failed = |error: &dyn std::fmt::Display| {
        Problem::new(ProblemCode::DeskFailed, Message::McpFailed.with([error.to_string()]))
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| failed(&error))?;
    let served = runtime.block_on(async {
        let (input, output) = stdio_pipes();
        let running = QuestionServer(ask).serve((input, output)).await.map_err(|error| failed(&error))?;
        running.waiting().await.map(drop).map_err(|error| failed(&error))
    });
    // The thread that reads standard input may block for ever, and so may a question.
    runtime.shutdown_background();
    served
}
