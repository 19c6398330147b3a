//! The eighteen test cases in the spec of `AskUserQuestion`, as far as they need no terminal.

use crate::sample::{answered, ask, question, questionnaire, read, request};
use sayso_core::Lang;
use sayso_core::{Pick, Replies, Reply};
use sayso_dialects::Dialect;
use sayso_dialects::ask_user_question::{AskUserQuestionChoice, parse_answer};
use serde_json::{Value, json};

/// Returns the asker's stdout after these lines were typed at these questions; an own answer is the line after.
fn asked(questions: &[Value], lines: &[&str]) -> String {
    let questionnaire = questionnaire(questions);
    let mut lines = lines.iter();
    let mut replies = Replies::new();
    for question in &questionnaire.questions {
        let choice = question.choice().unwrap();
        let picks = match parse_answer(choice, lines.next().unwrap()) {
            AskUserQuestionChoice::Picked(picks) => picks,
            AskUserQuestionChoice::FirstByDefault(pick) => vec![pick],
            AskUserQuestionChoice::Custom => vec![Pick::Other((*lines.next().unwrap()).to_owned())],
        };
        replies.insert(question.id.clone(), Reply::from_picks(picks));
    }
    Dialect::AskUserQuestion.write(ask(), &questionnaire, &answered(replies)).stdout
}

fn one() -> Value {
    question("H", &["A", "B", "C"], false)
}

fn several() -> Value {
    question("M", &["A", "B", "C"], true)
}

fn refused(text: &str) -> String {
    Dialect::AskUserQuestion.refuse(&read(text).unwrap_err(), Lang::En).stderr
}

/// Returns the issue lines for one question after a change.
fn issue(change: impl Fn(&mut Value)) -> String {
    let mut question = one();
    change(&mut question);
    refused(&request(&[question])).replace("Error: Validation failed\n", "")
}

#[test]
fn case_1_to_4_normal_flow() {
    assert_eq!(asked(&[one()], &["2"]), r#"{"answers":{"H":"B"}}"#);
    assert_eq!(asked(&[several()], &["1,2"]), r#"{"answers":{"M":"A, B"}}"#);
    assert_eq!(asked(&[one(), several()], &["3", "2,3"]), r#"{"answers":{"H":"C","M":"B, C"}}"#);
    assert_eq!(asked(&[one()], &["0", "mine"]), r#"{"answers":{"H":"Other (custom: mine)"}}"#);
}

#[test]
fn case_5_invalid_json() {
    let words = "Error: Invalid JSON format\nUsage: AskUserQuestion '{\"questions\":[...]}'";
    assert_eq!(refused("{questions:[]}"), words);
}

#[test]
fn case_6_missing_fields() {
    for field in ["question", "header", "options", "multiSelect"] {
        let issue = issue(|question| {
            question.as_object_mut().unwrap().remove(field);
        });
        assert_eq!(issue, format!("- questions[0].{field}: Required"));
    }
}

#[test]
fn case_7_to_10_counts() {
    let failed = |words: &str| format!("Error: Validation failed\n- {words}");
    assert_eq!(refused(&request(&[])), failed("questions: Array must contain at least 1 element(s)"));
    let five = [one(), one(), one(), one(), one()];
    assert_eq!(refused(&request(&five)), failed("questions: Array must contain at most 4 element(s)"));
    let options = |count: usize| {
        let option = json!({ "label": "A", "description": "a" });
        issue(|question| question["options"] = Value::Array(vec![option.clone(); count]))
    };
    assert_eq!(options(1), "- questions[0].options: Array must contain at least 2 element(s)");
    assert_eq!(options(5), "- questions[0].options: Array must contain at most 4 element(s)");
}

#[test]
fn case_11_and_12_lengths() {
    let header = issue(|question| question["header"] = "🦀🦀🦀🦀🦀🦀x".into());
    assert_eq!(header, "- questions[0].header: String must contain at most 12 character(s)");
    let prompt = issue(|question| question["question"] = "x".repeat(501).into());
    assert_eq!(prompt, "- questions[0].question: String must contain at most 500 character(s)");
    let fits = json!({ "question": "x".repeat(500), "header": "🦀🦀🦀🦀🦀🦀", "options": one()["options"], "multiSelect": true });
    assert!(read(&request(&[fits])).is_ok());
}

#[test]
fn case_13_and_14_default_choice() {
    assert_eq!(asked(&[one()], &["9"]), r#"{"answers":{"H":"A"}}"#);
    assert_eq!(asked(&[several()], &[""]), r#"{"answers":{"M":"A"}}"#);
}

#[test]
fn case_15_to_18_typed_input() {
    assert_eq!(asked(&[one()], &["1"]), r#"{"answers":{"H":"A"}}"#);
    assert_eq!(asked(&[several()], &["1,3"]), r#"{"answers":{"M":"A, C"}}"#);
    assert_eq!(asked(&[one()], &["other", "x"]), r#"{"answers":{"H":"Other (custom: x)"}}"#);
    assert_eq!(asked(&[one()], &["0", ""]), r#"{"answers":{"H":"Other"}}"#);
    assert_eq!(asked(&[one()], &["0", "  x "]), r#"{"answers":{"H":"Other (custom:   x )"}}"#);
}
