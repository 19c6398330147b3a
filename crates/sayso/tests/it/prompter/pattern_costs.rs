//! Tests of slow patterns: they block no one, and consent is never accepted unchecked.

use crate::support::test_world::TestWorld;
use serde_json::{Value, json};

const HOSTILE: &str = r"(a*)*\1b";

fn questions() -> Value {
    (0..200)
        .map(|at| {
            let rule = json!({ "type": "pattern", "value": format!("{HOSTILE}{at}"), "message": "m" });
            json!({ "id": format!("q{at}"), "type": "text", "label": "L", "prompt": "P?", "constraints": [rule] })
        })
        .collect()
}

#[test]
fn hostile_patterns_warn_without_blocking() {
    let world = TestWorld::new();
    world.allow_scripted_answers();
    let request = json!({ "questions": questions() }).to_string();
    let found = world.json(&["check", "--json", "--format", "questionnaire", &request]);
    assert_eq!(found["warnings"][0]["path"], json!(["questions", 0, "constraints", 0, "value"]), "{found}");
    let left = world.sayso(["ask", "--no-wait", "--format", "questionnaire", &request]).run();
    assert!(left.exit == 0 && left.stderr.contains("takes too many steps to check"), "{left:?}");
    let id = left.stdout.trim_end();
    let text = "a".repeat(28);
    let answers: Value = (0..200)
        .map(|at| (format!("q{at}"), json!({ "text": text })))
        .collect::<serde_json::Map<_, _>>()
        .into();
    let answered = world.sayso(["answer", id, "--answers", &json!({ "answers": answers }).to_string()]).run();
    assert_eq!(answered.exit, 0, "{answered:?}");
    let got = world.sayso(["wait", id]).run();
    assert_eq!(got.exit, 0);
    assert_eq!(got.stderr.matches("Pattern not checked: q").count(), 200, "{}", got.stderr);
}

#[test]
fn unchecked_consent_is_refused() {
    let world = TestWorld::new();
    world.allow_scripted_answers();
    let request = json!({
        "as_is": true, "unchecked": "refuse",
        "questions": [{ "id": "q", "prompt": "Why?", "constraints": [{ "pattern": HOSTILE }] }],
    });
    let id = world.leave_ask(&request.to_string(), &[]);
    let answers = json!({ "answers": { "q": "a".repeat(28) } }).to_string();
    let refused = world.sayso(["answer", &id, "--answers", &answers]).run();
    assert_eq!(refused.exit, 1, "{refused:?}");
    let text = "Checking this answer against the asker's pattern takes too many steps";
    assert!(refused.stderr.contains(text), "{refused:?}");
    assert_eq!(world.show(&id)["state"], "open", "{}", world.show(&id));
    let mut plain = request;
    plain["as_is"] = false.into();
    let refused = world.sayso(["ask", "--no-wait", &plain.to_string()]).run();
    assert!(refused.exit == 1 && refused.stderr.contains("takes too many steps"), "{refused:?}");
}
