//! Path to a value in a JSON document.

use serde::ser::SerializeSeq;
use serde::{Serialize, Serializer};

/// One step of a path to a value in a JSON document.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum PathStep {
    /// A member of an object.
    Key(String),
    /// An element of an array, from 0.
    Index(usize),
}

impl From<&str> for PathStep {
    fn from(key: &str) -> Self {
        Self::Key(key.to_owned())
    }
}

impl From<usize> for PathStep {
    fn from(index: usize) -> Self {
        Self::Index(index)
    }
}

/// Path in a document; empty for the whole document.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct DocumentPath(pub Vec<PathStep>);

impl DocumentPath {
    /// Returns the path of the whole document.
    pub const fn root() -> Self {
        Self(Vec::new())
    }

    /// Returns the path with one more step.
    #[must_use]
    pub fn join(&self, step: impl Into<PathStep>) -> Self {
        let mut steps = self.0.clone();
        steps.push(step.into());
        Self(steps)
    }

    /// Returns the path with the steps of a path inside it.
    #[must_use]
    pub(crate) fn join_all(mut self, inner: &Self) -> Self {
        self.0.extend_from_slice(&inner.0);
        self
    }

    /// Formats the path as a JSON pointer (RFC 6901): `/questions/0/header`.
    pub fn to_json_pointer(&self) -> String {
        self.0.iter().fold(String::new(), |mut text, step| {
            text.push('/');
            match step {
                PathStep::Key(key) => text.push_str(&key.replace('~', "~0").replace('/', "~1")),
                PathStep::Index(index) => text.push_str(&index.to_string()),
            }
            text
        })
    }

    /// Formats the path as in JavaScript: `questions[0].header`.
    pub fn to_js_path(&self) -> String {
        self.0.iter().fold(String::new(), |mut text, step| {
            match step {
                PathStep::Key(key) if text.is_empty() => text.push_str(key),
                PathStep::Key(key) => {
                    text.push('.');
                    text.push_str(key);
                }
                PathStep::Index(index) => text.push_str(&format!("[{index}]")),
            }
            text
        })
    }
}

impl Serialize for DocumentPath {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut list = serializer.serialize_seq(Some(self.0.len()))?;
        for step in &self.0 {
            match step {
                PathStep::Key(key) => list.serialize_element(key)?,
                PathStep::Index(index) => list.serialize_element(index)?,
            }
        }
        list.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn path_formats_as_pointer_and_brackets() {
        let path = DocumentPath::root().join("questions").join(0).join("a/b~c");
        assert_eq!(path.to_json_pointer(), "/questions/0/a~1b~0c");
        assert_eq!(path.to_js_path(), "questions[0].a/b~c");
        assert_eq!(DocumentPath::root().to_json_pointer(), "");
    }
}
