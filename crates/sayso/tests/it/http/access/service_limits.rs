//! Tests of the limits of a service: logins, sessions and their time.

#[cfg(target_os = "linux")]
#[cfg(target_os = "linux")]
use crate::support::browser::test_browser::TestBrowser;
use crate::support::fake_clock::FakeClock;
use crate::support::served_desk::ServedDesk;
use crate::support::test_world::TestWorld;
use sayso_desk::token::TokenRole;
use serde_json::json;

#[test]
fn service_has_limits() {
    let world = TestWorld::new();
    world.write("config/sayso/config.toml", "[server]\nservice_logins_per_hour = 3\nservice_sessions = 2\n");
    let served = ServedDesk::start(&world);
    let [shop, mill] = ["shop", "mill"].map(|name| served.caller(&world, TokenRole::Service, name));
    let enter = |user: &str, way: &str| shop.post(&format!("/v1/users/{user}/logins"), &json!({ "as": way }));
    enter("ada", "bearer").json(201);
    enter("bob", "page").json(201);
    let full = enter("eve", "bearer").problem(429, "too_many_requests");
    assert!(full["detail"].as_str().unwrap().contains("2 sessions"), "{full}");
    assert_eq!(shop.request("DELETE", "/v1/users/bob/logins").send().status, 204);
    enter("eve", "bearer").json(201);
    assert_eq!(shop.request("DELETE", "/v1/users/eve/logins").send().status, 204);
    let often = enter("eve", "bearer");
    assert!(often.header("retry-after").is_some(), "{often:?}");
    assert!(often.problem(429, "too_many_requests")["detail"].as_str().unwrap().contains("3 users"));
    mill.post("/v1/users/ada/logins", &json!({ "as": "bearer" })).json(201);
    for wrong in [0, 999, -1, 43_200_001] {
        let body = json!({ "as": "bearer", "expires_in_ms": wrong });
        mill.post("/v1/users/ada/logins", &body).problem(422, "invalid_value");
    }
    for wrong in [json!({}), json!({ "as": "admin" }), json!({ "as": "bearer", "name": "x" })] {
        assert_eq!(mill.post("/v1/users/ada/logins", &wrong).status, 422, "{wrong}");
    }
}

#[test]
fn expired_session_closes_its_streams() {
    let world = TestWorld::new();
    let served = ServedDesk::start(&world);
    let shop = served.caller(&world, TokenRole::Service, "shop");
    let body = json!({ "as": "bearer", "expires_in_ms": 1_500 });
    let login = shop.post("/v1/users/ada/logins", &body).json(201);
    let user = served.with_token(login["token"].as_str().unwrap());
    let mut events = user.events();
    events.expect("hello");
    assert_eq!(events.next(), None);
    user.get("/v1/me").problem(401, "unauthorized");
    assert_eq!(shop.get("/v1/users/ada/logins").json(200), json!({ "sessions": [] }));
}

#[test]
#[cfg(target_os = "linux")]
fn old_address_is_refused() {
    let world = TestWorld::new();
    let clock = FakeClock::new(&world);
    let serve = world.sayso(["serve", "--listen", "127.0.0.1:0", "--rate", "0"]);
    let served = ServedDesk::from_program(serve.clock(&clock).start());
    let shop = served.caller(&world, TokenRole::Service, "shop");
    let statuses = [50, 70].map(|later| {
        clock.set_offset(0);
        let login = shop.post("/v1/users/ada/logins", &json!({ "as": "page" })).json(201);
        let code = login["url"].as_str().unwrap().split_once('#').unwrap().1.to_owned();
        let browser = TestBrowser::new(&served.address);
        clock.set_offset(later);
        let body = json!({ "entry": code, "key": browser.public_key() });
        browser.bare_request("POST", "/v1/session").json(&body).send().status
    });
    assert_eq!(statuses, [200, 401]);
}
