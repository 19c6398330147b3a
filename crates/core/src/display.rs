//! Untrusted text made safe to show: what an agent wrote goes to a person's screen only through here.
//!
//! Nothing is dropped and nothing is hidden: a character that would steer the terminal, turn the direction of
//! writing or leave no mark shows as a visible token, `⟦U+001B⟧`. What is stored and sent stays as it came.

use std::borrow::Cow;
use std::fmt::Write as _;

/// A text for one line: line breaks show as tokens too.
pub fn line(text: &str) -> Cow<'_, str> {
    if text.chars().all(|c| !is_unsafe(c) && c != '\n' && c != '\t') {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    let mut before = None;
    for c in text.chars() {
        match c {
            '\t' => shown.push(' '),
            '\u{200d}' | '\u{fe0f}' if before.is_some_and(joins_emoji) => shown.push(c),
            '\n' => token(&mut shown, c),
            c if is_unsafe(c) => token(&mut shown, c),
            c => shown.push(c),
        }
        before = Some(c);
    }
    Cow::Owned(shown)
}

/// A text of several lines, each made safe for itself.
pub fn lines(text: &str) -> impl Iterator<Item = Cow<'_, str>> {
    text.split('\n').map(|part| line(part.strip_suffix('\r').unwrap_or(part)))
}

fn token(shown: &mut String, c: char) {
    // Writing to a String cannot fail.
    let _ = write!(shown, "⟦U+{:04X}⟧", u32::from(c));
}

/// Whether a joiner or an emoji selector after this character belongs to an emoji.
fn joins_emoji(before: char) -> bool {
    matches!(u32::from(before),
        0x23 | 0x2a | 0x30..=0x39 | 0xa9 | 0xae | 0x203c..=0x3299 | 0xfe0f | 0x1_f000..=0x1_faff)
}

fn is_unsafe(c: char) -> bool {
    if c == '\n' || c == '\t' {
        return false;
    }
    c.is_control()
        || matches!(u32::from(c),
            0xad | 0x34f | 0x61c | 0x115f | 0x1160 | 0x17b4 | 0x17b5 | 0x180b..=0x180f
            | 0x200b..=0x200f | 0x2028..=0x202e | 0x2060..=0x206f | 0x2800 | 0x3164
            | 0xfdd0..=0xfdef | 0xfe00..=0xfe0f | 0xfeff | 0xffa0 | 0xfff0..=0xfffb | 0xfffe | 0xffff
            | 0x1_bca0..=0x1_bca3 | 0x1_d173..=0x1_d17a | 0xe_0000..=0xe_0fff
            | 0xe000..=0xf8ff | 0xf_0000..=0x10_ffff)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_steers_a_terminal_shows_as_a_token() {
        assert_eq!(line("a\u{1b}[2Jb"), "a⟦U+001B⟧[2Jb");
        assert_eq!(line("rm -rf /\rls"), "rm -rf /⟦U+000D⟧ls");
        assert_eq!(line("\u{9b}2J"), "⟦U+009B⟧2J");
        assert_eq!(line("pay\u{200b}pal"), "pay⟦U+200B⟧pal");
        assert_eq!(line("delete \u{202e}txt"), "delete ⟦U+202E⟧txt");
        assert_eq!(line("a\nb"), "a⟦U+000A⟧b");
    }

    #[test]
    fn words_of_any_script_and_emoji_stay_as_they_are() {
        for text in ["Which database?", "你好，世界", "고객 공지", "👨\u{200d}👩\u{200d}👧", "❤\u{fe0f}", "é"]
        {
            assert_eq!(line(text), text);
        }
    }

    #[test]
    fn lines_are_split_and_made_safe_one_by_one() {
        assert_eq!(lines("a\r\nb\u{7}").collect::<Vec<_>>(), ["a", "b⟦U+0007⟧"]);
    }

    proptest! {
        #[test]
        fn no_text_shows_a_control_character(text in any::<String>()) {
            prop_assert!(line(&text).chars().all(|c| !c.is_control()));
            prop_assert!(lines(&text).all(|part| part.chars().all(|c| !c.is_control())));
        }
    }
}
