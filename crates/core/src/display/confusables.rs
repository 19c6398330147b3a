//! Confusable text: options that a person cannot tell apart, and letters of one script that imitate those of another
//! (UTS 39).

use std::collections::HashMap;
use std::hash::Hash;
use unicode_normalization::UnicodeNormalization as _;
use unicode_security::MixedScript as _;
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

/// Returns the words of a text that mix scripts no one mixes, such as Cyrillic in a Latin word; each once.
pub fn mixed_script_words(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    if text.is_ascii() {
        return found;
    }
    for word in text.split(|c: char| !c.is_alphanumeric()) {
        let is_short = word.chars().nth(COMPARED_CHARS).is_none();
        if !word.is_ascii() && is_short && !word.is_single_script() && mixes_confusable_scripts(word) {
            push_new(&mut found, word);
        }
    }
    found
}

/// Returns true for mixes of Latin, Greek and Cyrillic in one word, which imitate each other. Chinese next to Latin
/// letters is usual.
fn mixes_confusable_scripts(word: &str) -> bool {
    let has = |range: &dyn Fn(char) -> bool| word.chars().any(range);
    let latin = has(&|c| c.is_ascii_alphabetic());
    let greek = has(&|c| matches!(c, '\u{370}'..='\u{3ff}'));
    let cyrillic = has(&|c| matches!(c, '\u{400}'..='\u{52f}'));
    let others =
        has(&|c| matches!(c, '\u{530}'..='\u{58f}' | '\u{10a0}'..='\u{10ff}' | '\u{13a0}'..='\u{13ff}'));
    usize::from(latin) + usize::from(greek) + usize::from(cyrillic) + usize::from(others) > 1
}

fn push_new<T: Copy + Eq + Hash>(found: &mut Vec<T>, item: T) {
    const MOST: usize = 8;
    if found.len() < MOST && !found.contains(&item) {
        found.push(item);
    }
}

/// Replaces drawing characters (lines, boxes, blocks, check marks, locks) by the letters that they resemble. For text
/// next to an action that a person approves.
pub fn replace_drawing_characters(line: &str) -> String {
    let mut plain = String::with_capacity(line.len());
    for c in line.chars() {
        match c {
            '\u{2500}' | '\u{2501}' | '\u{2504}' | '\u{2505}' | '\u{2508}' | '\u{2509}' | '\u{254c}'
            | '\u{254d}' | '\u{2550}' | '\u{2574}' | '\u{2576}' | '\u{2578}' | '\u{257a}' => plain.push('-'),
            '\u{2502}' | '\u{2503}' | '\u{2506}' | '\u{2507}' | '\u{250a}' | '\u{250b}' | '\u{254e}'
            | '\u{254f}' | '\u{2551}' | '\u{2575}' | '\u{2577}' | '\u{2579}' | '\u{257b}' | '\u{23b8}'
            | '\u{23b9}' => plain.push('|'),
            '\u{2500}'..='\u{257f}' => plain.push('+'),
            '\u{2580}'..='\u{259f}' | '\u{25a0}'..='\u{25ff}' => plain.push('#'),
            '\u{2611}' | '\u{2705}' | '\u{2713}' | '\u{2714}' | '\u{1f5f8}' | '\u{1f5f9}' => plain.push('v'),
            '\u{2612}' | '\u{2715}'..='\u{2718}' | '\u{274c}' | '\u{274e}' => plain.push('x'),
            '\u{1f50f}'..='\u{1f513}' => plain.push_str("(lock)"),
            c => plain.push(c),
        }
    }
    plain
}

/// Formats an address with every non-ASCII letter of its host as a token.
pub(super) fn escape_address(url: &str) -> String {
    let after_scheme = url.find("://").map_or(0, |at| at + 3);
    let (scheme, rest) = url.split_at_checked(after_scheme).unwrap_or(("", url));
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let (host, path) = rest.split_at_checked(end).unwrap_or((rest, ""));
    if host.is_ascii() || scheme.is_empty() {
        return url.to_owned();
    }
    let token = |c: char| if c.is_ascii() { c.to_string() } else { format!("⟦U+{:04X}⟧", u32::from(c)) };
    let host: String = host.chars().map(token).collect();
    format!("{scheme}{host}{path}")
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

    #[test]
    fn mixed_script_words_are_found() {
        assert_eq!(mixed_script_words("please Аpprove the раypal Аpprove"), ["Аpprove", "раypal"]);
        for fine in ["API密钥 设置", "Ω is ohm", "Привет world", "naïve café", "東京タワー2号", "plain"]
        {
            assert!(mixed_script_words(fine).is_empty(), "{fine}");
        }
    }

    #[test]
    fn drawing_characters_become_letters() {
        assert_eq!(replace_drawing_characters("┌─ OK ─┐│✓ 🔒▓"), "+- OK -+|v (lock)#");
        assert_eq!(replace_drawing_characters("plain 字"), "plain 字");
    }

    #[test]
    fn non_ascii_host_letters_become_tokens() {
        assert_eq!(escape_address("https://аpple.com/ä"), "https://⟦U+0430⟧pple.com/ä");
        assert_eq!(escape_address("https://apple.com/字"), "https://apple.com/字");
        assert_eq!(escape_address("mailto:ä@b"), "mailto:ä@b");
    }
}
