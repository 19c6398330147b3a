//! Tests of each key. In the tables `|` is the caret.

mod rows;
mod steps;

use super::*;
use crate::tty::KeyCode;

const FAMILY: &str = "👨\u{200d}👩\u{200d}👧";

/// Creates a text box with the caret at the bar.
fn with_caret(marked: &str, lines: LineMode) -> TextBox {
    let at = marked.find('|').unwrap();
    let mut text = TextBox::new(&marked.replace('|', ""), lines);
    text.move_caret(at);
    assert_eq!(marked_text(&text), marked);
    text
}

fn marked_text(text: &TextBox) -> String {
    let (before, after) = text.text().split_at(text.caret);
    format!("{before}|{after}")
}

/// Returns the text at its current width.
pub(super) fn shown(text: &TextBox) -> shown_text::ShownText<'_> {
    text.at_width(text.layout.columns())
}

fn plain(code: KeyCode) -> Key {
    Key::plain(code)
}

const fn ctrl(code: KeyCode) -> Key {
    Key { ctrl: true, ..Key::plain(code) }
}

const fn alt(code: KeyCode) -> Key {
    Key { alt: true, ..Key::plain(code) }
}

const fn shift(key: Key) -> Key {
    Key { shift: true, ..key }
}

fn type_in(text: &mut TextBox, typed: &str) {
    for c in typed.chars() {
        let key = if c == '\n' { plain(KeyCode::Enter) } else { plain(KeyCode::Char(c)) };
        assert_eq!(text.handle_key(key), KeyResult::Changed);
    }
}

/// Checks the result of each key for each text.
fn check_keys(lines: LineMode, cases: &[(&[Key], &str, &str)]) {
    for (keys, before, after) in cases {
        for key in *keys {
            let mut text = with_caret(before, lines);
            let key_result = text.handle_key(*key);
            assert_eq!(marked_text(&text), *after, "{key:?} at {before}");
            let is_changed = before.replace('|', "") != after.replace('|', "");
            assert_eq!(
                key_result,
                if is_changed { KeyResult::Changed } else { KeyResult::Moved },
                "{key:?} at {before}"
            );
        }
    }
}

#[test]
fn letters_are_inserted_at_the_caret() {
    let breaks = [plain(KeyCode::Enter), Key::ctrl('j'), alt(KeyCode::Enter), shift(plain(KeyCode::Enter))];
    check_keys(
        LineMode::Multiple,
        &[
            (&[plain(KeyCode::Char('x'))], "a|b", "ax|b"),
            (&[shift(plain(KeyCode::Char('X')))], "|", "X|"),
            (&[plain(KeyCode::Char('字'))], "|字", "字|字"),
            (&[plain(KeyCode::Char('\u{301}'))], "e|", "e\u{301}|"),
            (&[plain(KeyCode::Char('\u{301}'))], "e|x", "e\u{301}|x"),
            (&breaks, "a|b", "a\n|b"),
        ],
    );
}

#[test]
fn key_deletes_a_whole_grapheme() {
    let back = [plain(KeyCode::Backspace), Key::ctrl('h'), shift(plain(KeyCode::Backspace))];
    let forward = [plain(KeyCode::Delete), Key::ctrl('d')];
    let letters = [
        "a",
        "\n",
        "\t",
        "字",
        "한",
        "e\u{301}",
        FAMILY,
        "👩\u{200d}💻",
        "🇰🇷",
        "1\u{fe0f}\u{20e3}",
        "❤\u{fe0f}",
        "👍🏽",
        "Ａ",
        "क्षि",
        "\u{202e}",
        "\r\n",
    ];
    for letter in letters {
        check_keys(
            LineMode::Multiple,
            &[
                (&back, &format!("x{letter}|y"), "x|y"),
                (&forward, &format!("x|{letter}y"), "x|y"),
                (&[plain(KeyCode::Left), Key::ctrl('b')], &format!("x{letter}|y"), &format!("x|{letter}y")),
                (&[plain(KeyCode::Right), Key::ctrl('f')], &format!("x|{letter}y"), &format!("x{letter}|y")),
            ],
        );
    }
    check_keys(
        LineMode::Multiple,
        &[
            (&back, "🇰🇷🇺🇸|", "🇰🇷|"),
            (&forward, "|🇰🇷🇺🇸", "|🇺🇸"),
            (&back, "|a", "|a"),
            (&forward, "a|", "a|"),
            (&[plain(KeyCode::Left)], "|a", "|a"),
            (&[plain(KeyCode::Right)], "a|", "a|"),
        ],
    );
}

#[test]
fn caret_moves_by_words_and_lines() {
    let word_left = [Key::alt('b'), alt(KeyCode::Left), ctrl(KeyCode::Left)];
    let word_right = [Key::alt('f'), alt(KeyCode::Right), ctrl(KeyCode::Right)];
    let home = [plain(KeyCode::Home), Key::ctrl('a')];
    let end = [plain(KeyCode::End), Key::ctrl('e')];
    check_keys(
        LineMode::Multiple,
        &[
            (&word_left, "one two|", "one |two"),
            (&word_left, "one two, |", "one |two, "),
            (&word_left, "one_2|", "|one_2"),
            (&word_left, "one\n  |", "|one\n  "),
            (&word_left, "|one", "|one"),
            (&word_left, "東京タワー|", "東京|タワー"),
            (&word_left, "고객 공지|", "고객 |공지"),
            (&word_left, "cafe\u{301}|", "|cafe\u{301}"),
            (&word_right, "|one two", "one| two"),
            (&word_right, "one| - two", "one - two|"),
            (&word_right, "one|\ntwo", "one\ntwo|"),
            (&word_right, "one|", "one|"),
            (&word_right, "|東京タワー", "東京|タワー"),
            (&home, "a\nbc|d\ne", "a\n|bcd\ne"),
            (&home, "ab|", "|ab"),
            (&end, "a\nb|cd\ne", "a\nbcd|\ne"),
            (&end, "|ab", "ab|"),
            (&end, "|ab\r\nc", "ab|\r\nc"),
            (&[ctrl(KeyCode::Home)], "a\nb|", "|a\nb"),
            (&[ctrl(KeyCode::End)], "|a\nb", "a\nb|"),
        ],
    );
}

#[test]
fn words_and_lines_are_cut() {
    let word_back = [alt(KeyCode::Backspace), ctrl(KeyCode::Backspace)];
    let word_forward = [Key::alt('d'), alt(KeyCode::Delete), ctrl(KeyCode::Delete)];
    check_keys(
        LineMode::Multiple,
        &[
            (&word_back, "see a/b|", "see a/|"),
            (&[Key::ctrl('w')], "see a/b|", "see |"),
            (&[Key::ctrl('w')], "see  |x", "|x"),
            (&[Key::ctrl('w')], "a\nb|", "a\n|"),
            (&word_forward, "|one two", "| two"),
            (&word_forward, "one| two.", "one|."),
            (&[Key::ctrl('u')], "a\nbc|d", "a\n|d"),
            (&[Key::ctrl('u')], "a\n|d", "a|d"),
            (&[Key::ctrl('u')], "|d", "|d"),
            (&[Key::ctrl('k')], "a|bc\nd", "a|\nd"),
            (&[Key::ctrl('k')], "a|\nd", "a|d"),
            (&[Key::ctrl('k')], "a|", "a|"),
        ],
    );
}

#[test]
fn consecutive_cuts_join() {
    let mut text = with_caret("one two three|", LineMode::Multiple);
    text.handle_key(Key::ctrl('w'));
    text.handle_key(Key::ctrl('w'));
    text.handle_key(plain(KeyCode::Home));
    assert_eq!(text.handle_key(Key::ctrl('y')), KeyResult::Changed);
    assert_eq!(marked_text(&text), "two three|one ");
    text.handle_key(Key::ctrl('k'));
    text.handle_key(Key::ctrl('y'));
    text.handle_key(Key::ctrl('y'));
    assert_eq!(marked_text(&text), "two threeone one |");

    let mut text = with_caret("a b|\nc\nd", LineMode::Multiple);
    for _ in 0..4 {
        text.handle_key(Key::ctrl('k'));
    }
    text.handle_key(Key::ctrl('w'));
    assert_eq!(marked_text(&text), "a |");
    text.handle_key(Key::ctrl('y'));
    assert_eq!(marked_text(&text), "a b\nc\nd|", "cut to both sides, in the order it stood in");

    let mut text = with_caret("a b|", LineMode::Multiple);
    for key in [Key::ctrl('w'), Key::ctrl('k'), Key::ctrl('w'), Key::ctrl('y')] {
        text.handle_key(key);
    }
    assert_eq!(marked_text(&text), "a b|", "there was nothing to cut in between");
    text.handle_key(Key::ctrl('w'));
    text.paste("c").unwrap();
    text.handle_key(Key::ctrl('w'));
    text.handle_key(Key::ctrl('y'));
    assert_eq!(marked_text(&text), "a c|", "a paste in between");

    let mut empty = TextBox::new("", LineMode::Multiple);
    assert_eq!(empty.handle_key(Key::ctrl('y')), KeyResult::Moved);
}

#[test]
fn other_keys_are_ignored() {
    let others = [
        plain(KeyCode::Tab),
        plain(KeyCode::BackTab),
        plain(KeyCode::Esc),
        plain(KeyCode::PageUp),
        plain(KeyCode::PageDown),
        plain(KeyCode::F(1)),
        ctrl(KeyCode::Enter),
        ctrl(KeyCode::Up),
        alt(KeyCode::Up),
        Key { ctrl: true, ..Key::alt('x') },
        plain(KeyCode::Char('\u{7}')),
    ];
    let ctrls = "cgilmoqrstvxz[\\]^".chars().map(Key::ctrl);
    let alts = "123456789acgx".chars().map(Key::alt);
    let one_line = [plain(KeyCode::Enter), Key::ctrl('j'), alt(KeyCode::Enter), shift(plain(KeyCode::Enter))];
    let both = others.into_iter().chain(ctrls).chain(alts).map(|key| (key, LineMode::Multiple));
    for (key, lines) in both.chain(one_line.map(|key| (key, LineMode::Single))) {
        let mut text = with_caret("o|ne", lines);
        assert_eq!(text.handle_key(key), KeyResult::Ignored, "{key:?}");
        assert_eq!(marked_text(&text), "o|ne");
    }
}

#[test]
fn pieces_of_a_letter_merge() {
    for letter in [
        FAMILY,
        "👩\u{200d}💻",
        "🇰🇷",
        "1\u{fe0f}\u{20e3}",
        "❤\u{fe0f}",
        "👍🏽",
        "e\u{301}",
        "각",
        "ᄀ\u{1161}\u{11a8}",
    ] {
        let mut text = TextBox::new("", LineMode::Single);
        type_in(&mut text, letter);
        assert_eq!(shown(&text).line_and_column(), (1, 2), "{letter}");
        text.handle_key(plain(KeyCode::Backspace));
        assert!(text.is_empty(), "{letter}");
    }
    for (before, typed, after) in
        [("|🇺🇸", "🇰🇷🇫🇷", "🇰🇷🇫🇷|🇺🇸"), ("🇰🇷|🇺🇸", "🇬🇧", "🇰🇷🇬🇧|🇺🇸"), ("|👩!", "👨\u{200d}👧", "👨\u{200d}👧|👩!")]
    {
        let mut text = with_caret(before, LineMode::Multiple);
        type_in(&mut text, typed);
        assert_eq!(marked_text(&text), after);
    }
}
