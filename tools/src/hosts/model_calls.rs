//! Calls of tools that the simulated model makes in several scenes.

use serde_json::{Value, json};

use super::protocol::{ModelRequest, ToolCall};

/// Names of the tools that run a command.
const COMMAND_TOOLS: [&str; 4] = ["Bash", "bash", "exec_command", "run_shell_command"];

/// Returns the call that runs a command, if the host has a tool for that.
pub(super) fn command_call(request: &ModelRequest, command: &str) -> Option<ToolCall> {
    let (tool, group) = request.find_tool(&COMMAND_TOOLS)?;
    let arguments = if tool == "exec_command" {
        json!({ "cmd": command, "justification": "Make a file", "sandbox_permissions": "require_escalated" })
    } else {
        json!({ "command": command, "description": "Make a file" })
    };
    Some(ToolCall { tool, group, arguments })
}

/// Returns the arguments of a question, as Claude Code's `AskUserQuestion` takes them.
pub(super) fn question_arguments() -> Value {
    let options = json!([
        { "label": "Postgres", "description": "Relational" },
        { "label": "Mongo", "description": "Documents" },
    ]);
    let question = json!({ "question": "Which database?", "header": "Database", "options": options,
        "multiSelect": false });
    json!({ "questions": [question] })
}
