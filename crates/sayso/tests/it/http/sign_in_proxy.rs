//! Tests of the sign-in by a proxy: the example of `docs/sign-in.md`, and what is refused.

use crate::support::browser::test_browser::TestBrowser;
use crate::support::http_client::{HttpCaller, HttpReply};
use crate::support::program::start_lock;
use crate::support::served_desk::{ServedDesk, answer_body, ask_path, create_ask, new_token, text};
use crate::support::test_world::TestWorld;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sayso_desk::GroupChange;
use sayso_desk::token::TokenRole;
use serde_json::json;
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;

const USER: &str = "x-forwarded-user";
const GROUPS: &str = "x-forwarded-groups";

fn example(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/sign-in").join(name)
}

/// The example's proxy, with the example's own file.
struct ExampleProxy(Child);

impl ExampleProxy {
    fn start(port: u16, desk: &ServedDesk) -> Self {
        let mut command = Command::new("/usr/sbin/haproxy");
        command.arg("-db").arg("-f").arg(example("haproxy.cfg")).env_clear();
        command.env("BIND", format!("127.0.0.1:{port}")).env("DESK", &desk.address);
        let starting = start_lock();
        let program = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn();
        drop(starting);
        let mut proxy = Self(program.expect("no haproxy: run `cargo xtask setup`"));
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            assert!(proxy.0.try_wait().unwrap().is_none(), "the proxy does not start");
            thread::yield_now();
        }
        proxy
    }
}

impl Drop for ExampleProxy {
    fn drop(&mut self) {
        _ = self.0.kill().and_then(|()| self.0.wait());
    }
}

#[test]
fn page_shows_the_example() {
    let page = std::fs::read_to_string(example("../../docs/sign-in.md")).unwrap();
    for (fence, name) in [("```\n", "haproxy.cfg"), ("```toml\n", "config.toml")] {
        let (_, rest) = page.split_once(fence).unwrap();
        let (shown, _) = rest.split_once("```").unwrap();
        let file = std::fs::read_to_string(example(name)).unwrap();
        assert!(file.contains(shown), "{name} lacks {shown}");
    }
}

#[test]
fn example_signs_in_by_password() {
    let world = TestWorld::new();
    world.write("config/sayso/config.toml", std::fs::read(example("config.toml")).unwrap());
    let free = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = free.local_addr().unwrap().port();
    drop(free);
    let address = format!("127.0.0.1:{port}");
    let served = ServedDesk::with(&world, &["--public-url", &format!("http://{address}")]);
    let _proxy = ExampleProxy::start(port, &served);

    let mut ada = TestBrowser::new(&address);
    let password = |words: &str| format!("Basic {}", STANDARD.encode(words));
    let sign_in = |browser: &TestBrowser, words: &str| {
        let request = browser.bare_request("POST", "/v1/session").header("authorization", &password(words));
        // A browser's own header about its user does not pass the proxy.
        let request = request.header(USER, "root").header(GROUPS, "admins");
        request.json(&json!({ "key": browser.public_key() })).send()
    };
    assert_eq!(sign_in(&ada, "ada:wrong").status, 401);
    let reply = sign_in(&ada, "ada:ada-example");
    assert_eq!(reply.json(200)["account"], "ada");
    ada.keep_cookie(&reply);

    let token = new_token(&world, TokenRole::Asker, "ci");
    let asker = HttpCaller { address, token: Some(token) };
    let ask = create_ask(&asker, "Ship it?");
    let answer = ada.request_with("POST", &ask_path(&ask, "/answer"), &answer_body(&ask, "yes"));
    let answer = answer.header("authorization", &password("ada:ada-example"));
    let receipt = answer.send().json(200)["phase"]["settled"]["receipt"].clone();
    assert_eq!([&receipt["by"], &receipt["assurance"]], ["ada", "browser_session"], "{receipt}");
    let groups = world.desk().groups_of("ada").unwrap();
    assert_eq!(groups.into_iter().collect::<Vec<_>>(), ["ops"]);
    // Someone else at the same browser.
    let as_bob = ada.request("GET", "/v1/me").header("authorization", &password("bob:bob-example"));
    let refused = as_bob.send().problem(401, "unauthorized");
    assert!(refused["detail"].as_str().unwrap().contains("another user"), "{refused}");
}

/// Starts a desk with a sign-in proxy at this address.
fn serve(world: &TestWorld, address: &str) -> ServedDesk {
    let headers = format!("user_header = \"{USER}\"\ngroups_header = \"{GROUPS}\"\n");
    let table = format!("[server.sign_in_proxy]\naddresses = [\"{address}\"]\n{headers}");
    world.write("config/sayso/config.toml", table);
    ServedDesk::start(world)
}

fn sign_in(browser: &mut TestBrowser, user: &str, groups: &str) -> HttpReply {
    let request = browser.bare_request("POST", "/v1/session").header(USER, user).header(GROUPS, groups);
    let reply = request.json(&json!({ "key": browser.public_key() })).send();
    browser.keep_cookie(&reply);
    reply
}

#[test]
fn other_addresses_name_no_user() {
    let world = TestWorld::new();
    // Only another program of this machine is the proxy.
    let served = serve(&world, "127.0.0.2");
    let mut browser = TestBrowser::new(&served.address);
    let detail = sign_in(&mut browser, "ada", "").problem(403, "not_allowed")["detail"].clone();
    assert!(detail.as_str().unwrap().contains("x-forwarded-user"), "{detail}");
    for (header, target) in [(USER, "/healthz"), (GROUPS, "/v1/me"), (USER, "/nowhere")] {
        let request = served.person(&world).request("GET", target).header(header, "ada");
        request.header("x-forwarded-for", "127.0.0.2").send().problem(403, "not_allowed");
    }
    assert_eq!(served.person(&world).get("/v1/me").status, 200);
    let log = served.stop().stderr;
    assert!(log.contains("header of the sign-in proxy from another address"), "{log}");

    // Without the setting the header is no one's.
    world.write("config/sayso/config.toml", "");
    let served = ServedDesk::start(&world);
    sign_in(&mut TestBrowser::new(&served.address), "ada", "").problem(401, "unauthorized");
    assert!(
        world
            .desk()
            .tokens()
            .unwrap()
            .iter()
            .all(|token| token.account != "ada" || token.expires_at.is_none())
    );
}

#[test]
fn only_own_pages_sign_in() {
    let world = TestWorld::new();
    let served = serve(&world, "127.0.0.1");
    let browser = TestBrowser::new(&served.address);
    let body = json!({ "key": browser.public_key() });
    let post = |header: &str, value: &str| {
        let request = served.without_token().request("POST", "/v1/session").header(USER, "ada");
        request.header(header, value).json(&body).send()
    };
    post("sec-fetch-site", "cross-site").problem(403, "origin_not_allowed");
    post("origin", "https://evil.example").problem(403, "origin_not_allowed");
    post("accept", "*/*").problem(403, "origin_not_allowed");
    assert_eq!(post("sec-fetch-site", "same-origin").status, 200);
    // The header signs in, and does nothing else.
    served.without_token().request("GET", "/v1/me").header(USER, "ada").send().problem(401, "unauthorized");
}

#[test]
fn groups_follow_each_sign_in() {
    let world = TestWorld::new();
    let served = serve(&world, "127.0.0.1");
    let desk = world.desk();
    desk.change_group(GroupChange { group: "web".to_owned(), account: "bob".to_owned(), joins: true })
        .unwrap();
    new_token(&world, TokenRole::Asker, "ci");
    let groups = || world.desk().groups_of("ada").unwrap().into_iter().collect::<Vec<_>>();
    let mut ada = TestBrowser::new(&served.address);
    // Neither all members nor an account is a group.
    assert_eq!(sign_in(&mut ada, "ada", "ops, web,,members,ci").status, 200);
    assert_eq!(groups(), ["ops", "web"]);
    let body = json!({ "for": ["ops"], "request": text("For ops")["request"] });
    let ask = served.admin(&world).request("POST", "/v1/asks").header("sayso-role", "asker").json(&body);
    let ask = ask.send().json(201);
    let see = |browser: &TestBrowser| browser.request("GET", &ask_path(&ask, "")).header(USER, "ada").send();
    assert_eq!(see(&ada).status, 200);

    let mut phone = TestBrowser::new(&served.address);
    assert_eq!(sign_in(&mut phone, "ada", "").status, 200);
    assert_eq!(groups(), [""; 0]);
    see(&ada).problem(404, "ask_not_found");

    // A session hangs on a token, which ends it.
    let tokens = world.desk().tokens().unwrap();
    for token in tokens.iter().filter(|token| token.account == "ada") {
        let life = token.expires_at.unwrap().duration_since(token.created_at);
        assert_eq!((token.role, life.as_hours()), (TokenRole::Person, 12));
        world.desk().revoke_token(&token.id).unwrap();
    }
    ada.get("/v1/me").problem(401, "unauthorized");
    // A user has no name of a group, and no more groups than there may be.
    sign_in(&mut ada, "web", "").problem(422, "invalid_value");
    let many: Vec<String> = (0..201).map(|number| format!("g{number}")).collect();
    sign_in(&mut ada, "ada", &many.join(",")).problem(403, "not_allowed");
}

#[test]
fn incomplete_settings_stop_the_server() {
    let world = TestWorld::new();
    let (addresses, user) = ("addresses = [\"127.0.0.1\"]\n", "user_header = \"Remote-User\"\n");
    for (table, words) in [
        (addresses.to_owned(), "missing field `user_header`"),
        (user.to_owned(), "missing field `addresses`"),
        (format!("addresses = []\n{user}"), "addresses = []"),
        (format!("addresses = [\"proxy.example\"]\n{user}"), "invalid IP address"),
        (format!("{addresses}user_header = \"Remote User\"\n"), "Remote User"),
        (format!("{addresses}{user}group_header = \"Remote-Groups\"\n"), "unknown field `group_header`"),
    ] {
        world.write("config/sayso/config.toml", format!("[server.sign_in_proxy]\n{table}"));
        let ended = world.sayso(["serve", "--listen", "127.0.0.1:0"]).run();
        assert_eq!((ended.exit, ended.stdout.as_str()), (2, ""), "{table}: {ended:?}");
        assert!(ended.stderr.contains(words), "{words}: {ended:?}");
    }
    // Other commands do not depend on it.
    assert_eq!(world.sayso(["list"]).run().exit, 0);
}
