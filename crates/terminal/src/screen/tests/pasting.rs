//! What a paste of several lines makes of a box, and for how long.

use super::asks;
use super::stage::Stage;
use crate::screen::effect::Action;
use sayso_core::{Answer, Pick, Reply, Said};

fn text(words: &str) -> Reply {
    Reply::of(Answer::Text(words.into()))
}

#[test]
fn enter_goes_on_again_once_no_line_break_is_left_of_a_paste() {
    // Taken back, erased, made one line, and taken back in pieces.
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
fn lines_that_are_done_again_are_lines() {
    let mut stage = Stage::of(asks::TEXTS);
    stage.keys("<one\ntwo> ^_ alt-_ enter");
    stage.must_show("Enter new line");
    assert_eq!(stage.draft("one"), text("one\ntwo\n"));
}

#[test]
fn a_box_for_many_lines_stays_one_and_an_own_answer_goes_back_to_one_line() {
    let mut stage = Stage::of(asks::TEXTS);
    stage.keys("tab <one\ntwo> ^_ 'a' enter 'b'");
    assert_eq!(stage.draft("two"), text("a\nb"));
    let mut stage = Stage::of(asks::CHOICE);
    stage.keys("o <one\ntwo> ^_ 'own' enter");
    stage.must_show("Where to?");
    assert_eq!(stage.draft("when").said, Said::Answer(Answer::Picks(Pick::Other("own".into()).into())));
}

#[test]
fn a_line_break_at_the_end_is_no_line_more() {
    for (pasted, said) in [("a\r\nb\r\n", "2 lines"), ("a\nb", "2 lines"), ("a\n\n", "2 lines")] {
        let mut stage = Stage::of(asks::TEXTS);
        stage.keys(&format!("<{pasted}>"));
        stage.must_show(&format!("{said} pasted, kept as they are."));
    }
    let mut stage = Stage::of(asks::TEXT);
    stage.keys("<one\ntwo>");
    // What came back from the editor on one line is one, too.
    stage.happen(Action::Edited(Ok("one two\n".into())));
    stage.keys("enter");
    stage.must_show("[ Submit: 1 of 1 answered ]");
}
