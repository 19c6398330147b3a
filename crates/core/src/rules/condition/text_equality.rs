//! Text equality, independent of Unicode composition and line endings.

use unicode_normalization::char::canonical_combining_class;
use unicode_normalization::{IsNormalized, UnicodeNormalization as _, is_nfc_quick};

/// Returns true if two texts are equal after normalizing line endings and composing accents (NFC). Texts of very
/// different length differ without a closer look: the longer one may be an answer of 1 MiB. The common prefix is
/// compared as bytes, since many texts of a condition may share it with a long answer.
pub(super) fn are_equal(text: &str, value: &str) -> bool {
    const GROWTH: usize = 8;
    if text == value {
        return true;
    }
    if text.len() > value.len() * GROWTH || value.len() > text.len() * GROWTH {
        return false;
    }
    let prefix = common_prefix_end(text, value);
    let text_rest = text.get(prefix..).unwrap_or_default();
    let value_rest = value.get(prefix..).unwrap_or_default();
    normalize_line_ends(text_rest).nfc().eq(normalize_line_ends(value_rest).nfc())
}

/// Returns the characters, with one for each end of a line.
fn normalize_line_ends(text: &str) -> impl Iterator<Item = char> {
    let mut characters = text.chars().peekable();
    std::iter::from_fn(move || match characters.next() {
        Some('\r') if characters.peek() == Some(&'\n') => characters.next(),
        other => other,
    })
}

/// Returns an offset up to which two different texts are certainly equal: before the last character in front of the
/// difference that combines with nothing before it.
fn common_prefix_end(text: &str, value: &str) -> usize {
    const CHUNK: usize = 4_096;
    let left = text.as_bytes();
    let right = value.as_bytes();
    // Whole chunks are compared first: as slices, they compare faster than byte by byte.
    let chunks =
        left.chunks(CHUNK).zip(right.chunks(CHUNK)).take_while(|(left, right)| left == right).count();
    let start = (chunks * CHUNK).min(left.len());
    let bytes = left.iter().zip(right).skip(start).take_while(|(left, right)| left == right).count();
    let end = text.floor_char_boundary(start + bytes);
    for (at, character) in text.get(..end).unwrap_or_default().char_indices().rev() {
        if is_boundary(character) {
            return at;
        }
    }
    0
}

/// Returns true if no preceding character changes it, by composition or as an end of a line.
fn is_boundary(character: char) -> bool {
    character != '\n'
        && canonical_combining_class(character) == 0
        && is_nfc_quick(std::iter::once(character)) == IsNormalized::Yes
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Compares two texts by definition, without regard to the cost.
    fn by_definition(text: &str, wanted: &str) -> bool {
        let whole = |text: &str| text.replace("\r\n", "\n").nfc().collect::<String>();
        whole(text) == whole(wanted)
    }

    proptest! {
        #[test]
        fn texts_equal_after_normalization(
            begins in "[a\u{e9}\u{301}\u{327}\u{1100}\u{1161}\u{11a8}\r\n\u{4e2d}]{0,8}",
            ends in prop::collection::vec("[ae\u{e9}\u{301}\u{327}\u{1100}\u{1161}\u{11a8}\r\n]{0,4}", 2),
        ) {
            let [one, other] = [0, 1].map(|at| format!("{begins}{}", ends[at]));
            let near = one.len() <= other.len() * 8 && other.len() <= one.len() * 8;
            prop_assert_eq!(are_equal(&one, &other), by_definition(&one, &other) && near);
        }
    }

    #[test]
    fn common_prefix_is_skipped() {
        let long = "\u{e9}".repeat(10_000);
        assert!(are_equal(&format!("{long}e\u{301}\r\n."), &format!("{long}\u{e9}\n.")));
        assert!(!are_equal(&format!("{long}a"), &format!("{long}b")));
        assert_eq!(common_prefix_end(&format!("{long}a"), &format!("{long}b")), 19_998);
    }
}
