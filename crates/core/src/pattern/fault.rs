//! Errors in a pattern, each with the part that causes it.

use crate::limits;
use crate::message::Message;
use crate::problem::{Code, Problem};

/// Reason for rejecting a pattern. Places count characters from 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Fault {
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

impl From<Fault> for Problem {
    fn from(fault: Fault) -> Self {
        let limit = limits::PATTERN_CHARS;
        let message = match &fault {
            Fault::TooLong => Message::PatternTooLong.with([limit]),
            Fault::TooBig => Message::PatternTooBig.into(),
            Fault::Foreign { construct, .. } | Fault::Unsupported { construct } => {
                Message::PatternUnsupported.with([construct])
            }
            Fault::Broken { construct, place } => {
                Message::PatternBroken.with([construct, &place.to_string()])
            }
            Fault::Unclosed { construct, place } => {
                Message::PatternUnclosed.with([(*construct).to_owned(), place.to_string()])
            }
            Fault::NothingToRepeat { construct, place } => {
                Message::PatternRepeatsNothing.with([construct, &place.to_string()])
            }
            Fault::NoGroup { construct } => Message::PatternNoGroup.with([construct]),
        };
        let problem = Self::new(Code::BadPattern, message);
        match fault {
            Fault::Foreign { instead: Some(instead), .. } => {
                problem.hint(Message::WriteInstead.with([instead]))
            }
            _ => problem,
        }
    }
}
