//! Property tests: any text, any keys.

use super::layout::TextLayout;
use super::tests::shown;
use super::*;
use crate::tty::KeyCode;
use proptest::prelude::*;
use proptest::sample::select;
use ratatui::buffer::{Buffer, CellWidth as _};
use ratatui::layout::Rect;
use ratatui::style::Style;
use unicode_segmentation::UnicodeSegmentation as _;

/// Characters that join others, separate them, are drawn as something else, or have an odd width.
const PIECES: &[&str] = &[
    "a", "b", "Z", " ", " ", "_", ".", "-", "\t", "\n", "\n", "é", "e", "\u{301}", "\u{308}", "字", "語",
    "、", "「", "」", "ー", "한", "ᄒ", "ᅡ", "ᆫ", "क", "\u{94d}", "ष", "ि", "ः", "🇰", "🇷", "🇺", "👨", "👩",
    "👧", "\u{200d}", "👍", "🏽", "❤", "\u{fe0f}", "1", "\u{20e3}", "Ａ", "ｶ", "\u{ff9e}", "\u{202e}",
    "\u{200b}", "\u{600}", "ل", "ا", "\u{3000}", "\u{a0}", "ไ", "ำ", "\u{feff}",
];

fn text() -> impl Strategy<Value = String> {
    prop::collection::vec(select(PIECES), 0..40).prop_map(|pieces| pieces.concat())
}

/// Text that is never typed, such as a draft from another program.
fn odd_text() -> impl Strategy<Value = String> {
    const ODD: &[&str] =
        &["\r\n", "\r", "\u{7}", "\u{85}", "\u{1b}[31m", "\u{e000}", "\u{301}\u{302}\u{303}\u{304}\u{305}"];
    let piece = prop_oneof![6 => select(PIECES), 1 => select(ODD)];
    let short = prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat());
    prop_oneof![9 => short, 1 => any::<String>()]
}

fn lines() -> impl Strategy<Value = LineMode> {
    select(vec![LineMode::Single, LineMode::Multiple, LineMode::Multiple])
}

#[derive(Debug, Clone)]
enum TestAction {
    Key(Key),
    Paste(String),
    Set(String),
    Place(CellPosition),
    Fit(usize),
    Long,
}

fn key() -> impl Strategy<Value = Key> {
    use KeyCode::*;
    let named = vec![
        Enter,
        Tab,
        BackTab,
        Esc,
        Backspace,
        Delete,
        Up,
        Down,
        Left,
        Right,
        Home,
        End,
        PageUp,
        PageDown,
        F(1),
    ];
    let named = (select(named), any::<[bool; 3]>()).prop_map(|(code, [ctrl, alt, shift])| Key {
        ctrl,
        alt,
        shift,
        ..Key::plain(code)
    });
    let typed = select(PIECES).prop_map(|piece| Key::plain(Char(piece.chars().next().unwrap())));
    let ctrl = select("abdefhjknpuwwyy_7/-".chars().collect::<Vec<_>>()).prop_map(Key::ctrl);
    let alt = select("bfd_".chars().collect::<Vec<_>>()).prop_map(Key::alt);
    prop_oneof![6 => typed, 3 => named, 3 => ctrl, 1 => alt]
}

fn test_action() -> impl Strategy<Value = TestAction> {
    let spot =
        (0..12_usize, 0..24_usize).prop_map(|(row, column)| TestAction::Place(CellPosition { row, column }));
    prop_oneof![
        20 => key().prop_map(TestAction::Key),
        1 => odd_text().prop_map(TestAction::Paste),
        1 => odd_text().prop_map(TestAction::Set),
        2 => spot,
        1 => (0..30_usize).prop_map(TestAction::Fit),
        1 => Just(TestAction::Long),
    ]
}

fn act(text: &mut TextBox, doing: &TestAction) {
    match doing {
        TestAction::Key(key) => {
            text.handle_key(*key);
        }
        TestAction::Paste(pasted) => {
            text.paste(pasted).unwrap();
        }
        TestAction::Set(new) => text.set_text(new),
        TestAction::Place(spot) => text.place_caret(*spot),
        TestAction::Fit(columns) => text.set_width(*columns),
        TestAction::Long => text.set_line_mode(LineMode::Multiple),
    }
}

/// Returns all grapheme boundaries, including the end.
fn boundaries(text: &str) -> Vec<usize> {
    text.grapheme_indices(true).map(|(at, _)| at).chain([text.len()]).collect()
}

/// Returns the number of adjacent graphemes whose removal turns `before` into `after`.
fn removed_graphemes(before: &str, after: &str) -> Option<usize> {
    let graphemes: Vec<&str> = before.graphemes(true).collect();
    (0..=graphemes.len()).find_map(|from| {
        let head = graphemes[..from].concat();
        let tail = after.strip_prefix(head.as_str())?;
        (from..=graphemes.len()).find(|to| graphemes[*to..].concat() == tail).map(|to| to - from)
    })
}

fn check_rows(text: &TextBox) {
    let columns = text.layout.columns();
    let mut spots = Vec::new();
    for at in boundaries(text.text()) {
        let spot = text.layout.position(text.text(), at);
        assert_eq!(text.layout.nearest_boundary(text.text(), spot), at, "{text:?} {spot:?}");
        assert!(spot.column < columns, "{text:?} {spot:?}");
        spots.push(spot);
    }
    assert!(spots.is_sorted_by(|a, b| (a.row, a.column) < (b.row, b.column)), "{text:?} {spots:?}");
    let rows = shown(text).visible_rows(0, usize::MAX);
    assert_eq!(rows.len(), shown(text).rows());
    assert_eq!(spots.last().unwrap().row + 1, rows.len());
    for (index, row) in rows.iter().enumerate() {
        let width: usize = row.graphemes(true).map(|grapheme| usize::from(grapheme.cell_width())).sum();
        let in_row = spots.iter().filter(|spot| spot.row == index).count();
        assert!(width <= columns || in_row == 1, "{row:?} of {text:?}");
        assert!(!row.contains(char::is_control), "{row:?} of {text:?}");
    }
}

proptest! {
    #[test]
    fn incremental_layout_equals_a_fresh_one(
        first in odd_text(),
        lines in lines(),
        doings in prop::collection::vec(test_action(), 0..40),
    ) {
        let mut text = TextBox::new(&first, lines);
        text.set_width(9);
        for doing in &doings {
            act(&mut text, doing);
            prop_assert!(boundaries(text.text()).contains(&text.caret), "{doing:?} {text:?}");
            let anew = TextLayout::new(text.text(), text.layout.columns(), text.line_mode());
            prop_assert_eq!(&text.layout, &anew, "{:?}", doing);
        }
    }

    #[test]
    fn deletion_takes_whole_graphemes(first in text(), at in 0..40_usize, key in key(), lines in lines()) {
        let mut text = TextBox::new(&first, lines);
        text.caret = boundaries(&first)[at % boundaries(&first).len()];
        text.handle_key(key);
        if text.text().len() < first.len() {
            let taken = removed_graphemes(&first, text.text());
            prop_assert!(taken.is_some(), "{first:?} {:?}", text);
            let is_one = !key.ctrl && !key.alt || matches!(key.code, KeyCode::Char('h' | 'd')) && key.ctrl;
            prop_assert!(!is_one || taken == Some(1), "{first:?} {key:?} {text:?}");
        }
    }

    #[test]
    fn undo_and_redo_restore_the_text(
        first in odd_text(),
        lines in lines(),
        doings in prop::collection::vec(test_action(), 0..40),
    ) {
        let mut text = TextBox::new(&first, lines);
        doings.iter().for_each(|doing| act(&mut text, doing));
        // The actions may end in an undo.
        while text.handle_key(Key::alt('_')) == KeyResult::Changed {}
        let last = text.text().to_owned();
        while text.handle_key(Key::ctrl('_')) == KeyResult::Changed {
            prop_assert!(boundaries(text.text()).contains(&text.caret), "{text:?}");
        }
        prop_assert_eq!(text.text(), first);
        while text.handle_key(Key::alt('_')) == KeyResult::Changed {
            prop_assert!(boundaries(text.text()).contains(&text.caret), "{text:?}");
        }
        prop_assert_eq!(text.text(), last);
    }

    #[test]
    fn each_caret_position_has_its_cell(first in odd_text(), columns in 0..30_usize, lines in lines()) {
        let mut text = TextBox::new(&first, lines);
        text.set_width(columns);
        check_rows(&text);
    }

    #[test]
    fn letter_is_drawn_in_its_cell(first in text(), columns in 8..30_usize, lines in lines()) {
        let mut text = TextBox::new(&first, lines);
        text.set_width(columns);
        let area = Rect::new(0, 0, u16::try_from(columns).unwrap(), u16::try_from(shown(&text).rows()).unwrap());
        let mut screen = Buffer::empty(area);
        for (y, row) in shown(&text).visible_rows(0, shown(&text).rows()).iter().enumerate() {
            screen.set_string(0, u16::try_from(y).unwrap(), row, Style::new());
        }
        for (at, grapheme) in first.grapheme_indices(true).filter(|(_, grapheme)| ["a", "字", "👍"].contains(grapheme)) {
            let CellPosition { row, column } = text.layout.position(&first, at);
            let cell = &screen[(u16::try_from(column).unwrap(), u16::try_from(row).unwrap())];
            prop_assert_eq!(cell.symbol(), grapheme, "{:?}", text);
        }
    }

    #[test]
    fn paste_removes_control_characters(
        pasted in prop_oneof![odd_text(), any::<String>()],
        lines in lines(),
    ) {
        let mut text = TextBox::new("", lines);
        let report = text.paste(&pasted).unwrap();
        prop_assert!(!text.text().contains(|c: char| c.is_control() && c != '\n' && c != '\t'));
        prop_assert_eq!(report.lines, text.text().lines().count());
        let plain = pasted.replace("\r\n", "\n");
        prop_assert_eq!(plain.chars().count(), text.text().chars().count() + report.removed);
        if !pasted.contains(char::is_control) {
            prop_assert_eq!(text.text(), pasted);
        }
    }

    #[test]
    fn typed_text_is_inserted_verbatim(before in text(), typed in text(), after in text()) {
        let mut text = TextBox::new(&format!("{before}{after}"), LineMode::Multiple);
        text.move_caret(before.len());
        let at = text.caret;
        for c in typed.chars().filter(|c| !c.is_control()) {
            prop_assert_eq!(text.handle_key(Key::plain(KeyCode::Char(c))), KeyResult::Changed);
        }
        let typed = typed.replace(char::is_control, "");
        let whole = format!("{before}{after}");
        prop_assert_eq!(text.text(), format!("{}{typed}{}", &whole[..at], &whole[at..]));
    }

    #[test]
    fn set_text_keeps_the_caret(
        head in "[a-z ]{0,9}", old in "[A-M]{1,5}", new in "[N-Z]{0,5}", tail in "[a-z ]{0,9}", at in 0..24_usize,
    ) {
        let whole = format!("{head}{old}{tail}");
        let mut text = TextBox::new(&whole, LineMode::Multiple);
        text.caret = at % (whole.len() + 1);
        let (before, after) = (text.caret, whole.len() - text.caret);
        text.set_text(&format!("{head}{new}{tail}"));
        if before <= head.len() {
            prop_assert_eq!(text.caret, before);
        } else {
            prop_assert_eq!(text.text().len() - text.caret, after.min(tail.len()));
        }
        text.handle_key(Key::ctrl('_'));
        prop_assert_eq!(text.text(), whole);
    }
}
