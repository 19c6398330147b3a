//! State of the routes that let browsers in.

use super::{LoginRegistry, LoginTerminal};
use crate::http::context::ServerContext;
use crate::http::middleware::rate_limit::RateLimiter;
use sayso_desk::random;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// State of login: unused codes, signed-in browsers, and the terminal that shows codes.
pub(in crate::http) struct LoginState {
    pub(super) context: Arc<ServerContext>,
    /// Rate limit on login codes, by client address.
    pub(super) limiter: RateLimiter,
    registry: Mutex<LoginRegistry>,
    /// Terminal that shows login codes, if any.
    terminal: Option<LoginTerminal>,
}

impl LoginState {
    pub(in crate::http) fn new(
        context: Arc<ServerContext>,
        limiter: RateLimiter,
        terminal: Option<LoginTerminal>,
    ) -> Self {
        Self { context, limiter, registry: Mutex::default(), terminal }
    }

    pub(super) fn registry(&self) -> MutexGuard<'_, LoginRegistry> {
        self.registry.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Shows a new code at the terminal, if there is one and the last code is used or expired. A visitor of the
    /// sign-in page triggers it, so no code appears unrequested.
    pub(in crate::http) fn show_code(&self) {
        let (Some(terminal), Ok(random)) = (&self.terminal, random::random_bytes()) else { return };
        let now = (self.context.now)();
        let code = self.registry().next_code(&terminal.account, u64::from_be_bytes(random), now);
        code.iter().for_each(|code| (terminal.show)(code));
    }

    /// Runs [`show_code`](Self::show_code) on the blocking pool.
    pub(super) fn spawn_show_code(self: &Arc<Self>) {
        if self.terminal.is_some() {
            let logins = self.clone();
            tokio::task::spawn_blocking(move || logins.show_code());
        }
    }
}
