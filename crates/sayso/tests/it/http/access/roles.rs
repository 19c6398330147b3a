//! Tests of each role on each route. The routes come from the server's own document: a new one without a row here
//! fails the test.

use crate::support::http_client::{HttpCaller, HttpReply, TestRequest};
use crate::support::served_desk::{ServedDesk, answer_ask, answer_body, ask_path, id_of, new_token, text};
use crate::support::test_world::TestWorld;
use sayso_desk::token::TokenRole;
use sayso_desk::{ThreadDesk as _, TokenDesk as _};
use serde_json::{Value, json};

/// State of the ask that an operation needs.
#[derive(Clone, Copy, PartialEq)]
enum AskStage {
    Open,
    Submitted,
    Answered,
}

/// Successful call of an operation: state of the ask, body, and status.
#[expect(clippy::too_many_lines, reason = "a table")]
fn role_row(operation: &str) -> (AskStage, Option<Value>, u16) {
    use AskStage::{Answered, Open, Submitted};
    match operation {
        "create_ask" => (Open, Some(text("Another one")), 201),
        "execute_questionnaire" => (
            Open,
            Some(json!({ "questions": [{ "id": "a", "type": "text", "label": "A", "prompt": "Say it." }] })),
            202,
        ),
        "ask_questions" => {
            let fields = json!([{ "id": "a", "type": "text", "label": "A" }]);
            (Open, Some(json!({ "mode": "async", "schema": { "fields": fields } })), 200)
        }
        "send_mcp_message" => {
            let info = json!({ "name": "x", "version": "1" });
            let params = json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": info });
            let message = json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params });
            (Open, Some(message), 200)
        }
        // Without a session; `mcp::network` has some.
        "follow_mcp_session" | "end_mcp_session" => (Open, None, 400),
        // A request that is no handshake; `interaction_wire` opens sockets.
        "open_socket" => (Open, None, 400),
        "cancel_ask" | "attach_asker" | "detach_asker" | "see_ask" => (Open, None, 200),
        "acknowledge_outcome" | "offer_outcome" => (Answered, None, 200),
        "judge_round" => (Submitted, Some(json!({ "round": 1, "accept": true })), 200),
        "save_draft" => {
            let reply = json!({ "state": "answered", "answer": { "text": "x" } });
            (Open, Some(json!({ "replies": { "text": reply } })), 200)
        }
        "answer_ask" => (Open, Some(json!({ "answers": { "text": "x" } })), 200),
        "decline_ask" => (Open, Some(json!({})), 200),
        "create_token" => (Open, Some(json!({ "role": "asker", "account": "new" })), 201),
        "revoke_token" => (Open, None, 204),
        // Only the code of a terminal signs a browser in, and only that browser can sign out: `serve_browser`.
        "sign_in" => (Open, Some(json!({ "claim": "unknown" })), 401),
        "claim_link" => {
            let key = format!("B{}", "A".repeat(86));
            (Open, Some(json!({ "code": "unknown", "key": key })), 401)
        }
        // Their effect on a browser is tested in `sessions`.
        "list_sessions" | "show_link" => (Open, None, 200),
        "end_session" => (Open, None, 404),
        "create_link" => (Open, None, 201),
        "confirm_link" => (Open, Some(json!({ "number": "1" })), 422),
        "delete_link" => (Open, None, 204),
        "sign_out" => (Open, None, 422),
        // Closed without a setting; `http::plain` opens them.
        "show_plain_inbox" | "filter_plain_inbox" | "show_plain_sign_in" | "sign_in_plain"
        | "sign_out_plain" | "show_plain_ask" | "save_plain_draft" | "show_plain_review"
        | "answer_plain_ask" | "show_plain_decline" | "decline_plain_ask" => (Open, None, 403),
        "show_plain_style" => (Open, None, 200),
        "show_login" | "show_login_script" | "show_login_style" => (Open, None, 200),
        "chat" => (Open, Some(json!({ "message": "hi" })), 200),
        "resume" => (Open, Some(json!({ "action": "cancel" })), 200),
        "take_turn" => (Open, None, 204),
        // No caller here has a turn: `threads`.
        "read_thread" => (Open, None, 404),
        "publish_events" => (Open, Some(json!({ "turn": "1.a", "events": [] })), 409),
        "ask_in_thread" | "end_turn" => (Open, Some(json!({ "turn": "1.a" })), 409),
        "create_thread"
        | "list_threads"
        | "delete_thread"
        | "show_thread"
        | "show_thread_status"
        | "show_thread_history"
        | "follow_thread"
        | "show_chat"
        | "show_chat_style"
        | "show_chat_script"
        | "list_asks"
        | "show_ask"
        | "wait_for_outcome"
        | "show_draft"
        | "review_ask"
        | "show_inbox"
        | "show_ask_page"
        | "show_page_script"
        | "show_page_words"
        | "show_page_style"
        | "show_page_worker"
        | "show_page_manifest"
        | "show_page_icon"
        | "show_element_script"
        | "show_interrupt_module"
        | "show_interaction_module"
        | "show_session_module"
        | "show_element_page"
        | "show_element_page_script"
        | "show_element_examples"
        | "show_interaction_page"
        | "show_interaction_script"
        | "find_by_key"
        | "watch_events"
        | "show_me"
        | "list_tokens"
        | "show_openapi"
        | "show_resource_metadata"
        | "show_mcp_resource_metadata"
        | "show_questionnaire_openapi"
        | "show_docs"
        | "check_health"
        | "check_readiness"
        | "show_metrics" => (Open, None, 200),
        other => panic!("{other} is new: say here what makes it succeed"),
    }
}

/// Group of the pages without scripts.
const PLAIN: &str = "pages without scripts";

/// Returns what tells the errors of an operation apart: its group if that has its own, or else its name.
fn operation_kind(operation: &ApiOperation) -> &str {
    if operation.group == PLAIN { PLAIN } else { &operation.name }
}

struct ApiOperation {
    name: String,
    method: String,
    path: String,
    /// Roles of an operation, in the words of the document.
    group: String,
}

fn operations(served: &ServedDesk) -> Vec<ApiOperation> {
    let document = served.without_token().get("/openapi.json").json(200);
    let mut operations = Vec::new();
    for (path, methods) in document["paths"].as_object().unwrap() {
        for (method, operation) in methods.as_object().unwrap() {
            let text = |value: &Value| value.as_str().unwrap().to_owned();
            let (name, group) = (text(&operation["operationId"]), text(&operation["tags"][0]));
            operations.push(ApiOperation { name, method: method.to_uppercase(), path: path.clone(), group });
        }
    }
    operations
}

/// World with a desk on the network, and all of its callers.
struct RoleCallers {
    world: TestWorld,
    served: ServedDesk,
    asker: HttpCaller,
    other: HttpCaller,
    person: HttpCaller,
    admin: HttpCaller,
    count: std::cell::Cell<u32>,
}

impl RoleCallers {
    fn new() -> Self {
        let world = TestWorld::new();
        let served = ServedDesk::start(&world);
        let asker = served.asker(&world);
        let other = served.caller(&world, TokenRole::Asker, "other");
        let (person, admin) = (served.person(&world), served.admin(&world));
        Self { world, served, asker, other, person, admin, count: std::cell::Cell::new(0) }
    }

    /// Creates an ask of `asker`, with the key of its title.
    fn ask(&self, stage: AskStage) -> (Value, String) {
        self.count.set(self.count.get() + 1);
        let title = format!("Ask-{}", self.count.get());
        let mut body = text(&title);
        body["judged"] = (stage == AskStage::Submitted).into();
        let request = self.asker.request("POST", "/v1/asks").json(&body).header("idempotency-key", &title);
        let ask = request.send().json(201);
        if stage != AskStage::Open {
            answer_ask(&self.person, &ask, "here");
        }
        (ask, title)
    }

    /// Returns a request that succeeds if the caller may make it.
    fn request(&self, operation: &ApiOperation, caller: &HttpCaller, ask: &Value, key: &str) -> TestRequest {
        let (_, mut body, _) = role_row(&operation.name);
        let id = match operation.name.as_str() {
            "revoke_token" => self.world.desk().new_token(TokenRole::Asker, "gone", None).unwrap().0.id,
            _ => id_of(ask).to_owned(),
        };
        let mut path = operation.path.replace("{id}", &id).replace("{key}", key);
        if path.contains("{thread_id}") {
            let owner = if caller.token == self.admin.token { "gateway" } else { "ada" };
            let thread = self.world.desk().new_thread(owner, Some("nobody".to_owned())).unwrap();
            path = path.replace("{thread_id}", &thread.id);
        }
        let mut request = match operation.name.as_str() {
            "offer_outcome" => {
                path += "?form=mine";
                caller.request(&operation.method, &path).body("application/octet-stream", "rendered")
            }
            "watch_events" => caller.request("GET", &format!("{path}?ask={id}")),
            "execute_questionnaire" => caller.request("POST", &path).header("prefer", "respond-async"),
            "send_mcp_message" | "follow_mcp_session" => {
                let accepted = "application/json, text/event-stream";
                caller.request(&operation.method, &path).header("accept", accepted)
            }
            "find_by_key" if caller.token == self.admin.token => {
                caller.request("GET", &format!("{path}?name=ci&account=ci"))
            }
            _ if operation.group == PLAIN && operation.method == "POST" => {
                let request = caller.request("POST", &path).header("sec-fetch-site", "same-origin");
                request.body("application/x-www-form-urlencoded", "a=b")
            }
            _ => caller.request(&operation.method, &path),
        };
        if let Some(body) = &mut body {
            if ["answer_ask", "decline_ask"].contains(&operation.name.as_str()) {
                body["shown"] = ask["digest"].clone();
            }
            request = request.json(body);
        }
        request
    }

    /// Returns the reply to a caller's operation on an ask of `asker`.
    fn call(&self, operation: &ApiOperation, caller: &HttpCaller) -> HttpReply {
        let (ask, key) = self.ask(role_row(&operation.name).0);
        finite_reply(&self.request(operation, caller, &ask, &key))
    }
}

/// Returns the reply, without the rest of an endless stream.
fn finite_reply(request: &TestRequest) -> HttpReply {
    request.send_for_head()
}

#[test]
fn routes_enforce_roles() {
    let cast = RoleCallers::new();
    for operation in operations(&cast.served) {
        let good = role_row(&operation.name).2;
        let may = |caller: &HttpCaller, expected: u16, who: &str| {
            let reply = cast.call(&operation, caller);
            assert_eq!(reply.status, expected, "{who}: {}: {}", operation.name, reply.text());
            if expected == 403 && operation.group == "threads" {
                assert_eq!(reply.json(403), json!({ "detail": "Askers cannot answer." }));
            } else if expected == 403 && !["ask_questions", PLAIN].contains(&operation_kind(&operation)) {
                // That route's own spec defines its errors, and pages are HTML.
                reply.problem(403, "not_allowed");
            }
        };
        let (asker, person, admin) = match operation.group.as_str() {
            "open to all" | "all with a token" | PLAIN => (good, good, good),
            "askers" => (good, 403, good),
            "people" | "threads" => (403, good, good),
            "admins" => (403, 403, good),
            other => panic!("{other} is new: say here who they are"),
        };
        may(&cast.asker, asker, "the asker");
        may(&cast.person, person, "a person");
        may(&cast.admin, admin, "an admin");
    }
}

#[test]
fn unknown_token_is_refused() {
    let cast = RoleCallers::new();
    let (_, key) = cast.ask(AskStage::Open);
    let revoked = new_token(&cast.world, TokenRole::Admin, "gone");
    let id = cast.world.desk().verify_token(&revoked).unwrap().unwrap().id;
    cast.world.desk().revoke_token(&id).unwrap();
    let moment = jiff::SignedDuration::from_millis(1);
    let expired = cast.world.desk().new_token(TokenRole::Admin, "late", Some(moment)).unwrap().1;
    let nobody = cast.served.without_token();
    for operation in operations(&cast.served) {
        let (ask, _) = cast.ask(AskStage::Open);
        let who =
            [nobody.clone(), cast.served.with_token(&revoked), cast.served.with_token(expired.reveal())];
        for caller in who {
            let reply = finite_reply(&cast.request(&operation, &caller, &ask, &key));
            if ["open to all", PLAIN].contains(&operation.group.as_str()) {
                assert_eq!(reply.status, role_row(&operation.name).2, "{}", operation.name);
            } else {
                assert!([401, 429].contains(&reply.status), "{}: {reply:?}", operation.name);
            }
            if reply.status == 401 {
                if operation.group == "threads" {
                    assert_eq!(reply.json(401), json!({ "detail": "Not authenticated" }));
                } else {
                    reply.problem(401, "unauthorized");
                }
                assert_eq!(reply.header("www-authenticate"), Some("Bearer"));
            }
        }
        assert_eq!(
            cast.asker.get(&ask_path(&ask, "")).json(200)["revision"],
            ask["revision"],
            "{}",
            operation.name
        );
    }
}

#[test]
fn asker_cannot_see_foreign_asks() {
    let cast = RoleCallers::new();
    let nowhere = json!({ "id": "01a2026d-d3cd-738f-a381-3f4907ef3314", "digest": "0".repeat(64) });
    for operation in operations(&cast.served) {
        if !operation.path.starts_with("/v1/asks/{id}") && operation.name != "watch_events" {
            continue;
        }
        let (ask, key) = cast.ask(role_row(&operation.name).0);
        let before = cast.asker.get(&ask_path(&ask, "")).json(200);
        let theirs = finite_reply(&cast.request(&operation, &cast.other, &ask, &key));
        let none = finite_reply(&cast.request(&operation, &cast.other, &nowhere, &key));
        // A foreign ask is indistinguishable from a missing one.
        let hide = |reply: &HttpReply, ask: &Value| (reply.status, reply.text().replace(id_of(ask), "ID"));
        assert_eq!(hide(&theirs, &ask), hide(&none, &nowhere), "{}", operation.name);
        if operation.group == "people" && theirs.status == 403 {
            theirs.problem(403, "not_allowed");
        } else {
            theirs.problem(404, "ask_not_found");
        }
        assert_eq!(cast.asker.get(&ask_path(&ask, "")).json(200), before, "{}", operation.name);
    }
    let (ask, key) = cast.ask(AskStage::Open);
    assert_eq!(cast.other.get("/v1/asks?state=open").json(200)["asks"], json!([]));
    cast.other.get(&format!("/v1/keys/{key}")).problem(404, "ask_not_found");
    // Not by a prefix of its id either, though that fits many.
    let few = &id_of(&ask)[..6];
    cast.other.get(&format!("/v1/asks/{few}")).problem(404, "ask_not_found");
    cast.person.get(&format!("/v1/asks/{few}")).problem(409, "ambiguous_id");
    assert!(cast.person.get("/v1/asks").json(200)["asks"].as_array().is_some_and(|asks| !asks.is_empty()));
}

#[test]
fn only_gateway_vouches_for_others() {
    let cast = RoleCallers::new();
    let (ask, _) = cast.ask(AskStage::Open);
    let mut body = answer_body(&ask, "yes");
    body["by"] = json!({ "name": "bob" });
    cast.person.post(&ask_path(&ask, "/answer"), &body).problem(403, "not_allowed");
    let mut from = text("For somebody else");
    from["from"] = json!({ "account": "other" });
    cast.asker.post("/v1/asks", &from).problem(403, "not_allowed");
    let asked = cast.admin.post("/v1/asks", &from).json(201);
    assert_eq!(cast.other.get(&ask_path(&asked, "")).json(200)["asker"]["account"], "other");
    cast.asker.get(&ask_path(&asked, "")).problem(404, "ask_not_found");

    // The receipt names the account, and no more than the token proves.
    body["by"] = json!({ "name": "bob", "surface": "dialog", "assurance": "terminal" });
    let done = cast.admin.post(&ask_path(&ask, "/answer"), &body).json(200);
    let receipt = done.pointer("/phase/settled/receipt").unwrap_or_else(|| panic!("{done}"));
    assert_eq!([&receipt["by"], &receipt["surface"]], ["bob", "dialog"], "{receipt}");
    assert_eq!(receipt["assurance"], "relayed");
    let (ask, _) = cast.ask(AskStage::Open);
    let done = answer_ask(&cast.person, &ask, "yes");
    let receipt = done.pointer("/phase/settled/receipt").unwrap();
    assert_eq!([&receipt["by"], &receipt["assurance"]], ["ada", "token"]);

    // Nor does one in a role that is not the route's.
    let (ask, _) = cast.ask(AskStage::Open);
    let as_asker = cast.admin.request("POST", &ask_path(&ask, "/answer")).json(&answer_body(&ask, "yes"));
    as_asker.clone().header("sayso-role", "asker").send().problem(403, "not_allowed");
    as_asker.header("sayso-role", "boss").send().problem(400, "bad_header");
    let ack = cast.admin.request("POST", &ask_path(&ask, "/cancel")).header("sayso-role", "person");
    ack.send().problem(403, "not_allowed");
    let claimed = cast.person.request("POST", &ask_path(&ask, "/cancel")).header("sayso-role", "asker");
    claimed.send().problem(403, "not_allowed");
}
