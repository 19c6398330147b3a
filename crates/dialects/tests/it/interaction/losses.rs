//! Losses of other dialects' questionnaires as forms.

use super::translation::{lost, questionnaire};
use sayso_core::Questionnaire;
use sayso_dialects::interaction::write_request;
use sayso_dialects::{Dialect, DialectLimits};
use serde_json::{Value, json};
use std::sync::Arc;

#[test]
fn translated_request_lists_losses() {
    let canonical = json!({
        "action": { "tool": "bash", "act": { "shell": { "command": "ls" } } },
        "questions": [
            { "id": "db", "label": "DB", "prompt": "Which?", "options": [{ "id": "pg", "label": "PostgreSQL",
                "description": "Rows", "recommended": true }], "other": true,
                "children": [{ "id": "v", "prompt": "Which version?", "show_if": { "is": "pg" } }] },
            { "id": "r", "kind": "rating", "prompt": "How good?", "max": 3, "emoji": true,
                "annotations": { "3": "very" } },
            { "id": "go", "kind": "confirm", "prompt": "Go?", "yes": "Do it" },
            { "id": "n", "kind": "number", "prompt": "How many?", "constraints": [
                { "min": 1, "message": "More." }, { "multiple_of": 2 }] },
        ],
    });
    let canonical = Dialect::Sayso.read(&canonical.to_string(), &DialectLimits::NONE).unwrap().questionnaire;
    assert_eq!(
        lost(&canonical),
        [
            "action: the action as data",
            "questions[0].label: the short name",
            "questions[0].other: the option to type an own answer",
            "questions[0].options[0].description: the description of the option",
            "questions[0].options[0].recommended: that it is recommended",
            "questions[0].children[0]: that it follows up another question; it is always asked",
            "questions[1].emoji: the emoji along the scale",
            "questions[2].yes: the labels of yes and no",
            "rules.trim_text: the rule trim_text; answers are checked differently",
            "rules.must_be_true: the rule must_be_true; answers are checked differently",
            "questions[0].constraints: the message for an invalid answer",
            "questions[0].children[0].constraints: the message for an invalid answer",
            "questions[1].kind: a question of the kind rating; its steps become options of a choice",
            "questions[1].constraints: the message for an invalid answer",
            "questions[2].kind: a question of the kind confirm; yes and no become options of a choice",
            "questions[2].constraints: the message for an invalid answer",
            "questions[3].constraints[1]: the constraint on answers",
        ]
    );
    let text: Value = serde_json::from_str(&write_request(&canonical).text).unwrap();
    let rating = json!({ "id": "r", "type": "select", "label": "How good?", "required": true, "options": [
        { "label": "1", "value": "1" }, { "label": "2", "value": "2" }, { "label": "3 (very)", "value": "3" }] });
    assert_eq!(text["fields"][2], rating);
    assert_eq!(text["fields"][4]["min"], 1);
}

#[test]
fn stale_extensions_are_lost() {
    let mut asked =
        questionnaire(r#"{"prompt":"P","schema":{"fields":[{"id":"a","type":"text","label":"A"}]}}"#);
    assert_eq!(lost(&asked), [""; 0]);
    asked.context = Some("Another".to_owned());
    assert_eq!(lost(&asked), ["beside.interaction: members that only interaction supports"]);
    let empty = Questionnaire { rules: asked.rules, ..Questionnaire::default() };
    assert_eq!(lost(&empty).len(), 1);
}

/// A required checkbox accepts only yes: a question with a valid no must not become one.
#[test]
fn confirm_still_accepts_no() {
    let text = r#"{"questions":[{"id":"go","kind":"confirm","prompt":"Go?","yes":"Go on","no":"Stop"}]}"#;
    let asked = Dialect::Sayso.read(text, &DialectLimits::default()).unwrap().questionnaire;
    let translated = Dialect::Interaction.write_request(&asked, &DialectLimits::default());
    let paths: Vec<_> = translated.lost.iter().map(|lost| lost.path.to_js_path()).collect();
    assert!(paths.contains(&"questions[0].kind".to_owned()), "{paths:?}");
    let form = Arc::new(
        Dialect::Interaction.read(&translated.text, &DialectLimits::default()).unwrap().questionnaire,
    );
    let given = Dialect::Interaction.read_answers(&form, r#"{"go":"false"}"#).unwrap();
    assert!(given.validate(&form).is_ok(), "{}", translated.text);
    let nothing = Dialect::Interaction.read_answers(&form, "{}").unwrap();
    assert!(nothing.validate(&form).is_err());
}
