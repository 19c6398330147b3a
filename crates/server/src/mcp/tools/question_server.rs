//! Server with the tool `ask_user` alone, for a session of an agent that speaks the Agent Client Protocol: whoever runs
//! the agent asks the questions.

use super::text_tool::text_result;
use super::{McpTool, ToolSet, ask_user};
use crate::mcp::descriptions;
use crate::mcp::desk_client::pending_call::ProgressReporter;
use http::{Request, Response};
use http_body_util::Full;
use http_body_util::combinators::BoxBody;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, Implementation, ListToolsResult,
    PaginatedRequestParams, ServerCapabilities, ServerConfig,
};
use rmcp::service::RequestContext;
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use rmcp::{ErrorData, RoleServer, ServerHandler, ServiceExt as _};
use sayso_dialects::auq::AuqLimits;
use sayso_dialects::interrupt::ASK_USER;
use serde_json::Value;
use std::convert::Infallible;
use std::error::Error;
use std::sync::Arc;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio_util::bytes::Bytes;

/// Name that the server gives itself.
const SERVER_NAME: &str = "sayso";

/// Asks questions, and returns the result for the model, or why there is none.
pub type QuestionHandler = Arc<dyn Fn(Value) -> Result<String, String> + Send + Sync>;

/// Server of one session.
#[derive(Clone)]
struct QuestionServer(QuestionHandler);

impl ServerHandler for QuestionServer {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(Implementation::new(SERVER_NAME, env!("CARGO_PKG_VERSION")).with_title("Sayso"))
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
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        if request.name != ASK_USER {
            return Err(ToolSet::AskUser.unknown_tool_error(&request.name));
        }
        let arguments = request.arguments.unwrap_or_default();
        if let Err(error) = ask_user::read_call(arguments.clone()) {
            return error.to_result().map(Into::into);
        }
        let ask = self.0.clone();
        let questions = arguments.get("questions").cloned().unwrap_or_default();
        let mut progress = ProgressReporter::new(&context, SERVER_NAME);
        tokio::select! {
            result = tokio::task::spawn_blocking(move || ask(questions)) => match result {
                Ok(Ok(text)) => Ok(text_result(text)),
                Ok(Err(reason)) => Ok(error_result(&reason)),
                Err(error) => Ok(error_result(&error.to_string())),
            },
            () = progress.run() => Ok(error_result("The agent has gone.")),
        }
    }
}

fn error_result(reason: &str) -> CallToolResponse {
    CallToolResult::error(vec![ContentBlock::text(reason)]).into()
}

/// Handles a request over HTTP, of a session whose secret was checked.
pub(crate) async fn handle_request(
    ask: QuestionHandler,
    request: Request<Bytes>,
) -> Response<BoxBody<Bytes, Infallible>> {
    // Each request brings all that it needs.
    let options = StreamableHttpServerConfig::default().with_legacy_session_mode(false);
    let sessions = Arc::<NeverSessionManager>::default();
    let service = StreamableHttpService::new(move || Ok(QuestionServer(ask.clone())), sessions, options);
    service.handle(request.map(Full::new)).await
}

/// Serves a connection on which each message is a line, until its input ends.
///
/// # Errors
/// Fails if the other side does not speak the protocol.
pub(crate) async fn serve_lines(
    ask: QuestionHandler,
    input: impl AsyncRead + Send + Unpin + 'static,
    output: impl AsyncWrite + Send + Unpin + 'static,
) -> Result<(), Box<dyn Error + Send + Sync>> {
    QuestionServer(ask).serve((input, output)).await?.waiting().await?;
    Ok(())
}
