//! Full-text search. The index gets an ask as it is opened.

use rusqlite::{Connection, ErrorCode, params};

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

/// Returns the expression that a word matches.
pub(crate) fn quote(word: &str) -> String {
    format!("\"{}\"", word.replace('"', "\"\""))
}
