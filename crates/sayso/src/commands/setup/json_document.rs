//! Edits of a JSON file in place: comments, order and spacing of everything else stay.

use super::change::{
    FileChange, FileEntry, GROUP_MEMBER, group_command, is_own_item, is_shared_group, merge_entry,
};
use jsonc_parser::ParseOptions;
use jsonc_parser::cst::{CstArray, CstInputValue, CstNode, CstObject, CstObjectProp, CstRootNode};
use serde_json::Value;

/// Returns the text with these entries.
///
/// # Errors
/// Returns the reason if the text can't be parsed, or has something else where an entry belongs.
pub(super) fn apply(text: &str, changes: &[FileChange]) -> Result<String, String> {
    let root = parse(text)?;
    let top = root.object_value_or_create().ok_or("the top level is no object")?;
    for change in changes {
        let Some((name, parents)) = change.path.split_last() else { continue };
        let parent = parents.iter().try_fold(top.clone(), |object, name| {
            object.object_value_or_create(name).ok_or_else(|| format!("{name} is no object"))
        })?;
        match &change.entry {
            FileEntry::Member(value) => set_member(&parent, name, value),
            FileEntry::Item { item, marker } => {
                let list = parent.array_value_or_create(name).ok_or_else(|| format!("{name} is no list"))?;
                include_item(&list, item, marker);
            }
        }
    }
    let edited = with_final_newline(text, root.to_string());
    parse(&edited).map(|_| edited)
}

/// Returns the text without these entries, and without the members that become empty.
///
/// # Errors
/// Returns the reason if the text can't be parsed.
pub(super) fn remove(text: &str, changes: &[FileChange]) -> Result<String, String> {
    let root = parse(text)?;
    let Some(top) = root.object_value() else { return Ok(text.to_owned()) };
    for change in changes {
        let Some((name, parents)) = change.path.split_last() else { continue };
        let mut objects = vec![top.clone()];
        for name in parents {
            let inner = objects.last().and_then(|object| object.object_value(name));
            let Some(inner) = inner else { break };
            objects.push(inner);
        }
        if objects.len() != change.path.len() {
            continue;
        }
        let Some(parent) = objects.last() else { continue };
        let is_removed = match &change.entry {
            FileEntry::Member(_) => remove_member(parent, name),
            FileEntry::Item { item, marker } => remove_items(parent, name, item, marker),
        };
        // What is empty without us stays.
        if !is_removed {
            continue;
        }
        for (object, name) in objects.iter().skip(1).zip(parents).rev() {
            let holder = objects.iter().zip(parents).find(|(_, own)| *own == name).map(|(holder, _)| holder);
            if object.properties().is_empty()
                && let Some(holder) = holder
            {
                remove_member(holder, name);
            }
        }
    }
    Ok(root.to_string())
}

/// Returns the content of a document, if it can be parsed.
pub(super) fn read(text: &str) -> Option<Value> {
    parse(text).ok()?.to_serde_value()
}

fn parse(text: &str) -> Result<CstRootNode, String> {
    CstRootNode::parse(text, &ParseOptions::default()).map_err(|error| error.to_string())
}

fn with_final_newline(before: &str, mut after: String) -> String {
    if before.is_empty() && !after.ends_with('\n') {
        after.push('\n');
    }
    after
}

fn set_member(object: &CstObject, name: &str, value: &Value) {
    let Some(present) = object.get(name) else {
        object.append(name, input_value(value));
        return;
    };
    let present_value = present.to_serde_value();
    let merged = merge_entry(present_value.as_ref(), value);
    if present_value.as_ref() != Some(&merged) {
        present.set_value(input_value(&merged));
    }
}

/// Removes a member, and returns whether it was there.
fn remove_member(object: &CstObject, name: &str) -> bool {
    let present = object.get(name);
    let was_there = present.is_some();
    present.into_iter().for_each(CstObjectProp::remove);
    was_there
}

/// Removes our items from a list, and the list if it becomes empty; returns whether there were any.
fn remove_items(object: &CstObject, name: &str, item: &Value, marker: &str) -> bool {
    let Some(list) = object.array_value(name) else { return false };
    let own = own_elements(&list, item, marker);
    let shared = shared_lists(&list, marker);
    let were_there = !own.is_empty() || !shared.is_empty();
    let shared = shared.iter().flat_map(|list| own_elements(list, group_command(item), marker));
    shared.collect::<Vec<_>>().into_iter().chain(own).for_each(CstNode::remove);
    if were_there && list.elements().is_empty() {
        remove_member(object, name);
    }
    were_there
}

/// Adds an item, in place of the older ones of ours. A command of ours in a group with others stays there.
fn include_item(list: &CstArray, item: &Value, marker: &str) {
    let mut own = own_elements(list, item, marker);
    if let Some(shared) = shared_lists(list, marker).first() {
        own.into_iter().for_each(CstNode::remove);
        return include_item(shared, group_command(item), marker);
    }
    let merged = |element: &CstNode| merge_entry(element.to_serde_value().as_ref(), item);
    let is_current = |element: &CstNode| element.to_serde_value().is_some_and(|own| own == merged(element));
    match own.iter().position(is_current) {
        Some(kept) => drop(own.remove(kept)),
        None => drop(list.append(input_value(&own.first().map_or_else(|| item.clone(), merged)))),
    }
    own.into_iter().for_each(CstNode::remove);
}

fn own_elements(list: &CstArray, item: &Value, marker: &str) -> Vec<CstNode> {
    let is_own = |element: &CstNode| {
        element.to_serde_value().is_some_and(|value| value == *item || is_own_item(&value, marker))
    };
    list.elements().into_iter().filter(is_own).collect()
}

/// Returns the lists of commands of the groups in which ours is next to others.
fn shared_lists(list: &CstArray, marker: &str) -> Vec<CstArray> {
    let is_shared =
        |element: &CstNode| element.to_serde_value().is_some_and(|value| is_shared_group(&value, marker));
    let groups = list.elements().into_iter().filter(is_shared);
    groups.filter_map(|group| group.as_object()?.array_value(GROUP_MEMBER)).collect()
}

fn input_value(value: &Value) -> CstInputValue {
    match value {
        Value::Null => CstInputValue::Null,
        Value::Bool(value) => CstInputValue::Bool(*value),
        Value::Number(number) => CstInputValue::Number(number.to_string()),
        Value::String(text) => CstInputValue::String(text.clone()),
        Value::Array(items) => CstInputValue::Array(items.iter().map(input_value).collect()),
        Value::Object(members) => CstInputValue::Object(
            members.iter().map(|(name, value)| (name.clone(), input_value(value))).collect(),
        ),
    }
}
