//! Questions of every kind on an interrupt, and approvals that are decided by the picked option.

use super::read;
use crate::sample::{answered, ask};
use sayso_core::{Lang, Outcome, Questionnaire};
use sayso_dialects::Dialect;
use sayso_dialects::interrupt::{
    ResumeDecision, ResumeRequest, decision, end_events, event_data, is_approval, rejection_events,
    resolve_decision, tool_result,
};
use serde_json::{Value, json};
use std::sync::Arc;

fn resume(body: &Value) -> ResumeRequest {
    ResumeRequest::from_body(body).unwrap()
}

/// Returns the outcome of a decision, or the message of its refusal.
fn decide(asked: &Arc<Questionnaire>, body: &Value) -> Result<Outcome, String> {
    match resolve_decision(asked, &resume(body)) {
        Ok(ResumeDecision::Answer(given)) => Ok(answered(given.validate(asked).unwrap().replies)),
        Ok(ResumeDecision::Decline) => Err("declined".to_owned()),
        Err(problem) => {
            let message = rejection_events(&problem, Lang::En)[0].data["message"].clone();
            Err(message.as_str().unwrap().to_owned())
        }
    }
}

fn form() -> Arc<Questionnaire> {
    let options = json!([{ "id": "p", "label": "Papers" }, { "id": "q", "label": "Quotes, long" }]);
    let request = json!({ "questions": [
        { "prompt": "Port?", "kind": "number", "constraints": [{ "min": 1 }, { "multiple_of": 1 }] },
        { "prompt": "Which?", "options": options, "multi": true, "constraints": [{ "max_picks": 1 }] },
        { "prompt": "Name?", "constraints": [{ "min_length": 3 }] },
        { "prompt": "Sure?", "kind": "confirm", "consent": false },
        { "prompt": "Day?", "kind": "date", "required": false },
        { "prompt": "Well?", "kind": "rating", "max": 3 },
    ] });
    Arc::new(sayso_core::wire::questionnaire::read(&request.to_string()).unwrap().questionnaire)
}

#[test]
fn every_kind_is_asked_with_options() {
    let data = event_data(&form(), Lang::En);
    let options: Vec<Value> = (0..6).map(|at| data["questions"][at]["options"].clone()).collect();
    let typed = |label: &str| json!({ "label": label, "value": "__custom__", "allow_custom": true });
    assert_eq!(options[0], json!([typed("The answer must be a number, such as 12.5.")]));
    let several = typed("Several, with commas between them");
    let picks =
        json!([{ "label": "Papers", "value": "p" }, { "label": "Quotes, long", "value": "q" }, several]);
    assert_eq!(options[1], picks);
    assert_eq!(options[3], json!([{ "label": "Yes", "value": "true" }, { "label": "No", "value": "false" }]));
    assert_eq!(options[4][1], json!({ "label": "No answer", "value": "__none__" }));
    assert_eq!(options[5][2], json!({ "label": "3", "value": "3" }));
    assert_eq!(event_data(&form(), Lang::Zh)["questions"][4]["options"][1]["label"], "不回答");
}

#[test]
fn answers_are_judged_before_they_are_sent() {
    let good = ["8080", "p", "Ada", "true", "2026-11-28", "3"];
    for (index, answer, expected) in [
        (0, "abc", "answer at index 0: The answer must be a number, such as 12.5."),
        (0, "0", "answer at index 0: It must be at least 1."),
        (0, "1.5", "answer at index 0: It must be a multiple of 1."),
        (0, "__custom__", "answer at index 0: The answer must be a number, such as 12.5."),
        (1, "p, zzz", "answer at index 1 is not an option"),
        (1, "p, Quotes", "answer at index 1 is not an option"),
        (1, "[\"p\", \"Quotes, long\"]", "answer at index 1: Choose at most 1."),
        (2, "Al", "answer at index 2: Write at least 3 characters."),
        (3, "maybe", "answer at index 3 is not an option"),
        (4, "soon", "answer at index 4: The answer must be a date, such as 2026-03-01."),
        (5, "4", "answer at index 5: The answer must be a whole number from 1 to 3."),
    ] {
        let mut answers = good;
        answers[index] = answer;
        let refused = decide(&form(), &json!({ "action": "answer", "answers": answers }));
        assert_eq!(refused.unwrap_err(), expected, "{answer}");
    }
    let sent = |answers: &[&str]| {
        let outcome = decide(&form(), &json!({ "action": "answer", "answers": answers })).unwrap();
        Dialect::Interrupt.write(ask(), &form(), &outcome).stdout
    };
    assert_eq!(sent(&good), r#"["8080", "p", "Ada", "true", "2026-11-28", "3"]"#);
    assert_eq!(
        sent(&["8080", "quotes， ", "Ada", "false", "__none__", "3"].map(|answer| match answer {
            "quotes， " => "papers，",
            answer => answer,
        })),
        r#"["8080", "p", "Ada", "false", "", "3"]"#
    );
}

#[test]
fn picked_option_decides_open_choice() {
    let options =
        json!([{ "label": "Drop Postgres", "value": "o1" }, { "label": "Keep both", "value": "o2" }]);
    let asked = Arc::new(
        read(&json!({ "taskName": "Which database?", "options": options }).to_string())
            .unwrap()
            .questionnaire,
    );
    let data = event_data(&asked, Lang::En);
    assert_eq!((&data["options"], &data["questions"]), (&options, &Value::Null));
    assert!(is_approval(&asked));
    let refused = |body: &Value| decide(&asked, body).unwrap_err();
    assert_eq!(refused(&json!({ "action": "continue" })), "Pick one of the options: 'answer' with its value");
    assert_eq!(
        refused(&json!({ "action": "answer", "answers": ["o3"] })),
        "answer at index 0 is not an option"
    );
    assert_eq!(refused(&json!({ "action": "cancel" })), "declined");
    let outcome = decide(&asked, &json!({ "action": "answer", "answers": ["o2"] })).unwrap();
    assert_eq!(tool_result(&asked, &outcome, "c").as_deref(), Some(r#"["o2"]"#));
    assert_eq!(end_events(&asked, &outcome)[0].data, json!({ "action": "answer" }));
    assert_eq!(decision(&asked, &outcome).answers, Some(vec!["o2".to_owned()]));
}
