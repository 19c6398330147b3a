//! Search by words. The index is brought up to date when somebody searches, so that asking never pays for it.

use crate::query;
use rusqlite::types::Value;
use rusqlite::{Connection, params};
use sayso_core::{AskId, limits};
use std::time::Duration;

/// Asks indexed in one transaction at most, so that nobody waits long for it.
const BATCH_ASKS: i64 = 2_000;

/// How long one search indexes at most, but for its last batch. A desk of a million asks takes up to 20 seconds, which is
/// too long to wait without a sign.
pub(super) const INDEX_TIME: Duration = Duration::from_millis(300);

/// The last ask that is indexed, and the last one there is where that comes after it.
fn to_index(conn: &Connection) -> rusqlite::Result<(i64, Option<i64>)> {
    let indexed: i64 =
        conn.query_row("SELECT value FROM chore WHERE name = 'indexed'", [], |row| row.get(0))?;
    let last: Option<i64> = conn.query_row("SELECT max(seq) FROM ask", [], |row| row.get(0))?;
    Ok((indexed, last.filter(|last| *last > indexed)))
}

/// Counts what was asked since the index was last brought up to date.
pub(super) fn unindexed(conn: &Connection) -> rusqlite::Result<u64> {
    let (indexed, last) = to_index(conn)?;
    Ok(last.map_or(0, |last| last.abs_diff(indexed)))
}

/// Indexes some of what was asked since the last search; how many asks those were, 0 when nothing is left.
pub(super) fn catch_up(conn: &Connection) -> rusqlite::Result<usize> {
    let (indexed, last) = to_index(conn)?;
    let Some(last) = last.map(|last| last.min(indexed + BATCH_ASKS)) else { return Ok(0) };
    let count = conn.execute(
        "INSERT INTO search (rowid, words) \
         SELECT ask.seq, title || ' ' || asker || ' ' || coalesce(folder, '') || ' ' || \
             coalesce((SELECT group_concat(value ->> 'prompt', ' ') \
                       FROM json_each(body, '$.questionnaire.questions')), '') \
         FROM ask JOIN request ON request.seq = ask.seq WHERE ask.seq > ?1 AND ask.seq <= ?2",
        params![indexed, last],
    )?;
    conn.execute("UPDATE chore SET value = ?1 WHERE name = 'indexed'", [last])?;
    // Places of asks that were purged count as done.
    Ok(count.max(1))
}

/// The conditions that find all of these words, each with its values. The index knows runs of three characters; shorter
/// words are looked for in the title and the asker's name. A word that can stand for an id finds that too.
pub(super) fn clauses(words: &str) -> Vec<(&'static str, Vec<Value>)> {
    let words = query::words(words).take(limits::SEARCH_WORDS);
    let (long, short): (Vec<_>, Vec<_>) = words.partition(|word| word.chars().count() >= 3);
    let (ids, long): (Vec<_>, Vec<_>) =
        long.into_iter().map(|word| (AskId::digits(word), quoted(word))).partition(|(id, _)| id.is_some());
    let mut clauses: Vec<_> = short.into_iter().map(in_title).collect();
    clauses.extend(ids.into_iter().filter_map(|(digits, quoted)| as_id(&digits?, quoted)));
    if !long.is_empty() {
        let all: Vec<_> = long.into_iter().map(|(_, quoted)| quoted).collect();
        let all = Value::Text(all.join(" "));
        clauses.push(("seq IN (SELECT rowid FROM search WHERE search MATCH ?)", vec![all]));
    }
    clauses
}

fn in_title(word: &str) -> (&'static str, Vec<Value>) {
    let like = word.replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_");
    ("(title || ' ' || asker) LIKE ? ESCAPE '\\'", vec![Value::Text(format!("%{like}%"))])
}

fn as_id(digits: &str, quoted: String) -> Option<(&'static str, Vec<Value>)> {
    let beginning = Value::Text(format!("{}%", digits.to_ascii_uppercase()));
    let (first, last) = super::list::beginning_so(digits)?;
    let (first, last) = (Value::Blob(first.to_vec()), Value::Blob(last.to_vec()));
    Some(match digits.len() {
        ..AskId::HANDLE_CHARS => (
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

fn quoted(word: &str) -> String {
    format!("\"{}\"", word.replace('"', "\"\""))
}
