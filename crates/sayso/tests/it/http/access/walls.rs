//! Tests of the walls between people: each route, as the server's own document lists it, and each caller. A new route
//! is in the table without a change here.

use super::role_callers::{ApiOperation, RoleCallers, finite_reply, operations, role_row};
use crate::support::http_client::{HttpCaller, HttpReply};
use crate::support::network_desk::NetworkDesk;
use crate::support::served_desk::{ServedDesk, answer_ask, ask_path, create_ask, id_of, text};
use crate::support::test_world::TestWorld;
use sayso_desk::GroupChange;
use sayso_desk::token::{TokenAudience, TokenRequest, TokenRole};
use serde_json::{Value, json};

/// Returns a caller with the token of an asker that may ask for others than usual.
pub(in crate::http) fn asker_for(
    world: &TestWorld,
    served: &ServedDesk,
    account: &str,
    may_for: &[&str],
) -> HttpCaller {
    let may_for = may_for.iter().map(|&name| name.to_owned()).collect();
    let request = TokenRequest {
        role: TokenRole::Asker,
        account: account.to_owned(),
        expires_in: None,
        audience: TokenAudience { may_for, ..TokenAudience::default() },
    };
    served.with_token(world.desk().create_token(request).unwrap().1.reveal())
}

/// Returns a request to ask some of the desk's accounts and groups.
pub(in crate::http) fn text_for(title: &str, names: &[&str]) -> Value {
    let mut body = text(title);
    body["for"] = json!(names);
    body
}

/// Returns whether the operation is about the ask that its path or its query names.
fn is_about_ask(operation: &ApiOperation) -> bool {
    operation.path.starts_with("/v1/asks/{id}")
        || operation.path.starts_with("/v1/keys/")
        || operation.name == "watch_events"
}

/// Expected reply of an operation to a caller.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Wall {
    /// Reply that a caller gets without a wall.
    Open,
    /// The role alone refuses.
    Role,
    /// There is no such ask.
    Missing,
    /// Either refuses.
    RoleOrMissing,
}

const USERS: [&str; 3] = ["user", "other user", "foreign user"];
const SERVICES: [&str; 2] = ["service", "other service"];

/// Returns the reply of an operation to a caller, if the ask is hidden from the caller or not.
fn expected_wall(operation: &ApiOperation, caller: &str, sees: bool) -> Wall {
    let is_link = operation.path.starts_with("/v1/session/links");
    let may_call = match operation.group.as_str() {
        "askers" => ["asker", "other asker", "admin"].contains(&caller),
        // Only its service lets in a service's user.
        "people" if is_link => ["owner", "member", "admin"].contains(&caller),
        "people" | "threads" => ["owner", "member", "admin"].contains(&caller) || USERS.contains(&caller),
        "admins" => caller == "admin",
        "services" => SERVICES.contains(&caller),
        "all with a token" => !SERVICES.contains(&caller),
        _ => true,
    };
    let is_hidden = is_about_ask(operation) && !sees;
    // The threads of the table are ada's, or the admin's and the user's own: the spec has one refusal for all others.
    let is_foreign_thread = operation.group == "threads" && operation.path.contains("{thread_id}");
    match (may_call, is_hidden) {
        (true, false) if is_foreign_thread && ["member", "other user", "foreign user"].contains(&caller) => {
            Wall::Role
        }
        (true, false) => Wall::Open,
        (true, true) => Wall::Missing,
        (false, false) => Wall::Role,
        (false, true) => Wall::RoleOrMissing,
    }
}

/// Asserts each cell of the table: every route, and every caller, for asks that these callers see alone.
fn assert_walls(cast: &RoleCallers, seeing: [&str; 2]) {
    let member = cast.served.caller(&cast.world, TokenRole::Person, "bob");
    let callers = [
        ("owner", &cast.person),
        ("member", &member),
        ("admin", &cast.admin),
        ("asker", &cast.asker),
        ("other asker", &cast.other),
        ("user", &cast.user),
        ("other user", &cast.other_user),
        ("foreign user", &cast.foreign_user),
        ("service", &cast.service),
        ("other service", &cast.other_service),
    ];
    for operation in operations(&cast.served) {
        let (stage, _, good) = role_row(&operation.name);
        let mut unchanged = None;
        for (name, caller) in callers {
            let (ask, key) = unchanged.take().unwrap_or_else(|| cast.ask(stage));
            let reply = finite_reply(&cast.request(&operation, caller, &ask, &key));
            let cell = format!("{name}: {}: {}", operation.name, reply.text());
            let sees = seeing.contains(&name);
            let good = if operation.name == "sign_out" && cast.is_user(caller) { 204 } else { good };
            let expected = match expected_wall(&operation, name, sees) {
                Wall::Open => vec![good],
                Wall::Role => vec![403],
                Wall::Missing => vec![404],
                Wall::RoleOrMissing => vec![403, 404],
            };
            assert!(expected.contains(&reply.status), "{} is not of {expected:?}: {cell}", reply.status);
            if !sees {
                // An error may repeat what the caller sent.
                let sent = [id_of(&ask), &key].map(|word| format!("no question \\\"{word}\\\""));
                let text = sent.iter().fold(reply.text(), |text, sent| text.replace(sent, ""));
                assert!(!text.contains(id_of(&ask)) && !text.contains(&key), "{cell}");
            }
            if reply.status >= 400 || !is_about_ask(&operation) {
                unchanged = Some((ask, key));
            } else {
                close(cast, &ask);
            }
        }
        unchanged.iter().for_each(|(ask, _)| close(cast, ask));
    }
}

/// Cancels an ask, since an account has a limit of open ones. One that has ended refuses this.
fn close(cast: &RoleCallers, ask: &Value) {
    cast.asker.post(&ask_path(ask, "/cancel"), &json!({}));
}

#[test]
fn every_route_keeps_the_wall() {
    assert_walls(&RoleCallers::asking_for("ada"), ["owner", "asker"]);
}

#[test]
fn every_route_keeps_services_apart() {
    assert_walls(&RoleCallers::asking_for("shop/ada"), ["user", "asker"]);
}

#[test]
fn foreign_audience_looks_missing() {
    let world = TestWorld::new();
    let served = ServedDesk::start(&world);
    let asker = asker_for(&world, &served, "ci", &["ada"]);
    let bob = served.caller(&world, TokenRole::Person, "bob");
    let ask = asker.post("/v1/asks", &text_for("Secret", &["ada"])).json(201);
    let (there, none) = (id_of(&ask), "01a2026d-e0f7-72d6-9f76-8d171d35a856");
    let hide = |reply: &HttpReply, id: &str| {
        (reply.status, reply.header("etag").map(str::to_owned), reply.text().replace(id, "ID"))
    };
    for more in ["", "/draft", "/review"] {
        let output_of = |id: &str| hide(&bob.get(&format!("/v1/asks/{id}{more}")), id);
        assert_eq!(output_of(there), output_of(none), "{more}");
    }
}

#[test]
fn setting_names_the_usual_audience() {
    let world = TestWorld::new();
    let join = GroupChange { group: "ops".to_owned(), account: "bob".to_owned(), joins: true };
    assert!(world.desk().change_group(join).unwrap());
    let usual = |world: &TestWorld| {
        let served = ServedDesk::start(world);
        let asked = served.caller(world, TokenRole::Asker, "ci").post("/v1/asks", &text("A")).json(201);
        asked["audience"].clone()
    };
    assert_eq!(usual(&world), json!({ "groups": ["members"] }), "everyone with a person's token");
    world.write("config/sayso/config.toml", "[server]\naudience = [\"ops\"]\n");
    assert_eq!(usual(&world), json!({ "groups": ["ops"] }));
}

#[test]
fn audience_must_be_allowed() {
    let world = TestWorld::new();
    let served = ServedDesk::start(&world);
    let asker = asker_for(&world, &served, "ci", &["ops"]);
    served.caller(&world, TokenRole::Person, "ada");
    let refuse = |names: &[&str]| {
        asker.post("/v1/asks", &text_for("A", names)).problem(403, "not_allowed").to_string()
    };
    assert_eq!(refuse(&["ada"]), refuse(&["nobody"]), "alike whether it exists or not");
    refuse(&[]);
    refuse(&["ops", "ada"]);
    let asked = asker.post("/v1/asks", &text_for("A", &["members"])).json(201);
    assert_eq!(asked["audience"], json!({ "groups": ["members"] }), "the usual one may be named");
    let spec = json!({ "questions": [{ "id": "a", "type": "text", "label": "A", "prompt": "Say it." }] });
    let request = asker.request("POST", "/questionnaire").json(&spec).header("prefer", "respond-async");
    assert_eq!(request.clone().header("sayso-for", "ada").send().status, 403);
    assert_eq!(request.header("sayso-for", "ops, members").send().status, 202);
}

#[test]
fn groups_open_and_close_asks() {
    let world = TestWorld::new();
    let served = ServedDesk::start(&world);
    let asker = asker_for(&world, &served, "ci", &["ops"]);
    let (ada, bob) = (served.person(&world), served.caller(&world, TokenRole::Person, "bob"));
    let change = |joins: bool| {
        let change = GroupChange { group: "ops".to_owned(), account: "bob".to_owned(), joins };
        assert!(world.desk().change_group(change).unwrap());
    };
    change(true);
    let ask = asker.post("/v1/asks", &text_for("For ops", &["ops"])).json(201);
    assert_eq!(ask["audience"], json!({ "groups": ["ops"] }));
    bob.get(&ask_path(&ask, "")).json(200);
    ada.get(&ask_path(&ask, "")).problem(404, "ask_not_found");
    change(false);
    bob.get(&ask_path(&ask, "")).problem(404, "ask_not_found");
    assert_eq!(bob.get("/v1/asks").json(200), json!({ "asks": [] }));
    change(true);
    let done = answer_ask(&bob, &ask, "yes");
    assert_eq!(done["phase"]["settled"]["receipt"]["audience"], json!({ "groups": ["ops"] }));
}

#[test]
fn other_audience_is_other_ask() {
    let world = TestWorld::new();
    let served = ServedDesk::start(&world);
    let asker = asker_for(&world, &served, "shop", &["ada", "bob"]);
    let (ada, bob) = (served.person(&world), served.caller(&world, TokenRole::Person, "bob"));
    let first = asker.post("/v1/asks", &text_for("Same", &["ada"])).json(201);
    let second = asker.post("/v1/asks", &text_for("Same", &["bob"])).json(201);
    assert_eq!(asker.post("/v1/asks", &text_for("Same", &["ada"])).json(200)["id"], first["id"]);
    answer_ask(&ada, &first, "of ada");
    let waiting = asker.get(&ask_path(&second, "/outcome")).json(200);
    assert_eq!(waiting["state"], "open", "{waiting}");
    bob.get(&ask_path(&first, "")).problem(404, "ask_not_found");
    let keyed = |names: &[&str]| {
        asker
            .request("POST", "/v1/asks")
            .json(&text_for("Keyed", names))
            .header("idempotency-key", "k")
            .send()
    };
    keyed(&["ada"]).json(201);
    keyed(&["bob"]).problem(422, "key_reused");
}

#[test]
fn events_stay_behind_the_wall() {
    let world = TestWorld::new();
    let served = ServedDesk::start(&world);
    let asker = asker_for(&world, &served, "ci", &["ada"]);
    let bob = served.caller(&world, TokenRole::Person, "bob");
    let mut live = bob.events();
    let begin = live.expect("hello").id.unwrap();
    let hidden = asker.post("/v1/asks", &text_for("Secret", &["ada"])).json(201);
    answer_ask(&served.person(&world), &hidden, "secret words");
    let open = create_ask(&asker, "For all");
    for stream in [&mut live, &mut bob.events_after(&begin)] {
        let mut event = stream.next().unwrap();
        if event.name == "hello" {
            event = stream.next().unwrap();
        }
        assert_eq!(event.name, "change");
        assert_eq!(event.data["ask"], open["id"]);
    }
}

/// Request of a program with a shell.
const CONFIRM: &str = r#"{"questions":[{"id":"go","kind":"confirm","prompt":"Deploy?"}]}"#;

#[test]
fn command_names_audience_at_server() {
    let network = NetworkDesk::new();
    let join = GroupChange { group: "ops".to_owned(), account: "bob".to_owned(), joins: true };
    assert!(network.world.desk().change_group(join).unwrap());
    let file = network.world.path("ci.token").to_str().unwrap().to_owned();
    let line = ["token", "new", "--role", "asker", "--account", "ci", "--may-for", "ops", "--out", &file];
    assert_eq!(network.world.sayso(line).run().exit, 0);
    let mut agent = TestWorld::new();
    agent.set_var("SAYSO_DESK", &network.address);
    agent.set_var("SAYSO_TOKEN_FILE", &file);
    let asked = agent.sayso(["ask", CONFIRM, "--no-wait", "--for", "ops"]).run();
    assert_eq!(asked.exit, 0, "{asked:?}");
    let shown = network.world.show(asked.stdout.trim());
    assert_eq!(shown["audience"], json!({ "groups": ["ops"] }), "{shown}");
    let refused = agent.sayso(["ask", CONFIRM, "--no-wait", "--for", "ada"]).run();
    assert!(refused.exit != 0 && refused.stderr.contains("may not ask that audience"), "{refused:?}");
}

#[test]
fn command_names_audience_in_file() {
    let world = TestWorld::new();
    let join = GroupChange { group: "ops".to_owned(), account: "bob".to_owned(), joins: true };
    assert!(world.desk().change_group(join).unwrap());
    let asked = world.sayso(["ask", CONFIRM, "--no-wait", "--for", "ada,ops"]).run();
    let id = asked.stdout.trim();
    assert_eq!(world.show(id)["audience"], json!({ "accounts": ["ada"], "groups": ["ops"] }), "{asked:?}");
    let served = ServedDesk::start(&world);
    let path = format!("/v1/asks/{id}");
    for (account, status) in [("ada", 200), ("bob", 200), ("eve", 404)] {
        assert_eq!(served.caller(&world, TokenRole::Person, account).get(&path).status, status, "{account}");
    }
    let refused = world.sayso(["ask", CONFIRM, "--no-wait", "--for", ""]).run();
    assert!(refused.exit != 0 && refused.stdout.is_empty(), "{refused:?}");
}
