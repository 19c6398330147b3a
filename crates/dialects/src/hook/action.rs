//! Tool calls as actions: exactly what would run, be written or be opened, from the arguments of the call.
//!
//! A known tool is shown as a command, a file change or an address. If its arguments don't have the expected types,
//! or if they have members that change what it does, the whole call is shown instead.

use super::call::HookCall;
use sayso_core::wire::json;
use sayso_core::{ActionKind, ProposedAction};
use serde_json::Value;
use std::fmt::Write as _;

/// Names that the hosts have for the same argument.
const COMMAND: &[&str] = &["command", "cmd"];
const FOLDER: &[&str] = &["workdir", "cwd"];
const PATH: &[&str] = &["file_path", "filePath", "path"];
const CONTENT: &[&str] = &["content", "file_text"];
const OLD_TEXT: &[&str] = &["old_string", "oldString", "old_str"];
const NEW_TEXT: &[&str] = &["new_string", "newString", "new_str"];
const REPLACE_ALL: &[&str] = &["replace_all", "replaceAll"];
const URL: &[&str] = &["url"];
/// Arguments that change nothing about the effect.
const HARMLESS: &[&str] = &["description", "explanation", "timeout", "run_in_background", "prompt", "format"];

/// Returns the action of a call.
pub(super) fn action(call: &HookCall, folder: Option<&str>) -> ProposedAction {
    let act =
        known_act(call, folder).unwrap_or_else(|| ActionKind::Call { arguments: json::write(call.input()) });
    ProposedAction { tool: call.tool().to_owned(), act }
}

/// Returns the members of a plan's call that the plan's text does not show, such as permissions that a yes would grant
/// with it; `None` if there are none.
pub(super) fn rest_of_plan(call: &HookCall) -> Option<ProposedAction> {
    let mut rest = call.input().as_object()?.clone();
    rest.retain(|name, _| !matches!(name.as_str(), "plan" | "planFilePath"));
    let act = ActionKind::Call { arguments: json::write(&rest) };
    (!rest.is_empty()).then(|| ProposedAction { tool: call.tool().to_owned(), act })
}

fn known_act(call: &HookCall, folder: Option<&str>) -> Option<ActionKind> {
    match call.tool().to_ascii_lowercase().as_str() {
        "bash" | "shell" | "local_shell" | "exec_command" | "run_shell_command" => {
            command(call.input(), folder)
        }
        "write" | "write_file" | "create" => {
            check_members(call.input(), &[PATH, CONTENT])?;
            Some(ActionKind::Write { path: text(call.input(), PATH)?, content: text(call.input(), CONTENT)? })
        }
        "edit" | "multiedit" | "str_replace" => edit(call.input()),
        "webfetch" | "web_fetch" | "fetch" => {
            check_members(call.input(), &[URL])?;
            Some(ActionKind::Open { url: text(call.input(), URL)? })
        }
        _ => None,
    }
}

/// Returns `None` if an object has other members than these and harmless ones, or one of them by two names.
fn check_members(input: &Value, arguments: &[&[&str]]) -> Option<()> {
    let Value::Object(members) = input else { return None };
    let is_known = |name: &str| HARMLESS.contains(&name) || arguments.iter().any(|one| one.contains(&name));
    let is_single = |names: &&[&str]| names.iter().filter(|name| members.contains_key(**name)).count() < 2;
    (members.keys().all(|name| is_known(name)) && arguments.iter().all(is_single)).then_some(())
}

fn member<'v>(input: &'v Value, names: &[&str]) -> Option<&'v Value> {
    names.iter().find_map(|name| input.get(name))
}

fn text(input: &Value, names: &[&str]) -> Option<String> {
    member(input, names)?.as_str().map(str::to_owned)
}

fn command(input: &Value, folder: Option<&str>) -> Option<ActionKind> {
    check_members(input, &[COMMAND, FOLDER])?;
    let folder = match member(input, FOLDER) {
        Some(own) => Some(own.as_str()?.to_owned()),
        None => folder.map(str::to_owned),
    };
    match member(input, COMMAND)? {
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
    let replacement = [OLD_TEXT, NEW_TEXT, REPLACE_ALL];
    let edits = match input.get("edits") {
        Some(Value::Array(edits)) if !edits.is_empty() => {
            check_members(input, &[PATH, &["edits"]])?;
            edits.iter().try_for_each(|edit| check_members(edit, &replacement))?;
            edits.as_slice()
        }
        Some(_) => return None,
        None => {
            check_members(input, &[PATH, OLD_TEXT, NEW_TEXT, REPLACE_ALL])?;
            std::slice::from_ref(input)
        }
    };
    let mut diff = String::new();
    for edit in edits {
        let (old, new) = (text(edit, OLD_TEXT)?, text(edit, NEW_TEXT)?);
        let is_all = member(edit, REPLACE_ALL).map_or(Some(false), Value::as_bool)?;
        // Writing to a `String` can't fail.
        let _ = writeln!(diff, "@@{} @@", if is_all { " every occurrence" } else { "" });
        add_lines(&mut diff, '-', &old);
        add_lines(&mut diff, '+', &new);
    }
    Some(ActionKind::Edit { path: text(input, PATH)?, diff })
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
    fn plan_shows_other_members() {
        let rest = |input: Value| rest_of_plan(&HookCall::new("ExitPlanMode".to_owned(), input));
        assert_eq!(rest(json!({ "plan": "Clean up", "planFilePath": "/p.md" })), None);
        let granted = json!({ "plan": "Clean up", "allowedPrompts": [{ "tool": "Bash", "prompt": "rm" }] });
        let arguments = r#"{"allowedPrompts":[{"tool":"Bash","prompt":"rm"}]}"#.to_owned();
        assert_eq!(rest(granted).unwrap().act, ActionKind::Call { arguments });
    }

    #[test]
    fn unknown_arguments_show_whole_call() {
        for (tool, input) in [
            ("Bash", json!({ "command": "ls", "dangerouslyDisableSandbox": true })),
            ("Bash", json!({ "command": 7 })),
            ("Write", json!({ "file_path": "/a" })),
            ("mcp__db__drop", json!({ "table": "users" })),
            ("Edit", json!(null)),
            ("Edit", json!({ "file_path": "/a", "edits": [] })),
            (
                "Edit",
                json!({ "file_path": "/a", "old_string": "x", "new_string": "y", "replace_all": "true" }),
            ),
            ("Write", json!({ "file_path": "/a", "path": "/etc/passwd", "content": "x" })),
            ("Write", json!({ "file_path": "/a", "content": "x", "append": true })),
            ("WebFetch", json!({ "url": "http://a", "method": "DELETE" })),
        ] {
            assert_eq!(act(tool, input.clone()), ActionKind::Call { arguments: input.to_string() });
        }
    }
}
