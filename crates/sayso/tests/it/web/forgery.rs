//! Tests of asks that mean harm on the page: texts that would run, fetch, hide or forge, and requests that would press an
//! answer on a person. `tests/browser/harm.mjs` has the same texts in the element alone.

use crate::support::browser::page_browser::sees_everything;
use crate::support::served_desk::{ask_path, id_of};
use crate::web::signed_in::SignedInPage;
use serde_json::{Value, json};

/// Returns the texts of these classes, with the names of their cases.
fn harmful_texts(classes: [&str; 2]) -> Vec<(String, String)> {
    let cases: Vec<Value> =
        serde_json::from_str(include_str!("../../../../core/tests/vectors/hostile-text.json")).unwrap();
    let word = |value: &Value| value.as_str().unwrap().to_owned();
    let wanted = cases.iter().filter(|case| classes.contains(&case["class"].as_str().unwrap()));
    wanted.map(|case| (word(&case["id"]), word(&case["input"][0]))).collect()
}

fn harmful_ask(id: &str) -> Value {
    let cases: Vec<Value> = serde_json::from_str(include_str!("../../vectors/hostile-asks.json")).unwrap();
    cases.into_iter().find(|case| case["id"] == id).unwrap()["input"].take()
}

fn assert_harmless(signed: &mut SignedInPage, what: &str) {
    assert_eq!(signed.page.run_step("harm", json!({})), json!([]), "{what}");
}

fn open(signed: &mut SignedInPage, ask: &Value) {
    signed.page.go_to(&format!("/a/{}", id_of(ask)));
    signed.page.expect_element(".question >> nth=0");
}

#[test]
pub(super) fn harmful_texts_stay_text() {
    let mut signed = SignedInPage::start();
    let texts = harmful_texts(["web", "forge"]);
    assert_eq!(texts.len(), 16);
    // All lines of the action are in view.
    signed.page.run_step("size", json!({ "width": 900, "height": 4_000 }));
    // A sample is each fourth; `tests/browser/harm.mjs` sees all of them.
    let step = if sees_everything() { 1 } else { 4 };
    for (id, text) in texts.into_iter().step_by(step) {
        let request = signed.page.run_step("everywhere", json!({ "text": text }));
        let mut request: Value = serde_json::from_str(request.as_str().unwrap()).unwrap();
        // The desk refuses a no that sounds like consent.
        request["sections"][0]["questions"][1].as_object_mut().unwrap().remove("no");
        let reply = signed.asker.post("/v1/asks", &json!({ "request": request }));
        if reply.status == 422 {
            // Some are too long for a place.
            assert!(id.starts_with("pad-"), "{id}: {}", reply.text());
            continue;
        }
        let ask = reply.json(201);
        open(&mut signed, &ask);
        assert_harmless(&mut signed, &id);
        signed.page.click("[data-id=a] .option label >> nth=0");
        signed.page.click("[data-id=b] .option label >> nth=0");
        signed.page.click("[data-id=d] .step >> nth=0");
        signed.page.click(".foot .primary");
        signed.page.expect_element(".stage > .review");
        assert_harmless(&mut signed, &format!("{id}, in the review"));
        signed.page.run_step("settle", json!({ "ms": 400 }));
        signed.page.click(".review .primary");
        signed.page.expect_element(".receipt");
        assert_harmless(&mut signed, &format!("{id}, in the receipt"));
    }
    signed.page.assert_no_errors();
}

#[test]
pub(super) fn ask_presses_no_answer() {
    let mut signed = SignedInPage::start();
    // A dangerous prefill is shown as the asker's, and no key sends it.
    let danger = harmful_ask("default-danger");
    let picked = danger["options"][usize::try_from(danger["default"].as_u64().unwrap()).unwrap()].clone();
    let question = json!({ "id": "a", "prompt": "What next?", "options": danger["options"], "prefill": { "picks": [{ "option": picked }] } });
    let ask = signed.ask(&json!({ "questions": [question] }));
    open(&mut signed, &ask);
    signed.page.expect_text("filled in by the asker");
    signed.page.run_step("answer", json!({ "by": "keyboard", "steps": [["a", "", "radio", "Keep"]] }));
    for _ in 0..20 {
        signed.page.run_step("key", json!({ "key": "Enter" }));
    }
    assert_eq!(signed.asker.get(&ask_path(&ask, "")).json(200)["state"], "open");
    // The browser would ask before it leaves an answer that is not saved.
    signed.page.expect_element(".save-line.saved");
    // A label of nothing shows what it is made of; labels that look alike have numbers.
    let empty = harmful_ask("option-empty-label");
    let option = json!({ "id": "o", "label": empty["label"], "value": empty["value"] });
    let ask =
        signed.ask(&json!({ "questions": [{ "id": "a", "prompt": "Go?", "options": [option, "No"] }] }));
    open(&mut signed, &ask);
    assert!(signed.page.text_of(".option >> nth=0").contains("⟦U+200B⟧"));
    let labels = harmful_ask("dup-labels")["options"].clone();
    let alike = |index: usize| json!({ "id": format!("o{index}"), "label": labels[index] });
    let ask = signed
        .ask(&json!({ "questions": [{ "id": "a", "prompt": "Go?", "options": [alike(0), alike(1)] }] }));
    open(&mut signed, &ask);
    assert_eq!(signed.page.text_of(".option >> nth=1"), "2. Yes o1");
    signed.page.assert_no_errors();
}

#[test]
pub(super) fn short_deadline_chooses_nothing() {
    let mut signed = SignedInPage::start();
    let danger = harmful_ask("default-danger");
    let prefill = json!({ "picks": [{ "option": danger["options"][0] }] });
    let choice =
        json!({ "id": "a", "prompt": "What next?", "options": danger["options"], "prefill": prefill });
    let request = json!({ "questions": [choice, { "id": "b", "prompt": "Why?" }] });
    let ask_until = |signed: &SignedInPage, ms: &Value| {
        signed.asker.post("/v1/asks", &json!({ "request": request, "timeout_ms": ms })).json(201)
    };
    let outcome = |signed: &SignedInPage, ask: &Value| {
        signed.asker.get(&ask_path(ask, "/outcome?wait=60")).json(200)["outcome"].clone()
    };
    // Over before anyone could read it.
    let ask = ask_until(&signed, &harmful_ask("deadline-1s")["deadline_ms"]);
    signed.page.go_to(&format!("/a/{}", id_of(&ask)));
    signed.page.expect_text("The deadline passed without an answer");
    assert_eq!(outcome(&signed, &ask)["outcome"], "expired");
    // Over while a person types: what they typed stays, and nothing is sent.
    let ask = ask_until(&signed, &json!(5_000));
    open(&mut signed, &ask);
    signed.page.expect_text("filled in by the asker");
    signed.page.type_keys("Why?", "Because");
    let end = outcome(&signed, &ask);
    assert_eq!((&end["outcome"], &end["replies"]), (&json!("expired"), &Value::Null), "{end:#}");
    signed.page.expect_text("The deadline passed without an answer");
    signed.page.expect_value("Why?", "Because");
    signed.page.assert_no_errors();
}

#[test]
pub(super) fn many_asks_take_no_focus() {
    let mut signed = SignedInPage::start();
    let count = harmful_ask("200-options")["options_n"].as_u64().unwrap();
    let options: Vec<_> = (0..count).map(|index| format!("Option {index}")).collect();
    let ask = signed.ask(&json!({ "questions": [
        { "id": "a", "prompt": "Which?", "options": options, "other": true }, { "id": "b", "prompt": "Say it." },
    ] }));
    open(&mut signed, &ask);
    signed.page.run_step("type", json!({ "label": "Say it.", "text": "My long " }));
    for number in 0..harmful_ask("focus-steal-burst")["asks_per_s"].as_u64().unwrap() {
        signed.ask(
            &json!({ "title": format!("Urgent {number}"), "questions": [{ "id": "a", "prompt": "Now!" }] }),
        );
        if number % 40 == 0 {
            // Keys go where the person put the focus.
            signed.page.run_step("key", json!({ "key": "x" }));
        }
    }
    signed.page.expect_text("Urgent");
    signed.page.run_step("key", json!({ "key": "y" }));
    signed.page.expect_value("Say it.", "My long xxxxxy");
    signed.page.check_radio("Option 199");
    signed.page.assert_no_errors();
}
