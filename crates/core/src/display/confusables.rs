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
    let is_shared = |look: &String| counts.get(look.as_str()).is_some_and(|count| *count > 1);
    looks.iter().map(|looks| looks.iter().any(is_shared)).collect()
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
    let look = |letter: char| skeleton(letter.encode_utf8(&mut [0; 4])).collect::<String>();
    let latin: Vec<_> = ('A'..='Z').chain('a'..='z').map(|letter| (look(letter), letter)).collect();
    ('\u{370}'..='\u{52f}').filter_map(move |letter| {
        let same = |(seen, latin): &&(String, char)| {
            *seen == look(letter) && latin.is_ascii_uppercase() == letter.is_uppercase()
        };
        latin.iter().find(same).map(|(_, latin)| (letter, *latin))
    })
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
