//! Ids of asks, questions, options and sections. Text never identifies anything.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use smol_str::{SmolStr, format_smolstr};
use std::borrow::Borrow;
use std::collections::{HashMap, HashSet};
use std::fmt;
use std::sync::LazyLock;
use uuid::Uuid;

/// A map by ids within one questionnaire. There are a thousand at most and each is short, so that the standard
/// library's hash, made for keys of any number and length, takes most of the time of a look-up.
pub(crate) type IdMap<I, T> = HashMap<I, T, foldhash::fast::RandomState>;

/// A set of ids within one questionnaire.
pub(crate) type IdSet<I> = HashSet<I, foldhash::fast::RandomState>;

/// Id of an ask: a UUID of version 7 (RFC 9562), so that ids sort by time, or a random one (version 4) if the asker's
/// format abbreviates ids.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct AskId(#[schemars(with = "String")] Uuid);

impl AskId {
    /// The nil id, for what is rendered without an ask.
    pub const NIL: Self = Self(Uuid::nil());

    /// Number of characters in a [handle](Self::short_id).
    pub const SHORT_ID_CHARS: usize = 8;

    /// Wraps an id that was generated elsewhere; core generates none itself.
    pub const fn new(id: Uuid) -> Self {
        Self(id)
    }

    /// Parses a full id in its usual hyphenated form; `None` for anything else.
    pub fn parse(text: &str) -> Option<Self> {
        (text.len() == 36).then(|| Uuid::try_parse(text).ok()).flatten().map(Self)
    }

    /// Returns the short form that people type: the last eight hex digits, which are random. The first digits of an
    /// id are the time, and alike for all asks of one minute.
    pub fn short_id(&self) -> String {
        let text = self.0.simple().to_string();
        text.chars().skip(text.len().saturating_sub(Self::SHORT_ID_CHARS)).collect()
    }

    /// Returns the hex digits of a search word that can match an id, in lower case: from 4 digits on the beginning of
    /// its short form, from 8 on the beginning of the whole id, with or without hyphens. Fewer would match by chance,
    /// and the first digits of a whole id are the time.
    pub fn search_digits(word: &str) -> Option<String> {
        let digits = word.replace('-', "").to_ascii_lowercase();
        let is_one =
            (4..=32).contains(&digits.len()) && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
        is_one.then_some(digits)
    }

    /// Returns true if a search word matches the id by its [`digits`](Self::search_digits).
    pub fn matches_search_word(&self, word: &str) -> bool {
        Self::search_digits(word).is_some_and(|digits| {
            let is_whole = digits.len() >= Self::SHORT_ID_CHARS;
            self.short_id().starts_with(&digits)
                || is_whole && self.0.simple().to_string().starts_with(&digits)
        })
    }

    /// Returns the sixteen bytes, as a store keeps them.
    pub fn as_bytes(&self) -> &[u8; 16] {
        self.0.as_bytes()
    }

    /// Builds an id from the bytes of [`as_bytes`](Self::as_bytes); `None` unless there are sixteen.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        Uuid::from_slice(bytes).ok().map(Self)
    }
}

impl fmt::Display for AskId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.hyphenated().fmt(f)
    }
}

impl fmt::Debug for AskId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "AskId({self})")
    }
}

/// Returns a letter and a number, cached for the first numbers: most formats have no ids, and most questionnaires are
/// short.
fn numbered_id(letter: char, number: usize) -> SmolStr {
    const LETTERS: [char; 3] = ['o', 'q', 's'];
    const WRITTEN: usize = 32;
    static FIRST: LazyLock<[Vec<SmolStr>; LETTERS.len()]> = LazyLock::new(|| {
        LETTERS.map(|letter| (0..WRITTEN).map(|number| format_smolstr!("{letter}{number}")).collect())
    });
    let written = LETTERS.into_iter().zip(&*FIRST).find(|(known, _)| *known == letter);
    let made = written.and_then(|(_, texts)| texts.get(number));
    made.cloned().unwrap_or_else(|| format_smolstr!("{letter}{number}"))
}

macro_rules! text_id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
        #[serde(transparent)]
        pub struct $name(#[schemars(with = "String")] SmolStr);

        impl $name {
            /// Wraps the text unchanged; its length is checked with its questionnaire.
            pub fn new(text: impl Into<SmolStr>) -> Self {
                Self(text.into())
            }

            /// Returns a letter and a number, for an item without a name: `o3`.
            pub fn numbered(letter: char, number: usize) -> Self {
                Self(numbered_id(letter, number))
            }

            /// Returns the id as text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl Borrow<str> for $name {
            fn borrow(&self) -> &str {
                &self.0
            }
        }

        impl<T: Into<SmolStr>> From<T> for $name {
            fn from(text: T) -> Self {
                Self::new(text)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
    };
}

text_id! {
    /// A question within its questionnaire. Formats without ids number them `q0`, `q1`, …
    QuestionId
}

impl QuestionId {
    /// Stands in [`Replies`](crate::Replies) for the form as a whole, whose reply is only a note. It is the empty text,
    /// which no question may have.
    pub const FORM: Self = Self(SmolStr::new_static(""));
}

text_id! {
    /// An option within its question. Formats without ids number them `o1`, `o2`, …, as on the screen.
    OptionId
}

text_id! {
    /// A section within its questionnaire. Dialects without ids number them: `s0`, `s1`, …
    SectionId
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn search_word_matches_short_id_or_prefix() {
        let id = AskId::parse("01a2093d-ae93-71ba-9923-e8cedea68531").unwrap();
        for word in [
            "dea68531",
            "DEA6",
            "dea6853",
            "01a2093d",
            "01a2093d-ae93",
            &id.to_string(),
            &id.to_string().replace('-', ""),
        ] {
            assert!(id.matches_search_word(word), "{word}");
        }
        for word in ["", "dea", "01a2093", "a209", "68531", "dea68531f", "dea6 ", "ask"] {
            assert!(!id.matches_search_word(word), "{word}");
        }
    }

    #[test]
    fn handle_is_end_of_id() {
        let id = AskId::parse("01890a5d-ac96-774b-bcce-b302099a8057").unwrap();
        assert_eq!(id.short_id(), "099a8057");
        assert_eq!(AskId::from_bytes(id.as_bytes()), Some(id));
        assert_eq!(AskId::parse("01890a5dac96774bbcceb302099a8057"), None);
        assert_eq!(AskId::parse("not an id"), None);
    }
}
