//! What a tool would do, as an agent calls it and as people are shown it.
//!
//! A call is shown as a line for a shell or as a file only where that is all that it says: an argument more, and the
//! whole call is shown as it is, so that nothing is agreed to unseen.

use super::ASK_USER;
use sayso_core::wire::json;
use sayso_core::{Act, Action};
use serde_json::{Map, Value};

/// The tool that gives a line to a shell.
pub(super) const EXECUTE: &str = "execute";
/// The tool that writes a file anew.
pub(super) const WRITE_FILE: &str = "write_file";
const EDIT_FILE: &str = "edit_file";

/// What a call of a tool would do.
pub(super) fn action(tool: &str, args: &Map<String, Value>) -> Action {
    let act = match tool {
        EXECUTE => texts(args, ["command"]).map(|[command]| Act::Shell { command, folder: None }),
        WRITE_FILE => {
            texts(args, ["file_path", "content"]).map(|[path, content]| Act::Write { path, content })
        }
        EDIT_FILE => texts(args, ["file_path", "diff"]).map(|[path, diff]| Act::Edit { path, diff }),
        _ => None,
    };
    let act = act.unwrap_or_else(|| Act::Call { arguments: json::write(args) });
    Action { tool: tool.to_owned(), act }
}

/// The texts of these arguments, where they are all there are.
fn texts<const N: usize>(args: &Map<String, Value>, names: [&str; N]) -> Option<[String; N]> {
    let text = |name: &str| args.get(name).and_then(Value::as_str);
    let is_all = args.len() == N && names.iter().all(|name| text(name).is_some());
    is_all.then(|| names.map(|name| text(name).unwrap_or_default().to_owned()))
}

/// The arguments of a call that does this.
pub(super) fn arguments(action: &Action) -> Map<String, Value> {
    let member = |name: &str, text: &str| (name.to_owned(), Value::from(text));
    match &action.act {
        Act::Shell { command, folder } => {
            let folder = folder.iter().map(|folder| member("folder", folder));
            std::iter::once(member("command", command)).chain(folder).collect()
        }
        Act::Run { argv, folder } => {
            let folder = folder.iter().map(|folder| member("folder", folder));
            let argv = ("argv".to_owned(), Value::from(argv.as_slice()));
            std::iter::once(argv).chain(folder).collect()
        }
        Act::Write { path, content } => {
            [member("file_path", path), member("content", content)].into_iter().collect()
        }
        Act::Edit { path, diff } => [member("file_path", path), member("diff", diff)].into_iter().collect(),
        Act::Open { url } => [member("url", url)].into_iter().collect(),
        Act::Call { arguments } => match json::read(arguments) {
            Ok(Value::Object(members)) => members,
            _ => [member("arguments", arguments)].into_iter().collect(),
        },
    }
}

/// Whether a call says exactly this.
pub(super) fn is_exact(said: &Action) -> bool {
    said.tool != ASK_USER && action(&said.tool, &arguments(said)) == *said
}
