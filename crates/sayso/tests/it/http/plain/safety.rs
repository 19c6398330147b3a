//! Tests of what the pages without scripts refuse.

use crate::support::browser::plain_browser::{PlainBrowser, PlainForm, with_fields};
use crate::support::http_client::HttpCaller;
use crate::support::served_desk::plain_desk::{PlainDesk, plain_path};
use crate::support::served_desk::{ServedDesk, ask_path, new_token};
use crate::support::terminal::terminal_server::TerminalServer;
use crate::support::test_world::TestWorld;
use sayso_desk::TokenDesk as _;
use sayso_desk::token::TokenRole;
use serde_json::{Value, json};

fn one_text() -> Value {
    json!({ "title": "T", "questions": [{ "id": "text", "prompt": "Say it." }] })
}

#[test]
fn pages_are_closed_without_setting() {
    let world = TestWorld::new();
    let served = ServedDesk::start(&world);
    let token = new_token(&world, TokenRole::Person, "ada");
    let browser = PlainBrowser::new(&served.address);
    for reply in [
        browser.get("/plain"),
        browser.get("/plain/sign-in"),
        browser.post("/plain/sign-in", &[("access_token", &token)]),
    ] {
        assert_eq!((reply.status, reply.header("set-cookie")), (403, None), "{reply:?}");
        assert!(reply.text().contains("host name over TLS") && reply.text().contains("plain_pages"));
    }
    // The page with scripts leads there.
    let shell = served.without_token().get("/").text();
    assert!(shell.contains("<noscript>") && shell.contains("href=\"/plain\""), "{shell}");
}

#[test]
fn host_name_over_tls_opens_pages() {
    let world = TestWorld::new();
    let served = ServedDesk::with(&world, &["--rate", "0", "--public-url", "https://desk.example.com"]);
    let token = new_token(&world, TokenRole::Person, "ada");
    let sign_in = |host: &str, origin: &str| {
        let request = served.without_token().request("POST", "/plain/sign-in").replace_header("host", host);
        with_fields(request.header("origin", origin), &[("access_token", &token)]).send()
    };
    let reply = sign_in("desk.example.com", "https://desk.example.com");
    let set = reply.header("set-cookie").unwrap();
    assert!(reply.status == 303 && set.starts_with("__Host-sayso_plain="), "{reply:?}");
    assert!(set.ends_with("; Path=/; HttpOnly; SameSite=Strict; Secure"), "{set}");
    // Not under another name of the server, at which there is no TLS.
    let local = served.address.clone();
    assert_eq!(sign_in(&local, &format!("http://{local}")).status, 403);
}

#[test]
fn plain_cookie_opens_no_api() {
    let desk = PlainDesk::start();
    let ask = desk.ask(&one_text());
    let secret = desk.browser.cookie.strip_prefix("sayso_plain=").unwrap();
    for cookie in [desk.browser.cookie.clone(), format!("sayso_session={secret}")] {
        for target in ["/v1/asks", "/v1/me", &ask_path(&ask, ""), "/v1/events", "/v1/sessions"] {
            let request = desk.served.without_token().request("GET", target).header("cookie", &cookie);
            request.header("sec-fetch-site", "same-origin").send().problem(401, "unauthorized");
        }
        let request = desk.served.without_token().request("GET", "/ws").header("cookie", &cookie);
        let socket = request
            .replace_header("connection", "Upgrade")
            .header("upgrade", "websocket")
            .header("sec-websocket-version", "13")
            .header("sec-websocket-protocol", "sayso.interaction.v1")
            .header("sec-websocket-key", "dGhlIHNhbXBsZSBub25jZQ==");
        assert_eq!(socket.send_for_head().status, 401, "{cookie}");
    }
}

#[test]
fn session_with_key_opens_no_plain_page() {
    let world = TestWorld::new();
    world.write("config/sayso/config.toml", "[server]\nplain_pages = true\n");
    let shown = TerminalServer::start(&world);
    let browser = shown.signed_in();
    let secret = browser.cookie.strip_prefix("sayso_session=").unwrap();
    for cookie in [browser.cookie.clone(), format!("sayso_plain={secret}")] {
        let mut plain = PlainBrowser::new(&shown.address);
        plain.cookie = cookie;
        assert_eq!(plain.get("/plain").status, 401);
    }
}

#[test]
fn foreign_pages_post_nothing() {
    let desk = PlainDesk::start();
    let ask = desk.ask(&one_text());
    let form = desk.browser.form_at(&plain_path(&ask, "")).with("q0.text", "forged");
    let fields: Vec<_> = form.fields.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    let own = format!("http://{}", desk.served.address);
    let cases: [&[(&str, &str)]; 7] = [
        &[],
        &[("origin", "https://evil.example")],
        &[("origin", "null")],
        &[("origin", "http://127.0.0.1:1")],
        &[("origin", &own), ("sec-fetch-site", "same-site")],
        &[("sec-fetch-site", "cross-site")],
        &[("sec-fetch-site", "none")],
    ];
    for headers in cases {
        for target in [plain_path(&ask, ""), plain_path(&ask, "/answer"), "/plain/sign-in".to_owned()] {
            let request = with_fields(desk.browser.bare_request("POST", &target), &fields);
            let request = headers.iter().fold(request, |request, (name, value)| request.header(name, value));
            assert_eq!(request.send().status, 403, "{target} {headers:?}");
        }
    }
    let draft = desk.served.person(&desk.world).get(&ask_path(&ask, "/draft")).json(200);
    assert_eq!(draft["rev"], 0, "{draft}");
    assert_eq!(desk.browser.post(&plain_path(&ask, ""), &fields).status, 303, "and this page does");
}

#[test]
fn visit_from_elsewhere_loads_once_more() {
    let desk = PlainDesk::start();
    let ask = desk.ask(&one_text());
    let caller = HttpCaller { address: desk.served.address.clone(), token: None };
    let request = caller.request("GET", &plain_path(&ask, "")).header("sec-fetch-site", "cross-site");
    let name = desk.served.address.replace("127.0.0.1", "localhost");
    let reply = request.replace_header("host", &name).header("sec-fetch-mode", "navigate").send();
    let refresh = format!("content=\"0; url={}\"", plain_path(&ask, ""));
    assert!(reply.status == 200 && reply.text().contains(&refresh), "{}", reply.text());
}

#[test]
fn form_is_taken_once() {
    let desk = PlainDesk::start();
    let ask = desk.ask(&one_text());
    let form = desk.browser.form_at(&plain_path(&ask, "")).with("q0.text", "first");
    assert_eq!(desk.browser.post_form(&plain_path(&ask, ""), &form).status, 303);
    let replayed = desk.browser.post_form(&plain_path(&ask, ""), &form.with("q0.text", "second"));
    assert_eq!(replayed.status, 409);
    // The typed text is still there, next to the saved one.
    let text = replayed.text();
    assert!(text.contains("Not saved") && text.contains("first"), "{text}");
    let again = PlainForm::from_page(&text);
    assert_eq!(again.value("q0.text"), "second");
    assert_eq!(desk.browser.post_form(&plain_path(&ask, ""), &again).status, 303, "a second save keeps it");

    let send = desk.browser.form_at(&plain_path(&ask, "/review"));
    assert_eq!(desk.browser.post_form(&plain_path(&ask, "/answer"), &send).status, 303);
    let replayed = desk.browser.post_form(&plain_path(&ask, "/answer"), &send);
    assert!(replayed.status == 409 && replayed.text().contains("Answered by ada"), "{}", replayed.text());
    assert_eq!(desk.outcome(&ask)["replies"]["text"]["answer"]["text"], "second");
}

#[test]
fn token_of_a_form_is_for_its_session() {
    let desk = PlainDesk::start();
    let (ask, other_ask) =
        (desk.ask(&one_text()), desk.ask(&json!({ "questions": [{ "id": "b", "prompt": "B?" }] })));
    let other =
        PlainBrowser::signed_in(&desk.served.address, &new_token(&desk.world, TokenRole::Person, "bob"));
    let mine = desk.browser.form_at(&plain_path(&ask, "")).with("q0.text", "typed");
    let refused = |browser: &PlainBrowser, ask: &Value, form: &PlainForm| {
        let reply = browser.post_form(&plain_path(ask, ""), form);
        assert_eq!(reply.status, 409, "{}", reply.text());
        assert_eq!(PlainForm::from_page(&reply.text()).value("q0.text"), "typed");
    };
    refused(&other, &ask, &mine);
    refused(&desk.browser, &other_ask, &mine);
    refused(&desk.browser, &ask, &mine.clone().with("token", &"0".repeat(64)));
    refused(&desk.browser, &ask, &mine.clone().with("rev", "9"));
    let person = desk.served.person(&desk.world);
    assert_eq!(person.get(&ask_path(&ask, "/draft")).json(200)["rev"], 0);
}

#[test]
fn changed_draft_is_reviewed_again() {
    let desk = PlainDesk::start();
    let ask = desk.ask(&one_text());
    let form = desk.browser.form_at(&plain_path(&ask, "")).with("q0.text", "mine");
    desk.browser.post_form(&plain_path(&ask, ""), &form);
    let send = desk.browser.form_at(&plain_path(&ask, "/review"));
    let theirs = json!({ "replies": { "text": { "state": "answered", "answer": { "text": "theirs" } } } });
    let person = desk.served.person(&desk.world);
    person.request("PATCH", &ask_path(&ask, "/draft")).json(&theirs).send().json(200);
    let stale = desk.browser.post_form(&plain_path(&ask, "/answer"), &send);
    assert_eq!((stale.status, desk.state(&ask).as_str()), (409, "open"));
    assert!(stale.text().contains("changed in the meantime") && stale.text().contains("theirs"));
    let send = PlainForm::from_page(&stale.text());
    assert_eq!(desk.browser.post_form(&plain_path(&ask, "/answer"), &send).status, 303);
    assert_eq!(desk.outcome(&ask)["replies"]["text"]["answer"]["text"], "theirs");
}

#[test]
fn other_digest_shows_action_again() {
    let desk = PlainDesk::start();
    let act = json!({ "tool": "shell", "act": { "shell": { "command": "rm -rf /srv/data\n✓ approved" } } });
    let ask = desk.ask(&json!({ "title": "Clean", "action": act, "questions": [
        { "id": "go", "kind": "confirm", "prompt": "Clean up?", "yes": "Sure" },
    ] }));
    let page = desk.browser.get(&plain_path(&ask, "")).text();
    let (before, after) = page.split_once("rm -rf /srv/data").unwrap();
    assert!(before.contains("the tool shell does exactly this") && after.contains("Clean up?"), "{page}");
    assert!(!page.contains('✓') && !page.contains(" checked"), "{page}");
    let form = PlainForm::from_page(&page).with("q0", "yes");
    desk.browser.post_form(&plain_path(&ask, ""), &form);
    let review = desk.browser.get(&plain_path(&ask, "/review")).text();
    assert!(review.contains("rm -rf /srv/data") && review.contains("Yes"), "{review}");
    let send = PlainForm::from_page(&review);
    let forged = send.clone().with("shown", &"0".repeat(64));
    let refused = desk.browser.post_form(&plain_path(&ask, "/answer"), &forged);
    assert_eq!((refused.status, desk.state(&ask).as_str()), (409, "open"));
    assert!(refused.text().contains("rm -rf /srv/data"), "{}", refused.text());
    assert_eq!(desk.browser.post_form(&plain_path(&ask, "/answer"), &send).status, 303);
    assert_eq!(desk.outcome(&ask)["replies"]["go"]["answer"]["confirm"], true);
}

#[test]
fn hostile_texts_stay_text() {
    let desk = PlainDesk::start();
    let evil = "</legend></form><script>alert(1)</script><img src=x onerror=y>\u{202e}\u{1b}[2J\"'`{{7}}";
    let ask = desk.ask(&json!({ "title": evil, "context": evil, "questions": [
        { "id": "a", "prompt": evil, "detail": evil, "placeholder": evil, "other": true, "other_label": evil,
          "options": [{ "id": "x", "label": evil, "description": evil, "preview": evil, "value": evil }] },
        { "id": "b", "kind": "text", "prompt": "B?", "placeholder": evil, "prefill": { "text": evil.replace(['\u{1b}', '\u{202e}'], "") } },
    ] }));
    let form = desk.browser.form_at(&plain_path(&ask, ""));
    let form = form.with("q0", "o0").with("q0.note", evil).with("q1.text", evil).with("next", "review");
    desk.browser.post_form(&plain_path(&ask, ""), &form);
    for page in
        ["/plain".to_owned(), plain_path(&ask, ""), plain_path(&ask, "/review"), plain_path(&ask, "/decline")]
    {
        let text = desk.browser.get(&page).text();
        for raw in ["<script", "<img src", "</legend></form>"] {
            assert!(!text.replace("</legend>\n", "").contains(raw), "{page}: {raw}");
        }
        assert!(text.contains("<title>Sayso</title>"), "{page}");
    }
    let shown = desk.browser.get("/plain").text();
    assert!(shown.contains("⟦U+202E⟧") && shown.contains("⟦U+001B⟧"), "{shown}");
}

#[test]
fn revoked_token_ends_plain_session() {
    let desk = PlainDesk::start();
    let ask = desk.ask(&one_text());
    let form = desk.browser.form_at(&plain_path(&ask, "")).with("q0.text", "kept while signed out");
    let store = desk.world.desk();
    for token in store.tokens().unwrap() {
        if token.account == "ada" {
            store.revoke_token(&token.id).unwrap();
        }
    }
    let reply = desk.browser.post_form(&plain_path(&ask, ""), &form);
    assert!(reply.status == 401 && reply.text().contains("You are signed out"), "{}", reply.text());
    // Nothing that was typed is lost: it comes back after the sign-in.
    let token = new_token(&desk.world, TokenRole::Person, "ada");
    let form = PlainForm::from_page(&reply.text()).with("access_token", &token);
    let mut browser = PlainBrowser::new(&desk.served.address);
    let back = browser.post_form("/plain/sign-in", &form);
    assert_eq!(PlainForm::from_page(&back.text()).value("q0.text"), "kept while signed out");
    browser.keep_cookie(&back);
    assert_eq!(browser.post_form(&plain_path(&ask, ""), &PlainForm::from_page(&back.text())).status, 303);
    let asker = new_token(&desk.world, TokenRole::Asker, "ci");
    assert_eq!(
        browser.post("/plain/sign-in", &[("access_token", &asker)]).status,
        401,
        "askers do not answer"
    );
}

#[test]
fn forms_are_taken_on_plain_pages_alone() {
    let desk = PlainDesk::start();
    let ask = desk.ask(&one_text());
    let person = desk.served.person(&desk.world);
    for target in
        ["/v1/session", &ask_path(&ask, "/answer"), &ask_path(&ask, "/see"), &ask_path(&ask, "/decline")]
    {
        let form = with_fields(person.request("POST", target), &[("a", "b")]);
        form.send().problem(415, "unsupported_media_type");
    }
    let json =
        desk.browser.bare_request("POST", &plain_path(&ask, "")).header("sec-fetch-site", "same-origin");
    json.json(&json!({})).send().problem(415, "unsupported_media_type");
}
