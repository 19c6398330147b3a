//! Failures of an agent's program.

use super::rpc::{RequestFailure, RpcError};
use sayso_core::i18n::{foreign, own};
use sayso_core::{Lang, Message, display};
use std::process::ExitStatus;

/// Most characters of an agent's error that a person reads.
const ERROR_CHARS: usize = 300;
/// Code of the error of an agent that is not signed in (Agent Client Protocol).
const AUTH_REQUIRED: i64 = -32_000;

/// Failure of an agent's program.
#[derive(Debug)]
pub(super) enum AgentFailure {
    /// The system cannot start it.
    NotStarted(std::io::Error),
    /// It has exited, with this status if that is known.
    Exited(Option<ExitStatus>),
    /// It did not respond in time.
    Silent,
    /// It asks to be signed in.
    SignedOut(String),
    /// It reported an error.
    Reported(String),
}

impl AgentFailure {
    pub(super) fn from_error(error: &RpcError) -> Self {
        let shown = display::join_lines(&error.message).chars().take(ERROR_CHARS).collect();
        if error.code == AUTH_REQUIRED { Self::SignedOut(shown) } else { Self::Reported(shown) }
    }

    /// Converts the failure of a request. If the program has ended, `status` waits for its status.
    pub(super) fn from_request(
        failure: &RequestFailure,
        status: impl FnOnce() -> Option<ExitStatus>,
    ) -> Self {
        match failure {
            RequestFailure::Refused(error) => Self::from_error(error),
            RequestFailure::Closed => Self::Exited(status()),
            RequestFailure::Silent => Self::Silent,
        }
    }

    /// Returns whether another start may help.
    pub(super) const fn is_worth_a_retry(&self) -> bool {
        matches!(self, Self::NotStarted(_) | Self::Exited(_) | Self::Silent)
    }

    /// Describes the failure for a person.
    pub(super) fn describe(&self, lang: Lang) -> String {
        match self {
            Self::NotStarted(error) => Message::AgentNotStarted.render_with(lang, [own(error)]),
            Self::Exited(Some(status)) => Message::AgentExited.render_with(lang, [own(status)]),
            Self::Exited(None) => Message::AgentClosed.plain(lang).to_owned(),
            Self::Silent => Message::AgentStartsSlowly.plain(lang).to_owned(),
            Self::SignedOut(text) => Message::AgentSignedOut.render_with(lang, [foreign(text)]),
            Self::Reported(text) => Message::AgentReported.render_with(lang, [foreign(text)]),
        }
    }
}
