//! Rows of any store, and the digest by which two tables are compared.

use crate::store::stored_time::to_timestamp;
use jiff::Timestamp;
use sayso_core::wire::json;
use sayso_core::{AskId, Digest};

/// Value of a column, apart from the way in which a store keeps it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum RowValue {
    Null,
    Int(i64),
    Flag(bool),
    Text(String),
    Bytes(Vec<u8>),
    /// List to compare with; no column holds one.
    Texts(Vec<String>),
}

/// Row of a table, with its values in the order of the table's columns.
pub(crate) type Row = Vec<RowValue>;

impl RowValue {
    /// Returns the text, or nothing of another value.
    pub(crate) fn text(&self) -> &str {
        match self {
            Self::Text(text) => text,
            _ => "",
        }
    }

    /// Returns the bytes, or none of another value.
    pub(crate) fn bytes(&self) -> &[u8] {
        match self {
            Self::Bytes(bytes) => bytes,
            _ => &[],
        }
    }

    /// Returns the number; a flag is 0 or 1.
    pub(crate) fn int(&self) -> i64 {
        match self {
            Self::Int(number) => *number,
            Self::Flag(flag) => (*flag).into(),
            _ => 0,
        }
    }

    /// Appends the value so that no two rows look alike.
    fn append_to(&self, bytes: &mut Vec<u8>) {
        let list;
        let (kind, value): (u8, &[u8]) = match self {
            Self::Null => (0, &[]),
            Self::Int(number) => (1, &number.to_le_bytes()),
            Self::Flag(flag) => (2, &[(*flag).into()]),
            Self::Text(text) => (3, text.as_bytes()),
            Self::Bytes(value) => (4, value),
            Self::Texts(texts) => {
                list = json::write(texts);
                (5, list.as_bytes())
            }
        };
        bytes.push(kind);
        bytes.extend((value.len() as u64).to_le_bytes());
        bytes.extend(value);
    }
}

impl From<i64> for RowValue {
    fn from(number: i64) -> Self {
        Self::Int(number)
    }
}

impl From<u32> for RowValue {
    fn from(number: u32) -> Self {
        Self::Int(number.into())
    }
}

impl From<bool> for RowValue {
    fn from(flag: bool) -> Self {
        Self::Flag(flag)
    }
}

impl From<Timestamp> for RowValue {
    fn from(time: Timestamp) -> Self {
        Self::Int(time.as_microsecond())
    }
}

impl From<&str> for RowValue {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for RowValue {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<&String> for RowValue {
    fn from(text: &String) -> Self {
        Self::Text(text.clone())
    }
}

impl From<&[u8]> for RowValue {
    fn from(bytes: &[u8]) -> Self {
        Self::Bytes(bytes.to_vec())
    }
}

impl From<&Digest> for RowValue {
    fn from(digest: &Digest) -> Self {
        Self::Bytes(digest.as_bytes().to_vec())
    }
}

impl From<AskId> for RowValue {
    fn from(id: AskId) -> Self {
        Self::Bytes(id.as_bytes().to_vec())
    }
}

impl From<Vec<String>> for RowValue {
    fn from(texts: Vec<String>) -> Self {
        Self::Texts(texts)
    }
}

impl<T: Into<Self>> From<Option<T>> for RowValue {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, T::into)
    }
}

/// Returns a text that every store can hold: PostgreSQL refuses the NUL.
pub(crate) fn without_nul(text: &str) -> String {
    text.replace('\0', "\u{fffd}")
}

/// Number of a column whose value has another type than it should: its bytes have changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct UnreadableColumn(pub(crate) usize);

/// Row that a statement returned.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct StoredRow(pub(crate) Row);

impl StoredRow {
    /// Returns the value of a column.
    ///
    /// # Errors
    /// If it has another type.
    pub(crate) fn get<T: ColumnType>(&self, column: usize) -> Result<T, UnreadableColumn> {
        let value = self.0.get(column).unwrap_or(&RowValue::Null);
        T::read(value).ok_or(UnreadableColumn(column))
    }
}

/// Type of the values of a column.
pub(crate) trait ColumnType: Sized {
    /// Reads a value; `None` of another type.
    fn read(value: &RowValue) -> Option<Self>;
}

impl ColumnType for i64 {
    fn read(value: &RowValue) -> Option<Self> {
        match value {
            RowValue::Int(number) => Some(*number),
            _ => None,
        }
    }
}

impl ColumnType for u32 {
    fn read(value: &RowValue) -> Option<Self> {
        i64::read(value).and_then(|number| Self::try_from(number).ok())
    }
}

impl ColumnType for bool {
    fn read(value: &RowValue) -> Option<Self> {
        match value {
            RowValue::Flag(flag) => Some(*flag),
            RowValue::Int(number) => Some(*number != 0),
            _ => None,
        }
    }
}

impl ColumnType for Timestamp {
    fn read(value: &RowValue) -> Option<Self> {
        i64::read(value).map(to_timestamp)
    }
}

impl ColumnType for String {
    fn read(value: &RowValue) -> Option<Self> {
        match value {
            RowValue::Text(text) => Some(text.clone()),
            // A database that refuses the NUL in a text has texts of others as bytes.
            RowValue::Bytes(bytes) => Some(Self::from_utf8_lossy(bytes).into_owned()),
            _ => None,
        }
    }
}

impl ColumnType for Vec<u8> {
    fn read(value: &RowValue) -> Option<Self> {
        match value {
            RowValue::Bytes(bytes) => Some(bytes.clone()),
            _ => None,
        }
    }
}

impl ColumnType for AskId {
    fn read(value: &RowValue) -> Option<Self> {
        match value {
            RowValue::Bytes(bytes) => Self::from_bytes(bytes),
            _ => None,
        }
    }
}

impl<T: ColumnType> ColumnType for Option<T> {
    fn read(value: &RowValue) -> Option<Self> {
        match value {
            RowValue::Null => Some(None),
            _ => T::read(value).map(Some),
        }
    }
}

/// Digest of rows in their order.
pub(crate) struct RowsDigest {
    rows: u64,
    digest: Digest,
}

impl RowsDigest {
    pub(crate) fn new() -> Self {
        Self { rows: 0, digest: Digest::compute(&[]) }
    }

    /// Adds rows, each with the digest of all before it.
    pub(crate) fn add(&mut self, rows: &[Row]) {
        for row in rows {
            let mut bytes = self.digest.as_bytes().to_vec();
            row.iter().for_each(|value| value.append_to(&mut bytes));
            self.digest = Digest::compute(&bytes);
            self.rows += 1;
        }
    }

    /// Returns the number of rows.
    pub(crate) const fn rows(&self) -> u64 {
        self.rows
    }

    /// Returns the digest of all rows.
    pub(crate) const fn finish(&self) -> Digest {
        self.digest
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digest_depends_on_every_value() {
        let of = |rows: &[Row]| {
            let mut digest = RowsDigest::new();
            digest.add(rows);
            digest.finish()
        };
        let text = |text: &str| RowValue::Text(text.to_owned());
        let row = || vec![text("a"), text("bc")];
        assert_eq!(of(&[row()]), of(&[row()]));
        for other in [vec![text("ab"), text("c")], vec![text("a"), RowValue::Null], vec![text("a")]] {
            assert_ne!(of(&[row()]), of(&[other]));
        }
        assert_ne!(of(&[row(), row()]), of(&[row()]));
        assert_ne!(of(&[vec![RowValue::Int(1)]]), of(&[vec![RowValue::Flag(true)]]));
    }
}
