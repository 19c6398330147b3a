//! Tests of MCP over HTTP: each version at one address, identity by token, streams that are cut, pages and tasks.

use crate::mcp::clients::sdk::host::SdkHosts;
use crate::mcp::host::{LEGACY, MODERN, answer, release};
use crate::support::http_client::{HttpCaller, HttpReply, SseStream, TestRequest};
use crate::support::served_desk::{ServedDesk, new_token};
use crate::support::test_world::TestWorld;
use sayso_desk::token::TokenRole;
use serde_json::{Value, json};

const ACCEPT: &str = "application/json, text/event-stream";

/// Client that speaks MCP over HTTP by hand.
pub(crate) struct HttpHost {
    caller: HttpCaller,
    /// Session, in the versions that have one.
    session: Option<String>,
    version: &'static str,
    capabilities: Value,
}

impl HttpHost {
    /// Starts a session.
    pub(crate) fn with_session(caller: HttpCaller, version: &'static str, capabilities: Value) -> Self {
        let info = json!({ "name": "somebody-else", "version": "1" });
        let params = json!({ "protocolVersion": version, "capabilities": &capabilities, "clientInfo": info });
        let mut host = Self { caller, session: None, version, capabilities };
        let begun =
            host.message(&json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params }));
        let reply = begun.send_for_head();
        assert_eq!(reply.status, 200, "{}", reply.text());
        host.session = Some(reply.header("mcp-session-id").unwrap().to_owned());
        let noted = host.message(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" })).send();
        assert_eq!(noted.status, 202, "{}", noted.text());
        host
    }

    /// Returns a client of the version without sessions.
    pub(crate) fn sessionless(caller: HttpCaller, capabilities: Value) -> Self {
        Self { caller, session: None, version: MODERN, capabilities }
    }

    fn message(&self, message: &Value) -> TestRequest {
        let mut request = self.caller.request("POST", "/mcp").header("accept", ACCEPT).json(message);
        if let Some(session) = &self.session {
            request = request.header("mcp-session-id", session);
        }
        if message["method"] != "initialize" {
            request = request.header("mcp-protocol-version", self.version);
        }
        if self.version == MODERN {
            request = request.header("mcp-method", message["method"].as_str().unwrap());
            if let Some(name) = message["params"]["name"].as_str().or(message["params"]["taskId"].as_str()) {
                request = request.header("mcp-name", name);
            }
        }
        request
    }

    pub(crate) fn request(&self, method: &str, mut params: Value) -> TestRequest {
        if self.version == MODERN {
            params["_meta"]["io.modelcontextprotocol/protocolVersion"] = json!(MODERN);
            params["_meta"]["io.modelcontextprotocol/clientCapabilities"] = self.capabilities.clone();
            params["_meta"]["io.modelcontextprotocol/clientInfo"] =
                json!({ "name": "somebody-else", "version": "1" });
        }
        self.message(&json!({ "jsonrpc": "2.0", "id": 7, "method": method, "params": params }))
    }

    /// Returns this client, with its session, at another server.
    pub(crate) fn at(self, caller: HttpCaller) -> Self {
        Self { caller, ..self }
    }

    /// Starts a tool call and returns its stream.
    pub(crate) fn begin(&self, tool: &str, arguments: &Value) -> SseStream {
        let meta = json!({ "progressToken": "p" });
        self.request("tools/call", json!({ "name": tool, "arguments": arguments, "_meta": meta })).stream()
    }

    /// Follows the rest of a stream of the session.
    pub(crate) fn resume(&self, last_id: &str) -> SseStream {
        let rest = self.caller.request("GET", "/mcp").header("accept", "text/event-stream");
        let rest = rest.header("mcp-protocol-version", self.version).header("last-event-id", last_id);
        rest.header("mcp-session-id", self.session.as_ref().unwrap()).stream()
    }

    /// Asks, is cut off after the first message, and returns the id of that event.
    pub(crate) fn ask_and_cut_off(&self) -> String {
        let mut call = self.begin("ask", &release());
        next_message(&mut call);
        call.last_id.unwrap()
    }

    /// Calls a tool and returns the result.
    pub(crate) fn call(&self, tool: &str, arguments: &Value) -> Value {
        result_of(&mut self.begin(tool, arguments))
    }

    /// Asks without waiting, and returns the id of the ask.
    fn leave_ask(&self) -> String {
        let mut arguments = release();
        arguments["max_wait_s"] = json!(0);
        self.call("ask", &arguments)["structuredContent"]["ask_id"].as_str().unwrap().to_owned()
    }
}

/// Returns the next message of a stream.
pub(crate) fn next_message(stream: &mut SseStream) -> Value {
    loop {
        let event = stream.next().expect("the stream is over");
        // An event without data only has an id to resume from.
        if !event.data.is_null() {
            return event.data;
        }
    }
}

/// Returns the result at the end of a stream.
pub(crate) fn result_of(stream: &mut SseStream) -> Value {
    loop {
        let message = next_message(stream);
        if message["id"] == 7 && message.get("method").is_none() {
            assert!(message.get("error").is_none(), "{message}");
            return message["result"].clone();
        }
    }
}

#[test]
fn each_version_asks_at_one_address() {
    for version in [LEGACY[0], LEGACY[1], MODERN] {
        let world = TestWorld::new();
        let served = ServedDesk::start(&world);
        let caller = served.asker(&world);
        let host = match version {
            MODERN => HttpHost::sessionless(caller, json!({})),
            version => HttpHost::with_session(caller, version, json!({})),
        };
        let mut call = host.begin("ask", &release());
        let message = next_message(&mut call);
        assert_eq!(
            message["method"], "notifications/progress",
            "{version}: it tells of itself at once: {message}"
        );
        let (_, id) = world.first_ask();
        let shown = world.show(&id);
        assert_eq!([&shown["asker"]["name"], &shown["asker"]["account"]], ["ci", "ci"], "{shown}");
        answer(&world, &id);
        let result = result_of(&mut call)["structuredContent"].clone();
        assert_eq!([&result["status"], &result["ask_id"]], [&json!("answered"), &json!(id)], "{version}");
        assert_eq!(result["answers"][0]["note"], "before lunch");
    }
}

#[test]
fn other_tokens_reach_nothing() {
    let world = TestWorld::new();
    let served = ServedDesk::start(&world);
    let host = HttpHost::with_session(served.asker(&world), LEGACY[1], json!({}));
    let id = host.leave_ask();

    let mut stranger = HttpHost { caller: served.caller(&world, TokenRole::Asker, "other"), ..host };
    let refused = stranger.request("tools/list", json!({})).send();
    assert_eq!(refused.status, 404, "the session of another account: {}", refused.text());
    stranger = HttpHost::with_session(stranger.caller, LEGACY[1], json!({}));
    assert_eq!(stranger.call("wait_for_answer", &json!({ "ask_id": id }))["isError"], true);
    assert_eq!(stranger.call("list_asks", &json!({}))["structuredContent"]["asks"], json!([]));
    assert_ne!(stranger.leave_ask(), id, "the same question of another account is another ask");

    let person = HttpHost { caller: served.person(&world), session: None, ..stranger };
    person.request("tools/list", json!({})).send().problem(403, "not_allowed");
    let nobody = HttpHost { caller: served.without_token(), ..person };
    nobody.request("tools/list", json!({})).send().problem(401, "unauthorized");
}

#[test]
fn foreign_hosts_and_origins_are_refused() {
    let world = TestWorld::new();
    let served = ServedDesk::start(&world);
    let host = HttpHost::sessionless(served.asker(&world), json!({}));
    let listed = || host.request("tools/list", json!({}));
    assert_eq!(listed().send_for_head().status, 200);
    listed().replace_header("host", "desk.example.com").send().problem(421, "host_not_allowed");
    listed().header("origin", "https://evil.example").send().problem(403, "origin_not_allowed");
}

#[test]
fn cut_stream_is_resumed() {
    let world = TestWorld::new();
    let served = ServedDesk::start(&world);
    let host = HttpHost::with_session(served.asker(&world), LEGACY[1], json!({}));
    let last = host.ask_and_cut_off();
    let (_, id) = world.first_ask();
    assert_eq!(world.show(&id)["state"], "open", "the end of a connection ends nothing");
    let mut waiting = host.resume(&last);
    answer(&world, &id);
    let result = result_of(&mut waiting);
    assert_eq!(result["structuredContent"]["ask_id"], id.as_str());
    assert_eq!(waiting.next(), None, "it ends with the result");
    assert_eq!(result_of(&mut host.resume(&last)), result, "also after the request has ended");
    assert_eq!(host.resume(waiting.last_id.as_ref().unwrap()).next(), None, "nothing comes twice");
}

#[test]
fn session_survives_server() {
    let world = TestWorld::new();
    let served = ServedDesk::start(&world);
    let (address, caller) = (served.address.clone(), served.asker(&world));
    let host = HttpHost::with_session(caller.clone(), LEGACY[1], json!({}));
    let id = host.leave_ask();
    let [ended, forged] = [(); 2].map(|()| HttpHost::with_session(caller.clone(), LEGACY[1], json!({})));
    served.stop();
    let _served = ServedDesk::restart_at(&world, &address);
    answer(&world, &id);
    let found = host.call("wait_for_answer", &json!({ "ask_id": id }));
    assert_eq!(found["structuredContent"]["status"], "answered", "{found}");

    let list = json!({ "jsonrpc": "2.0", "id": 8, "method": "tools/list", "params": {} });
    assert_eq!(ended.message(&list).send_for_head().status, 200);
    let end = caller.request("DELETE", "/mcp").header("mcp-session-id", ended.session.as_ref().unwrap());
    assert_eq!(end.header("mcp-protocol-version", LEGACY[1]).send().status, 204);
    assert_eq!(ended.message(&list).send().status, 404, "a session that its client ended stays so");
    let forged = HttpHost { session: forged.session.map(|id| id.replacen('.', ".A", 1)), ..host };
    assert_eq!(forged.message(&list).send().status, 404, "an id that this desk did not give");
}

#[test]
fn each_request_has_its_stream() {
    let world = TestWorld::new();
    let served = ServedDesk::start(&world);
    let host = HttpHost::with_session(served.asker(&world), LEGACY[1], json!({}));
    let last = host.ask_and_cut_off();
    let list = json!({ "jsonrpc": "2.0", "id": 8, "method": "tools/list", "params": {} });
    assert_eq!(next_message(&mut host.message(&list).stream())["id"], 8);
    let (_, id) = world.first_ask();
    answer(&world, &id);
    assert_eq!(result_of(&mut host.resume(&last))["structuredContent"]["ask_id"], id.as_str());

    let other = HttpHost::with_session(served.asker(&world), LEGACY[1], json!({}));
    assert_eq!(other.resume(&last).next(), None, "another session has other streams");
}

#[test]
fn lost_answer_is_found_again() {
    for capable in [json!({}), json!({ "elicitation": { "form": {} } })] {
        let world = TestWorld::new();
        let served = ServedDesk::start(&world);
        let host = HttpHost::sessionless(served.asker(&world), capable);
        let mut call = host.begin("ask", &release());
        next_message(&mut call);
        let (_, id) = world.first_ask();
        drop(call);
        answer(&world, &id);
        let result = host.call("ask", &release())["structuredContent"].clone();
        assert_eq!([&result["status"], &result["ask_id"]], ["answered", id.as_str()]);
    }
}

#[test]
fn revoked_token_ends_call() {
    let world = TestWorld::new();
    let served = ServedDesk::start(&world);
    let secret = new_token(&world, TokenRole::Asker, "ci");
    let host = HttpHost::with_session(served.with_token(&secret), LEGACY[1], json!({}));
    let mut call = host.begin("ask", &release());
    next_message(&mut call);
    let token = world.desk().verify_token(&secret).unwrap().unwrap().id;
    world.desk().revoke_token(&token).unwrap();
    while call.next().is_some() {}
    host.request("tools/list", json!({})).send().problem(401, "unauthorized");
}

/// Claude Code (2.1.332) and Copilot (1.0.102) keep the dialog of a page open after the desk has answered.
#[test]
fn page_holds_no_call() {
    let world = TestWorld::new();
    let served = ServedDesk::start(&world);
    let host =
        HttpHost::sessionless(served.asker(&world), json!({ "elicitation": { "form": {}, "url": {} } }));
    let params = json!({
        "name": "ask", "arguments": release(), "_meta": { "progressToken": "p" },
    });
    let mut call = host.request("tools/call", params).stream();
    let (_, id) = world.first_ask();
    answer(&world, &id);
    assert_eq!(result_of(&mut call)["structuredContent"]["status"], "answered");
}

#[test]
fn page_is_offered_once() {
    let world = TestWorld::new();
    world.allow_host_features();
    let served = ServedDesk::start(&world);
    let pages = json!({ "elicitation": { "url": {} } });
    let host = HttpHost::sessionless(served.asker(&world), pages.clone());
    let mut first = host.call("ask", &release());
    let (_, id) = world.first_ask();
    let wanted = first["inputRequests"]["page"]["params"].clone();
    assert_eq!(wanted["mode"], "url", "{first}");
    let port = served.address.rsplit_once(':').unwrap().1;
    assert_eq!(wanted["url"], format!("http://localhost:{port}/a/{id}"));
    // The head of the reply comes with the first message, which is the progress.
    let params = json!({
        "name": "ask", "arguments": release(), "requestState": first["requestState"].take(),
        "inputResponses": { "page": { "action": "accept", "content": { "q01": "now" } } },
        "_meta": { "progressToken": "p" },
    });
    let mut call = host.request("tools/call", params).stream();
    assert_eq!(world.show(&id)["state"], "open", "an asker's token answers nothing");
    answer(&world, &id);
    assert_eq!(result_of(&mut call)["structuredContent"]["status"], "answered");

    let older = HttpHost::with_session(served.caller(&world, TokenRole::Asker, "old"), LEGACY[1], pages);
    let mut call = older.begin("ask", &release());
    let request = loop {
        let message = next_message(&mut call);
        if message["method"] == "elicitation/create" {
            break message;
        }
    };
    assert_eq!(request["params"]["mode"], "url", "{request}");
    let id = request["params"]["elicitationId"].as_str().unwrap().to_owned();
    let reply = json!({ "jsonrpc": "2.0", "id": request["id"], "result": { "action": "accept" } });
    assert_eq!(older.message(&reply).send().status, 202);
    answer(&world, &id);
    let result = result_of(&mut call)["structuredContent"].clone();
    assert_eq!([&result["status"], &result["ask_id"]], ["answered", id.as_str()]);
}

#[test]
fn task_survives_server() {
    let world = TestWorld::new();
    world.allow_host_features();
    let served = ServedDesk::start(&world);
    let (address, caller) = (served.address.clone(), served.asker(&world));
    let tasks = json!({ "extensions": { "io.modelcontextprotocol/tasks": {} } });
    let host = HttpHost::sessionless(caller.clone(), tasks);
    let created = host.call("ask", &release());
    assert_eq!([&created["resultType"], &created["status"]], ["task", "working"], "{created}");
    let id = created["taskId"].as_str().unwrap().to_owned();
    served.stop();
    let _served = ServedDesk::restart_at(&world, &address);
    let get = || result_of(&mut host.request("tasks/get", json!({ "taskId": id })).stream());
    assert_eq!(get()["status"], "working");
    answer(&world, &id);
    let ended = get();
    assert_eq!(ended["status"], "completed", "{ended}");
    assert_eq!(ended["result"]["structuredContent"]["answers"][0]["value"], "now");
}

#[test]
fn official_sdk_asks_over_http() {
    for (mode, version) in [("legacy", LEGACY[1]), ("auto", MODERN)] {
        let world = TestWorld::new();
        let served = ServedDesk::start(&world);
        let mut official = SdkHosts::new(&world);
        let url = format!("http://{}/mcp", served.address);
        let rest = json!({ "url": url, "token": served.asker(&world).token, "mode": mode });
        let met = official.run_command("host", "connect", &rest);
        assert_eq!(met["version"], version);
        let asked = json!({ "tool": "ask", "arguments": release(), "progress": true });
        let call = official.start_command("host", "call", &asked);
        let (_, id) = world.first_ask();
        answer(&world, &id);
        let result = official.outcome(call)["structuredContent"].clone();
        assert_eq!([&result["status"], &result["ask_id"]], ["answered", id.as_str()], "{mode}");
        assert_eq!(official.sdk_errors(), [&Value::Null; 0], "{mode}");
    }
}

#[test]
fn metadata_names_resource() {
    let world = TestWorld::new();
    let served = ServedDesk::start(&world);
    let port = served.address.rsplit_once(':').unwrap().1;
    for path in ["/.well-known/oauth-protected-resource", "/.well-known/oauth-protected-resource/mcp"] {
        let reply: HttpReply = served.without_token().get(path);
        assert_eq!(reply.json(200)["resource"], format!("http://localhost:{port}/mcp"));
    }
}
