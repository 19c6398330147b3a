//! Edits of a TOML file in place: comments, order and spacing of everything else stay, and so does the notation of its
//! tables.

use super::change::{
    FileChange, FileEntry, GROUP_MEMBER, group_command, is_own_item, is_shared_group, merge_entry,
};
use serde_json::Value as Json;
use toml_edit::{Array, ArrayOfTables, DocumentMut, InlineTable, Item, Table, TableLike, Value};

/// Returns the text with these entries.
///
/// # Errors
/// Returns the reason if the text can't be parsed, or has something else where an entry belongs.
pub(super) fn apply(text: &str, changes: &[FileChange]) -> Result<String, String> {
    let mut document = parse(text)?;
    for change in changes {
        let Some((name, parents)) = change.path.split_last() else { continue };
        let parent = open_table(document.as_item_mut(), parents)?;
        match &change.entry {
            FileEntry::Member(value) => set_member(parent, name, value)?,
            FileEntry::Item { item, marker } => include_item(parent, name, item, marker)?,
        }
    }
    let new_text = unless_same(text, &document)?;
    parse(&new_text)?;
    Ok(new_text)
}

/// Returns the text without these entries, and without the tables that become empty.
///
/// # Errors
/// Returns the reason if the text can't be parsed.
pub(super) fn remove(text: &str, changes: &[FileChange]) -> Result<String, String> {
    let mut document = parse(text)?;
    for change in changes {
        remove_entry(document.as_item_mut(), &change.path, &change.entry);
    }
    unless_same(text, &document)
}

/// Returns the edited text, or the one before if it says the same: the editor adds a line's end.
fn unless_same(text: &str, document: &DocumentMut) -> Result<String, String> {
    let is_same = to_json(parse(text)?.as_item()) == to_json(document.as_item());
    Ok(if is_same { text.to_owned() } else { document.to_string() })
}

/// Returns the content of a document, if it can be parsed.
pub(super) fn read(text: &str) -> Option<Json> {
    Some(to_json(parse(text).ok()?.as_item()))
}

fn parse(text: &str) -> Result<DocumentMut, String> {
    text.parse::<DocumentMut>().map_err(|error| error.to_string().trim_end().to_owned())
}

fn open_table<'t>(top: &'t mut Item, names: &[&str]) -> Result<&'t mut Item, String> {
    let mut table = top;
    for name in names {
        let mut new_table = Table::new();
        new_table.set_implicit(true);
        let new = if table.is_inline_table() { InlineTable::new().into() } else { Item::Table(new_table) };
        table = member(table, name, new)?;
        if !table.is_table_like() {
            return Err(format!("{name} is no table"));
        }
    }
    Ok(table)
}

/// Returns a member of a table, which is added if it is missing.
fn member<'t>(table: &'t mut Item, name: &str, new: Item) -> Result<&'t mut Item, String> {
    match table.as_table_like_mut() {
        Some(table) => Ok(table.entry(name).or_insert(new)),
        None => Err(format!("{name} has no table around it")),
    }
}

fn set_member(parent: &mut Item, name: &str, wanted: &Json) -> Result<(), String> {
    let is_inline = parent.is_inline_table();
    let present = member(parent, name, Item::None)?;
    let present_value = match to_json(present) {
        Json::Null => None,
        value => Some(value),
    };
    let new_value = merge_entry(present_value.as_ref(), wanted);
    if present_value.as_ref() != Some(&new_value) {
        *present = if is_inline || present.is_value() {
            Item::Value(plain_value(&new_value))
        } else {
            Item::Table(table(&new_value))
        };
    }
    Ok(())
}

/// Adds an item to a list of tables.
fn include_item(parent: &mut Item, name: &str, item: &Json, marker: &str) -> Result<(), String> {
    let new = if parent.is_inline_table() {
        Item::Value(Array::new().into())
    } else {
        Item::ArrayOfTables(ArrayOfTables::new())
    };
    let list = member(parent, name, new)?;
    if list_items(list).is_none() {
        return Err(format!("{name} is no list of tables"));
    }
    include_in_list(list, item, marker);
    Ok(())
}

/// Adds an item to a list, in place of the older ones of ours. A command of ours in a group with others stays there.
fn include_in_list(list: &mut Item, item: &Json, marker: &str) {
    let mut own_items = list_items(list).unwrap_or_default();
    if own_items.iter().any(|group| is_shared_group(group, marker)) {
        retain_items(list, |other| *other != *item && !is_own_item(other, marker));
        if let Some(group_list) = shared_lists(list, marker).into_iter().next() {
            include_in_list(group_list, group_command(item), marker);
        }
        return;
    }
    own_items.retain(|own| *own == *item || is_own_item(own, marker));
    let up_to_date = own_items.iter().find(|own| merge_entry(Some(own), item) == **own);
    let mut has_item = false;
    retain_items(list, |other| {
        if !has_item && Some(other) == up_to_date {
            has_item = true;
            return true;
        }
        *other != *item && !is_own_item(other, marker)
    });
    if has_item {
        return;
    }
    let new_item = merge_entry(own_items.first(), item);
    if let Item::ArrayOfTables(tables) = list {
        tables.push(table(&new_item));
    } else if let Some(array) = list.as_array_mut() {
        array.push(plain_value(&new_item));
    }
}

/// Returns the lists of commands of the groups in which ours is next to others.
fn shared_lists<'l>(list: &'l mut Item, marker: &str) -> Vec<&'l mut Item> {
    let mut lists = Vec::new();
    match list {
        Item::ArrayOfTables(tables) => {
            for table in tables.iter_mut() {
                if is_shared_group(&table_json(table), marker) {
                    lists.extend(table.get_mut(GROUP_MEMBER));
                }
            }
        }
        Item::Value(Value::Array(values)) => {
            for value in values.iter_mut() {
                if is_shared_group(&value_json(value), marker)
                    && let Some(table) = value.as_inline_table_mut()
                {
                    lists.extend(TableLike::get_mut(table, GROUP_MEMBER));
                }
            }
        }
        _ => {}
    }
    lists
}

/// Returns the items of a list of tables in either notation.
fn list_items(list: &Item) -> Option<Vec<Json>> {
    match to_json(list) {
        Json::Array(items) => Some(items),
        _ => None,
    }
}

fn retain_items(list: &mut Item, mut is_kept: impl FnMut(&Json) -> bool) {
    match list {
        Item::ArrayOfTables(tables) => tables.retain(|table| is_kept(&table_json(table))),
        Item::Value(Value::Array(values)) => values.retain(|value| is_kept(&value_json(value))),
        _ => {}
    }
}

/// Removes an entry, and what becomes empty without it; returns whether it was there.
fn remove_entry(table: &mut Item, path: &[&str], entry: &FileEntry) -> bool {
    let Some(table) = table.as_table_like_mut() else { return false };
    let [name, rest @ ..] = path else { return false };
    let Some(inner) = table.get_mut(name) else { return false };
    let (was_there, is_empty) = match (rest, entry) {
        ([], FileEntry::Member(_)) => (true, true),
        ([], FileEntry::Item { item, marker }) => {
            let mut was_there = remove_items(inner, item, marker);
            for group_list in shared_lists(inner, marker) {
                was_there |= remove_items(group_list, group_command(item), marker);
            }
            (was_there, list_items(inner).is_some_and(|items| items.is_empty()))
        }
        _ => {
            let was_there = remove_entry(inner, rest, entry);
            (was_there, inner.as_table_like().is_some_and(|inner| inner.is_empty()))
        }
    };
    if was_there && is_empty {
        table.remove(name);
    }
    was_there
}

/// Removes our items from a list, and returns whether there were any.
fn remove_items(list: &mut Item, item: &Json, marker: &str) -> bool {
    let mut were_there = false;
    retain_items(list, |own| {
        let is_own = *own == *item || is_own_item(own, marker);
        were_there |= is_own;
        !is_own
    });
    were_there
}

/// Returns a table; lists of objects in it become lists of tables.
fn table(value: &Json) -> Table {
    let mut table = Table::new();
    for (name, value) in value.as_object().into_iter().flatten() {
        let item = match value {
            Json::Array(items) if items.iter().all(Json::is_object) && !items.is_empty() => {
                Item::ArrayOfTables(items.iter().map(self::table).collect())
            }
            value => Item::Value(plain_value(value)),
        };
        table.insert(name, item);
    }
    table
}

fn plain_value(value: &Json) -> Value {
    match value {
        Json::Null => Value::from(""),
        Json::Bool(value) => Value::from(*value),
        Json::Number(number) => match number.as_i64() {
            Some(number) => Value::from(number),
            None => Value::from(number.as_f64().unwrap_or_default()),
        },
        Json::String(text) => Value::from(text.as_str()),
        Json::Array(items) => Value::from(items.iter().map(plain_value).collect::<Array>()),
        Json::Object(members) => Value::from(
            members.iter().map(|(name, value)| (name.as_str(), plain_value(value))).collect::<InlineTable>(),
        ),
    }
}

fn table_json(table: &Table) -> Json {
    table.iter().map(|(name, item)| (name.to_owned(), to_json(item))).collect()
}

fn to_json(item: &Item) -> Json {
    match item {
        Item::None => Json::Null,
        Item::Value(value) => value_json(value),
        Item::Table(table) => table_json(table),
        Item::ArrayOfTables(tables) => tables.iter().map(table_json).collect(),
    }
}

fn value_json(value: &Value) -> Json {
    match value {
        Value::String(text) => text.value().as_str().into(),
        Value::Integer(number) => (*number.value()).into(),
        Value::Float(number) => (*number.value()).into(),
        Value::Boolean(value) => (*value.value()).into(),
        Value::Datetime(time) => time.value().to_string().into(),
        Value::Array(items) => items.iter().map(value_json).collect(),
        Value::InlineTable(members) => {
            members.iter().map(|(name, value)| (name.to_owned(), value_json(value))).collect()
        }
    }
}
