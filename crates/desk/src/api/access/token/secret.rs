//! Text of tokens: random bits with a checksum, under a prefix by which secret scanners find them.

use super::TokenRole;
use crate::random;
use sayso_core::{Digest, Problem};
use std::fmt;

/// Prefix of the secrets of sessions that a service opens for programs of its users.
const USER_PREFIX: &str = "sayso_u_";

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
        Self::with_prefix(role.prefix())
    }

    /// Generates the secret of a session of a service's user.
    ///
    /// # Errors
    /// If the system has no randomness.
    pub(crate) fn generate_for_user() -> Result<Self, Problem> {
        Self::with_prefix(USER_PREFIX)
    }

    fn with_prefix(prefix: &str) -> Result<Self, Problem> {
        let random = random::random_bytes::<{ Self::RANDOM_BYTES }>()?;
        let sum = checksum(prefix, &random);
        Ok(Self(format!("{prefix}{}", encode(random.iter().chain(&sum).copied()))))
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
    let mut prefixes = TokenRole::ALL.into_iter().map(TokenRole::prefix).chain([USER_PREFIX]);
    let Some(prefix) = prefixes.find(|prefix| text.starts_with(prefix)) else { return false };
    let Some(bytes) = text.strip_prefix(prefix).and_then(decode) else { return false };
    match bytes.split_at_checked(TokenSecret::RANDOM_BYTES) {
        Some((random, sum)) => sum == checksum(prefix, random),
        None => false,
    }
}

/// Returns whether this is the secret of a session of a service's user, complete and without a typing mistake.
pub fn is_user_secret(text: &str) -> bool {
    text.starts_with(USER_PREFIX) && is_well_formed(text)
}

fn checksum(prefix: &str, random: &[u8]) -> [u8; TokenSecret::SUM_BYTES] {
    let digest = Digest::compute(&[prefix.as_bytes(), random].concat());
    let [first, second, third, ..] = *digest.as_bytes();
    [first, second, third]
}

const LETTERS: &[u8; 32] = b"abcdefghijklmnopqrstuvwxyz234567";
const LETTER_BITS: usize = 5;

/// Base 32 (RFC 4648) in lower case, of a multiple of five bytes.
pub(super) fn encode(bytes: impl Iterator<Item = u8>) -> String {
    let bytes: Vec<u8> = bytes.collect();
    let mut text = String::new();
    for group in bytes.chunks(LETTER_BITS) {
        let mut bits = 0_u64;
        for byte in group {
            bits = (bits << 8) | u64::from(*byte);
        }
        for place in (0..8).rev() {
            text.extend(encode_letter(bits >> (place * LETTER_BITS)));
        }
    }
    text
}

/// Returns the letter of the lowest five bits.
fn encode_letter(bits: u64) -> Option<char> {
    let value = usize::try_from(bits & 31).ok()?;
    LETTERS.get(value).copied().map(char::from)
}

fn decode(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len());
    for group in text.as_bytes().chunks(8) {
        let mut bits = 0_u64;
        for letter in group {
            let value = LETTERS.iter().position(|candidate| candidate == letter)?;
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
    fn token_has_role_prefix_and_checksum() {
        for (role, prefix) in TokenRole::ALL.into_iter().zip(["sayso_a_", "sayso_p_", "sayso_x_", "sayso_s_"])
        {
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
}
