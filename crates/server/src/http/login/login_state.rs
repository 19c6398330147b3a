//! State of the routes that let browsers in.

use super::page::LoginPages;
use super::{LoginTerminal, SignInProxy};
use crate::diagnostics::log_problem;
use crate::http::context::ServerContext;
use crate::http::middleware::rate_limit::RateLimiter;
use sayso_core::ServiceQuota;
use sayso_desk::login_code::LoginCode;
use std::sync::{Arc, Mutex, PoisonError};

/// State of login: the terminal that shows codes, and the last code that it showed. The rest lies in the desk.
pub(in crate::http) struct LoginState {
    pub(super) context: Arc<ServerContext>,
    /// Rate limit on login codes, by client address.
    pub(super) limiter: RateLimiter,
    /// Address of the pages, without a slash at its end.
    pub(super) public_url: String,
    /// Proxy that signs people in, if any.
    pub(in crate::http) sign_in_proxy: Option<SignInProxy>,
    /// The sign-in page in each language.
    pub(super) pages: LoginPages,
    /// Limits of each service.
    pub(super) service_quota: ServiceQuota,
    /// Terminal that shows login codes, if any.
    terminal: Option<LoginTerminal>,
    shown: Mutex<Option<LoginCode>>,
}

impl LoginState {
    pub(in crate::http) fn new(
        context: Arc<ServerContext>,
        limiter: RateLimiter,
        public_url: String,
        service_quota: ServiceQuota,
        terminal: Option<LoginTerminal>,
        sign_in_proxy: Option<SignInProxy>,
    ) -> Self {
        let pages = LoginPages::new(sign_in_proxy.is_some());
        Self {
            context,
            limiter,
            public_url,
            sign_in_proxy,
            pages,
            service_quota,
            terminal,
            shown: Mutex::new(None),
        }
    }

    /// Returns the rate limit on login codes.
    pub(in crate::http) const fn limiter(&self) -> &RateLimiter {
        &self.limiter
    }

    /// Shows a new code at the terminal, if there is one and the last code is used or expired. A visitor of the
    /// sign-in page triggers it, so no code appears unrequested. A code voided by wrong tries blocks until it expires,
    /// too, so guessing creates no new codes.
    pub(in crate::http) fn show_code(&self) {
        let Some(terminal) = &self.terminal else { return };
        let mut last_code = self.shown.lock().unwrap_or_else(PoisonError::into_inner);
        let desk = &self.context.desk;
        if let Some(code) = &*last_code {
            match desk.is_code_unused(code) {
                Ok(true) => return,
                Ok(false) => {}
                Err(problem) => return log_problem(&problem),
            }
        }
        match desk.new_login_code(&terminal.account) {
            Ok(code) => {
                (terminal.show)(&code);
                *last_code = Some(code);
            }
            Err(problem) => log_problem(&problem),
        }
    }

    /// Runs [`show_code`](Self::show_code) on the blocking pool.
    pub(in crate::http) fn spawn_show_code(self: &Arc<Self>) {
        if self.terminal.is_some() {
            let logins = self.clone();
            tokio::task::spawn_blocking(move || logins.show_code());
        }
    }
}
