//! Test of a phone that signs in by the code that a signed-in browser shows.

use crate::web::signed_in::SignedInPage;
use serde_json::json;

#[test]
fn phone_signs_in_by_code() {
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
