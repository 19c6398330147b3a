//! Changes of a host's file, independent of its format.

use super::{json_document, toml_document};
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
        let edited = match &self.content {
            FileContent::Json(changes) => json_document::apply(present.unwrap_or_default(), changes),
            FileContent::Toml(changes) => toml_document::apply(present.unwrap_or_default(), changes),
            FileContent::Whole(text) => Ok(text.clone()),
        };
        edited.map_err(|why| unreadable(&self.path, &why))
    }

    /// Returns the text without our entries; `None` if the file was ours alone.
    ///
    /// # Errors
    /// Fails if the present text can't be parsed.
    pub(super) fn without_entries(&self, present: &str) -> Result<Option<String>, Problem> {
        let edited = match &self.content {
            FileContent::Json(changes) => json_document::remove(present, changes).map(Some),
            FileContent::Toml(changes) => toml_document::remove(present, changes).map(Some),
            FileContent::Whole(_) => Ok(None),
        };
        edited.map_err(|why| unreadable(&self.path, &why))
    }
}

/// Returns true if an item of a list is an older one of ours. A group with a command of someone else stays.
pub(super) fn is_own_item(item: &Value, marker: &str) -> bool {
    match item {
        Value::String(text) => text == marker,
        Value::Object(group) => match group.get("hooks") {
            Some(Value::Array(hooks)) => {
                matches!(hooks.as_slice(), [only] if has_command(only, marker))
            }
            _ => has_command(item, marker),
        },
        _ => false,
    }
}

fn has_command(hook: &Value, marker: &str) -> bool {
    ["command", "bash"]
        .iter()
        .any(|name| hook.get(name).and_then(Value::as_str).is_some_and(|line| line.contains(marker)))
}

/// Returns the problem of a file that can't be read or parsed.
pub(super) fn unreadable(path: &Path, why: &str) -> Problem {
    let message = Message::UnreadableFile.with([path.display().to_string(), why.to_owned()]);
    Problem::new(ProblemCode::UnreadableFile, message).with_hint(Message::SetupNothingWritten)
}
