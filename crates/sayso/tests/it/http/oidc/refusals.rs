//! Tests with an issuer that does wrong: each wrong reply is refused in words.

use crate::support::browser::test_browser::millis_now;
use crate::support::http_client::HttpReply;
use crate::support::issuer::hostile_issuer::HostileIssuer;
use crate::support::issuer::issuer_visitor::{IssuerVisitor, query_value};
use crate::support::issuer::npm_issuer::write_secret;
use crate::support::served_desk::ServedDesk;
use crate::support::test_world::TestWorld;
use serde_json::{Value, json};

/// Starts a desk that lets in the group `desk` of an issuer.
fn serve(world: &TestWorld, issuer: &HostileIssuer) -> ServedDesk {
    let (url, secret) = (issuer.url(), write_secret(world));
    let options = ["--oidc-issuer", &url, "--oidc-client-id", "desk", "--oidc-secret-file", &secret];
    ServedDesk::with(world, &[&options[..], &["--oidc-group", "desk", "--rate", "0"]].concat())
}

fn seconds_now() -> i64 {
    i64::try_from(millis_now() / 1000).unwrap()
}

/// Returns the address that leads back from the issuer for a sign-in, with more parameters.
fn way_back(desk: &str, asked: &str, more: &str) -> String {
    format!("http://{desk}/login/oidc/callback?code=c0de&state={}{more}", query_value(asked, "state"))
}

/// Signs in with a token of these claims, signed by this key under this id.
fn sign_in(
    desk: &ServedDesk,
    issuer: &HostileIssuer,
    change: impl FnOnce(&mut Value),
    (signer, key_id): (usize, &str),
) -> (IssuerVisitor, HttpReply) {
    let mut visitor = IssuerVisitor::new(&desk.address);
    let asked = visitor.begin();
    let mut claims = issuer.good_claims(&query_value(&asked, "nonce"), seconds_now());
    change(&mut claims);
    issuer.sign_next(claims, signer, key_id);
    let reply = visitor.open(&way_back(&desk.address, &asked, ""));
    (visitor, reply)
}

const GOOD_KEY: (usize, &str) = (0, "first");

#[track_caller]
fn assert_refused(reply: &HttpReply, words: &str) {
    assert_eq!(reply.status, 401, "{}", reply.text());
    assert!(reply.text().contains(words), "{words}: {}", reply.text());
    let sets_session = reply.headers_named("set-cookie").any(|cookie| cookie.starts_with("sayso_session"));
    assert!(!sets_session, "{reply:?}");
}

#[test]
fn good_token_lets_in() {
    let (world, issuer) = (TestWorld::new(), HostileIssuer::start());
    let desk = serve(&world, &issuer);
    let (visitor, reply) = sign_in(&desk, &issuer, |_| (), GOOD_KEY);
    assert_eq!(reply.status, 303, "{}", reply.text());
    assert_eq!(visitor.browser.get("/v1/me").json(200)["account"], format!("{}/ada", issuer.url()));
    // The desk proves that it began the sign-in, by its secret and by the verifier.
    let exchange = issuer.exchanges().pop().unwrap();
    assert!(exchange.contains("code_verifier=") && exchange.to_lowercase().contains("authorization: basic"));
}

#[test]
fn wrong_tokens_are_refused() {
    let (world, issuer) = (TestWorld::new(), HostileIssuer::start());
    let desk = serve(&world, &issuer);
    let wrong: [(&str, Value, &str); 8] = [
        ("nonce", json!("another"), "its nonce is not the one"),
        ("nonce", Value::Null, "its nonce is not the one"),
        ("iss", json!("https://other.example"), "is of another issuer"),
        ("aud", json!("other"), "for another client"),
        ("aud", json!(["desk", "other"]), "for another client"),
        ("azp", json!("other"), "for another client"),
        ("exp", json!(seconds_now() - 1), "has expired"),
        ("at_hash", json!("AAAA"), "at_hash"),
    ];
    for (member, value, words) in wrong {
        let change = |claims: &mut Value| match value {
            Value::Null => drop(claims.as_object_mut().unwrap().remove(member)),
            value => claims[member] = value,
        };
        assert_refused(&sign_in(&desk, &issuer, change, GOOD_KEY).1, words);
    }
    // Another key under a known id, one that is not published, the shared secret, and no signature at all.
    for key in [(1, "first"), (1, "second"), (8, "first"), (9, "first")] {
        let desk = serve(&world, &issuer);
        issuer.sign_next(Value::Null, 0, "first");
        IssuerVisitor::new(&desk.address).begin();
        assert_refused(&sign_in(&desk, &issuer, |_| (), key).1, "not signed with a key of the issuer");
    }
    assert!(!world.json(&["token", "list", "--json"]).to_string().contains("/ada"));
}

#[test]
fn mixed_up_issuer_gets_no_code() {
    let (world, issuer) = (TestWorld::new(), HostileIssuer::start());
    let desk = serve(&world, &issuer);
    let mut visitor = IssuerVisitor::new(&desk.address);
    let asked = visitor.begin();
    let other = way_back(&desk.address, &asked, "&iss=https%3A%2F%2Fother.example");
    assert_refused(&visitor.open(&other), "from another issuer");
    // An issuer that names itself in each reply must do so.
    issuer.name_itself();
    let desk = serve(&world, &issuer);
    let mut visitor = IssuerVisitor::new(&desk.address);
    let asked = visitor.begin();
    assert_refused(&visitor.open(&way_back(&desk.address, &asked, "")), "from another issuer");
    assert_eq!(issuer.exchanges(), Vec::<String>::new());
}

#[test]
fn reply_of_other_browser_is_refused() {
    let (world, issuer) = (TestWorld::new(), HostileIssuer::start());
    let desk = serve(&world, &issuer);
    let (mut ada, mut eve) = (IssuerVisitor::new(&desk.address), IssuerVisitor::new(&desk.address));
    let (asked, other) = (ada.begin(), eve.begin());
    // The attacker's reply in the victim's browser, one in a browser that began none, and one with a forged cookie.
    assert_refused(&ada.open(&way_back(&desk.address, &other, "")), "its state is not the one");
    let mut stranger = IssuerVisitor::new(&desk.address);
    assert_refused(&stranger.open(&way_back(&desk.address, &asked, "")), "was not begun in this browser");
    let forged = desk.without_token().request("GET", "/login/oidc/callback?code=a&state=b");
    let forged = forged.header("cookie", "sayso_issuer=AAAA").send();
    assert_refused(&forged, "was not begun in this browser");
    // The issuer's own refusal.
    let mut bob = IssuerVisitor::new(&desk.address);
    let asked = bob.begin();
    let denied = way_back(&desk.address, &asked, "&error=access_denied");
    assert_refused(&bob.open(&denied), "refused the sign-in: access_denied");
    assert_eq!(issuer.exchanges(), Vec::<String>::new());
}

#[test]
fn another_server_finishes_the_sign_in() {
    let (world, issuer) = (TestWorld::new(), HostileIssuer::start());
    let (first, second) = (serve(&world, &issuer), serve(&world, &issuer));
    let mut visitor = IssuerVisitor::new(&first.address);
    let asked = visitor.begin();
    first.program.kill_9();
    visitor.move_to(&second.address);
    issuer.sign_next(issuer.good_claims(&query_value(&asked, "nonce"), seconds_now()), 0, "first");
    let reply = visitor.open(&way_back(&second.address, &asked, ""));
    assert_eq!(reply.status, 303, "{}", reply.text());
    assert_eq!(visitor.browser.get("/v1/me").status, 200);
}

#[test]
fn page_elsewhere_begins_no_sign_in() {
    let (world, issuer) = (TestWorld::new(), HostileIssuer::start());
    let desk = serve(&world, &issuer);
    let start = |site: &str, target: &str| {
        let request = desk.without_token().request("GET", target).header("sec-fetch-site", site);
        request.header("sec-fetch-mode", "navigate").replace_header("host", &local(&desk.address)).send()
    };
    let key = IssuerVisitor::new(&desk.address).browser.public_key();
    let reply = start("cross-site", &format!("/login/oidc?key={key}"));
    assert_eq!((reply.status, reply.header("location")), (303, Some("/login")));
    assert_eq!(start("same-origin", "/login/oidc?key=AAAA").status, 422);
    start("same-origin", "/login/oidc").problem(422, "invalid_value");
}

/// Returns the name under which browsers open the pages.
fn local(address: &str) -> String {
    format!("localhost:{}", address.rsplit_once(':').unwrap().1)
}
