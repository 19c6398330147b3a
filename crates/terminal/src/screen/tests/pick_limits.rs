//! Questions with a maximum number of picks.

use super::stage::Stage;

#[test]
fn pick_beyond_limit_has_no_effect() {
    let ask = r#"{"questions": [{"id": "m", "prompt": "Which?", "multi": true, "other": true, "options": ["Ada", "Bo", "Cy"],
        "constraints": [{"max_picks": 2}]}, {"prompt": "Why?"}]}"#;
    let mut stage = Stage::of(ask);
    stage.keys("'1' '2'");
    let picked = stage.drafted();
    let told = |stage: &Stage| stage.screen().matches("Choose at most 2.").count() - 1;
    assert_eq!(told(&stage), 0);
    stage.keys("'3'");
    assert_eq!(told(&stage), 1, "{}", stage.screen());
    assert_eq!(stage.drafted(), picked);
    stage.keys("'4' 'x'");
    assert_eq!(stage.drafted(), picked, "an own answer is a pick too");
    stage.keys("'1' '3'");
    assert_ne!(stage.drafted(), picked, "one was taken back before");
    assert_eq!(told(&stage), 0);
    let mut stage =
        Stage::of(&ask.replace(r#""max_picks": 2"#, r#""max_picks": 2, "message": "Two will do.""#));
    stage.keys("'1' '2' '3'");
    stage.must_show("what it says stands at the question");
    assert_eq!(stage.drafted(), picked);
    stage.keys("'2' 'a'");
    assert!(stage.drafted().matches("option").count() == 1, "{}", stage.drafted());
}
