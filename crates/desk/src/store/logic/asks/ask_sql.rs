//! Conditions on asks, and the SQL in which the databases differ.

use crate::store::row_value::RowValue;
use sayso_core::Departures;
use std::fmt;

/// SQL that the databases write differently, above all that on asks.
pub(crate) trait AskSql {
    /// Condition of asks that are open or submitted.
    const PENDING: &'static str;
    /// Condition of asks that have ended.
    const ENDED: &'static str;
    /// Condition of asks whose outcome the asker has not acknowledged.
    const UNDELIVERED: &'static str;
    /// Condition of cancelled asks that no person saw and that have their questions.
    const UNSEEN: &'static str;
    /// Condition of asks for the usual audience of the desk.
    const FOR_USUAL_AUDIENCE: &'static str;
    /// Hexadecimal digits of an id from where its short id begins.
    const SHORT_ID: &'static str;
    /// Condition of asks that contain the words of a value.
    const HAS_WORDS: &'static str;
    /// Condition of asks of which a name is like a value, in which a backslash escapes a wildcard.
    const HAS_NAME: &'static str;
    /// Condition that joins a change with its ask.
    const ASK_OF_CHANGE: &'static str;
    /// Events of a change. Bytes that are no text must not fail the query.
    const EVENTS: &'static str;

    /// Returns the column with the checksum of a row, or a value in its place.
    fn sum_column(table: &str) -> String;

    /// Returns the values for [`Self::HAS_WORDS`] that stand for all of these words.
    fn word_values(words: &[&str]) -> Vec<RowValue>;

    /// Returns the value for [`Self::HAS_NAME`] of a pattern.
    fn name_value(pattern: String) -> RowValue;

    /// Returns the condition that an audience has one of these keys, or one of an account or a group that has gone:
    /// others may be left in such an audience. Each `?` in it stands for one of the values.
    fn names_reader(keys: Vec<String>, departures: Option<&Departures>) -> (String, Vec<RowValue>);
}

/// Condition of a statement, with its values.
#[derive(Debug, Clone, Default)]
pub(crate) struct Condition {
    sql: String,
    values: Vec<RowValue>,
}

impl Condition {
    /// Adds a part, in which each `?` stands for the next of its values.
    pub(crate) fn and(&mut self, part: &str, values: impl IntoIterator<Item = RowValue>) {
        if !self.sql.is_empty() {
            self.sql.push_str(" AND ");
        }
        let mut pieces = part.split('?');
        self.sql.push_str(pieces.next().unwrap_or_default());
        for (piece, value) in pieces.zip(values) {
            self.values.push(value);
            self.sql.push_str(&format!("${}{piece}", self.values.len()));
        }
    }

    /// Returns the values, in the order of their numbers.
    pub(crate) fn values(&self) -> &[RowValue] {
        &self.values
    }
}

/// Writes the SQL, with numbered values.
impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.sql.is_empty() { "true" } else { &self.sql })
    }
}
