//! Errors in a pattern, each with the part that causes it.

use super::budget::PATTERN_CHARS;
use crate::i18n::{Message, foreign, own};
use crate::problem::{Problem, ProblemCode};

/// Reason for rejecting a pattern. Places count characters from 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum PatternFault {
    /// More characters than allowed.
    TooLong,
    /// Too large once compiled.
    TooBig,
    /// Syntax that has a meaning in other languages and none in JavaScript; at best JavaScript reads it literally.
    Foreign { construct: String, instead: Option<&'static str> },
    /// JavaScript syntax that this engine lacks.
    Unsupported { construct: String },
    /// Syntax that JavaScript rejects too.
    Broken { construct: String, place: usize },
    /// A bracket without its counterpart.
    Unclosed { construct: &'static str, place: usize },
    /// A quantifier with nothing to repeat.
    NothingToRepeat { construct: String, place: usize },
    /// A reference to a group that does not exist.
    NoGroup { construct: String },
}

impl From<PatternFault> for Problem {
    fn from(fault: PatternFault) -> Self {
        let message = match &fault {
            PatternFault::TooLong => Message::PatternTooLong.with([PATTERN_CHARS]),
            PatternFault::TooBig => Message::PatternTooBig.into(),
            PatternFault::Foreign { construct, .. } | PatternFault::Unsupported { construct } => {
                Message::PatternUnsupported.with([foreign(construct)])
            }
            PatternFault::Broken { construct, place } => {
                Message::PatternBroken.with([foreign(construct), own(place)])
            }
            PatternFault::Unclosed { construct, place } => {
                Message::PatternUnclosed.with([foreign(construct), own(place)])
            }
            PatternFault::NothingToRepeat { construct, place } => {
                Message::PatternRepeatsNothing.with([foreign(construct), own(place)])
            }
            PatternFault::NoGroup { construct } => Message::PatternNoGroup.with([foreign(construct)]),
        };
        let problem = Self::new(ProblemCode::BadPattern, message);
        match fault {
            PatternFault::Foreign { instead: Some(instead), .. } => {
                problem.with_hint(Message::WriteInstead.with([instead]))
            }
            _ => problem,
        }
    }
}
