//! Full-text search. The index is updated by searches, so that asking never pays for it.

use super::list;
use crate::query;
use rusqlite::types::Value;
use rusqlite::{Connection, params};
use sayso_core::{AskId, limits};
use std::time::Duration;

/// Largest number of asks indexed in one transaction, so that no one waits long for it.
const BATCH_ASKS: i64 = 2_000;

/// Time limit of the indexing in one search, except for its last batch. A desk of a million asks takes up to 20
/// seconds, too long to wait without progress.
pub(crate) const INDEX_TIME: Duration = Duration::from_millis(300);

/// Returns the last indexed row, and the last row if it comes after.
fn index_range(conn: &Connection) -> rusqlite::Result<(i64, Option<i64>)> {
    let indexed: i64 =
        conn.query_row("SELECT value FROM chore WHERE name = 'indexed'", [], |row| row.get(0))?;
    let last: Option<i64> = conn.query_row("SELECT max(seq) FROM ask", [], |row| row.get(0))?;
    Ok((indexed, last.filter(|last| *last > indexed)))
}

/// Counts the asks that are not indexed yet.
pub(crate) fn count_unindexed(conn: &Connection) -> rusqlite::Result<u64> {
    let (indexed, last) = index_range(conn)?;
    Ok(last.map_or(0, |last| last.abs_diff(indexed)))
}

/// Indexes a batch of asks, and returns their number; 0 when nothing is left.
pub(crate) fn index_batch(conn: &Connection) -> rusqlite::Result<usize> {
    let (indexed, last) = index_range(conn)?;
    let Some(last) = last.map(|last| last.min(indexed + BATCH_ASKS)) else { return Ok(0) };
    let count = conn.execute(
        "INSERT INTO search (rowid, words) \
         SELECT ask.seq, concat_ws(' ', title, asker, account, folder) || ' ' || \
             coalesce((SELECT group_concat(value ->> 'prompt', ' ') \
                       FROM json_each(body, '$.questionnaire.questions')), '') \
         FROM ask JOIN request ON request.seq = ask.seq WHERE ask.seq > ?1 AND ask.seq <= ?2",
        params![indexed, last],
    )?;
    conn.execute("UPDATE chore SET value = ?1 WHERE name = 'indexed'", [last])?;
    // Row numbers of purged asks count as indexed.
    Ok(count.max(1))
}

/// Returns the conditions that match all words, each with its parameters. The index has trigrams; shorter words are
/// matched in the title, the asker's name and its account. A word that may be an id matches it too.
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
    ("concat_ws(' ', title, asker, account) LIKE ? ESCAPE '\\'", vec![Value::Text(format!("%{like}%"))])
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
