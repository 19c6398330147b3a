//! Tests of answering on the page: one question, several with a review, a no, and an ask that ends meanwhile.

use crate::support::served_desk::{answer_body, ask_path, id_of};
use crate::web::signed_in::SignedInPage;
use sayso_core::model::outcome::CancelReason;
use sayso_core::{Actor, AskCommand, AskId};
use sayso_desk::Desk as _;
use serde_json::{Value, json};

fn outcome(signed: &SignedInPage, ask: &Value) -> Value {
    signed.asker.get(&ask_path(ask, "/outcome?wait=20")).json(200)["outcome"].clone()
}

#[test]
pub(super) fn one_question_is_answered() {
    let mut signed = SignedInPage::start();
    signed.page.expect_text("No questions are waiting.");
    // It appears while the page is open, and the title counts it.
    let ask = signed
        .ask(&json!({ "title": "Release", "questions": [{ "id": "name", "prompt": "What is it called?" }] }));
    signed.page.run_step("titled", json!({ "text": "Sayso (1)" }));
    signed.page.follow_link("Release");
    assert_eq!(signed.page.run_step("address", json!({})), format!("/a/{}", id_of(&ask)));
    signed.page.fill_field("What is it called?", "Aurora");
    signed.page.click_button("Submit");
    signed.page.expect_text("Answered by ada");
    signed.page.expect_text("Aurora");
    let answer = outcome(&signed, &ask);
    assert_eq!(answer["replies"]["name"]["answer"]["text"], "Aurora", "{answer:#}");
    assert_eq!(answer["receipt"]["assurance"], "browser_session");
    assert_eq!(answer["receipt"]["surface"], "page");
    signed.page.expect_text("Given in: the page in a browser.");
    let shown = signed.world.sayso(["show", id_of(&ask)]).run();
    assert!(shown.stdout.contains("answered: ada · browser session · "), "{shown:?}");
    signed.page.run_step("titled", json!({ "text": "Sayso" }));
    // The agent's acknowledgement arrives while the receipt is shown.
    signed.page.expect_text("The desk keeps it");
    signed.asker.request("POST", &ask_path(&ask, "/ack")).send().json(200);
    signed.page.expect_text("has received it");
    signed.page.assert_no_errors();
}

#[test]
pub(super) fn several_answers_are_reviewed() {
    let mut signed = SignedInPage::start();
    let follow_up = json!({ "id": "region", "prompt": "Which region?", "show_if": { "is": "production" } });
    let ask = signed.ask(&json!({ "title": "Deploy", "questions": [
        { "id": "env", "prompt": "Where to?", "options": ["staging", "production"], "children": [follow_up] },
        { "id": "count", "kind": "number", "prompt": "How many?", "constraints": [{ "max": 5 }] },
        { "id": "tag", "prompt": "Which tag?", "constraints": [{ "pattern": "^v[0-9]+$", "message": "Like v2, please." }] },
    ] }));
    signed.page.go_to(&format!("/a/{}", id_of(&ask)));
    signed.page.check_radio("production");
    signed.page.fill_field("Which region?", "eu-west-1");
    signed.page.fill_field("How many?", "3");
    signed.page.fill_field("Which tag?", "2");
    // The desk judges the pattern with the draft; the page shows that once the person has left the field.
    signed.page.expect_element(".save-line.saved");
    assert!(!signed.page.text_of("[data-id=tag]").contains("Like v2"));
    signed.page.run_step("press", json!({ "label": "Which tag?", "key": "Tab" }));
    signed.page.expect_text("Like v2, please.");
    signed.page.fill_field("Which tag?", "v2");
    signed.page.expect_gone("Like v2, please.");
    signed.page.click_button("Review answers");
    signed.page.expect_text("Check your answers before sending");
    assert_eq!(signed.page.run_step("address", json!({})), format!("/a/{}#review", id_of(&ask)));
    assert!(signed.page.text_of(".answers").contains("eu-west-1"));
    // The browser's own Back leads to the questions, not away from the ask.
    signed.page.run_step("back", json!({}));
    signed.page.check_radio("staging");
    // A press right after the review appeared is meant for the page before it, and sends nothing.
    signed.page.run_step("hasty", json!({}));
    signed.page.expect_text("Not sent");
    assert_eq!(signed.asker.get(&ask_path(&ask, "")).json(200)["state"], "open");
    signed.page.run_step("settle", json!({ "ms": 400 }));
    signed.page.click_button("Submit 3 answers to ci");
    signed.page.expect_text("Answered by ada");
    let answer = outcome(&signed, &ask);
    assert_eq!(answer["replies"]["region"]["state"], "not_asked", "{answer:#}");
    assert_eq!(answer["replies"]["tag"]["answer"]["text"], "v2");
    signed.page.assert_no_errors();
}

#[test]
pub(super) fn note_on_the_form_is_reviewed_before_it_is_sent() {
    let mut signed = SignedInPage::start();
    let ask = signed.ask(&json!({ "questions": [
        { "id": "name", "prompt": "Which name?" }, { "id": "tag", "prompt": "Which tag?" },
    ] }));
    signed.page.go_to(&format!("/a/{}", id_of(&ask)));
    signed.page.fill_field("Which name?", "Aurora");
    signed.page.fill_field("Which tag?", "v2");
    signed.page.click_button("Review answers");
    signed.page.expect_text("Check your answers before sending");
    // The review leads to the note, and shows it.
    signed.page.click_button("Add a note on the whole form");
    signed.page.fill_field("Note on the whole form", "Only this week");
    signed.page.expect_element(".save-line.saved");
    signed.page.click_button("Review answers");
    signed.page.expect_element(".form-note q:text-is('Only this week')");
    signed.page.click(".form-note button");
    signed.page.expect_value("Note on the whole form", "Only this week");
    // Someone else changes it: it is said at its place, and can be brought back.
    let theirs = json!({ "replies": { "": { "state": "unanswered", "note": "Not at all" } } });
    signed.person.request("PATCH", &ask_path(&ask, "/draft")).json(&theirs).send().json(200);
    signed.page.expect_value("Note on the whole form", "Not at all");
    signed.page.click_button("Bring back mine");
    signed.page.expect_value("Note on the whole form", "Only this week");
    signed.page.click_button("Review answers");
    signed.page.expect_element(".form-note q:text-is('Only this week')");
    signed.page.run_step("settle", json!({ "ms": 400 }));
    signed.page.click_button("Submit 2 answers to ci");
    signed.page.expect_text("Answered by ada");
    signed.page.expect_text("Note on the whole form: Only this week");
    let noted = json!({ "state": "unanswered", "note": "Only this week" });
    assert_eq!(outcome(&signed, &ask)["replies"][""], noted);
    signed.page.assert_no_errors();
}

#[test]
pub(super) fn press_outlasts_the_save() {
    let mut signed = SignedInPage::start();
    let ask = signed.ask(&json!({ "questions": [
        { "id": "name", "prompt": "Which name?" },
        { "id": "tag", "prompt": "Which tag?", "constraints": [{ "pattern": "^v[0-9]+$", "message": "Like v2, please." }] },
    ] }));
    signed.page.go_to(&format!("/a/{}", id_of(&ask)));
    signed.page.fill_field("Which name?", "Aurora");
    // A finding of the desk meanwhile would move the button away: one line more, then one less.
    for (text, found) in [("2", true), ("v2", false)] {
        signed.page.run_step("hold", json!({ "url": "**/draft" }));
        signed.page.fill_field("Which tag?", text);
        signed.page.run_step("down", json!({ "selector": "[part=submit]" }));
        signed.page.run_step("release", json!({}));
        signed.page.expect_element(".save-line.saved");
        signed.page.run_step("up", json!({}));
        signed.page.expect_element(".stage > .review");
        assert_eq!(signed.page.text_of(".stage > .review").contains("Like v2, please."), found);
        signed.page.click_button("Back to the questions");
    }
    signed.page.assert_no_errors();
}

#[test]
pub(super) fn shown_form_stays_while_desk_is_away() {
    let mut signed = SignedInPage::start();
    let ask = signed.ask(&json!({ "questions": [{ "id": "text", "prompt": "Say it." }] }));
    // The desk goes before it has heard that the person saw the ask.
    signed.page.run_step("hold", json!({ "url": "**/see" }));
    signed.page.go_to(&format!("/a/{}", id_of(&ask)));
    signed.page.type_keys("Say it.", "My story");
    signed.page.expect_element(".save-line.saved");
    signed.kill_server();
    signed.page.run_step("release", json!({}));
    signed.page.expect_text("Cannot connect to the desk");
    signed.page.run_step("settle", json!({ "ms": 300 }));
    signed.page.expect_value("Say it.", "My story");
    signed.page.assert_no_errors();
}

#[test]
pub(super) fn forward_sends_nothing() {
    let mut signed = SignedInPage::start();
    let region = json!({ "id": "region", "prompt": "Which region?", "show_if": { "is": "production" } });
    let ask = signed.ask(&json!({ "questions": [
        { "id": "env", "prompt": "Where to?", "options": ["staging", "production"], "children": [region] },
    ] }));
    signed.page.go_to(&format!("/a/{}", id_of(&ask)));
    signed.page.check_radio("production");
    signed.page.fill_field("Which region?", "eu-west-1");
    signed.page.click_button("Review answers");
    signed.page.expect_element(".stage > .review");
    signed.page.run_step("back", json!({}));
    // One question is left, which a press would send.
    signed.page.check_radio("staging");
    signed.page.expect_element("[part=submit]:text-is('Submit')");
    signed.page.run_step("forward", json!({}));
    signed.page.expect_element(".ask:not([aria-busy])");
    signed.page.run_step("settle", json!({ "ms": 300 }));
    assert_eq!(signed.asker.get(&ask_path(&ask, "")).json(200)["state"], "open");
    signed.page.click_button("Submit");
    signed.page.expect_text("Answered by ada");
    signed.page.assert_no_errors();
}

#[test]
pub(super) fn stored_texts_have_the_readers_language() {
    let mut signed = SignedInPage::start();
    signed.ask(&json!({
        "title": "执行命令", "context": "正在执行命令: npm install",
        "questions": [{ "id": "ok", "prompt": "执行命令?" }],
    }));
    signed.page.follow_link("Run a command");
    signed.page.expect_text("Running the command: npm install");
    signed.page.expect_text("Run a command?");
    signed.ask(&json!({
        "questions": [{ "id": "ok", "kind": "confirm", "prompt": "允许“Bash”吗？" }],
        "action": { "tool": "Bash", "act": { "shell": { "command": "make" } } },
    }));
    signed.page.follow_link("Run make");
    signed.page.expect_text("Allow \"Bash\"?");
    signed.page.assert_no_errors();
}

#[test]
pub(super) fn page_sends_only_what_it_shows() {
    let mut signed = SignedInPage::start();
    let command: Vec<_> = (0..300).map(|line| format!("cat /srv/p\u{430}ss {line}")).collect();
    let questions =
        ["first", "second"].map(|id| json!({ "id": id, "kind": "confirm", "prompt": format!("{id}?") }));
    let ask = signed.ask(&json!({
        "title": "Allow Bash?", "questions": questions,
        "action": { "tool": "Bash", "act": { "shell": { "command": command.join("\n") } } },
    }));
    // The row names the act as exact data. A jump to the buttons leaves lines that were not drawn.
    signed.page.follow_link("Run cat /srv/p⟦U+0430⟧ss 0 …");
    signed.page.click("[data-id=first] .option:has-text('Yes') label");
    signed.page.click("[data-id=second] .option:has-text('No') label");
    signed.page.click_button("Review answers");
    signed.page.click("[part=agree]");
    signed.page.expect_text("Check your answers before sending");
    assert!(
        signed.page.text_of(".stage [part=action] pre").contains("ss 299"),
        "above the button that sends"
    );
    // Another device turns the no into a yes, and the page cannot know it yet.
    signed.page.run_step("hold", json!({ "url": "**/draft" }));
    let yes = json!({ "replies": { "second": { "state": "answered", "answer": { "confirm": true } } } });
    signed.person.request("PATCH", &ask_path(&ask, "/draft")).json(&yes).send().json(200);
    send_review(&mut signed);
    signed.page.run_step("release", json!({}));
    signed.page.expect_text("so nothing was sent");
    assert_eq!(signed.asker.get(&ask_path(&ask, "")).json(200)["state"], "open");
    // The yes of the other device is not preselected.
    signed.page.expect_element("[data-id=first]:has(:checked)");
    signed.page.expect_element("[data-id=second]:not(:has(:checked))");
    signed.page.click("[data-id=second] .option:has-text('No') label");
    signed.page.click_button("Review answers");
    signed.page.click("[part=agree]");
    send_review(&mut signed);
    signed.page.expect_text("Answered no by ada");
    let answer = outcome(&signed, &ask);
    assert_eq!(answer["replies"]["second"]["answer"]["confirm"], false, "{answer:#}");
    let seen = &answer["receipt"]["seen"];
    assert!(seen["total"].as_u64() >= Some(300) && seen["shown"].as_u64() < Some(200), "{answer:#}");
    // The record has all that was shown.
    assert!(signed.page.text_of(".receipt [part=action] pre").contains("ss 299"));
    signed.page.expect_text("lines not shown");
    signed.page.click_button("History");
    signed
        .page
        .expect_element(".row:has-text('Run cat /srv/p⟦U+0430⟧ss 0 …') .declined:has-text('answered no')");
    signed.page.assert_no_errors();
}

#[test]
pub(super) fn preset_consent_is_only_marked() {
    let mut signed = SignedInPage::start();
    let field = json!({ "id": "ok", "type": "checkbox", "label": "Delete it?", "defaultValue": true });
    let form = json!({ "mode": "async", "schema": { "fields": [&field] } });
    let asked = signed.asker.request("POST", "/api/plugins/questions/operations/ask").json(&form);
    let asked = asked.send().value();
    signed.page.go_to(&format!("/a/{}", asked["result"]["toolCallId"].as_str().unwrap()));
    let row = |word: &str, has: &str| format!(".option:has-text('{word}'){has}:not(:has(:checked))");
    signed.page.expect_element(&row("Yes", ":has(.badge:has-text('suggested by the asker'))"));
    signed.page.expect_element(&row("No", ":not(:has(.badge))"));
    // In the next round the yes that the person submitted is no suggestion of the asker.
    let request = json!({ "prompt": "Go?", "inputSchema": { "fields": [field] } });
    let body = json!({ "dialect": "interaction", "request": request, "judged": true });
    let ask = signed.asker.post("/v1/asks", &body).json(201);
    let path = |rest| ask_path(&ask, rest);
    let yes = json!({ "shown": ask["digest"], "answers": { "ok": true } });
    signed.person.post(&path("/answer"), &yes).json(200);
    let verdict = json!({ "round": 1, "errors": [["ok", "Think again."]] });
    signed.asker.post(&path("/verdict"), &verdict).json(200);
    signed.page.go_to(&format!("/a/{}", id_of(&ask)));
    signed.page.expect_text("Think again.");
    signed.page.expect_element(&row("Yes", ":not(:has(.badge))"));
    signed.page.assert_no_errors();
}

/// Presses the button of the review, and confirms the lines that were not drawn.
fn send_review(signed: &mut SignedInPage) {
    signed.page.run_step("settle", json!({ "ms": 400 }));
    signed.page.click_button("Submit 2 answers to ci");
    signed.page.click(".review button:has-text('lines not shown')");
}

#[test]
pub(super) fn decline_carries_reason() {
    let mut signed = SignedInPage::start();
    let ask = signed.ask(&json!({ "questions": [{ "id": "go", "kind": "confirm", "prompt": "Ship it?" }] }));
    signed.page.go_to(&format!("/a/{}", id_of(&ask)));
    signed.page.click_button("Decline…");
    signed.page.fill_field("Reason (optional)", "Not on a Friday.");
    signed.page.click_button("Decline");
    signed.page.expect_text("Declined by ada");
    let answer = outcome(&signed, &ask);
    assert_eq!([&answer["outcome"], &answer["reason"]], ["declined", "Not on a Friday."]);
    signed.page.click_button("History");
    signed.page.expect_element(".row .declined:text-is('declined')");
    signed.page.assert_no_errors();
}

#[test]
pub(super) fn ended_ask_keeps_typed_text() {
    let mut signed = SignedInPage::start();
    let ask = signed.ask(&json!({ "title": "A", "questions": [{ "id": "text", "prompt": "Say it." }] }));
    signed.page.go_to(&format!("/a/{}", id_of(&ask)));
    signed.page.type_keys("Say it.", "My long story");
    signed.person.post(&ask_path(&ask, "/answer"), &answer_body(&ask, "theirs")).json(200);
    signed.page.expect_text("What you typed here was not sent");
    signed.page.expect_text("Answered by bob");
    signed.page.expect_value("Say it.", "My long story");
    // Under it the page says why nothing can be changed.
    signed.page.expect_text("This ask has ended");
    signed.page.expect_gone("Interactive mode disabled");
    signed.page.assert_no_errors();
}

#[test]
pub(super) fn withdrawn_ask_shows_reason() {
    let mut signed = SignedInPage::start();
    let body = json!({ "request": { "questions": [{ "id": "a", "prompt": "Which colour?" }] }, "from": { "name": "Claude Code" } });
    let ask = signed.asker.post("/v1/asks", &body).json(201);
    signed.page.go_to(&format!("/a/{}", id_of(&ask)));
    signed.page.expect_element(".question");
    let desk = signed.world.desk();
    let opened = desk.get(AskId::parse(id_of(&ask)).unwrap()).unwrap();
    let command = AskCommand::Cancel { reason: Some(CancelReason::AnsweredInHost) };
    desk.act(&Actor::Asker(opened.request.asker.clone()), opened.id, None, command).unwrap();
    signed.page.expect_text("The agent withdrew its question");
    signed.page.expect_text("It was answered in \"Claude Code\".");
    signed.page.assert_no_errors();
}

#[test]
pub(super) fn sent_words_are_not_called_lost() {
    let mut signed = SignedInPage::start();
    let ask = signed.ask(&json!({ "title": "A", "questions": [{ "id": "text", "prompt": "Say it." }] }));
    signed.page.go_to(&format!("/a/{}", id_of(&ask)));
    signed.page.type_keys("Say it.", "theirs");
    signed.page.expect_element(".save-line.saved");
    signed.person.post(&ask_path(&ask, "/answer"), &answer_body(&ask, "theirs")).json(200);
    signed.page.expect_text("Answered by bob");
    signed.page.expect_gone("not sent");
    signed.page.expect_gone("Nothing was sent");
    signed.page.assert_no_errors();
}

#[test]
pub(super) fn wrong_address_is_explained() {
    let mut signed = SignedInPage::start();
    for address in ["/a/0123456789", "/a/01a2026d-d3cd-738f-a381-3f4907ef3314"] {
        signed.page.go_to(address);
        signed.page.expect_text("There is no such question here");
        let shown = signed.page.text_of("#main");
        assert!(!shown.contains("sayso") && !shown.contains("/v1"), "{shown}");
    }
    signed.page.assert_no_errors();
}

#[test]
pub(super) fn receipt_has_asker_summary() {
    let mut signed = SignedInPage::start();
    let fields = json!([{ "id": "name", "type": "text", "label": "Name" }]);
    let view = json!({ "summaryTemplate": "Hello {{name}}.", "showInputs": false });
    let request = json!({ "prompt": "Who?", "inputSchema": { "fields": fields }, "completedView": view });
    let ask =
        signed.asker.post("/v1/asks", &json!({ "dialect": "interaction", "request": request })).json(201);
    signed.page.go_to(&format!("/a/{}", id_of(&ask)));
    signed.page.fill_field("Name", "Aurora");
    signed.page.click_button("Submit");
    signed.page.expect_text("Hello Aurora.");
    // The asker shows no answers; the record has them.
    signed.page.run_step("away", json!({ "selector": ".receipt dt" }));
    signed.page.click(".receipt summary");
    signed.page.expect_element(".receipt dt:has-text('Name')");
    signed.page.assert_no_errors();
}
