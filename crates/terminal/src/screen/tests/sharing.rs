//! Two people at one text: the person whose text is replaced is notified and can undo it.

use super::asks::{self, save};
use super::stage::{Look, SIZES, Stage};
use sayso_core::{Answer, Reply};

fn text(words: &str) -> Reply {
    Reply::of(Answer::Text(words.into()))
}

/// Types this at the first question in another person's name, saved letter by letter.
fn types_elsewhere(stage: &mut Stage, words: &str) {
    for (end, letter) in words.char_indices() {
        let so_far = text(&words[..end + letter.len_utf8()]);
        stage.elsewhere(|desk, id| save(desk, id, "one", so_far));
        stage.wait(250);
    }
}

#[test]
fn one_undo_restores_replaced_text() {
    for size in SIZES {
        let mut stage = Stage::with(asks::TEXTS, &Look { size, ..Look::default() });
        stage.keys("'mine, all of it'");
        types_elsewhere(&mut stage, "theirs, whole");
        stage.must_show("Your words at question 1 were");
        stage.must_show("^_ in their box");
        stage.must_show("theirs, whole");
        stage.keys("^_");
        stage.must_show("mine, all of it");
        stage.wait(1_000);
        assert_eq!(stage.draft("one"), text("mine, all of it"));
        // The other person's text is not lost either.
        stage.keys("alt-_");
        stage.wait(1_000);
        assert_eq!(stage.draft("one"), text("theirs, whole"));
    }
}

#[test]
fn undo_restores_other_questions_and_notes() {
    let mut stage = Stage::of(asks::TEXTS);
    stage.keys("'mine' tab 'second'");
    types_elsewhere(&mut stage, "theirs");
    stage.must_show("Your words at question 1 were replaced elsewhere");
    stage.keys("s-tab ^_");
    assert_eq!(stage.draft("one"), text("mine"));
    let mut stage = Stage::of(asks::TEXTS);
    stage.keys("esc n 'my note'");
    let theirs = Reply::default().with_note(Some("their note".into()));
    stage.elsewhere(|desk, id| save(desk, id, "one", theirs));
    stage.must_show("Your words at question 1 were replaced elsewhere");
    stage.keys("^_");
    assert_eq!(stage.draft("one").note.as_deref(), Some("my note"));
}

#[test]
fn extended_text_counts_as_kept() {
    for mine in ["", "'mine'"] {
        let mut stage = Stage::of(asks::TEXTS);
        stage.keys(mine);
        stage.elsewhere(|desk, id| save(desk, id, "one", text("mine and more")));
        stage.must_show("Question 1 was changed elsewhere");
        types_elsewhere(&mut stage, "t");
        assert_eq!(stage.shows("Your words at question 1 were replaced"), !mine.is_empty());
    }
}

#[test]
fn undone_typing_keeps_their_answer() {
    let mut stage = Stage::of(asks::TEXTS);
    stage.key(super::keys::key("x"));
    stage.elsewhere(|desk, id| save(desk, id, "one", text("theirs")));
    stage.key(super::keys::key("bs"));
    stage.wait(1_000);
    stage.must_show("theirs");
    stage.must_show("Question 1 was changed elsewhere");
    stage.keys("tab tab ^s");
    assert_eq!(stage.draft("one"), text("theirs"));
    // A later answer wins.
    let mut stage = Stage::of(asks::TEXTS);
    stage.key(super::keys::key("x"));
    stage.elsewhere(|desk, id| save(desk, id, "one", text("theirs")));
    stage.wait(1_000);
    assert_eq!(stage.draft("one"), text("x"));
}
