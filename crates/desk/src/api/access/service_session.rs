//! Sessions of the users of services.
//!
//! **Invariant:** a session lasts at most twelve hours, whatever it does, and ends with the token of its service. The
//! desk has a row for a session, and none for a user.

use crate::browser_session::{BrowserSecret, BrowserSessionRecord, NewBrowser};
use crate::token::TokenSecret;
use jiff::Timestamp;
use sayso_core::{Problem, ServiceQuota, ServiceUser};

/// Login of a service's user, which a service asks for.
#[derive(Debug, Clone)]
pub struct ServiceLogin {
    /// User.
    pub user: ServiceUser,
    /// Id of the service's token, with which the session ends.
    pub token: String,
    /// Lifetime of the session, in seconds.
    pub lifetime_seconds: i64,
    /// Limits of the service.
    pub quota: ServiceQuota,
}

/// Code of an address that lets in a browser once.
#[derive(Debug)]
pub struct EntryCode {
    /// Code.
    pub secret: BrowserSecret,
    /// Time of expiry.
    pub expires_at: Timestamp,
}

/// Sessions of the users of services. Calls block, and many threads may call at once. All fail if the desk cannot be
/// read or written.
pub trait ServiceSessionDesk: Send + Sync {
    /// Starts a session for a program of a user. Only this call returns its secret.
    ///
    /// # Errors
    /// If the service has too many logins within an hour, or its users have too many sessions.
    fn start_user_session(&self, login: ServiceLogin)
    -> Result<(BrowserSessionRecord, TokenSecret), Problem>;

    /// Creates a code that lets in one browser of a user, within a minute.
    ///
    /// # Errors
    /// If the service has too many logins within an hour, or its users have too many sessions.
    fn new_entry_code(&self, login: ServiceLogin) -> Result<EntryCode, Problem>;

    /// Returns the account that a code lets in; `None` if it is unknown, used or expired. The code stays unused.
    ///
    /// # Errors
    /// If the desk cannot be read.
    fn entry_account(&self, code: &str) -> Result<Option<String>, Problem>;

    /// Lets in the browser that has a code, which is used up; `None` if it is unknown, used or expired, or the token of
    /// its service has ended.
    ///
    /// # Errors
    /// If the desk cannot store it.
    fn enter(
        &self,
        code: &str,
        browser: NewBrowser,
    ) -> Result<Option<(BrowserSessionRecord, BrowserSecret)>, Problem>;

    /// Returns the session of a program with this secret, unless it has ended.
    ///
    /// # Errors
    /// If the desk cannot be read.
    fn user_session_by_secret(&self, secret: &str) -> Result<Option<BrowserSessionRecord>, Problem>;

    /// Returns the sessions of a user that have not ended, the last used one first.
    ///
    /// # Errors
    /// If the desk cannot be read.
    fn user_sessions(&self, user: &ServiceUser) -> Result<Vec<BrowserSessionRecord>, Problem>;

    /// Ends all sessions and unused codes of a user.
    ///
    /// # Errors
    /// If the desk cannot store it.
    fn end_user_sessions(&self, user: &ServiceUser) -> Result<(), Problem>;
}
