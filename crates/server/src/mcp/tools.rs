//! List of the tools.

pub(super) mod ask;
pub(super) mod ask_user;
pub(super) mod auq;
mod call_options;
pub(super) mod form_answer;
pub(super) mod implicit_ack;
pub(super) mod pending;
pub(super) mod permission;
pub(crate) mod question_server;
pub(super) mod task;
pub(super) mod text_tool;

use super::arguments::schema;
use super::descriptions;
use super::resources::apps::ANSWER_FORM;
use rmcp::ErrorData;
use rmcp::model::{ErrorCode, JsonObject, MetaObject, Tool as ToolEntry, ToolAnnotations};
use sayso_dialects::auq::{self as dialect, AuqCompat, AuqLimits};
use sayso_dialects::interrupt::ASK_USER;
use serde_json::json;
use std::sync::Arc;

/// Set of tools to offer.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ToolSet {
    /// `ask`, for questionnaires of every kind, and the tools that belong to it.
    #[default]
    Ask,
    /// AUQ's tools, for agents that know them by name.
    Auq,
    /// `ask_user` of the interrupt format, for agents that know it by name.
    AskUser,
    /// The permission prompt tool of Claude Code, which its program calls and not its model.
    Permission,
    /// All tools of agents.
    All,
}

/// Tool of the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum McpTool {
    Ask,
    Wait,
    List,
    Cancel,
    AskUserQuestions,
    GetAnsweredQuestions,
    AskUser,
    Permission,
    AnswerForm,
}

const SAYSO_TOOLS: [McpTool; 4] = [McpTool::Ask, McpTool::Wait, McpTool::List, McpTool::Cancel];

impl ToolSet {
    /// Returns whether the set has `ask` and the tools that belong to it.
    pub(super) const fn has_sayso_tools(self) -> bool {
        matches!(self, Self::Ask | Self::All)
    }

    /// Returns the tools in the order of the list. Only AUQ's later generation has a tool that fetches answers.
    pub(super) fn tools(self, compat: AuqCompat) -> Vec<McpTool> {
        let mut tools = Vec::new();
        if self.has_sayso_tools() {
            tools.extend(SAYSO_TOOLS);
        }
        if matches!(self, Self::Auq | Self::All) {
            tools.push(McpTool::AskUserQuestions);
            if compat == AuqCompat::V3_4 {
                tools.push(McpTool::GetAnsweredQuestions);
            }
        }
        if matches!(self, Self::AskUser | Self::All) {
            tools.push(McpTool::AskUser);
        }
        if self == Self::Permission {
            tools.push(McpTool::Permission);
        }
        tools
    }

    /// Returns the tool that the page of an ask calls, for hosts that show it.
    pub(super) fn form_tool(self) -> Option<McpTool> {
        self.has_sayso_tools().then_some(McpTool::AnswerForm)
    }

    /// Returns the tool with this name.
    pub(super) fn find(self, name: &str, compat: AuqCompat) -> Option<McpTool> {
        self.tools(compat).into_iter().chain(self.form_tool()).find(|tool| tool.name() == name)
    }

    /// Returns the error for an unknown tool. The original of AUQ's tools has another code, and repeats it in the
    /// message.
    pub(super) fn unknown_tool_error(self, name: &str) -> ErrorData {
        match self {
            Self::Auq => {
                let code = ErrorCode::METHOD_NOT_FOUND;
                ErrorData::new(code, format!("MCP error {}: Unknown tool: {name}", code.0), None)
            }
            Self::Ask | Self::AskUser | Self::Permission | Self::All => {
                ErrorData::invalid_params(format!("Unknown tool: {name}"), None)
            }
        }
    }
}

impl McpTool {
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Ask => "ask",
            Self::Wait => "wait_for_answer",
            Self::List => "list_asks",
            Self::Cancel => "cancel_ask",
            Self::AskUserQuestions => dialect::TOOL,
            Self::GetAnsweredQuestions => dialect::FETCH_TOOL,
            Self::AskUser => ASK_USER,
            Self::Permission => permission::PERMISSION,
            Self::AnswerForm => ANSWER_FORM,
        }
    }

    /// Returns the tool's entry in the list.
    pub(super) fn list_entry(self, limits: &AuqLimits) -> ToolEntry {
        let hints = ToolAnnotations::new()
            .read_only(self == Self::List)
            .destructive(self == Self::Cancel)
            .idempotent(true)
            // The tools only reach the desk and its person. Some hosts forbid asking with tools that are open to the
            // world.
            .open_world(false);
        let (title, description, input, output) = match self {
            Self::Ask => (
                "Ask a person",
                descriptions::ASK,
                schema::listed_ask::listed_ask_input(),
                schema::ask_output(),
            ),
            Self::Wait => {
                ("Wait for a person's answer", descriptions::WAIT, schema::wait_input(), schema::ask_output())
            }
            Self::List => {
                ("List your questions", descriptions::LIST, schema::list_input(), schema::list_output())
            }
            Self::Cancel => {
                ("Cancel a question", descriptions::CANCEL, schema::cancel_input(), schema::ask_output())
            }
            Self::AskUserQuestions => return auq::tool_entry(&dialect::tool(limits)),
            Self::GetAnsweredQuestions => return auq::tool_entry(&dialect::fetch_tool()),
            Self::AskUser => return ask_user::tool_entry(hints),
            Self::Permission => return permission::tool_entry(hints),
            Self::AnswerForm => return form_answer::tool_entry(hints),
        };
        let entry = ToolEntry::new(self.name(), description, Arc::new(input))
            .with_title(title)
            .with_raw_output_schema(Arc::new(output))
            .with_annotations(hints);
        // Hosts that search for tools on demand must always load these two: the second one recovers lost answers.
        if matches!(self, Self::Ask | Self::Wait) { entry.with_meta(always_load()) } else { entry }
    }
}

fn always_load() -> MetaObject {
    let mut meta = JsonObject::new();
    meta.insert("anthropic/alwaysLoad".to_owned(), json!(true));
    MetaObject(meta)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mcp::descriptions;

    #[test]
    fn no_tool_asks_for_approval() {
        for tool in [McpTool::Ask, McpTool::Wait, McpTool::List, McpTool::AskUser] {
            let hints = tool.list_entry(&AuqLimits::default()).annotations.unwrap();
            assert_eq!([hints.open_world_hint, hints.destructive_hint], [Some(false); 2], "{tool:?}");
        }
    }

    #[test]
    fn descriptions_promise_no_retention_time() {
        for tool in SAYSO_TOOLS {
            let entry = tool.list_entry(&AuqLimits::default());
            assert!(!entry.description.as_deref().unwrap_or_default().contains(" days"), "{}", entry.name);
        }
    }

    #[test]
    fn instructions_fit_host_limit() {
        for compat in AuqCompat::ALL {
            for set in [ToolSet::Ask, ToolSet::Auq, ToolSet::AskUser, ToolSet::Permission, ToolSet::All] {
                let length = descriptions::instructions(set, compat).chars().count();
                assert!((1..=2_000).contains(&length), "{set:?} {compat:?}: {length}");
            }
            for tool in ToolSet::All.tools(compat) {
                let entry = tool.list_entry(&AuqLimits::from_compat(compat));
                let length = entry.description.as_deref().unwrap_or_default().chars().count();
                assert!((1..=2_000).contains(&length), "{}: {length}", entry.name);
            }
        }
    }
}
