//! Access tokens for the network: roles, accounts and secrets.
//!
//! **Invariant:** the text of a token is shown once, to its creator. The desk keeps its hash and looks it up by that
//! hash: the time of a lookup reveals only the hash, from which no one can find the text. The text is 256 random
//! bits, so one fast hash protects it as well as a slow one.

mod secret;

use crate::random;
use jiff::{SignedDuration, Timestamp};
use sayso_core::model::digest::to_hex;
use sayso_core::{Digest, DocumentPath, Message, Problem, ProblemCode, ServiceUser, display, limits};
use serde::{Deserialize, Serialize};
use std::fmt;

pub(crate) use secret::hash;
pub use secret::{TokenSecret, is_user_secret, is_well_formed};

/// Role of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TokenRole {
    /// Opens asks, and sees those of its own account.
    Asker,
    /// Sees and answers the asks whose audience it is in.
    Person,
    /// Acts for others, and manages tokens.
    Admin,
    /// Lets in the users of a back end, and neither asks nor answers.
    Service,
}

impl TokenRole {
    /// All roles.
    pub const ALL: [Self; 4] = [Self::Asker, Self::Person, Self::Admin, Self::Service];

    /// Returns the stable name.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Asker => "asker",
            Self::Person => "person",
            Self::Admin => "admin",
            Self::Service => "service",
        }
    }

    /// Parses the stable name.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|role| role.as_str() == word)
    }

    /// Returns the prefix of its tokens, by which secret scanners find them.
    pub(crate) const fn prefix(self) -> &'static str {
        match self {
            Self::Asker => "sayso_a_",
            Self::Person => "sayso_p_",
            Self::Admin => "sayso_x_",
            Self::Service => "sayso_s_",
        }
    }
}

impl fmt::Display for TokenRole {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Audiences of the asks of an asker's token, by the names of accounts and groups.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct TokenAudience {
    /// Audience of asks that name none; that of the desk if empty.
    #[serde(default, rename = "for", skip_serializing_if = "Vec::is_empty")]
    pub default_names: Vec<String>,
    /// Names that an ask may have in its audience, in addition to these.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub may_for: Vec<String>,
}

impl TokenAudience {
    /// Returns whether it says nothing.
    pub fn is_empty(&self) -> bool {
        self.default_names.is_empty() && self.may_for.is_empty()
    }

    fn check(&self, role: TokenRole) -> Result<(), Problem> {
        for (member, names) in [("for", &self.default_names), ("may_for", &self.may_for)] {
            let path = DocumentPath::root().join(member);
            if role != TokenRole::Asker && !names.is_empty() {
                return Err(Problem::new(ProblemCode::InvalidValue, Message::AudienceOfAsker).at(path));
            }
            if names.len() > limits::AUDIENCE_NAMES {
                let message = Message::AudienceTooLarge.with([limits::AUDIENCE_NAMES]);
                return Err(Problem::new(ProblemCode::TooBig, message).at(path));
            }
            check_account_names(names, member)?;
        }
        Ok(())
    }
}

/// Checks that these are names of accounts. A problem is at this member.
pub(super) fn check_account_names(names: &[String], member: &str) -> Result<(), Problem> {
    for name in names {
        if let Err(problem) = check_account_name(name) {
            return Err(problem.at(DocumentPath::root().join(member)));
        }
    }
    Ok(())
}

/// Token to create.
#[derive(Debug, Clone)]
pub struct TokenRequest {
    /// Role.
    pub role: TokenRole,
    /// Account.
    pub account: String,
    /// Lifetime; unlimited if `None`.
    pub expires_in: Option<SignedDuration>,
    /// Audiences of its asks.
    pub audience: TokenAudience,
}

impl TokenRequest {
    pub(crate) fn check(&self) -> Result<(), Problem> {
        match self.role {
            TokenRole::Service => ServiceUser::check_service(&self.account)?,
            TokenRole::Asker | TokenRole::Person | TokenRole::Admin => check_account_name(&self.account)?,
        }
        self.audience.check(self.role)
    }
}

/// Stored properties of a token.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TokenRecord {
    /// Public id, for lists and revocation.
    pub id: String,
    /// Role.
    pub role: TokenRole,
    /// Account. It may have several tokens.
    pub account: String,
    /// Time of creation.
    pub created_at: Timestamp,
    /// Time of expiry.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<Timestamp>,
    /// Time of revocation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub revoked_at: Option<Timestamp>,
    /// Audiences of its asks.
    #[serde(default, skip_serializing_if = "TokenAudience::is_empty")]
    pub audience: TokenAudience,
}

impl TokenRecord {
    /// Returns whether the token is valid at this time.
    pub fn is_valid(&self, now: Timestamp) -> bool {
        self.revoked_at.is_none() && self.expires_at.is_none_or(|end| end > now)
    }
}

/// Token to store.
#[derive(Debug, Clone)]
pub(crate) struct NewToken {
    pub(crate) token: TokenRecord,
    pub(crate) hash: Digest,
    /// True if it stands for a sign-in by a proxy. Its hash is then [`sign_in_hash`], and no text has it.
    pub(crate) is_sign_in: bool,
}

/// Returns a hash that no text has, for the token of a sign-in: 64 zero bits, by which stores tell it, and 192 random
/// ones.
///
/// # Errors
/// If the operating system gives no random bytes.
pub(crate) fn sign_in_hash() -> Result<Digest, Problem> {
    let digits = format!("{:016}{}", 0, to_hex(&random::random_bytes::<24>()?));
    Ok(Digest::parse(&digits).unwrap_or_else(|| Digest::compute(digits.as_bytes())))
}

/// Returns the problem of a token that the desk does not accept.
pub fn token_problem(text: &str) -> Problem {
    let message = if is_well_formed(text) { Message::TokenUnknown } else { Message::TokenBroken };
    Problem::new(ProblemCode::Unauthorized, message).with_hint(Message::TokenAnew)
}

/// Checks the name of an account, or of a person whom an admin names.
///
/// # Errors
/// If the name is empty, too long, or has characters that do not show.
pub fn check_account_name(account: &str) -> Result<(), Problem> {
    let at = || DocumentPath::root().join("account");
    if account.is_empty() || account.chars().count() > limits::ACCOUNT_CHARS {
        let message = Message::AccountLength.with([limits::ACCOUNT_CHARS]);
        return Err(Problem::new(ProblemCode::InvalidValue, message).at(at()));
    }
    // Two accounts must not look the same in a receipt.
    if account.trim() != account || display::escape_line(account) != account {
        return Err(Problem::new(ProblemCode::InvalidValue, Message::AccountUnclear).at(at()));
    }
    Ok(())
}

/// Returns a random id for a token.
pub(crate) fn new_id() -> Result<String, Problem> {
    Ok(secret::encode(random::random_bytes::<5>()?.into_iter()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn account_name_must_be_visible() {
        for name in ["ada", "CI of the shop", "苍鹭", "ada@example.org", &"x".repeat(100)] {
            assert!(check_account_name(name).is_ok(), "{name}");
        }
        for name in
            ["", " ada", "ada ", "a\nb", "a\tb", "a\u{202e}b", "a\u{200b}b", "\u{7f}", &"x".repeat(101)]
        {
            assert_eq!(check_account_name(name).unwrap_err().code, ProblemCode::InvalidValue, "{name:?}");
        }
    }
}
