//! Sessions of a store, and the codes and links that start them.

use crate::browser_session::{BrowserSessionRecord, LinkRecord, add_seconds};
use crate::service_session::ServiceLogin;
use crate::store::row_value::without_nul;
use crate::store::stored_time::to_timestamp;
use jiff::Timestamp;
use sayso_core::model::actor::ProcessId;
use sayso_core::{Digest, Problem, ServiceUser};

/// Session to store. Account and token are those of the code or link that starts it.
#[derive(Debug, Clone)]
pub(crate) struct NewBrowserSession {
    pub(crate) id: String,
    pub(crate) hash: Digest,
    pub(crate) public_key: Option<Vec<u8>>,
    pub(crate) agent: Option<String>,
}

impl NewBrowserSession {
    /// Returns the session of a member, which starts now.
    pub(crate) fn to_record(
        &self,
        account: String,
        token: Option<String>,
        now: Timestamp,
    ) -> BrowserSessionRecord {
        // Stores keep microseconds.
        let now = to_timestamp(now.as_microsecond());
        BrowserSessionRecord {
            id: self.id.clone(),
            account,
            token,
            service: None,
            public_key: self.public_key.clone(),
            agent: self.agent.as_deref().map(without_nul),
            created_at: now,
            last_seen_at: now,
            expires_at: None,
        }
    }

    /// Returns the session of a service's user, which starts now and ends after these seconds.
    pub(crate) fn to_user_record(
        &self,
        user: &ServiceUser,
        token: Option<String>,
        seconds: i64,
        now: Timestamp,
    ) -> BrowserSessionRecord {
        let record = self.to_record(user.account(), token, now);
        let expires_at = Some(add_seconds(record.created_at, seconds));
        BrowserSessionRecord { service: Some(user.service().to_owned()), expires_at, ..record }
    }
}

/// Write of a session, code or link.
#[derive(Debug, Clone)]
pub(crate) enum BrowserSessionWrite {
    AddCode { prefix: u64, hash: Digest, account: String, expires_at: Timestamp },
    RedeemCode { prefix: u64, hash: Digest, session: NewBrowserSession },
    Start { session: NewBrowserSession, account: String, token: String },
    StartForUser { session: NewBrowserSession, login: ServiceLogin },
    AddEntry { id: String, hash: Digest, login: ServiceLogin, expires_at: Timestamp },
    RedeemEntry { hash: Digest, session: NewBrowserSession },
    EndOfUser { user: ServiceUser },
    AddLink { link: LinkRecord, hash: Digest, token: Option<String> },
    ClaimLink { hash: Digest, claim: Digest, number: String, public_key: Vec<u8>, agent: Option<String> },
    ConfirmLink { id: String, number: Option<String> },
    FinishClaim { claim: Digest, id: String, hash: Digest },
    Touch { id: String },
    End { id: String },
    Serve { process: ProcessId, url: Option<String> },
}

impl BrowserSessionWrite {
    /// Returns whether it must be synced to disk before its caller returns. A time of use may be lost.
    pub(crate) const fn must_sync(&self) -> bool {
        !matches!(self, Self::Touch { .. } | Self::Serve { .. })
    }
}

/// Result of a write.
#[derive(Debug)]
pub(crate) enum BrowserSessionOutput {
    Done(bool),
    /// Session that started; `None` if the code was not right.
    Session(Option<Box<BrowserSessionRecord>>),
    /// Link that was claimed; `None` if there is none to claim.
    Link(Option<LinkRecord>),
    /// The claim waits for its confirmation.
    Waiting,
}

impl BrowserSessionOutput {
    /// Returns the result of a write that started a session.
    pub(crate) fn started(session: BrowserSessionRecord) -> Self {
        Self::Session(Some(Box::new(session)))
    }
}

/// Sessions of a store. Every method fails if the store cannot be read or written.
pub(crate) trait BrowserSessionStore: Send + Sync {
    /// Runs a write.
    fn write_browser_session(&self, write: BrowserSessionWrite) -> Result<BrowserSessionOutput, Problem>;

    /// Returns whether an unused code has this hash.
    fn has_code(&self, hash: &Digest, now: Timestamp) -> Result<bool, Problem>;

    /// Returns the link with this id.
    fn link(&self, id: &str, now: Timestamp) -> Result<Option<LinkRecord>, Problem>;

    /// Returns the account that the unused code of a service with this hash lets in.
    fn entry_account(&self, hash: &Digest, now: Timestamp) -> Result<Option<String>, Problem>;

    /// Returns the session with this id, unless it has ended.
    fn browser_session(&self, id: &str, now: Timestamp) -> Result<Option<BrowserSessionRecord>, Problem>;

    /// Returns the session whose cookie has this hash, unless it has ended.
    fn browser_session_by_hash(
        &self,
        hash: &Digest,
        now: Timestamp,
    ) -> Result<Option<BrowserSessionRecord>, Problem>;

    /// Returns the sessions that have not ended, the last used one first.
    fn browser_sessions(&self, now: Timestamp) -> Result<Vec<BrowserSessionRecord>, Problem>;

    /// Returns the sessions of a service's user that have not ended, the last used one first.
    fn user_sessions(&self, user: &ServiceUser, now: Timestamp)
    -> Result<Vec<BrowserSessionRecord>, Problem>;

    /// Returns the addresses at which processes serve the desk.
    fn served_addresses(&self) -> Result<Vec<(ProcessId, String)>, Problem>;
}
