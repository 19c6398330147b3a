//! Tool calls as actions: exactly what would run, be written or be opened, from the arguments of the call.
//!
//! A known tool is shown as a command, a file change or an address. If its arguments don't have the expected types,
//! or if they have members that change what it does, the whole call is shown instead.

use super::call::HookCall;
use sayso_core::wire::json;
use sayso_core::{ActionKind, ProposedAction};
use serde_json::Value;
use std::fmt::Write as _;

/// Arguments of commands that say nothing about what runs.
const HARMLESS_COMMAND_MEMBERS: [&str; 4] = ["description", "timeout", "run_in_background", "explanation"];

/// Returns the action of a call.
pub(super) fn action(call: &HookCall, folder: Option<&str>) -> ProposedAction {
    let act =
        known_act(call, folder).unwrap_or_else(|| ActionKind::Call { arguments: json::write(call.input()) });
    ProposedAction { tool: call.tool().to_owned(), act }
}

fn known_act(call: &HookCall, folder: Option<&str>) -> Option<ActionKind> {
    match call.tool().to_ascii_lowercase().as_str() {
        "bash" | "shell" | "local_shell" | "exec_command" | "run_shell_command" => {
            command(call.input(), folder)
        }
        "write" | "write_file" | "create" => {
            let path = text(call.input(), &["file_path", "filePath", "path"])?;
            let content = text(call.input(), &["content", "file_text"])?;
            Some(ActionKind::Write { path, content })
        }
        "edit" | "multiedit" | "str_replace" => edit(call.input()),
        "webfetch" | "web_fetch" | "fetch" => Some(ActionKind::Open { url: text(call.input(), &["url"])? }),
        _ => None,
    }
}

fn text(input: &Value, names: &[&str]) -> Option<String> {
    names.iter().find_map(|name| input.get(name)?.as_str()).map(str::to_owned)
}

fn command(input: &Value, folder: Option<&str>) -> Option<ActionKind> {
    let Value::Object(members) = input else { return None };
    let own_folder = members.get("workdir").or(members.get("cwd"));
    let folder = match own_folder {
        Some(own) => Some(own.as_str()?.to_owned()),
        None => folder.map(str::to_owned),
    };
    let is_shown = |name: &str| {
        ["command", "cmd", "workdir", "cwd"].contains(&name) || HARMLESS_COMMAND_MEMBERS.contains(&name)
    };
    if !members.keys().all(|name| is_shown(name)) {
        return None;
    }
    match members.get("command").or(members.get("cmd"))? {
        Value::String(command) => Some(ActionKind::Shell { command: command.clone(), folder }),
        Value::Array(argv) => {
            let argv =
                argv.iter().map(|word| word.as_str().map(str::to_owned)).collect::<Option<Vec<_>>>()?;
            Some(ActionKind::Run { argv, folder })
        }
        _ => None,
    }
}

/// Returns the edits of a file as a diff without line numbers: the file itself isn't read.
fn edit(input: &Value) -> Option<ActionKind> {
    let path = text(input, &["file_path", "filePath", "path"])?;
    let edits = match input.get("edits") {
        Some(Value::Array(edits)) => edits.as_slice(),
        Some(_) => return None,
        None => std::slice::from_ref(input),
    };
    let mut diff = String::new();
    for edit in edits {
        let old = text(edit, &["old_string", "oldString", "old_str"])?;
        let new = text(edit, &["new_string", "newString", "new_str"])?;
        let is_all =
            ["replace_all", "replaceAll"].iter().any(|name| edit.get(name) == Some(&Value::Bool(true)));
        // Writing to a `String` can't fail.
        let _ = writeln!(diff, "@@{} @@", if is_all { " every occurrence" } else { "" });
        add_lines(&mut diff, '-', &old);
        add_lines(&mut diff, '+', &new);
    }
    Some(ActionKind::Edit { path, diff })
}

fn add_lines(diff: &mut String, sign: char, text: &str) {
    for line in text.split_inclusive('\n') {
        diff.push(sign);
        diff.push_str(line.strip_suffix('\n').unwrap_or(line));
        diff.push('\n');
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn act(tool: &str, input: Value) -> ActionKind {
        action(&HookCall::new(tool.to_owned(), input), Some("/srv")).act
    }

    #[test]
    fn known_calls_show_their_effect() {
        let shell = ActionKind::Shell { command: "rm -rf x".to_owned(), folder: Some("/srv".to_owned()) };
        assert_eq!(act("Bash", json!({ "command": "rm -rf x", "description": "Clean" })), shell);
        let edit =
            json!({ "file_path": "/a", "old_string": "x\ny", "new_string": "z\n", "replace_all": true });
        let diff = "@@ every occurrence @@\n-x\n-y\n+z\n".to_owned();
        assert_eq!(act("Edit", edit), ActionKind::Edit { path: "/a".to_owned(), diff });
        assert_eq!(
            act("WebFetch", json!({ "url": "http://a", "prompt": "p" })),
            ActionKind::Open { url: "http://a".to_owned() }
        );
    }

    #[test]
    fn unknown_arguments_show_whole_call() {
        for (tool, input) in [
            ("Bash", json!({ "command": "ls", "dangerouslyDisableSandbox": true })),
            ("Bash", json!({ "command": 7 })),
            ("Write", json!({ "file_path": "/a" })),
            ("mcp__db__drop", json!({ "table": "users" })),
            ("Edit", json!(null)),
        ] {
            assert_eq!(act(tool, input.clone()), ActionKind::Call { arguments: input.to_string() });
        }
    }
}
