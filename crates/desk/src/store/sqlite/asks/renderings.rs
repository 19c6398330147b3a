//! Rows of rendered outcomes.

use crate::store::sqlite::error::RowDamage;
use crate::store::sqlite::integrity::checksum;
use rusqlite::{Connection, OptionalExtension as _, Row as SqlRow, params};
use sayso_core::AskId;

/// Stores a rendering unless one exists, and returns the stored one.
pub(crate) fn store_once(
    conn: &Connection,
    (seq, id): (i64, AskId),
    form: &str,
    body: &[u8],
) -> rusqlite::Result<Vec<u8>> {
    conn.prepare_cached("INSERT OR IGNORE INTO rendering (seq, form, body, sum) VALUES (?1, ?2, ?3, ?4)")?
        .execute(params![seq, form, body, checksum::rendering_sum(id, form, body)])?;
    conn.prepare_cached("SELECT body, sum FROM rendering WHERE seq = ?1 AND form = ?2")?
        .query_row(params![seq, form], |row| read_body(row, id, form))
}

/// Reads the outcome of an ask as rendered in this form.
pub(crate) fn read(conn: &Connection, id: AskId, form: &str) -> rusqlite::Result<Option<Vec<u8>>> {
    conn.prepare_cached(
        "SELECT body, sum FROM rendering JOIN ask ON ask.seq = rendering.seq WHERE id = ?1 AND form = ?2",
    )?
    .query_row(params![id.as_bytes(), form], |row| read_body(row, id, form))
    .optional()
}

/// Reads the text of a rendering and verifies it.
pub(crate) fn read_body(row: &SqlRow<'_>, id: AskId, form: &str) -> rusqlite::Result<Vec<u8>> {
    let body: Vec<u8> = row.get(0)?;
    checksum::verify(row, 1, checksum::rendering_sum(id, form, &body), &RowDamage::Ask(id))?;
    Ok(body)
}
