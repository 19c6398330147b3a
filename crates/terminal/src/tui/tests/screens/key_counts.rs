//! Keys that everyday tasks take, the last one included.

use crate::tui::tests::stage::{ScreenStage, StageConfig};

const CHOICE: &str = r#""options": ["Alpha", "Beta", "Gamma"]"#;

/// Tasks: the name, the questions, the keys.
fn tasks() -> [(&'static str, String, &'static str); 7] {
    let question = |id: &str, kind: &str| format!(r#"{{"id": "{id}", "prompt": "{id}?", {kind}}}"#);
    let ask = |questions: &[String]| format!(r#"{{"questions": [{}]}}"#, questions.join(","));
    let one = |kind: &str| ask(&[question("q", kind)]);
    let multi = r#""multi": true, "options": ["A", "B", "C", "D"]"#;
    let action = format!(
        r#"{{"action": {{"tool": "shell", "act": {{"shell": {{"command": "make"}}}}}}, "questions": [{}]}}"#,
        question("q", r#""kind": "confirm""#)
    );
    let form = ask(&[
        question("a", CHOICE),
        question("b", r#""kind": "confirm""#),
        question("c", multi),
        question("d", r#""kind": "text""#),
        question("e", r#""kind": "rating""#),
    ]);
    [
        ("the second of three options", one(CHOICE), "2 enter"),
        ("yes to an action", action, "y enter"),
        ("two of four options", one(multi), "1 3 enter enter"),
        ("a text of two letters", one(r#""kind": "text""#), "'ok' enter"),
        ("4 of 5", one(r#""kind": "rating""#), "4 enter"),
        ("a form of these five", form, "2 enter y enter 1 3 enter 'ok' enter 4 enter enter"),
        ("decline", one(CHOICE), "d enter"),
    ]
}

#[test]
fn everyday_tasks_take_few_keys() {
    for (name, ask, keys) in tasks() {
        let mut stage = ScreenStage::open_with(&ask, &StageConfig::default());
        stage.press_keys(keys);
        assert!(!stage.is_open(), "{name} {keys}\n{}", stage.screen());
    }
}
