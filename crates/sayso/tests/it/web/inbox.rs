//! Tests of the page's inbox: its order, its counts, its keys, and what arrives while it is used.

use crate::support::served_desk::{answer_body, ask_path, id_of};
use crate::web::signed_in::SignedInPage;
use serde_json::{Value, json};

fn one_text(title: &str) -> Value {
    json!({ "title": title, "questions": [{ "id": "text", "prompt": "Say it." }] })
}

fn permission(command: &str) -> Value {
    let question = json!({ "id": "ok", "kind": "confirm", "prompt": "Run it?" });
    json!({ "title": "Allow Bash?", "questions": [question], "action": { "tool": "Bash", "act": { "shell": { "command": command } } } })
}

/// Returns the titles of the rows, from the top.
fn rows(signed: &mut SignedInPage) -> Vec<String> {
    let titles = signed.page.run_step("texts", json!({ "selector": ".row-title" }));
    titles.as_array().unwrap().iter().map(|title| title.as_str().unwrap().to_owned()).collect()
}

#[test]
pub(super) fn all_waiting_asks_are_listed() {
    let mut signed = SignedInPage::start();
    // The page that comes first has 50 of them.
    signed.page.go_to("/login");
    for number in 0..51 {
        signed.ask(&one_text(&format!("Ask {number}")));
    }
    signed.page.go_to("/");
    signed.page.run_step("titled", json!({ "text": "Sayso (51)" }));
    let newest = signed.ask(&one_text("The newest"));
    signed.page.run_step("titled", json!({ "text": "Sayso (52)" }));
    // Rows far from what is seen are drawn once the person comes to them.
    assert_eq!(rows(&mut signed).len(), 50);
    signed.page.run_step("hover", json!({ "selector": ".row >> nth=49" }));
    signed.page.expect_element(".row:has-text('The newest')");
    let rows = rows(&mut signed);
    assert_eq!((rows.len(), rows[0].as_str(), rows[51].as_str()), (52, "Ask 0", "The newest"));
    signed.page.expect_element("#shelf-questions:has-text('Questions 52')");
    assert_eq!(signed.page.text_of(".tab >> nth=0"), "Waiting 52");
    signed.page.expect_element(".row.unread:has-text('The newest')");
    signed.person.post(&ask_path(&newest, "/see"), &json!({})).json(200);
    signed.page.expect_element(".row:not(.unread):has-text('The newest')");
    // Rows do not push the button away from under the focus, which goes on to the first of them.
    signed.page.go_to("/");
    signed.page.expect_element(".row >> nth=49");
    signed.page.run_step("focus", json!({ "selector": ".more" }));
    assert_eq!(signed.page.run_step("inside", json!({ "selector": ".more" })), "true");
    signed.page.run_step("key", json!({ "key": "Enter" }));
    signed.page.expect_element(".row:focus:has-text('Ask 50')");
    // An answer that its asker checks waits for no person, and a page of matches says that there are more.
    let request = json!({ "request": one_text("Checked"), "judged": true });
    let checked = signed.asker.post("/v1/asks", &request).json(201);
    signed.page.run_step("titled", json!({ "text": "Sayso (53)" }));
    signed.person.post(&ask_path(&checked, "/answer"), &answer_body(&checked, "x")).json(200);
    signed.page.run_step("titled", json!({ "text": "Sayso (52)" }));
    signed.page.expect_element("#shelf-questions .count:text-is('52')");
    signed.page.run_step("put", json!({ "selector": ".filter", "text": "Ask" }));
    signed.page.expect_element("#shelf-questions .count:text-is('50+')");
    signed.page.assert_no_errors();
}

#[test]
pub(super) fn rows_keep_their_order() {
    let mut signed = SignedInPage::start();
    let ask = |request: Value, from: &str| {
        let from = json!({ "name": "claude", "folder": "/src/api", "session": from });
        let body = json!({ "request": request, "from": from, "timeout_ms": 300_000 });
        signed.asker.post("/v1/asks", &body).json(201);
    };
    // Two sessions of one agent in one folder.
    ask(permission("make one"), "s-1");
    ask(permission("make two"), "s-2");
    ask(permission("make three"), "s-1");
    let plan =
        json!({ "tool": "ExitPlanMode", "act": { "call": { "arguments": "{\"plan\":\"First this.\"}" } } });
    ask(
        json!({ "questions": [{ "id": "ok", "kind": "confirm", "prompt": "Go on?" }], "action": plan }),
        "s-2",
    );
    // As a host's hook asks about it.
    let prompt = "Go ahead with this plan?";
    ask(
        json!({ "context": "First this.", "questions": [{ "id": "allow", "kind": "confirm", "prompt": prompt }] }),
        "s-1",
    );
    ask(one_text("A question"), "s-2");
    signed.page.run_step("titled", json!({ "text": "Sayso (6)" }));
    let order = rows(&mut signed);
    let begins =
        ["A question", "Call ExitPlanMode", prompt, "Run make one", "Run make three", "Run make two"];
    assert!(order.iter().zip(begins).all(|(row, begin)| row.starts_with(begin)), "{order:?}");
    signed.page.expect_element("#shelf-permissions:has-text('Permissions 3')");
    // An ask that ends within ten minutes is marked.
    signed.page.expect_element(".row:has-text('make two') .chip.urgent");
    signed.page.follow_link(prompt);
    signed.page.expect_element("[part=submit]:text-is('Approve')");
    signed.page.expect_element("[part=decline]:text-is('Decline…')");
    signed.page.assert_no_errors();
}

#[test]
pub(super) fn row_stays_under_pointer() {
    let mut signed = SignedInPage::start();
    let asks: Vec<_> = (0..30).map(|number| signed.ask(&one_text(&format!("Ask {number}.")))).collect();
    signed.page.run_step("titled", json!({ "text": "Sayso (30)" }));
    let row = ".row:has-text('Ask 5.')";
    signed.page.run_step("hover", json!({ "selector": row }));
    let before = signed.page.run_step("top", json!({ "selector": row }));
    for ended in [0, 1, 2] {
        signed.person.post(&ask_path(&asks[ended], "/answer"), &answer_body(&asks[ended], "x")).json(200);
    }
    signed.page.run_step("titled", json!({ "text": "Sayso (27)" }));
    assert_eq!(signed.page.run_step("top", json!({ "selector": row })), before);
    // The row itself has ended: another does not take its place before the pointer has gone.
    signed.person.post(&ask_path(&asks[5], "/answer"), &answer_body(&asks[5], "x")).json(200);
    signed.page.run_step("titled", json!({ "text": "Sayso (26)" }));
    assert_eq!(signed.page.run_step("top", json!({ "selector": row })), before);
    signed.page.expect_element(&format!(".gone {row}"));
    signed.page.run_step("hover", json!({ "selector": ".brand" }));
    signed.page.expect_gone("Ask 5.");
    // A line above the list does not move it either, whether the list is long or short.
    signed.page.run_step("hover", json!({ "selector": ".row:has-text('Ask 6.')" }));
    let before = signed.page.run_step("top", json!({ "selector": ".row:has-text('Ask 6.')" }));
    signed.kill_server();
    signed.page.expect_text("Cannot connect to the desk");
    assert_eq!(signed.page.run_step("top", json!({ "selector": ".row:has-text('Ask 6.')" })), before);
    signed.page.assert_no_errors();
}

#[test]
pub(super) fn failed_read_is_repeated() {
    let mut signed = SignedInPage::start();
    signed.ask(&one_text("First"));
    signed.page.run_step("titled", json!({ "text": "Sayso (1)" }));
    // The row of the next ask cannot be read, whatever happens to it.
    signed.page.run_step("fail", json!({ "url": "**/v1/asks?*search=*", "times": 9 }));
    signed.ask(&one_text("Second"));
    signed.page.run_step("titled", json!({ "text": "Sayso (2)" }));
    signed.page.assert_no_errors();
}

#[test]
pub(super) fn list_keeps_its_place_on_phone() {
    let mut signed = SignedInPage::start();
    signed.page.run_step("size", json!({ "width": 390, "height": 844 }));
    for number in 0..20 {
        signed.ask(&one_text(&format!("Ask {number}.")));
    }
    signed.page.run_step("titled", json!({ "text": "Sayso (20)" }));
    let row = ".row:has-text('Ask 15.')";
    signed.page.run_step("hover", json!({ "selector": row }));
    signed.page.follow_link("Ask 15.");
    signed.page.expect_element("sayso-questionnaire .question");
    signed.page.click(".brand");
    signed.page.expect_element(row);
    assert_eq!(signed.page.run_step("inside", json!({ "selector": row })), "true");
    signed.page.assert_no_errors();
}

#[test]
pub(super) fn keys_lead_through_inbox() {
    let mut signed = SignedInPage::start();
    signed.ask(&one_text("Letters"));
    let asked = signed.ask(&permission("make one"));
    let next = signed.ask(&permission("make two"));
    signed.page.run_step("titled", json!({ "text": "Sayso (3)" }));
    let press = |signed: &mut SignedInPage, key: &str| signed.page.run_step("key", json!({ "key": key }));
    press(&mut signed, "?");
    signed.page.expect_element("dialog div:has(kbd:text-is('j')):has(kbd:text-is('k'))");
    press(&mut signed, "Escape");
    for key in ["j", "j", "j", "k", "Enter"] {
        press(&mut signed, key);
    }
    signed.page.expect_element("sayso-questionnaire");
    assert_eq!(signed.page.run_step("address", json!({})), format!("/a/{}", id_of(&asked)));
    // A letter only marks; Enter presses the button that it marks.
    press(&mut signed, "n");
    signed.page.expect_element("[part=decline]:focus");
    press(&mut signed, "y");
    signed.page.expect_element("[part=submit]:focus");
    assert_eq!(signed.page.text_of("[part=submit]"), "Approve");
    assert_eq!(signed.asker.get(&ask_path(&asked, "")).json(200)["state"], "open");
    press(&mut signed, "Enter");
    signed.page.expect_element(".receipt a.primary:focus");
    assert_eq!(
        signed.asker.get(&ask_path(&asked, "/outcome")).json(200)["outcome"]["replies"]["ok"]["answer"]["confirm"],
        true
    );
    press(&mut signed, "Enter");
    signed.page.expect_element("sayso-questionnaire [part=submit]");
    assert_eq!(signed.page.run_step("address", json!({})), format!("/a/{}", id_of(&next)));
    signed.page.click_button("History");
    signed.page.expect_element(".row:has-text('make one'):has-text('approved'):has-text('not taken')");
    signed.page.click(".tab >> nth=0");
    // In a field they are letters.
    press(&mut signed, "/");
    signed.page.expect_element(".filter:focus");
    press(&mut signed, "y");
    signed.page.expect_element(".empty:not([hidden])");
    press(&mut signed, "Backspace");
    signed.page.follow_link("Letters");
    signed.page.type_keys("Say it.", "jkyn/?");
    signed.page.expect_value("Say it.", "jkyn/?");
    signed.page.click("#keys");
    signed.page.run_step("check", json!({ "label": "Single keys work", "role": "checkbox", "off": true }));
    signed.page.click_button("Close");
    signed.page.click(".brand");
    press(&mut signed, "/");
    signed.page.expect_element(".filter:not(:focus)");
    signed.page.assert_no_errors();
}
