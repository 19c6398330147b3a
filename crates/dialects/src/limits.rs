//! Configurable limits on requests, by dialect.

use crate::{AskLimits, AuqLimits};

/// Limits of the dialects that have some.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Limits {
    /// Limits of `AskUserQuestion`.
    pub ask_user_question: AskLimits,
    /// Limits of AUQ, with its generation.
    pub auq: AuqLimits,
}

impl Limits {
    /// Only our own limits, for requests that are not judged.
    pub const NONE: Self = Self { ask_user_question: AskLimits::NONE, auq: AuqLimits::NONE };
}
