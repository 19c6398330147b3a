//! Delivery options of a request, in addition to its questions.

use sayso_core::message::Text;
use sayso_core::{Path, Problem, Questionnaire};
use serde::Serialize;
use serde::ser::{SerializeMap as _, Serializer};

/// Delivery options of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Asking {
    /// Time limit in milliseconds, after which the ask expires.
    pub time_limit_ms: Option<i64>,
    /// Set if the asker waits for the answer.
    pub waits: bool,
}

impl Default for Asking {
    fn default() -> Self {
        Self { time_limit_ms: None, waits: true }
    }
}

/// A parsed request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Read {
    /// The questionnaire.
    pub questionnaire: Questionnaire,
    /// Its delivery options.
    pub asking: Asking,
    /// Warnings for the asker of a valid request.
    pub warnings: Vec<Problem>,
}

impl Read {
    /// Wraps a questionnaire, without options or warnings.
    pub fn of(questionnaire: Questionnaire) -> Self {
        Self { questionnaire, asking: Asking::default(), warnings: Vec::new() }
    }
}

/// A questionnaire as a request of some dialect, with the losses of the translation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Translated {
    /// The request, as one line of JSON.
    pub text: String,
    /// The losses; none if the translation is exact.
    pub lost: Vec<Lost>,
}

/// Something that a dialect cannot express.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lost {
    /// Its place in the questionnaire, in canonical form.
    pub path: Path,
    /// The loss.
    pub what: Text,
    /// Its replacement, if any.
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
