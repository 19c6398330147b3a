//! Tests of every kind of question and every type of field on the page: with a mouse, with the keyboard alone, with a
//! finger. `tests/browser/ways.mjs` does the same in the element alone.

use crate::support::served_desk::{ask_path, id_of};
use crate::web::signed_in::SignedInPage;
use serde_json::{Value, json};

fn every(what: &str) -> Value {
    let file: Value = serde_json::from_str(include_str!("../../browser/support/every.json")).unwrap();
    file[what].clone()
}

/// Answers an ask on the page, from the first question to the receipt, and returns the answers by their questions.
fn answer(signed: &mut SignedInPage, ask: &Value, steps: &Value, by: &str) -> Value {
    let least = if by == "touch" { 44 } else { 24 };
    let page = &mut signed.page;
    page.go_to(&format!("/a/{}", id_of(ask)));
    page.expect_element("sayso-questionnaire");
    page.run_step("answer", json!({ "by": by, "steps": steps }));
    page.assert_targets(least, by);
    page.assert_nothing_cut(by);
    page.run_step("push", json!({ "by": by, "button": "Review answers" }));
    page.expect_element(".stage > .review");
    page.assert_targets(least, by);
    page.run_step("settle", json!({ "ms": 400 }));
    let send = page.text_of(".review .primary");
    page.run_step("push", json!({ "by": by, "button": send }));
    page.expect_element(".receipt");
    page.assert_targets(least, by);
    let outcome = signed.asker.get(&ask_path(ask, "/outcome?wait=20")).json(200)["outcome"].clone();
    let replies = outcome["replies"].as_object().unwrap();
    replies.iter().map(|(id, reply)| (id.clone(), without_seconds(reply["answer"].clone()))).collect()
}

/// Takes away the seconds that the desk adds to a time of which a person gave hours and minutes.
fn without_seconds(mut answer: Value) -> Value {
    for kind in ["time", "datetime"] {
        if let Some(text) = answer[kind].as_str() {
            let short = text.strip_suffix(":00").unwrap_or_else(|| panic!("{text}"));
            answer[kind] = short.into();
        }
    }
    answer
}

/// Returns the value of a picked option.
fn value_of(fields: &Value, field: &str, pick: &Value) -> Value {
    let all = fields["request"]["fields"].as_array().unwrap();
    let options = all.iter().find(|one| one["id"] == field).unwrap()["options"].as_array().unwrap();
    let of = |option: &&Value| option["value"] == pick["option"];
    options.iter().find(of).unwrap_or_else(|| panic!("{pick}"))["value"].clone()
}

fn answer_all(by: &str, how: Option<Value>) {
    let mut signed = SignedInPage::start();
    if let Some(how) = how {
        signed.open_browser(by, how);
    }
    let kinds = every("kinds");
    let ask = signed.ask(&kinds["request"]);
    assert_eq!(answer(&mut signed, &ask, &kinds["steps"], by), kinds["answers"]);
    let fields = every("fields");
    signed.page.go_to("/");
    signed.page.expect_element(".inbox .tab >> nth=0");
    signed.page.assert_targets(if by == "touch" { 44 } else { 24 }, "inbox");
    let body = json!({ "dialect": "interaction", "request": { "schema": fields["request"] } });
    let ask = signed.asker.post("/v1/asks", &body).json(201);
    let answers = answer(&mut signed, &ask, &fields["steps"], by);
    let inputs = fields["input"].as_object().unwrap();
    assert_eq!(answers.as_object().unwrap().len(), inputs.len(), "{answers:#}");
    for (name, input) in inputs {
        let answer = answers[name].as_object().unwrap().values().next().unwrap();
        // The options have ids of their own; their order is that of the form.
        let value = match answer.as_array() {
            Some(picks) => picks.iter().map(|pick| value_of(&fields, name, pick)).collect(),
            None => answer.clone(),
        };
        let wanted = if answer.is_array() && !input.is_array() { json!([input]) } else { input.clone() };
        assert_eq!(value, wanted, "{name}");
    }
    signed.page.assert_no_errors();
}

#[test]
pub(super) fn mouse_answers_everything() {
    answer_all("mouse", None);
}

#[test]
pub(super) fn keyboard_answers_everything() {
    answer_all("keyboard", None);
}

#[test]
pub(super) fn finger_answers_everything() {
    answer_all("touch", Some(json!({ "width": 390, "height": 844, "touch": true })));
}
