//! Where JSON is read from.

use super::{check_limits, check_size, too_deep};
use crate::limits;
use crate::problem::Problem;
use serde_json::Value;
use std::io;

/// JSON to read.
#[derive(Debug, Clone, Copy)]
pub enum JsonSource<'t> {
    /// A text.
    Text(&'t str),
    /// A value that the reader of a protocol has built, such as the arguments of a tool.
    Value(&'t Value),
}

impl<'t> From<&'t str> for JsonSource<'t> {
    fn from(text: &'t str) -> Self {
        Self::Text(text)
    }
}

impl<'t> From<&'t String> for JsonSource<'t> {
    fn from(text: &'t String) -> Self {
        Self::Text(text)
    }
}

impl<'t> From<&'t Value> for JsonSource<'t> {
    fn from(value: &'t Value) -> Self {
        Self::Value(value)
    }
}

impl JsonSource<'_> {
    /// Returns whether there is nothing to read.
    pub fn is_empty(self) -> bool {
        matches!(self, Self::Text(text) if text.trim().is_empty())
    }

    /// Returns whether it is an array, or would be if it is JSON.
    pub fn is_array(self) -> bool {
        match self {
            Self::Text(text) => text.trim_start().starts_with('['),
            Self::Value(value) => value.is_array(),
        }
    }

    /// Rejects what takes more bytes as compact text.
    pub(super) fn check_size(self, most_bytes: usize) -> Result<(), Problem> {
        check_size(self.bytes(), most_bytes)
    }

    /// Rejects what takes more bytes as compact text, or is nested deeper than the limit.
    pub(super) fn check_limits(self, most_bytes: usize) -> Result<(), Problem> {
        match self {
            Self::Text(text) => check_limits(text, most_bytes),
            Self::Value(value) => {
                self.check_size(most_bytes)?;
                if depth(value) > limits::JSON_DEPTH { Err(too_deep()) } else { Ok(()) }
            }
        }
    }

    pub(super) fn bytes(self) -> usize {
        match self {
            Self::Text(text) => text.len(),
            Self::Value(value) => {
                let mut counter = ByteCounter(0);
                // Neither a value nor the counter fails.
                let _ = serde_json::to_writer(&mut counter, value);
                counter.0
            }
        }
    }
}

/// Returns the number of arrays and objects around the innermost value. The reader that built it bounds the depth.
fn depth(value: &Value) -> usize {
    match value {
        Value::Array(elements) => 1 + elements.iter().map(depth).max().unwrap_or_default(),
        Value::Object(members) => 1 + members.values().map(depth).max().unwrap_or_default(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => 0,
    }
}

/// Counts what is written.
struct ByteCounter(usize);

impl io::Write for ByteCounter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
