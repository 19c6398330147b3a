//! Full-text search. The index gets an ask as it is opened.

use super::list;
use crate::query;
use rusqlite::types::Value;
use rusqlite::{Connection, ErrorCode, params};
use sayso_core::{AskId, limits};

/// Adds an ask to the index. A damaged index keeps no one from asking: the ask is then not found by its words.
pub(crate) fn add(conn: &Connection, seq: i64, text: &str) -> rusqlite::Result<()> {
    let mut insert = conn.prepare_cached("INSERT INTO search (rowid, words) VALUES (?1, ?2)")?;
    match insert.execute(params![seq, text]) {
        Err(error) if error.sqlite_error_code() == Some(ErrorCode::DatabaseCorrupt) => {
            tracing::warn!(%error, "the index of words is damaged");
            Ok(())
        }
        done => done.map(drop),
    }
}

/// Removes an ask from the index. Nothing is read of a damaged one.
pub(crate) fn remove(conn: &Connection, seq: i64) -> rusqlite::Result<()> {
    match conn.prepare_cached("DELETE FROM search WHERE rowid = ?1")?.execute([seq]) {
        Err(error) if error.sqlite_error_code() == Some(ErrorCode::DatabaseCorrupt) => {
            tracing::warn!(%error, "the index of words is damaged");
            Ok(())
        }
        done => done.map(drop),
    }
}

/// Returns the conditions that match all words, each with its parameters. The index has trigrams; shorter words are
/// matched in the title, the act, the asker's name and its account. A word that may be an id matches it too.
pub(crate) fn word_conditions(words: &str) -> Vec<(&'static str, Vec<Value>)> {
    let words = query::search_words(words).take(limits::SEARCH_WORDS);
    let (long, short): (Vec<_>, Vec<_>) = words.partition(|word| word.chars().count() >= 3);
    let (ids, long): (Vec<_>, Vec<_>) = long
        .into_iter()
        .map(|word| (AskId::search_digits(word), quote(word)))
        .partition(|(id, _)| id.is_some());
    let mut clauses: Vec<_> = short.into_iter().map(title_condition).collect();
    clauses.extend(ids.into_iter().filter_map(|(digits, quoted)| id_condition(&digits?, quoted)));
    if !long.is_empty() {
        let all: Vec<_> = long.into_iter().map(|(_, quoted)| quoted).collect();
        let all = Value::Text(all.join(" "));
        clauses.push(("seq IN (SELECT rowid FROM search WHERE search MATCH ?)", vec![all]));
    }
    clauses
}

fn title_condition(word: &str) -> (&'static str, Vec<Value>) {
    let like = word.replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_");
    (
        "concat_ws(' ', title, asker, account, act ->> 'object') LIKE ? ESCAPE '\\'",
        vec![Value::Text(format!("%{like}%"))],
    )
}

fn id_condition(digits: &str, quoted: String) -> Option<(&'static str, Vec<Value>)> {
    let beginning = Value::Text(format!("{}%", digits.to_ascii_uppercase()));
    let (first, last) = list::id_range(digits)?;
    let (first, last) = (Value::Blob(first.to_vec()), Value::Blob(last.to_vec()));
    Some(match digits.len() {
        ..AskId::SHORT_ID_CHARS => (
            "(seq IN (SELECT rowid FROM search WHERE search MATCH ?) OR substr(hex(id), 25) LIKE ?)",
            vec![Value::Text(quoted), beginning],
        ),
        _ => (
            "(seq IN (SELECT rowid FROM search WHERE search MATCH ?) OR substr(hex(id), 25) LIKE ? \
              OR id BETWEEN ? AND ?)",
            vec![Value::Text(quoted), beginning, first, last],
        ),
    })
}

fn quote(word: &str) -> String {
    format!("\"{}\"", word.replace('"', "\"\""))
}
