//! Tests of rows, columns and caret motion.

use super::*;

#[test]
fn up_and_down_keep_the_column() {
    let (up, down) = ([plain(KeyCode::Up), Key::ctrl('p')], [plain(KeyCode::Down), Key::ctrl('n')]);
    check_keys(
        LineMode::Multiple,
        &[
            (&up, "abc\nde|f", "ab|c\ndef"),
            (&up, "a\nbcd|", "a|\nbcd"),
            (&down, "ab|c\ndef", "abc\nde|f"),
            (&down, "字字|\nabcd", "字字\nabcd|"),
            (&down, "abc|d\n字字", "abcd\n字|字"),
        ],
    );
    for (up, down) in up.into_iter().zip(down) {
        let mut text = with_caret("abcd|e\nx\n\nabcde", LineMode::Multiple);
        let seen: Vec<String> = (0..3).map(|_| (text.handle_key(down), marked_text(&text)).1).collect();
        assert_eq!(seen, ["abcde\nx|\n\nabcde", "abcde\nx\n|\nabcde", "abcde\nx\n\nabcd|e"]);
        assert_eq!(text.handle_key(down), KeyResult::Ignored);
        (0..3).for_each(|_| assert_eq!(text.handle_key(up), KeyResult::Moved));
        assert_eq!(marked_text(&text), "abcd|e\nx\n\nabcde");
        assert_eq!(text.handle_key(up), KeyResult::Ignored);
        assert_eq!(marked_text(&text), "abcd|e\nx\n\nabcde", "it does not jump on the way out");
    }
    let mut text = with_caret("one two |three", LineMode::Multiple);
    text.set_width(8);
    assert_eq!(text.handle_key(up[0]), KeyResult::Moved);
    assert_eq!(marked_text(&text), "|one two three", "a line of two rows");
}

#[test]
fn other_actions_reset_the_column() {
    let else_done: [fn(&mut TextBox); 5] = [
        |text| assert_eq!(text.handle_key(plain(KeyCode::Left)), KeyResult::Moved),
        |text| text.place_caret(CellPosition { row: 1, column: 0 }),
        |text| assert_eq!(text.paste("x").unwrap().lines, 1),
        |text| text.set_width(20),
        |text| text.set_text("abcd\n\nabcdef"),
    ];
    for (index, doing) in else_done.into_iter().enumerate() {
        let mut text = with_caret("abcd|\n\nabcd", LineMode::Multiple);
        text.handle_key(plain(KeyCode::Down));
        doing(&mut text);
        let column = text.caret_cell().column;
        text.handle_key(plain(KeyCode::Down));
        text.handle_key(plain(KeyCode::Down));
        assert_eq!(text.caret_cell().column, column, "{index}");
    }
}

#[test]
fn one_line_text_keeps_pasted_breaks() {
    let mut text = TextBox::new("to ", LineMode::Single);
    assert_eq!(text.paste("Ann\nBob").unwrap().lines, 2);
    assert_eq!(shown(&text).visible_rows(0, 9), ["to Ann⏎Bob"]);
    assert_eq!(shown(&text).line_and_column(), (1, 11));
    for (key, column) in [(KeyCode::Home, 0), (KeyCode::End, 10)] {
        text.handle_key(plain(key));
        assert_eq!(text.caret_cell(), CellPosition { row: 0, column });
    }
    text.set_line_mode(LineMode::Multiple);
    assert_eq!(text.text(), "to Ann\nBob");
    assert_eq!(shown(&text).visible_rows(0, 9), ["to Ann", "Bob"]);
    assert_eq!(text.handle_key(plain(KeyCode::Enter)), KeyResult::Changed);
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
        let mut text = TextBox::new(whole, LineMode::Multiple);
        text.set_width(*columns);
        assert_eq!(shown(&text).visible_rows(0, usize::MAX), *rows, "{whole:?}");
    }
    let mut text = TextBox::new("a\nb\nc\nd", LineMode::Multiple);
    text.set_width(5);
    assert_eq!(shown(&text).visible_rows(1, 2), ["b", "c"]);
    assert_eq!(shown(&text).visible_rows(3, 9), ["d"]);
    assert_eq!(shown(&text).visible_rows(4, 1), [""; 0]);
}

#[test]
fn merged_letter_reflows_earlier_rows() {
    let mut text = TextBox::new("", LineMode::Multiple);
    text.set_width(4);
    type_in(&mut text, "a bc👨\u{200d}");
    assert_eq!(shown(&text).visible_rows(0, 9), ["a ", "bc", "👨⟦U+200D⟧", ""]);
    type_in(&mut text, "👩");
    assert_eq!(shown(&text).visible_rows(0, 9), ["a bc", "👨\u{200d}👩"]);
}

#[test]
fn letter_widths_match_the_screen() {
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
        let text = TextBox::new(letter, LineMode::Multiple);
        assert_eq!(text.caret_cell(), CellPosition { row: 0, column: columns }, "{letter}");
        assert_eq!(shown(&text).line_and_column(), (1, 2), "{letter}");
    }
}

#[test]
fn caret_is_at_the_next_cell() {
    let mut text = TextBox::new("", LineMode::Multiple);
    text.set_width(4);
    let mut seen = Vec::new();
    for c in "ab cd ef".chars() {
        type_in(&mut text, &c.to_string());
        seen.push((text.caret_cell().row, text.caret_cell().column));
    }
    assert_eq!(seen, [(0, 1), (0, 2), (0, 3), (1, 0), (1, 2), (1, 3), (2, 0), (2, 2)]);
    assert_eq!(shown(&text).rows(), 3);
}

#[test]
fn click_moves_to_the_nearest_letter() {
    let mut text = TextBox::new("ab字\u{202e}c\none two three", LineMode::Multiple);
    text.set_width(13);
    assert_eq!(shown(&text).visible_rows(0, 9), ["ab字⟦U+202E⟧c", "", "one two three", ""]);
    text.set_width(14);
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
        text.place_caret(CellPosition { row, column });
        let marked = marked_text(&text);
        assert!(marked.starts_with(wanted), "{row} {column}: {marked}");
    }
    text.set_width(8);
    text.place_caret(CellPosition { row: 3, column: 99 });
    assert_eq!(
        text.caret_cell(),
        CellPosition { row: 3, column: 7 },
        "the end of a row that goes on is the next one's start"
    );
}

#[test]
fn positions_count_graphemes_from_one() {
    let cases = [
        ("|", (1, 1)),
        ("ab|", (1, 3)),
        ("a\n|", (2, 1)),
        ("a\n\n字👍🏽e\u{301}|x", (3, 4)),
        ("a\r\nb|", (2, 2)),
    ];
    for (marked, wanted) in cases {
        assert_eq!(shown(&with_caret(marked, LineMode::Multiple)).line_and_column(), wanted, "{marked:?}");
    }
}
