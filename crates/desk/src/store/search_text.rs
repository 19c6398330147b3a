//! Text by which an ask is found, the same in every store. It is stored with the ask, so a search has nothing to prepare.

use crate::query::search_words;
use std::collections::HashSet;

/// Longest text of one ask in bytes: what asking pays for it is bounded.
const TEXT_BYTES: usize = 16 << 10;

/// Returns the words of an ask: of its names, and of its prompts. Each is there once. Of a long ask each part gives some.
pub(crate) fn search_text<'t>(names: [&'t str; 5], prompts: impl IntoIterator<Item = &'t str>) -> String {
    let parts: Vec<&str> = names.into_iter().chain(prompts).collect();
    let mut text = String::new();
    let mut words = HashSet::new();
    for (place, part) in parts.iter().enumerate() {
        let share = TEXT_BYTES.saturating_sub(text.len()) / (parts.len() - place);
        let end = text.len() + share;
        for word in search_words(part) {
            if text.len() >= end {
                break;
            }
            let word = word.get(..word.floor_char_boundary(end - text.len())).unwrap_or_default();
            if words.insert(word) {
                text.push_str(word);
                text.push(' ');
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_of_a_long_ask_is_found() {
        let long: String = (0..200_000).map(|n| format!("word{n} ")).collect();
        let prompts = [long.as_str(), "the harbour", &long, "a harbour of venus"];
        let text = search_text(["a title", "botticelli", "", "/house", "rm"], prompts);
        assert!(text.len() <= TEXT_BYTES + prompts.len(), "{}", text.len());
        for word in ["title", "botticelli", "/house", "rm", "word0", "word100", "harbour", "venus"] {
            assert!(text.split(' ').any(|found| found == word), "{word}");
        }
        assert_eq!(text.matches("harbour").count(), 1);
        assert_eq!(search_text(["一", "", "", "", ""], [&*"环".repeat(100_000)]).len() % 3, 2);
    }
}
