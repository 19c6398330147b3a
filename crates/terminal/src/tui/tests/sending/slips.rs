//! Slips: picking an unseen option, clearing a rating.

use crate::tui::tests::stage::fixtures;
use crate::tui::tests::stage::{SIZES, ScreenStage, StageConfig};
use sayso_core::{Answer, OptionId, Pick, Reply, ReplyContent};

#[test]
fn focused_option_is_always_visible() {
    let option =
        |n: usize| format!(r#"{{"label": "Option {n}", "description": "What it is.\nMore of it."}}"#);
    let options: Vec<_> = (1..=30).map(option).collect();
    let many = format!(r#"{{"questions": [{{"prompt": "Which?", "options": [{}]}}]}}"#, options.join(","));
    for size in SIZES {
        for begin in ["", "esc"] {
            let mut stage = ScreenStage::open_with(&many, &StageConfig { size, ..StageConfig::default() });
            stage.press_keys(begin);
            for n in 2..=30 {
                stage.press_keys("down");
                let seen = stage.screen();
                let at = seen.lines().find(|line| line.contains(&format!("Option {n}")));
                assert!(at.is_some_and(|line| line.starts_with('▸')), "{size:?} {n}:\n{seen}");
            }
        }
    }
}

#[test]
fn zero_is_a_step_if_scaled() {
    let rating = |min| {
        format!(
            r#"{{"questions": [{{"id": "q", "prompt": "?", "kind": "rating", "min": {min}, "max": 10}}]}}"#
        )
    };
    let rated = |stage: &ScreenStage| match stage.stored_reply("q").content {
        ReplyContent::Answered(Answer::Rating(step)) => Some(step),
        _ => None,
    };
    for (min, keys, expected) in
        [(0, "8 0", Some(0)), (0, "1 0", Some(10)), (0, "8 bs", None), (1, "8 0", None), (1, "1 0", Some(10))]
    {
        let mut stage = ScreenStage::open_ask(&rating(min));
        // Without a step there is nothing to clear.
        stage.must_not_show("Backspace clear");
        stage.press_keys("7");
        stage.must_show("Backspace clear");
        stage.press_keys("bs");
        stage.press_keys(keys);
        assert_eq!(rated(&stage), expected, "{min} {keys}");
    }
}

#[test]
fn clearing_a_pick_keeps_the_cursor() {
    let mut stage = ScreenStage::open_ask(fixtures::CHOICE);
    stage.press_keys("3 u enter");
    assert_eq!(stage.stored_reply("when"), Reply::from_picks([Pick::Option(OptionId::new("tomorrow"))]));
}
