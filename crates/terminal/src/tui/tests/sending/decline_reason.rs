//! A reason to decline is typed text: it is kept until the asker or the desk has it.

use crate::surface::PromptOutcome;
use crate::tui::effect::Event;
use crate::tui::tests::stage::fixtures::{self, asker, decline_elsewhere};
use crate::tui::tests::stage::keys::key;
use crate::tui::tests::stage::{ScreenStage, StageConfig};
use sayso_core::Outcome;
use sayso_desk::Desk as _;

#[test]
fn reopened_dialog_has_the_reason() {
    let mut stage = ScreenStage::open_ask(fixtures::CHOICE);
    stage.press_keys("^s d 'no time' esc");
    stage.must_not_show("no time");
    stage.press_keys("d");
    stage.must_show("no time");
    // It is sent together with the later text.
    stage.press_keys("' today' enter");
    let ask = stage.ask();
    let Some(Outcome::Declined { reason, .. }) = ask.outcome() else { panic!("{ask:?}") };
    assert_eq!(reason.as_deref(), Some("no time today"));
    assert!(stage.app.unsent_reasons().is_empty());
}

#[test]
fn inbox_keeps_one_reason_per_ask() {
    let asks = [(fixtures::TEXT, asker()), (fixtures::CHOICE, asker())];
    let mut stage = ScreenStage::inbox(&asks, &StageConfig::default());
    stage.press_keys("d 'too vague' esc down d");
    stage.must_not_show("too vague");
    stage.press_keys("esc up d");
    stage.must_show("too vague");
    // The opened ask shares its reason with the list.
    stage.press_keys("esc enter ^s d");
    stage.must_show("too vague");
    stage.press_keys("'!' esc esc d");
    stage.must_show("too vague!");
    stage.press_keys("bs bs bs bs bs bs bs bs bs bs esc");
    assert!(stage.app.unsent_reasons().is_empty(), "what a person deletes is gone");
}

#[test]
fn late_reason_is_kept() {
    let mut stage =
        ScreenStage::open_with(fixtures::CHOICE, &StageConfig { from_inbox: true, ..StageConfig::default() });
    stage.press_keys("enter ^s d 'not on a Frida'");
    stage.press_key(key("y"));
    stage.change_elsewhere(decline_elsewhere);
    let late = stage.desk.late_submissions(stage.id.unwrap()).unwrap();
    assert_eq!(late.iter().map(|late| late.reason.as_deref()).collect::<Vec<_>>(), [Some("not on a Friday")]);
    stage.must_show("Declined elsewhere by grace");
    assert!(stage.app.unsent_reasons().is_empty());
}

#[test]
fn unsent_reason_is_reported_on_exit() {
    for keys in ["^s d 'no time'", "^s d 'no time' esc", "^s d 'no time' esc esc esc"] {
        let mut stage = ScreenStage::open_ask(fixtures::CHOICE);
        stage.press_keys(keys);
        stage.handle_event(Event::Hangup);
        assert_eq!(stage.ended, Some(PromptOutcome::Left), "{keys}");
        assert_eq!(stage.app.unsent_reasons(), ["no time"], "{keys}");
    }
    let mut inbox = ScreenStage::inbox(&[(fixtures::TEXT, asker())], &StageConfig::default());
    inbox.press_keys("d 'no time'");
    inbox.handle_event(Event::Hangup);
    assert_eq!(inbox.app.unsent_reasons(), ["no time"]);
}

#[test]
fn each_decline_reports_its_result() {
    let asks = [(fixtures::TEXT, asker()), (fixtures::CHOICE, asker())];
    let mut stage = ScreenStage::inbox(&asks, &StageConfig::default());
    stage.hold_acts(true);
    stage.press_keys("d enter down d enter");
    stage.hold_acts(false);
    decline_elsewhere(&stage.desk, stage.id.unwrap());
    stage.release_held();
    stage.must_show("grace already declined this");
    stage.must_show("Declined.");
}
