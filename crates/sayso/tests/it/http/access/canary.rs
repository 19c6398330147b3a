//! Tests that secrets and answers do not leak: tokens stay with their holders, answers at the desk. Canary words pass
//! through every success and failure, and are searched for everywhere else.

use crate::mcp::host::{LEGACY, McpHost, server};
use crate::support::http_client::{HttpCaller, connect};
use crate::support::network_desk::NetworkDesk;
use crate::support::program::ProgramExit;
use crate::support::served_desk::{ServedDesk, ask_path, create_ask};
use crate::support::test_world::TestWorld;
use crate::threads::client::{ThreadClient, new_thread};
use crate::threads::turns::{ScriptedAgent, read_and_resume, rest, send_message};
use crate::websocket::client::InteractionServer;
use sayso_desk::token::TokenRole;
use serde_json::json;
use std::io::{Read as _, Write as _};

const WORDS: &str = "canary-in-an-answer";

/// Runs every success and failure with a secret in it, and returns what others could see.
fn run_everything(
    served: &ServedDesk,
    asker: &HttpCaller,
    person: &HttpCaller,
    other: &HttpCaller,
    admin: &HttpCaller,
) -> Vec<String> {
    let token = person.token.as_ref().unwrap();
    let ask = create_ask(asker, "A");
    let reply = json!({ "state": "answered", "answer": { "text": WORDS } });
    let draft = json!({ "replies": { "text": reply, "nothing": reply } });
    let patch = |body: &serde_json::Value| person.request("PATCH", &ask_path(&ask, "/draft")).json(body);
    patch(&draft).send().problem(422, "no_such_question");
    patch(&json!({ "replies": { "text": reply } })).send().json(200);
    patch(&json!({ "replies": { "text": reply } })).header("if-match", "\"0\"").send();
    let answer = |body: serde_json::Value| person.post(&ask_path(&ask, "/answer"), &body);
    answer(json!({ "shown": "0".repeat(64), "answers": { "text": WORDS } })).problem(409, "ask_changed");
    answer(json!({ "shown": ask["digest"], "answers": { "text": [WORDS] } }));
    answer(json!({ "shown": ask["digest"], "answers": { "text": WORDS }, WORDS: 1 }));
    // Invalid JSON bodies, and clients that disconnect in the middle of one.
    for body in [format!("{{\"shown\": \"{WORDS}"), format!("{WORDS}\u{0}"), WORDS.repeat(700_000)] {
        let reply = person.request("POST", &ask_path(&ask, "/answer")).body("application/json", body).send();
        assert!((400..500).contains(&reply.status), "{reply:?}");
    }
    let head = format!(
        "POST {} HTTP/1.1\r\nhost: {}\r\nauthorization: Bearer {token}\r\ncontent-type: application/json\r\ncontent-length: 999\r\n\r\n{WORDS}",
        ask_path(&ask, "/answer"),
        served.address
    );
    drop(connect(&served.address).write_all(head.as_bytes()));
    let mut broken = connect(&served.address);
    broken.write_all(format!("GET /{WORDS} {token}\r\n{WORDS} {token}\r\n\r\n").as_bytes()).unwrap();
    let _ = broken.read_to_end(&mut Vec::new());
    // A token in the wrong place.
    for target in [
        format!("/v1/me?token={token}"),
        format!("/v1/{token}"),
        format!("/v1/asks/{token}"),
        format!("/v1/keys/{token}{WORDS}"),
    ] {
        served.without_token().get(&target);
        person.get(&target);
    }
    person.request("GET", "/v1/me").header("cookie", token).header("x-request-id", "n-1").send();
    person.request("GET", "/v1/me").replace_header("host", token).send();
    person.request("GET", "/v1/me").header("origin", &format!("http://{WORDS}")).send();
    person.request("GET", "/v1/me").header("sayso-role", WORDS).send();
    person.request("POST", &ask_path(&ask, "/see")).header("idempotency-key", &format!("{WORDS}%ff")).send();
    served.with_token(&format!("{token}x")).get("/v1/me").problem(401, "unauthorized");
    served.with_token(&format!("x{token}")).get("/v1/me").problem(401, "unauthorized");
    let done = json!({ "shown": ask["digest"], "answers": { "text": WORDS } });
    answer(done.clone()).json(200);
    let late = other.post(&ask_path(&ask, "/answer"), &done).text();
    let outsider = served.without_token().get(&ask_path(&ask, "/outcome")).text();
    vec![late, outsider, admin.get("/metrics").text(), admin.get("/v1/tokens").text()]
}

fn assert_no_canary(place: &str, text: &str, tokens: &[&str]) {
    assert!(!text.contains(WORDS), "an answer in {place}: {text}");
    for token in tokens {
        // Not even a part of it.
        assert!(!text.contains(&token[8..40]), "a token in {place}: {text}");
    }
}

#[test]
fn secrets_leak_nowhere() {
    for format in ["text", "json"] {
        let world = logging_world();
        let served = ServedDesk::with(&world, &["--rate", "0", "--log", format]);
        let (asker, person, admin) = (served.asker(&world), served.person(&world), served.admin(&world));
        let other = served.caller(&world, TokenRole::Person, "bob");
        let report = run_everything(&served, &asker, &person, &other, &admin);
        let callers = [&asker, &person, &admin, &other];
        let tokens = callers.map(|caller| caller.token.as_deref().unwrap());
        for text in report {
            assert_no_canary("what others were told", &text, &tokens);
        }
        for file in ["cmdline", "environ"] {
            let bytes = std::fs::read(format!("/proc/{}/{file}", served.program.pid)).unwrap();
            assert_no_canary(file, &String::from_utf8_lossy(&bytes), &tokens);
        }
        let ended = served.stop();
        assert!(ended.stderr.lines().count() > 20, "{ended:?}");
        assert!(!ended.stderr.contains("panicked"), "{ended:?}");
        assert_no_canary("standard output", &ended.stdout, &tokens);
        assert_no_canary(&format!("the log as {format}"), &ended.stderr, &tokens);
        // The desk has the answer, and only hashes of the tokens.
        let mut kept = Vec::new();
        for file in std::fs::read_dir(world.desk_file().parent().unwrap()).unwrap() {
            let path = file.unwrap().path();
            if path.is_file() {
                kept.extend(std::fs::read(path).unwrap());
            }
        }
        let kept = String::from_utf8_lossy(&kept);
        assert!(kept.contains(WORDS));
        for token in tokens {
            assert!(!kept.contains(&token[8..40]), "a token at the desk");
        }
    }
}

/// Returns a world whose servers log everything.
fn logging_world() -> TestWorld {
    let mut world = TestWorld::new();
    world.set_var("SAYSO_LOG", "trace");
    world
}

fn assert_silent_log(door: &str, ended: &ProgramExit) {
    assert!(ended.stderr.contains("desk: desk call"), "{door}: {ended:?}");
    assert!(!ended.stderr.contains("panicked"), "{door}: {ended:?}");
    assert_no_canary(&format!("the log of {door}"), &ended.stderr, &[]);
}

#[test]
fn interaction_log_holds_no_text() {
    let world = logging_world();
    let server = InteractionServer::start(&world);
    let mut client = server.client(WORDS);
    let field = json!({ "id": "name", "type": "text", "label": WORDS, "required": true });
    let held =
        server.ask(WORDS, &json!({ "prompt": WORDS, "schema": { "title": WORDS, "fields": [field] } }));
    let shown = client.form();
    let input = json!({ "name": WORDS, WORDS: 1 });
    client.respond(&shown, &json!({ "action": "submit", "input": input, WORDS: WORDS }));
    assert_eq!(held.reply().1["result"]["answers"]["name"], WORDS);
    drop(client);
    assert_silent_log("interactions", &server.stop());
}

#[test]
fn threads_log_holds_no_text() {
    let mut served = NetworkDesk::start_in(logging_world());
    let (ada, bot) = (ThreadClient::of(&served, "person", "ada"), ThreadClient::of(&served, "asker", "bot"));
    let id = new_thread(&ada);
    let stream = send_message(&ada, &id, WORDS);
    let (agent, _) = ScriptedAgent::take_turn(&bot, &json!({}));
    agent.say_text(WORDS);
    let question = json!({ "question": WORDS, "options": [{ "label": WORDS, "value": WORDS }] });
    let call = json!({ "id": "c1", "name": "ask_user", "args": { "questions": [question] } });
    agent.ask_calls(std::slice::from_ref(&call));
    rest(stream);
    let stream = read_and_resume(&ada, &id, &json!({ "action": "answer", "answers": [WORDS] }));
    agent.wait_for_decision(&[call]);
    agent.end_turn();
    rest(stream);
    ada.post(&format!("/api/chat/{id}"), &json!({ WORDS: WORDS }));
    ada.get(&format!("/api/status/{WORDS}"));
    assert_silent_log("threads", &served.stop());
}

#[test]
fn questionnaire_log_holds_no_text() {
    let world = logging_world();
    let served = ServedDesk::start(&world);
    let asker = served.asker(&world);
    let question = json!({ "id": "name", "type": "text", "label": WORDS, "prompt": WORDS });
    let request = |body: &serde_json::Value| {
        asker.request("POST", "/questionnaire").header("prefer", "respond-async").json(body).send()
    };
    assert_eq!(request(&json!({ "questions": [question] })).status, 202);
    assert_eq!(request(&json!({ "questions": [{ "id": WORDS, "type": WORDS }] })).status, 400);
    assert_silent_log("questionnaires", &served.stop());
}

#[test]
fn mcp_log_holds_no_text() {
    let world = logging_world();
    let mut host = McpHost::with_name(WORDS, server(&world), LEGACY[1], &json!({}));
    let ask = json!({ "title": WORDS, "questions": [{ "id": "why", "prompt": WORDS }], "max_wait_s": 0 });
    assert_eq!(host.call("ask", &ask)["structuredContent"]["status"], "pending");
    host.call("ask", &json!({ WORDS: WORDS, "questions": WORDS }));
    host.call("cancel_ask", &json!({ "ask_id": WORDS }));
    host.call(WORDS, &json!({}));
    host.write_line(WORDS);
    host.call("list_asks", &json!({}));
    assert_silent_log("mcp", &host.end());
}

#[test]
fn request_log_names_caller_without_content() {
    let world = TestWorld::new();
    let served = ServedDesk::with(&world, &["--log", "json"]);
    let asker = served.asker(&world);
    let ask = create_ask(&asker, "A");
    asker.request("GET", &ask_path(&ask, "")).header("x-request-id", "mine").send().json(200);
    let ended = served.stop();
    // Earlier lines may tell a person what to do next.
    let lines = ended.stderr.lines().filter(|line| line.starts_with('{'));
    let mut lines = lines.map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    let line = lines.rfind(|line| line["request_id"] == "mine").unwrap_or_else(|| panic!("{ended:?}"));
    assert_eq!([&line["route"], &line["method"]], ["/v1/asks/{id}", "GET"]);
    assert_eq!(
        (&line["status"], &line["account"], &line["role"]),
        (&json!(200), &json!("ci"), &json!("asker"))
    );
}
