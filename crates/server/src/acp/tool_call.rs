//! Calls of tools of an agent's session, collected from its updates.

use super::message::AgentUpdate;
use agent_client_protocol::v1::schema::{
    Diff, ToolCall, ToolCallContent, ToolCallStatus, ToolCallUpdateFields, ToolKind,
};
use serde_json::Value;
use std::collections::HashMap;

/// Most characters of a tool's name.
const NAME_CHARS: usize = 100;

/// Most calls that are remembered at once.
const MAX_CALLS: usize = 1_000;

/// Call of a tool, as its updates describe it so far.
#[derive(Debug, Clone, Default)]
pub(crate) struct ToolCallState {
    kind: ToolKind,
    title: String,
    name: Option<String>,
    /// Arguments, as the agent's model wrote them.
    pub(crate) raw_input: Option<Value>,
    content: Vec<ToolCallContent>,
    /// Paths that the call touches.
    pub(crate) paths: Vec<String>,
    /// Name under which its start was reported.
    running: Option<String>,
}

impl ToolCallState {
    fn update(&mut self, fields: ToolCallUpdateFields) {
        let ToolCallUpdateFields { kind, title, name, content, locations, raw_input, .. } = fields;
        self.kind = kind.unwrap_or(self.kind);
        self.title = title.unwrap_or(std::mem::take(&mut self.title));
        self.name = name.or(self.name.take());
        self.content = content.unwrap_or(std::mem::take(&mut self.content));
        self.raw_input = raw_input.or(self.raw_input.take());
        if let Some(locations) = locations {
            self.paths = locations.into_iter().map(|place| place.path.display().to_string()).collect();
        }
    }

    /// Returns the kind of the tool.
    pub(crate) const fn kind(&self) -> ToolKind {
        self.kind
    }

    /// Returns the agent's own words about the call.
    pub(crate) fn title(&self) -> &str {
        &self.title
    }

    /// Returns the changes of files that the call describes.
    pub(crate) fn diffs(&self) -> Vec<&Diff> {
        let mut found = Vec::new();
        for content in &self.content {
            if let ToolCallContent::Diff(diff) = content {
                found.push(diff);
            }
        }
        found
    }

    /// Returns the name of the tool: the same in reports of its run and in an approval.
    pub(crate) fn tool_name(&self) -> String {
        let by_kind = match self.kind {
            ToolKind::Execute => Some("execute"),
            ToolKind::Edit => Some(if self.creates_file() { "write_file" } else { "edit_file" }),
            _ => None,
        };
        let name = by_kind.or(self.name.as_deref()).unwrap_or(&self.title);
        let name: String = name.lines().next().unwrap_or_default().chars().take(NAME_CHARS).collect();
        if name.trim().is_empty() { "tool".to_owned() } else { name }
    }

    fn creates_file(&self) -> bool {
        matches!(self.diffs().as_slice(), [diff] if diff.old_text.is_none())
    }
}

/// Calls of tools of a session that have not ended.
#[derive(Debug, Default)]
pub(crate) struct ToolCalls(HashMap<String, ToolCallState>);

impl ToolCalls {
    /// Records a new call, and returns what to report of it.
    pub(crate) fn begin(&mut self, call: ToolCall) -> Vec<AgentUpdate> {
        let ToolCall { tool_call_id, title, name, kind, status, content, locations, raw_input, .. } = call;
        let fields = ToolCallUpdateFields::new()
            .title(title)
            .name(name)
            .kind(kind)
            .status(status)
            .content(content)
            .locations(locations)
            .raw_input(raw_input);
        self.change(&tool_call_id.0, fields)
    }

    /// Records the change of a call, and returns what to report of it.
    pub(crate) fn change(&mut self, id: &str, fields: ToolCallUpdateFields) -> Vec<AgentUpdate> {
        let status = fields.status;
        let mut call = self.merge(id, fields);
        let mut updates = Vec::new();
        let has_ended = matches!(status, Some(ToolCallStatus::Completed | ToolCallStatus::Failed));
        // A call that fails without having begun was rejected.
        let has_begun = matches!(status, Some(ToolCallStatus::Completed | ToolCallStatus::InProgress));
        if call.running.is_none() && has_begun {
            let name = call.tool_name();
            updates.push(AgentUpdate::ToolStart(name.clone()));
            call.running = Some(name);
        }
        if has_ended {
            updates.extend(call.running.map(AgentUpdate::ToolEnd));
            self.0.remove(id);
        } else if let Some(known) = self.0.get_mut(id) {
            known.running = call.running;
        }
        updates
    }

    /// Records the change of a call, and returns all that is known of it.
    pub(crate) fn merge(&mut self, id: &str, fields: ToolCallUpdateFields) -> ToolCallState {
        if self.0.len() >= MAX_CALLS && !self.0.contains_key(id) {
            // An agent that ends no call is not remembered further.
            let mut call = ToolCallState::default();
            call.update(fields);
            return call;
        }
        let call = self.0.entry(id.to_owned()).or_default();
        call.update(fields);
        call.clone()
    }
}
