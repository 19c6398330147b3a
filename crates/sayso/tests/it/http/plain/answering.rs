//! Tests of answering with forms.

use crate::support::browser::plain_browser::PlainForm;
use crate::support::served_desk::plain_desk::{PlainDesk, plain_path};
use crate::support::served_desk::{answer_body, ask_path};
use crate::support::terminal::terminal_server::TerminalServer;
use crate::support::test_world::TestWorld;
use serde_json::{Value, json};

fn environment() -> Value {
    json!({ "title": "Deploy <plan>", "questions": [
        { "id": "env", "prompt": "Where to?", "options": ["staging", "production"] },
    ] })
}

#[test]
fn choice_is_answered_by_forms() {
    let desk = PlainDesk::start();
    let ask = desk.ask(&environment());
    let inbox = desk.browser.get("/plain");
    assert_eq!(inbox.status, 200);
    assert_eq!(inbox.header("cache-control"), Some("no-store"));
    assert_eq!(inbox.header("referrer-policy"), Some("same-origin"));
    let policy = inbox.header("content-security-policy").unwrap();
    assert!(policy.contains("default-src 'none'") && !policy.contains("script"), "{policy}");
    let text = inbox.text();
    assert!(text.contains(&format!("href=\"{}\"", plain_path(&ask, ""))), "{text}");
    assert!(text.contains("Deploy &#60;plan&#62;") && text.contains("<title>Sayso</title>"), "{text}");

    let page = desk.browser.get(&plain_path(&ask, "")).text();
    assert!(page.contains("<title>Sayso</title>") && !page.contains(" checked"), "{page}");
    let form = PlainForm::from_page(&page)
        .with("q0", "o1")
        .with("q0.note", "careful\nplease")
        .with("next", "review");
    let saved = desk.browser.post_form(&plain_path(&ask, ""), &form);
    assert_eq!((saved.status, saved.header("location")), (303, Some(plain_path(&ask, "/review").as_str())));
    let draft = desk.served.person(&desk.world).get(&ask_path(&ask, "/draft")).json(200);
    assert_eq!(draft["replies"]["env"]["answer"]["picks"], json!([{ "option": "production" }]), "{draft}");

    let review = desk.browser.get(&plain_path(&ask, "/review")).text();
    assert!(review.contains("production") && review.contains("Send 1 answer to ci"), "{review}");
    assert!(review.contains(ask["digest"].as_str().unwrap()), "{review}");
    assert_eq!(desk.state(&ask), "open");
    let sent = desk.browser.post_form(&plain_path(&ask, "/answer"), &PlainForm::from_page(&review));
    assert_eq!((sent.status, sent.header("location")), (303, Some(plain_path(&ask, "").as_str())));
    let outcome = desk.outcome(&ask);
    assert_eq!(outcome["outcome"], "answered");
    assert_eq!(outcome["replies"]["env"]["note"], "careful\nplease", "{outcome}");
    let receipt = &outcome["receipt"];
    let by = [&receipt["by"], &receipt["surface"], &receipt["assurance"], &receipt["shown"]];
    assert_eq!(by, [&json!("ada"), &json!("page"), &json!("token"), &ask["digest"]], "{receipt}");
    let shown = desk.browser.get(&plain_path(&ask, "")).text();
    assert!(shown.contains("Answered by ada") && shown.contains("production"), "{shown}");
    assert!(desk.browser.get("/plain").text().contains("No asks are waiting."));
    assert!(desk.browser.get("/plain?tab=history").text().contains("Deploy"));
}

#[test]
fn every_kind_has_a_native_control() {
    let desk = PlainDesk::start();
    let ask = desk.ask(&json!({ "title": "All", "questions": [
        { "id": "one", "prompt": "One?", "options": ["a", "b"], "other": true },
        { "id": "many", "prompt": "Many?", "options": ["x", "y", "z"], "multi": true },
        { "id": "text", "kind": "text", "prompt": "Text?" },
        { "id": "go", "kind": "confirm", "prompt": "Go?", "yes": "Ship", "no": "Hold" },
        { "id": "rate", "kind": "rating", "prompt": "Rate?", "emoji": true, "annotations": { "5": "Best" } },
        { "id": "count", "kind": "number", "prompt": "Count?" },
        { "id": "day", "kind": "date", "prompt": "Day?" },
        { "id": "hour", "kind": "time", "prompt": "Hour?" },
        { "id": "moment", "kind": "datetime", "prompt": "Moment?" },
    ] }));
    let page = desk.browser.get(&plain_path(&ask, "")).text();
    assert!(page.contains("<strong>Yes</strong>") && page.contains("(“Ship”)"), "{page}");
    assert!(page.contains("😍 5") && page.contains("Best") && page.contains("Other"), "{page}");
    for kind in ["date", "time", "datetime-local", "checkbox", "radio"] {
        assert!(page.contains(&format!("type=\"{kind}\"")), "{kind}: {page}");
    }
    let form = PlainForm::from_page(&page)
        .with("q0.own", "mine <b>")
        .with("q1", "o2")
        .with_also("q1", "o0")
        .with("q2.text", "two\nlines")
        .with("q3", "no")
        .with("q4", "5")
        .with("q5.text", "twelve")
        .with("q6.text", "2026-03-01")
        .with("q7.text", "14:05")
        .with("q8.text", "2026-03-01T14:05")
        .with("next", "review");
    assert_eq!(desk.browser.post_form(&plain_path(&ask, ""), &form).status, 303);
    // A text that is no number stays as typed, next to its problem.
    let review = desk.browser.get(&plain_path(&ask, "/review")).text();
    assert!(review.contains("There is 1 problem") && review.contains("#q5\""), "{review}");
    assert!(!review.contains("Send "), "{review}");
    let page = desk.browser.get(&plain_path(&ask, "?check=yes")).text();
    assert!(page.contains("The answer must be a number"), "{page}");
    let again = PlainForm::from_page(&page);
    assert_eq!((again.value("q5.text"), again.value("q0.own")), ("twelve", "mine <b>"));
    let fixed = again.with("q5.text", "12.5").with("next", "review");
    assert_eq!(desk.browser.post_form(&plain_path(&ask, ""), &fixed).status, 303);
    let send = desk.browser.form_at(&plain_path(&ask, "/review"));
    assert_eq!(desk.browser.post_form(&plain_path(&ask, "/answer"), &send).status, 303);
    let replies = desk.outcome(&ask)["replies"].clone();
    let answer = |id: &str| replies[id]["answer"].clone();
    assert_eq!(answer("one"), json!({ "picks": [{ "other": "mine <b>" }] }));
    assert_eq!(answer("many"), json!({ "picks": [{ "option": "z" }, { "option": "x" }] }));
    assert_eq!(answer("text"), json!({ "text": "two\nlines" }));
    assert_eq!((answer("go"), answer("rate")), (json!({ "confirm": false }), json!({ "rating": 5 })));
    assert_eq!(answer("count"), json!({ "number": 12.5 }));
    assert_eq!(
        (answer("day"), answer("hour")),
        (json!({ "date": "2026-03-01" }), json!({ "time": "14:05:00" }))
    );
    assert_eq!(answer("moment"), json!({ "datetime": "2026-03-01T14:05:00" }));
}

#[test]
fn follow_ups_appear_after_a_save() {
    let desk = PlainDesk::start();
    let region = json!({ "id": "region", "prompt": "Which region?", "show_if": { "is": "production" } });
    let ask = desk.ask(&json!({ "questions": [
        { "id": "env", "prompt": "Where to?", "options": ["staging", "production"], "children": [region] },
        { "id": "tag", "prompt": "Which tag?", "required": false },
    ] }));
    let path = plain_path(&ask, "");
    let page = desk.browser.get(&path).text();
    assert!(!page.contains("Which region?") && page.contains("depend on your answers"), "{page}");
    let form = PlainForm::from_page(&page).with("q0", "o1").with("next", "review");
    let saved = desk.browser.post_form(&path, &form);
    // The new question comes before the review.
    let place = saved.header("location").unwrap().to_owned();
    assert_eq!(place, format!("{path}?more=1#q1"));
    let page = desk.browser.get(place.split('#').next().unwrap()).text();
    assert!(page.contains("1 more question.") && page.contains("Which region?"), "{page}");
    let form = PlainForm::from_page(&page).with("q1.text", "eu").with("next", "review");
    let saved = desk.browser.post_form(&path, &form);
    assert_eq!(saved.header("location"), Some(plain_path(&ask, "/review").as_str()));
    // Its answer is kept, and not sent, once it is not asked.
    let form = desk.browser.form_at(&path).with("q0", "o0").with("next", "review");
    desk.browser.post_form(&path, &form);
    let review = desk.browser.get(&plain_path(&ask, "/review")).text();
    let (sent, unsent) = review.split_once("Not sent").unwrap();
    assert!(
        unsent.contains("eu") && unsent.contains("not asked because of") && !sent.contains(">eu<"),
        "{review}"
    );
}

#[test]
fn decline_form_sends_reason() {
    let desk = PlainDesk::start();
    let ask = desk.ask(&environment());
    let form = desk.browser.form_at(&plain_path(&ask, "/decline")).with("reason", "Not on a Friday.");
    assert_eq!(desk.browser.post_form(&plain_path(&ask, "/decline"), &form).status, 303);
    let outcome = desk.outcome(&ask);
    assert_eq!([&outcome["outcome"], &outcome["reason"]], ["declined", "Not on a Friday."]);
    let page = desk.browser.get(&plain_path(&ask, "")).text();
    assert!(page.contains("Declined by ada") && page.contains("Not on a Friday."), "{page}");
    assert_eq!(desk.browser.post_form(&plain_path(&ask, "/decline"), &form).status, 409);
}

#[test]
fn prefill_counts_once_it_is_saved() {
    let desk = PlainDesk::start();
    let ask = desk.ask(&json!({ "questions": [
        { "id": "name", "prompt": "Name?", "prefill": { "text": "Aurora" } },
        { "id": "tag", "prompt": "Tag?", "required": false },
    ] }));
    let review = desk.browser.get(&plain_path(&ask, "/review")).text();
    assert!(!review.contains("Aurora"), "no person has seen it: {review}");
    let page = desk.browser.get(&plain_path(&ask, "")).text();
    assert!(page.contains("filled in by the asker"), "{page}");
    let form = PlainForm::from_page(&page).with("next", "review");
    assert_eq!(form.value("q0.text"), "Aurora");
    desk.browser.post_form(&plain_path(&ask, ""), &form);
    assert!(desk.browser.get(&plain_path(&ask, "/review")).text().contains("Aurora"));
}

#[test]
fn feedback_of_the_asker_is_shown() {
    let desk = PlainDesk::start();
    let request = json!({ "title": "Judged", "questions": [{ "id": "text", "prompt": "Say it." }] });
    let body = json!({ "dialect": "sayso", "request": request, "judged": true });
    let ask = desk.asker.post("/v1/asks", &body).json(201);
    let form = desk.browser.form_at(&plain_path(&ask, "")).with("q0.text", "mine").with("next", "review");
    desk.browser.post_form(&plain_path(&ask, ""), &form);
    let send = desk.browser.form_at(&plain_path(&ask, "/review"));
    desk.browser.post_form(&plain_path(&ask, "/answer"), &send);
    assert!(desk.browser.get(&plain_path(&ask, "")).text().contains("ci is checking the answer."));
    let errors = json!([{ "question": "text", "message": "Longer, please." }]);
    desk.asker.post(&ask_path(&ask, "/verdict"), &json!({ "round": 1, "errors": errors })).json(200);
    let page = desk.browser.get(&plain_path(&ask, "")).text();
    assert!(page.contains("ci wants this changed:") && page.contains("Longer, please."), "{page}");
    assert_eq!(PlainForm::from_page(&page).value("q0.text"), "mine");
    // A form of the round before sends nothing.
    let stale = desk.browser.post_form(&plain_path(&ask, "/answer"), &send);
    assert_eq!((stale.status, desk.state(&ask).as_str()), (409, "open"));
}

#[test]
fn typed_text_survives_the_end_of_an_ask() {
    let desk = PlainDesk::start();
    let ask = desk.ask(&json!({ "questions": [{ "id": "text", "prompt": "Say it." }] }));
    let form = desk.browser.form_at(&plain_path(&ask, "")).with("q0.text", "My long story");
    let person = desk.served.person(&desk.world);
    person.post(&ask_path(&ask, "/answer"), &answer_body(&ask, "theirs")).json(200);
    let late = desk.browser.post_form(&plain_path(&ask, ""), &form);
    let text = late.text();
    assert_eq!(late.status, 409);
    assert!(text.contains("My long story") && text.contains("Answered by ada"), "{text}");
    assert!(text.contains("Nothing of yours was sent"), "{text}");
}

#[test]
fn code_of_the_terminal_signs_in() {
    let world = TestWorld::new();
    world.write("config/sayso/config.toml", "[server]\nplain_pages = true\n");
    let shown = TerminalServer::start(&world);
    let mut browser = crate::support::browser::plain_browser::PlainBrowser::new(&shown.address);
    let wrong = browser.post("/plain/sign-in", &[("code", "2222-2222")]);
    assert!(wrong.status == 401 && wrong.text().contains("signs no one in"), "{wrong:?}");
    let reply = browser.post("/plain/sign-in", &[("code", &shown.code)]);
    assert_eq!(reply.status, 303, "{}", reply.text());
    let set = reply.header("set-cookie").unwrap().to_owned();
    assert!(set.starts_with("sayso_plain=") && set.ends_with("; Path=/; HttpOnly; SameSite=Strict"), "{set}");
    browser.keep_cookie(&reply);
    let inbox = browser.get("/plain");
    assert!(inbox.text().contains("ada"), "{}", inbox.text());
    let chinese = browser.bare_request("GET", "/plain").header("accept-language", "zh-CN").send().text();
    assert!(chinese.contains("lang=\"zh\"") && chinese.contains("收件箱"), "{chinese}");
    let form = PlainForm::from_page(&inbox.text().replace("<header", "<main><header"));
    let out = browser.post("/plain/sign-out", &[("token", form.value("token"))]);
    assert_eq!((out.status, out.header("location")), (303, Some("/plain/sign-in")));
    assert_eq!(browser.get("/plain").status, 401);
}
