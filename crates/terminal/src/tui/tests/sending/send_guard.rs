//! Presses in passing and held keys send nothing; presses at a person's pace do.

use crate::tty::Key;
use crate::tui::tests::stage::fixtures;
use crate::tui::tests::stage::keys::key;
use crate::tui::tests::stage::{ScreenStage, StageConfig};

/// A page with a button that sends, and the keys to it: the last one may be held.
const PAGES: [(&str, &str, &str); 5] = [
    (fixtures::TEXTS, "'one' enter 'two' tab", "enter"),
    (fixtures::TEXTS, "'one' enter 'two'", "^s"),
    (fixtures::TEXT, "'because'", "enter"),
    (fixtures::SCALES, "y enter 4 enter '20'", "enter"),
    (fixtures::CHOICE, "", "d"),
];

fn open(ask: &str, keys: &str) -> ScreenStage {
    let mut stage = ScreenStage::open_with(ask, &StageConfig::default());
    stage.press_keys(keys);
    stage
}

#[test]
fn held_key_never_sends() {
    for (ask, keys, last) in PAGES {
        for delay in [200, 500, 700, 1_000, 2_000] {
            for report in [false, true] {
                let mut stage = open(ask, keys);
                let held = if last == "d" { "enter" } else { last };
                stage.press_key(key(last));
                if ask != fixtures::TEXT {
                    stage.advance(delay);
                }
                for _ in 0..60 {
                    stage.press_key(Key { repeat: report, ..key(held) });
                    stage.advance(33);
                }
                stage.advance(5_000);
                assert!(stage.is_open() && stage.act_count() == 0, "{keys} {delay}\n{}", stage.screen());
            }
        }
    }
}

#[test]
fn paced_presses_send_soon() {
    for (ask, keys, last) in PAGES {
        let mut stage = open(ask, keys);
        let press = if last == "d" { "enter" } else { last };
        if ask != fixtures::TEXT {
            stage.press_key(key(last));
        }
        // The page is 0.6 seconds old at the second of these presses.
        for _ in 0..2 {
            stage.advance(300);
            stage.press_key(key(press));
        }
        stage.advance(120);
        assert_eq!(stage.act_count(), 1, "{keys}\n{}", stage.screen());
    }
}

#[test]
fn button_shows_when_it_is_live() {
    let mut stage = open(fixtures::TEXTS, "'one' enter 'two' tab");
    stage.press_key(key("enter"));
    stage.must_show("Submit: 2 of 3 answered");
    stage.must_not_show("[ Submit");
    stage.press_key(key("enter"));
    stage.must_not_show("again");
    stage.advance(400);
    stage.must_show("[ Submit: 2 of 3 answered ]");
    let mut stage = open(fixtures::CHOICE, "");
    stage.press_key(key("d"));
    stage.must_not_show("[ Decline ]");
    stage.advance(400);
    stage.must_show("[ Decline ]");
}

#[test]
fn another_key_withdraws_the_press() {
    for (name, then) in [("enter", "up"), ("enter", "?"), ("^s", "tab"), ("enter", "esc")] {
        let mut stage = open(fixtures::TEXTS, "'one' enter 'two' tab enter");
        stage.press_key(key(name));
        stage.advance(60);
        stage.press_key(key(then));
        stage.advance(5_000);
        assert_eq!(stage.act_count(), 0, "{name} {then}");
    }
}
