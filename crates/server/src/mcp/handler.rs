//! The protocol's server handler.

use super::apps;
use super::caller::McpCaller;
use super::desk_client::DeskClient;
use super::error::CallError;
use super::tools::{self, McpTool};
use super::transport::line_reader::{MALFORMED, TOO_LONG, UNREADABLE};
use super::{McpConfig, ToolSet, descriptions};
use crate::diagnostics::{Instrument as _, LoggedError as _, log_event, tool_span};
use crate::notify::change_notifier::ChangeNotifier;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, CancelTaskParams, CustomRequest, CustomResult,
    ErrorCode, GetPromptRequestParams, GetPromptResponse, GetTaskParams, GetTaskResult, Implementation,
    ListPromptsResult, ListResourceTemplatesResult, ListResourcesResult, ListToolsResult,
    PaginatedRequestParams, ReadResourceRequestParams, ReadResourceResponse, ServerCapabilities,
    ServerConfig, UpdateTaskParams,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer, ServerHandler};
use sayso_core::limits;
use sayso_dialects::auq;
use serde_json::{Map, Value};
use std::sync::Arc;
use tokio_util::sync::CancellationToken;

/// JSON object: arguments and results.
pub(super) type JsonMap = Map<String, Value>;

/// Known methods: a call with parameters of another shape gets an error about these, not about an unknown method.
const KNOWN_METHODS: &[&str] = &["tools/call", "prompts/get", "resources/read"];

/// MCP server of the desk.
#[derive(Clone)]
pub(super) struct McpServer {
    pub(super) desk_client: Arc<DeskClient>,
    /// Cancelled once the host has disconnected.
    pub(super) disconnected: CancellationToken,
}

impl McpServer {
    pub(super) fn new(setup: McpConfig, notifier: Arc<ChangeNotifier>, gone: CancellationToken) -> Self {
        Self { desk_client: Arc::new(DeskClient::new(setup, notifier)), disconnected: gone }
    }

    async fn dispatch(
        &self,
        tool: McpTool,
        request: CallToolRequestParams,
        context: &RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, CallError> {
        let allowed = self.desk_client.setup.host_features;
        let caller = McpCaller::from_context(context).with_allowed_features(allowed);
        let arguments = |request: CallToolRequestParams| request.arguments.unwrap_or_default();
        // What the page of an ask calls is no sign of its agent.
        if tool != McpTool::AnswerForm {
            tools::implicit_ack::ack_earlier_answers(self, &caller).await;
        }
        match tool {
            McpTool::Ask => tools::ask::ask(self, request, &caller, context).await,
            McpTool::Wait => tools::pending::wait_for_answer(self, request, &caller, context).await,
            McpTool::List => {
                tools::pending::list_asks(self, arguments(request), &caller).await.map(structured_result)
            }
            McpTool::Cancel => {
                tools::pending::cancel_ask(self, arguments(request), &caller).await.map(structured_result)
            }
            McpTool::AskUserQuestions => {
                let answered = tools::auq::ask_user_questions(self, request, &caller, context).await;
                answered.map_err(|refusal| refusal.into_auq(auq::arguments_error, "Error in session"))
            }
            McpTool::GetAnsweredQuestions => {
                let fetched = tools::auq::get_answered_questions(self, request, &caller, context).await;
                fetched.map_err(|refusal| refusal.into_auq(auq::fetch_error, "Error fetching answers"))
            }
            McpTool::AskUser => tools::ask_user::ask_user(self, request, &caller, context).await,
            McpTool::Permission => tools::permission::permission(self, arguments(request), context).await,
            McpTool::AnswerForm => tools::form_answer::answer_form(self, arguments(request)).await,
        }
    }
}

/// Logs why a tool call has no result.
fn log_refusal(error: &CallError) {
    match error.code() {
        Some(code) => log_event!(INFO, Mcp, "tool call refused", code = code),
        None => log_event!(INFO, Mcp, "caller gone; the ask stays open"),
    }
}

/// Returns a result in both forms, as some hosts pass on only one of them.
pub(super) fn structured_result(result: JsonMap) -> CallToolResponse {
    CallToolResult::structured(Value::Object(result)).into()
}

/// Returns the error for an unknown tool. The original of AUQ's tools has another code, and repeats it in the
/// message.
pub(super) fn unknown_tool_error(tools: ToolSet, name: &str) -> ErrorData {
    match tools {
        ToolSet::Auq => {
            let code = ErrorCode::METHOD_NOT_FOUND;
            ErrorData::new(code, format!("MCP error {}: Unknown tool: {name}", code.0), None)
        }
        ToolSet::Ask | ToolSet::AskUser | ToolSet::Permission | ToolSet::All => {
            ErrorData::invalid_params(format!("Unknown tool: {name}"), None)
        }
    }
}

/// Returns the error for input that isn't JSON.
pub(super) fn parse_error() -> ErrorData {
    ErrorData::parse_error("The request cannot be read as JSON: send it again, mended.", None)
}

impl ServerHandler for McpServer {
    fn get_info(&self) -> ServerConfig {
        let McpConfig { tools, auq_limits: auq, .. } = &self.desk_client.setup;
        let capabilities = if tools.has_sayso_tools() {
            ServerCapabilities::builder()
                .enable_tools()
                .enable_prompts()
                .enable_resources()
                .enable_tasks()
                .build()
        } else {
            // The prompts and the resources are about the other tools.
            ServerCapabilities::builder().enable_tools().build()
        };
        ServerConfig::new(capabilities)
            .with_server_info(Implementation::new("sayso", env!("CARGO_PKG_VERSION")).with_title("Sayso"))
            .with_instructions(descriptions::instructions(*tools, auq.compat()))
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let McpConfig { tools, auq_limits: auq, .. } = &self.desk_client.setup;
        let listed = tools.tools(auq.compat()).into_iter().map(|tool| tool.list_entry(auq));
        if !McpCaller::from_context(&context).has_apps {
            return Ok(ListToolsResult::with_all_items(listed.collect()));
        }
        let form = tools.form_tool().map(|tool| tool.list_entry(auq));
        Ok(ListToolsResult::with_all_items(listed.chain(form).map(apps::with_page).collect()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let McpConfig { tools, auq_limits: auq, .. } = &self.desk_client.setup;
        let Some(tool) = tools.find(&request.name, auq.compat()) else {
            return Err(unknown_tool_error(*tools, &request.name));
        };
        let span = tool_span(tool.name());
        match self.dispatch(tool, request, &context).instrument(span.clone()).await {
            Ok(response) => Ok(response),
            Err(error) => {
                span.in_scope(|| log_refusal(&error));
                error.to_result().map(Into::into)
            }
        }
    }

    async fn list_prompts(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        Ok(super::prompts::list_prompts())
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        super::prompts::find_prompt(&request.name)
            .map(Into::into)
            .ok_or_else(|| ErrorData::invalid_params(format!("Unknown prompt: {}", request.name), None))
    }

    async fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        super::resources::list_asks_as_resources(self, &McpCaller::from_context(&context)).await
    }

    async fn list_resource_templates(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        Ok(super::resources::list_templates())
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        super::resources::read_ask_resource(self, request.uri, &McpCaller::from_context(&context))
            .await
            .map(Into::into)
    }

    async fn get_task(
        &self,
        request: GetTaskParams,
        context: RequestContext<RoleServer>,
    ) -> Result<GetTaskResult, ErrorData> {
        tools::task::task_state(self, request.task_id, &McpCaller::from_context(&context)).await
    }

    /// Accepts responses to requests within a task. None of ours makes any.
    async fn update_task(&self, _: UpdateTaskParams, _: RequestContext<RoleServer>) -> Result<(), ErrorData> {
        Ok(())
    }

    async fn cancel_task(
        &self,
        request: CancelTaskParams,
        context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        tools::task::end_task(self, request.task_id, &McpCaller::from_context(&context)).await
    }

    async fn on_custom_request(
        &self,
        request: CustomRequest,
        _: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        if request.method == UNREADABLE {
            return Err(parse_error());
        }
        if request.method == MALFORMED {
            return Err(ErrorData::invalid_request(
                "A request has jsonrpc \"2.0\", a method that is text, and params that are an object, if any.",
                None,
            ));
        }
        if request.method == TOO_LONG {
            let most = limits::LINE_BYTES >> 20;
            let message = format!("The request is longer than {most} MiB: make it smaller.");
            return Err(ErrorData::invalid_request(message, None));
        }
        if KNOWN_METHODS.contains(&request.method.as_str()) {
            return Err(ErrorData::invalid_params(format!("Invalid params for {}", request.method), None));
        }
        let message = format!("Method not found: {}", request.method);
        Err(ErrorData::new(ErrorCode::METHOD_NOT_FOUND, message, None))
    }
}
