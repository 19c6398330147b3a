//! Delivery options of a request, in addition to its questions.

use sayso_core::{Problem, Questionnaire};

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
