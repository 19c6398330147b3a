//! Exit codes, and the mapping of problems to them.

use sayso_core::{Outcome, ProblemCode};
use sayso_dialects::CliOutput;
use std::process::ExitCode;

/// End of a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CommandExit {
    /// Success, or an answer.
    Done,
    /// Invalid request, or invalid input.
    Wrong,
    /// Invalid command line or settings.
    Usage,
    /// A person declined.
    Declined,
    /// No answer: the person left or the wait timed out. The ask stays open, and the draft is kept.
    Left,
    /// Standard output was closed before the data was read; the desk still has it.
    Unread,
    /// Data can't be written; the desk still has it.
    Unwritten,
    /// The deadline passed.
    Expired,
    /// The asker cancelled the ask.
    Cancelled,
    /// The desk can't be reached.
    Unreachable,
    /// Interrupted.
    Interrupted,
    /// Code prescribed by a dialect.
    Prescribed(u8),
}

impl CommandExit {
    /// Returns the exit of the next step, or this one if it failed.
    pub(crate) const fn then(self, next: Self) -> Self {
        match self {
            Self::Done => next,
            ended => ended,
        }
    }

    /// Returns the exit for an ask with this outcome.
    pub(crate) const fn from_outcome(outcome: &Outcome) -> Self {
        match outcome {
            Outcome::Answered { .. } => Self::Done,
            Outcome::Declined { .. } => Self::Declined,
            Outcome::Cancelled { .. } => Self::Cancelled,
            Outcome::Expired { .. } => Self::Expired,
        }
    }

    /// Returns the exit for a problem that ended a command.
    pub(crate) const fn from_code(code: ProblemCode) -> Self {
        match code {
            code if code.is_desk_fault() => Self::Unreachable,
            ProblemCode::DeskCrowded | ProblemCode::DeskClosing | ProblemCode::TooManyRequests => {
                Self::Unreachable
            }
            ProblemCode::Unauthorized
            | ProblemCode::InvalidSetting
            | ProblemCode::NoTerminal
            | ProblemCode::UnknownDialect => Self::Usage,
            ProblemCode::AskDeclined => Self::Declined,
            ProblemCode::AskExpired => Self::Expired,
            ProblemCode::AskCancelled => Self::Cancelled,
            _ => Self::Wrong,
        }
    }

    const fn code(self) -> u8 {
        match self {
            Self::Done => CliOutput::ANSWERED,
            Self::Wrong => CliOutput::REFUSED,
            Self::Usage => 2,
            Self::Declined => CliOutput::DECLINED,
            Self::Left | Self::Unread | Self::Unwritten => 4,
            Self::Expired => CliOutput::EXPIRED,
            Self::Cancelled => CliOutput::CANCELLED,
            Self::Unreachable => 7,
            Self::Interrupted => 130,
            Self::Prescribed(code) => code,
        }
    }

    /// Ends the process at once: if the disk fails, no thread that still runs may report that a write is stored.
    pub(crate) fn exit_process(self) -> ! {
        std::process::exit(self.code().into())
    }
}

impl From<CommandExit> for ExitCode {
    fn from(exit: CommandExit) -> Self {
        Self::from(exit.code())
    }
}
