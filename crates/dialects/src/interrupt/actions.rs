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
    let act = match act {
        Some(act) => act,
        None => ActionKind::Call { arguments: json::write(args) },
    };
    ProposedAction { tool: tool.to_owned(), act }
}

/// Returns these arguments if all are texts and there are no others.
fn exact_texts<const N: usize>(args: &Map<String, Value>, names: [&str; N]) -> Option<[String; N]> {
    if args.len() != N {
        return None;
    }
    let mut texts = [const { String::new() }; N];
    for (text, name) in texts.iter_mut().zip(names) {
        args.get(name)?.as_str()?.clone_into(text);
    }
    Some(texts)
}

/// Returns the arguments of a tool call with this action.
pub(super) fn action_arguments(action: &ProposedAction) -> Map<String, Value> {
    let mut args = Map::new();
    match &action.act {
        ActionKind::Shell { command, folder } => {
            args.insert("command".to_owned(), command.as_str().into());
            add_folder(&mut args, folder.as_deref());
        }
        ActionKind::Run { argv, folder } => {
            args.insert("argv".to_owned(), argv.as_slice().into());
            add_folder(&mut args, folder.as_deref());
        }
        ActionKind::Write { path, content, .. } => {
            args.insert("file_path".to_owned(), path.as_str().into());
            args.insert("content".to_owned(), content.as_str().into());
        }
        ActionKind::Edit { path, diff, .. } => {
            args.insert("file_path".to_owned(), path.as_str().into());
            args.insert("diff".to_owned(), diff.as_str().into());
        }
        ActionKind::Open { url } => {
            args.insert("url".to_owned(), url.as_str().into());
        }
        ActionKind::Call { arguments } => match json::read(arguments) {
            Ok(Value::Object(members)) => args = members,
            _ => _ = args.insert("arguments".to_owned(), arguments.as_str().into()),
        },
    }
    args
}

fn add_folder(args: &mut Map<String, Value>, folder: Option<&str>) {
    if let Some(folder) = folder {
        args.insert("folder".to_owned(), folder.into());
    }
}

/// Returns whether a tool call can express exactly this action.
pub(super) fn is_exact(expected: &ProposedAction) -> bool {
    expected.tool != ASK_USER && parse_action(&expected.tool, &action_arguments(expected)) == *expected
}
