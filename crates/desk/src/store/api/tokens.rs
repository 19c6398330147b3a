//! Tokens of a store.

use crate::token::{NewToken, TokenRecord};
use jiff::Timestamp;
use sayso_core::{Digest, Problem};
use std::collections::BTreeSet;

/// Accounts and services whose tokens have all ended.
#[derive(Debug, Default)]
pub(crate) struct GoneAccounts {
    pub(crate) persons: BTreeSet<String>,
    pub(crate) services: BTreeSet<String>,
}

/// Tokens of a store, each under the hash of its text. Every method fails if the store cannot be read or written.
pub(crate) trait TokenStore: Send + Sync {
    /// Stores a new token.
    fn add_token(&self, new: NewToken) -> Result<(), Problem>;

    /// Returns every token, including expired and revoked ones, oldest first.
    fn tokens(&self) -> Result<Vec<TokenRecord>, Problem>;

    /// Returns the token with this id.
    fn token(&self, id: &str) -> Result<Option<TokenRecord>, Problem>;

    /// Revokes the token with this id, and returns it; `None` if it does not exist.
    fn revoke_token(&self, id: &str) -> Result<Option<TokenRecord>, Problem>;

    /// Returns the token with this hash that is valid at this time.
    fn find_valid_token(&self, hash: Digest, now: Timestamp) -> Result<Option<TokenRecord>, Problem>;

    /// Returns whether a service's token has this account, valid or not.
    fn has_service(&self, account: &str) -> Result<bool, Problem>;

    /// Returns the accounts of people, and the services, whose tokens have all ended. The token of a sign-in by a proxy
    /// ends only when it is revoked.
    fn gone_accounts(&self, now: Timestamp) -> Result<GoneAccounts, Problem>;
}
