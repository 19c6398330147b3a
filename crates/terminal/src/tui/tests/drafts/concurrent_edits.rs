//! Two people at one text: the person whose text is replaced is notified and can undo it.

use crate::tui::tests::stage::fixtures::{self, save_elsewhere};
use crate::tui::tests::stage::{SIZES, ScreenStage, StageConfig};
use sayso_core::{Answer, Reply};

fn text(words: &str) -> Reply {
    Reply::from_answer(Answer::Text(words.into()))
}

/// Types this at the first question in another person's name, saved letter by letter.
fn type_elsewhere(stage: &mut ScreenStage, words: &str) {
    for (end, letter) in words.char_indices() {
        let so_far = text(&words[..end + letter.len_utf8()]);
        stage.change_elsewhere(|desk, id| save_elsewhere(desk, id, "one", so_far));
        stage.advance(250);
    }
}

#[test]
fn one_undo_restores_replaced_text() {
    for size in SIZES {
        let mut stage =
            ScreenStage::open_with(fixtures::TEXTS, &StageConfig { size, ..StageConfig::default() });
        stage.press_keys("'mine, all of it'");
        type_elsewhere(&mut stage, "theirs, whole");
        stage.must_show("Your text at question 1 was");
        stage.must_show("^_ in its box");
        stage.must_show("theirs, whole");
        stage.press_keys("^_");
        stage.must_show("mine, all of it");
        stage.advance(1_000);
        assert_eq!(stage.stored_reply("one"), text("mine, all of it"));
        // The other person's text is not lost either.
        stage.press_keys("alt-_");
        stage.advance(1_000);
        assert_eq!(stage.stored_reply("one"), text("theirs, whole"));
    }
}

#[test]
fn undo_restores_other_questions_and_notes() {
    let mut stage = ScreenStage::open_ask(fixtures::TEXTS);
    stage.press_keys("'mine' tab 'second'");
    type_elsewhere(&mut stage, "theirs");
    stage.must_show("Your text at question 1 was replaced elsewhere");
    stage.press_keys("s-tab ^_");
    assert_eq!(stage.stored_reply("one"), text("mine"));
    let mut stage = ScreenStage::open_ask(fixtures::TEXTS);
    stage.press_keys("esc n 'my note'");
    let theirs = Reply::default().with_note(Some("their note".into()));
    stage.change_elsewhere(|desk, id| save_elsewhere(desk, id, "one", theirs));
    stage.must_show("Your text at question 1 was replaced elsewhere");
    stage.press_keys("^_");
    assert_eq!(stage.stored_reply("one").note.as_deref(), Some("my note"));
}

#[test]
fn extended_text_counts_as_kept() {
    for mine in ["", "'mine'"] {
        let mut stage = ScreenStage::open_ask(fixtures::TEXTS);
        stage.press_keys(mine);
        stage.change_elsewhere(|desk, id| save_elsewhere(desk, id, "one", text("mine and more")));
        stage.must_show("Question 1 was changed elsewhere");
        type_elsewhere(&mut stage, "t");
        assert_eq!(stage.shows("Your text at question 1 was replaced"), !mine.is_empty());
    }
}

#[test]
fn undone_typing_keeps_their_answer() {
    let mut stage = ScreenStage::open_ask(fixtures::TEXTS);
    stage.press_key(crate::tui::tests::stage::keys::key("x"));
    stage.change_elsewhere(|desk, id| save_elsewhere(desk, id, "one", text("theirs")));
    stage.press_key(crate::tui::tests::stage::keys::key("bs"));
    stage.advance(1_000);
    stage.must_show("theirs");
    stage.must_show("Question 1 was changed elsewhere");
    stage.press_keys("tab tab ^s");
    assert_eq!(stage.stored_reply("one"), text("theirs"));
    // A later answer wins.
    let mut stage = ScreenStage::open_ask(fixtures::TEXTS);
    stage.press_key(crate::tui::tests::stage::keys::key("x"));
    stage.change_elsewhere(|desk, id| save_elsewhere(desk, id, "one", text("theirs")));
    stage.advance(1_000);
    assert_eq!(stage.stored_reply("one"), text("x"));
}
