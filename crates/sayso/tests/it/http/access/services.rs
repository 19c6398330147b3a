//! Tests of the users of services: how they are let in, what they reach, and how that ends.

use super::role_callers::let_in;
use crate::support::browser::test_browser::TestBrowser;
use crate::support::http_client::{HttpCaller, HttpReply};
use crate::support::served_desk::{ServedDesk, answer_ask, answer_body, ask_path, create_ask, id_of, text};
use crate::support::test_world::TestWorld;
use sayso_desk::token::{TokenAudience, TokenRequest, TokenRole};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// Server, and the two tokens of a back end.
struct ShopServer {
    world: TestWorld,
    served: ServedDesk,
    service: HttpCaller,
    asker: HttpCaller,
}

impl ShopServer {
    fn start() -> Self {
        let world = TestWorld::new();
        let served = ServedDesk::start(&world);
        let [service, asker] =
            [TokenRole::Service, TokenRole::Asker].map(|role| served.caller(&world, role, "shop"));
        Self { world, served, service, asker }
    }

    fn ask(&self, title: &str, account: &str) -> HttpReply {
        let mut body = text(title);
        body["for"] = json!([account]);
        self.asker.post("/v1/asks", &body)
    }

    fn address(&self, user: &str, body: &Value) -> Value {
        self.service.post(&format!("/v1/users/{user}/logins"), body).json(201)
    }

    /// Returns a browser, and its reply to the code of an address.
    fn enter(&self, url: &str) -> (TestBrowser, HttpReply) {
        let mut browser = TestBrowser::new(&self.served.address);
        let code = url.split_once('#').unwrap().1;
        let body = json!({ "entry": code, "key": browser.public_key() });
        let reply = browser.bare_request("POST", "/v1/session").json(&body).send();
        browser.keep_cookie(&reply);
        (browser, reply)
    }
}

fn titles(caller: &HttpCaller) -> Vec<String> {
    let page = caller.get("/v1/asks?state=open,answered").json(200);
    let rows = page["asks"].as_array().unwrap();
    rows.iter().map(|row| row["title"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn service_lets_in_a_program() {
    let back_end = ShopServer::start();
    let login = back_end.service.post("/v1/users/ada/logins", &json!({ "as": "bearer" })).json(201);
    let token = login["token"].as_str().unwrap();
    assert!(token.starts_with("sayso_u_") && login["account"] == "shop/ada", "{login}");
    let user = back_end.served.with_token(token);
    let me = user.get("/v1/me").json(200);
    assert_eq!([&me["account"], &me["role"], &me["service"]], ["shop/ada", "person", "shop"], "{me}");

    let ask = back_end.ask("Pay?", "shop/ada").json(201);
    assert_eq!(titles(&user), ["Pay?"]);
    let mut body = answer_body(&ask, "yes");
    body["by"] = json!({ "assurance": "terminal" });
    let done = user.post(&ask_path(&ask, "/answer"), &body).json(200);
    let receipt = &done["phase"]["settled"]["receipt"];
    assert_eq!([&receipt["by"], &receipt["assurance"]], ["shop/ada", "service_session"], "{receipt}");
    assert_eq!(receipt["audience"], json!({ "accounts": ["shop/ada"] }));
    let output = back_end.world.sayso(["show", id_of(&ask)]).run().stdout;
    assert!(output.contains("answered: shop/ada · session of a service · "), "{output}");
    let listed = back_end.world.sayso(["token", "list"]).run().stdout;
    assert!(listed.contains("shop/ada") && listed.contains("service"), "{listed}");
    let waited = back_end.asker.get(&ask_path(&ask, "/outcome?wait=60")).json(200);
    assert!(waited.to_string().contains("yes"), "{waited}");
}

#[test]
fn users_and_services_stay_in_their_roles() {
    let back_end = ShopServer::start();
    let (user, ask) = (let_in(&back_end.service, "ada"), back_end.ask("Pay?", "shop/ada").json(201));
    let forbidden = |reply: HttpReply| reply.problem(403, "not_allowed");
    forbidden(user.post("/v1/tokens", &json!({ "role": "person", "account": "eve" })));
    forbidden(user.get("/v1/tokens"));
    forbidden(user.get("/v1/asks?all=true"));
    forbidden(user.post("/v1/session/links", &json!({})));
    forbidden(user.post("/v1/asks", &text("Mine")));
    forbidden(user.post("/v1/users/eve/logins", &json!({ "as": "bearer" })));
    let outside = user.request("GET", &ask_path(&ask, "")).header("sayso-role", "asker");
    assert_eq!(outside.send().status, 200, "only an admin chooses a role");
    forbidden(user.request("POST", &ask_path(&ask, "/cancel")).header("sayso-role", "asker").send());
    let mut vouched = answer_body(&ask, "yes");
    vouched["by"] = json!({ "name": "shop/bob" });
    forbidden(user.post(&ask_path(&ask, "/answer"), &vouched));

    let service = &back_end.service;
    forbidden(service.post("/v1/asks", &text("Mine")));
    forbidden(service.post(&ask_path(&ask, "/answer"), &answer_body(&ask, "yes")));
    forbidden(service.get(&ask_path(&ask, "")));
    forbidden(service.get("/v1/asks"));
    forbidden(service.get("/v1/events"));
    forbidden(service.post("/v1/tokens", &json!({ "role": "person", "account": "eve" })));
    let spec = service.post("/api/sessions", &json!({}));
    assert_eq!((spec.status, spec.value()["detail"].is_string()), (403, true), "{spec:?}");
    assert_eq!(back_end.asker.get(&ask_path(&ask, "")).json(200)["revision"], ask["revision"]);
    assert_eq!(titles(&user), ["Pay?"], "it still waits");
}

#[test]
fn similar_users_stay_apart() {
    let back_end = ShopServer::start();
    // As the service writes it in a path, and the account.
    let users = [
        ("a%2Fb", "shop/a%2Fb"),
        ("a%252Fb", "shop/a%252Fb"),
        ("a%252fb", "shop/a%252fb"),
        ("A%2FB", "shop/A%2FB"),
        ("caf%C3%A9", "shop/caf%C3%A9"),
        ("cafe%CC%81", "shop/cafe%CC%81"),
        ("%D0%B0da", "shop/%D0%B0da"),
        ("ada", "shop/ada"),
        ("ada%20", "shop/ada%20"),
        ("ada%2C%20bob", "shop/ada%2C%20bob"),
        ("%E2%80%AEada", "shop/%E2%80%AEada"),
        ("members", "shop/members"),
    ];
    let callers = users.map(|(path, account)| {
        let login = back_end.address(path, &json!({ "as": "bearer" }));
        assert_eq!(login["account"], account);
        back_end.served.with_token(login["token"].as_str().unwrap())
    });
    for (_, account) in users {
        assert_eq!(back_end.ask(account, account).json(201)["audience"], json!({ "accounts": [account] }));
    }
    for ((_, account), caller) in users.iter().zip(&callers) {
        assert_eq!(titles(caller), [*account]);
    }
    // Another spelling of the same user.
    let spelled = back_end.ask("Again", "shop/caf\u{e9}").json(201);
    assert_eq!(spelled["audience"], json!({ "accounts": ["shop/caf%C3%A9"] }));
    for raw in ["shop/a/b", "shop/100%", "shop/"] {
        assert_eq!(back_end.ask("Raw", raw).problem(422, "invalid_value")["path"], json!(["for"]), "{raw}");
    }
    let long = "x".repeat(201);
    let refused = back_end.service.post(&format!("/v1/users/{long}/logins"), &json!({ "as": "bearer" }));
    refused.problem(422, "invalid_value");
}

#[test]
fn services_cannot_reach_each_other() {
    let back_end = ShopServer::start();
    let served = &back_end.served;
    let mill = served.caller(&back_end.world, TokenRole::Service, "mill");
    let (ada, twin) = (let_in(&back_end.service, "ada"), let_in(&mill, "ada"));
    let ask = back_end.ask("Pay?", "shop/ada").json(201);
    for more in ["", "/draft", "/review"] {
        twin.get(&ask_path(&ask, more)).problem(404, "ask_not_found");
    }
    twin.post(&ask_path(&ask, "/answer"), &answer_body(&ask, "no")).problem(404, "ask_not_found");
    create_ask(&served.asker(&back_end.world), "For members");
    assert!(titles(&twin).is_empty() && titles(&ada) == ["Pay?"]);

    // Only the askers of its own account ask a service's users, whatever an admin grants.
    let refuse = |asker: &HttpCaller, account: &str| {
        let mut body = text("A");
        body["for"] = json!([account]);
        asker.post("/v1/asks", &body).problem(403, "not_allowed").to_string()
    };
    let other = served.caller(&back_end.world, TokenRole::Asker, "mill");
    assert_eq!(refuse(&other, "shop/ada"), refuse(&other, "shop/nobody"), "alike whether it exists or not");
    assert_eq!(refuse(&other, "shop/a/b"), refuse(&other, "ops"));
    let granted = TokenRequest {
        role: TokenRole::Asker,
        account: "mill".to_owned(),
        expires_in: None,
        audience: TokenAudience { may_for: vec!["shop/ada".to_owned()], ..TokenAudience::default() },
    };
    assert!(back_end.world.desk().create_token(granted).is_err());

    // No member has the account of a user, and no user is a member of a group.
    let taken = back_end.world.sayso(["token", "new", "--role", "person", "--account", "shop/ada"]).run();
    assert!(taken.exit != 0 && taken.stderr.contains("the service \"shop\""), "{taken:?}");
    let joined = back_end.world.sayso(["group", "add", "ops", "shop/ada"]).run();
    assert!(joined.exit != 0 && joined.stderr.contains("the service \"shop\""), "{joined:?}");

    let sessions = |service: &HttpCaller| service.get("/v1/users/ada/logins").json(200);
    assert_eq!(sessions(&mill)["sessions"].as_array().unwrap().len(), 1);
    assert_eq!(mill.request("DELETE", "/v1/users/ada/logins").send().status, 204);
    twin.get("/v1/me").problem(401, "unauthorized");
    assert_eq!(ada.get("/v1/me").status, 200);
    assert_eq!(sessions(&back_end.service)["sessions"][0]["account"], "shop/ada");
}

#[test]
fn address_lets_in_one_browser() {
    let back_end = ShopServer::start();
    let ask = back_end.ask("Pay?", "shop/ada").json(201);
    let login = back_end.address("ada", &json!({ "as": "page", "ask": ask["id"] }));
    let url = login["url"].as_str().unwrap().to_owned();
    let place = format!("http://localhost:{}/enter#", back_end.served.address.rsplit_once(':').unwrap().1);
    assert!(url.starts_with(&place) && url.ends_with(&format!("&ask={}", id_of(&ask))), "{url}");
    assert_eq!(login.get("token"), None, "{login}");
    let entry = url.split('&').next().unwrap();
    let (browser, reply) = back_end.enter(entry);
    assert_eq!(reply.json(200)["account"], "shop/ada");
    let (thief, replayed) = back_end.enter(entry);
    replayed.problem(401, "unauthorized");
    assert_eq!(thief.cookie, "");

    // Its cookie alone opens nothing, nor is it a token.
    let bare = browser.bare_request("GET", "/v1/me").header("cookie", &browser.cookie);
    bare.send().problem(401, "unauthorized");
    let cookie = browser.cookie.split_once('=').unwrap().1;
    back_end.served.with_token(cookie).get("/v1/me").problem(401, "unauthorized");
    let program = let_in(&back_end.service, "ada").token.unwrap();
    let as_cookie =
        browser.bare_request("GET", "/v1/me").header("cookie", &format!("sayso_session={program}"));
    as_cookie.header("sayso-proof", &browser.proof("GET", "/v1/me")).send().problem(401, "unauthorized");

    let done = browser.post(&ask_path(&ask, "/answer"), &answer_body(&ask, "yes")).json(200);
    let receipt = &done["phase"]["settled"]["receipt"];
    assert_eq!(
        [&receipt["by"], &receipt["assurance"], &receipt["surface"]],
        ["shop/ada", "service_session", "page"],
        "{receipt}"
    );
    let own = browser.get("/v1/sessions").json(200);
    let own = own["sessions"].as_array().unwrap();
    assert!(own.len() == 2 && own.iter().all(|one| one["service"] == "shop"), "{own:?}");
    let mut events = browser.request("GET", "/v1/events").stream();
    events.expect("hello");
    assert_eq!(browser.delete("/v1/session").status, 204);
    assert_eq!(events.next(), None);
    browser.get("/v1/me").problem(401, "unauthorized");
}

#[test]
fn revoked_service_ends_its_sessions() {
    let back_end = ShopServer::start();
    let program = let_in(&back_end.service, "ada");
    let url = back_end.address("bob", &json!({ "as": "page" }))["url"].clone();
    let (browser, _) = back_end.enter(url.as_str().unwrap());
    let unused = back_end.address("eve", &json!({ "as": "page" }))["url"].clone();
    let mut streams =
        [program.request("GET", "/v1/events"), browser.request("GET", "/v1/events")].map(|request| {
            let mut stream = request.stream();
            stream.expect("hello");
            stream
        });
    let token = back_end.service.token.as_deref().unwrap();
    let id = back_end.world.desk().verify_token(token).unwrap().unwrap().id;
    back_end.world.desk().revoke_token(&id).unwrap();
    let since = Instant::now();
    streams.iter_mut().for_each(|stream| assert_eq!(stream.next(), None));
    assert!(since.elapsed() < Duration::from_secs(20), "{:?}", since.elapsed());
    program.get("/v1/me").problem(401, "unauthorized");
    browser.get("/v1/me").problem(401, "unauthorized");
    back_end.enter(unused.as_str().unwrap()).1.problem(401, "unauthorized");
    back_end.service.get("/v1/users/ada/logins").problem(401, "unauthorized");
}

#[test]
fn member_keeps_to_members() {
    let back_end = ShopServer::start();
    let ada = back_end.served.person(&back_end.world);
    let ask = back_end.ask("Pay?", "shop/ada").json(201);
    ada.get(&ask_path(&ask, "")).problem(404, "ask_not_found");
    let open = create_ask(&back_end.served.asker(&back_end.world), "For members");
    let user = let_in(&back_end.service, "ada");
    user.get(&ask_path(&open, "")).problem(404, "ask_not_found");
    assert_eq!(user.get("/v1/me").json(200).get("person_seen_at"), None, "members are no business of users");
    answer_ask(&ada, &open, "yes");
}

#[test]
fn threads_stay_with_their_service() {
    let back_end = ShopServer::start();
    let mill = back_end.served.caller(&back_end.world, TokenRole::Service, "mill");
    back_end.served.asker(&back_end.world);
    let (ada, twin) = (let_in(&back_end.service, "ada"), let_in(&mill, "ada"));
    let thread = ada.post("/api/sessions", &json!({})).json(200)["thread_id"].as_str().unwrap().to_owned();
    assert_eq!(ada.get("/api/sessions").json(200)["sessions"].as_array().unwrap().len(), 1);
    assert_eq!(twin.get("/api/sessions").json(200), json!({ "sessions": [] }));
    let none = twin.get("/api/status/none").text().replace("none", "ID");
    let theirs = twin.get(&format!("/api/status/{thread}"));
    assert_eq!((theirs.status, theirs.text().replace(&thread, "ID")), (403, none));
    // The agents of others are none of theirs, though `ci` has a token.
    let named = ada.post("/api/sessions", &json!({ "agent": "ci" }));
    assert_eq!(named.status, 403, "{named:?}");
    let chat = ada.request("POST", &format!("/api/chat/{thread}")).json(&json!({ "message": "hello" }));
    assert_eq!(chat.send_for_head().status, 200);
    let turn = back_end.asker.post("/v1/threads/next?wait=60", &json!({})).json(200);
    assert_eq!((&turn["message"], &turn["thread_id"]), (&json!("hello"), &json!(thread)));
    let calls = json!([{ "id": "a", "name": "execute", "args": { "command": "ls" } }]);
    let asked = json!({ "turn": turn["turn"], "calls": calls });
    let asked = back_end.asker.post(&format!("/v1/threads/{thread}/ask"), &asked).json(200);
    let path = format!("/v1/asks/{}", asked["decisions"][0]["ask"].as_str().unwrap());
    assert_eq!(ada.get(&path).json(200)["audience"], json!({ "accounts": ["shop/ada"] }));
    twin.get(&path).problem(404, "ask_not_found");
    let_in(&back_end.service, "bob").get(&path).problem(404, "ask_not_found");
}
