//! Search by words. The index is brought up to date when somebody searches, so that asking never pays for it.

use crate::query;
use rusqlite::{Connection, params};
use sayso_core::limits;

/// Asks indexed in one transaction at most, so that nobody waits long for it.
const BATCH_ASKS: i64 = 5_000;

/// The last ask that is indexed, and the last one there is where that comes after it.
fn to_index(conn: &Connection) -> rusqlite::Result<(i64, Option<i64>)> {
    let indexed: i64 =
        conn.query_row("SELECT value FROM chore WHERE name = 'indexed'", [], |row| row.get(0))?;
    let last: Option<i64> = conn.query_row("SELECT max(seq) FROM ask", [], |row| row.get(0))?;
    Ok((indexed, last.filter(|last| *last > indexed)))
}

/// Whether something was asked since the last search.
pub(super) fn is_behind(conn: &Connection) -> rusqlite::Result<bool> {
    Ok(to_index(conn)?.1.is_some())
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

/// The conditions that find all of these words, each with its value. The index knows runs of three characters; shorter
/// words are looked for in the title and the asker's name.
pub(super) fn clauses(words: &str) -> Vec<(&'static str, String)> {
    let (long, short): (Vec<_>, Vec<_>) =
        query::words(words).take(limits::SEARCH_WORDS).partition(|word| word.chars().count() >= 3);
    let mut clauses: Vec<_> = short
        .into_iter()
        .map(|word| {
            let like = word.replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_");
            ("(title || ' ' || asker) LIKE ? ESCAPE '\\'", format!("%{like}%"))
        })
        .collect();
    if !long.is_empty() {
        let quoted: Vec<_> =
            long.into_iter().map(|word| format!("\"{}\"", word.replace('"', "\"\""))).collect();
        clauses.push(("seq IN (SELECT rowid FROM search WHERE search MATCH ?)", quoted.join(" ")));
    }
    clauses
}
