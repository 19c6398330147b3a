//! Tool calls as actions: from an agent's arguments to the action that people are shown, and back.
//!
//! A call is shown as a shell command or a file change only if its arguments say nothing else. With any further
//! argument the whole call is shown, so that no one approves anything unseen.

use super::spec::ASK_USER;
use sayso_core::wire::json;
use sayso_core::{ActionKind, ProposedAction};
use serde_json::{Map, Value};

/// Tool that runs a shell command.
pub(super) const EXECUTE: &str = "execute";
/// Tool that writes a whole file.
pub(super) const WRITE_FILE: &str = "write_file";
const EDIT_FILE: &str = "edit_file";

/// Returns the action of a tool call.
pub(super) fn parse_action(tool: &str, args: &Map<String, Value>) -> ProposedAction {
    let act = match tool {
        EXECUTE => {
            exact_texts(args, ["command"]).map(|[command]| ActionKind::Shell { command, folder: None })
        }
        WRITE_FILE => exact_texts(args, ["file_path", "content"])
            .map(|[path, content]| ActionKind::write(path, content)),
        EDIT_FILE => {
            exact_texts(args, ["file_path", "diff"]).map(|[path, diff]| ActionKind::edit(path, diff))
        }
        _ => None,
    };
    let act = act.unwrap_or_else(|| ActionKind::Call { arguments: json::write(args) });
    ProposedAction { tool: tool.to_owned(), act }
}

/// Returns these arguments if all are texts and there are no others.
fn exact_texts<const N: usize>(args: &Map<String, Value>, names: [&str; N]) -> Option<[String; N]> {
    let text = |name: &str| args.get(name).and_then(Value::as_str);
    let is_all = args.len() == N && names.iter().all(|name| text(name).is_some());
    is_all.then(|| names.map(|name| text(name).unwrap_or_default().to_owned()))
}

/// Returns the arguments of a tool call with this action.
pub(super) fn action_arguments(action: &ProposedAction) -> Map<String, Value> {
    let member = |name: &str, text: &str| (name.to_owned(), Value::from(text));
    match &action.act {
        ActionKind::Shell { command, folder } => {
            let folder = folder.iter().map(|folder| member("folder", folder));
            std::iter::once(member("command", command)).chain(folder).collect()
        }
        ActionKind::Run { argv, folder } => {
            let folder = folder.iter().map(|folder| member("folder", folder));
            let argv = ("argv".to_owned(), Value::from(argv.as_slice()));
            std::iter::once(argv).chain(folder).collect()
        }
        ActionKind::Write { path, content, .. } => {
            [member("file_path", path), member("content", content)].into_iter().collect()
        }
        ActionKind::Edit { path, diff, .. } => {
            [member("file_path", path), member("diff", diff)].into_iter().collect()
        }
        ActionKind::Open { url } => [member("url", url)].into_iter().collect(),
        ActionKind::Call { arguments } => match json::read(arguments) {
            Ok(Value::Object(members)) => members,
            _ => [member("arguments", arguments)].into_iter().collect(),
        },
    }
}

/// Returns whether a tool call can express exactly this action.
pub(super) fn is_exact(expected: &ProposedAction) -> bool {
    expected.tool != ASK_USER && parse_action(&expected.tool, &action_arguments(expected)) == *expected
}
