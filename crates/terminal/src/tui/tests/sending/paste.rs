//! Pastes of several lines and the size of the text box.

use crate::tui::effect::Event;
use crate::tui::tests::stage::ScreenStage;
use crate::tui::tests::stage::fixtures;
use sayso_core::{Answer, Pick, Reply, ReplyContent};

fn text(words: &str) -> Reply {
    Reply::from_answer(Answer::Text(words.into()))
}

#[test]
fn enter_goes_on_without_line_breaks() {
    // Undone, erased, joined to one line, and cut in pieces.
    for (erases, left) in [("^_", ""), ("bs*7", ""), ("up end del", "onetwo"), ("^u ^u ^u", "")] {
        let mut stage = ScreenStage::open_ask(fixtures::TEXTS);
        stage.press_keys("<one\r\ntwo>");
        stage.must_show("2 lines pasted unchanged.");
        stage.must_show("Enter new line");
        stage.press_keys(erases);
        stage.must_show("Enter next");
        stage.press_keys("'x' enter");
        stage.must_show("Two?");
        let words = match left {
            "onetwo" => "onextwo".to_owned(),
            left => format!("{left}x"),
        };
        assert_eq!(stage.stored_reply("one"), text(&words), "{erases}");
    }
}

#[test]
fn redone_lines_stay_lines() {
    let mut stage = ScreenStage::open_ask(fixtures::TEXTS);
    stage.press_keys("<one\ntwo> ^_ alt-_ enter");
    stage.must_show("Enter new line");
    assert_eq!(stage.stored_reply("one"), text("one\ntwo\n"));
}

#[test]
fn only_short_boxes_shrink_again() {
    let mut stage = ScreenStage::open_ask(fixtures::TEXTS);
    stage.press_keys("tab <one\ntwo> ^_ 'a' enter 'b'");
    assert_eq!(stage.stored_reply("two"), text("a\nb"));
    let mut stage = ScreenStage::open_ask(fixtures::CHOICE);
    stage.press_keys("o <one\ntwo> ^_ 'own' enter");
    stage.must_show("Where to?");
    assert_eq!(
        stage.stored_reply("when").content,
        ReplyContent::Answered(Answer::Picks(Pick::Other("own".into()).into()))
    );
}

#[test]
fn final_line_break_adds_no_line() {
    for (pasted, text) in [("a\r\nb\r\n", "2 lines"), ("a\nb", "2 lines"), ("a\n\n", "2 lines")] {
        let mut stage = ScreenStage::open_ask(fixtures::TEXTS);
        stage.press_keys(&format!("<{pasted}>"));
        stage.must_show(&format!("{text} pasted unchanged."));
    }
    let mut stage = ScreenStage::open_ask(fixtures::TEXT);
    stage.press_keys("<one\ntwo>");
    // One line from the editor makes a one-line box, too.
    stage.handle_event(Event::Edited(Ok("one two\n".into())));
    stage.press_keys("enter");
    assert!(!stage.is_open());
}
