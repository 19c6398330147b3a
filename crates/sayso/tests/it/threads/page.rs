//! Tests of the threads' example page in a real browser.

use crate::support::browser::page_browser::PageBrowser;
use crate::support::network_desk::NetworkDesk;
use crate::threads::client::ThreadClient;
use crate::threads::turns::{ScriptedAgent, ask_user, execute, start_parties};
use crate::threads::vectors::{script, start_agent};
use serde_json::json;

/// Opens the example page, and signs in with a token.
fn open_chat(served: &NetworkDesk, person: &ThreadClient) -> PageBrowser {
    let mut page = PageBrowser::start(&served.world, &served.address);
    page.go_to("/examples/chat");
    page.fill_field("Token of a person", person.token());
    page.click_button("Enter");
    page
}

fn send_message(page: &mut PageBrowser, words: &str) {
    page.fill_field("Message", words);
    page.run_step("press", json!({ "label": "Message", "key": "Enter" }));
}

#[test]
fn person_chats_and_decides_on_page() {
    let (served, ada, _) = start_parties();
    let _agent = start_agent(&served);
    let mut page = open_chat(&served, &ada);
    send_message(&mut page, "hello");
    page.expect_text("你好！");
    assert_eq!(page.run_step("value", json!({ "label": "Thread" })).as_str().unwrap().len(), 73);
    assert!(page.text_of("#threads").contains("标题"));
    // An agent's message is text, and hides nothing.
    let bad = "<img src=x onerror=alert(1)> \u{202e}abc\u{200b}";
    let shown = "<img src=x onerror=alert(1)> ⟦U+202E⟧abc⟦U+200B⟧";
    let custom = json!({ "label": "Mine", "value": "__custom__", "allow_custom": true });
    let options = json!([{ "label": bad, "value": "bad" }, custom]);
    let colours = json!([{ "label": "Red", "value": "red" }, { "label": "Green", "value": "green" }]);
    let questions =
        json!([{ "question": bad, "options": options }, { "question": "Colour?", "options": colours }]);
    let calls = json!([
        { "name": "ask_user", "args": { "questions": questions } },
        { "name": "execute", "args": { "command": bad } },
        { "name": "write_file", "args": { "file_path": "a.txt", "content": "x" } },
    ]);
    send_message(&mut page, script(&[calls])["message"].as_str().unwrap());
    page.run_step("check", json!({ "label": "Green" }));
    assert!(page.text_of("sayso-questionnaire .prompt >> nth=0").contains(shown));
    page.fill_field("Mine", " my own ");
    page.click_button("Submit");
    page.expect_text("execute");
    assert!(page.text_of("[part=action]").contains(shown));
    assert!(page.text_of("#said").contains("my own · Green"));
    page.click_button("Decline…");
    page.click_button("Decline");
    // The last is decided on another surface, and the page continues by itself.
    page.expect_text("a.txt");
    let ask = served.world.wait_for_ask(|ask| ask.outcome().is_none());
    let yes = json!({ "shown": ask.request.digest, "answers": { "action": "continue" } });
    assert_eq!(ada.post(&format!("/v1/asks/{}/answer", ask.id), &yes).status, 200);
    page.expect_text("收到：Updated file a.txt");
    assert_eq!(page.text_of("body").matches("Updated file").count(), 1);
    page.assert_no_errors();
}

#[test]
fn page_streams_and_survives_restart() {
    let (mut served, ada, bot) = start_parties();
    let mut page = open_chat(&served, &ada);
    send_message(&mut page, "go on");
    let (agent, taken) = ScriptedAgent::take_turn(&bot, &json!({}));
    assert_eq!(taken["message"], "go on");
    agent.say_text("One");
    page.expect_text("One");
    agent.say_text(", two.");
    page.expect_text("One, two.");
    agent.ask_calls(&[ask_user("c1"), execute("c2", "make it so")]);
    page.run_step("check", json!({ "label": "Red" }));
    served.kill_9();
    // The pick stays; the page shows why it cannot be sent.
    page.click_button("Submit");
    page.expect_text("Failed to fetch");
    served.restart();
    page.click_button("Submit");
    page.expect_text("make it so");
    page.click_button("Approve");
    let decisions = agent.wait_for_decision(&[ask_user("c1"), execute("c2", "make it so")]);
    assert_eq!(
        (&decisions[0]["result"], &decisions[1]["decision"]),
        (&json!("[\"red\"]"), &json!("continue"))
    );
    agent.say_text("Three.");
    page.expect_text("Three.");
    // In the middle of a stream.
    served.kill_9();
    page.expect_text("The connection broke");
    served.restart();
    agent.say_text("Four.");
    page.expect_text("Four.");
    agent.end_turn();
    let (_, history) = (agent, ada.get(&format!("/api/history/{}", taken["thread_id"].as_str().unwrap())));
    let words: Vec<_> =
        history.value()["messages"].as_array().unwrap().iter().map(|one| one["content"].clone()).collect();
    assert_eq!(words, ["go on", "One, two.", "Three.Four."], "nothing that was said is lost with the server");
    page.run_step("gone", json!({ "text": "The connection broke" }));
    let log = page.text_of("#said");
    assert_eq!(log.matches("One, two.").count(), 1, "{log}");
    page.assert_no_errors();
}

#[test]
fn blank_own_answer_is_not_sent() {
    let (served, ada, bot) = start_parties();
    let mut page = open_chat(&served, &ada);
    send_message(&mut page, "go on");
    let (agent, _) = ScriptedAgent::take_turn(&bot, &json!({}));
    let custom = json!({ "label": "Mine", "value": "__custom__", "allow_custom": true });
    let red = json!({ "label": "Red", "value": "red" });
    let questions = json!([{ "question": "Colour?", "options": [red, custom] }]);
    let call = json!({ "id": "c1", "name": "ask_user", "args": { "questions": questions } });
    agent.ask_calls(std::slice::from_ref(&call));
    for blank in ["", "  ", "\u{3000}\t"] {
        page.fill_field("Mine", "blue");
        page.fill_field("Mine", blank);
        page.click_button("Submit");
        page.expect_text("This question needs an answer");
        assert_eq!(page.text_of("#wrong"), "", "{blank:?}");
    }
    // Typed text that is not picked blocks nothing.
    page.run_step("check", json!({ "label": "Red" }));
    page.fill_field("Mine", " blue ");
    page.click_button("Submit");
    assert_eq!(agent.wait_for_decision(&[call])[0]["result"], "[\"blue\"]");
    agent.end_turn();
    assert!(!page.text_of("#wrong").contains("answer at index"));
    page.assert_no_errors();
}

#[test]
fn every_refusal_keeps_filled_form() {
    let (served, ada, bot) = start_parties();
    let bob = ThreadClient::of(&served, "person", "bob");
    let mut page = open_chat(&served, &ada);
    send_message(&mut page, "go on");
    let (agent, _) = ScriptedAgent::take_turn(&bot, &json!({}));
    let calls = [ask_user("c1"), execute("c2", "make it so")];
    agent.ask_calls(&calls);
    page.check_radio("Red");
    // Both errors of the spec, a thread of someone else, and a token that is none.
    let answer = |answers: &[&str]| json!({ "body": { "action": "answer", "answers": answers } });
    let refusals = [
        (answer(&["red", "green"]), "answers count (2) does not match questions count (1)"),
        (answer(&[" "]), "answer at index 0 is empty"),
        (json!({ "token": bob.token() }), "This thread belongs to someone else"),
        (json!({ "token": "unknown" }), "You are not signed in, or no longer"),
    ];
    for (mut how, words) in refusals {
        how["url"] = json!("**/api/resume/*");
        page.run_step("alter", how);
        page.click_button("Submit");
        page.expect_text(words);
        page.expect_element("#waiting input:checked");
        page.expect_element("#waiting [part=submit]:not([aria-disabled])");
    }
    page.click_button("Submit");
    page.expect_text("make it so");
    assert_eq!(page.text_of("#wrong"), "");
    // There is no place for a note, but one for the reason of a no.
    page.expect_gone("Add a note");
    page.click_button("Decline…");
    page.fill_field("Reason (optional)", "Not today.");
    page.click_button("Decline");
    page.expect_text("Cancelled: Not today.");
    let decisions = agent.wait_for_decision(&calls);
    assert_eq!(decisions[0]["result"], "[\"red\"]");
    assert!(decisions[1]["result"].as_str().unwrap().ends_with(": Not today."), "{decisions:#}");
    agent.end_turn();
    page.assert_no_errors();
}

#[test]
fn refused_decision_keeps_filled_form() {
    let (served, ada, bot) = start_parties();
    let mut page = open_chat(&served, &ada);
    send_message(&mut page, "go on");
    let (agent, _) = ScriptedAgent::take_turn(&bot, &json!({}));
    agent.ask_calls(&[ask_user("c1")]);
    page.expect_text("Which colour?");
    // A reload while interrupted asks again.
    page.run_step("reload", json!({}));
    page.fill_field("Token of a person", ada.token());
    page.click_button("Enter");
    page.check_radio("Red");
    let token = served.world.desk().verify_token(ada.token()).unwrap().unwrap();
    served.world.desk().revoke_token(&token.id).unwrap();
    page.click_button("Submit");
    page.expect_text("You are not signed in, or no longer");
    // It is still filled in, and can be sent again.
    page.run_step("visible", json!({ "selector": "#waiting input:checked" }));
    page.run_step("visible", json!({ "selector": "#waiting [part=submit]" }));
    page.assert_no_errors();
}
