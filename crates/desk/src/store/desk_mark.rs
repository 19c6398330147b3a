//! Mark of a desk that takes no writes: it has moved, or it is a copy that is not complete.

use sayso_core::i18n::own;
use sayso_core::{Message, Problem, ProblemCode};

/// Mark of a desk that takes no writes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum DeskMark {
    /// The desk was copied to this address, where it goes on.
    Moved { to: String },
    /// A copy of this desk was stored here, and was not completed.
    Partial { from: String },
}

impl DeskMark {
    /// Parses a stored mark. An unknown one still means that nothing may be written.
    pub(crate) fn parse(text: &str) -> Self {
        match text.split_once(' ') {
            Some(("moved", to)) => Self::Moved { to: to.to_owned() },
            Some((_, from)) => Self::Partial { from: from.to_owned() },
            None => Self::Partial { from: text.to_owned() },
        }
    }

    /// Returns the text to store.
    pub(crate) fn to_text(&self) -> String {
        match self {
            Self::Moved { to } => format!("moved {to}"),
            Self::Partial { from } => format!("partial {from}"),
        }
    }

    /// Returns the problem of a write.
    pub(crate) fn to_problem(&self) -> Problem {
        match self {
            Self::Moved { to } => Problem::new(ProblemCode::DeskMoved, Message::DeskMovedTo.with([own(to)]))
                .with_hint(Message::DeskMovedToHint),
            Self::Partial { from } => {
                Problem::new(ProblemCode::DeskIncomplete, Message::DeskCopyOpen.with([own(from)]))
                    .with_hint(Message::DeskCopyOpenHint)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_read_as_written() {
        for mark in [
            DeskMark::Moved { to: "postgres://db/a desk".to_owned() },
            DeskMark::Partial { from: "/tmp/desk.db".to_owned() },
        ] {
            assert_eq!(DeskMark::parse(&mark.to_text()), mark);
        }
        assert_eq!(DeskMark::parse("new").to_problem().code, ProblemCode::DeskIncomplete);
    }
}
