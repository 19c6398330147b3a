//! Search by words. The index is brought up to date when somebody searches, so that asking never pays for it.

use crate::query;
use rusqlite::{Connection, params};
use sayso_core::{AskId, limits};

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

/// The conditions that find all of these words, each with its values. The index knows runs of three characters; shorter
/// words are looked for in the title and the asker's name. A word that can be an id finds that too.
pub(super) fn clauses(words: &str) -> Vec<(&'static str, Vec<String>)> {
    query::words(words).take(limits::SEARCH_WORDS).map(clause).collect()
}

fn clause(word: &str) -> (&'static str, Vec<String>) {
    if word.chars().count() < 3 {
        let like = word.replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_");
        return ("(title || ' ' || asker) LIKE ? ESCAPE '\\'", vec![format!("%{like}%")]);
    }
    let quoted = format!("\"{}\"", word.replace('"', "\"\""));
    let digits = word.replace('-', "");
    let is_id = (4..=32).contains(&digits.len()) && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    if !is_id {
        return ("seq IN (SELECT rowid FROM search WHERE search MATCH ?)", vec![quoted]);
    }
    let beginning = format!("{digits}%");
    // Ids begin with the time: fewer digits than a short id has would find all of some days.
    let whole = if digits.len() < AskId::HANDLE_CHARS { String::new() } else { beginning.clone() };
    let found = "(seq IN (SELECT rowid FROM search WHERE search MATCH ?) \
                 OR substr(hex(id), 25) LIKE ? OR hex(id) LIKE ?)";
    (found, vec![quoted, beginning, whole])
}
