//! How a request wants to be asked, beside what it asks.

use sayso_core::message::Text;
use sayso_core::{Path, Problem, Questionnaire};
use serde::Serialize;
use serde::ser::{SerializeMap as _, Serializer};

/// How a request wants to be asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Asking {
    /// After how many milliseconds it ends by itself.
    pub time_limit_ms: Option<i64>,
    /// Whether the asker waits for the answer.
    pub waits: bool,
}

impl Default for Asking {
    fn default() -> Self {
        Self { time_limit_ms: None, waits: true }
    }
}

/// A request that was understood.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Read {
    /// What is asked.
    pub questionnaire: Questionnaire,
    /// How it wants to be asked.
    pub asking: Asking,
    /// What the asker should know, though the request is valid.
    pub warnings: Vec<Problem>,
}

impl Read {
    /// A questionnaire, and nothing to say beside.
    pub fn of(questionnaire: Questionnaire) -> Self {
        Self { questionnaire, asking: Asking::default(), warnings: Vec::new() }
    }
}

/// A questionnaire as a request of some dialect, and what that could not say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Translated {
    /// The request, as one line of JSON.
    pub text: String,
    /// What was lost; nothing where the translation is exact.
    pub lost: Vec<Lost>,
}

/// Something that a dialect could not say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lost {
    /// Where in the questionnaire, in its canonical form.
    pub path: Path,
    /// What was lost.
    pub what: Text,
    /// What stands there instead, where something does.
    pub instead: Option<Text>,
}

impl Serialize for Lost {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use sayso_core::Lang::En;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("path", &self.path)?;
        map.serialize_entry("what", &self.what.render(En))?;
        map.serialize_entry("instead", &self.instead.as_ref().map(|text| text.render(En)))?;
        map.end()
    }
}
