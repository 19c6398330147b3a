//! Sessions of the users of services.
//!
//! **Invariant:** a session lasts at most twelve hours, whatever it does, and ends with the token of its service. The
//! desk has a row for a session, and none for a user.

use crate::browser_session::BrowserSecret;
use jiff::Timestamp;
use sayso_core::{ServiceQuota, ServiceUser};

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
