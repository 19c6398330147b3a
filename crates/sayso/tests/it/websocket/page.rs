//! Tests of the example client of the interaction format, in a real browser: the rendering section of its spec.

use crate::support::http_client::OpenReply;
use crate::web::signed_in::SignedInPage;
use serde_json::{Value, json};
use std::net::TcpStream;

/// Asks in the page's session; the request waits for its reply.
fn ask(signed: &SignedInPage, arguments: &Value) -> TcpStream {
    let request = signed.asker.request("POST", "/api/plugins/questions/operations/ask");
    request.header("x-session-id", "s1").json(arguments).send_and_disconnect()
}

fn result_of(held: TcpStream) -> Value {
    OpenReply::of(held).and_then(OpenReply::whole).unwrap().json(200)["result"].clone()
}

/// Opens the example as a signed-in person.
fn open_client() -> SignedInPage {
    let mut signed = SignedInPage::start();
    signed.page.go_to("/examples/interaction");
    signed.page.fill_field("Session", "s1");
    signed.page.click_button("Connect");
    signed.page.expect_text("Connected.");
    signed
}

/// Returns what a person reads in the blocks: the words of an element are not the page's own text.
fn shown_blocks(signed: &mut SignedInPage) -> String {
    signed.page.run_step("tree", json!({ "selector": "#blocks" })).as_str().unwrap().to_owned()
}

#[test]
fn example_client_follows_spec() {
    let mut signed = open_client();
    let fields = json!([
        { "id": "email", "type": "text", "label": "Email", "required": true, "pattern": "@" },
        { "id": "role", "type": "select", "label": "Role", "options": [{ "label": "Developer", "value": "dev" }] },
    ]);
    let schema = json!({ "title": "Quick questions", "description": "A few things.", "submitLabel": "Send", "fields": fields });
    let held = ask(&signed, &json!({ "prompt": "Before I go on:", "schema": schema }));
    // A block of its own, with an intro, a headline and the tool's label.
    for words in ["Before I go on:", "Quick questions", "A few things.", "Send"] {
        signed.page.expect_text(words);
    }
    // There is no place for a note in a response.
    signed.page.expect_gone("Add a note");
    signed.page.fill_field("Email", "ada");
    signed.page.check_radio("Developer");
    // A disabled client renders it read-only, with the hint.
    let toggle = json!({ "role": "checkbox", "button": "Interactive mode" });
    signed.page.run_step("click", toggle.clone());
    signed.page.expect_text("Interactive mode disabled — enable to respond");
    assert!(!shown_blocks(&mut signed).contains("Send"));
    signed.page.run_step("click", toggle);
    signed.page.expect_gone("Interactive mode disabled");
    // The tool's hook validates again; what was submitted stays, as the person's own.
    signed.page.click_button("Send");
    signed.page.expect_text("Email: Invalid format.");
    signed.page.expect_value("Email", "ada");
    assert!(!shown_blocks(&mut signed).contains("filled in by the asker"));
    signed.page.fill_field("Email", "ada@example.com");
    signed.page.assert_accessible();
    signed.page.click_button("Send");
    let answers = json!({ "email": "ada@example.com", "role": "dev" });
    assert_eq!(result_of(held), json!({ "ok": true, "answers": answers }));
    // A completed one shows the submitted values, read-only.
    signed.page.expect_text("Submitted");
    let shown = shown_blocks(&mut signed);
    assert!(
        shown.contains("ada@example.com") && shown.contains("Developer") && !shown.contains("Send"),
        "{shown}"
    );
    signed.page.assert_no_errors();
}

#[test]
fn example_client_shows_ends() {
    let mut signed = open_client();
    let field = |label: &str| json!([{ "id": "name", "type": "text", "label": label }]);
    let held = ask(
        &signed,
        &json!({ "schema": { "title": "First", "cancelLabel": "Not now", "fields": field("First name") } }),
    );
    signed.page.click_button("Not now");
    signed.page.click_button("Decline");
    assert_eq!(result_of(held), json!({ "ok": false, "cancelled": true }));
    signed.page.expect_element("h2:text-is('Declined')");
    let held = ask(
        &signed,
        &json!({ "schema": { "title": "Second", "fields": field("Second name") }, "timeoutMs": 500 }),
    );
    assert_eq!(result_of(held)["error"], "Interaction timed out");
    signed.page.expect_text("The deadline passed without an answer.");
    // Optional sections can be skipped, which sends where nothing comes after; a section's own label is on its step.
    let sections = json!([
        { "id": "one", "title": "Part one", "fields": field("Third name"), "submitLabel": "Onward" },
        { "id": "two", "title": "Part two", "optional": true, "fields": [
            { "id": "more", "type": "text", "label": "More", "required": true },
        ] },
    ]);
    let held = ask(&signed, &json!({ "schema": { "title": "Third", "sections": sections } }));
    signed.page.fill_field("Third name", "Ada");
    signed.page.click_button("Onward");
    signed.page.expect_text("Part two");
    signed.page.click_button("Skip this section");
    assert_eq!(result_of(held), json!({ "ok": true, "answers": { "name": "Ada" } }));
    signed.page.assert_no_errors();
}

#[test]
fn submitted_yes_is_no_suggestion() {
    let mut signed = open_client();
    let fields = json!([
        { "id": "ok", "type": "checkbox", "label": "Delete it?", "required": true, "defaultValue": true },
        { "id": "email", "type": "text", "label": "Email", "pattern": "@" },
    ]);
    let held = ask(&signed, &json!({ "schema": { "title": "Clean up", "fields": fields } }));
    let yes = |marked: &str| format!(".option:has-text('Yes'){marked}");
    signed.page.expect_element(&yes(":has(.badge)"));
    signed.page.click(&format!("{} label", yes("")));
    signed.page.fill_field("Email", "ada");
    signed.page.click_button("Submit");
    signed.page.expect_text("Email: Invalid format.");
    signed.page.expect_element(&yes(":not(:has(.badge))"));
    drop(held);
    signed.page.assert_no_errors();
}
