//! Failures of an agent's program.

use agent_client_protocol::Error;
use agent_client_protocol::v1::schema::ErrorCode;
use sayso_core::{Lang, Message, display};
use std::process::ExitStatus;

/// Most characters of an agent's error that a person reads.
const ERROR_CHARS: usize = 300;

/// Failure of an agent's program.
#[derive(Debug)]
pub(crate) enum AgentFailure {
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
    /// Too many programs of agents are running.
    Crowded,
}

impl AgentFailure {
    /// Converts an error of the protocol.
    pub(crate) fn from_error(error: &Error) -> Self {
        let text = match error.data.as_ref().and_then(|data| data.get("details").or(Some(data))) {
            Some(serde_json::Value::String(details)) => format!("{}: {details}", error.message),
            _ => error.message.clone(),
        };
        let shown = display::join_lines(&text).chars().take(ERROR_CHARS).collect();
        if error.code == ErrorCode::AuthRequired { Self::SignedOut(shown) } else { Self::Reported(shown) }
    }

    /// Returns the kind of the failure, for the log.
    pub(crate) const fn kind(&self) -> &'static str {
        match self {
            Self::NotStarted(_) => "not started",
            Self::Exited(_) => "exited",
            Self::Silent => "silent",
            Self::SignedOut(_) => "signed out",
            Self::Reported(_) => "error",
            Self::Crowded => "crowded",
        }
    }

    /// Returns whether another start may help.
    pub(crate) const fn is_worth_a_retry(&self) -> bool {
        matches!(self, Self::NotStarted(_) | Self::Exited(_) | Self::Silent)
    }

    /// Describes the failure for a person.
    pub(crate) fn describe(&self) -> String {
        match self {
            Self::NotStarted(error) => Message::AgentNotStarted.render_with(Lang::En, [error.to_string()]),
            Self::Exited(Some(status)) => Message::AgentExited.render_with(Lang::En, [status.to_string()]),
            Self::Exited(None) => Message::AgentClosed.plain(Lang::En).to_owned(),
            Self::Silent => Message::AgentStartsSlowly.plain(Lang::En).to_owned(),
            Self::SignedOut(text) => Message::AgentSignedOut.render_with(Lang::En, [text]),
            Self::Reported(text) => Message::AgentReported.render_with(Lang::En, [text]),
            Self::Crowded => Message::AgentsCrowded.plain(Lang::En).to_owned(),
        }
    }
}
