//! Tests of undo steps and refusals.

use super::*;

#[test]
fn typing_is_undone_by_words() {
    let undo = [Key::ctrl('_'), Key::ctrl('7'), Key::ctrl('/'), Key::ctrl('-')];
    let redo = [Key::alt('_'), shift(Key::alt('_')), shift(Key::alt('-'))];
    let mut text = TextBox::new("", LineMode::Multiple);
    type_in(&mut text, "one two\n\nx");
    let seen: Vec<_> =
        undo.iter().chain(&undo[..1]).map(|key| (text.handle_key(*key), marked_text(&text)).1).collect();
    assert_eq!(seen, ["one two\n\n|", "one two\n|", "one two|", "one |", "|"]);
    assert_eq!(text.handle_key(undo[0]), KeyResult::Moved, "nothing is left to be undone");
    let seen: Vec<_> = redo.iter().map(|key| (text.handle_key(*key), marked_text(&text)).1).collect();
    assert_eq!(seen, ["one |", "one two|", "one two\n|"]);
    type_in(&mut text, "y");
    assert_eq!(
        text.handle_key(redo[0]),
        KeyResult::Moved,
        "what was undone is gone once something else was typed"
    );
    assert_eq!(text.text(), "one two\ny");

    let mut text = with_caret("one two|", LineMode::Multiple);
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
            text.handle_key(key);
        }
    }
    assert!(text.is_empty());
    let seen: Vec<_> = (0..4).map(|_| (text.handle_key(undo[0]), marked_text(&text)).1).collect();
    assert_eq!(seen, ["|es ", "|ones ", "one| ", "one two|"]);
}

#[test]
fn undo_separates_merged_letters() {
    for (before, key) in [("🇰a|🇷", KeyCode::Backspace), ("🇰|a🇷x", KeyCode::Delete)] {
        let mut text = with_caret(before, LineMode::Multiple);
        text.handle_key(plain(key));
        assert!(text.text().starts_with("🇰🇷"));
        text.handle_key(plain(key));
        text.handle_key(Key::ctrl('_'));
        text.handle_key(Key::ctrl('_'));
        assert_eq!(marked_text(&text), before);
    }
}

#[test]
fn caret_motion_ends_a_step() {
    let mut text = TextBox::new("", LineMode::Multiple);
    type_in(&mut text, "ab");
    text.handle_key(plain(KeyCode::Left));
    text.handle_key(plain(KeyCode::Right));
    type_in(&mut text, "cd");
    text.place_caret(CellPosition { row: 0, column: 9 });
    type_in(&mut text, "ef");
    let seen: Vec<_> = (0..3).map(|_| (text.handle_key(Key::ctrl('_')), text.text().to_owned()).1).collect();
    assert_eq!(seen, ["abcd", "ab", ""]);
}

#[test]
fn paste_is_one_sanitized_step() {
    let mut text = with_caret("<|>", LineMode::Multiple);
    let pasted = text.paste("a\r\nb\rc\td\u{1b}[31m\u{0}\u{7f}\u{9b}\u{202e}\n").unwrap();
    assert_eq!(pasted, PasteResult { lines: 3, removed: 4 });
    assert_eq!(marked_text(&text), "<a\nb\nc\td[31m\u{202e}\n|>");
    text.handle_key(Key::ctrl('_'));
    assert_eq!(marked_text(&text), "<|>");
    type_in(&mut text, "x");
    text.paste("y").unwrap();
    type_in(&mut text, "z");
    text.handle_key(Key::ctrl('_'));
    assert_eq!(marked_text(&text), "<xy|>");
    assert_eq!(text.paste("").unwrap(), PasteResult { lines: 0, removed: 0 });
}

#[test]
fn oversized_edit_is_refused_whole() {
    let most = limits::TEXT_ANSWER_BYTES;
    let mut text = TextBox::new(&"a".repeat(most - 3), LineMode::Multiple);
    let problem = text.paste("four").unwrap_err();
    assert_eq!(problem.message.to_string(), "The text has 1048577 bytes; at most 1048576 are allowed.");
    assert_eq!(text.text().len(), most - 3);
    type_in(&mut text, "字");
    assert_eq!(text.handle_key(plain(KeyCode::Char('x'))), KeyResult::Full);
    assert_eq!(text.handle_key(plain(KeyCode::Enter)), KeyResult::Full);
    assert_eq!(text.text().len(), most);
    text.handle_key(Key::ctrl('w'));
    assert!(text.is_empty());
    text.handle_key(Key::ctrl('y'));
    assert_eq!(text.handle_key(Key::ctrl('y')), KeyResult::Full);
    assert_eq!(text.text().len(), most);
}

#[test]
fn undo_history_is_bounded() {
    let most = "a".repeat(limits::TEXT_ANSWER_BYTES);
    let mut text = TextBox::new("", LineMode::Single);
    for _ in 0..10 {
        text.set_text(&most);
        text.set_text("");
    }
    let all = |text: &mut TextBox, key: Key| {
        (0..80).take_while(|_| text.handle_key(key) == KeyResult::Changed).count()
    };
    let steps = limits::UNDO_BYTES / most.len() - 1;
    assert_eq!(all(&mut text, Key::ctrl('_')), steps);
    assert_eq!(all(&mut text, Key::alt('_')), steps);
    type_in(&mut text, "x");
    assert_eq!(all(&mut text, Key::ctrl('_')), steps + 1);
}

#[test]
fn set_text_is_one_step() {
    let mut text = with_caret("one two |three", LineMode::Multiple);
    text.set_text("one 2 three");
    assert_eq!(marked_text(&text), "one 2 |three");
    text.set_text("one 2 three");
    text.handle_key(Key::ctrl('_'));
    assert_eq!(marked_text(&text), "one two |three");
    text.set_text("");
    assert_eq!(marked_text(&text), "|");
}
