//! Time that a caller waits for.

use super::call::ApiCall;
use sayso_core::i18n::own;
use sayso_core::{Message, Problem, limits};
use serde::Deserialize;
use std::time::Duration;

/// Query parameters of a request that may wait.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WaitParams {
    wait: Option<String>,
}

impl ApiCall {
    /// Returns how long the caller waits, at most the limit; zero by default.
    ///
    /// # Errors
    /// Fails if it is no number.
    pub(crate) fn wait_time(&self) -> Result<Duration, Problem> {
        Ok(Duration::from_secs(self.requested_seconds()?.min(limits::CALL_WAIT_SECONDS)))
    }

    /// Returns the limit of a wait in seconds, if the caller asked for a longer one.
    ///
    /// # Errors
    /// Fails if it is no number.
    pub(crate) fn shortened_wait(&self) -> Result<Option<u64>, Problem> {
        let is_shortened = self.requested_seconds()? > limits::CALL_WAIT_SECONDS;
        Ok(if is_shortened { Some(limits::CALL_WAIT_SECONDS) } else { None })
    }

    fn requested_seconds(&self) -> Result<u64, Problem> {
        let Some(text) = self.parse_query::<WaitParams>()?.wait else { return Ok(0) };
        if let Ok(seconds) = text.parse() {
            return Ok(seconds);
        }
        let hint = Message::WholeNumber.with([0, limits::CALL_WAIT_SECONDS].map(own));
        Err(Problem::invalid_value("wait", &text).with_hint(hint))
    }
}
