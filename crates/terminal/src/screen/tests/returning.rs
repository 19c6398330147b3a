//! Initial position on returning to a draft.

use super::asks::save;
use super::stage::{Look, Stage};
use sayso_core::{Answer, Pick, Reply};
use sayso_desk::LocalDesk;

/// A text, and options after it.
const BOTH: &str = r#"{"questions": [{"id": "why", "prompt": "Why?"},
    {"id": "when", "prompt": "When?", "options": [{"id": "now", "label": "Now"}, {"id": "later", "label": "Later"}]}]}"#;

fn text(words: &str) -> Reply {
    Reply::of(Answer::Text(words.into()))
}

fn has_both(desk: &LocalDesk, id: sayso_core::AskId) {
    save(desk, id, "why", text("half a wo"));
    save(desk, id, "when", Reply::of(Answer::Picks(Pick::Option("later".into()).into())));
}

#[test]
fn returning_person_continues_the_text() {
    let one = r#"{"questions": [{"id": "why", "prompt": "Why?"}]}"#;
    for from_inbox in [true, false] {
        let look = Look { from_inbox, ..Look::default() };
        let mut stage = Stage::after(one, &look, |desk, id| save(desk, id, "why", text("half a wo")));
        stage.keys(if from_inbox { "enter 'rd done'" } else { "'rd done'" });
        assert_eq!(stage.draft("why"), text("half a word done"));
        stage.must_not_show("Decline this request?");
        assert!(stage.is_open() && stage.acts() == 0);
    }
}

#[test]
fn complete_draft_is_not_sent() {
    let mut stage = Stage::after(BOTH, &Look::default(), has_both);
    stage.must_show("2 of 2 answered. Going on with question 2.");
    stage.keys("d");
    stage.must_not_show("Decline this request?");
    stage.keys("enter");
    assert!(stage.is_open() && stage.acts() == 0);
    stage.must_show("[ Submit: 2 of 2 answered ]");
}

#[test]
fn complete_draft_reaches_the_review() {
    for review in ["tab", "^s", "alt-0"] {
        let mut stage = Stage::after(BOTH, &Look::default(), has_both);
        stage.keys(review);
        stage.must_show("[ Submit: 2 of 2 answered ]");
    }
}

#[test]
fn open_question_comes_first() {
    let mut stage = Stage::after(BOTH, &Look::default(), |desk, id| {
        save(desk, id, "when", Reply::of(Answer::Picks(Pick::Option("later".into()).into())));
    });
    stage.must_show("Going on with question 1.");
    stage.keys("'because'");
    assert_eq!(stage.draft("why"), text("because"));
}
