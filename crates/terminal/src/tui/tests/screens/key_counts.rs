//! Keys that everyday tasks take, as the table in docs/inbox.md has them.

use crate::tui::tests::stage::keys::{KeyStroke, parse_script};
use crate::tui::tests::stage::{ScreenStage, StageConfig};

const CHOICE: &str = r#""options": ["Alpha", "Beta", "Gamma"]"#;

/// Tasks: the name in the table, the questions, the keys.
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

fn key_count(keys: &str) -> usize {
    let count = |stroke: &KeyStroke| match stroke {
        KeyStroke::Key(_) => 1,
        KeyStroke::Typed(text) => text.chars().count(),
        KeyStroke::Paste(_) => panic!("no task pastes"),
    };
    parse_script(keys).iter().map(count).sum()
}

#[test]
fn documented_key_counts_are_true() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/inbox.md");
    let page = std::fs::read_to_string(path).unwrap();
    for (name, ask, keys) in tasks() {
        let mut stage = ScreenStage::open_with(&ask, &StageConfig::default());
        let strokes = parse_script(keys);
        stage.press_keys(keys);
        assert!(!stage.is_open(), "{name} {strokes:?}\n{}", stage.screen());
        let row = page.lines().find(|line| line.starts_with(&format!("| {name} |")));
        let row = row.unwrap_or_else(|| panic!("docs/inbox.md has no row for {name}"));
        let ours = row.split('|').nth(2).unwrap().trim();
        assert_eq!(ours.split(' ').next(), Some(key_count(keys).to_string().as_str()), "{name}");
    }
}
