//! Changes of a host's file, independent of its format.

use super::{json_document, toml_document};
use sayso_core::i18n::own;
use sayso_core::{Message, Problem, ProblemCode};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// File of a host with what setup writes into it.
#[derive(Debug)]
pub(super) struct HostFile {
    pub(super) path: PathBuf,
    pub(super) content: FileContent,
}

/// The entry that setup writes into a file.
#[derive(Debug)]
pub(super) enum FileContent {
    /// Entries of a JSON file, with or without comments.
    Json(Vec<FileChange>),
    /// Entries of a TOML file.
    Toml(Vec<FileChange>),
    /// The whole file, which is ours alone.
    Whole(String),
}

/// Entry that setup writes.
#[derive(Debug)]
pub(super) struct FileChange {
    /// Names of the members that lead to the entry.
    pub(super) path: Vec<&'static str>,
    pub(super) entry: FileEntry,
}

/// Value of an entry.
#[derive(Debug)]
pub(super) enum FileEntry {
    /// Member that is ours alone.
    Member(Value),
    /// Item of a list that others use too. An item that contains the marker is an older one of ours.
    Item { item: Value, marker: &'static str },
}

/// Member of a group of hooks: the list of its commands.
pub(super) const GROUP_MEMBER: &str = "hooks";
/// Members of an entry that decide how our program is started.
const STARTING_MEMBERS: [&str; 4] = ["type", "command", "args", GROUP_MEMBER];

impl FileChange {
    pub(super) const fn member(path: Vec<&'static str>, value: Value) -> Self {
        Self { path, entry: FileEntry::Member(value) }
    }

    pub(super) const fn item(path: Vec<&'static str>, item: Value, marker: &'static str) -> Self {
        Self { path, entry: FileEntry::Item { item, marker } }
    }
}

impl HostFile {
    /// Returns the text with our entries.
    ///
    /// # Errors
    /// Fails if the present text can't be parsed, or has something else where an entry belongs.
    pub(super) fn with_entries(&self, present: Option<&str>) -> Result<String, Problem> {
        let (mark, text) = split_byte_order_mark(present.unwrap_or_default());
        let new_text = match &self.content {
            FileContent::Json(changes) => json_document::apply(text, changes),
            FileContent::Toml(changes) => toml_document::apply(text, changes),
            FileContent::Whole(text) => return Ok(text.clone()),
        };
        match new_text {
            Ok(new_text) => Ok(format!("{mark}{new_text}")),
            Err(why) => Err(unreadable(&self.path, &why)),
        }
    }

    /// Returns the text without our entries; `None` if the file was ours alone.
    ///
    /// # Errors
    /// Fails if the present text can't be parsed.
    pub(super) fn without_entries(&self, present: &str) -> Result<Option<String>, Problem> {
        let (mark, text) = split_byte_order_mark(present);
        let new_text = match &self.content {
            FileContent::Json(changes) => json_document::remove(text, changes),
            FileContent::Toml(changes) => toml_document::remove(text, changes),
            FileContent::Whole(_) => return Ok(None),
        };
        match new_text {
            Ok(new_text) => Ok(Some(format!("{mark}{new_text}"))),
            Err(why) => Err(unreadable(&self.path, &why)),
        }
    }

    /// Returns the names of the entries, such as `mcpServers.sayso`, or `hooks` for several of them.
    pub(super) fn entry_names(&self) -> Vec<String> {
        let (FileContent::Json(changes) | FileContent::Toml(changes)) = &self.content else {
            return Vec::new();
        };
        let mut names = Vec::new();
        for group in changes.chunk_by(|one, next| one.path.first() == next.path.first()) {
            match group {
                [change] => names.push(change.path.join(".")),
                [first, ..] => names.push(first.path.first().copied().unwrap_or_default().to_owned()),
                [] => {}
            }
        }
        names
    }
}

/// Separates the byte order mark with which some editors begin a file.
pub(super) fn split_byte_order_mark(text: &str) -> (&str, &str) {
    text.split_at(text.len() - text.trim_start_matches('\u{feff}').len())
}

/// Returns an entry as it is written over a present one. How our program is started is ours; whatever else the user
/// has there stays, such as a time, variables or more arguments.
pub(super) fn merge_entry(present: Option<&Value>, wanted: &Value) -> Value {
    match (present, wanted) {
        (Some(Value::Object(present)), Value::Object(wanted)) => {
            let mut merged = present.clone();
            for (name, value) in wanted {
                let present_value = present.get(name);
                if present_value.is_none() || STARTING_MEMBERS.contains(&name.as_str()) {
                    merged.insert(name.clone(), merge_entry(present_value, value));
                }
            }
            Value::Object(merged)
        }
        (Some(Value::Array(present)), Value::Array(wanted)) if present.starts_with(wanted) => {
            Value::Array(present.clone())
        }
        (Some(Value::Array(present)), Value::Array(wanted)) => {
            match (present.as_slice(), wanted.as_slice()) {
                ([present], [wanted @ Value::Object(_)]) => vec![merge_entry(Some(present), wanted)].into(),
                (_, wanted) => wanted.into(),
            }
        }
        (_, wanted) => wanted.clone(),
    }
}

/// Returns true if an item of a list is an older one of ours. A group with a command of someone else stays.
pub(super) fn is_own_item(item: &Value, marker: &str) -> bool {
    match item {
        Value::String(text) => text == marker,
        Value::Object(group) => match group.get(GROUP_MEMBER) {
            Some(Value::Array(hooks)) => {
                matches!(hooks.as_slice(), [only] if has_command(only, marker))
            }
            _ => has_command(item, marker),
        },
        _ => false,
    }
}

/// Returns true if an item of a list is a group in which our command is next to commands of someone else.
pub(super) fn is_shared_group(item: &Value, marker: &str) -> bool {
    let hooks = item.get(GROUP_MEMBER).and_then(Value::as_array);
    hooks.is_some_and(|hooks| hooks.len() > 1 && hooks.iter().any(|hook| has_command(hook, marker)))
}

/// Returns our command of a group; the item itself if it is no group.
pub(super) fn group_command(item: &Value) -> &Value {
    item.get(GROUP_MEMBER).and_then(|hooks| hooks.get(0)).unwrap_or(item)
}

fn has_command(hook: &Value, marker: &str) -> bool {
    let lines = [hook.get("command"), hook.get("bash")];
    lines.into_iter().flatten().filter_map(Value::as_str).any(|line| line.contains(marker))
}

/// Returns the problem of a file that can't be read or parsed.
pub(super) fn unreadable(path: &Path, why: &str) -> Problem {
    let message = Message::UnreadableFile.with([own(path.display()), own(why)]);
    Problem::new(ProblemCode::UnreadableFile, message).with_hint(Message::SetupNothingWritten)
}
