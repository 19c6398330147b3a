//! One-time codes that a person types to sign a browser in.

use sayso_core::{Digest, limits};
use std::fmt;

/// Alphabet without 0, 1, I, L and O, which are mistaken for each other, and U, which is mistaken for V.
const LETTERS: &[u8; 30] = b"23456789ABCDEFGHJKMNPQRSTVWXYZ";
const BASE: u64 = LETTERS.len() as u64;
const CODE_LETTERS: u32 = 8;
/// Number of possible codes.
const CODES: u64 = BASE.pow(CODE_LETTERS);
/// Number of codes with the same prefix. The first two letters select the code; the others, with 729 million
/// combinations, must be guessed. So a wrong try counts against one code, and guessing cannot void the codes of all.
const CODES_PER_PREFIX: u64 = BASE.pow(CODE_LETTERS - 2);
const PREFIXES: u64 = CODES / CODES_PER_PREFIX;

const _: () = assert!(PREFIXES as usize > limits::LOGIN_CODES);

/// Login code, to be shown only to the person.
#[derive(PartialEq, Eq)]
pub struct LoginCode(u64);

impl LoginCode {
    pub(crate) const fn from_random(random: u64) -> Self {
        Self(random % CODES)
    }

    /// Returns the code as it is typed, in two groups: `7KQM-2WXA`.
    pub fn reveal(&self) -> String {
        let letters = (0..CODE_LETTERS).rev().filter_map(|place| {
            let value = usize::try_from(self.0 / BASE.pow(place) % BASE).ok()?;
            LETTERS.get(value).map(|letter| char::from(*letter))
        });
        let mut text: String = letters.collect();
        text.insert(text.len() / 2, '-');
        text
    }

    /// Parses a typed code; case and the dash do not matter.
    pub(crate) fn parse(typed: &str) -> Option<Self> {
        let (mut number, mut count) = (0, 0);
        for letter in typed.bytes().filter(|byte| !matches!(byte, b'-' | b' ')) {
            count += 1;
            let value = LETTERS.iter().position(|candidate| *candidate == letter.to_ascii_uppercase())?;
            if count > CODE_LETTERS {
                return None;
            }
            number = number * BASE + u64::try_from(value).ok()?;
        }
        (count == CODE_LETTERS).then_some(Self(number))
    }

    /// Returns the value of its first letters, by which a code is found: no two unused codes have the same.
    pub(crate) const fn prefix(&self) -> u64 {
        self.0 / CODES_PER_PREFIX
    }

    /// Returns the hash that is stored.
    pub(crate) fn hash(&self) -> Digest {
        Digest::compute(format!("login code {}", self.0).as_bytes())
    }
}

impl fmt::Debug for LoginCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("LoginCode(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_format_tolerates_typing_variants() {
        assert_eq!(LoginCode(0).reveal(), "2222-2222");
        assert_eq!(LoginCode::from_random(CODES - 1).reveal(), "ZZZZ-ZZZZ");
        assert_eq!(LoginCode(31).reveal(), "2222-2233");
        let code = LoginCode(123_456_789_012);
        let text = code.reveal();
        for typed in [text.clone(), text.to_lowercase(), text.replace('-', ""), format!(" {text} ")] {
            assert_eq!(LoginCode::parse(&typed), Some(LoginCode(123_456_789_012)), "{typed}");
        }
        let wrong = ["", "2222", "2222-222O", "2222-222é", "2222-22222", &"2".repeat(100_000)];
        assert!(wrong.iter().all(|typed| LoginCode::parse(typed).is_none()));
        assert_eq!(format!("{code:?}"), "LoginCode(…)");
    }
}
