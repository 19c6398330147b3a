//! What each key does. In the tables `|` is the caret.

use super::*;
use crate::screen::KeyCode;

const FAMILY: &str = "👨\u{200d}👩\u{200d}👧";

/// A text with the caret at the bar.
fn with_caret(marked: &str, lines: Lines) -> TextBox {
    let at = marked.find('|').unwrap();
    let mut text = TextBox::new(&marked.replace('|', ""), lines);
    text.stand(at);
    assert_eq!(marked_text(&text), marked);
    text
}

fn marked_text(text: &TextBox) -> String {
    let (before, after) = text.text().split_at(text.caret);
    format!("{before}|{after}")
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
        assert_eq!(text.key(key), Heard::Changed);
    }
}

/// What keys make of texts, with the same outcome for each of the keys.
fn check(lines: Lines, cases: &[(&[Key], &str, &str)]) {
    for (keys, before, after) in cases {
        for key in *keys {
            let mut text = with_caret(before, lines);
            let heard = text.key(*key);
            assert_eq!(marked_text(&text), *after, "{key:?} at {before}");
            let is_changed = before.replace('|', "") != after.replace('|', "");
            assert_eq!(heard, if is_changed { Heard::Changed } else { Heard::Moved }, "{key:?} at {before}");
        }
    }
}

#[test]
fn letters_and_line_breaks_are_typed_at_the_caret() {
    let breaks = [plain(KeyCode::Enter), Key::ctrl('j'), alt(KeyCode::Enter), shift(plain(KeyCode::Enter))];
    check(
        Lines::Many,
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
fn what_a_key_deletes_is_a_whole_letter_as_people_see_it() {
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
        check(
            Lines::Many,
            &[
                (&back, &format!("x{letter}|y"), "x|y"),
                (&forward, &format!("x|{letter}y"), "x|y"),
                (&[plain(KeyCode::Left), Key::ctrl('b')], &format!("x{letter}|y"), &format!("x|{letter}y")),
                (&[plain(KeyCode::Right), Key::ctrl('f')], &format!("x|{letter}y"), &format!("x{letter}|y")),
            ],
        );
    }
    check(
        Lines::Many,
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
fn the_caret_goes_by_words_and_lines() {
    let word_left = [Key::alt('b'), alt(KeyCode::Left), ctrl(KeyCode::Left)];
    let word_right = [Key::alt('f'), alt(KeyCode::Right), ctrl(KeyCode::Right)];
    let home = [plain(KeyCode::Home), Key::ctrl('a')];
    let end = [plain(KeyCode::End), Key::ctrl('e')];
    check(
        Lines::Many,
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
    check(
        Lines::Many,
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
fn what_was_cut_is_put_back_and_cuts_in_a_row_are_one() {
    let mut text = with_caret("one two three|", Lines::Many);
    text.key(Key::ctrl('w'));
    text.key(Key::ctrl('w'));
    text.key(plain(KeyCode::Home));
    assert_eq!(text.key(Key::ctrl('y')), Heard::Changed);
    assert_eq!(marked_text(&text), "two three|one ");
    text.key(Key::ctrl('k'));
    text.key(Key::ctrl('y'));
    text.key(Key::ctrl('y'));
    assert_eq!(marked_text(&text), "two threeone one |");

    let mut text = with_caret("a b|\nc\nd", Lines::Many);
    for _ in 0..4 {
        text.key(Key::ctrl('k'));
    }
    text.key(Key::ctrl('w'));
    assert_eq!(marked_text(&text), "a |");
    text.key(Key::ctrl('y'));
    assert_eq!(marked_text(&text), "a b\nc\nd|", "cut to both sides, in the order it stood in");

    let mut empty = TextBox::new("", Lines::Many);
    assert_eq!(empty.key(Key::ctrl('y')), Heard::Moved);
}

#[test]
fn up_and_down_go_by_rows_and_keep_to_their_column() {
    let (up, down) = ([plain(KeyCode::Up), Key::ctrl('p')], [plain(KeyCode::Down), Key::ctrl('n')]);
    check(
        Lines::Many,
        &[
            (&up, "abc\nde|f", "ab|c\ndef"),
            (&up, "a\nbcd|", "a|\nbcd"),
            (&down, "ab|c\ndef", "abc\nde|f"),
            (&down, "字字|\nabcd", "字字\nabcd|"),
            (&down, "abc|d\n字字", "abcd\n字|字"),
        ],
    );
    for (up, down) in up.into_iter().zip(down) {
        let mut text = with_caret("abcd|e\nx\n\nabcde", Lines::Many);
        let seen: Vec<String> = (0..3).map(|_| (text.key(down), marked_text(&text)).1).collect();
        assert_eq!(seen, ["abcde\nx|\n\nabcde", "abcde\nx\n|\nabcde", "abcde\nx\n\nabcd|e"]);
        assert_eq!(text.key(down), Heard::Ignored);
        (0..3).for_each(|_| assert_eq!(text.key(up), Heard::Moved));
        assert_eq!(marked_text(&text), "abcd|e\nx\n\nabcde");
        assert_eq!(text.key(up), Heard::Ignored);
        assert_eq!(marked_text(&text), "abcd|e\nx\n\nabcde", "it does not jump on the way out");
    }
    let mut text = with_caret("one two |three", Lines::Many);
    text.fit(8);
    assert_eq!(text.key(up[0]), Heard::Moved);
    assert_eq!(marked_text(&text), "|one two three", "a line of two rows");
}

#[test]
fn keys_that_are_not_for_the_text_are_left_to_others() {
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
    ];
    let ctrls = "cgilmoqrstvxz[\\]^".chars().map(Key::ctrl);
    let alts = "123456789acgx".chars().map(Key::alt);
    let one_line = [plain(KeyCode::Enter), Key::ctrl('j'), alt(KeyCode::Enter), shift(plain(KeyCode::Enter))];
    let both = others.into_iter().chain(ctrls).chain(alts).map(|key| (key, Lines::Many));
    for (key, lines) in both.chain(one_line.map(|key| (key, Lines::One))) {
        let mut text = with_caret("o|ne", lines);
        assert_eq!(text.key(key), Heard::Ignored, "{key:?}");
        assert_eq!(marked_text(&text), "o|ne");
    }
}

#[test]
fn letters_that_arrive_in_pieces_become_one() {
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
        let mut text = TextBox::new("", Lines::One);
        type_in(&mut text, letter);
        assert_eq!(text.line_and_column(), (1, 2), "{letter}");
        text.key(plain(KeyCode::Backspace));
        assert!(text.is_empty(), "{letter}");
    }
    for (before, typed, after) in
        [("|🇺🇸", "🇰🇷🇫🇷", "🇰🇷🇫🇷|🇺🇸"), ("🇰🇷|🇺🇸", "🇬🇧", "🇰🇷🇬🇧|🇺🇸"), ("|👩!", "👨\u{200d}👧", "👨\u{200d}👧|👩!")]
    {
        let mut text = with_caret(before, Lines::Many);
        type_in(&mut text, typed);
        assert_eq!(marked_text(&text), after);
    }
}

#[test]
fn typing_is_undone_word_by_word_and_other_edits_one_by_one() {
    let undo = [Key::ctrl('_'), Key::ctrl('7'), Key::ctrl('/'), Key::ctrl('-')];
    let redo = [Key::alt('_'), shift(Key::alt('_')), shift(Key::alt('-'))];
    let mut text = TextBox::new("", Lines::Many);
    type_in(&mut text, "one two\n\nx");
    let seen: Vec<_> =
        undo.iter().chain(&undo[..1]).map(|key| (text.key(*key), marked_text(&text)).1).collect();
    assert_eq!(seen, ["one two\n\n|", "one two\n|", "one two|", "one |", "|"]);
    assert_eq!(text.key(undo[0]), Heard::Moved, "nothing is left to be undone");
    let seen: Vec<_> = redo.iter().map(|key| (text.key(*key), marked_text(&text)).1).collect();
    assert_eq!(seen, ["one |", "one two|", "one two\n|"]);
    type_in(&mut text, "y");
    assert_eq!(text.key(redo[0]), Heard::Moved, "what was undone is gone once something else was typed");
    assert_eq!(text.text(), "one two\ny");

    let mut text = with_caret("one two|", Lines::Many);
    let steps = [
        (plain(KeyCode::Backspace), 3),
        (plain(KeyCode::Left), 1),
        (plain(KeyCode::Char('s')), 1),
        (plain(KeyCode::Home), 1),
        (plain(KeyCode::Delete), 2),
        (Key::ctrl('k'), 1),
    ];
    for (key, times) in steps {
        for _ in 0..times {
            text.key(key);
        }
    }
    assert!(text.is_empty());
    let seen: Vec<_> = (0..4).map(|_| (text.key(undo[0]), marked_text(&text)).1).collect();
    assert_eq!(seen, ["|es ", "|ones ", "one| ", "one two|"]);
}

#[test]
fn a_move_ends_a_step() {
    let mut text = TextBox::new("", Lines::Many);
    type_in(&mut text, "ab");
    text.key(plain(KeyCode::Left));
    text.key(plain(KeyCode::Right));
    type_in(&mut text, "cd");
    text.place(Spot { row: 0, column: 9 });
    type_in(&mut text, "ef");
    let seen: Vec<_> = (0..3).map(|_| (text.key(Key::ctrl('_')), text.text().to_owned()).1).collect();
    assert_eq!(seen, ["abcd", "ab", ""]);
}

#[test]
fn a_paste_is_one_step_made_clean() {
    let mut text = with_caret("<|>", Lines::Many);
    let pasted = text.paste("a\r\nb\rc\td\u{1b}[31m\u{0}\u{7f}\u{9b}\u{202e}\n").unwrap();
    assert_eq!(pasted, Pasted { lines: 4, removed: 4 });
    assert_eq!(marked_text(&text), "<a\nb\nc\td[31m\u{202e}\n|>");
    text.key(Key::ctrl('_'));
    assert_eq!(marked_text(&text), "<|>");
    type_in(&mut text, "x");
    text.paste("y").unwrap();
    type_in(&mut text, "z");
    text.key(Key::ctrl('_'));
    assert_eq!(marked_text(&text), "<xy|>");
    assert_eq!(text.paste("").unwrap(), Pasted { lines: 1, removed: 0 });
}

#[test]
fn lines_pasted_into_one_line_stay_and_become_a_long_text_when_that_is_wanted() {
    let mut text = TextBox::new("to ", Lines::One);
    assert_eq!(text.paste("Ann\nBob").unwrap().lines, 2);
    assert!(text.has_breaks());
    assert_eq!(text.shown(0, 9), ["to Ann⏎Bob"]);
    assert_eq!(text.line_and_column(), (1, 11));
    text.key(plain(KeyCode::Home));
    assert_eq!(text.caret(), Spot { row: 0, column: 0 });
    text.make_long();
    assert!(!text.has_breaks());
    assert_eq!(text.text(), "to Ann\nBob");
    assert_eq!(text.shown(0, 9), ["to Ann", "Bob"]);
    assert_eq!(text.key(plain(KeyCode::Enter)), Heard::Changed);
}

#[test]
fn what_does_not_fit_is_refused_as_a_whole() {
    let most = limits::TEXT_ANSWER_BYTES;
    let mut text = TextBox::new(&"a".repeat(most - 3), Lines::Many);
    let problem = text.paste("four").unwrap_err();
    assert_eq!(problem.message.to_string(), "The text has 1048577 bytes; at most 1048576 are allowed.");
    assert_eq!(text.text().len(), most - 3);
    type_in(&mut text, "字");
    assert_eq!(text.key(plain(KeyCode::Char('x'))), Heard::Full);
    assert_eq!(text.key(plain(KeyCode::Enter)), Heard::Full);
    assert_eq!(text.text().len(), most);
    text.key(Key::ctrl('w'));
    assert!(text.is_empty());
    text.key(Key::ctrl('y'));
    assert_eq!(text.key(Key::ctrl('y')), Heard::Full);
    assert_eq!(text.text().len(), most);
}

#[test]
fn what_can_be_undone_is_bounded() {
    let most = "a".repeat(limits::TEXT_ANSWER_BYTES);
    let mut text = TextBox::new("", Lines::One);
    for _ in 0..40 {
        text.set_text(&most);
        text.set_text("");
    }
    let undone = (0..80).take_while(|_| text.key(Key::ctrl('_')) == Heard::Changed).count();
    assert_eq!(undone, limits::UNDO_BYTES / most.len() - 1);
}

#[test]
fn a_text_from_elsewhere_is_one_step() {
    let mut text = with_caret("one two |three", Lines::Many);
    text.set_text("one 2 three");
    assert_eq!(marked_text(&text), "one 2 |three");
    text.set_text("one 2 three");
    text.key(Key::ctrl('_'));
    assert_eq!(marked_text(&text), "one two |three");
    text.set_text("");
    assert_eq!(marked_text(&text), "|");
}

#[test]
fn rows_end_after_words() {
    let cases: &[(&str, usize, &[&str])] = &[
        ("", 5, &[""]),
        ("one two three", 8, &["one two ", "three"]),
        ("one two three", 7, &["one two", " three"]),
        ("abcdefgh", 3, &["abc", "def", "gh"]),
        ("a bcdefgh", 3, &["a ", "bcd", "efg", "h"]),
        ("abc", 3, &["abc", ""]),
        ("abc\nd\n", 3, &["abc", "", "d", ""]),
        ("a\tb\tcd", 8, &["a   b   ", "cd"]),
        ("abc\td", 6, &["abc d"]),
        ("abcde\tf", 6, &["abcde ", "f"]),
        ("見出し、本文", 6, &["見出", "し、本", "文"]),
        ("か「き」", 5, &["か", "「き", "」"]),
        ("고객 공지는", 8, &["고객 ", "공지는"]),
        ("a👍👍👍", 5, &["a👍👍", "👍"]),
        ("don’t stop", 6, &["don’t ", "stop"]),
        ("a\u{202e}b", 10, &["a⟦U+202E⟧b", ""]),
        ("ab\u{202e}c", 4, &["ab", "⟦U+202E⟧", "c"]),
        ("\u{1161}\u{301}x", 20, &["⟦U+1161⟧⟦U+0301⟧x"]),
        ("a\r\nb\rc", 20, &["a⟦U+000D⟧", "b⟦U+000D⟧c"]),
        ("ab", 0, &["a", "b", ""]),
    ];
    for (whole, columns, rows) in cases {
        let mut text = TextBox::new(whole, Lines::Many);
        text.fit(*columns);
        assert_eq!(text.shown(0, usize::MAX), *rows, "{whole:?}");
    }
    let mut text = TextBox::new("a\nb\nc\nd", Lines::Many);
    text.fit(5);
    assert_eq!(text.shown(1, 2), ["b", "c"]);
    assert_eq!(text.shown(3, 9), ["d"]);
    assert_eq!(text.shown(4, 1), [""; 0]);
}

#[test]
fn letters_take_the_columns_that_the_screen_gives_them() {
    let cases = [
        (FAMILY, 2),
        ("🇰🇷", 2),
        ("1\u{fe0f}\u{20e3}", 2),
        ("❤\u{fe0f}", 2),
        ("👍🏽", 2),
        ("e\u{301}", 1),
        ("क्षि", 3),
        ("字", 2),
        ("한", 2),
        ("Ａ", 2),
        ("\u{200b}", 8),
    ];
    for (letter, columns) in cases {
        let text = TextBox::new(letter, Lines::Many);
        assert_eq!(text.caret(), Spot { row: 0, column: columns }, "{letter}");
        assert_eq!(text.line_and_column(), (1, 2), "{letter}");
    }
}

#[test]
fn the_caret_stands_where_the_next_letter_goes() {
    let mut text = TextBox::new("", Lines::Many);
    text.fit(4);
    let mut seen = Vec::new();
    for c in "ab cd ef".chars() {
        type_in(&mut text, &c.to_string());
        seen.push((text.caret().row, text.caret().column));
    }
    assert_eq!(seen, [(0, 1), (0, 2), (0, 3), (1, 0), (1, 2), (1, 3), (2, 0), (2, 2)]);
    assert_eq!(text.rows(), 3);
}

#[test]
fn the_mouse_puts_the_caret_to_the_nearest_letter() {
    let mut text = TextBox::new("ab字\u{202e}c\none two three", Lines::Many);
    text.fit(13);
    assert_eq!(text.shown(0, 9), ["ab字⟦U+202E⟧c", "", "one two three", ""]);
    text.fit(14);
    let cases = [
        ((0, 0), "|ab字\u{202e}c"),
        ((0, 3), "ab|字\u{202e}c"),
        ((0, 4), "ab字|\u{202e}c"),
        ((0, 8), "ab字|\u{202e}c"),
        ((0, 9), "ab字\u{202e}|c"),
        ((0, 99), "ab字\u{202e}c|"),
        ((1, 5), "ab字\u{202e}c\none t|wo three"),
        ((9, 0), "ab字\u{202e}c\none two three|"),
    ];
    for ((row, column), wanted) in cases {
        text.place(Spot { row, column });
        let marked = marked_text(&text);
        assert!(marked.starts_with(wanted), "{row} {column}: {marked}");
    }
    text.fit(8);
    text.place(Spot { row: 3, column: 99 });
    assert_eq!(
        text.caret(),
        Spot { row: 3, column: 7 },
        "the end of a row that goes on is the next one's start"
    );
}

#[test]
fn lines_and_columns_are_counted_from_one_in_letters() {
    let cases = [
        ("|", (1, 1)),
        ("ab|", (1, 3)),
        ("a\n|", (2, 1)),
        ("a\n\n字👍🏽e\u{301}|x", (3, 4)),
        ("a\r\nb|", (2, 2)),
    ];
    for (marked, wanted) in cases {
        assert_eq!(with_caret(marked, Lines::Many).line_and_column(), wanted, "{marked:?}");
    }
}
