//! Sessions of services' users at a desk over a store.

use super::StoreDesk;
use super::browser_session::start_session;
use crate::browser_session::{self, BrowserSecret, BrowserSessionRecord, NewBrowser, add_seconds};
use crate::service_session::{EntryCode, ServiceLogin};
use crate::store::api::{BrowserSessionOutput, BrowserSessionWrite, NewBrowserSession};
use crate::token::{self, TokenSecret};
use sayso_core::{Message, Problem, ProblemCode, ServiceUser, limits};

impl StoreDesk {
    /// Starts a session for a program of a user. Only this call returns its secret.
    ///
    /// # Errors
    /// If the service has too many logins within an hour, or its users have too many sessions.
    pub fn start_user_session(
        &self,
        login: ServiceLogin,
    ) -> Result<(BrowserSessionRecord, TokenSecret), Problem> {
        let secret = TokenSecret::generate_for_user()?;
        let session =
            NewBrowserSession { id: token::new_id()?, hash: secret.hash(), public_key: None, agent: None };
        let write = BrowserSessionWrite::StartForUser { session, login };
        match self.store.write_browser_session(write)? {
            BrowserSessionOutput::Session(Some(session)) => Ok((*session, secret)),
            _ => Err(Problem::new(ProblemCode::Unauthorized, Message::TokenUnknown)),
        }
    }

    /// Creates a code that lets in one browser of a user, within a minute.
    ///
    /// # Errors
    /// If the service has too many logins within an hour, or its users have too many sessions.
    pub fn new_entry_code(&self, login: ServiceLogin) -> Result<EntryCode, Problem> {
        let secret = BrowserSecret::generate()?;
        let expires_at = add_seconds(self.store.now(), limits::SERVICE_ADDRESS_SECONDS);
        let id = token::new_id()?;
        let hash = secret.hash();
        self.store.write_browser_session(BrowserSessionWrite::AddEntry { id, hash, login, expires_at })?;
        Ok(EntryCode { secret, expires_at })
    }

    /// Returns the account that a code lets in; `None` if it is unknown, used or expired. The code stays unused.
    ///
    /// # Errors
    /// If the desk cannot be read.
    pub fn entry_account(&self, code: &str) -> Result<Option<String>, Problem> {
        self.store.entry_account(&browser_session::hash(code), self.store.now())
    }

    /// Lets in the browser that has a code, which is used up; `None` if it is unknown, used or expired, or the token of
    /// its service has ended.
    ///
    /// # Errors
    /// If the desk cannot store it.
    pub fn enter(
        &self,
        code: &str,
        browser: NewBrowser,
    ) -> Result<Option<(BrowserSessionRecord, BrowserSecret)>, Problem> {
        let hash = browser_session::hash(code);
        start_session(self, browser, |session| BrowserSessionWrite::RedeemEntry { hash, session })
    }

    /// Returns the session of a program with this secret, unless it has ended.
    ///
    /// # Errors
    /// If the desk cannot be read.
    pub fn user_session_by_secret(&self, secret: &str) -> Result<Option<BrowserSessionRecord>, Problem> {
        if !token::is_user_secret(secret) {
            return Ok(None);
        }
        let session = self.store.browser_session_by_hash(&token::hash(secret), self.store.now())?;
        // A browser's session counts with a proof alone.
        Ok(session.filter(|session| session.service.is_some() && session.public_key.is_none()))
    }

    /// Returns the sessions of a user that have not ended, the last used one first.
    ///
    /// # Errors
    /// If the desk cannot be read.
    pub fn user_sessions(&self, user: &ServiceUser) -> Result<Vec<BrowserSessionRecord>, Problem> {
        self.store.user_sessions(user, self.store.now())
    }

    /// Ends all sessions and unused codes of a user.
    ///
    /// # Errors
    /// If the desk cannot store it.
    pub fn end_user_sessions(&self, user: &ServiceUser) -> Result<(), Problem> {
        self.store.write_browser_session(BrowserSessionWrite::EndOfUser { user: user.clone() }).map(drop)
    }
}
