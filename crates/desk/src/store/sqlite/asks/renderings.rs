//! Rows of rendered outcomes.

use crate::store::sqlite::error::RowDamage;
use crate::store::sqlite::integrity::checksum;
use rusqlite::{Connection, OptionalExtension as _, Row as SqlRow, params};
use sayso_core::AskId;

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
