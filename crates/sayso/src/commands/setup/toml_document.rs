//! Edits of a TOML file in place: comments, order and spacing of everything else stay.

use super::change::{FileChange, FileEntry, is_own_item};
use serde_json::Value as Json;
use toml_edit::{Array, ArrayOfTables, DocumentMut, InlineTable, Item, Table, Value};

/// Returns the text with these entries.
///
/// # Errors
/// Returns the reason if the text can't be parsed, or has something else where an entry belongs.
pub(super) fn apply(text: &str, changes: &[FileChange]) -> Result<String, String> {
    let mut document = parse(text)?;
    for change in changes {
        let Some((name, parents)) = change.path.split_last() else { continue };
        let parent = open_table(document.as_table_mut(), parents)?;
        match &change.entry {
            FileEntry::Member(value) => {
                if parent.get(name).map(to_json).as_ref() != Some(value) {
                    parent.insert(name, Item::Table(table(value)));
                }
            }
            FileEntry::Item { item, marker } => {
                let list = parent.entry(name).or_insert(Item::ArrayOfTables(ArrayOfTables::new()));
                let list =
                    list.as_array_of_tables_mut().ok_or_else(|| format!("{name} is no list of tables"))?;
                if !list.iter().any(|own| table_json(own) == *item) {
                    list.retain(|own| !is_own_item(&table_json(own), marker));
                    list.push(table(item));
                }
            }
        }
    }
    let edited = document.to_string();
    parse(&edited).map(|_| edited)
}

/// Returns the text without these entries, and without the tables that become empty.
///
/// # Errors
/// Returns the reason if the text can't be parsed.
pub(super) fn remove(text: &str, changes: &[FileChange]) -> Result<String, String> {
    let mut document = parse(text)?;
    for change in changes {
        remove_entry(document.as_table_mut(), &change.path, &change.entry);
    }
    Ok(document.to_string())
}

fn parse(text: &str) -> Result<DocumentMut, String> {
    text.parse::<DocumentMut>().map_err(|error| error.to_string().trim_end().to_owned())
}

fn open_table<'t>(top: &'t mut Table, names: &[&str]) -> Result<&'t mut Table, String> {
    names.iter().try_fold(top, |table, name| {
        let mut inner = Table::new();
        inner.set_implicit(true);
        let item = table.entry(name).or_insert(Item::Table(inner));
        item.as_table_mut().ok_or_else(|| format!("{name} is no table"))
    })
}

fn remove_entry(table: &mut Table, path: &[&str], entry: &FileEntry) {
    match (path, entry) {
        ([name], FileEntry::Member(_)) => drop(table.remove(name)),
        ([name], FileEntry::Item { item, marker }) => {
            let list = table.get_mut(name).and_then(Item::as_array_of_tables_mut);
            let Some(list) = list else { return };
            list.retain(|own| table_json(own) != *item && !is_own_item(&table_json(own), marker));
            if list.is_empty() {
                table.remove(name);
            }
        }
        ([name, rest @ ..], _) => {
            let Some(inner) = table.get_mut(name).and_then(Item::as_table_mut) else { return };
            remove_entry(inner, rest, entry);
            if inner.is_empty() {
                table.remove(name);
            }
        }
        ([], _) => {}
    }
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
