//! Sessions of browsers at a desk over a store.

use super::StoreDesk;
use crate::browser_session::{
    self, BrowserSecret, BrowserSessionRecord, ClaimProgress, LinkClaim, LinkRecord, LinkState, NewBrowser,
    add_seconds,
};
use crate::login_code::LoginCode;
use crate::store::api::{BrowserSessionOutput, BrowserSessionWrite, NewBrowserSession};
use crate::token::{TokenRecord, TokenRequest};
use crate::{process, random, token};
use sayso_core::{Problem, limits};

impl StoreDesk {
    /// Creates a code that signs in one browser as this account, for ten minutes.
    ///
    /// # Errors
    /// If too many codes are unused.
    pub fn new_login_code(&self, account: &str) -> Result<LoginCode, Problem> {
        // Most prefixes are free, since fewer codes are unused at a time.
        loop {
            let code = LoginCode::from_random(u64::from_be_bytes(random::random_bytes()?));
            let write = BrowserSessionWrite::AddCode {
                prefix: code.prefix(),
                hash: code.hash(),
                account: account.to_owned(),
                expires_at: add_seconds(self.store.now(), limits::LOGIN_CODE_SECONDS),
            };
            if let BrowserSessionOutput::Done(true) = self.store.write_browser_session(write)? {
                return Ok(code);
            }
        }
    }

    /// Returns whether a code has neither been used nor expired. A code that wrong tries have voided counts as unused.
    ///
    /// # Errors
    /// If the desk cannot be read.
    pub fn is_code_unused(&self, code: &LoginCode) -> Result<bool, Problem> {
        self.store.has_code(&code.hash(), self.store.now())
    }

    /// Signs a browser in with a typed code, which is used up; `None` if the code is wrong, used or expired, or voided
    /// by wrong tries.
    ///
    /// # Errors
    /// If the desk cannot store it.
    pub fn sign_in(
        &self,
        typed: &str,
        browser: NewBrowser,
    ) -> Result<Option<(BrowserSessionRecord, BrowserSecret)>, Problem> {
        let Some(code) = LoginCode::parse(typed) else { return Ok(None) };
        start_session(self, browser, |session| BrowserSessionWrite::RedeemCode {
            prefix: code.prefix(),
            hash: code.hash(),
            session,
        })
    }

    /// Signs in the browser of a member whom a proxy named. The session ends with a token of its own, which is listed
    /// and has no text; tokens of earlier sign-ins that let no one in any more are deleted.
    ///
    /// # Errors
    /// As [`create_token`](Self::create_token), or if the desk cannot store it.
    pub fn sign_in_member(
        &self,
        member: TokenRequest,
        browser: NewBrowser,
    ) -> Result<Option<(BrowserSessionRecord, BrowserSecret)>, Problem> {
        let TokenRecord { id, account, .. } = self.add_token(member, token::sign_in_hash()?, true)?;
        start_session(self, browser, |session| BrowserSessionWrite::Start { session, account, token: id })
    }

    /// Creates a link that lets in one browser as this account, for two minutes. Its session ends with this token.
    ///
    /// # Errors
    /// If too many links are unused.
    pub fn new_link(
        &self,
        account: &str,
        token: Option<&str>,
    ) -> Result<(LinkRecord, BrowserSecret), Problem> {
        let secret = BrowserSecret::generate()?;
        let link = LinkRecord {
            id: token::new_id()?,
            account: account.to_owned(),
            state: LinkState::Waiting,
            expires_at: add_seconds(self.store.now(), limits::LOGIN_LINK_SECONDS),
        };
        let token = token.map(str::to_owned);
        self.store.write_browser_session(BrowserSessionWrite::AddLink {
            link: link.clone(),
            hash: secret.hash(),
            token,
        })?;
        Ok((link, secret))
    }

    /// Returns a link that has not expired.
    ///
    /// # Errors
    /// If the desk cannot be read.
    pub fn link(&self, id: &str) -> Result<Option<LinkRecord>, Problem> {
        self.store.link(id, self.store.now())
    }

    /// Claims the link with this code for a browser; `None` if it is unknown, expired or claimed.
    ///
    /// # Errors
    /// If the desk cannot store it.
    pub fn claim_link(&self, code: &str, browser: NewBrowser) -> Result<Option<LinkClaim>, Problem> {
        let secret = BrowserSecret::generate()?;
        let number = u32::from_be_bytes(random::random_bytes()?) % 900 + 100;
        let write = BrowserSessionWrite::ClaimLink {
            hash: browser_session::hash(code),
            claim: secret.hash(),
            number: number.to_string(),
            public_key: browser.public_key,
            agent: browser.agent,
        };
        match self.store.write_browser_session(write)? {
            BrowserSessionOutput::Link(Some(link)) => {
                Ok(Some(LinkClaim { secret, number: number.to_string(), expires_at: link.expires_at }))
            }
            _ => Ok(None),
        }
    }

    /// Confirms that the browser shows this number. Another number ends the link, as does `None`.
    ///
    /// # Errors
    /// If the desk cannot store it.
    pub fn confirm_link(&self, id: &str, number: Option<&str>) -> Result<bool, Problem> {
        let write = BrowserSessionWrite::ConfirmLink { id: id.to_owned(), number: number.map(str::to_owned) };
        Ok(matches!(self.store.write_browser_session(write)?, BrowserSessionOutput::Done(true)))
    }

    /// Signs in the browser with this claim once it is confirmed.
    ///
    /// # Errors
    /// If the desk cannot store it.
    pub fn finish_claim(&self, claim: &str) -> Result<ClaimProgress, Problem> {
        let cookie = BrowserSecret::generate()?;
        let write = BrowserSessionWrite::FinishClaim {
            claim: browser_session::hash(claim),
            id: token::new_id()?,
            hash: cookie.hash(),
        };
        Ok(match self.store.write_browser_session(write)? {
            BrowserSessionOutput::Waiting => ClaimProgress::Waiting,
            BrowserSessionOutput::Session(Some(session)) => ClaimProgress::SignedIn(session, cookie),
            _ => ClaimProgress::Ended,
        })
    }

    /// Returns the session with this cookie, unless it has ended. Writes nothing, so that neither a full disk nor a
    /// locked desk keeps a person out.
    ///
    /// # Errors
    /// If the desk cannot be read.
    pub fn browser_session_by_cookie(&self, cookie: &str) -> Result<Option<BrowserSessionRecord>, Problem> {
        let session = self.store.browser_session_by_hash(&browser_session::hash(cookie), self.store.now())?;
        Ok(session.filter(|session| !self.is_idle(session)))
    }

    /// Records that the session with this id was used now, which extends it.
    ///
    /// # Errors
    /// If the desk cannot store it.
    pub fn record_browser_use(&self, id: &str) -> Result<(), Problem> {
        let write = BrowserSessionWrite::Touch { id: id.to_owned() };
        self.store.write_browser_session(write).map(drop)
    }

    /// Returns the session with this id, unless it has ended.
    ///
    /// # Errors
    /// If the desk cannot be read.
    pub fn browser_session(&self, id: &str) -> Result<Option<BrowserSessionRecord>, Problem> {
        Ok(self.store.browser_session(id, self.store.now())?.filter(|session| !self.is_idle(session)))
    }

    /// Returns the sessions that have not ended, the last used one first.
    ///
    /// # Errors
    /// If the desk cannot be read.
    pub fn browser_sessions(&self) -> Result<Vec<BrowserSessionRecord>, Problem> {
        let mut sessions = self.store.browser_sessions(self.store.now())?;
        sessions.retain(|session| !self.is_idle(session));
        Ok(sessions)
    }

    /// Ends a session, and returns whether it existed.
    ///
    /// # Errors
    /// If the desk cannot store it.
    pub fn end_browser_session(&self, id: &str) -> Result<bool, Problem> {
        let write = BrowserSessionWrite::End { id: id.to_owned() };
        Ok(matches!(self.store.write_browser_session(write)?, BrowserSessionOutput::Done(true)))
    }

    /// Records the address at which this process serves the desk; `None` removes it.
    ///
    /// # Errors
    /// If the desk cannot store it.
    pub fn announce_address(&self, url: Option<&str>) -> Result<(), Problem> {
        for (process, _) in self.store.served_addresses()? {
            if !process::is_alive(process) {
                self.store.write_browser_session(BrowserSessionWrite::Serve { process, url: None })?;
            }
        }
        let process = process::with_machine_id(process::current_process());
        let url = url.map(str::to_owned);
        self.store.write_browser_session(BrowserSessionWrite::Serve { process, url })?;
        Ok(())
    }

    /// Returns the address at which a running process serves the desk.
    ///
    /// # Errors
    /// If the desk cannot be read.
    pub fn announced_address(&self) -> Result<Option<String>, Problem> {
        for (process, url) in self.store.served_addresses()? {
            if process::is_alive(process) {
                return Ok(Some(url));
            }
        }
        Ok(None)
    }
}

impl StoreDesk {
    fn is_idle(&self, session: &BrowserSessionRecord) -> bool {
        session.is_idle(self.session_days, self.store.now())
    }
}

/// Starts the session of a browser by this write, with a new cookie; `None` if nothing lets it in.
pub(super) fn start_session(
    desk: &StoreDesk,
    browser: NewBrowser,
    write: impl FnOnce(NewBrowserSession) -> BrowserSessionWrite,
) -> Result<Option<(BrowserSessionRecord, BrowserSecret)>, Problem> {
    let cookie = BrowserSecret::generate()?;
    let NewBrowser { public_key, agent } = browser;
    let public_key = Some(public_key);
    let session = NewBrowserSession { id: token::new_id()?, hash: cookie.hash(), public_key, agent };
    match desk.store.write_browser_session(write(session))? {
        BrowserSessionOutput::Session(Some(session)) => Ok(Some((*session, cookie))),
        _ => Ok(None),
    }
}
