//! Tests of browsers' sessions: they outlive the server, end with their token, and a stolen cookie opens nothing.

use crate::support::browser::test_browser::{TestBrowser, millis_now};
use crate::support::http_client::{HttpCaller, TestRequest};
use crate::support::served_desk::{ServedDesk, answer_body, ask_path, create_ask, new_token};
use crate::support::terminal::terminal_server::TerminalServer;
use crate::support::test_world::TestWorld;
use sayso_desk::token::TokenRole;
use serde_json::{Value, json};

#[test]
fn restart_signs_no_one_out() {
    let world = TestWorld::new();
    let shown = TerminalServer::start(&world);
    let (browser, listen) = (shown.signed_in(), shown.listen_address());
    assert_eq!(browser.get("/v1/me").json(200)["account"], "ada");
    shown.terminal.kill_9();
    let again = TerminalServer::start_at(&world, &listen);
    assert_eq!(again.address, browser.address);
    assert_eq!(browser.get("/v1/me").json(200)["account"], "ada");
    let ask = create_ask(&again.asker(&world), "A");
    assert_eq!(browser.post(&ask_path(&ask, "/answer"), &answer_body(&ask, "yes")).status, 200);
}

/// Returns method and target of each route of the API document, with this ask in its path.
fn all_routes(document: &Value, ask: &str) -> Vec<(String, String)> {
    let paths = document["paths"].as_object().unwrap();
    let operations = paths.iter().flat_map(|(path, operations)| {
        operations.as_object().unwrap().iter().map(move |(method, operation)| (path, method, operation))
    });
    // Routes without security are open to everyone: they show nothing of an ask.
    let guarded = operations.filter(|(_, _, operation)| operation["security"] != json!([]));
    guarded.map(|(path, method, _)| (method.to_uppercase(), path.replace("{id}", ask))).collect()
}

/// Returns a browser with a key of its own and this cookie.
fn with_cookie(address: &str, cookie: &str) -> TestBrowser {
    let mut browser = TestBrowser::new(address);
    cookie.clone_into(&mut browser.cookie);
    browser
}

#[test]
fn stolen_cookie_opens_no_route() {
    let world = TestWorld::new();
    let shown = TerminalServer::start(&world);
    let mut browser = shown.signed_in();
    let ask = create_ask(&shown.asker(&world), "A");
    let document = shown.without_token().get("/openapi.json").json(200);
    let routes = all_routes(&document, ask["id"].as_str().unwrap());
    assert!(routes.len() > 25, "{routes:?}");
    // Servers of the same desk at other ports get the cookie too. A few routes each, since a server soon refuses an
    // address that fails.
    for some in routes.chunks(6) {
        let other = ServedDesk::start(&world);
        let thief = with_cookie(&other.address, &browser.cookie);
        for (method, target) in some {
            // A WebSocket proves itself in its first message.
            if target == "/ws" {
                continue;
            }
            let sent =
                |request: TestRequest| request.header("cookie", &thief.cookie).json(&json!({})).send().status;
            assert_eq!(
                sent(thief.bare_request(method, target)),
                401,
                "{method} {target} by the cookie alone"
            );
            let moved =
                thief.bare_request(method, target).header("sayso-proof", &browser.proof(method, target));
            assert_eq!(sent(moved), 401, "{method} {target} with a proof for another port");
            let forged =
                thief.bare_request(method, target).header("sayso-proof", &thief.proof(method, target));
            assert_eq!(sent(forged), 401, "{method} {target} with a key of their own");
        }
        let signed_in_at = std::mem::replace(&mut browser.address, other.address);
        assert_eq!(browser.get("/v1/me").status, 200, "the cookie is the right one");
        browser.address = signed_in_at;
    }
}

#[test]
fn proof_fits_request_and_time() {
    let world = TestWorld::new();
    let shown = TerminalServer::start(&world);
    let browser = shown.signed_in();
    let now = millis_now();
    let status = |proof: &str| {
        let request = browser.bare_request("GET", "/v1/asks?rows=1").header("cookie", &browser.cookie);
        request.header("sayso-proof", proof).send().status
    };
    assert_eq!(status(&browser.proof("GET", "/v1/asks?rows=1")), 200);
    for (method, target, at) in [
        ("POST", "/v1/asks?rows=1", now),
        ("GET", "/v1/asks", now),
        ("GET", "/v1/asks?rows=2", now),
        ("GET", "/v1/asks?rows=1", now - 180_000),
        ("GET", "/v1/asks?rows=1", now + 180_000),
    ] {
        assert_eq!(status(&browser.proof_at(method, target, at)), 401, "{method} {target} {at}");
    }
    let once = browser.proof("GET", "/v1/asks?rows=1");
    assert_eq!([status(&once), status(&once)], [200, 401], "a proof is good once");
    let ask = create_ask(&shown.asker(&world), "A");
    let send = |signed: &Value, sent: &Value| {
        let target = ask_path(&ask, "/answer");
        let proof = browser.proof_of("POST", &target, now, signed.to_string().as_bytes());
        let request = browser.bare_request("POST", &target).header("cookie", &browser.cookie);
        request.header("sayso-proof", &proof).json(sent).send()
    };
    let [yes, no] = ["yes", "no"].map(|words| answer_body(&ask, words));
    send(&no, &yes).problem(401, "unauthorized");
    send(&json!({}), &yes).problem(401, "unauthorized");
    assert_eq!(send(&yes, &yes).status, 200, "a proof is for one body");
    let token = new_token(&world, TokenRole::Person, "ada");
    let by_token =
        shown.without_token().request("GET", "/v1/me").header("authorization", &format!("Bearer {token}"));
    assert_eq!(by_token.send().status, 200, "a token needs no proof");
}

#[test]
fn phone_is_let_in_by_its_number() {
    let world = TestWorld::new();
    let shown = TerminalServer::start(&world);
    let browser = shown.signed_in();
    let link = browser.post("/v1/session/links", &json!({})).json(201);
    let (page, code) = link["url"].as_str().unwrap().split_once('#').unwrap();
    assert_eq!(page, format!("http://{}/login", shown.address));
    let state = |id: &Value| browser.get(&format!("/v1/session/links/{}", id.as_str().unwrap())).json(200);
    assert_eq!(state(&link["id"])["state"], "waiting");

    let mut phone = shown.browser();
    let opened = json!({ "code": code, "key": phone.public_key() });
    let claim = phone.bare_request("POST", "/v1/session/claims").json(&opened).send().json(201);
    let thief = json!({ "code": code, "key": shown.browser().public_key() });
    phone.bare_request("POST", "/v1/session/claims").json(&thief).send().problem(401, "unauthorized");
    let finish = json!({ "claim": claim["claim"] });
    let ask_again = || phone.bare_request("POST", "/v1/session").json(&finish).send();
    assert_eq!(ask_again().json(202)["state"], "waiting");
    assert_eq!(state(&link["id"])["state"], "claimed");
    let confirm = format!("/v1/session/links/{}/confirm", link["id"].as_str().unwrap());
    let number = claim["number"].as_str().unwrap();
    phone
        .bare_request("POST", &confirm)
        .json(&json!({ "number": number }))
        .send()
        .problem(401, "unauthorized");
    assert_eq!(browser.post(&confirm, &json!({ "number": number })).status, 204);
    let reply = ask_again();
    assert_eq!(reply.json(200)["account"], "ada");
    ask_again().problem(401, "unauthorized");
    phone.keep_cookie(&reply);
    assert_eq!(phone.get("/v1/me").json(200)["account"], "ada");
    assert_eq!(state(&link["id"])["state"], "signed_in");

    let second = browser.post("/v1/session/links", &json!({})).json(201);
    let code = second["url"].as_str().unwrap().split_once('#').unwrap().1;
    let opened = json!({ "code": code, "key": phone.public_key() });
    let claim = phone.bare_request("POST", "/v1/session/claims").json(&opened).send().json(201);
    let confirm = format!("/v1/session/links/{}/confirm", second["id"].as_str().unwrap());
    browser.post(&confirm, &json!({ "number": "1" })).problem(422, "invalid_value");
    browser.post(&confirm, &json!({ "number": claim["number"] })).problem(422, "invalid_value");
    let refused = phone.bare_request("POST", "/v1/session").json(&json!({ "claim": claim["claim"] })).send();
    refused.problem(401, "unauthorized");
    assert_eq!(state(&second["id"])["state"], "ended");
}

#[test]
fn revoked_token_ends_its_sessions() {
    let world = TestWorld::new();
    let shown = TerminalServer::start(&world);
    let (token, secret) = world.desk().new_token(TokenRole::Person, "bob", None).unwrap();
    let bob = HttpCaller { token: Some(secret.reveal().to_owned()), ..shown.without_token() };
    let link = bob.post("/v1/session/links", &json!({})).json(201);
    let mut phone = shown.browser();
    let opened = json!({ "code": link["url"].as_str().unwrap().split_once('#').unwrap().1, "key": phone.public_key() });
    let claim = phone.bare_request("POST", "/v1/session/claims").json(&opened).send().json(201);
    let confirm = format!("/v1/session/links/{}/confirm", link["id"].as_str().unwrap());
    assert_eq!(bob.post(&confirm, &json!({ "number": claim["number"] })).status, 204);
    let reply = phone.bare_request("POST", "/v1/session").json(&json!({ "claim": claim["claim"] })).send();
    phone.keep_cookie(&reply);
    let mut events = phone.request("GET", "/v1/events").stream();
    events.expect("hello");
    assert_eq!(world.sayso(["token", "revoke", &token.id]).run().exit, 0);
    assert_eq!(events.next(), None);
    phone.get("/v1/me").problem(401, "unauthorized");
}

#[test]
fn person_sees_and_ends_sessions() {
    let world = TestWorld::new();
    let mut shown = TerminalServer::start(&world);
    let first = shown.signed_in();
    shown.without_token().get("/login");
    shown.read_code();
    let second = shown.signed_in();
    let sessions = first.get("/v1/sessions").json(200);
    let all = sessions["sessions"].as_array().unwrap();
    let of =
        |current: bool| all.iter().find(|one| one["is_current"] == current).unwrap()["id"].as_str().unwrap();
    assert_eq!(all.len(), 2);
    assert_eq!(first.delete(&format!("/v1/sessions/{}", of(false))).status, 204);
    second.get("/v1/me").problem(401, "unauthorized");
    let listed = world.sayso(["token", "list"]).run().stdout;
    assert!(listed.contains(of(true)) && !listed.contains(of(false)), "{listed}");
    assert_eq!(world.sayso(["token", "revoke", of(true)]).run().exit, 0);
    first.get("/v1/me").problem(401, "unauthorized");
}
