//! Every screen of the page, one after the other.

use crate::support::served_desk::{answer_body, ask_path, id_of};
use crate::web::looks::Inspector;
use crate::web::signed_in::SignedInPage;
use serde_json::{Value, json};

fn example(name: &str) -> Value {
    let file = format!("{}/../../examples/{name}.json", env!("CARGO_MANIFEST_DIR"));
    serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap()
}

fn open(signed: &mut SignedInPage, ask: &Value) {
    signed.page.go_to(&format!("/a/{}", id_of(ask)));
}

fn two_texts(title: &str) -> Value {
    json!({ "title": title, "questions": [{ "id": "a", "prompt": "Say it." }, { "id": "b", "prompt": "And why?" }] })
}

/// Shows each screen to the inspector. What is pressed is found by its place, so that any language will do.
pub(crate) fn show_screens(signed: &mut SignedInPage, lang: &str, locale: &str, inspector: &mut Inspector) {
    signing_in(signed, lang, locale, inspector);
    questions(signed, inspector);
    change(signed, inspector);
    inbox(signed, inspector);
    answering(signed, inspector);
    ends(signed, inspector);
    failures(signed, inspector);
    links(signed, lang, locale, inspector);
    examples(signed, inspector);
}

fn signing_in(signed: &mut SignedInPage, lang: &str, locale: &str, inspector: &mut Inspector) {
    inspector.inspect(&mut signed.page, "empty inbox");
    signed.page.open("guest", json!({ "lang": locale }));
    signed.page.go_to("/login");
    signed.page.expect_element("#code");
    inspector.inspect(&mut signed.page, "sign-in");
    signed.page.run_step("put", json!({ "selector": "#code", "text": "2222-2222" }));
    signed.page.click("#login button");
    signed.page.expect_element("#problem:not(:empty)");
    inspector.inspect(&mut signed.page, "wrong code");
    signed.page.turn_to(lang);
}

fn questions(signed: &mut SignedInPage, inspector: &mut Inspector) {
    let file: Value = serde_json::from_str(include_str!("../../browser/support/every.json")).unwrap();
    for question in file["kinds"]["request"]["questions"].as_array().unwrap() {
        let ask =
            signed.ask(&json!({ "title": "One", "context": "Why it is asked.", "questions": [question] }));
        open(signed, &ask);
        signed.page.expect_element(".question");
        inspector.inspect(&mut signed.page, &format!("question: {}", question["id"]));
    }
    for name in ["approve-command", "onboard-service", "deploy"] {
        let ask = signed.ask(&example(name));
        open(signed, &ask);
        signed.page.expect_element(".question >> nth=0");
        inspector.inspect(&mut signed.page, name);
    }
}

/// Shows a change of a file.
fn change(signed: &mut SignedInPage, inspector: &mut Inspector) {
    let diff = "--- a/main.rs\n+++ b/main.rs\n@@ -1,3 +1,3 @@\n fn main() {\n-    let port = 1;\n+    let port = 2;\n }\n";
    let edit = json!({ "tool": "Edit", "act": { "edit": { "path": "/src/main.rs", "diff": diff } } });
    let question = json!({ "id": "ok", "kind": "confirm", "prompt": "Edit it?" });
    let ask = signed.ask(&json!({ "questions": [question], "action": edit }));
    open(signed, &ask);
    signed.page.expect_element("[part=submit]");
    inspector.inspect(&mut signed.page, "act: a change of a file");
    signed.asker.post(&ask_path(&ask, "/cancel"), &json!({})).json(200);
}

fn inbox(signed: &mut SignedInPage, inspector: &mut Inspector) {
    let soon = json!({ "request": two_texts("Soon"), "timeout_ms": 3_600_000 });
    signed.asker.post("/v1/asks", &soon).json(201);
    signed.page.go_to("/");
    signed.page.expect_element(".row >> nth=0");
    inspector.inspect(&mut signed.page, "inbox: waiting");
    signed.page.run_step("put", json!({ "selector": ".filter", "text": "zzz" }));
    signed.page.expect_element(".empty");
    inspector.inspect(&mut signed.page, "inbox without a match");
}

fn answering(signed: &mut SignedInPage, inspector: &mut Inspector) {
    let ask = signed.ask(&two_texts("Two"));
    open(signed, &ask);
    signed.page.expect_element("[data-id=a] input");
    signed.page.click(".foot .primary");
    signed.page.expect_element(".summary");
    inspector.inspect(&mut signed.page, "problems");
    signed.page.click(".foot .quiet");
    inspector.inspect(&mut signed.page, "declining in the form");
    for (question, text) in [("a", "This"), ("b", "That")] {
        signed
            .page
            .run_step("put", json!({ "selector": format!("[data-id={question}] input"), "text": text }));
    }
    signed.page.expect_element(".save-line.saved");
    // Somebody else replaces what was typed here.
    let theirs = json!({ "replies": { "a": { "state": "answered", "answer": { "text": "Theirs" } } } });
    signed.person.request("PATCH", &ask_path(&ask, "/draft")).json(&theirs).send().json(200);
    signed.page.expect_element("[slot=question-a]");
    inspector.inspect(&mut signed.page, "conflict");
    signed.page.click("[slot=question-a] button >> nth=1");
    signed.page.click(".foot .primary");
    signed.page.expect_element(".stage > .review");
    inspector.inspect(&mut signed.page, "review");
    signed.page.click(".review .danger");
    signed.page.expect_element("dialog");
    inspector.inspect(&mut signed.page, "declining");
    signed.page.run_step("key", json!({ "key": "Escape" }));
    signed.page.run_step("settle", json!({ "ms": 400 }));
    signed.page.click(".review .primary");
    signed.page.expect_element(".receipt");
    // However long the title of the next ask is, the link to it is one line.
    signed.page.run_step("size", json!({ "width": 390, "height": 844 }));
    let height = signed.page.run_step("height", json!({ "selector": ".next a" }));
    assert!(height == "44" || height == "88", "{height}");
    signed.page.run_step("size", json!({ "width": 1280, "height": 800 }));
    inspector.inspect(&mut signed.page, "receipt");
    signed.page.go_to("/");
    signed.page.click(".tab >> nth=1");
    signed.page.expect_element(".row.answered");
    inspector.inspect(&mut signed.page, "history");
}

fn ends(signed: &mut SignedInPage, inspector: &mut Inspector) {
    let ask = signed.ask(&two_texts("Ends"));
    open(signed, &ask);
    signed.page.run_step("put", json!({ "selector": "[data-id=a] input", "text": "Typed" }));
    signed.page.expect_element(".save-line.saved");
    let mut body = answer_body(&ask, "x");
    body["answers"] = json!({ "a": "theirs", "b": "theirs" });
    signed.person.post(&ask_path(&ask, "/answer"), &body).json(200);
    signed.page.expect_element(".kept");
    inspector.inspect(&mut signed.page, "ended while typing");
    let ask = signed.ask(&two_texts("Declined"));
    let no = json!({ "shown": ask["digest"], "reason": "Not on a Friday." });
    signed.person.post(&ask_path(&ask, "/decline"), &no).json(200);
    open(signed, &ask);
    signed.page.expect_element(".receipt.declined");
    inspector.inspect(&mut signed.page, "declined");
    let ask = signed.ask(&two_texts("Cancelled"));
    signed.asker.post(&ask_path(&ask, "/cancel"), &json!({})).json(200);
    open(signed, &ask);
    signed.page.expect_element(".receipt.ended");
    inspector.inspect(&mut signed.page, "cancelled");
    let judged = json!({ "request": two_texts("Judged"), "judged": true });
    let ask = signed.asker.post("/v1/asks", &judged).json(201);
    let mut body = answer_body(&ask, "x");
    body["answers"] = json!({ "a": "x", "b": "y" });
    signed.person.post(&ask_path(&ask, "/answer"), &body).json(200);
    open(signed, &ask);
    signed.page.expect_element(".receipt.wait");
    inspector.inspect(&mut signed.page, "awaiting the verdict");
    let verdict = json!({ "round": 1, "errors": [["a", "Too short."]], "summary": "Please look again." });
    signed.asker.post(&ask_path(&ask, "/verdict"), &verdict).json(200);
    signed.page.expect_element(".notice.problem");
    inspector.inspect(&mut signed.page, "asked again");
}

fn failures(signed: &mut SignedInPage, inspector: &mut Inspector) {
    signed.page.go_to("/a/01a2026d-d3cd-738f-a381-3f4907ef3314");
    signed.page.expect_element(".failed");
    inspector.inspect(&mut signed.page, "no such ask");
    let ask = signed.ask(&two_texts("Offline"));
    open(signed, &ask);
    signed.page.expect_element("[data-id=a] input");
    signed.kill_server();
    signed.page.run_step("put", json!({ "selector": "[data-id=a] input", "text": "Typed" }));
    signed.page.expect_element(".save-line.offline");
    inspector.inspect(&mut signed.page, "offline");
    signed.restart_server();
    signed.page.expect_element(".save-line.saved");
}

fn links(signed: &mut SignedInPage, lang: &str, locale: &str, inspector: &mut Inspector) {
    signed.page.go_to("/login");
    signed.page.expect_element("#sessions li >> nth=1");
    inspector.inspect(&mut signed.page, "browsers: signed in");
    signed.page.click("#scan");
    signed.page.expect_element("#link");
    inspector.inspect(&mut signed.page, "link: for a phone");
    let link = signed.page.text_of("#url");
    signed.page.open("phone", json!({ "lang": locale, "width": 390, "height": 844, "touch": true }));
    signed.page.go_to(&link);
    signed.page.expect_element("#claim");
    inspector.inspect(&mut signed.page, "link: on the phone");
    signed.page.turn_to(lang);
}

fn examples(signed: &mut SignedInPage, inspector: &mut Inspector) {
    signed.page.go_to("/element");
    signed.page.expect_element("#form .question >> nth=0");
    inspector.inspect(&mut signed.page, "element: an example");
    signed.page.go_to("/examples/interaction");
    signed.page.expect_element("#enter");
    inspector.inspect(&mut signed.page, "interaction: a client");
    signed.page.go_to("/docs");
    signed.page.expect_element("#not_allowed");
    inspector.inspect(&mut signed.page, "docs: the API");
    signed.page.go_to("/examples/chat");
    signed.page.expect_element("#say:not([hidden]), #enter:not([hidden])");
    inspector.inspect(&mut signed.page, "chat: a thread");
}
