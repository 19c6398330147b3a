//! Requests of an agent for permission to run a tool.
//!
//! **Invariant:** the person sees the data of the call. The agent's title is shown only if there is no data.

use super::message::{AskedCall, CallDecision};
use super::tool_call::ToolCallState;
use agent_client_protocol::v1::schema::{
    Diff, PermissionOption, PermissionOptionKind, RequestPermissionOutcome, RequestPermissionResponse,
    SelectedPermissionOutcome, ToolKind,
};
use serde_json::{Map, Value, json};
use similar::TextDiff;
use std::time::Duration;

/// Longest computation of a diff; a longer one becomes coarser.
const DIFF_TIME: Duration = Duration::from_millis(200);

/// Returns the call that a permission is about.
pub(crate) fn asked_call(call: &ToolCallState) -> AskedCall {
    let name = call.tool_name();
    let args = match (call.diffs().as_slice(), &call.raw_input) {
        ([diff], _) => diff_args(diff),
        (diffs @ [_, _, ..], None) => {
            json!({ "changes": diffs.iter().map(|diff| diff_args(diff)).collect::<Vec<_>>() })
        }
        (_, Some(Value::Object(input))) if call.kind() == ToolKind::Execute => command_args(input),
        (_, Some(input @ Value::Object(_))) => input.clone(),
        (_, Some(input)) if !input.is_null() => json!({ "input": input }),
        _ => json!({ "title": call.title(), "paths": call.paths }),
    };
    AskedCall { name, args }
}

/// Returns the arguments of a change of one file.
fn diff_args(diff: &Diff) -> Value {
    let path = diff.path.display().to_string();
    match &diff.old_text {
        None => json!({ "file_path": path, "content": diff.new_text }),
        Some(old) => {
            let changes = TextDiff::configure().timeout(DIFF_TIME).diff_lines(old, &diff.new_text);
            json!({ "file_path": path, "diff": changes.unified_diff().header(&path, &path).to_string() })
        }
    }
}

/// Returns the arguments of a command, without the agent's words about it if nothing else is there.
fn command_args(input: &Map<String, Value>) -> Value {
    let is_words = |name: &String| name == "description" || name == "command";
    match input.get("command") {
        Some(command @ Value::String(_)) if input.keys().all(is_words) => json!({ "command": command }),
        _ => Value::Object(input.clone()),
    }
}

/// Returns whether the agent lets a call be allowed this time alone.
pub(crate) fn may_allow_once(options: &[PermissionOption]) -> bool {
    find(options, PermissionOptionKind::AllowOnce).is_some()
}

fn find(options: &[PermissionOption], kind: PermissionOptionKind) -> Option<&PermissionOption> {
    options.iter().find(|option| option.kind == kind)
}

/// Returns the response for a decision: this call is allowed or rejected, and never one that follows.
pub(crate) fn response(
    options: &[PermissionOption],
    decision: Option<&CallDecision>,
) -> RequestPermissionResponse {
    let option = match decision {
        Some(CallDecision::Allowed) => find(options, PermissionOptionKind::AllowOnce),
        Some(CallDecision::Refused | CallDecision::Answered(_)) => {
            find(options, PermissionOptionKind::RejectOnce)
        }
        None => None,
    };
    let outcome = option.map_or(RequestPermissionOutcome::Cancelled, |option| {
        RequestPermissionOutcome::Selected(SelectedPermissionOutcome::new(option.option_id.clone()))
    });
    RequestPermissionResponse::new(outcome)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::acp::tool_call::ToolCalls;
    use agent_client_protocol::v1::schema::ToolCallUpdate;

    fn asked(call: Value) -> AskedCall {
        let update: ToolCallUpdate = serde_json::from_value(call).unwrap();
        asked_call(&ToolCalls::default().merge("c", update.fields))
    }

    fn options(kinds: &[&str]) -> Vec<PermissionOption> {
        let option = |kind: &&str| json!({ "optionId": kind, "name": kind, "kind": kind });
        serde_json::from_value(kinds.iter().map(option).collect()).unwrap()
    }

    #[test]
    fn action_is_drawn_from_data() {
        let lie = json!({ "toolCallId": "c", "title": "ls", "kind": "execute",
            "rawInput": { "command": "rm -rf /", "description": "List files" } });
        let (name, args) = ("execute".to_owned(), json!({ "command": "rm -rf /" }));
        assert_eq!(asked(lie), AskedCall { name, args });
        let argv = json!({ "command": ["bash", "-lc", "make"], "cwd": "/srv" });
        let call = json!({ "toolCallId": "c", "title": "make", "kind": "execute", "rawInput": argv });
        assert_eq!(asked(call).args, argv);
        let diff = |old: Value| {
            json!({ "toolCallId": "c", "title": "Tidy", "kind": "edit",
            "content": [{ "type": "diff", "path": "/w/a", "oldText": old, "newText": "b\n" }] })
        };
        let args = json!({ "file_path": "/w/a", "content": "b\n" });
        assert_eq!(asked(diff(Value::Null)), AskedCall { name: "write_file".to_owned(), args });
        let args = json!({ "file_path": "/w/a", "diff": "--- /w/a\n+++ /w/a\n@@ -1 +1 @@\n-a\n+b\n" });
        assert_eq!(asked(diff(json!("a\n"))), AskedCall { name: "edit_file".to_owned(), args });
        let bare = asked(json!({ "toolCallId": "c", "title": "Do it" }));
        assert_eq!(bare.args, json!({ "title": "Do it", "paths": [] }));
    }

    #[test]
    fn decision_covers_one_call() {
        let every = options(&["allow_always", "allow_once", "reject_always", "reject_once"]);
        let chosen = |decision: Option<&CallDecision>, options: &[PermissionOption]| {
            serde_json::to_value(response(options, decision)).unwrap()["outcome"]["optionId"].clone()
        };
        assert_eq!(chosen(Some(&CallDecision::Allowed), &every), "allow_once");
        assert_eq!(chosen(Some(&CallDecision::Refused), &every), "reject_once");
        assert_eq!(chosen(None, &every), Value::Null);
        let always = options(&["allow_always", "reject_always"]);
        assert!(!may_allow_once(&always) && may_allow_once(&every));
        assert_eq!(chosen(Some(&CallDecision::Allowed), &always), Value::Null);
    }
}
