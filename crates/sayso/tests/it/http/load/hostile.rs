//! Tests of hostile clients, case by case, as `vectors/hostile-requests.json` lists them: forged names and sites,
//! misplaced tokens, expensive bodies. `serve_slow` has the slow clients.

use crate::mcp::host::McpHost;
use crate::support::http_client::{HttpCaller, HttpReply, TestRequest};
use crate::support::program::peak_memory_kib;
use crate::support::served_desk::{ServedDesk, create_ask};
use crate::support::test_world::TestWorld;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

fn cases() -> Vec<Value> {
    serde_json::from_str(include_str!("../../../vectors/hostile-requests.json")).unwrap()
}

fn id_of(case: &Value) -> &str {
    case["id"].as_str().unwrap()
}

/// Cases with a test of their own, outside of the table of headers.
const BODIES: [&str; 7] = [
    "json-depth-200k",
    "json-bom",
    "json-16MiB-string",
    "json-100k-keys",
    "gzip-bomb",
    "questions-10k",
    "regex-compile",
];
const OTHERS: [&str; 8] = [
    "stdio-no-newline",
    "schema-ref-file",
    "schema-ref-double",
    "uuid-guess",
    "slowloris-header",
    "slowloris-nobytes",
    "h2-continuation",
    "ws-frag-bomb",
];

#[test]
fn every_case_has_a_test() {
    let known: BTreeSet<String> = cases().iter().map(|case| id_of(case).to_owned()).collect();
    let headers =
        cases().into_iter().filter(|case| case["cls"] == "http").map(|case| id_of(&case).to_owned());
    let others = BODIES.iter().chain(&OTHERS).map(|id| (*id).to_owned());
    assert_eq!(headers.chain(others).collect::<BTreeSet<_>>(), known);
}

/// Returns the request of a case: its headers replace those of a good client.
fn request_of(case: &Value, caller: &HttpCaller) -> TestRequest {
    let input = case["input"].as_object().unwrap();
    let target = match input.get("_url").and_then(Value::as_str) {
        Some(url) if url.starts_with('?') => format!("/v1/me{url}"),
        Some(url) => format!("/v1{url}"),
        None if input.contains_key("Upgrade") || input.contains_key("Last-Event-ID") => {
            "/v1/events".to_owned()
        }
        None => "/v1/me".to_owned(),
    };
    let mut request = caller.request("GET", &target);
    for (name, value) in input.iter().filter(|(name, _)| *name != "_url") {
        let name = name.to_lowercase();
        request.headers.retain(|(known, _)| *known != name);
        for value in value.as_array().unwrap_or(&vec![value.clone()]) {
            request = request.header(&name, value.as_str().unwrap());
        }
    }
    if input.contains_key("Upgrade") {
        request = request
            .header("sec-websocket-version", "13")
            .header("sec-websocket-key", "dGhlIHNhbXBsZSBub25jZQ==");
    }
    request
}

#[test]
fn forged_names_sites_tokens_are_refused() {
    let world = TestWorld::new();
    let served = ServedDesk::start(&world);
    let (asker, nobody) = (served.asker(&world), served.without_token());
    let ask = create_ask(&asker, "Private");
    for case in cases().iter().filter(|case| case["cls"] == "http") {
        // A token changes none of the refusals.
        let needs_token = !["ws-no-token", "token-in-query"].contains(&id_of(case));
        let mut request = request_of(case, if needs_token { &asker } else { &nobody });
        if id_of(case) == "host-dup" {
            request.headers.retain(|(name, _)| name != "host");
            request = request.header("host", &served.address).header("host", "evil");
        }
        let started = Instant::now();
        if id_of(case) == "last-event-id-future" {
            let mut events = request.stream();
            events.expect("hello");
            events.expect("gap");
            continue;
        }
        let reply = request.send();
        let status = case["expect"].as_u64().unwrap();
        assert_eq!(u64::from(reply.status), status, "{case}: {}", reply.text());
        reply.problem(reply.status, reply.json(reply.status)["code"].as_str().unwrap());
        assert!(!reply.text().contains("Private") && !reply.text().contains("root:"), "{case}");
        assert!(started.elapsed() < Duration::from_secs(20), "{case}");
    }
    let real = asker.token.as_ref().unwrap();
    for target in [format!("/v1/me?token={real}"), format!("/v1/me?access_token={real}")] {
        nobody.get(&target).problem(401, "unauthorized");
    }
    for scheme in ["Basic", "Token", "bearer:", ""] {
        let request = nobody.request("GET", "/v1/me").header("authorization", &format!("{scheme} {real}"));
        request.send().problem(401, "unauthorized");
    }
    let twice = asker.request("GET", "/v1/me").header("authorization", "Bearer other").send();
    twice.problem(400, "bad_header");
    assert_eq!(asker.get(&format!("/v1/asks/{}", ask["id"].as_str().unwrap())).json(200)["state"], "open");
}

/// Returns the shortest of several times, because other tests run in parallel.
fn shortest_time(mut send: impl FnMut() -> HttpReply) -> (HttpReply, Duration) {
    let mut all: Vec<_> = (0..5)
        .map(|_| {
            let started = Instant::now();
            (send(), started.elapsed())
        })
        .collect();
    all.sort_by_key(|(_, took)| *took);
    all.remove(0)
}

#[test]
fn costly_bodies_are_refused_at_once() {
    let world = TestWorld::new();
    let served = ServedDesk::start(&world);
    let asker = served.asker(&world);
    let json = |body: String| asker.request("POST", "/v1/asks").body("application/json", body);
    let asks = |request: String| json(format!("{{\"request\":{request}}}"));
    let keys = |count: usize| -> String {
        let members: Vec<_> = (0..count).map(|number| format!("\"{number}\":1")).collect();
        format!("{{{}}}", members.join(","))
    };
    let questions: Vec<_> =
        (0..10_000).map(|number| json!({ "id": format!("q{number}"), "prompt": "x" })).collect();
    let pattern =
        |pattern: &str| json!({ "questions": [{ "prompt": "x", "constraints": [{ "pattern": pattern }] }] });
    let deep = "[".repeat(200_000);
    let gzip = json("A".repeat(1 << 20)).header("content-encoding", "gzip");
    let table: [(&str, TestRequest, u16, &str); 11] = [
        ("json-depth-200k", json(deep.clone()), 400, "too_deep"),
        ("json-depth-200k", asks(deep), 400, "too_deep"),
        ("json-bom", json("\u{feff}{}".to_owned()), 400, "invalid_json"),
        ("json-16MiB-string", asks(format!("\"{}\"", "A".repeat(16 << 20))), 413, "too_large"),
        ("json-100k-keys", json(keys(100_000)), 422, "unknown_member"),
        ("json-100k-keys", asks(keys(100_000)), 422, "unknown_dialect"),
        ("gzip-bomb", gzip, 415, "unsupported_media_type"),
        ("questions-10k", asks(json!({ "questions": questions }).to_string()), 422, "invalid_request"),
        ("regex-compile", asks(pattern(r"(\pL{30}){30}").to_string()), 422, "invalid_request"),
        ("regex-compile", asks(pattern(r"([\s\S]{30}){30}{30}").to_string()), 422, "invalid_request"),
        ("regex-compile", asks(pattern(r"((a{100}){100}){100}").to_string()), 422, "invalid_request"),
    ];
    create_ask(&asker, "Before");
    let before = peak_memory_kib(served.program.pid);
    for (id, request, status, code) in table {
        assert!(BODIES.contains(&id));
        let (reply, took) = shortest_time(|| request.send());
        reply.problem(status, code);
        // Unoptimised and in parallel with other tests; a cost that grows with the size of a bomb takes far longer.
        // The largest one is mostly transfer time.
        let most = if id == "json-16MiB-string" { 20_000 } else { 5_000 };
        assert!(took < Duration::from_millis(most), "{id}: {took:?}");
    }
    // A body without a length is read up to the limit and no further.
    let piece = format!("100000\r\n{}\r\n", "A".repeat(0x10_0000));
    let reply = asker.request("POST", "/v1/asks").chunked_body("application/json", &piece, 32);
    reply.problem(413, "too_large");
    let grown = peak_memory_kib(served.program.pid) - before;
    assert!(grown < 48 << 10, "{grown} KiB");
}

#[test]
fn stranger_costs_little_before_auth() {
    let world = TestWorld::new();
    let served = ServedDesk::start(&world);
    let resume = |body: String| {
        let request = served.without_token().request("POST", "/api/resume/x").body("application/json", body);
        request.try_send().unwrap()
    };
    assert_eq!(resume("{".to_owned()).status, 422, "as the spec has it");
    let before = peak_memory_kib(served.program.pid);
    let bomb = format!("{{\"a\":[{}0]}}", "{\"\":0},".repeat(900_000));
    assert_eq!(resume(bomb).status, 401);
    let grown = peak_memory_kib(served.program.pid) - before;
    assert!(grown < 4 << 10, "{grown} KiB");
}

#[test]
fn schema_references_are_not_followed() {
    let world = TestWorld::new();
    let served = ServedDesk::start(&world);
    let asker = served.asker(&world);
    let doubled: serde_json::Map<String, Value> = (0..34)
        .map(|number: u32| {
            let before = json!({ "$ref": format!("#/$defs/d{}", number.saturating_sub(1)) });
            (format!("d{number}"), json!({ "anyOf": [before, before] }))
        })
        .collect();
    let file = json!({ "$ref": "file:///etc/passwd" });
    let double = json!({ "$ref": "#/$defs/d33", "$defs": doubled });
    for schema in [file, double] {
        // No route accepts a JSON Schema. Every candidate place refuses it as an invalid request.
        let question = json!({ "questions": [{ "prompt": "x", "schema": schema, "kind": schema }] });
        for request in [schema.clone(), json!({ "schema": schema }), question] {
            let (reply, took) = shortest_time(|| asker.post("/v1/asks", &json!({ "request": request })));
            assert_eq!(reply.status, 422, "{}", reply.text());
            assert!(!reply.text().contains("root:") && took < Duration::from_secs(5), "{took:?}");
            let result = McpHost::without_forms(&world).call("ask", &request);
            assert!(!result.to_string().contains("root:"), "{result}");
            assert_eq!(result["isError"], true, "{result}");
        }
    }
}

#[test]
fn ids_cannot_be_guessed() {
    let world = TestWorld::new();
    let served = ServedDesk::with(&world, &["--rate", "20"]);
    let (asker, other) =
        (served.asker(&world), served.caller(&world, sayso_desk::token::TokenRole::Asker, "other"));
    let ask = create_ask(&asker, "A");
    let mut refused = 0;
    for guess in 0..1_000_u64 {
        let id = format!("{}{:012x}", &ask["id"].as_str().unwrap()[..24], guess);
        let reply = other.get(&format!("/v1/asks/{id}/outcome"));
        match reply.status {
            404 => _ = reply.problem(404, "ask_not_found"),
            _ => {
                reply.problem(429, "too_many_requests");
                refused += 1;
            }
        }
    }
    assert!(refused > 0, "nobody guesses as fast as they like");
}
