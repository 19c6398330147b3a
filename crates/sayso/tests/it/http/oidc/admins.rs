//! Tests of admins, whom only a named group makes, and of the exchange of the issuer's keys.

use crate::support::browser::test_browser::millis_now;
use crate::support::issuer::hostile_issuer::HostileIssuer;
use crate::support::issuer::issuer_visitor::{IssuerVisitor, query_value};
use crate::support::issuer::npm_issuer::write_secret;
use crate::support::served_desk::{ServedDesk, answer_body, ask_path, create_ask, text};
use crate::support::test_world::TestWorld;
use sayso_desk::TokenDesk as _;
use sayso_desk::token::{TokenAudience, TokenRequest, TokenRole};
use serde_json::json;

/// Starts a desk with these lines in its table of the issuer.
fn serve(world: &TestWorld, issuer: &HostileIssuer, more: &str) -> ServedDesk {
    let (url, secret) = (issuer.url(), write_secret(world));
    let table = format!(
        "[server.oidc]\nissuer = \"{url}\"\nclient_id = \"desk\"\nclient_secret_file = \"{secret}\"\n{more}"
    );
    world.write("config/sayso/config.toml", table);
    ServedDesk::start(world)
}

fn sign_in(
    desk: &ServedDesk,
    issuer: &HostileIssuer,
    groups: &[&str],
    key: (usize, &str),
) -> (IssuerVisitor, u16) {
    let mut visitor = IssuerVisitor::new(&desk.address);
    let asked = visitor.begin();
    let now = i64::try_from(millis_now() / 1000).unwrap();
    let mut claims = issuer.good_claims(&query_value(&asked, "nonce"), now);
    claims["groups"] = json!(groups);
    issuer.sign_next(claims, key.0, key.1);
    let state = query_value(&asked, "state");
    let status =
        visitor.open(&format!("http://{}/login/oidc/callback?code=a&state={state}", desk.address)).status;
    (visitor, status)
}

#[test]
fn only_a_named_group_makes_admins() {
    let (world, issuer) = (TestWorld::new(), HostileIssuer::start());
    let desk = serve(&world, &issuer, "groups = [\"desk\"]\nadmin_groups = [\"boss\"]\nsession_hours = 2\n");
    let good = (0, "first");
    let (person, _) = sign_in(&desk, &issuer, &["desk", "admin", "admins"], good);
    person.browser.get("/v1/tokens").problem(403, "not_allowed");
    let outside = person.browser.request("GET", "/v1/asks").header("sayso-outside", "open").send();
    outside.problem(403, "not_allowed");
    // A group of admins alone lets no one in.
    assert_eq!(sign_in(&desk, &issuer, &["boss"], good).1, 403);

    let (admin, status) = sign_in(&desk, &issuer, &["desk", "boss"], good);
    assert_eq!((status, &admin.browser.get("/v1/me").json(200)["role"]), (303, &json!("admin")));
    assert_eq!(admin.browser.get("/v1/tokens").status, 200);
    // In its own name an admin in a browser is a person with a session.
    let ask = create_ask(&desk.asker(&world), "Ship it?");
    let done = admin.browser.post(&ask_path(&ask, "/answer"), &answer_body(&ask, "yes")).json(200);
    assert_eq!(done.pointer("/phase/settled/receipt/assurance").unwrap(), "browser_session");
    // It opens an ask for others by a step of its own.
    let token = world.desk().create_token(TokenRequest {
        role: TokenRole::Asker,
        account: "ci".to_owned(),
        expires_in: None,
        audience: TokenAudience { default_names: vec!["bob".to_owned()], ..TokenAudience::default() },
    });
    let ask = desk.with_token(token.unwrap().1.reveal()).post("/v1/asks", &text("For bob")).json(201);
    let path = ask_path(&ask, "");
    admin.browser.get(&path).problem(404, "ask_not_found");
    assert_eq!(admin.browser.request("GET", &path).header("sayso-outside", "open").send().status, 200);
    let lives = world
        .desk()
        .tokens()
        .unwrap()
        .into_iter()
        .filter_map(|token| token.expires_at.map(|end| end.duration_since(token.created_at).as_hours()));
    assert!(lives.eq([2]), "a session of two hours in place of the one that ended");
}

#[test]
fn exchanged_key_is_read_again() {
    let (world, issuer) = (TestWorld::new(), HostileIssuer::start());
    let desk = serve(&world, &issuer, "accounts = [\"ada\"]\ngroups_claim = \"\"\n");
    assert_eq!(sign_in(&desk, &issuer, &[], (0, "first")).1, 303);
    issuer.exchange_keys();
    assert_eq!(sign_in(&desk, &issuer, &[], (0, "second")).1, 303);
}
