//! Letters of one script that imitate those of another: Latin, Greek and Cyrillic ones, and those of three scripts that
//! borrow their forms.

use super::confusables::latin_lookalikes;
use super::unicode::is_combining_mark;
use std::collections::HashSet;
use std::sync::LazyLock;

/// Scripts whose letters imitate each other. Chinese next to Latin letters is usual.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Script {
    Latin,
    Greek,
    Cyrillic,
    /// Armenian, Georgian or Cherokee.
    Borrowed,
    Distinct,
}

fn script_of(c: char) -> Script {
    match c {
        'a'..='z' | 'A'..='Z' | '\u{c0}'..='\u{2af}' | '\u{1e00}'..='\u{1eff}' => Script::Latin,
        '\u{370}'..='\u{3ff}' | '\u{1f00}'..='\u{1fff}' => Script::Greek,
        '\u{400}'..='\u{52f}' | '\u{1c80}'..='\u{1c8f}' | '\u{a640}'..='\u{a69f}' => Script::Cyrillic,
        '\u{530}'..='\u{58f}' | '\u{10a0}'..='\u{10ff}' | '\u{13a0}'..='\u{13ff}' => Script::Borrowed,
        _ => Script::Distinct,
    }
}

/// Look of a word: its scripts, and if Latin letters look like it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum WordLook {
    /// Letters of several scripts that imitate each other.
    Mixed,
    /// Every letter of this script has a Latin look-alike.
    LatinLookalike(Script),
    /// At least one letter of this script is its own.
    Plain(Script),
}

fn word_look(word: &str) -> WordLook {
    let mut script = Script::Distinct;
    let mut is_latin_lookalike = true;
    for c in word.chars() {
        if !c.is_alphabetic() {
            continue;
        }
        let letter_script = script_of(c);
        is_latin_lookalike = is_latin_lookalike && LATIN_LOOKALIKES.contains(&c);
        if letter_script == Script::Distinct || letter_script == script {
            continue;
        }
        if script != Script::Distinct {
            return WordLook::Mixed;
        }
        script = letter_script;
    }
    if is_latin_lookalike && script != Script::Distinct {
        WordLook::LatinLookalike(script)
    } else {
        WordLook::Plain(script)
    }
}

/// Letters that look like a Latin one.
static LATIN_LOOKALIKES: LazyLock<HashSet<char>> =
    LazyLock::new(|| latin_lookalikes().map(|(letter, _)| letter).collect());

/// Word of a text, with its place.
#[derive(Debug, Clone, Copy)]
struct Word<'t> {
    start: usize,
    text: &'t str,
    look: WordLook,
}

impl Word<'_> {
    fn end(&self) -> usize {
        self.start + self.text.len()
    }
}

fn words(text: &str) -> Vec<Word<'_>> {
    let mut words = Vec::new();
    let mut start = 0;
    for part in text.split_inclusive(is_between_words) {
        let word = part.trim_end_matches(is_between_words);
        if !word.is_empty() {
            words.push(Word { start, text: word, look: word_look(word) });
        }
        start += part.len();
    }
    words
}

fn is_between_words(c: char) -> bool {
    !c.is_alphanumeric() && !is_combining_mark(c)
}

/// Returns the words of a text that mix scripts no one mixes, such as Cyrillic in a Latin word; each once.
pub fn mixed_script_words(text: &str) -> Vec<&str> {
    const MOST: usize = 8;
    let mut mixed = Vec::new();
    if text.is_ascii() {
        return mixed;
    }
    for word in words(text) {
        if word.look == WordLook::Mixed && mixed.len() < MOST && !mixed.contains(&word.text) {
            mixed.push(word.text);
        }
    }
    mixed
}

/// Returns the places in a line of the letters that a person may take for others: those that are not Latin in a word
/// that mixes scripts or looks Latin, and all that are not ASCII in a host.
pub(super) fn imitating_letters(line: &str) -> HashSet<usize> {
    if line.is_ascii() {
        return HashSet::new();
    }
    let mut places = host_letters(line);
    let words = words(line);
    for (at, word) in words.iter().enumerate() {
        let is_imitating = match word.look {
            WordLook::Mixed => true,
            WordLook::LatinLookalike(script) => {
                let previous = at.checked_sub(1).and_then(|previous| words.get(previous));
                let neighbours = [
                    previous.filter(|previous| joins_words(line, previous, word)),
                    words.get(at + 1).filter(|next| joins_words(line, word, next)),
                ];
                !is_in_sentence(script, neighbours)
            }
            WordLook::Plain(_) => false,
        };
        if !is_imitating {
            continue;
        }
        for (offset, c) in word.text.char_indices() {
            if c.is_alphabetic() && !matches!(script_of(c), Script::Latin | Script::Distinct) {
                places.insert(word.start + offset);
            }
        }
    }
    places
}

/// Returns true if only a space, with a comma or not, is between two words.
fn joins_words(line: &str, before: &Word<'_>, after: &Word<'_>) -> bool {
    matches!(line.get(before.end()..after.start), Some(" " | ", "))
}

/// Returns true if the words next to a short one, such as the Russian «с», show that it is of their language.
fn is_in_sentence(script: Script, neighbours: [Option<&Word<'_>>; 2]) -> bool {
    let mut has_plain_neighbour = false;
    for word in neighbours.into_iter().flatten() {
        if word.look == WordLook::Plain(script) {
            has_plain_neighbour = true;
        } else if word.look != WordLook::LatinLookalike(script) {
            return false;
        }
    }
    has_plain_neighbour
}

/// Returns the places of what is not ASCII in the hosts of addresses.
fn host_letters(line: &str) -> HashSet<usize> {
    let mut places = HashSet::new();
    for (scheme, mark) in line.match_indices("://") {
        let start = scheme + mark.len();
        let rest = line.get(start..).unwrap_or_default();
        for (offset, c) in rest.char_indices() {
            if c.is_ascii_control() || " /?#\\\"'<>`".contains(c) {
                break;
            }
            if !c.is_ascii() {
                places.insert(start + offset);
            }
        }
    }
    places
}

/// Formats an address with every non-ASCII letter of its host as a token.
pub(super) fn escape_address(url: &str) -> String {
    let places = host_letters(url);
    let mut address = String::with_capacity(url.len());
    for (at, c) in url.char_indices() {
        if places.contains(&at) {
            address.push_str(&format!("⟦U+{:04X}⟧", u32::from(c)));
        } else {
            address.push(c);
        }
    }
    address
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mixed_script_words_are_found() {
        assert_eq!(mixed_script_words("please Аpprove the раypal Аpprove"), ["Аpprove", "раypal"]);
        for fine in ["API密钥 设置", "Ω is ohm", "Привет world", "naïve café", "東京タワー2号", "plain"]
        {
            assert!(mixed_script_words(fine).is_empty(), "{fine}");
        }
    }

    #[test]
    fn non_ascii_host_letters_become_tokens() {
        assert_eq!(escape_address("https://аpple.com/ä"), "https://⟦U+0430⟧pple.com/ä");
        assert_eq!(escape_address("https://apple.com/字"), "https://apple.com/字");
        assert_eq!(escape_address("mailto:ä@b"), "mailto:ä@b");
    }
}
