//! Conversion of columns that several tables have.

use jiff::Timestamp;
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

/// Converts stored microseconds to a time.
pub(crate) fn to_timestamp(micros: i64) -> Timestamp {
    Timestamp::from_microsecond(micros).unwrap_or(Timestamp::UNIX_EPOCH)
}

/// Id shown for an ask whose id itself is damaged.
pub(crate) const UNKNOWN_ID: AskId = AskId::new(uuid::Uuid::nil());
