//! Letters that open a text box and are held down: they type nothing into it.

use crate::tty::InputEvent;
use crate::tui::effect::Event;
use crate::tui::tests::stage::fixtures::{self, asker};
use crate::tui::tests::stage::keys::key;
use crate::tui::tests::stage::{ScreenStage, StageConfig};
use sayso_core::Outcome;

#[test]
fn held_key_types_no_reason() {
    let asks = [(fixtures::TEXT, asker()), (fixtures::CHOICE, asker())];
    let stages = [
        (ScreenStage::open_ask(fixtures::CHOICE), "d"),
        (ScreenStage::open_ask(fixtures::CHOICE), "^s d"),
        (ScreenStage::inbox(&asks, &StageConfig::default()), "d"),
    ];
    for (mut stage, keys) in stages {
        stage.press_keys(keys);
        for _ in 0..40 {
            stage.press_key(key("d"));
            stage.advance(33);
        }
        stage.advance(500);
        assert!(stage.app.unsent_reasons().is_empty(), "{:?}", stage.app.unsent_reasons());
        // The same letter as a press of its own is text.
        stage.press_keys("'d' 'o not' d d");
        stage.must_show("do notdd");
        assert_eq!(stage.app.unsent_reasons(), ["do notdd"]);
    }
}

#[test]
fn first_letter_of_a_reason_is_kept() {
    let mut stage = ScreenStage::open_ask(fixtures::CHOICE);
    stage.press_keys("d");
    stage.press_key(key("d"));
    stage.handle_event(Event::Input(InputEvent::Paste("ata first".into())));
    stage.press_keys("enter");
    let ask = stage.ask();
    let Some(Outcome::Declined { reason, .. }) = ask.outcome() else { panic!("{ask:?}") };
    assert_eq!(reason.as_deref(), Some("data first"));
}

#[test]
fn held_letter_types_no_note_and_no_answer() {
    for (ask, letter, typed) in [
        (fixtures::CHOICE, "o", "own answer"),
        (fixtures::CHOICE, "n", "Your note"),
        (fixtures::SCALES, "N", "Your note"),
    ] {
        let mut stage = ScreenStage::open_ask(ask);
        stage.press_keys(letter);
        for _ in 0..40 {
            stage.press_key(key(letter));
            stage.advance(33);
        }
        stage.advance(500);
        stage.press_keys("esc pgdn");
        stage.must_not_show(&format!("{typed}:"));
        // The same letter as a press of its own is text, also if the box closes at once.
        stage.press_keys(letter);
        stage.press_key(key(letter));
        stage.press_key(key("esc"));
        stage.advance(500);
        stage.press_keys("pgdn");
        stage.must_show(&format!("{typed}: \"{letter}\""));
    }
}
