//! Exit codes, and which problem ends with which: the one place where problems meet the shell.

use sayso_core::{Code, Outcome};
use sayso_dialects::Written;
use std::process::ExitCode;

/// How a command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    /// Answered, or done.
    Done,
    /// The request, or what was asked for, is wrong.
    Wrong,
    /// The command line or the settings are wrong.
    Usage,
    /// A person declined.
    Declined,
    /// Left without an answer, or given up waiting for it: the ask stays open, and the draft is kept.
    Left,
    /// Nobody reads what was to be printed; the desk has it still.
    Unread,
    /// What was to be printed cannot be written; the desk has it still.
    Unwritten,
    /// The deadline passed.
    Expired,
    /// The asker took the question back.
    Cancelled,
    /// The desk cannot be reached.
    Unreachable,
    /// Interrupted.
    Interrupted,
    /// What a dialect prescribes.
    Prescribed(u8),
}

impl Exit {
    /// How a command ends that has gone on to something else, if it could.
    pub(crate) const fn then(self, next: Self) -> Self {
        match self {
            Self::Done => next,
            ended => ended,
        }
    }

    /// The exit of an ask with this outcome.
    pub(crate) const fn of(outcome: &Outcome) -> Self {
        match outcome {
            Outcome::Answered { .. } => Self::Done,
            Outcome::Declined { .. } => Self::Declined,
            Outcome::Cancelled { .. } => Self::Cancelled,
            Outcome::Expired { .. } => Self::Expired,
        }
    }

    /// The exit of a command that a problem ended.
    pub(crate) const fn of_problem(code: Code) -> Self {
        match code {
            Code::DeskUnsupported
            | Code::DeskNotOurs
            | Code::DeskTooNew
            | Code::DeskUnreachable
            | Code::DeskFull
            | Code::DeskBusy
            | Code::DeskFailed
            | Code::DeskDamaged
            | Code::DeskIncomplete
            | Code::AskDamaged
            | Code::DeskCrowded
            | Code::DeskClosing
            | Code::TooManyRequests => Self::Unreachable,
            Code::Unauthorized | Code::InvalidSetting | Code::NoTerminal | Code::UnknownDialect => {
                Self::Usage
            }
            Code::AskDeclined => Self::Declined,
            Code::AskExpired => Self::Expired,
            Code::AskCancelled => Self::Cancelled,
            _ => Self::Wrong,
        }
    }

    const fn code(self) -> u8 {
        match self {
            Self::Done => Written::ANSWERED,
            Self::Wrong => Written::REFUSED,
            Self::Usage => 2,
            Self::Declined => Written::DECLINED,
            Self::Left | Self::Unread | Self::Unwritten => 4,
            Self::Expired => Written::EXPIRED,
            Self::Cancelled => Written::CANCELLED,
            Self::Unreachable => 7,
            Self::Interrupted => 130,
            Self::Prescribed(code) => code,
        }
    }

    /// Ends the program at once, whatever else it does: where the disk fails, nothing that still runs may say that it is
    /// stored.
    pub(crate) fn leave_now(self) -> ! {
        std::process::exit(self.code().into())
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.code())
    }
}
