//! Server with the tool `ask_user` alone, for one session of an agent that this server runs: the questions are asked
//! where the session is.

use crate::mcp::handler::{JsonMap, unknown_tool_error};
use crate::mcp::tools::text_tool::text_result;
use crate::mcp::tools::{McpTool, ask_user};
use crate::mcp::{ToolSet, descriptions};
use http::{Request, Response};
use http_body_util::Full;
use http_body_util::combinators::BoxBody;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, Implementation, ListToolsResult,
    PaginatedRequestParams, ServerCapabilities, ServerConfig,
};
use rmcp::service::RequestContext;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use rmcp::{ErrorData, RoleServer, ServerHandler};
use sayso_core::limits;
use sayso_dialects::auq::AuqLimits;
use sayso_dialects::interrupt::ASK_USER;
use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use tokio_util::bytes::Bytes;
use tokio_util::sync::CancellationToken;

/// Result for the model, or why there is none.
pub(crate) type PendingAnswer = Pin<Box<dyn Future<Output = Result<String, String>> + Send>>;

/// Asks the questions in these arguments.
pub(crate) type QuestionHandler = Arc<dyn Fn(JsonMap) -> PendingAnswer + Send + Sync>;

/// Server of one session.
#[derive(Clone)]
struct SessionToolServer(QuestionHandler);

impl ServerHandler for SessionToolServer {
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
        Ok(match (self.0)(arguments).await {
            Ok(text) => text_result(text),
            Err(reason) => CallToolResult::error(vec![ContentBlock::text(reason)]).into(),
        })
    }
}

/// Service of one session over streamable HTTP.
pub(crate) struct SessionToolService(StreamableHttpService<SessionToolServer, LocalSessionManager>);

impl SessionToolService {
    pub(crate) fn new(handler: QuestionHandler, closing: CancellationToken) -> Self {
        // The routes check hosts, origins and sizes before.
        let options = StreamableHttpServerConfig::default()
            .disable_allowed_hosts()
            .disable_allowed_origins()
            .with_max_request_body_bytes(limits::REQUEST_BODY_BYTES)
            .with_cancellation_token(closing);
        let server = SessionToolServer(handler);
        Self(StreamableHttpService::new(move || Ok(server.clone()), Arc::default(), options))
    }

    /// Handles a request whose origin, token and size were checked.
    pub(crate) async fn handle(&self, request: Request<Full<Bytes>>) -> Response<BoxBody<Bytes, Infallible>> {
        self.0.handle(request).await
    }
}
