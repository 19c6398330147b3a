//! Tests with npm's issuer: members sign in, answer, and lose what their groups lose.

use crate::support::http_client::HttpCaller;
use crate::support::issuer::issuer_visitor::IssuerVisitor;
use crate::support::issuer::npm_issuer::NpmIssuer;
use crate::support::program::program_output::LIMIT;
use crate::support::served_desk::{ServedDesk, answer_body, ask_path, create_ask, text};
use crate::support::test_world::TestWorld;
use sayso_desk::token::{TokenAudience, TokenRequest, TokenRole};
use sayso_desk::{GroupDesk as _, TokenDesk as _};
use serde_json::json;
use std::time::{Duration, Instant};

/// Desk whose members sign in at npm's issuer.
struct OidcDesk {
    world: TestWorld,
    issuer: NpmIssuer,
    served: ServedDesk,
}

impl OidcDesk {
    fn start() -> Self {
        let world = TestWorld::new();
        let mut issuer = NpmIssuer::start(&world);
        let served = issuer.serve_desk(&world, &[]);
        Self { world, issuer, served }
    }

    fn visitor(&self) -> IssuerVisitor {
        IssuerVisitor::new(&self.served.address)
    }

    fn account(&self, person: &str) -> String {
        format!("{}/{person}", self.issuer.url)
    }
}

#[test]
fn member_signs_in_and_answers() {
    let desk = OidcDesk::start();
    let mut ada = desk.visitor();
    let reply = ada.sign_in("ada", "desk");
    assert_eq!((reply.status, reply.header("location")), (303, Some("/login")), "{}", reply.text());
    let cookie = reply.headers_named("set-cookie").next().unwrap();
    assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"), "{cookie}");
    assert_eq!(ada.desk_cookie("sayso_issuer"), None);
    let me = ada.browser.get("/v1/me").json(200);
    assert_eq!((&me["account"], &me["role"]), (&json!(desk.account("ada")), &json!("person")));

    let ask = create_ask(&desk.served.asker(&desk.world), "Ship it?");
    let done = ada.browser.post(&ask_path(&ask, "/answer"), &answer_body(&ask, "yes")).json(200);
    let receipt = done.pointer("/phase/settled/receipt").unwrap();
    assert_eq!((&receipt["by"], &receipt["assurance"]), (&me["account"], &json!("browser_session")));

    // The session hangs on a token that ends it within half a day, and whose end is its end.
    let tokens = desk.world.desk().tokens().unwrap();
    let token = tokens.iter().find(|token| token.account == desk.account("ada")).unwrap();
    let life = token.expires_at.unwrap().duration_since(token.created_at);
    assert_eq!((token.role, life.as_hours()), (TokenRole::Person, 12));
    let mut events = ada.browser.request("GET", "/v1/events").stream();
    events.expect("hello");
    desk.world.desk().revoke_token(&token.id).unwrap();
    let since = Instant::now();
    while events.next().is_some() {}
    assert!(since.elapsed() < Duration::from_secs(10), "{:?}", since.elapsed());
    ada.browser.get("/v1/me").problem(401, "unauthorized");
}

#[test]
fn code_works_once() {
    let desk = OidcDesk::start();
    let mut ada = desk.visitor();
    let back = ada.pass_issuer("ada", "desk");
    assert_eq!(ada.open(&back).status, 303);
    // The same address once more: this browser's sign-in is over.
    let again = ada.open(&back);
    assert_eq!(again.status, 401);
    assert!(again.text().contains("was used already"), "{}", again.text());
    // The code in a sign-in of another browser: the issuer knows that it was used, and for what.
    let mut eve = desk.visitor();
    let asked = eve.begin();
    let parameter = |url: &str, name: &str| crate::support::issuer::issuer_visitor::query_value(url, name);
    let stolen = back.replace(&parameter(&back, "state"), &parameter(&asked, "state"));
    let refused = eve.open(&stolen);
    assert_eq!(refused.status, 401);
    assert!(refused.text().contains("does not accept the code"), "{}", refused.text());
    assert!(eve.browser.cookie.is_empty());
}

#[test]
fn groups_follow_each_sign_in() {
    let desk = OidcDesk::start();
    let (mut ada, account) = (desk.visitor(), desk.account("ada"));
    assert_eq!(ada.sign_in("ada", "desk,ops,members").status, 303);
    let groups = |of: &str| desk.world.desk().groups_of(of).unwrap().into_iter().collect::<Vec<_>>();
    assert_eq!(groups(&account), ["desk", "ops"]);
    let token = desk.world.desk().create_token(TokenRequest {
        role: TokenRole::Asker,
        account: "ci".to_owned(),
        expires_in: None,
        audience: TokenAudience { default_names: vec!["ops".to_owned()], ..TokenAudience::default() },
    });
    let asker =
        HttpCaller { token: Some(token.unwrap().1.reveal().to_owned()), ..desk.served.without_token() };
    let ask = asker.post("/v1/asks", &text("For ops")).json(201);
    assert_eq!(ada.browser.get(&ask_path(&ask, "")).status, 200);

    // Another sign-in, in another browser: what it says holds for both.
    let mut phone = desk.visitor();
    assert_eq!(phone.sign_in("ada", "desk").status, 303);
    assert_eq!(groups(&account), ["desk"]);
    for browser in [&ada.browser, &phone.browser] {
        browser.get(&ask_path(&ask, "")).problem(404, "ask_not_found");
    }
}

#[test]
fn outsider_is_no_member() {
    let desk = OidcDesk::start();
    let mut eve = desk.visitor();
    let refused = eve.sign_in("eve", "guests,ops");
    assert_eq!(refused.status, 403);
    assert!(refused.text().contains("may not use this desk"), "{}", refused.text());
    assert!(eve.browser.cookie.is_empty() && desk.world.desk().groups().unwrap().is_empty());

    // Who loses the group loses the sessions that are open, at the next sign-in.
    let mut ada = desk.visitor();
    assert_eq!(ada.sign_in("ada", "desk,ops").status, 303);
    let mut other = desk.visitor();
    assert_eq!(other.sign_in("ada", "ops").status, 403);
    let until = Instant::now() + LIMIT;
    ada.browser.get("/v1/me").problem(401, "unauthorized");
    assert!(Instant::now() < until && desk.world.desk().groups().unwrap().is_empty());
}
