//! Tests of a person's browser: it signs in with the terminal's code, and its cookie is valid for this server's pages
//! alone.

use crate::support::http_client::{HttpCaller, HttpReply, TestRequest};
use crate::support::served_desk::{ServedDesk, answer_body, ask_path, create_ask};
use crate::support::terminal::TestTerminal;
use crate::support::test_world::TestWorld;
use sayso_desk::token::TokenRole;
use serde_json::json;

/// Server on a terminal, with its output.
struct TerminalServer {
    terminal: TestTerminal,
    /// Position up to which the output was read.
    at: usize,
    address: String,
    code: String,
}

fn start_on_terminal(world: &TestWorld) -> TerminalServer {
    let terminal = world.sayso(["serve", "--listen", "127.0.0.1:0", "--rate", "0"]).on_terminal();
    let mut shown = TerminalServer { terminal, at: 0, address: String::new(), code: String::new() };
    shown.read_code();
    shown
}

impl TerminalServer {
    /// Reads the next code from the terminal.
    fn read_code(&mut self) {
        let output = &self.terminal.output;
        let end = output.wait_for("minutes.", self.at);
        let text = output.between(self.at, end).split_whitespace().collect::<Vec<_>>().join(" ");
        let word = |before: &str| {
            let rest = text.split_once(before).unwrap_or_else(|| panic!("{text}")).1;
            rest.split_whitespace()
                .next()
                .unwrap()
                .trim_end_matches("/login")
                .trim_end_matches(',')
                .to_owned()
        };
        (self.address, self.code, self.at) = (word("in a browser: http://"), word("with the code "), end);
    }

    fn without_token(&self) -> HttpCaller {
        HttpCaller { address: self.address.clone(), token: None }
    }

    /// Returns a request of a page of this server.
    fn page_request(&self, method: &str, target: &str) -> TestRequest {
        let request = self
            .without_token()
            .request(method, target)
            .header("origin", &format!("http://{}", self.address));
        request.header("sec-fetch-site", "same-origin")
    }

    fn sign_in(&self) -> HttpReply {
        self.page_request("POST", "/v1/session").json(&json!({ "code": self.code.to_lowercase() })).send()
    }
}

/// Returns the cookie that a reply sets, as the browser sends it.
fn cookie(reply: &HttpReply) -> String {
    reply.header("set-cookie").unwrap().split(';').next().unwrap().to_owned()
}

#[test]
fn used_code_is_replaced() {
    let world = TestWorld::new();
    let mut shown = start_on_terminal(&world);
    let first = shown.code.clone();
    // An unused code is not replaced.
    assert_eq!([shown.without_token().get("/login").status, shown.sign_in().status], [200, 200]);
    shown.without_token().get("/login");
    shown.read_code();
    assert_ne!(shown.code, first);
    let second = shown.code.clone();
    assert_eq!(shown.sign_in().status, 200);
    shown.sign_in().problem(401, "unauthorized");
    shown.read_code();
    assert!(shown.code != first && shown.code != second);
    assert_eq!(shown.sign_in().status, 200);
}

#[test]
fn code_signs_in_one_browser() {
    let world = TestWorld::new();
    let shown = start_on_terminal(&world);
    let reply = shown.sign_in();
    assert_eq!((&reply.json(200)["account"], &reply.json(200)["role"]), (&json!("ada"), &json!("person")));
    let set = reply.header("set-cookie").unwrap().to_owned();
    assert!(set.ends_with("; Path=/; HttpOnly; SameSite=Strict"), "{set}");
    let cookie = cookie(&reply);
    assert_eq!(cookie.len(), "sayso_session=".len() + 64);
    assert_eq!(shown.sign_in().problem(401, "unauthorized")["code"], "unauthorized", "it works once");

    let asker = HttpCaller {
        token: Some(crate::support::served_desk::new_token(&world, TokenRole::Asker, "ci")),
        ..shown.without_token()
    };
    let ask = create_ask(&asker, "A");
    let answer = shown.page_request("POST", &ask_path(&ask, "/answer")).header("cookie", &cookie);
    let mut body = answer_body(&ask, "yes");
    body["by"] = json!({ "assurance": "terminal" });
    let settled = answer.json(&body).send().json(200);
    let receipt = &settled["phase"]["settled"]["receipt"];
    assert_eq!([&receipt["by"], &receipt["assurance"]], ["ada", "browser_session"], "{settled}");
    let vouch = json!({ "by": { "name": "bob" } });
    let see =
        shown.page_request("POST", &ask_path(&ask, "/see")).header("cookie", &cookie).json(&vouch).send();
    see.problem(403, "not_allowed");
    let told = world.sayso(["show", settled["id"].as_str().unwrap()]).run().stdout;
    assert!(told.contains("answered: ada · browser session · "), "{told}");
    let mine = shown
        .page_request("POST", "/v1/asks")
        .header("cookie", &cookie)
        .json(&crate::support::served_desk::text("B"))
        .send();
    mine.problem(403, "not_allowed");
    shown.page_request("GET", "/v1/tokens").header("cookie", &cookie).send().problem(403, "not_allowed");
}

#[test]
fn cookie_works_for_own_pages_only() {
    let world = TestWorld::new();
    let shown = start_on_terminal(&world);
    let cookie = cookie(&shown.sign_in());
    let asker = HttpCaller {
        token: Some(crate::support::served_desk::new_token(&world, TokenRole::Asker, "ci")),
        ..shown.without_token()
    };
    let see = ask_path(&create_ask(&asker, "A"), "/see");
    let own = format!("http://{}", shown.address);
    let by_another_name = format!("http://localhost:{}", shown.address.split_once(':').unwrap().1);
    let sent = |method: &str, target: &str, headers: &[(&str, &str)]| {
        let request = shown.without_token().request(method, target).header("cookie", &cookie);
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
    let twice = format!("sayso_session=tossed; {cookie}");
    shown.page_request("GET", "/v1/me").header("cookie", &twice).send().problem(400, "bad_header");
    shown
        .page_request("GET", "/v1/me")
        .header("cookie", "sayso_session=none")
        .send()
        .problem(401, "unauthorized");
    let beside = shown.page_request("GET", "/v1/me").header("cookie", &format!("a=b; {cookie} ; c=d")).send();
    assert_eq!(beside.status, 200);
}

#[test]
fn sign_out_closes_streams() {
    let world = TestWorld::new();
    let shown = start_on_terminal(&world);
    let cookie = cookie(&shown.sign_in());
    let mut events = shown.page_request("GET", "/v1/events").header("cookie", &cookie).stream();
    events.expect("hello");
    let asker = HttpCaller {
        token: Some(crate::support::served_desk::new_token(&world, TokenRole::Asker, "ci")),
        ..shown.without_token()
    };
    let by_token = asker.request("DELETE", "/v1/session").send();
    by_token.problem(422, "invalid_request");
    let reply = shown.page_request("DELETE", "/v1/session").header("cookie", &cookie).send();
    let cleared = "sayso_session=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0";
    assert_eq!((reply.status, reply.header("set-cookie")), (204, Some(cleared)));
    assert_eq!(events.next(), None);
    shown.page_request("GET", "/v1/me").header("cookie", &cookie).send().problem(401, "unauthorized");
}

#[test]
fn tls_cookie_is_secure() {
    let world = TestWorld::new();
    let shown = start_on_terminal(&world);
    let behind_proxy =
        shown.without_token().request("POST", "/v1/session").json(&json!({ "code": shown.code }));
    let reply = behind_proxy.header("origin", &format!("https://{}", shown.address)).send();
    assert_eq!(reply.status, 200, "{reply:?}");
    assert!(reply.header("set-cookie").unwrap().ends_with("; SameSite=Strict; Secure"), "{reply:?}");
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
    assert!(!terminal.output.end_position().contains("/login"));
}

#[test]
fn code_guessing_is_rate_limited() {
    let world = TestWorld::new();
    let shown = start_on_terminal(&world);
    let tries =
        |code: &str| shown.page_request("POST", "/v1/session").json(&json!({ "code": code })).send().status;
    let refused: Vec<_> = (0..25).map(|_| tries("2222-2222")).collect();
    assert!(refused[..15].iter().all(|status| *status == 401) && refused.contains(&429), "{refused:?}");
    assert_eq!(tries(&shown.code), 429, "also the right one, for a while");
}

#[test]
fn page_runs_own_script_only() {
    let world = TestWorld::new();
    let served = ServedDesk::start(&world);
    let start = served.without_token().get("/");
    assert_eq!((start.status, start.header("location")), (303, Some("/login")));
    let page = served.without_token().get("/login");
    let policy = page.header("content-security-policy").unwrap();
    for rule in ["default-src 'none'", "script-src 'self'", "style-src 'self'", "frame-ancestors 'none'"] {
        assert!(policy.contains(rule), "{policy}");
    }
    assert!(!policy.contains("unsafe"), "{policy}");
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
