//! Tests of browsers and proxies: allowed origins, the server's names, and its language.

use crate::support::served_desk::{ServedDesk, ask_path, create_ask, id_of};
use crate::support::test_world::TestWorld;
use serde_json::json;

const SITE: &str = "https://app.example.com";

#[test]
fn only_allowed_origins_may_ask() {
    let world = TestWorld::new();
    let served = ServedDesk::with(&world, &["--allow-origin", SITE]);
    let asker = served.asker(&world);
    let from = |origin: &str| asker.request("GET", "/v1/me").header("origin", origin);
    let reply = from(SITE).send();
    assert_eq!((reply.status, reply.header("access-control-allow-origin")), (200, Some(SITE)));
    assert_eq!(reply.header("vary"), Some("origin"));
    assert_eq!(reply.header("access-control-allow-credentials"), None);
    assert!(reply.header("access-control-expose-headers").unwrap().contains("etag"));
    let own = format!("http://{}", served.address);
    let reply = from(&own).send();
    assert_eq!((reply.status, reply.header("access-control-allow-origin")), (200, None));
    for foreign in
        ["https://app.example.com.evil", "http://app.example.com", "https://app.example.com:8443", "null"]
    {
        let reply = from(foreign).send();
        reply.problem(403, "origin_not_allowed");
        assert_eq!(reply.header("access-control-allow-origin"), None, "{foreign}");
    }
    // The page must be able to read errors too.
    let wrong = asker.request("GET", "/v1/asks/nothing").header("origin", SITE).send();
    wrong.problem(404, "ask_not_found");
    assert_eq!(wrong.header("access-control-allow-origin"), Some(SITE));

    let preflight = |origin: &str| {
        let request = served.without_token().request("OPTIONS", "/v1/asks").header("origin", origin);
        let request = request.header("access-control-request-method", "POST");
        request.header("access-control-request-headers", "authorization,content-type").send()
    };
    let reply = preflight(SITE);
    assert_eq!((reply.status, reply.header("access-control-allow-origin")), (204, Some(SITE)));
    assert!(reply.header("access-control-allow-methods").unwrap().contains("PATCH"));
    let allowed = reply.header("access-control-allow-headers").unwrap();
    for header in [
        "authorization",
        "content-type",
        "idempotency-key",
        "if-match",
        "last-event-id",
        "sayso-role",
        "prefer",
        "x-session-id",
    ] {
        assert!(allowed.split(", ").any(|known| known == header), "{header} is not in {allowed}");
    }
    let exposed = reply.header("access-control-expose-headers").unwrap();
    assert!(exposed.contains("preference-applied"), "{exposed}");
    let reply = preflight("https://evil.example");
    reply.problem(403, "origin_not_allowed");
    assert_eq!(reply.header("access-control-allow-origin"), None);
    let strange = served.without_token().request("OPTIONS", "/v1/asks").send();
    assert_eq!(strange.header("access-control-allow-origin"), None);
}

#[test]
fn own_origin_has_the_servers_scheme() {
    let world = TestWorld::new();
    for (more, allowed, refused) in [
        (&[][..], "http://HOST", "https://HOST"),
        (
            &["--public-url", "https://desk.example.com"],
            "https://desk.example.com",
            "http://desk.example.com",
        ),
        (
            &["--public-url", "http://desk.localhost:7207"],
            "http://desk.localhost:7207",
            "https://desk.localhost:7207",
        ),
        (
            &["--public-url", "https://desk.example.com", "--allow-host", "desk.lan"],
            "https://desk.lan",
            "http://desk.lan",
        ),
    ] {
        let served = ServedDesk::with(&world, more);
        let asker = served.asker(&world);
        let from = |origin: &str| {
            let origin = origin.replace("HOST", &served.address);
            asker.request("GET", "/v1/me").header("origin", &origin).send().status
        };
        assert_eq!([from(allowed), from(refused)], [200, 403], "{more:?}");
    }
}

#[test]
fn fetch_metadata_identifies_pages() {
    let world = TestWorld::new();
    let served = ServedDesk::start(&world);
    let asker = served.asker(&world);
    let sent = |site: &str| asker.request("GET", "/v1/me").header("sec-fetch-site", site).send().status;
    assert_eq!(["same-origin", "none"].map(sent), [200; 2]);
    assert_eq!(["cross-site", "same-site", "other"].map(sent), [403; 3]);
}

#[test]
fn own_and_configured_hosts_are_accepted() {
    let world = TestWorld::new();
    let served = ServedDesk::with(&world, &["--allow-host", "Desk.Example.com"]);
    let (_, port) = served.address.split_once(':').unwrap();
    let asker = served.asker(&world);
    let called = |host: &str| asker.request("GET", "/v1/me").replace_header("host", host).send().status;
    for known in
        [&format!("localhost:{port}"), &format!("LOCALHOST:{port}"), "desk.example.com", "DESK.example.COM"]
    {
        assert_eq!(called(known), 200, "{known}");
    }
    for foreign in [
        "localhost",
        "127.0.0.1",
        "desk.example.com:80",
        "evil.example",
        "desk.example.com.evil",
        "",
        "localhost:1",
    ] {
        assert_eq!(called(foreign), 421, "{foreign}");
    }
}

#[test]
fn problems_are_translated_to_chinese() {
    let world = TestWorld::new();
    let served = ServedDesk::start(&world);
    let asker = served.asker(&world);
    let ask = create_ask(&asker, "A");
    let output_of = |language: &str| {
        let verdict =
            asker.request("POST", &ask_path(&ask, "/verdict")).json(&json!({ "round": 1, "accept": true }));
        verdict.header("accept-language", language).send().problem(409, "ask_open")["detail"].clone()
    };
    let english = output_of("en");
    assert_eq!(output_of("de, en;q=0.5"), english);
    for chinese in ["zh", "zh-CN,zh;q=0.9,en;q=0.8"] {
        assert!(
            output_of(chinese).as_str().unwrap().contains(|c: char| ('\u{4e00}'..='\u{9fff}').contains(&c))
        );
    }
    let without = served.without_token().request("GET", "/v1/me").header("accept-language", "zh").send();
    let detail = without.problem(401, "unauthorized")["detail"].clone();
    assert!(detail.as_str().unwrap().contains("令牌"), "{detail}");
}

#[test]
fn replies_are_uncached_and_numbered() {
    let world = TestWorld::new();
    let served = ServedDesk::start(&world);
    let asker = served.asker(&world);
    let ask = create_ask(&asker, "A");
    for target in
        ["/v1/me", "/v1/nothing", "/v1/asks", "/docs", "/healthz", &format!("/v1/asks/{}", id_of(&ask))]
    {
        let reply = asker.get(target);
        assert_eq!(reply.header("x-content-type-options"), Some("nosniff"), "{target}");
        assert_eq!(reply.header("cache-control"), Some("no-store"), "{target}");
        assert_eq!(reply.header("referrer-policy"), Some("no-referrer"), "{target}");
        assert_eq!(reply.header("x-request-id").map(str::len), Some(16), "{target}");
    }
    let named = asker.request("GET", "/v1/me").header("x-request-id", "mine-1").send();
    assert_eq!(named.header("x-request-id"), Some("mine-1"));
    let odd = asker.request("GET", "/v1/me").header("x-request-id", "a b\"c").send();
    assert_eq!(odd.header("x-request-id").map(str::len), Some(16));
    let page = served.without_token().get("/docs");
    assert!(
        page.header("content-security-policy").is_some_and(|policy| policy.contains("default-src 'none'")),
        "{page:?}"
    );
}

#[test]
fn invalid_host_names_stop_startup() {
    let world = TestWorld::new();
    for [option, name] in [
        ["--allow-host", ""],
        ["--allow-host", "https://desk.example.com"],
        ["--allow-host", "desk.example.com/path"],
        ["--allow-origin", "chat.example.com"],
        ["--allow-origin", "foo bar"],
        ["--allow-origin", "https://chat.example.com/page"],
    ] {
        let ended = world.sayso(["serve", "--listen", "127.0.0.1:0", option, name]).run();
        assert!(ended.exit == 2 && ended.stdout.is_empty(), "{option} {name}: {ended:?}");
        assert!(ended.stderr.contains(name) && ended.stderr.contains(".example.com"), "{ended:?}");
    }
}
