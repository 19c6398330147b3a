//! Tests of what the page keeps to itself: its policy holds, its parts load, and no word of an ask leaves it.

use crate::support::served_desk::id_of;
use crate::web::signed_in::SignedInPage;
use serde_json::json;

/// Word that no part of the page has.
const WORD: &str = "Zanzibar";

#[test]
pub(super) fn parts_load_under_policy() {
    let mut signed = SignedInPage::start();
    let manifest = signed.page.run_step("manifest", json!({}));
    assert_eq!(manifest, json!(["/manifest.webmanifest", "Sayso", "true"]));
    let kept = signed.page.run_step("kept", json!({ "word": WORD }));
    assert_eq!(kept[0], "/worker.js", "{kept}");
    // The page reports what breaks its policy as an error.
    signed.page.assert_no_errors();
}

#[test]
pub(super) fn no_word_leaves_page() {
    let mut signed = SignedInPage::start();
    let ask = signed.ask(&json!({ "title": WORD, "context": WORD, "questions": [
        { "id": WORD, "prompt": WORD, "options": [WORD, "Other"] }, { "id": "b", "prompt": format!("{WORD}?") },
    ] }));
    signed.page.expect_text(WORD);
    signed.page.follow_link(WORD);
    signed.page.check_radio(WORD);
    signed.page.fill_field(&format!("{WORD}?"), WORD);
    signed.page.click_button("Review answers");
    signed.page.expect_element(".stage > .review");
    assert_eq!(signed.page.run_step("address", json!({})), format!("/a/{}#review", id_of(&ask)));
    signed.page.run_step("back", json!({}));
    signed.page.expect_element(".question >> nth=0");
    signed.page.click_button("Review answers");
    signed.page.expect_element(".stage > .review");
    signed.page.run_step("settle", json!({ "ms": 400 }));
    signed.page.click(".review .primary");
    signed.page.expect_element(".receipt");
    let kept = signed.page.run_step("kept", json!({ "word": WORD }));
    let all: Vec<_> = kept.as_array().unwrap().iter().map(|one| one.as_str().unwrap()).collect();
    assert!(all.contains(&"/page.js") && all.contains(&"/sayso-questionnaire.js"), "{all:?}");
    assert!(
        !all.iter().any(|one| one.contains(WORD) || one.starts_with("/v1") || one.starts_with("/a/")),
        "{all:?}"
    );
    // Addresses, titles and states of the history with other words than ours are errors.
    signed.page.assert_no_errors();
}
