//! Tests of a person's browser: it signs in with the terminal's code, and its cookie is valid for this server's pages
//! alone.

use crate::support::browser::test_browser::TestBrowser;
use crate::support::served_desk::{ServedDesk, answer_body, ask_path, create_ask, text};
use crate::support::terminal::terminal_server::TerminalServer;
use crate::support::test_world::TestWorld;
use serde_json::json;

#[test]
fn used_code_is_replaced() {
    let world = TestWorld::new();
    let mut shown = TerminalServer::start(&world);
    let first = shown.code.clone();
    // An unused code is not replaced.
    assert_eq!(
        [shown.without_token().get("/login").status, shown.browser().sign_in(&first).status],
        [200, 200]
    );
    shown.without_token().get("/login");
    shown.read_code();
    assert_ne!(shown.code, first);
    let second = shown.code.clone();
    assert_eq!(shown.browser().sign_in(&second.to_lowercase()).status, 200);
    shown.browser().sign_in(&second).problem(401, "unauthorized");
    shown.read_code();
    assert!(shown.code != first && shown.code != second);
    shown.signed_in();
}

#[test]
fn code_signs_in_one_browser() {
    let world = TestWorld::new();
    let shown = TerminalServer::start(&world);
    let mut browser = shown.browser();
    let without_key = browser.bare_request("POST", "/v1/session").json(&json!({ "code": shown.code })).send();
    without_key.problem(422, "invalid_value");
    let reply = browser.sign_in(&shown.code);
    assert_eq!((&reply.json(200)["account"], &reply.json(200)["role"]), (&json!("ada"), &json!("person")));
    let set = reply.header("set-cookie").unwrap().to_owned();
    // It survives a restart of the browser, and the desk decides how long it counts.
    assert!(set.ends_with("; Path=/; HttpOnly; SameSite=Strict; Max-Age=34560000"), "{set}");
    assert_eq!(browser.cookie.len(), "sayso_session=".len() + 64);
    assert_eq!(shown.browser().sign_in(&shown.code).problem(401, "unauthorized")["code"], "unauthorized");

    let ask = create_ask(&shown.asker(&world), "A");
    let mut body = answer_body(&ask, "yes");
    body["by"] = json!({ "assurance": "terminal" });
    let settled = browser.post(&ask_path(&ask, "/answer"), &body).json(200);
    let receipt = &settled["phase"]["settled"]["receipt"];
    assert_eq!([&receipt["by"], &receipt["assurance"]], ["ada", "browser_session"], "{settled}");
    let vouch = json!({ "by": { "name": "bob" } });
    browser.post(&ask_path(&ask, "/see"), &vouch).problem(403, "not_allowed");
    let output = world.sayso(["show", settled["id"].as_str().unwrap()]).run().stdout;
    assert!(output.contains("answered: ada · browser session · "), "{output}");
    browser.post("/v1/asks", &text("B")).problem(403, "not_allowed");
    browser.get("/v1/tokens").problem(403, "not_allowed");
}

#[test]
fn cookie_works_for_own_pages_only() {
    let world = TestWorld::new();
    let shown = TerminalServer::start(&world);
    let browser = shown.signed_in();
    let see = ask_path(&create_ask(&shown.asker(&world), "A"), "/see");
    let own = format!("http://{}", shown.address);
    let by_another_name = format!("http://{}", shown.listen_address());
    let sent = |method: &str, target: &str, headers: &[(&str, &str)]| {
        let request = shown.without_token().request(method, target).header("cookie", &browser.cookie);
        let request = request.header("sayso-proof", &browser.proof(method, target));
        let request = headers.iter().fold(request, |request, (name, value)| request.header(name, value));
        request.send().status
    };
    let (site, origin) = ("sec-fetch-site", "origin");
    let changes: [(&[(&str, &str)], u16); 9] = [
        (&[], 403),
        (&[(site, "none")], 403),
        (&[(site, "same-site")], 403),
        (&[(site, "same-origin")], 200),
        (&[(origin, &own)], 200),
        (&[(origin, "null")], 403),
        (&[(origin, &by_another_name)], 403),
        (&[(origin, &own), (site, "same-site")], 403),
        (&[(origin, "https://evil.example"), (site, "same-origin")], 403),
    ];
    for (headers, status) in changes {
        assert_eq!(sent("POST", &see, headers), status, "{headers:?}");
    }
    let looks: [(&[(&str, &str)], u16); 5] = [
        (&[], 200),
        (&[(site, "none")], 200),
        (&[(site, "same-origin")], 200),
        (&[(site, "cross-site"), ("sec-fetch-mode", "navigate")], 403),
        (&[(origin, &by_another_name)], 403),
    ];
    for (headers, status) in looks {
        assert_eq!(sent("GET", "/v1/asks", headers), status, "{headers:?}");
    }
    let me = |cookie: &str| {
        let request = browser.bare_request("GET", "/v1/me").header("cookie", cookie);
        request.header("sayso-proof", &browser.proof("GET", "/v1/me")).send()
    };
    me(&format!("sayso_session=tossed; {}", browser.cookie)).problem(400, "bad_header");
    me("sayso_session=none").problem(401, "unauthorized");
    assert_eq!(me(&format!("a=b; {} ; c=d", browser.cookie)).status, 200);
}

#[test]
fn sign_out_closes_streams() {
    let world = TestWorld::new();
    let shown = TerminalServer::start(&world);
    let browser = shown.signed_in();
    let mut events = browser.request("GET", "/v1/events").stream();
    events.expect("hello");
    shown.asker(&world).request("DELETE", "/v1/session").send().problem(422, "invalid_request");
    let reply = browser.delete("/v1/session");
    let cleared = "sayso_session=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0";
    assert_eq!((reply.status, reply.header("set-cookie")), (204, Some(cleared)));
    assert_eq!(events.next(), None);
    browser.get("/v1/me").problem(401, "unauthorized");
}

#[test]
fn tls_cookie_is_secure() {
    let world = TestWorld::new();
    let served = ServedDesk::with(&world, &["--public-url", "https://desk.example.com"]);
    let code = world.desk().new_login_code("ada").unwrap().reveal();
    let body = json!({ "code": code, "key": TestBrowser::new("desk.example.com").public_key() });
    let sign_in = served.without_token().request("POST", "/v1/session").json(&body);
    let sign_in = sign_in.replace_header("host", "desk.example.com");
    let insecure = sign_in.clone().header("origin", "http://desk.example.com").send();
    insecure.problem(403, "origin_not_allowed");
    let reply = sign_in.header("origin", "https://desk.example.com").send();
    assert_eq!(reply.status, 200, "{reply:?}");
    assert!(
        reply.header("set-cookie").unwrap().ends_with("; SameSite=Strict; Max-Age=34560000; Secure"),
        "{reply:?}"
    );
}

#[test]
fn no_code_without_terminal() {
    let world = TestWorld::new();
    let served = ServedDesk::start(&world);
    assert_eq!(served.without_token().get("/login").status, 200);
    let ended = served.stop();
    assert!(!ended.stderr.contains("the code"), "{ended:?}");

    let call = world.sayso(["serve", "--listen", "127.0.0.1:0"]).env("CLAUDECODE", "1");
    let terminal = call.on_terminal();
    terminal.output.wait_for("No program has access yet", 0);
    assert!(!terminal.output.last_part().contains("/login"));
}

#[test]
fn code_guessing_is_rate_limited() {
    let world = TestWorld::new();
    let shown = TerminalServer::start(&world);
    let tries = |code: &str| shown.browser().sign_in(code).status;
    let refused: Vec<_> = (0..25).map(|_| tries("2222-2222")).collect();
    assert!(refused[..15].iter().all(|status| *status == 401) && refused.contains(&429), "{refused:?}");
    assert_eq!(tries(&shown.code), 429, "also the right one, for a while");
}

/// Content security policy of the pages for people, whole.
const PAGE_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; manifest-src 'self'; \
    worker-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; \
    trusted-types sayso-worker";

#[test]
fn page_runs_own_script_only() {
    let world = TestWorld::new();
    let served = ServedDesk::start(&world);
    for target in ["/", "/a/01a2026d-d3cd-738f-a381-3f4907ef3314", "/login"] {
        let page = served.without_token().get(target);
        assert_eq!(page.header("content-security-policy"), Some(PAGE_POLICY), "{target}");
        assert_eq!(page.header("cache-control"), Some("no-store"), "{target}");
    }
    let page = served.without_token().get("/login");
    let text = page.text();
    assert!(text.contains("Sign in") && !text.contains("onclick") && !text.contains("<script>"), "{text}");
    for (target, media) in [("/login.js", "text/javascript"), ("/login.css", "text/css")] {
        let reply = served.without_token().get(target);
        assert!(reply.header("content-type").unwrap().starts_with(media), "{reply:?}");
    }
    assert!(!served.without_token().get("/login.js").text().contains("innerHTML"));
    let chinese =
        served.without_token().request("GET", "/login").header("accept-language", "zh-CN").send().text();
    assert!(chinese.contains("登录") && chinese.contains("lang=\"zh\""), "{chinese}");
}
