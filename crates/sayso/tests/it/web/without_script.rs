//! Tests of the pages without scripts, in a browser with scripts off.

use crate::support::browser::page_browser::PageBrowser;
use crate::support::served_desk::plain_desk::{PlainDesk, plain_path};
use crate::support::served_desk::{id_of, new_token};
use sayso_desk::token::TokenRole;
use serde_json::json;

#[test]
fn several_kinds_are_answered_without_script() {
    let desk = PlainDesk::start();
    let port = desk.served.address.rsplit_once(':').unwrap().1;
    let mut page = PageBrowser::start(&desk.world, &format!("http://localhost:{port}"));
    page.open("plain", json!({ "script": false, "width": 390, "height": 844 }));
    let region = json!({ "id": "region", "prompt": "Which region?", "show_if": { "is": "production" } });
    let ask = desk.ask(&json!({ "title": "Release", "questions": [
        { "id": "env", "prompt": "Where to?", "options": ["staging", "production"], "children": [region] },
        { "id": "tests", "prompt": "Which tests?", "options": ["unit", "storm"], "multi": true },
        { "id": "go", "kind": "confirm", "prompt": "Ship it?", "yes": "Go" },
        { "id": "rate", "kind": "rating", "prompt": "How sure?", "emoji": true },
        { "id": "day", "kind": "date", "prompt": "Which day?" },
        { "id": "count", "kind": "number", "prompt": "How many?", "constraints": [{ "max": 5 }] },
        { "id": "notes", "kind": "text", "long": true, "prompt": "What is new?" },
    ] }));
    // The page with scripts leads to the one without.
    page.go_to("/");
    page.follow_link("Answer without JavaScript");
    assert_eq!(page.run_step("address", json!({})), "/plain");
    // That of an ask leads to the same ask.
    page.go_to(&format!("/a/{}", id_of(&ask)));
    page.follow_link("Answer without JavaScript");
    page.fill_field("Or an access token", &new_token(&desk.world, TokenRole::Person, "ada"));
    page.click_button("Sign in");
    page.expect_text("Where to?");
    assert_eq!(page.run_step("address", json!({})), plain_path(&ask, ""));
    page.check_radio("production");
    page.run_step("check", json!({ "label": "storm", "role": "checkbox" }));
    page.check_radio("Yes (“Go”)");
    page.check_radio("😍 5");
    page.fill_field("Which day?", "2026-03-01");
    page.fill_field("How many?", "7");
    page.fill_field("What is new?", "Two\nlines");
    page.click_button("Review answers");
    // Its follow-up is asked before the review.
    page.expect_text("Your answers ask 1 more question.");
    page.fill_field("Which region?", "eu");
    page.click_button("Review answers");
    page.expect_text("There is 1 problem");
    page.follow_link("It must be at most 5.");
    page.expect_value("How many?", "7");
    page.fill_field("How many?", "3");
    page.click_button("Review answers");
    page.expect_text("Digest of what was shown:");
    assert_eq!(desk.state(&ask), "open");
    page.click_button("Send 8 answers to ci");
    page.expect_text("Answered by ada");
    let replies = desk.outcome(&ask)["replies"].clone();
    let answer = |id: &str| replies[id]["answer"].clone();
    assert_eq!(answer("tests"), json!({ "picks": [{ "option": "storm" }] }));
    assert_eq!(
        (answer("region"), answer("notes")),
        (json!({ "text": "eu" }), json!({ "text": "Two\nlines" }))
    );
    assert_eq!((answer("go"), answer("rate")), (json!({ "confirm": true }), json!({ "rating": 5 })));
    assert_eq!((answer("day"), answer("count")), (json!({ "date": "2026-03-01" }), json!({ "number": 3 })));
    page.follow_link("Inbox");
    page.expect_text("No asks are waiting.");
    page.assert_no_errors();
}

#[test]
fn pages_without_script_are_accessible() {
    let desk = PlainDesk::start();
    let port = desk.served.address.rsplit_once(':').unwrap().1;
    // axe-core is a script itself, so it looks at the same pages in a browser that runs the test's scripts.
    let mut page = PageBrowser::start(&desk.world, &format!("http://localhost:{port}"));
    let ask = desk.ask(&json!({ "title": "Release", "context": "For **all**.", "questions": [
        { "id": "env", "prompt": "Where to?", "options": ["staging", "production"], "other": true },
        { "id": "go", "kind": "confirm", "prompt": "Ship it?", "yes": "Go" },
        { "id": "rate", "kind": "rating", "prompt": "How sure?" },
        { "id": "notes", "kind": "text", "long": true, "prompt": "What is new?", "required": false },
    ] }));
    page.go_to("/plain");
    page.assert_accessible();
    page.fill_field("Or an access token", &new_token(&desk.world, TokenRole::Person, "ada"));
    page.click_button("Sign in");
    page.expect_text("Release");
    for width in [320, 1280] {
        page.run_step("size", json!({ "width": width, "height": 800 }));
        for more in ["?check=yes", "/review", "/decline"] {
            page.go_to(&plain_path(&ask, more));
            page.assert_accessible();
        }
        page.go_to("/plain");
        page.assert_accessible();
    }
    page.assert_no_errors();
}
