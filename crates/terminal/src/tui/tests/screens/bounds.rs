//! Bounds of picks and numbers.

use crate::tui::tests::stage::ScreenStage;

#[test]
fn pick_beyond_limit_has_no_effect() {
    let ask = r#"{"questions": [{"id": "m", "prompt": "Which?", "multi": true, "other": true, "options": ["Ada", "Bo", "Cy"],
        "constraints": [{"max_picks": 2}]}, {"prompt": "Why?"}]}"#;
    let mut stage = ScreenStage::open_ask(ask);
    stage.press_keys("'1' '2'");
    let picked = stage.draft_json();
    let output_of = |stage: &ScreenStage| stage.screen().matches("Choose at most 2.").count() - 1;
    assert_eq!(output_of(&stage), 0);
    stage.press_keys("'3'");
    assert_eq!(output_of(&stage), 1, "{}", stage.screen());
    assert_eq!(stage.draft_json(), picked);
    stage.press_keys("'4' 'x'");
    assert_eq!(stage.draft_json(), picked, "an own answer is a pick too");
    stage.press_keys("'1' '3'");
    assert_ne!(stage.draft_json(), picked, "one was taken back before");
    assert_eq!(output_of(&stage), 0);
    let mut stage = ScreenStage::open_ask(
        &ask.replace(r#""max_picks": 2"#, r#""max_picks": 2, "message": "Two will do.""#),
    );
    stage.press_keys("'1' '2' '3'");
    stage.must_show("(shown at the question)");
    assert_eq!(stage.draft_json(), picked);
    stage.press_keys("'2' 'a'");
    assert!(stage.draft_json().matches("option").count() == 1, "{}", stage.draft_json());
}

#[test]
fn number_steps_stop_at_bounds() {
    let ask = r#"{"questions": [{"id": "n", "kind": "number", "prompt": "How many?",
        "constraints": [{"min": 1}, {"max": 3}]}]}"#;
    let mut stage = ScreenStage::open_ask(ask);
    stage.press_keys("'2' up");
    assert!(stage.draft_json().contains(r#""number":3}"#), "{}", stage.draft_json());
    stage.press_keys("up");
    assert!(stage.draft_json().contains(r#""number":3}"#), "{}", stage.draft_json());
    stage.must_show("It must be at most 3.");
    stage.press_keys("down down down");
    assert!(stage.draft_json().contains(r#""number":1}"#), "{}", stage.draft_json());
    stage.must_show("It must be at least 1.");
    // A number typed beyond a bound may step back towards it.
    stage.press_keys("bs '9' down");
    assert!(stage.draft_json().contains(r#""number":8}"#), "{}", stage.draft_json());
    // An asker's own message appears at the question, not in the status line.
    let mut stage =
        ScreenStage::open_ask(&ask.replace(r#""max": 3"#, r#""max": 3, "message": "Three will do.""#));
    stage.press_keys("'3' up");
    stage.must_show("┃ Three will do.");
    stage.must_not_show("It must be at most 3.");
    stage.must_show("(shown at the question)");
}
