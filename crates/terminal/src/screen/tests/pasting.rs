//! Pastes of several lines and the size of the text box.

use super::asks;
use super::stage::Stage;
use crate::screen::effect::Action;
use sayso_core::{Answer, Pick, Reply, Said};

fn text(words: &str) -> Reply {
    Reply::of(Answer::Text(words.into()))
}

#[test]
fn enter_goes_on_without_line_breaks() {
    // Undone, erased, joined to one line, and cut in pieces.
    for (erases, left) in [("^_", ""), ("bs*7", ""), ("up end del", "onetwo"), ("^u ^u ^u", "")] {
        let mut stage = Stage::of(asks::TEXTS);
        stage.keys("<one\r\ntwo>");
        stage.must_show("2 lines pasted, kept as they are.");
        stage.must_show("Enter new line");
        stage.keys(erases);
        stage.must_show("Enter next");
        stage.keys("'x' enter");
        stage.must_show("Two?");
        let said = match left {
            "onetwo" => "onextwo".to_owned(),
            left => format!("{left}x"),
        };
        assert_eq!(stage.draft("one"), text(&said), "{erases}");
    }
}

#[test]
fn redone_lines_stay_lines() {
    let mut stage = Stage::of(asks::TEXTS);
    stage.keys("<one\ntwo> ^_ alt-_ enter");
    stage.must_show("Enter new line");
    assert_eq!(stage.draft("one"), text("one\ntwo\n"));
}

#[test]
fn only_short_boxes_shrink_again() {
    let mut stage = Stage::of(asks::TEXTS);
    stage.keys("tab <one\ntwo> ^_ 'a' enter 'b'");
    assert_eq!(stage.draft("two"), text("a\nb"));
    let mut stage = Stage::of(asks::CHOICE);
    stage.keys("o <one\ntwo> ^_ 'own' enter");
    stage.must_show("Where to?");
    assert_eq!(stage.draft("when").said, Said::Answer(Answer::Picks(Pick::Other("own".into()).into())));
}

#[test]
fn final_line_break_adds_no_line() {
    for (pasted, said) in [("a\r\nb\r\n", "2 lines"), ("a\nb", "2 lines"), ("a\n\n", "2 lines")] {
        let mut stage = Stage::of(asks::TEXTS);
        stage.keys(&format!("<{pasted}>"));
        stage.must_show(&format!("{said} pasted, kept as they are."));
    }
    let mut stage = Stage::of(asks::TEXT);
    stage.keys("<one\ntwo>");
    // One line from the editor makes a one-line box, too.
    stage.happen(Action::Edited(Ok("one two\n".into())));
    stage.keys("enter");
    stage.must_show("[ Submit: 1 of 1 answered ]");
}
