//! A reason to decline is typed text: it is kept until the asker or the desk has it.

use super::asks::{self, asker, decline};
use super::keys::key;
use super::stage::{Look, Stage};
use crate::prompter::Ended;
use sayso_core::Outcome;
use sayso_desk::Desk as _;

#[test]
fn reopened_dialog_has_the_reason() {
    let mut stage = Stage::of(asks::CHOICE);
    stage.keys("^s d 'no time' esc");
    stage.must_not_show("no time");
    stage.keys("d");
    stage.must_show("no time");
    // It is sent together with the later text.
    stage.keys("' today' enter down enter");
    let ask = stage.ask();
    let Some(Outcome::Declined { reason, .. }) = ask.outcome() else { panic!("{ask:?}") };
    assert_eq!(reason.as_deref(), Some("no time today"));
    assert!(stage.app.unsent().is_empty());
}

#[test]
fn inbox_keeps_one_reason_per_ask() {
    let asks = [(asks::TEXT, asker()), (asks::CHOICE, asker())];
    let mut stage = Stage::inbox(&asks, &Look::default());
    stage.keys("x 'too vague' esc down x");
    stage.must_not_show("too vague");
    stage.keys("esc up x");
    stage.must_show("too vague");
    // The opened ask shares its reason with the list.
    stage.keys("esc enter ^s d");
    stage.must_show("too vague");
    stage.keys("'!' esc esc down enter x");
    stage.must_show("too vague!");
    stage.keys("bs bs bs bs bs bs bs bs bs bs esc");
    assert!(stage.app.unsent().is_empty(), "what a person deletes is gone");
}

#[test]
fn late_reason_is_kept() {
    let mut stage = Stage::with(asks::CHOICE, &Look { from_inbox: true, ..Look::default() });
    stage.keys("enter ^s d 'not on a Frida'");
    stage.key(key("y"));
    stage.elsewhere(decline);
    let late = stage.desk.late(stage.id.unwrap()).unwrap();
    assert_eq!(late.iter().map(|late| late.reason.as_deref()).collect::<Vec<_>>(), [Some("not on a Friday")]);
    stage.must_show("Declined elsewhere by grace");
    assert!(stage.app.unsent().is_empty());
}

#[test]
fn unsent_reason_is_reported_on_exit() {
    for keys in ["^s d 'no time'", "^s d 'no time' esc", "^s d 'no time' esc esc down enter"] {
        let mut stage = Stage::of(asks::CHOICE);
        stage.keys(keys);
        stage.happen(crate::screen::effect::Action::Hangup);
        assert_eq!(stage.ended, Some(Ended::Left), "{keys}");
        assert_eq!(stage.app.unsent(), ["no time"], "{keys}");
    }
    let mut inbox = Stage::inbox(&[(asks::TEXT, asker())], &Look::default());
    inbox.keys("x 'no time'");
    inbox.happen(crate::screen::effect::Action::Hangup);
    assert_eq!(inbox.app.unsent(), ["no time"]);
}

#[test]
fn each_decline_reports_its_result() {
    let asks = [(asks::TEXT, asker()), (asks::CHOICE, asker())];
    let mut stage = Stage::inbox(&asks, &Look::default());
    stage.hold_acts(true);
    stage.keys("x down down enter down x down down enter");
    stage.hold_acts(false);
    decline(&stage.desk, stage.id.unwrap());
    stage.make_held();
    stage.must_show("grace declined this first");
    stage.must_show("Declined.");
}
