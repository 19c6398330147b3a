//! The limits on requests that a user may set, by dialect.

use crate::{AskLimits, AuqLimits};

/// The limits of the dialects that have some.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Limits {
    /// Those of `AskUserQuestion`.
    pub ask_user_question: AskLimits,
    /// Those of AUQ, with the generation that is spoken.
    pub auq: AuqLimits,
}

impl Limits {
    /// None but our own, for where a request itself is not judged.
    pub const NONE: Self = Self { ask_user_question: AskLimits::NONE, auq: AuqLimits::NONE };
}
