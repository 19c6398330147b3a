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
    let edited = unless_same(text, &document)?;
    parse(&edited).map(|_| edited)
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
fn unless_same(text: &str, edited: &DocumentMut) -> Result<String, String> {
    let is_same = to_json(parse(text)?.as_item()) == to_json(edited.as_item());
    Ok(if is_same { text.to_owned() } else { edited.to_string() })
}

/// Returns the content of a document, if it can be parsed.
pub(super) fn read(text: &str) -> Option<Json> {
    parse(text).ok().map(|document| to_json(document.as_item()))
}

fn parse(text: &str) -> Result<DocumentMut, String> {
    text.parse::<DocumentMut>().map_err(|error| error.to_string().trim_end().to_owned())
}

fn open_table<'t>(top: &'t mut Item, names: &[&str]) -> Result<&'t mut Item, String> {
    let is_table = |item: &Item| item.is_table_like();
    names.iter().try_fold(top, |outer, name| {
        let mut new = Table::new();
        new.set_implicit(true);
        let new = if outer.is_inline_table() { InlineTable::new().into() } else { Item::Table(new) };
        let inner = member(outer, name, new)?;
        is_table(inner).then_some(inner).ok_or_else(|| format!("{name} is no table"))
    })
}

/// Returns a member of a table, which is added if it is missing.
fn member<'t>(table: &'t mut Item, name: &str, new: Item) -> Result<&'t mut Item, String> {
    let table = table.as_table_like_mut().ok_or_else(|| format!("{name} has no table around it"))?;
    Ok(table.entry(name).or_insert(new))
}

fn set_member(parent: &mut Item, name: &str, wanted: &Json) -> Result<(), String> {
    let is_inline = parent.is_inline_table();
    let present = member(parent, name, Item::None)?;
    let present_value = Some(to_json(present)).filter(|value| !value.is_null());
    let merged = merge_entry(present_value.as_ref(), wanted);
    if present_value.as_ref() != Some(&merged) {
        *present = if is_inline || present.is_value() {
            Item::Value(plain_value(&merged))
        } else {
            Item::Table(table(&merged))
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
    list_items(list).ok_or_else(|| format!("{name} is no list of tables"))?;
    include_in_list(list, item, marker);
    Ok(())
}

/// Adds an item to a list, in place of the older ones of ours. A command of ours in a group with others stays there.
fn include_in_list(list: &mut Item, item: &Json, marker: &str) {
    if list_items(list).iter().flatten().any(|group| is_shared_group(group, marker)) {
        retain_items(list, |own| *own != *item && !is_own_item(own, marker));
        if let Some(shared) = shared_lists(list, marker).into_iter().next() {
            include_in_list(shared, group_command(item), marker);
        }
        return;
    }
    let mut present = list_items(list).unwrap_or_default();
    present.retain(|own| *own == *item || is_own_item(own, marker));
    let merged = |own: &Json| merge_entry(Some(own), item);
    let current = present.iter().find(|own| merged(own) == **own).cloned();
    let wanted = current.clone().or_else(|| present.first().map(merged)).unwrap_or_else(|| item.clone());
    let mut is_kept = false;
    retain_items(list, |own| {
        if current.as_ref() == Some(own) && !is_kept {
            is_kept = true;
            return true;
        }
        *own != *item && !is_own_item(own, marker)
    });
    if !is_kept {
        match list {
            Item::ArrayOfTables(tables) => tables.push(table(&wanted)),
            list => list.as_array_mut().into_iter().for_each(|list| list.push(plain_value(&wanted))),
        }
    }
}

/// Returns the lists of commands of the groups in which ours is next to others.
fn shared_lists<'l>(list: &'l mut Item, marker: &str) -> Vec<&'l mut Item> {
    let is_shared = |group: &Json| is_shared_group(group, marker);
    match list {
        Item::ArrayOfTables(tables) => {
            let shared = tables.iter_mut().filter(|table| is_shared(&table_json(table)));
            shared.filter_map(|table| table.get_mut(GROUP_MEMBER)).collect()
        }
        Item::Value(Value::Array(values)) => {
            let shared = values.iter_mut().filter(|value| is_shared(&value_json(value)));
            let tables = shared.filter_map(Value::as_inline_table_mut);
            tables.filter_map(|table| TableLike::get_mut(table, GROUP_MEMBER)).collect()
        }
        _ => Vec::new(),
    }
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
            for shared in shared_lists(inner, marker) {
                was_there |= remove_items(shared, group_command(item), marker);
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
