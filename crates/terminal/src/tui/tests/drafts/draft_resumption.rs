//! Initial position on returning to a draft.

use crate::tui::tests::stage::fixtures::save_elsewhere;
use crate::tui::tests::stage::keys::key;
use crate::tui::tests::stage::{ScreenStage, StageConfig};
use sayso_core::{Answer, Pick, Reply};
use sayso_desk::StoreDesk;

/// A text, and options after it.
const BOTH: &str = r#"{"questions": [{"id": "why", "prompt": "Why?"},
    {"id": "when", "prompt": "When?", "options": [{"id": "now", "label": "Now"}, {"id": "later", "label": "Later"}]}]}"#;

fn text(words: &str) -> Reply {
    Reply::from_answer(Answer::Text(words.into()))
}

fn answer_both(desk: &StoreDesk, id: sayso_core::AskId) {
    save_elsewhere(desk, id, "why", text("half a wo"));
    save_elsewhere(desk, id, "when", Reply::from_answer(Answer::Picks(Pick::Option("later".into()).into())));
}

#[test]
fn returning_person_continues_the_text() {
    let one = r#"{"questions": [{"id": "why", "prompt": "Why?"}]}"#;
    for from_inbox in [true, false] {
        let look = StageConfig { from_inbox, ..StageConfig::default() };
        let mut stage = ScreenStage::open_after(one, &look, |desk, id| {
            save_elsewhere(desk, id, "why", text("half a wo"));
        });
        stage.press_keys(if from_inbox { "enter 'rd done'" } else { "'rd done'" });
        assert_eq!(stage.stored_reply("why"), text("half a word done"));
        stage.must_not_show("Decline this request?");
        assert!(stage.is_open() && stage.act_count() == 0);
    }
}

#[test]
fn complete_draft_is_not_sent() {
    let mut stage = ScreenStage::open_after(BOTH, &StageConfig::default(), answer_both);
    stage.must_show("2 of 2 answered. Continuing with question 2.");
    // Declining takes one more key, after a moment.
    stage.press_key(key("d"));
    stage.press_key(key("enter"));
    stage.press_keys("esc enter");
    assert!(stage.is_open() && stage.act_count() == 0);
    stage.must_show("[ Submit: 2 of 2 answered ]");
}

#[test]
fn complete_draft_reaches_the_review() {
    for review in ["tab", "^s", "alt-0"] {
        let mut stage = ScreenStage::open_after(BOTH, &StageConfig::default(), answer_both);
        stage.press_keys(review);
        stage.must_show("[ Submit: 2 of 2 answered ]");
    }
}

#[test]
fn open_question_comes_first() {
    let mut stage = ScreenStage::open_after(BOTH, &StageConfig::default(), |desk, id| {
        save_elsewhere(
            desk,
            id,
            "when",
            Reply::from_answer(Answer::Picks(Pick::Option("later".into()).into())),
        );
    });
    stage.must_show("Continuing with question 1.");
    stage.press_keys("'because'");
    assert_eq!(stage.stored_reply("why"), text("because"));
}

#[test]
fn consent_given_elsewhere_is_not_taken() {
    let json = r#"{"questions": [{"id": "why", "prompt": "Why?"},
        {"id": "go", "kind": "confirm", "consent": true, "prompt": "Go?"}]}"#;
    let yes = || Reply::from_answer(Answer::Confirm(true));
    let mut stage = ScreenStage::open_after(json, &StageConfig::default(), |desk, id| {
        save_elsewhere(desk, id, "why", text("because"));
        save_elsewhere(desk, id, "go", yes());
    });
    stage.press_keys("^s");
    stage.must_show("[ Submit: 1 of 2 answered ]");
    stage.press_keys("alt-2 n ^s");
    stage.must_show("[ Submit: 2 of 2 answered ]");
    // Saved elsewhere, and not shown here yet.
    save_elsewhere(&stage.desk, stage.ask().id, "go", yes());
    stage.press_keys("enter");
    assert!(stage.is_open(), "{:?}", stage.ended);
    stage.must_show("The answers were changed in the meantime");
    stage.must_show("Go?   No");
    stage.press_keys("enter");
    assert!(!stage.is_open(), "{}", stage.screen());
    assert_eq!(stage.submitted_reply("go"), Some(Reply::from_answer(Answer::Confirm(false))));
}
