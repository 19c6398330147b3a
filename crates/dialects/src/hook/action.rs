//! Tool calls as actions: exactly what would run, be written or be opened, from the arguments of the call.
//!
//! A known tool is shown as a command, a file change or an address. If its arguments don't have the expected types,
//! or if they have members that change what it does, the whole call is shown instead.

use super::HookContext;
use super::call::HookCall;
use sayso_core::model::action::FileState;
use sayso_core::wire::json;
use sayso_core::{ActionKind, ProposedAction, unified_diff};
use serde_json::Value;
use std::fmt::Write as _;

/// Names that the hosts have for the same argument.
const COMMAND: &[&str] = &["command", "cmd"];
const FOLDER: &[&str] = &["workdir", "cwd"];
const PATH: &[&str] = &["file_path", "filePath", "filepath", "path"];
const DIFF: &[&str] = &["diff"];
const CONTENT: &[&str] = &["content", "file_text"];
const OLD_TEXT: &[&str] = &["old_string", "oldString", "old_str"];
const NEW_TEXT: &[&str] = &["new_string", "newString", "new_str"];
const REPLACE_ALL: &[&str] = &["replace_all", "replaceAll"];
const URL: &[&str] = &["url"];
/// Arguments that change nothing about the effect.
const HARMLESS: &[&str] = &["description", "explanation", "timeout", "run_in_background", "prompt", "format"];

/// Returns the action of a call.
pub(super) fn action(call: &HookCall, folder: Option<&str>, context: HookContext<'_>) -> ProposedAction {
    let act = match known_act(call, folder, context) {
        Some(act) => act,
        None => ActionKind::Call { arguments: json::write(call.input()) },
    };
    ProposedAction { tool: call.tool().to_owned(), act }
}

/// Returns true if a call fetches an address, about which its `prompt` asks.
pub(super) fn is_fetch(call: &HookCall) -> bool {
    matches!(call.tool().to_ascii_lowercase().as_str(), "webfetch" | "web_fetch" | "fetch")
}

/// Returns the members of a plan's call that the plan's text does not show, such as permissions that a yes would grant
/// with it; `None` if there are none.
pub(super) fn rest_of_plan(call: &HookCall) -> Option<ProposedAction> {
    let mut rest = call.input().as_object()?.clone();
    rest.retain(|name, _| !matches!(name.as_str(), "plan" | "planFilePath"));
    if rest.is_empty() {
        return None;
    }
    let act = ActionKind::Call { arguments: json::write(&rest) };
    Some(ProposedAction { tool: call.tool().to_owned(), act })
}

fn known_act(call: &HookCall, folder: Option<&str>, context: HookContext<'_>) -> Option<ActionKind> {
    if is_fetch(call) {
        check_members(call.input(), &[URL])?;
        return Some(ActionKind::Open { url: text(call.input(), URL)? });
    }
    let file = FileOfCall { folder, context };
    match call.tool().to_ascii_lowercase().as_str() {
        "bash" | "shell" | "local_shell" | "exec_command" | "run_shell_command" => {
            command(call.input(), folder)
        }
        "write" | "write_file" | "create" | "edit" | "multiedit" | "str_replace" => {
            whole_file(call.input(), file)
                .or_else(|| ready_diff(call.input(), file))
                .or_else(|| edit(call.input(), file))
        }
        _ => None,
    }
}

/// Folder of the session, and the way to the files of its calls.
#[derive(Clone, Copy)]
struct FileOfCall<'a> {
    folder: Option<&'a str>,
    context: HookContext<'a>,
}

impl FileOfCall<'_> {
    /// Returns the state of a file, and the folder that it is outside of.
    fn look_up(self, path: &str) -> (FileState, Option<String>) {
        let state = (self.context.file_state)(path, self.folder);
        let outside = if state.is_outside { self.folder.map(str::to_owned) } else { None };
        (state, outside)
    }
}

/// Returns the act of a call with the whole content of a file.
fn whole_file(input: &Value, file: FileOfCall<'_>) -> Option<ActionKind> {
    check_members(input, &[PATH, CONTENT])?;
    let path = text(input, PATH)?;
    let content = text(input, CONTENT)?;
    let (state, outside) = file.look_up(&path);
    Some(ActionKind::Write { path, content, overwrites: state.exists, outside })
}

/// Returns the act of a call whose change the host has written as a diff.
fn ready_diff(input: &Value, file: FileOfCall<'_>) -> Option<ActionKind> {
    check_members(input, &[PATH, DIFF])?;
    let path = text(input, PATH)?;
    let diff = text(input, DIFF)?;
    let (_, outside) = file.look_up(&path);
    Some(ActionKind::Edit { path, diff, outside })
}

/// Returns `None` if an object has other members than these and harmless ones, or one of them by two names.
fn check_members(input: &Value, arguments: &[&[&str]]) -> Option<()> {
    let Value::Object(members) = input else { return None };
    for name in members.keys().map(String::as_str) {
        if !HARMLESS.contains(&name) && !arguments.iter().any(|names| names.contains(&name)) {
            return None;
        }
    }
    for names in arguments {
        if names.iter().filter(|name| members.contains_key(**name)).count() > 1 {
            return None;
        }
    }
    Some(())
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
        Some(own_folder) => Some(own_folder.as_str()?.to_owned()),
        None => folder.map(str::to_owned),
    };
    match member(input, COMMAND)? {
        Value::String(command) => Some(ActionKind::Shell { command: command.clone(), folder }),
        Value::Array(argv) => {
            let argv = argv.iter().map(|word| word.as_str().map(str::to_owned)).collect::<Option<_>>()?;
            Some(ActionKind::Run { argv, folder })
        }
        _ => None,
    }
}

/// Replacement of a text in a file.
struct Replacement {
    old: String,
    new: String,
    /// Every occurrence is replaced, not the only one.
    is_everywhere: bool,
}

/// Returns the edits of a file as a diff: with line numbers and context if the file is at hand and has the replaced
/// texts, and the replaced texts alone otherwise.
fn edit(input: &Value, file: FileOfCall<'_>) -> Option<ActionKind> {
    let edits = match input.get("edits") {
        Some(Value::Array(edits)) if !edits.is_empty() => {
            check_members(input, &[PATH, &["edits"]])?;
            for edit in edits {
                check_members(edit, &[OLD_TEXT, NEW_TEXT, REPLACE_ALL])?;
            }
            edits.as_slice()
        }
        Some(_) => return None,
        None => {
            check_members(input, &[PATH, OLD_TEXT, NEW_TEXT, REPLACE_ALL])?;
            std::slice::from_ref(input)
        }
    };
    let mut replacements = Vec::with_capacity(edits.len());
    for edit in edits {
        let is_everywhere = match member(edit, REPLACE_ALL) {
            Some(value) => value.as_bool()?,
            None => false,
        };
        replacements.push(Replacement {
            old: text(edit, OLD_TEXT)?,
            new: text(edit, NEW_TEXT)?,
            is_everywhere,
        });
    }
    let path = text(input, PATH)?;
    let (state, outside) = file.look_up(&path);
    let diff = match state.text.as_deref().and_then(|content| file_diff(content, &replacements)) {
        Some(diff) => diff,
        None => bare_diff(&replacements),
    };
    Some(ActionKind::Edit { path, diff, outside })
}

/// Returns the change of a file, or `None` if a replaced text is not there, or is there more than once.
fn file_diff(content: &str, replacements: &[Replacement]) -> Option<String> {
    let mut new_content = content.to_owned();
    for Replacement { old, new, is_everywhere } in replacements {
        match (new_content.matches(old.as_str()).count(), is_everywhere) {
            _ if old.is_empty() => return None,
            (1, _) | (2.., true) => new_content = new_content.replace(old.as_str(), new),
            _ => return None,
        }
    }
    Some(unified_diff::hunks([content, &new_content]))
}

/// Returns the replaced texts without their places.
fn bare_diff(replacements: &[Replacement]) -> String {
    let mut diff = String::new();
    for Replacement { old, new, is_everywhere } in replacements {
        // Writing to a `String` can't fail.
        let _ = writeln!(diff, "@@{} @@", if *is_everywhere { " every occurrence" } else { "" });
        add_lines(&mut diff, '-', old);
        add_lines(&mut diff, '+', new);
    }
    diff
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
        action(&HookCall::new(tool.to_owned(), input), Some("/srv"), HookContext::WITHOUT_FILES).act
    }

    #[test]
    fn known_calls_show_their_effect() {
        let shell = ActionKind::Shell { command: "rm -rf x".to_owned(), folder: Some("/srv".to_owned()) };
        assert_eq!(act("Bash", json!({ "command": "rm -rf x", "description": "Clean" })), shell);
        let edit =
            json!({ "file_path": "/a", "old_string": "x\ny", "new_string": "z\n", "replace_all": true });
        let diff = "@@ every occurrence @@\n-x\n-y\n+z\n".to_owned();
        assert_eq!(act("Edit", edit), ActionKind::edit("/a".to_owned(), diff));
        assert_eq!(
            act("WebFetch", json!({ "url": "http://a", "prompt": "p" })),
            ActionKind::Open { url: "http://a".to_owned() }
        );
    }

    #[test]
    fn hosts_diffs_are_changes() {
        let diff = "--- a\n+++ a\n@@ -1 +1 @@\n-x\n+y\n";
        for (tool, path) in [("edit", "filepath"), ("create", "file_path"), ("Edit", "path")] {
            let edit = ActionKind::edit("/a".to_owned(), diff.to_owned());
            assert_eq!(act(tool, json!({ path: "/a", "diff": diff })), edit, "{tool}");
        }
    }

    #[test]
    fn file_at_hand_is_shown() {
        let lines: Vec<String> = (1..=9).map(|number| format!("line {number}\n")).collect();
        let text = lines.concat();
        let state = move |path: &str, _: Option<&str>| match path {
            "/srv/a" => FileState { exists: true, text: Some(text.clone()), is_outside: false },
            "/etc/a" => FileState { exists: true, text: None, is_outside: true },
            _ => FileState::default(),
        };
        let context = HookContext { file_state: &state };
        let act = |tool: &str, input: Value| {
            action(&HookCall::new(tool.to_owned(), input), Some("/srv"), context).act
        };
        let edit = |path: &str, old: &str, is_everywhere: bool| {
            let input = json!({ "file_path": path, "old_string": old, "new_string": "new",
                "replace_all": is_everywhere });
            act("Edit", input)
        };
        let diff = "@@ -2,7 +2,7 @@\n line 2\n line 3\n line 4\n-line 5\n+new\n line 6\n line 7\n line 8\n";
        assert_eq!(edit("/srv/a", "line 5", false), ActionKind::edit("/srv/a".to_owned(), diff.to_owned()));
        let bare = |mark: &str, old: &str| format!("@@{mark} @@\n-{old}\n+new\n");
        // Not there, or not the only one.
        for old in ["line 0", "line"] {
            let bare = ActionKind::edit("/srv/a".to_owned(), bare("", old));
            assert_eq!(edit("/srv/a", old, false), bare);
        }
        let ActionKind::Edit { diff, .. } = edit("/srv/a", "line", true) else { panic!("an edit") };
        assert!(diff.starts_with("@@ -1,9 +1,9 @@\n-line 1\n"), "{diff}");
        let outside = Some("/srv".to_owned());
        let diff = bare("", "x");
        assert_eq!(
            edit("/etc/a", "x", false),
            ActionKind::Edit { path: "/etc/a".to_owned(), diff, outside: outside.clone() }
        );
        let write = |path: &str| act("Write", json!({ "file_path": path, "content": "c" }));
        let (path, content) = ("/etc/a".to_owned(), "c".to_owned());
        assert_eq!(write("/etc/a"), ActionKind::Write { path, content, overwrites: true, outside });
        assert_eq!(write("/srv/new"), ActionKind::write("/srv/new".to_owned(), "c".to_owned()));
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
