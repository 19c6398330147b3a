//! Search by words. The index is brought up to date when somebody searches, so that asking never pays for it.

use rusqlite::{Connection, params};

/// Indexes what was asked since the last search; how many asks those were.
pub(super) fn catch_up(conn: &Connection) -> rusqlite::Result<usize> {
    let indexed: i64 =
        conn.query_row("SELECT value FROM chore WHERE name = 'indexed'", [], |row| row.get(0))?;
    let last: Option<i64> = conn.query_row("SELECT max(seq) FROM ask", [], |row| row.get(0))?;
    let Some(last) = last.filter(|last| *last > indexed) else { return Ok(0) };
    let count = conn.execute(
        "INSERT INTO search (rowid, words) \
         SELECT ask.seq, title || ' ' || asker || ' ' || coalesce(folder, '') || ' ' || \
             coalesce((SELECT group_concat(value ->> 'prompt', ' ') \
                       FROM json_each(body, '$.questionnaire.questions')), '') \
         FROM ask JOIN request ON request.seq = ask.seq WHERE ask.seq > ?1 AND ask.seq <= ?2",
        params![indexed, last],
    )?;
    conn.execute("UPDATE chore SET value = ?1 WHERE name = 'indexed'", [last])?;
    Ok(count)
}

/// The condition that finds these words, and its value. The index knows runs of three characters; shorter words are
/// looked for in the title and the asker's name.
pub(super) fn clause(words: &str) -> (&'static str, String) {
    let words = words.trim();
    if words.chars().count() < 3 {
        let like = words.replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_");
        return ("(title || ' ' || asker) LIKE ? ESCAPE '\\'", format!("%{like}%"));
    }
    let quoted: Vec<_> = words
        .split_whitespace()
        .filter(|word| word.chars().count() >= 3)
        .map(|word| format!("\"{}\"", word.replace('"', "\"\"")))
        .collect();
    ("seq IN (SELECT rowid FROM search WHERE search MATCH ?)", quoted.join(" "))
}
