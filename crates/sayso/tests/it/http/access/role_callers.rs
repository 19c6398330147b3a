//! Callers of each role, and a good call of each operation of the server's own document: a new one without a row here
//! fails the tests.

use crate::support::http_client::{HttpCaller, HttpReply, TestRequest};
use crate::support::served_desk::{ServedDesk, answer_ask, id_of, text};
use crate::support::test_world::TestWorld;
use sayso_desk::token::{TokenAudience, TokenRequest, TokenRole};
use serde_json::{Value, json};

/// State of the ask that an operation needs.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum AskStage {
    Open,
    Submitted,
    Answered,
}

/// Successful call of an operation: state of the ask, body, and status.
pub(super) fn role_row(operation: &str) -> (AskStage, Option<Value>, u16) {
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
        // An unknown address would count against the limit of wrong codes; `service_entry` opens some.
        "show_entry_account" => (Open, Some(json!({})), 422),
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
        "let_in_user" => (Open, Some(json!({ "as": "bearer" })), 201),
        "end_user_sessions" => (Open, None, 204),
        "show_login" | "show_entry" | "show_login_script" | "show_login_style" => (Open, None, 200),
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
        | "stream_thread"
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
        | "list_user_sessions"
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

/// Operation of the server, as its document lists it.
pub(super) struct ApiOperation {
    pub(super) name: String,
    pub(super) method: String,
    pub(super) path: String,
    /// Roles of an operation, in the words of the document.
    pub(super) group: String,
}

pub(super) fn operations(served: &ServedDesk) -> Vec<ApiOperation> {
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
pub(super) struct RoleCallers {
    pub(super) world: TestWorld,
    pub(super) served: ServedDesk,
    pub(super) asker: HttpCaller,
    pub(super) other: HttpCaller,
    pub(super) person: HttpCaller,
    pub(super) admin: HttpCaller,
    /// Service `shop`, with two of its users, and service `mill` with one.
    pub(super) service: HttpCaller,
    pub(super) user: HttpCaller,
    pub(super) other_user: HttpCaller,
    pub(super) other_service: HttpCaller,
    pub(super) foreign_user: HttpCaller,
    count: std::cell::Cell<u32>,
    /// Account that the asks are for, if they are not for all.
    audience: Option<&'static str>,
}

impl RoleCallers {
    pub(super) fn new() -> Self {
        let world = TestWorld::new();
        let served = ServedDesk::start(&world);
        let asker = served.asker(&world);
        let other = served.caller(&world, TokenRole::Asker, "other");
        let (person, admin) = (served.person(&world), served.admin(&world));
        let [service, other_service] =
            ["shop", "mill"].map(|account| served.caller(&world, TokenRole::Service, account));
        let [user, other_user] = ["ada", "bob"].map(|user| let_in(&service, user));
        Self {
            user,
            other_user,
            foreign_user: let_in(&other_service, "ada"),
            service,
            other_service,
            asker,
            other,
            person,
            admin,
            world,
            served,
            count: std::cell::Cell::new(0),
            audience: None,
        }
    }

    /// Makes callers of which the asker asks this account alone.
    pub(super) fn asking_for(account: &'static str) -> Self {
        let cast = Self::new();
        let request = TokenRequest {
            role: TokenRole::Asker,
            account: account.split_once('/').map_or("ci", |(service, _)| service).to_owned(),
            expires_in: None,
            audience: TokenAudience { may_for: vec![account.to_owned()], ..TokenAudience::default() },
        };
        let token = cast.world.desk().create_token(request).unwrap().1;
        let asker = cast.served.with_token(token.reveal());
        Self { asker, audience: Some(account), ..cast }
    }

    /// Creates an ask of `asker`, with the key of its title.
    pub(super) fn ask(&self, stage: AskStage) -> (Value, String) {
        self.count.set(self.count.get() + 1);
        let title = format!("Ask-{}", self.count.get());
        let mut body = text(&title);
        body["judged"] = (stage == AskStage::Submitted).into();
        if let Some(account) = self.audience {
            body["for"] = json!([account]);
        }
        let request = self.asker.request("POST", "/v1/asks").json(&body).header("idempotency-key", &title);
        let ask = request.send().json(201);
        if stage != AskStage::Open {
            let of_service = self.audience.is_some_and(|account| account.contains('/'));
            answer_ask(if of_service { &self.user } else { &self.person }, &ask, "here");
        }
        (ask, title)
    }

    /// Returns whether the caller is the user of a service.
    pub(super) fn is_user(&self, caller: &HttpCaller) -> bool {
        [&self.user, &self.other_user, &self.foreign_user].iter().any(|user| user.token == caller.token)
    }

    /// Returns a request that succeeds if the caller may make it.
    pub(super) fn request(
        &self,
        operation: &ApiOperation,
        caller: &HttpCaller,
        ask: &Value,
        key: &str,
    ) -> TestRequest {
        let (_, mut body, _) = role_row(&operation.name);
        let id = match operation.name.as_str() {
            "revoke_token" => self.world.desk().new_token(TokenRole::Asker, "gone", None).unwrap().0.id,
            _ => id_of(ask).to_owned(),
        };
        let mut path = operation.path.replace("{id}", &id).replace("{key}", key).replace("{user}", "eve");
        if path.contains("{thread_id}") {
            let own = [(&self.admin, "gateway"), (&self.user, "shop/ada")];
            let owner = own.iter().find(|(known, _)| known.token == caller.token);
            let owner = owner.map_or("ada", |(_, account)| account);
            let thread = self.world.desk().new_thread(owner, Some("nobody".to_owned())).unwrap();
            path = path.replace("{thread_id}", &thread.id);
        }
        let mut request = match operation.name.as_str() {
            "offer_outcome" => {
                path += "?form=mine";
                caller.request(&operation.method, &path).body("application/octet-stream", "rendered")
            }
            // It ends the session.
            "sign_out" if self.is_user(caller) => let_in(&self.service, "eve").request("DELETE", &path),
            "watch_events" => caller.request("GET", &format!("{path}?ask={id}")),
            "execute_questionnaire" => caller.request("POST", &path).header("prefer", "respond-async"),
            "send_mcp_message" | "follow_mcp_session" => {
                let accepted = "application/json, text/event-stream";
                caller.request(&operation.method, &path).header("accept", accepted)
            }
            "find_by_key" if caller.token == self.admin.token => {
                let account = ask.pointer("/asker/account").unwrap().as_str().unwrap();
                caller.request("GET", &format!("{path}?name={account}&account={account}"))
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
    pub(super) fn call(&self, operation: &ApiOperation, caller: &HttpCaller) -> HttpReply {
        let (ask, key) = self.ask(role_row(&operation.name).0);
        finite_reply(&self.request(operation, caller, &ask, &key))
    }
}

/// Returns a program of a service's user, whom the service has let in.
pub(super) fn let_in(service: &HttpCaller, user: &str) -> HttpCaller {
    let login = service.post(&format!("/v1/users/{user}/logins"), &json!({ "as": "bearer" })).json(201);
    HttpCaller { token: login["token"].as_str().map(str::to_owned), ..service.clone() }
}

/// Returns the reply, without the rest of an endless stream.
pub(super) fn finite_reply(request: &TestRequest) -> HttpReply {
    request.send_for_head()
}
