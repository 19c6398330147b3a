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
        Ok(Duration::from_secs(self.asked_wait()?.min(limits::CALL_WAIT_SECONDS)))
    }

    /// Returns the limit of a wait in seconds, if the caller asked for a longer one.
    ///
    /// # Errors
    /// Fails if it is no number.
    pub(crate) fn shortened_wait(&self) -> Result<Option<u64>, Problem> {
        Ok((self.asked_wait()? > limits::CALL_WAIT_SECONDS).then_some(limits::CALL_WAIT_SECONDS))
    }

    fn asked_wait(&self) -> Result<u64, Problem> {
        let Some(wait) = self.parse_query::<WaitParams>()?.wait else { return Ok(0) };
        let bounds = [0, limits::CALL_WAIT_SECONDS].map(own);
        wait.parse()
            .map_err(|_| Problem::invalid_value("wait", &wait).with_hint(Message::WholeNumber.with(bounds)))
    }
}
