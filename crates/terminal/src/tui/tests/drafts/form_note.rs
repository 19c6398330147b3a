//! A note on the whole form: written at the review, kept as it is typed, sent with the answers.

use crate::tui::tests::stage::fixtures::{self, save_elsewhere};
use crate::tui::tests::stage::keys::key;
use crate::tui::tests::stage::{ScreenStage, StageConfig};
use sayso_core::Reply;

/// Key of the note in a draft.
const FORM: &str = "";

fn noted(note: &str) -> Reply {
    Reply::unanswered().with_note(Some(note.into()))
}

/// Opens a form whose questions are answered, at its review.
fn open_review(look: &StageConfig) -> ScreenStage {
    let mut stage = ScreenStage::open_with(fixtures::TEXTS, look);
    stage.press_keys("'a' enter 'b' ^s");
    stage.must_show("Check your answers");
    stage
}

#[test]
fn note_is_written_changed_and_removed() {
    let mut stage = open_review(&StageConfig::default());
    stage.must_show("Add a note on the whole form");
    stage.must_show("n note");
    stage.press_keys("n 'only this week'");
    stage.advance(300);
    assert_eq!(stage.stored_reply(FORM), noted("only this week"), "it is saved as it is typed");
    stage.press_keys("enter");
    stage.must_show("Note on the whole form: \"only this week\"");
    stage.press_keys("n ', please' esc");
    assert_eq!(stage.stored_reply(FORM), noted("only this week, please"));
    // The row opens it too; an empty text removes it.
    stage.press_keys("up enter ^u enter");
    stage.must_show("Add a note on the whole form");
    assert_eq!(stage.stored_reply(FORM), noted(""));
    assert!(stage.is_open());
}

#[test]
fn note_is_sent_from_the_page_that_shows_it() {
    let mut stage = open_review(&StageConfig::default());
    stage.press_keys("n 'only this week'");
    stage.press_key(key("enter"));
    stage.press_key(key("enter"));
    stage.advance(1_000);
    assert!(stage.is_open(), "the key that ends the note sends nothing, and neither does one in passing");
    stage.must_show("Note on the whole form: \"only this week\"");
    stage.press_keys("enter");
    stage.advance(1_000);
    assert_eq!(stage.submitted_reply(FORM), Some(noted("only this week")));
}

#[test]
fn note_from_elsewhere_is_shown_before_it_is_sent() {
    // A lone question has a note of its own, so that its review has no place for another.
    for (json, keys, has_place) in
        [(fixtures::TEXTS, "'a' enter 'b' ^s", true), (fixtures::TEXT, "'a' enter", false)]
    {
        let mut stage = ScreenStage::open_ask(json);
        stage.press_keys("'x'");
        stage.change_elsewhere(|desk, id| save_elsewhere(desk, id, FORM, noted("ask grace first")));
        stage.must_show("The note on the whole form was changed elsewhere: \"ask grace first\"");
        stage.press_keys(keys);
        stage.must_show("Note on the whole form: \"ask grace first\"");
        assert!(stage.is_open());
        stage.change_elsewhere(|desk, id| save_elsewhere(desk, id, FORM, noted("")));
        stage.must_show("The note on the whole form was removed elsewhere.");
        assert_eq!(stage.shows("Add a note on the whole form"), has_place);
    }
}

#[test]
fn undo_restores_a_note_that_was_replaced() {
    for leave in ["", "enter"] {
        let mut stage = open_review(&StageConfig::default());
        stage.press_keys(&format!("n 'my words' {leave}"));
        stage.advance(1_000);
        stage.change_elsewhere(|desk, id| save_elsewhere(desk, id, FORM, noted("her words")));
        stage.must_show("changed elsewhere: \"her words\"");
        stage.must_show_wrapped("^_ in its box restores yours.");
        stage.press_keys(if leave.is_empty() { "^_" } else { "n ^_" });
        stage.advance(1_000);
        assert_eq!(stage.stored_reply(FORM), noted("my words"), "{leave}");
    }
}

#[test]
fn person_is_told_where_a_format_has_no_place_for_notes() {
    let stays = "This asker's format has no place for notes";
    for (dialect, is_told) in [("sayso", false), ("questionnaire", true)] {
        let mut stage = open_review(&StageConfig { dialect, ..StageConfig::default() });
        stage.must_not_show(stays);
        stage.press_keys("n");
        assert_eq!(stage.shows(stays), is_told, "{dialect}");
        stage.press_keys("'x' enter");
        assert_eq!(stage.shows(stays), is_told, "{dialect}");
    }
}

#[test]
fn note_that_is_not_saved_is_reported() {
    let mut stage = open_review(&StageConfig::default());
    stage.hold_saves(true);
    stage.press_keys("n 'not kept yet'");
    let problem =
        sayso_core::Problem::new(sayso_core::ProblemCode::DeskFailed, sayso_core::Message::DeskFailed);
    let (_, lost) = stage.abort(problem);
    let words: String = lost.causes.iter().map(|cause| cause.message.render(sayso_core::Lang::En)).collect();
    assert!(words.contains("Note on the whole form: not kept yet"), "{words}");
}
