//! Tests of a phone: it signs in by the code that a signed-in browser shows, and shows one question a screen if asked to.

use crate::support::served_desk::id_of;
use crate::web::signed_in::SignedInPage;
use serde_json::json;

#[test]
pub(super) fn phone_signs_in_by_code() {
    let mut signed = SignedInPage::start();
    signed.page.go_to("/login");
    signed.page.click("#scan");
    signed.page.expect_element("#qr path");
    let link = signed.page.text_of("#url");
    signed.page.open("phone", json!({ "width": 390, "height": 844, "touch": true }));
    signed.page.go_to(&link);
    signed.page.expect_element("#claim");
    // The phone shows a number, which counts once it is typed where the code is.
    let number = signed.page.text_of("#number");
    assert_eq!(number.len(), 3, "{number}");
    assert_eq!(signed.page.run_step("address", json!({})), "/login", "the code leaves the address");
    signed.page.turn_to("main");
    signed.page.run_step("put", json!({ "selector": "#shown", "text": number }));
    signed.page.click("#link .primary");
    signed.page.expect_element("#let-in");
    signed.page.turn_to("phone");
    signed.page.expect_text("No questions are waiting.");
    // The same link is of no use to anyone else.
    signed.page.open("thief", json!({}));
    signed.page.go_to(&link);
    signed.page.expect_element("#problem:not(:empty)");
    // The person ends the phone's session, and its page asks to sign in again.
    signed.page.turn_to("main");
    signed.page.click("#sessions li button");
    signed.page.turn_to("phone");
    signed.page.expect_element("#code");
    signed.page.assert_no_errors();
}

#[test]
pub(super) fn phone_shows_one_question_by_setting() {
    let mut signed = SignedInPage::start();
    let questions = ["First?", "Second?"].map(|prompt| json!({ "id": prompt, "prompt": prompt }));
    // A label of the outline is escaped once.
    let third = json!({ "id": "3", "prompt": "\u{202e}Third?" });
    let questions = questions.into_iter().chain([third]).collect::<Vec<_>>();
    let ask = signed.ask(&json!({ "title": "Three", "questions": questions }));
    signed.open_browser("phone", json!({ "width": 390, "height": 844, "touch": true }));
    signed.page.go_to(&format!("/a/{}", id_of(&ask)));
    signed.page.fill_field("Second?", "all at once");
    signed.page.click(".outline summary");
    signed.page.expect_text("○ ⟦U+202E⟧Third?");
    let setting = json!({ "label": "One question at a time", "role": "checkbox" });
    signed.page.run_step("check", setting);
    signed.page.run_step("away", json!({ "selector": "[data-id='Second?']" }));
    signed.page.fill_field("First?", "alone");
    signed.page.click_button("Continue");
    signed.page.expect_value("Second?", "all at once");
    signed.page.run_step("away", json!({ "selector": "[data-id='First?']" }));
    // The browser's own Back leads to the step before, and then away.
    signed.page.run_step("back", json!({}));
    signed.page.expect_value("First?", "alone");
    signed.page.run_step("away", json!({ "selector": "[data-id='Second?']" }));
    signed.page.run_step("forward", json!({}));
    signed.page.expect_value("Second?", "all at once");
    // The browser remembers it. A page that is not saved yet would ask before it goes.
    signed.page.expect_element(".save-line.saved");
    signed.page.run_step("reload", json!({}));
    signed.page.expect_value("First?", "alone");
    signed.page.run_step("away", json!({ "selector": "[data-id='Second?']" }));
    signed.page.assert_no_errors();
}
