//! Rows of any store, and the digest by which two tables are compared.

use sayso_core::Digest;

/// Value of a column, apart from the way in which a store keeps it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum RowValue {
    Null,
    Int(i64),
    Flag(bool),
    Text(String),
    Bytes(Vec<u8>),
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
        let (kind, value): (u8, &[u8]) = match self {
            Self::Null => (0, &[]),
            Self::Int(number) => (1, &number.to_le_bytes()),
            Self::Flag(flag) => (2, &[(*flag).into()]),
            Self::Text(text) => (3, text.as_bytes()),
            Self::Bytes(value) => (4, value),
        };
        bytes.push(kind);
        bytes.extend((value.len() as u64).to_le_bytes());
        bytes.extend(value);
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
