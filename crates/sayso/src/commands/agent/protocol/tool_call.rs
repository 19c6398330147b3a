//! Calls of tools of an agent's session, collected from its updates.

use super::text_of;
use serde_json::{Map, Value, json};
use std::collections::HashMap;

/// Most characters of a tool's name.
const NAME_CHARS: usize = 100;

/// Most calls that are remembered at once.
const MAX_CALLS: usize = 1_000;

/// Call of a tool, as its updates describe it so far.
#[derive(Debug, Clone, Default)]
pub(in crate::commands::agent) struct ToolCallState {
    members: Map<String, Value>,
    /// Name under which its start was reported.
    running: Option<String>,
}

impl ToolCallState {
    /// Replaces the members that an update has.
    fn update(&mut self, update: &Value) {
        for (name, value) in update.as_object().into_iter().flatten() {
            if !value.is_null() {
                self.members.insert(name.clone(), value.clone());
            }
        }
    }

    /// Returns a member that is there.
    pub(in crate::commands::agent) fn get(&self, name: &str) -> Option<&Value> {
        self.members.get(name)
    }

    /// Returns the kind of the tool.
    pub(in crate::commands::agent) fn kind(&self) -> &str {
        self.get("kind").and_then(Value::as_str).unwrap_or("other")
    }

    /// Returns the agent's own words about the call.
    pub(in crate::commands::agent) fn title(&self) -> &str {
        self.get("title").and_then(Value::as_str).unwrap_or_default()
    }

    /// Returns the paths that the call touches.
    pub(in crate::commands::agent) fn paths(&self) -> Vec<&str> {
        let places = self.get("locations").and_then(Value::as_array).into_iter().flatten();
        places.filter_map(|place| text_of(place, "path")).collect()
    }

    /// Returns the changes of files that the call describes.
    pub(in crate::commands::agent) fn diffs(&self) -> Vec<&Value> {
        let content = self.get("content").and_then(Value::as_array).into_iter().flatten();
        content.filter(|block| block.get("type").and_then(Value::as_str) == Some("diff")).collect()
    }

    /// Returns the name of the tool: the same in reports of its run and in an approval.
    pub(in crate::commands::agent) fn tool_name(&self) -> String {
        let name = match (self.kind(), self.diffs().as_slice()) {
            ("execute", _) => "execute",
            ("edit", [diff]) if diff.get("oldText").is_none_or(Value::is_null) => "write_file",
            ("edit", _) => "edit_file",
            _ => self.get("name").and_then(Value::as_str).unwrap_or(self.title()),
        };
        let name: String = name.lines().next().unwrap_or_default().chars().take(NAME_CHARS).collect();
        if name.trim().is_empty() { "tool".to_owned() } else { name }
    }
}

/// Calls of tools of a session that have not ended.
#[derive(Debug, Default)]
pub(in crate::commands::agent) struct ToolCalls(HashMap<String, ToolCallState>);

impl ToolCalls {
    /// Returns whether a tool runs.
    pub(in crate::commands::agent) fn is_any_running(&self) -> bool {
        self.0.values().any(|call| call.running.is_some())
    }

    /// Records a new call or the change of one, and returns the events of it.
    pub(in crate::commands::agent) fn change(&mut self, update: &Value) -> Vec<Value> {
        let Some(id) = update.get("toolCallId").and_then(Value::as_str) else { return Vec::new() };
        let mut call = self.merge(update);
        let mut events = Vec::new();
        let status = update.get("status").and_then(Value::as_str);
        // A call that fails without having begun was rejected.
        if call.running.is_none() && matches!(status, Some("in_progress" | "completed")) {
            let name = call.tool_name();
            events.push(json!({ "tool_start": name }));
            call.running = Some(name);
        }
        if matches!(status, Some("completed" | "failed")) {
            if let Some(name) = call.running {
                events.push(json!({ "tool_end": name }));
            }
            self.0.remove(id);
        } else if let Some(stored_call) = self.0.get_mut(id) {
            stored_call.running = call.running;
        }
        events
    }

    /// Records the change of a call, and returns all that is known of it.
    pub(in crate::commands::agent) fn merge(&mut self, update: &Value) -> ToolCallState {
        let id = update.get("toolCallId").and_then(Value::as_str).unwrap_or_default();
        if self.0.len() >= MAX_CALLS && !self.0.contains_key(id) {
            // An agent that ends no call is not remembered further.
            let mut call = ToolCallState::default();
            call.update(update);
            return call;
        }
        let call = self.0.entry(id.to_owned()).or_default();
        call.update(update);
        call.clone()
    }
}
