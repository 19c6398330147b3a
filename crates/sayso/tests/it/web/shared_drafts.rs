//! Tests of drafts that several surfaces share, and of connections that break.

use crate::support::program::program_output::LIMIT;
use crate::support::served_desk::{ask_path, id_of};
use crate::web::signed_in::SignedInPage;
use serde_json::{Value, json};
use std::time::Instant;

const NAME: &str = "What is it called?";
const COLOUR: &str = "Which colour?";

fn two_questions(signed: &SignedInPage) -> Value {
    signed.ask(&json!({ "title": "Release", "questions": [
        { "id": "name", "prompt": NAME }, { "id": "colour", "prompt": COLOUR },
    ] }))
}

/// Waits until the draft at the desk has this text.
fn wait_for_draft(signed: &SignedInPage, ask: &Value, question: &str, text: &str) {
    let until = Instant::now() + LIMIT;
    loop {
        let draft = signed.person.get(&ask_path(ask, "/draft")).json(200);
        if draft["replies"][question]["answer"]["text"] == text {
            return;
        }
        assert!(Instant::now() < until, "{draft:#}");
        std::thread::yield_now();
    }
}

#[test]
fn browsers_and_terminal_share_draft() {
    let mut signed = SignedInPage::start();
    let ask = two_questions(&signed);
    let path = format!("/a/{}", id_of(&ask));
    signed.page.go_to(&path);
    signed.open_browser("phone", json!({ "width": 390, "height": 844, "touch": true }));
    signed.page.go_to(&path);
    let terminal = signed.world.sayso(["answer", id_of(&ask)]).on_terminal();
    terminal.output.wait_for(NAME, 0);
    signed.page.turn_to("main");
    signed.page.type_keys(NAME, "Auro");
    signed.page.turn_to("phone");
    signed.page.expect_value(NAME, "Auro");
    terminal.output.wait_for("Auro", 0);
    signed.page.type_keys(COLOUR, "blue");
    signed.page.turn_to("main");
    signed.page.expect_value(COLOUR, "blue");
    // The other one replaces what was typed here: it is said, and can be brought back.
    signed.page.turn_to("phone");
    signed.page.fill_field(NAME, "Borealis");
    signed.page.turn_to("main");
    signed.page.expect_value(NAME, "Borealis");
    signed.page.click_button("Bring back mine");
    signed.page.expect_value(NAME, "Auro");
    signed.page.turn_to("phone");
    signed.page.expect_value(NAME, "Auro");
    signed.page.assert_no_errors();
}

#[test]
fn restart_in_mid_word_loses_nothing() {
    let mut signed = SignedInPage::start();
    let ask = two_questions(&signed);
    signed.page.go_to(&format!("/a/{}", id_of(&ask)));
    signed.page.type_keys(NAME, "Aur");
    wait_for_draft(&signed, &ask, "name", "Aur");
    signed.kill_server();
    signed.page.type_keys(NAME, "ora");
    signed.page.expect_text("Not saved: no connection");
    signed.restart_server();
    signed.page.expect_gone("Not saved: no connection");
    wait_for_draft(&signed, &ask, "name", "Aurora");
    signed.page.expect_value(NAME, "Aurora");
    signed.page.expect_gone("Cannot connect to the desk.");
    // Changes by others after the restart arrive, too.
    let reply = json!({ "state": "answered", "answer": { "text": "green" } });
    let draft = json!({ "replies": { "colour": reply } });
    signed.person.request("PATCH", &ask_path(&ask, "/draft")).json(&draft).send().json(200);
    signed.page.expect_value(COLOUR, "green");
    signed.page.assert_no_errors();
}
