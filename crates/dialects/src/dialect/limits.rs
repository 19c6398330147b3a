//! Configurable limits on requests, by dialect.

use crate::ask_user_question::reader::AskUserQuestionLimits;
use crate::auq::limits::AuqLimits;

/// Limits of the dialects that have some.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct DialectLimits {
    /// Limits of `AskUserQuestion`.
    pub ask_user_question: AskUserQuestionLimits,
    /// Limits of AUQ, with its generation.
    pub auq: AuqLimits,
}

impl DialectLimits {
    /// Only our own limits, for requests that are not judged.
    pub const NONE: Self = Self { ask_user_question: AskUserQuestionLimits::NONE, auq: AuqLimits::NONE };
}
