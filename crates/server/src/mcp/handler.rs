//! The protocol's server handler.

use super::asks::Asks;
use super::caller::Caller;
use super::lines::{MALFORMED, TOO_LONG, UNREADABLE};
use super::refusal::Refusal;
use super::tools::Tool;
use super::{Setup, ToolSet, words};
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, CustomRequest, CustomResult, ErrorCode,
    GetPromptRequestParams, GetPromptResponse, Implementation, ListPromptsResult,
    ListResourceTemplatesResult, ListResourcesResult, ListToolsResult, PaginatedRequestParams,
    ReadResourceRequestParams, ReadResourceResponse, ServerCapabilities, ServerConfig,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer, ServerHandler};
use sayso_core::limits;
use sayso_dialects::auq;
use serde_json::{Map, Value};
use std::sync::Arc;
use tokio_util::sync::CancellationToken;

/// JSON object: arguments and results.
pub(super) type Object = Map<String, Value>;

/// Known methods: a call with parameters of another shape gets an error about these, not about an unknown method.
const KNOWN: &[&str] = &["tools/call", "prompts/get", "resources/read"];

/// MCP server of the desk.
#[derive(Clone)]
pub(super) struct Door {
    pub(super) asks: Arc<Asks>,
    /// Cancelled once the host has disconnected.
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
        self.went_on(&caller).await;
        match tool {
            Tool::Ask => self.ask(request, &caller, context).await,
            Tool::Wait => self.wait_for_answer(request, &caller, context).await,
            Tool::List => self.list_asks(given(request), &caller).await.map(complete),
            Tool::Cancel => self.cancel_ask(given(request), &caller).await.map(complete),
            Tool::AskUserQuestions => {
                let answered = self.ask_user_questions(request, &caller, context).await;
                answered.map_err(|refusal| refusal.in_auq(auq::arguments_error, "Error in session"))
            }
            Tool::GetAnsweredQuestions => {
                let fetched = self.get_answered_questions(request, &caller, context).await;
                fetched.map_err(|refusal| refusal.in_auq(auq::fetch_error, "Error fetching answers"))
            }
            Tool::AskUser => self.ask_user(request, &caller, context).await,
        }
    }
}

/// Returns a result in both forms, as some hosts pass on only one of them.
pub(super) fn complete(result: Object) -> CallToolResponse {
    CallToolResult::structured(Value::Object(result)).into()
}

/// Returns the error for an unknown tool. The original of AUQ's tools has another code, and repeats it in the
/// message.
fn unknown(tools: ToolSet, name: &str) -> ErrorData {
    match tools {
        ToolSet::Auq => {
            let code = ErrorCode::METHOD_NOT_FOUND;
            ErrorData::new(code, format!("MCP error {}: Unknown tool: {name}", code.0), None)
        }
        ToolSet::Ask | ToolSet::AskUser | ToolSet::All => {
            ErrorData::invalid_params(format!("Unknown tool: {name}"), None)
        }
    }
}

/// Returns the error for input that isn't JSON.
pub(super) fn unreadable() -> ErrorData {
    ErrorData::parse_error("The request cannot be read as JSON: send it again, mended.", None)
}

impl ServerHandler for Door {
    fn get_info(&self) -> ServerConfig {
        let Setup { tools, auq, .. } = &self.asks.setup;
        let capabilities = if tools.has_ours() {
            ServerCapabilities::builder().enable_tools().enable_prompts().enable_resources().build()
        } else {
            // The prompts and the resources are about the other tools.
            ServerCapabilities::builder().enable_tools().build()
        };
        ServerConfig::new(capabilities)
            .with_server_info(Implementation::new("sayso", env!("CARGO_PKG_VERSION")).with_title("Sayso"))
            .with_instructions(words::instructions(*tools, auq.compat()))
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let Setup { tools, auq, .. } = &self.asks.setup;
        let tools = tools.tools(auq.compat()).into_iter().map(|tool| tool.entry(auq));
        Ok(ListToolsResult::with_all_items(tools.collect()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let Setup { tools, auq, .. } = &self.asks.setup;
        let Some(tool) = tools.named(&request.name, auq.compat()) else {
            return Err(unknown(*tools, &request.name));
        };
        match self.call(tool, request, &context).await {
            Ok(response) => Ok(response),
            Err(refusal) => refusal.answer().map(Into::into),
        }
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
            return Err(unreadable());
        }
        if request.method == MALFORMED {
            return Err(ErrorData::invalid_request(
                "A request has jsonrpc \"2.0\", a method that is text, and params that are an object, if any.",
                None,
            ));
        }
        if request.method == TOO_LONG {
            let most = limits::LINE_BYTES >> 20;
            let said = format!("The request is longer than {most} MiB: make it smaller.");
            return Err(ErrorData::invalid_request(said, None));
        }
        if KNOWN.contains(&request.method.as_str()) {
            return Err(ErrorData::invalid_params(format!("Invalid params for {}", request.method), None));
        }
        let said = format!("Method not found: {}", request.method);
        Err(ErrorData::new(ErrorCode::METHOD_NOT_FOUND, said, None))
    }
}
