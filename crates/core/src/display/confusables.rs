//! Confusable text: options that a person cannot tell apart (UTS 39).

use std::collections::HashMap;
use unicode_normalization::UnicodeNormalization as _;
use unicode_security::confusable_detection::skeleton;

/// Prefix of longer words that is compared.
const COMPARED_CHARS: usize = 200;

/// Returns for each word if it is confusable with another one, as written or in another case.
pub fn find_confusable<'w>(words: impl IntoIterator<Item = &'w str>) -> Vec<bool> {
    let looks: Vec<[String; 2]> = words.into_iter().map(skeletons).collect();
    let mut counts: HashMap<&str, usize> = HashMap::with_capacity(looks.len() * 2);
    for [as_is, folded] in &looks {
        *counts.entry(as_is).or_default() += 1;
        if folded != as_is {
            *counts.entry(folded).or_default() += 1;
        }
    }
    let mut is_confusable = Vec::with_capacity(looks.len());
    for [as_is, folded] in &looks {
        let word_count = counts.get(as_is.as_str()).max(counts.get(folded.as_str()));
        is_confusable.push(word_count > Some(&1));
    }
    is_confusable
}

/// Returns the confusable skeletons of a word, as written and in lower case.
fn skeletons(word: &str) -> [String; 2] {
    let word: String = word.trim().chars().take(COMPARED_CHARS).nfkc().collect();
    let small: String = word.chars().flat_map(char::to_lowercase).collect();
    let folded = skeleton(&small.replace('ß', "ss")).flat_map(char::to_lowercase).collect();
    [skeleton(&word).collect(), folded]
}

/// Returns the Greek and Cyrillic letters that look like a Latin one, each with it. For surfaces without the tables of
/// Unicode.
pub fn latin_lookalikes() -> impl Iterator<Item = (char, char)> {
    let mut latin = HashMap::new();
    for letter in ('A'..='Z').chain('a'..='z') {
        latin.entry((letter_skeleton(letter), letter.is_uppercase())).or_insert(letter);
    }
    let mut lookalikes = Vec::new();
    for letter in '\u{370}'..='\u{52f}' {
        if let Some(latin) = latin.get(&(letter_skeleton(letter), letter.is_uppercase())) {
            lookalikes.push((letter, *latin));
        }
    }
    lookalikes.into_iter()
}

fn letter_skeleton(letter: char) -> String {
    skeleton(letter.encode_utf8(&mut [0; 4])).collect()
}

/// Returns the skeleton of a word in lower case: equal for words that are confusable in some case.
pub(crate) fn folded_skeleton(word: &str) -> String {
    let [_, folded] = skeletons(word);
    folded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn confusable_labels_are_found() {
        let pairs = [
            ("Approve", "Аpprove"),
            ("é", "e\u{301}"),
            ("straße", "STRASSE"),
            ("FILE", "fıle"),
            ("ＲＭ -rf", "rm -rf"),
            ("𝐀𝐩𝐩", "App"),
            ("paypal", "paypaI"),
            (" same", "same "),
        ];
        for (one, other) in pairs {
            assert_eq!(find_confusable([one, other, "something else"]), [true, true, false], "{one} {other}");
        }
        assert_eq!(find_confusable(["Now", "Later", "是", "否"]), [false; 4]);
    }
}
