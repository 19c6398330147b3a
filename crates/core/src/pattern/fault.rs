//! What can be wrong with a pattern, named by the part of it that is to blame.

use crate::limits;
use crate::message::Message;
use crate::problem::{Code, Problem};

/// Why a pattern is refused. Places count characters from 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Fault {
    /// More characters than allowed.
    TooLong,
    /// Too large once compiled.
    TooBig,
    /// Other languages mean something by it that JavaScript does not: at best it stands for itself there.
    Foreign { construct: String, instead: Option<&'static str> },
    /// JavaScript has it, this engine has not.
    Unsupported { construct: String },
    /// JavaScript refuses it too.
    Broken { construct: String, place: usize },
    /// Opened and not closed.
    Unclosed { construct: &'static str, place: usize },
    /// A quantifier after nothing.
    NothingToRepeat { construct: String, place: usize },
    /// A reference to a group that is not there.
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
