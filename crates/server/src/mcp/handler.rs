//! The protocol's server handler.

use super::caller::McpCaller;
use super::error::{CallError, parse_error};
use super::resources::apps;
use super::result::structured_result;
use super::server::McpServer;
use super::tools::{self, McpTool};
use super::transport::line_reader::{MALFORMED, TOO_LONG, UNREADABLE};
use super::{McpConfig, descriptions};
use crate::diagnostics::{Instrument as _, LoggedError as _, log_event, tool_span};
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CancelTaskParams, CustomRequest, CustomResult, ErrorCode,
    GetPromptRequestParams, GetPromptResponse, GetTaskParams, GetTaskResult, Implementation,
    ListPromptsResult, ListResourceTemplatesResult, ListResourcesResult, ListToolsResult,
    PaginatedRequestParams, ReadResourceRequestParams, ReadResourceResponse, ServerCapabilities,
    ServerConfig, UpdateTaskParams,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer, ServerHandler};
use sayso_core::limits;
use sayso_dialects::auq;

/// Known methods: a call with parameters of another shape gets an error about these, not about an unknown method.
const KNOWN_METHODS: &[&str] = &["tools/call", "prompts/get", "resources/read"];

impl McpServer {
    async fn dispatch(
        &self,
        tool: McpTool,
        request: CallToolRequestParams,
        context: &RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, CallError> {
        let features = self.desk_client.setup.host_features;
        let caller = McpCaller::from_context(context).with_allowed_features(features);
        // What the page of an ask calls is no sign of its agent.
        if tool != McpTool::AnswerForm {
            tools::implicit_ack::ack_earlier_answers(self, &caller).await;
        }
        match tool {
            McpTool::Ask => tools::ask::ask(self, request, &caller, context).await,
            McpTool::Wait => tools::pending::wait_for_answer(self, request, &caller, context).await,
            McpTool::List => {
                let arguments = request.arguments.unwrap_or_default();
                tools::pending::list_asks(self, arguments, &caller).await.map(structured_result)
            }
            McpTool::Cancel => {
                let arguments = request.arguments.unwrap_or_default();
                tools::pending::cancel_ask(self, arguments, &caller).await.map(structured_result)
            }
            McpTool::AskUserQuestions => {
                let result = tools::auq::ask_user_questions(self, request, &caller, context).await;
                result.map_err(|error| error.into_auq(auq::arguments_error, "Error in session"))
            }
            McpTool::GetAnsweredQuestions => {
                let result = tools::auq::get_answered_questions(self, request, &caller, context).await;
                result.map_err(|error| error.into_auq(auq::fetch_error, "Error fetching answers"))
            }
            McpTool::AskUser => tools::ask_user::ask_user(self, request, &caller, context).await,
            McpTool::Permission => {
                tools::permission::permission(self, request.arguments.unwrap_or_default(), context).await
            }
            McpTool::AnswerForm => {
                tools::form_answer::answer_form(self, request.arguments.unwrap_or_default()).await
            }
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
        let has_apps = McpCaller::from_context(&context).has_apps;
        let mut listed_tools = tools.tools(auq.compat());
        if has_apps {
            listed_tools.extend(tools.form_tool());
        }
        let mut entries = Vec::new();
        for tool in listed_tools {
            let entry = tool.list_entry(auq);
            entries.push(if has_apps { apps::with_page(entry) } else { entry });
        }
        Ok(ListToolsResult::with_all_items(entries))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let McpConfig { tools, auq_limits: auq, .. } = &self.desk_client.setup;
        let Some(tool) = tools.find(&request.name, auq.compat()) else {
            return Err(tools.unknown_tool_error(&request.name));
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
        match super::prompts::find_prompt(&request.name) {
            Some(prompt) => Ok(prompt.into()),
            None => Err(ErrorData::invalid_params(format!("Unknown prompt: {}", request.name), None)),
        }
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
        let caller = McpCaller::from_context(&context);
        let result = super::resources::read_ask_resource(self, request.uri, &caller).await?;
        Ok(result.into())
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
            let limit_mib = limits::LINE_BYTES >> 20;
            let message = format!("The request is longer than {limit_mib} MiB: make it smaller.");
            return Err(ErrorData::invalid_request(message, None));
        }
        if KNOWN_METHODS.contains(&request.method.as_str()) {
            return Err(ErrorData::invalid_params(format!("Invalid params for {}", request.method), None));
        }
        let message = format!("Method not found: {}", request.method);
        Err(ErrorData::new(ErrorCode::METHOD_NOT_FOUND, message, None))
    }
}
