//! The server as the protocol sees it.

use super::asks::Asks;
use super::caller::Caller;
use super::lines::{MALFORMED, UNREADABLE};
use super::refusal::Refusal;
use super::tools::Tool;
use super::{Setup, words};
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, CustomRequest, CustomResult, ErrorCode,
    GetPromptRequestParams, GetPromptResponse, Implementation, ListPromptsResult,
    ListResourceTemplatesResult, ListResourcesResult, ListToolsResult, PaginatedRequestParams,
    ReadResourceRequestParams, ReadResourceResponse, ServerCapabilities, ServerConfig,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer, ServerHandler};
use serde_json::{Map, Value};
use std::sync::Arc;
use tokio_util::sync::CancellationToken;

/// A JSON object: arguments and results.
pub(super) type Object = Map<String, Value>;

/// Methods that are known here; whoever calls them with parameters of another shape hears of that, and not that there is
/// no such method.
const KNOWN: &[&str] = &["tools/call", "prompts/get", "resources/read"];

/// The door for hosts that speak MCP.
#[derive(Clone)]
pub(super) struct Door {
    pub(super) asks: Arc<Asks>,
    /// Nobody is connected any more.
    pub(super) gone: CancellationToken,
}

impl Door {
    pub(super) fn new(setup: Setup, gone: CancellationToken) -> Self {
        Self { asks: Arc::new(Asks::new(setup)), gone }
    }

    async fn call(
        &self,
        tool: Tool,
        request: CallToolRequestParams,
        context: &RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, Refusal> {
        let caller = Caller::of(context);
        let given = |request: CallToolRequestParams| request.arguments.unwrap_or_default();
        match tool {
            Tool::Ask => self.ask(request, &caller, context).await,
            Tool::Wait => self.wait_for_answer(request, &caller, context).await,
            Tool::List => self.list_asks(given(request), &caller).await.map(complete),
            Tool::Cancel => self.cancel_ask(given(request), &caller).await.map(complete),
        }
    }
}

/// A result, the same in both forms: some hosts pass on only the one, some only the other.
pub(super) fn complete(result: Object) -> CallToolResponse {
    CallToolResult::structured(Value::Object(result)).into()
}

impl ServerHandler for Door {
    fn get_info(&self) -> ServerConfig {
        let capabilities =
            ServerCapabilities::builder().enable_tools().enable_prompts().enable_resources().build();
        ServerConfig::new(capabilities)
            .with_server_info(Implementation::new("sayso", env!("CARGO_PKG_VERSION")).with_title("Sayso"))
            .with_instructions(words::INSTRUCTIONS)
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let tools = self.asks.setup.tools.tools().iter().map(|tool| tool.entry()).collect();
        Ok(ListToolsResult::with_all_items(tools))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let Some(tool) = self.asks.setup.tools.named(&request.name) else {
            return Err(ErrorData::invalid_params(format!("Unknown tool: {}", request.name), None));
        };
        Ok(self.call(tool, request, &context).await.unwrap_or_else(|refusal| refusal.result().into()))
    }

    async fn list_prompts(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        Ok(super::prompts::list())
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        super::prompts::get(&request.name)
            .map(Into::into)
            .ok_or_else(|| ErrorData::invalid_params(format!("Unknown prompt: {}", request.name), None))
    }

    async fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        self.resources(&Caller::of(&context)).await
    }

    async fn list_resource_templates(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        Ok(super::resources::templates())
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        self.resource(request.uri, &Caller::of(&context)).await.map(Into::into)
    }

    async fn on_custom_request(
        &self,
        request: CustomRequest,
        _: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        if request.method == UNREADABLE {
            return Err(ErrorData::parse_error(
                "The request cannot be read as JSON: send it again, mended.",
                None,
            ));
        }
        if request.method == MALFORMED {
            return Err(ErrorData::invalid_request(
                "A request has jsonrpc \"2.0\", a method that is text, and params that are an object, if any.",
                None,
            ));
        }
        if KNOWN.contains(&request.method.as_str()) {
            return Err(ErrorData::invalid_params(format!("Invalid params for {}", request.method), None));
        }
        Err(ErrorData::new(ErrorCode::METHOD_NOT_FOUND, request.method, None))
    }
}
