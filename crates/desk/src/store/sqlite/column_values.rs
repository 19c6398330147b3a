//! Conversion of columns that several tables have.

use rusqlite::Row as SqlRow;
use sayso_core::AskId;

/// Reads the id of an ask.
pub(crate) fn read_id(row: &SqlRow<'_>, column: usize) -> rusqlite::Result<AskId> {
    AskId::from_bytes(row.get_ref(column)?.as_blob()?).ok_or(rusqlite::Error::InvalidColumnType(
        column,
        "id".into(),
        rusqlite::types::Type::Blob,
    ))
}
