//! Questions with a maximum number of picks.

use super::screen_stage::ScreenStage;

#[test]
fn pick_beyond_limit_has_no_effect() {
    let ask = r#"{"questions": [{"id": "m", "prompt": "Which?", "multi": true, "other": true, "options": ["Ada", "Bo", "Cy"],
        "constraints": [{"max_picks": 2}]}, {"prompt": "Why?"}]}"#;
    let mut stage = ScreenStage::open_ask(ask);
    stage.press_keys("'1' '2'");
    let picked = stage.draft_json();
    let told = |stage: &ScreenStage| stage.screen().matches("Choose at most 2.").count() - 1;
    assert_eq!(told(&stage), 0);
    stage.press_keys("'3'");
    assert_eq!(told(&stage), 1, "{}", stage.screen());
    assert_eq!(stage.draft_json(), picked);
    stage.press_keys("'4' 'x'");
    assert_eq!(stage.draft_json(), picked, "an own answer is a pick too");
    stage.press_keys("'1' '3'");
    assert_ne!(stage.draft_json(), picked, "one was taken back before");
    assert_eq!(told(&stage), 0);
    let mut stage = ScreenStage::open_ask(
        &ask.replace(r#""max_picks": 2"#, r#""max_picks": 2, "message": "Two will do.""#),
    );
    stage.press_keys("'1' '2' '3'");
    stage.must_show("what it says stands at the question");
    assert_eq!(stage.draft_json(), picked);
    stage.press_keys("'2' 'a'");
    assert!(stage.draft_json().matches("option").count() == 1, "{}", stage.draft_json());
}
