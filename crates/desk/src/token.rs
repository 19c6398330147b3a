//! Who may come in over the network: tokens, what they allow and whose they are.
//!
//! **Invariant:** a token is told once, to whoever has it made. The desk keeps its hash, and finds it by that hash: the
//! time a search takes tells of the hash alone, from which nobody comes to a text that has it. The text is 256 random
//! bits, so one fast hash guards it as well as a slow one would.

use crate::random;
use jiff::Timestamp;
use sayso_core::{Code, Digest, Message, Problem, display, limits};
use serde::{Deserialize, Serialize};
use std::fmt;

/// What a token allows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// It asks, and sees what its own account asked.
    Asker,
    /// It sees every ask and answers.
    Person,
    /// It speaks for others, and manages tokens.
    Admin,
}

impl Role {
    /// Every role.
    pub const ALL: [Self; 3] = [Self::Asker, Self::Person, Self::Admin];

    /// The stable word.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Asker => "asker",
            Self::Person => "person",
            Self::Admin => "admin",
        }
    }

    /// Reads the stable word.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|role| role.as_str() == word)
    }

    /// How its tokens begin, so that a search for lost secrets finds them.
    pub(crate) const fn prefix(self) -> &'static str {
        match self {
            Self::Asker => "sayso_a_",
            Self::Person => "sayso_p_",
            Self::Admin => "sayso_x_",
        }
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// What the desk knows of a token.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Token {
    /// What it is called where it is listed and revoked; no secret.
    pub id: String,
    /// What it allows.
    pub role: Role,
    /// Whose it is. An account may have several.
    pub account: String,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it ends by itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<Timestamp>,
    /// When it was taken back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub revoked_at: Option<Timestamp>,
}

impl Token {
    /// Whether it opens anything at this time.
    pub fn is_valid(&self, now: Timestamp) -> bool {
        self.revoked_at.is_none() && self.expires_at.is_none_or(|end| end > now)
    }
}

/// A token as a store keeps it.
#[derive(Debug, Clone)]
pub(crate) struct NewToken {
    pub(crate) token: Token,
    pub(crate) hash: Digest,
}

/// The text of a token. It cannot be copied, and shows only to whoever says `reveal`.
pub struct Secret(String);

impl Secret {
    const RANDOM_BYTES: usize = 32;
    const SUM_BYTES: usize = 3;

    /// A new one.
    ///
    /// # Errors
    /// When the system has no randomness to give.
    pub(crate) fn draw(role: Role) -> Result<Self, Problem> {
        let random = random::bytes::<{ Self::RANDOM_BYTES }>()?;
        Ok(Self::of(role, &random))
    }

    fn of(role: Role, random: &[u8]) -> Self {
        let sum = sum(role, random);
        Self(format!("{}{}", role.prefix(), encode(random.iter().chain(&sum).copied())))
    }

    /// The text itself.
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// What is kept of it.
    pub(crate) fn hash(&self) -> Digest {
        hash(&self.0)
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

/// What is kept of the text of a token.
pub(crate) fn hash(text: &str) -> Digest {
    Digest::of(text.as_bytes())
}

/// Whether this is the text of a token as some desk made it: without a typing mistake, and nothing missing.
pub fn is_whole(text: &str) -> bool {
    let body = |role: Role| text.strip_prefix(role.prefix()).map(|body| (role, body));
    let Some((role, body)) = Role::ALL.into_iter().find_map(body) else { return false };
    let Some(bytes) = decode(body) else { return false };
    bytes.len() == Secret::RANDOM_BYTES + Secret::SUM_BYTES
        && bytes.split_at_checked(Secret::RANDOM_BYTES).is_some_and(|(random, end)| end == sum(role, random))
}

/// What to tell whoever shows a token that the desk does not take.
pub fn refused(text: &str) -> Problem {
    let said = if is_whole(text) { Message::TokenUnknown } else { Message::TokenBroken };
    Problem::new(Code::Unauthorized, said).hint(Message::TokenAnew)
}

/// Whether an account, or a person whom an admin names, may be called so.
///
/// # Errors
/// When the name is empty, too long, or does not show as it is.
pub fn check_account(account: &str) -> Result<(), Problem> {
    let at = || sayso_core::Path::root().then("account");
    if account.is_empty() || account.chars().count() > limits::ACCOUNT_CHARS {
        let said = Message::AccountLength.with([limits::ACCOUNT_CHARS]);
        return Err(Problem::new(Code::InvalidValue, said).at(at()));
    }
    // Two accounts must not look the same in a receipt.
    if account.trim() != account || display::line(account) != account {
        return Err(Problem::new(Code::InvalidValue, Message::AccountUnclear).at(at()));
    }
    Ok(())
}

/// A name for a token.
pub(crate) fn new_id() -> Result<String, Problem> {
    Ok(encode(random::bytes::<5>()?.into_iter()))
}

fn sum(role: Role, random: &[u8]) -> [u8; Secret::SUM_BYTES] {
    let digest = Digest::of(&[role.prefix().as_bytes(), random].concat());
    let [first, second, third, ..] = *digest.as_bytes();
    [first, second, third]
}

const LETTERS: &[u8; 32] = b"abcdefghijklmnopqrstuvwxyz234567";
const LETTER_BITS: usize = 5;

/// Base 32 (RFC 4648) in small letters, of a multiple of five bytes.
fn encode(bytes: impl Iterator<Item = u8>) -> String {
    let bytes: Vec<u8> = bytes.collect();
    let letters = bytes.chunks(LETTER_BITS).flat_map(|group| {
        let bits = group.iter().fold(0_u64, |bits, byte| (bits << 8) | u64::from(*byte));
        (0..8).rev().filter_map(move |place| letter(bits >> (place * LETTER_BITS)))
    });
    letters.collect()
}

/// The letter of the lowest five bits.
fn letter(bits: u64) -> Option<char> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_begins_with_its_role_and_has_no_typing_mistakes() {
        for (role, prefix) in Role::ALL.into_iter().zip(["sayso_a_", "sayso_p_", "sayso_x_"]) {
            let secret = Secret::draw(role).unwrap();
            let text = secret.reveal();
            assert!(text.starts_with(prefix) && text.len() == 64 && is_whole(text), "{text}");
            for at in 0..text.len() {
                let other = if text.as_bytes()[at] == b'q' { "r" } else { "q" };
                let mut wrong = text.to_owned();
                wrong.replace_range(at..=at, other);
                assert!(!is_whole(&wrong), "{wrong}");
                assert!(!is_whole(&text[..at]), "{at}");
            }
            assert!(!is_whole(&format!("{text}aaaaaaaa")));
        }
        for text in ["", "sayso_a_", "sayso_ä_", "sayso_p_äöü", "Bearer x"] {
            assert!(!is_whole(text), "{text}");
        }
    }

    #[test]
    fn no_two_are_alike_and_none_shows_by_accident() {
        let secrets: Vec<_> = (0..100).map(|_| Secret::draw(Role::Asker).unwrap()).collect();
        let mut texts: Vec<_> = secrets.iter().map(Secret::reveal).collect();
        texts.sort_unstable();
        texts.dedup();
        assert_eq!(texts.len(), 100);
        assert_eq!(format!("{:?}", secrets[0]), "Secret(…)");
    }

    #[test]
    fn what_is_written_is_read_back() {
        let bytes: Vec<u8> = (0..35).map(|n| n * 7).collect();
        assert_eq!(decode(&encode(bytes.iter().copied())), Some(bytes));
        assert_eq!(encode(b"hello".iter().copied()), "nbswy3dp");
    }

    #[test]
    fn an_account_has_a_name_that_is_seen_as_it_is() {
        for name in ["ada", "CI of the shop", "苍鹭", "ada@example.org", &"x".repeat(100)] {
            assert!(check_account(name).is_ok(), "{name}");
        }
        for name in
            ["", " ada", "ada ", "a\nb", "a\tb", "a\u{202e}b", "a\u{200b}b", "\u{7f}", &"x".repeat(101)]
        {
            assert_eq!(check_account(name).unwrap_err().code, Code::InvalidValue, "{name:?}");
        }
    }
}
