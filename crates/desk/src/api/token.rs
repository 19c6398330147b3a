//! Access tokens for the network: roles, accounts and secrets.
//!
//! **Invariant:** the text of a token is shown once, to its creator. The desk keeps its hash and looks it up by that
//! hash: the time of a lookup reveals only the hash, from which no one can find the text. The text is 256 random
//! bits, so one fast hash protects it as well as a slow one.

use crate::random;
use jiff::{SignedDuration, Timestamp};
use sayso_core::{Digest, DocumentPath, Message, Problem, ProblemCode, display, limits};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::fmt;

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
}

impl TokenRole {
    /// All roles.
    pub const ALL: [Self; 3] = [Self::Asker, Self::Person, Self::Admin];

    /// Returns the stable name.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Asker => "asker",
            Self::Person => "person",
            Self::Admin => "admin",
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
    /// Audience of asks that name none; the usual one of the desk if empty.
    #[serde(default, rename = "for", skip_serializing_if = "Vec::is_empty")]
    pub usual: Vec<String>,
    /// Names that an ask may have in its audience, in addition to the usual ones.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub may_for: Vec<String>,
}

impl TokenAudience {
    /// Returns whether it says nothing.
    pub fn is_empty(&self) -> bool {
        self.usual.is_empty() && self.may_for.is_empty()
    }

    fn check(&self, role: TokenRole) -> Result<(), Problem> {
        for (member, names) in [("for", &self.usual), ("may_for", &self.may_for)] {
            let at = || DocumentPath::root().join(member);
            if role != TokenRole::Asker && !names.is_empty() {
                return Err(Problem::new(ProblemCode::InvalidValue, Message::AudienceOfAsker).at(at()));
            }
            if names.len() > limits::AUDIENCE_NAMES {
                let message = Message::AudienceTooLarge.with([limits::AUDIENCE_NAMES]);
                return Err(Problem::new(ProblemCode::TooBig, message).at(at()));
            }
            names.iter().try_for_each(|name| check_account_name(name).map_err(|problem| problem.at(at())))?;
        }
        Ok(())
    }
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
        check_account_name(&self.account)?;
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
}

/// Text of a token. It cannot be cloned, and only `reveal` shows it.
pub struct TokenSecret(String);

impl TokenSecret {
    const RANDOM_BYTES: usize = 32;
    const SUM_BYTES: usize = 3;

    /// Generates a token.
    ///
    /// # Errors
    /// If the system has no randomness.
    pub(crate) fn generate(role: TokenRole) -> Result<Self, Problem> {
        let random = random::random_bytes::<{ Self::RANDOM_BYTES }>()?;
        Ok(Self::from_random(role, &random))
    }

    fn from_random(role: TokenRole, random: &[u8]) -> Self {
        let sum = checksum(role, random);
        Self(format!("{}{}", role.prefix(), encode(random.iter().chain(&sum).copied())))
    }

    /// Returns the text.
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// Returns the hash that is stored.
    pub(crate) fn hash(&self) -> Digest {
        hash(&self.0)
    }
}

impl fmt::Debug for TokenSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

/// Returns the hash of a token's text.
pub(crate) fn hash(text: &str) -> Digest {
    Digest::compute(text.as_bytes())
}

/// Returns whether this is a complete token without a typing mistake, from any desk.
pub fn is_well_formed(text: &str) -> bool {
    let body = |role: TokenRole| text.strip_prefix(role.prefix()).map(|body| (role, body));
    let Some((role, body)) = TokenRole::ALL.into_iter().find_map(body) else { return false };
    let Some(bytes) = decode(body) else { return false };
    bytes.len() == TokenSecret::RANDOM_BYTES + TokenSecret::SUM_BYTES
        && bytes
            .split_at_checked(TokenSecret::RANDOM_BYTES)
            .is_some_and(|(random, end)| end == checksum(role, random))
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

/// Returns the accounts of the people and admins whose tokens are valid at this time.
pub fn accounts_of_persons(tokens: &[TokenRecord], now: Timestamp) -> BTreeSet<&str> {
    let persons = tokens.iter().filter(|token| token.role != TokenRole::Asker && token.is_valid(now));
    persons.map(|token| token.account.as_str()).collect()
}

/// Returns a random id for a token.
pub(crate) fn new_id() -> Result<String, Problem> {
    Ok(encode(random::random_bytes::<5>()?.into_iter()))
}

fn checksum(role: TokenRole, random: &[u8]) -> [u8; TokenSecret::SUM_BYTES] {
    let digest = Digest::compute(&[role.prefix().as_bytes(), random].concat());
    let [first, second, third, ..] = *digest.as_bytes();
    [first, second, third]
}

const LETTERS: &[u8; 32] = b"abcdefghijklmnopqrstuvwxyz234567";
const LETTER_BITS: usize = 5;

/// Base 32 (RFC 4648) in lower case, of a multiple of five bytes.
fn encode(bytes: impl Iterator<Item = u8>) -> String {
    let bytes: Vec<u8> = bytes.collect();
    let letters = bytes.chunks(LETTER_BITS).flat_map(|group| {
        let bits = group.iter().fold(0_u64, |bits, byte| (bits << 8) | u64::from(*byte));
        (0..8).rev().filter_map(move |place| encode_letter(bits >> (place * LETTER_BITS)))
    });
    letters.collect()
}

/// Returns the letter of the lowest five bits.
fn encode_letter(bits: u64) -> Option<char> {
    usize::try_from(bits & 31).ok().and_then(|value| LETTERS.get(value)).map(|letter| char::from(*letter))
}

fn decode(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len());
    for group in text.as_bytes().chunks(8) {
        let mut bits = 0_u64;
        for letter in group {
            let value = LETTERS.iter().position(|known| known == letter)?;
            bits = (bits << LETTER_BITS) | u64::try_from(value).ok()?;
        }
        bytes.extend(bits.to_be_bytes().get(3..)?);
    }
    Some(bytes)
}

/// Tokens of a desk. Calls block, and many threads may call at once.
pub trait TokenDesk: Send + Sync {
    /// Creates a token. Only this call returns its text.
    ///
    /// # Errors
    /// If a name is invalid or the account has the name of a group, the lifetime is zero or too long, the desk has
    /// too many tokens, or cannot store it.
    fn create_token(&self, request: TokenRequest) -> Result<(TokenRecord, TokenSecret), Problem>;

    /// Creates a token whose asks have the usual audience.
    ///
    /// # Errors
    /// Same as [`create_token`](Self::create_token).
    fn new_token(
        &self,
        role: TokenRole,
        account: &str,
        expires_in: Option<SignedDuration>,
    ) -> Result<(TokenRecord, TokenSecret), Problem> {
        let (account, audience) = (account.to_owned(), TokenAudience::default());
        self.create_token(TokenRequest { role, account, expires_in, audience })
    }

    /// Returns every token, including expired and revoked ones, oldest first.
    ///
    /// # Errors
    /// If the desk cannot be read.
    fn tokens(&self) -> Result<Vec<TokenRecord>, Problem>;

    /// Returns the token with this id, even if expired or revoked.
    ///
    /// # Errors
    /// If the desk cannot be read.
    fn token(&self, id: &str) -> Result<Option<TokenRecord>, Problem>;

    /// Revokes a token: once this returns, no process accepts it. A second revocation changes nothing.
    ///
    /// # Errors
    /// If no token has this id, or the desk cannot store it.
    fn revoke_token(&self, id: &str) -> Result<TokenRecord, Problem>;

    /// Returns the token with this text, if it is valid now. Each call reads the desk, so that a revocation takes
    /// effect immediately.
    ///
    /// # Errors
    /// If the desk cannot be read.
    fn verify_token(&self, text: &str) -> Result<Option<TokenRecord>, Problem>;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn token_has_role_prefix_and_checksum() {
        for (role, prefix) in TokenRole::ALL.into_iter().zip(["sayso_a_", "sayso_p_", "sayso_x_"]) {
            let secret = TokenSecret::generate(role).unwrap();
            let text = secret.reveal();
            assert!(text.starts_with(prefix) && text.len() == 64 && is_well_formed(text), "{text}");
            for at in 0..text.len() {
                let other = if text.as_bytes()[at] == b'q' { "r" } else { "q" };
                let mut wrong = text.to_owned();
                wrong.replace_range(at..=at, other);
                assert!(!is_well_formed(&wrong), "{wrong}");
                assert!(!is_well_formed(&text[..at]), "{at}");
            }
            assert!(!is_well_formed(&format!("{text}aaaaaaaa")));
        }
        for text in ["", "sayso_a_", "sayso_ä_", "sayso_p_äöü", "Bearer x"] {
            assert!(!is_well_formed(text), "{text}");
        }
    }

    #[test]
    fn secrets_are_unique_and_hidden() {
        let secrets: Vec<_> = (0..100).map(|_| TokenSecret::generate(TokenRole::Asker).unwrap()).collect();
        let mut texts: Vec<_> = secrets.iter().map(TokenSecret::reveal).collect();
        texts.sort_unstable();
        texts.dedup();
        assert_eq!(texts.len(), 100);
        assert_eq!(format!("{:?}", secrets[0]), "Secret(…)");
    }

    #[test]
    fn base32_round_trips() {
        let bytes: Vec<u8> = (0..35).map(|n| n * 7).collect();
        assert_eq!(decode(&encode(bytes.iter().copied())), Some(bytes));
        assert_eq!(encode(b"hello".iter().copied()), "nbswy3dp");
    }

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
