//! Tests of drafts that several surfaces share, and of connections that break.

use crate::support::program::program_output::LIMIT;
use crate::support::served_desk::{answer_body, ask_path, id_of};
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
pub(super) fn browsers_and_terminal_share_draft() {
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
pub(super) fn change_is_shown_at_its_question() {
    let mut signed = SignedInPage::start();
    let questions: Vec<_> =
        (0..40).map(|at| json!({ "id": format!("q{at}"), "prompt": format!("Question {at}?") })).collect();
    let ask = signed.ask(&json!({ "title": "Long", "questions": questions }));
    signed.page.go_to(&format!("/a/{}", id_of(&ask)));
    for at in [39, 0] {
        signed.page.type_keys(&format!("Question {at}?"), "Auro");
        wait_for_draft(&signed, &ask, &format!("q{at}"), "Auro");
    }
    signed.page.run_step("press", json!({ "label": "Question 39?", "key": "End" }));
    let theirs = |at| json!({ "replies": { format!("q{at}"): { "state": "answered", "answer": { "text": "Theirs" } } } });
    let replace =
        |at| signed.person.request("PATCH", &ask_path(&ask, "/draft")).json(&theirs(at)).send().json(200);
    replace(39);
    signed.page.expect_value("Question 39?", "Theirs");
    signed.page.expect_element("[slot='question-q39'] button:has-text('Bring back mine')");
    let far: f64 = signed
        .page
        .run_step("distance", json!({ "from": "[slot='question-q39']", "to": "[data-id=q39] input" }))
        .as_str()
        .unwrap()
        .parse()
        .unwrap();
    assert!(far < 300.0, "{far} px");
    assert_eq!(
        signed.page.run_step("inside", json!({ "selector": "[slot='question-q39'] button >> nth=0" })),
        "true"
    );
    // The other one is far above: a line in view leads there.
    replace(0);
    signed.page.expect_text("Someone changed the answer to \"Question 0?\".");
    assert_eq!(signed.page.run_step("inside", json!({ "selector": ".elsewhere" })), "true");
    signed.page.click_button("Show");
    signed.page.click("[slot='question-q0'] button >> nth=0");
    signed.page.expect_value("Question 0?", "Auro");
    signed.page.assert_no_errors();
}

#[test]
pub(super) fn each_replaced_answer_is_shown() {
    let mut signed = SignedInPage::start();
    // Each with the element that answers it, what this person answers, in words, and what someone else does.
    let rows = [
        (
            json!({ "kind": "choice", "options": ["red", "green"] }),
            "input >> nth=1",
            "green",
            json!({ "picks": [{ "option": "red" }] }),
        ),
        (
            json!({ "kind": "choice", "options": ["a", "b"], "constraints": [{ "max_picks": 2 }] }),
            "input >> nth=0",
            "a",
            json!({ "picks": [{ "option": "b" }] }),
        ),
        (json!({ "kind": "rating", "min": 1, "max": 5 }), "input >> nth=3", "4", json!({ "rating": 1 })),
        (
            json!({ "kind": "confirm", "consent": false }),
            "input >> nth=0",
            "Yes",
            json!({ "confirm": false }),
        ),
    ];
    let ids = ["first", "second", "third", "fourth"];
    let questions = ids.iter().zip(&rows).map(|(id, (members, ..))| {
        let mut question = members.clone();
        question["id"] = json!(id);
        question["prompt"] = json!(format!("The {id}?"));
        question
    });
    let sections = json!([{ "title": "All", "questions": questions.collect::<Vec<_>>() }]);
    let ask = signed.ask(&json!({ "title": "Each kind", "sections": sections }));
    let path = format!("/a/{}", id_of(&ask));
    signed.page.go_to(&path);
    for (id, (_, input, ..)) in ids.iter().zip(&rows) {
        signed.page.click(&format!("[data-id={id}] {input}"));
    }
    signed.page.expect_element(".save-line.saved");
    for (id, (_, _, words, theirs)) in ids.iter().zip(&rows) {
        let draft = json!({ "replies": { *id: { "state": "answered", "answer": theirs } } });
        signed.person.request("PATCH", &ask_path(&ask, "/draft")).json(&draft).send().json(200);
        signed.page.expect_element(&format!(
            "[slot=question-{id}]:has-text('The {id}?') blockquote:text-is('{words}')"
        ));
    }
    // It is kept until the person has decided, also by a page that is opened again.
    signed.page.run_step("reload", json!({}));
    signed.page.expect_element("[slot=question-fourth] blockquote:text-is('Yes')");
    // From the review a line leads to it.
    signed.page.click_button("Review answers");
    signed.page.expect_element(".stage > .review");
    signed.page.click_button("Show");
    signed.page.click("[slot=question-first] button:text-is('Bring back mine')");
    signed.page.expect_element("[data-id=first] .option:has-text('green') input:checked");
    for id in &ids[1..] {
        signed.page.click(&format!("[slot=question-{id}] button:text-is('Keep this')"));
    }
    signed.page.expect_element(".save-line.saved");
    signed.page.run_step("reload", json!({}));
    signed.page.expect_element("[data-id=first] .option:has-text('green') input:checked");
    signed.page.expect_gone("Bring back mine");
    signed.page.assert_no_errors();
}

#[test]
pub(super) fn replaced_words_survive_end() {
    let mut signed = SignedInPage::start();
    let ask = signed.ask(&json!({ "questions": [{ "id": "text", "prompt": NAME }] }));
    signed.page.go_to(&format!("/a/{}", id_of(&ask)));
    signed.page.type_keys(NAME, "Aurora");
    wait_for_draft(&signed, &ask, "text", "Aurora");
    let theirs = json!({ "replies": { "text": { "state": "answered", "answer": { "text": "Borealis" } } } });
    signed.person.request("PATCH", &ask_path(&ask, "/draft")).json(&theirs).send().json(200);
    signed.page.expect_element("button:text-is('Bring back mine')");
    // They ended it before this person decided.
    signed.person.post(&ask_path(&ask, "/answer"), &answer_body(&ask, "Borealis")).json(200);
    signed.page.expect_text("What you typed here was not sent");
    signed.page.expect_value(NAME, "Aurora");
    signed.page.run_step("reload", json!({}));
    signed.page.expect_value(NAME, "Aurora");
    signed.page.click_button("Discard my text");
    signed.page.expect_gone("Discard my text");
    signed.page.assert_no_errors();
}

#[test]
pub(super) fn two_tabs_lose_no_words() {
    let mut signed = SignedInPage::start();
    let ask = two_questions(&signed);
    for tab in ["first", "second"] {
        signed.page.open(tab, json!({ "shares": "main" }));
        signed.page.go_to(&format!("/a/{}", id_of(&ask)));
        signed.page.expect_element("[data-id=name]");
    }
    signed.kill_server();
    for (tab, words) in [("first", "Aurora"), ("second", "Borealis")] {
        signed.page.turn_to(tab);
        signed.page.type_keys(NAME, words);
        signed.page.expect_text("1 change waiting");
        signed.page.run_step("settle", json!({ "ms": 400 }));
    }
    for tab in ["first", "second"] {
        signed.page.turn_to(tab);
        signed.page.run_step("close", json!({}));
    }
    signed.restart_server();
    // The last words count, and the others can be taken.
    signed.page.turn_to("main");
    signed.page.go_to(&format!("/a/{}", id_of(&ask)));
    signed.page.expect_value(NAME, "Borealis");
    signed.page.expect_element("[slot=question-name] blockquote:text-is('Aurora')");
    signed.page.click_button("Use theirs");
    wait_for_draft(&signed, &ask, "name", "Aurora");
    signed.page.assert_no_errors();
}

#[test]
pub(super) fn full_storage_warns_before_loss() {
    let mut signed = SignedInPage::start();
    let ask = two_questions(&signed);
    signed.page.go_to(&format!("/a/{}", id_of(&ask)));
    signed.page.expect_element("[data-id=name]");
    signed.page.run_step("fill_storage", json!({}));
    signed.kill_server();
    signed.page.type_keys(NAME, "Aurora");
    signed.page.expect_text("1 change waiting");
    signed.page.run_step("settle", json!({ "ms": 400 }));
    assert_eq!(signed.page.run_step("warns", json!({})), "true");
    signed.page.assert_no_errors();
}

#[test]
pub(super) fn restart_in_mid_word_loses_nothing() {
    let mut signed = SignedInPage::start();
    let ask = two_questions(&signed);
    signed.page.go_to(&format!("/a/{}", id_of(&ask)));
    signed.page.type_keys(NAME, "Aur");
    wait_for_draft(&signed, &ask, "name", "Aur");
    signed.kill_server();
    signed.page.type_keys(NAME, "ora");
    signed.page.expect_text("Not saved: no connection");
    signed.page.expect_text("Cannot connect to the desk");
    signed.restart_server();
    signed.page.expect_gone("Not saved: no connection");
    wait_for_draft(&signed, &ask, "name", "Aurora");
    signed.page.expect_value(NAME, "Aurora");
    signed.page.expect_gone("Cannot connect to the desk.");
    // Nothing is called saved beside the line that there is no connection.
    signed.page.expect_element(".save-line.saved");
    signed.kill_server();
    signed.page.expect_text("Cannot connect to the desk");
    assert!(
        signed.page.text_of(".save-line").starts_with("Not connected"),
        "{}",
        signed.page.text_of(".save-line")
    );
    for button in ["Decline…", "Decline"] {
        signed.page.click_button(button);
    }
    signed.page.expect_text("Your answers are still here; try again in a moment.");
    signed.restart_server();
    signed.page.expect_gone("Your answers are still here");
    // Changes by others after the restart arrive, too.
    let reply = json!({ "state": "answered", "answer": { "text": "green" } });
    let draft = json!({ "replies": { "colour": reply } });
    signed.person.request("PATCH", &ask_path(&ask, "/draft")).json(&draft).send().json(200);
    signed.page.expect_value(COLOUR, "green");
    signed.page.assert_no_errors();
}

/// Types words that the desk does not have, and closes the tab while the desk is away; another tab stays open.
fn close_tab_offline(signed: &mut SignedInPage, ask: &Value) {
    signed.page.run_step("installed", json!({}));
    // It shows no page that would save them.
    signed.page.go_to("/docs");
    signed.page.open("tab", json!({ "shares": "main" }));
    signed.page.go_to(&format!("/a/{}", id_of(ask)));
    signed.page.type_keys(NAME, "Aur");
    wait_for_draft(signed, ask, "name", "Aur");
    signed.kill_server();
    signed.page.type_keys(NAME, "ora");
    signed.page.type_keys(COLOUR, "blue");
    signed.page.expect_text("2 changes waiting");
    signed.page.run_step("settle", json!({ "ms": 400 }));
    signed.page.run_step("close", json!({}));
    signed.page.turn_to("main");
}

#[test]
pub(super) fn closed_tab_keeps_unsaved_words() {
    let mut signed = SignedInPage::start();
    let ask = two_questions(&signed);
    close_tab_offline(&mut signed, &ask);
    // The page says how many edits it has, also without the desk; in the browser's store they are not to be read.
    signed.page.go_to(&format!("/a/{}", id_of(&ask)));
    signed.page.expect_text("2 changes of yours are kept in this browser");
    let kept = signed.page.run_step("kept", json!({ "word": "Aurora" })).to_string();
    assert!(kept.contains("sayso/edits") && !kept.contains("Aurora"), "{kept}");
    signed.restart_server();
    wait_for_draft(&signed, &ask, "name", "Aurora");
    wait_for_draft(&signed, &ask, "colour", "blue");
    signed.page.expect_value(NAME, "Aurora");
    signed.page.expect_gone("kept in this browser");
    signed.page.assert_no_errors();
}

#[test]
pub(super) fn kept_words_merge_like_draft() {
    let mut signed = SignedInPage::start();
    let ask = two_questions(&signed);
    close_tab_offline(&mut signed, &ask);
    signed.restart_server();
    let theirs = json!({ "replies": { "name": { "state": "answered", "answer": { "text": "Borealis" } } } });
    signed.person.request("PATCH", &ask_path(&ask, "/draft")).json(&theirs).send().json(200);
    // They are not sent behind the person's back.
    signed.page.go_to("/");
    signed.page.expect_text("2 changes of yours are kept in this browser");
    signed.page.follow_link("Open the question");
    signed.page.expect_value(NAME, "Aurora");
    signed.page.expect_text("Borealis");
    signed.page.click_button("Use theirs");
    signed.page.expect_value(NAME, "Borealis");
    wait_for_draft(&signed, &ask, "colour", "blue");
    signed.page.expect_element(".save-line.saved");
    let kept = signed.page.run_step("kept", json!({ "word": "Aurora" })).to_string();
    assert!(!kept.contains("sayso/edits"), "{kept}");
    signed.page.assert_no_errors();
}

#[test]
pub(super) fn unsaved_words_survive_end() {
    let mut signed = SignedInPage::start();
    let ask = two_questions(&signed);
    close_tab_offline(&mut signed, &ask);
    signed.restart_server();
    signed.asker.post(&ask_path(&ask, "/cancel"), &json!({})).json(200);
    // The inbox leads to them.
    signed.page.go_to("/");
    signed.page.follow_link("Open the question");
    signed.page.expect_value(NAME, "Aurora");
    signed.page.click_button("Discard my text");
    signed.page.expect_gone("kept in this browser");
    signed.page.run_step("reload", json!({}));
    signed.page.expect_element(".receipt");
    assert!(!signed.page.text_of("body").contains("Aurora"));
    signed.page.assert_no_errors();
}
