//! Warnings for valid requests of the Questionnaire API.

use super::read;
use proptest::prelude::*;
use sayso_core::{Condition, Lang, Problem};
use sayso_dialects::questionnaire::persistence_key;
use sayso_dialects::{Dialect, ParsedRequest};
use serde_json::{Value, json};

fn asked(questions: &Value) -> ParsedRequest {
    read(&json!({ "questions": questions }).to_string()).unwrap()
}

fn places(warnings: &[Problem]) -> Vec<String> {
    warnings.iter().map(|warning| warning.path.to_js_path()).collect()
}

fn text(id: &str) -> Value {
    json!({ "id": id, "type": "text", "label": "L", "prompt": "P" })
}

fn several(most: u64, options: usize, constraints: &Value) -> Value {
    let options: Vec<_> =
        (0..options).map(|at| json!({ "value": at.to_string(), "label": at.to_string() })).collect();
    json!({
        "id": "m", "type": "multiSelect", "maxSelect": most, "label": "L", "prompt": "P", "options": options,
        "constraints": constraints,
    })
}

/// Returns a request whose questions are far longer than they look.
fn wide(parent: &str, children: usize) -> Value {
    let child = |at: usize| {
        let mut child = text(&format!("c{at}"));
        child["showIf"] = json!({ "value": "never" });
        child
    };
    json!([{
        "id": parent, "type": "rating", "label": "L", "prompt": "P", "range": { "min": 1, "max": 5 },
        "children": (0..children).map(child).collect::<Vec<_>>(),
    }])
}

#[test]
fn warnings_are_bounded() {
    let read = asked(&wide(&"k".repeat(400_000), 999));
    assert_eq!(read.warnings.len(), 101);
    let message: usize = read.warnings.iter().map(|warning| warning.message.render(Lang::En).len()).sum();
    assert!(message < 20_000, "{message}");
    let first = read.warnings[0].message.render(Lang::En);
    assert!(first.contains(&format!("{}…", "k".repeat(60))), "{first}");
    assert_eq!(read.warnings[100].message.render(Lang::En), "And at least 899 more problems.");
    let at_top: Vec<_> = (0..300)
        .map(|at| {
            let mut question = text(&format!("q{at}"));
            question["showIf"] = json!({ "value": "x" });
            question
        })
        .collect();
    assert_eq!(asked(&json!(at_top)).warnings.len(), 101);
}

#[test]
fn draft_key_is_bounded() {
    let key = |parent: &str, children| persistence_key(&asked(&wide(parent, children)).questionnaire);
    let long = "k".repeat(200_000);
    let whole = key(&long, 999);
    assert!(whole.starts_with("sha256:") && whole.len() == 71, "{}", whole.len());
    assert_eq!(whole, key(&long, 999));
    assert_ne!(whole, key(&format!("{long}k"), 999));
    assert_ne!(whole, key(&long, 998));
    let ordinary = key("parent", 500);
    assert!(ordinary.starts_with("parent:rating|parent/c0:text|parent/c1:text|"));
    assert!(ordinary.ends_with("|parent/c499:text"));
    // The same names, one of them a level deeper.
    let child = |id: &str, children: Value| {
        let mut question = text(id);
        question["children"] = children;
        question
    };
    let beside = json!([child(&long, json!([child("a", json!([])), child("b", json!([]))]))]);
    let below = json!([child(&long, json!([child("a", json!([child("b", json!([]))]))]))]);
    let [beside, below] = [beside, below].map(|questions| persistence_key(&asked(&questions).questionnaire));
    assert_ne!(beside, below);
}

#[test]
fn unmeetable_show_if_is_warned() {
    let rating =
        json!({ "id": "p", "type": "rating", "label": "L", "prompt": "P", "range": { "min": 1, "max": 5 } });
    let confirm =
        json!({ "id": "p", "type": "confirm", "label": "L", "prompt": "P", "yesLabel": "", "noLabel": " " });
    let mut blank = several(2, 2, &json!([]));
    blank["options"][0]["value"] = json!("");
    for parent in [text("p"), rating, confirm, blank] {
        for value in [" x ", "", "  ", "06"] {
            let mut child = text("c");
            child["showIf"] = json!({ "value": value });
            let mut parent = parent.clone();
            parent["children"] = json!([child]);
            let questions = json!([parent]);
            let read = asked(&questions);
            let is_never = read.questionnaire.questions[1].show_if == Some(Condition::always_false());
            assert_eq!(read.warnings.len(), usize::from(is_never), "{questions}");
        }
    }
}

#[test]
fn annotation_without_step_is_warned() {
    let rating = json!([{
        "id": "r", "type": "rating", "label": "L", "prompt": "P", "range": { "min": 1, "max": 5 },
        "annotations": { "1": "one", "5": "five", "05": "x", "good": "x", "6": "x" },
    }]);
    let warnings = asked(&rating).warnings;
    assert_eq!(places(&warnings), ["questions[0].annotations"; 3]);
    let messages: Vec<_> = warnings.iter().map(|warning| warning.message.render(Lang::En)).collect();
    assert!(messages.iter().any(|messages| messages.starts_with("\"good\" is not a step")), "{messages:?}");
}

#[test]
fn unreachable_bound_is_warned() {
    let most = 5_000_000_000_u64;
    let rule = |kind: &str| json!({ "type": kind, "value": most, "message": "m" });
    let mut typed = text("t");
    typed["constraints"] = json!([rule("maxLength"), rule("minLength")]);
    let read = asked(&json!([several(most, 3, &json!([rule("maxSelect")])), typed]));
    let expected = [
        "questions[0].maxSelect",
        "questions[0].constraints[0].value",
        "questions[1].constraints[0].value",
        "questions[1].constraints[1].value",
    ];
    assert_eq!(places(&read.warnings), expected);
    let constraints: Vec<_> =
        read.questionnaire.questions.iter().map(|question| question.constraints.len()).collect();
    assert_eq!(constraints, [0, 1], "the least length still stands");
}

#[test]
fn max_select_message_is_used() {
    let example: Value =
        serde_json::from_str(include_str!("../../../src/questionnaire/full_example.json")).unwrap();
    let read = read(&example.to_string()).unwrap();
    assert_eq!(read.warnings, []);
    let features = json!({ "values": ["auth", "api", "ws", "db"] });
    let given = Dialect::Questionnaire
        .read_answers(&read.questionnaire, &json!({ "answers": { "features": features } }).to_string());
    let problems = given.unwrap().validate(&std::sync::Arc::new(read.questionnaire)).unwrap_err();
    let messages: Vec<_> = problems.iter().map(|problem| problem.message.render(Lang::En)).collect();
    assert!(messages.iter().any(|messages| messages == "最多选择 3 项功能"), "{messages:?}");
}

proptest! {
    #[test]
    fn max_select_has_least_message(own in 2..9_u64, declared in prop::collection::vec(1..9_u64, 0..3), options in 1..7_usize) {
        let rule = |most: &u64| json!({ "type": "maxSelect", "value": most, "message": format!("m{most}") });
        let constraints: Vec<_> = declared.iter().map(rule).collect();
        let first = asked(&json!([several(own, options, &json!(constraints))])).questionnaire;
        // Our message appears only if the asker has none for as few picks.
        let ours = first.questions[0].constraints.iter().any(|constraint| constraint.message.is_none());
        let is_worded = declared.iter().any(|declared| *declared <= own);
        prop_assert_eq!(ours, !is_worded && own != options as u64 + 1);
    }
}

#[test]
fn costly_pattern_is_a_warning() {
    let mut question = text("t");
    let rule = |value: &str| json!({ "type": "pattern", "value": value, "message": "m" });
    question["constraints"] = json!([rule("^a$"), rule(r"(a*)*\1b")]);
    let read = asked(&json!([question]));
    assert_eq!(places(&read.warnings), ["questions[0].constraints[1].value"]);
    let words =
        "The pattern takes too many steps to check: matching it against \"aaaaaaaaaaaa…\" was stopped.";
    assert_eq!(read.warnings[0].message.render(Lang::En), words);
    assert!(asked(&json!([text("t")])).warnings.is_empty());
}
