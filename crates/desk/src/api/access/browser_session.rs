//! Sessions of browsers, and the codes and links that start them.
//!
//! **Invariant:** the desk keeps hashes of cookies, codes and claims, and of a browser's key only the public part. So
//! its file lets no one in.

use crate::random;
use jiff::{SignedDuration, Timestamp};
use sayso_core::model::digest::to_hex;
use sayso_core::{Digest, Problem};
use std::fmt;

/// Secret of a browser, such as the value of its cookie: 256 random bits. Only `reveal` shows it.
pub struct BrowserSecret(String);

impl BrowserSecret {
    pub(crate) fn generate() -> Result<Self, Problem> {
        Ok(Self(to_hex(&random::random_bytes::<32>()?)))
    }

    /// Returns the text.
    pub fn reveal(&self) -> &str {
        &self.0
    }

    pub(crate) fn hash(&self) -> Digest {
        hash(&self.0)
    }
}

impl fmt::Debug for BrowserSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("BrowserSecret(…)")
    }
}

/// Returns the hash under which a secret is stored, so that the time of a lookup reveals nothing about it.
pub(crate) fn hash(secret: &str) -> Digest {
    Digest::compute(secret.as_bytes())
}

/// Browser that signs in.
#[derive(Debug, Clone)]
pub struct NewBrowser {
    /// Public key, whose private part never leaves the browser.
    pub public_key: Vec<u8>,
    /// Name that the browser gives itself.
    pub agent: Option<String>,
}

/// Shortest time between two records of a session's use, in seconds.
const USE_RECORD_SECONDS: i64 = 60;

/// Stored properties of a browser's session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BrowserSessionRecord {
    /// Public id, for lists and for ending it.
    pub id: String,
    /// Account that it is signed in as.
    pub account: String,
    /// Token that let it in, if one did. The session ends with it.
    pub token: Option<String>,
    /// Service that the user belongs to.
    pub service: Option<String>,
    /// Public key of the browser; the session of a service user's program has none.
    pub public_key: Option<Vec<u8>>,
    /// Name that the browser gave itself.
    pub agent: Option<String>,
    /// Time of the sign-in.
    pub created_at: Timestamp,
    /// Time of the last request, to the minute.
    pub last_seen_at: Timestamp,
    /// Time at which it ends whatever it does; one without it lasts while it is used, and as many days as the operator chose.
    pub expires_at: Option<Timestamp>,
}

impl BrowserSessionRecord {
    /// Returns whether a use at this time is to be recorded: the last record is a minute old.
    pub fn is_use_due(&self, now: Timestamp) -> bool {
        add_seconds(self.last_seen_at, USE_RECORD_SECONDS) <= now
    }

    /// Returns whether a member's session has ended, because it was not used for so many days. The session of a service's
    /// user ends when its service says.
    pub(crate) fn is_idle(&self, days: u32, now: Timestamp) -> bool {
        let seconds = i64::from(days) * 24 * 60 * 60;
        self.service.is_none() && add_seconds(self.last_seen_at, seconds) <= now
    }
}

/// State of a link that lets in a phone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LinkState {
    /// No browser has opened it.
    Waiting,
    /// A browser has opened it and shows its number.
    Claimed,
    /// The person has confirmed the number.
    Confirmed,
    /// The browser is signed in.
    Used,
    /// It lets in a service's user at once, and is never confirmed.
    Entry,
}

impl LinkState {
    /// All states.
    pub const ALL: [Self; 5] = [Self::Waiting, Self::Claimed, Self::Confirmed, Self::Used, Self::Entry];

    /// Returns the stable name.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Waiting => "waiting",
            Self::Claimed => "claimed",
            Self::Confirmed => "confirmed",
            Self::Used => "used",
            Self::Entry => "entry",
        }
    }

    /// Parses the stable name.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.as_str() == word)
    }
}

/// Link that lets in a phone, as stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LinkRecord {
    /// Public id.
    pub id: String,
    /// Account that it signs in.
    pub account: String,
    /// State.
    pub state: LinkState,
    /// Time of expiry.
    pub expires_at: Timestamp,
}

/// Claim of a browser that opened a link.
#[derive(Debug)]
pub struct LinkClaim {
    /// Secret by which the browser asks whether it was confirmed.
    pub secret: BrowserSecret,
    /// Number that the browser shows and the person confirms.
    pub number: String,
    /// Time of expiry.
    pub expires_at: Timestamp,
}

/// Progress of a claim.
#[derive(Debug)]
pub enum ClaimProgress {
    /// The person has not confirmed the number yet.
    Waiting,
    /// The browser is signed in, with this cookie.
    SignedIn(Box<BrowserSessionRecord>, BrowserSecret),
    /// The claim is unknown, expired or refused.
    Ended,
}

/// Returns a time some seconds later, or the last possible one.
pub(crate) fn add_seconds(time: Timestamp, seconds: i64) -> Timestamp {
    time.checked_add(SignedDuration::from_secs(seconds)).unwrap_or(Timestamp::MAX)
}

#[cfg(test)]
mod tests {
    use super::BrowserSessionRecord;
    use jiff::{SignedDuration, Timestamp};

    #[test]
    fn member_session_ends_by_setting() {
        let mut session = BrowserSessionRecord {
            id: String::new(),
            account: "ada".to_owned(),
            token: None,
            service: None,
            public_key: None,
            agent: None,
            created_at: Timestamp::UNIX_EPOCH,
            last_seen_at: Timestamp::UNIX_EPOCH,
            expires_at: None,
        };
        let after = |hours| Timestamp::UNIX_EPOCH + SignedDuration::from_hours(hours);
        let rows = [(30, 30 * 24 - 1, false), (30, 30 * 24, true), (1, 23, false), (1, 24, true)];
        for (days, hours, is_idle) in rows {
            assert_eq!(session.is_idle(days, after(hours)), is_idle, "{days} days, {hours} hours");
        }
        session.service = Some("shop".to_owned());
        assert!(!session.is_idle(1, after(48)), "the service sets its end");
    }
}
