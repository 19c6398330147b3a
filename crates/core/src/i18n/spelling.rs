//! Spelling suggestions for unknown words.

use crate::i18n::{LocalizedText, Message, MessageArg, foreign};
use unicode_normalization::UnicodeNormalization as _;

/// Returns the number of letters that may be wrong in a word of this length.
fn max_differences(letters: usize) -> usize {
    letters.div_ceil(4).min(3)
}

/// Returns the known word with the fewest differing letters, if those are few and no other word is as close. Long
/// words and long lists are not compared: this is for typing mistakes.
pub fn nearest_word<'w>(word: &str, candidates: impl Iterator<Item = &'w str>) -> Option<&'w str> {
    const MOST: usize = 200;
    let (letters, length) = folded_letters(word)?;
    let mut nearest = None;
    let mut least_differences = usize::MAX;
    for candidate in candidates.take(MOST) {
        let Some((candidate_letters, candidate_length)) = folded_letters(candidate) else { continue };
        let differences = strsim::osa_distance(&letters, &candidate_letters);
        let is_close = differences <= max_differences(length.max(candidate_length))
            && (differences == 0 || differences < length.min(candidate_length));
        if !is_close || differences > least_differences {
            continue;
        }
        // Of two words that are equally close, neither is the nearest.
        let is_tie = differences == least_differences && nearest != Some(candidate);
        nearest = if is_tie { None } else { Some(candidate) };
        least_differences = differences;
    }
    nearest
}

/// Returns a hint for an unknown word: the nearest known word, or else the list of known words, as far as it is
/// short.
pub fn suggestion<'w>(
    word: &str,
    candidates: impl Iterator<Item = &'w str> + Clone,
) -> Option<LocalizedText> {
    const ROOM: usize = 200;
    if let Some(nearest) = nearest_word(word, candidates.clone()) {
        return Some(Message::DidYouMean.with([foreign(nearest)]));
    }
    let mut list = Vec::new();
    let mut room = ROOM;
    for candidate in candidates {
        let Some(rest) = room.checked_sub(candidate.chars().take(ROOM + 1).count() + ", ".len()) else {
            list.push("…".to_owned());
            break;
        };
        room = rest;
        list.push(candidate.to_owned());
    }
    if list.is_empty() { None } else { Some(Message::ThereAre.with([MessageArg::ForeignList(list)])) }
}

/// Returns the letters of a word, case-folded, and how many they are; `None` for a long word.
fn folded_letters(word: &str) -> Option<(String, usize)> {
    const LONGEST: usize = 24;
    let mut letters = String::new();
    let mut length = 0;
    for letter in word.chars() {
        length += 1;
        if length > LONGEST {
            return None;
        }
        // If a letter folds to several, the first is enough.
        letters.extend(letter.to_lowercase().take(1));
    }
    Some((letters, length))
}

/// Returns true if two words differ in spelling only: in case, accents, spaces, punctuation and emoji, as an
/// identifier derived from a label does. Signs, decimal points and operators are significant.
pub fn is_same_spelling(one: &str, other: &str) -> bool {
    if one == other {
        return true;
    }
    let folded = fold_spelling(one);
    if folded.is_empty() { one.trim() == other.trim() } else { folded == fold_spelling(other) }
}

/// Folds a word for [`is_same_spelling`]. Longer words keep their end unfolded.
pub(crate) fn fold_spelling(word: &str) -> String {
    let letters: Vec<char> = word.nfkd().filter(|c| !matches!(c, '\u{300}'..='\u{36f}')).collect();
    let mut plain = String::with_capacity(word.len());
    // A blank stands for the beginning.
    let mut previous = ' ';
    for (at, letter) in letters.iter().enumerate() {
        let next_is_digit = letters.get(at + 1).is_some_and(char::is_ascii_digit);
        if !is_insignificant(*letter, at + 1 == letters.len()) {
            plain.extend(letter.to_lowercase());
        } else if next_is_digit && previous.is_ascii_digit() {
            plain.push('.');
        } else if next_is_digit && *letter == '-' && !previous.is_alphanumeric() {
            plain.push('-');
        }
        previous = *letter;
    }
    plain.replace('ß', "ss")
}

/// Returns true if a character only affects spelling.
const fn is_insignificant(c: char, is_last: bool) -> bool {
    matches!(
        c,
        ' ' | '\t' | '\n' | '\u{a0}' | '_' | '-' | '\u{2010}'..='\u{2015}' | '.' | ',' | ':' | ';' | '/' | '\\' | '|'
            | '\'' | '"' | '`' | '\u{2018}'..='\u{201f}' | '(' | ')' | '[' | ']' | '{' | '}' | '\u{2026}' | '\u{b7}'
            | '\u{3000}'..='\u{3003}' | '\u{3008}'..='\u{3011}' | '\u{fe0f}'
            | '\u{2600}'..='\u{27bf}' | '\u{1f300}'..='\u{1faff}'
    ) || is_last && matches!(c, '!' | '?')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn derived_identifiers_match_labels() {
        let same = [
            ("postgres", "Postgres"),
            ("use_oauth_2_0", "Use OAuth 2.0"),
            ("Café", "CAFE"),
            ("go-on", "Go on!"),
            ("deploy", "🚀 Deploy"),
            ("gpt-4", "GPT 4"),
            ("同意", "同意。"),
            ("strasse", "Straße"),
            ("", " "),
        ];
        for (value, label) in same {
            assert!(is_same_spelling(value, label), "{value:?} {label:?}");
        }
        let others = [
            ("APPROVE_ALL", "Cancel"),
            ("pg", "Postgres"),
            ("-5", "5"),
            ("1.5", "15"),
            ("C", "C++"),
            ("", "Nothing"),
            ("yes", "no"),
            ("\u{200b}", ""),
            ("cancel\u{200b}", "cancel"),
            ("сancel", "cancel"),
            ("!force", "force"),
        ];
        for (value, label) in others {
            assert!(!is_same_spelling(value, label), "{value:?} {label:?}");
        }
    }

    #[test]
    fn nearest_word_tolerates_few_typos() {
        let known = || ["options", "required", "prompt", "multi", "kind"].into_iter();
        assert_eq!(nearest_word("option", known()), Some("options"));
        assert_eq!(nearest_word("Promt", known()), Some("prompt"));
        assert_eq!(nearest_word("reqired", known()), Some("required"));
        assert_eq!(nearest_word("kidn", known()), Some("kind"));
        assert_eq!(nearest_word("REQUIERD", known()), Some("required"));
        assert_eq!(nearest_word("colour", known()), None);
        assert_eq!(nearest_word("", known()), None);
        assert_eq!(nearest_word("D", ["A", "B"].into_iter()), None);
        assert_eq!(nearest_word("q9", ["q1", "q2"].into_iter()), None);
        assert_eq!(nearest_word("Q1", ["q1", "q2"].into_iter()), Some("q1"));
        assert_eq!(nearest_word(&"x".repeat(100_000), known()), None);
    }

    #[test]
    fn hint_names_nearest_or_all() {
        let text_of = |word: &str, known: &[&str]| {
            suggestion(word, known.iter().copied()).map_or(String::new(), |text| text.to_string())
        };
        assert_eq!(text_of("rde", &["red", "blue"]), "Did you mean \"red\"?");
        assert_eq!(text_of("green", &["red", "blue"]), "Available: \"red\", \"blue\".");
        assert_eq!(text_of("green", &[]), "");
        let many: Vec<String> = (0..1_000).map(|number| format!("question-{number}")).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        let listed = text_of("x", &many);
        assert!(
            listed.contains("\"question-3\", ") && listed.ends_with(", \"…\".") && listed.len() < 290,
            "{listed}"
        );
        assert_eq!(text_of("x", &[&"y".repeat(100_000)]), "Available: \"…\".");
    }
}
