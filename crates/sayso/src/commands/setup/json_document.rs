//! Edits of a JSON file in place: comments, order and spacing of everything else stay.

use super::change::{
    FileChange, FileEntry, GROUP_MEMBER, group_command, is_own_item, is_shared_group, merge_entry,
};
use jsonc_parser::ParseOptions;
use jsonc_parser::cst::{CstArray, CstInputValue, CstNode, CstObject, CstRootNode};
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
        let mut parent = top.clone();
        for name in parents {
            let Some(object) = parent.object_value_or_create(name) else {
                return Err(format!("{name} is no object"));
            };
            parent = object;
        }
        match &change.entry {
            FileEntry::Member(value) => set_member(&parent, name, value),
            FileEntry::Item { item, marker } => {
                let Some(list) = parent.array_value_or_create(name) else {
                    return Err(format!("{name} is no list"));
                };
                include_item(&list, item, marker);
            }
        }
    }
    let new_text = with_final_newline(text, root.to_string());
    parse(&new_text)?;
    Ok(new_text)
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
        remove_entry(&top, parents, name, &change.entry);
    }
    Ok(root.to_string())
}

/// Removes an entry, and the objects that become empty without it; returns whether it was there.
fn remove_entry(object: &CstObject, parents: &[&str], name: &str, entry: &FileEntry) -> bool {
    let Some((parent, inner_parents)) = parents.split_first() else {
        return match entry {
            FileEntry::Member(_) => remove_member(object, name),
            FileEntry::Item { item, marker } => remove_items(object, name, item, marker),
        };
    };
    let Some(inner) = object.object_value(parent) else { return false };
    let was_there = remove_entry(&inner, inner_parents, name, entry);
    // An object that was empty before stays.
    if was_there && inner.properties().is_empty() {
        remove_member(object, parent);
    }
    was_there
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
    let Some(present) = object.get(name) else { return false };
    present.remove();
    true
}

/// Removes our items from a list, and the list if it becomes empty; returns whether there were any.
fn remove_items(object: &CstObject, name: &str, item: &Value, marker: &str) -> bool {
    let Some(list) = object.array_value(name) else { return false };
    let mut own_items = own_elements(&list, item, marker);
    let group_lists = shared_lists(&list, marker);
    let were_there = !own_items.is_empty() || !group_lists.is_empty();
    for group_list in &group_lists {
        own_items.extend(own_elements(group_list, group_command(item), marker));
    }
    for own_item in own_items {
        own_item.remove();
    }
    if were_there && list.elements().is_empty() {
        remove_member(object, name);
    }
    were_there
}

/// Adds an item, in place of the older ones of ours. A command of ours in a group with others stays there.
fn include_item(list: &CstArray, item: &Value, marker: &str) {
    let mut own_items = own_elements(list, item, marker);
    let group_lists = shared_lists(list, marker);
    if group_lists.is_empty() {
        match own_items.iter().position(|own_item| is_up_to_date(own_item, item)) {
            Some(index) => _ = own_items.remove(index),
            None => {
                let earlier = own_items.first().and_then(CstNode::to_serde_value);
                list.append(input_value(&merge_entry(earlier.as_ref(), item)));
            }
        }
    }
    for own_item in own_items {
        own_item.remove();
    }
    if let Some(group_list) = group_lists.first() {
        include_item(group_list, group_command(item), marker);
    }
}

/// Returns whether an item has what we would write over it.
fn is_up_to_date(element: &CstNode, item: &Value) -> bool {
    let present = element.to_serde_value();
    present.as_ref() == Some(&merge_entry(present.as_ref(), item))
}

fn own_elements(list: &CstArray, item: &Value, marker: &str) -> Vec<CstNode> {
    let mut own_items = list.elements();
    own_items.retain(|element| match element.to_serde_value() {
        Some(value) => value == *item || is_own_item(&value, marker),
        None => false,
    });
    own_items
}

/// Returns the lists of commands of the groups in which ours is next to others.
fn shared_lists(list: &CstArray, marker: &str) -> Vec<CstArray> {
    let mut lists = Vec::new();
    for element in list.elements() {
        if let Some(value) = element.to_serde_value()
            && is_shared_group(&value, marker)
            && let Some(group) = element.as_object()
        {
            lists.extend(group.array_value(GROUP_MEMBER));
        }
    }
    lists
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
