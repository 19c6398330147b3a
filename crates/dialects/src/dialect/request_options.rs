//! Delivery options of a request, in addition to its questions.

use sayso_core::{DocumentPath, Problem, Questionnaire};
use sayso_core::{LocalizedText, Message};
use serde::Serialize;
use serde::ser::{SerializeMap as _, Serializer};

/// Delivery options of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AskOptions {
    /// Time limit in milliseconds, after which the ask expires.
    pub time_limit_ms: Option<i64>,
    /// Set if the asker waits for the answer.
    pub is_waiting: bool,
}

impl Default for AskOptions {
    fn default() -> Self {
        Self { time_limit_ms: None, is_waiting: true }
    }
}

/// A parsed request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParsedRequest {
    /// The questionnaire.
    pub questionnaire: Questionnaire,
    /// Its delivery options.
    pub options: AskOptions,
    /// Warnings for the asker of a valid request.
    pub warnings: Vec<Problem>,
}

impl ParsedRequest {
    /// Wraps a questionnaire, without options or warnings.
    pub fn from_questionnaire(questionnaire: Questionnaire) -> Self {
        Self { questionnaire, options: AskOptions::default(), warnings: Vec::new() }
    }
}

/// A questionnaire as a request of some dialect, with the losses of the translation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TranslatedRequest {
    /// The request, as one line of JSON.
    pub text: String,
    /// The losses; none if the translation is exact.
    pub lost: Vec<TranslationLoss>,
}

/// Something that a dialect cannot express.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TranslationLoss {
    /// Its place in the questionnaire, in canonical form.
    pub path: DocumentPath,
    /// The loss.
    pub what: LocalizedText,
    /// Its replacement, if any.
    pub replacement: Option<LocalizedText>,
}

impl TranslationLoss {
    /// Creates a loss without a replacement.
    pub(crate) fn new(path: DocumentPath, what: impl Into<LocalizedText>) -> Self {
        Self { path, what: what.into(), replacement: None }
    }

    /// Sets the replacement.
    pub(crate) fn replaced_by(self, replacement: impl Into<LocalizedText>) -> Self {
        Self { replacement: Some(replacement.into()), ..self }
    }

    /// Creates the loss of what only the dialect of this name can express.
    pub(crate) fn of_extensions(dialect: &str) -> Self {
        Self::new(DocumentPath::root().join("beside").join(dialect), Message::LostBeside.with([dialect]))
    }
}

impl Serialize for TranslationLoss {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use sayso_core::Lang::En;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("path", &self.path)?;
        map.serialize_entry("what", &self.what.render(En))?;
        map.serialize_entry("instead", &self.replacement.as_ref().map(|text| text.render(En)))?;
        map.end()
    }
}
