//! Recorded inputs and outputs of AUQ's original tools, replayed against the real server in both generations; the real
//! `sayso answer` answers.

use crate::mcp::auq::{ASK, FETCH, arguments_of, ask_count};
use crate::mcp::host::{LEGACY, McpHost};
use crate::support::test_vector::{self, TestVector};
use crate::support::test_world::TestWorld;
use serde_json::{Value, json};

impl TestVector {
    /// Creates a world of its generation.
    fn world(&self) -> TestWorld {
        let world = TestWorld::new();
        let compat = if self.name.contains("-v3.4-") { "3.4" } else { "spec" };
        assert!(compat == "3.4" || self.name.contains("-v1.6-"), "{}", self.name);
        let settings = format!("scripted_answers = true\n[auq]\ncompat = \"{compat}\"\n");
        world.write("config/sayso/config.toml", settings);
        world
    }
}

fn host(world: &TestWorld) -> McpHost {
    McpHost::with_session(world.sayso(["mcp", "--tools", "auq"]), LEGACY[0], &json!({}))
}

/// Returns a response in the vectors' format: without its envelope, and without a session id.
fn bare_response(response: &Value, session: Option<&str>) -> Value {
    let mut text = response.to_string();
    if let Some(id) = session {
        text = text.replace(id, "<sessionId>").replace(&id[..8], "<short>");
    }
    let mut value: Value = serde_json::from_str(&text).unwrap();
    let envelope = value.as_object_mut().unwrap();
    assert_eq!(envelope.remove("jsonrpc"), Some(json!("2.0")));
    envelope.remove("id").unwrap();
    value
}

fn question() -> Value {
    json!({ "questions": [{ "prompt": "Which database?", "title": "Database", "multiSelect": false, "options": [
        { "label": "PostgreSQL", "description": "Relational DB" },
        { "label": "MongoDB", "description": "Document store" },
    ] }] })
}

/// Creates a session in the state that a vector's name says.
fn create_session(world: &TestWorld, host: &mut McpHost, name: &str) -> String {
    if name.contains("timed-out") {
        let args = ["--format", "auq", "--from", "test-host", "--timeout", "1ms"];
        let id = world.leave_ask(&question().to_string(), &args);
        world.wait_for_ask(|ask| ask.id.to_string() == id && ask.outcome().is_some());
        return id;
    }
    let mut arguments = question();
    arguments["nonBlocking"] = json!(true);
    host.call("ask_user_questions", &arguments);
    let (_, id) = world.first_ask();
    if name.contains("completed") {
        let answers = json!({ "answers": [{ "questionIndex": 0, "selectedOption": "MongoDB" }] }).to_string();
        assert_eq!(world.sayso(["answer", &id, "--answers", &answers]).run().exit, 0);
    } else {
        assert!(name.contains("pending"), "{name}");
    }
    id
}

fn called(vector: &TestVector) -> Value {
    let world = vector.world();
    let mut host = host(&world);
    let input = &vector.body["input"];
    if let Some(arguments) = input.get("get_answered_questions") {
        let id = create_session(&world, &mut host, &vector.name);
        let given = arguments["session_id"].as_str().unwrap();
        let given = given.replace("<sessionId>", &id).replace("<short>", &id[..8]);
        let call = host.begin("get_answered_questions", &json!({ "session_id": given }));
        return bare_response(&host.response(call), Some(&id));
    }
    match input["method"].as_str().unwrap() {
        "initialize" => bare_response(&host.seen[0], None)["result"].clone(),
        "tools/list" => bare_response(&host.request("tools/list", json!({})), None)["result"].clone(),
        "tools/call" => {
            let name = input["name"].as_str().unwrap_or("ask_user_questions");
            let call = host.begin(name, input.get("arguments").unwrap_or(&json!({})));
            let report = bare_response(&host.response(call), None);
            assert_eq!(ask_count(&world), 0, "{}: a refused call leaves nothing", vector.name);
            report
        }
        method => panic!("{}: {method}", vector.name),
    }
}

#[test]
fn call_vectors_pass_or_are_listed() {
    let vectors = test_vector::vectors_of("auq", "mcp");
    assert_eq!(vectors.len(), 21);
    for vector in &vectors {
        let (ours, reason) = (called(vector), test_vector::known_deviations("auq").remove(&vector.number));
        assert_eq!(ours == vector.body["expect"], reason.is_none(), "{}: {ours:#} {reason:?}", vector.name);
    }
}

/// Returns the arguments of `sayso answer` for a vector. An ask without a waiter gets none.
fn answer_arguments(vector: &TestVector) -> Option<Vec<String>> {
    let after = &vector.body["expect"]["filesAfter"];
    let status = &after["status.json"];
    if let Some(answers) = after["answers.json"].get("answers") {
        return Some(vec!["--answers".to_owned(), json!({ "answers": answers }).to_string()]);
    }
    if status["status"] == "rejected" {
        let reason =
            status["rejectionReason"].as_str().map(|reason| ["--reason".to_owned(), reason.to_owned()]);
        return Some(std::iter::once("--decline".to_owned()).chain(reason.into_iter().flatten()).collect());
    }
    assert_eq!(vector.body["input"]["nonBlocking"], true, "{}", vector.name);
    None
}

fn flow(vector: &TestVector) -> Value {
    let world = vector.world();
    let mut host = host(&world);
    let call = host.begin("ask_user_questions", &vector.body["input"]);
    let (_, id) = world.first_ask();
    let questions = |request: &Value| request["questions"].as_array().unwrap().len();
    let asked = &world.show(&id)["questionnaire"];
    let pending = &vector.body["expect"]["filesPending"]["request.json"];
    assert_eq!(questions(asked), questions(pending), "{}", vector.name);
    if let Some(args) = answer_arguments(vector) {
        let ended = world.sayso(["answer", &id].map(str::to_owned).into_iter().chain(args)).run();
        let declined = 3;
        if ![0, declined].contains(&ended.exit) {
            assert_eq!(world.show(&id)["state"], "open", "{}: {ended:?}", vector.name);
            // It still waits: a later request gets its response, and that call does not.
            host.request("tools/list", json!({}));
            assert!(host.seen.iter().all(|line| line["id"] != call), "{:?}", host.seen);
            return json!(ended.stderr);
        }
    }
    bare_response(&host.response(call), Some(&id))
}

#[test]
fn flow_vectors_pass_or_are_listed() {
    let vectors = test_vector::vectors_of("auq", "mcpFlow");
    assert_eq!(vectors.len(), 13);
    let mut refused = Vec::new();
    for vector in &vectors {
        let (ours, reason) = (flow(vector), test_vector::known_deviations("auq").remove(&vector.number));
        let same = ours == vector.body["expect"]["response"];
        assert_eq!(same, reason.is_none(), "{}: {ours:#} {reason:?}", vector.name);
        refused.extend(ours.as_str().map(|text| (vector.number.clone(), text.to_owned())));
    }
    let numbers: Vec<_> = refused.iter().map(|(number, _)| number.as_str()).collect();
    assert_eq!(numbers, ["214", "215", "232"], "{refused:?}");
}

/// Returns a schema without its descriptions and without `additionalProperties`.
fn bare_schema(schema: &Value) -> Value {
    match schema {
        Value::Object(members) => {
            let words = ["$schema", "additionalProperties", "examples"];
            let is_words = |name: &str, value: &Value| {
                words.contains(&name) || (name == "description" && value.is_string())
            };
            let kept = members.iter().filter(|(name, value)| !is_words(name, value));
            kept.map(|(name, value)| (name.clone(), bare_schema(value))).collect()
        }
        Value::Array(items) => items.iter().map(bare_schema).collect(),
        value => value.clone(),
    }
}

#[test]
fn tool_list_matches_original() {
    let vector =
        test_vector::vectors_of("auq", "mcp").into_iter().find(|vector| vector.number == "202").unwrap();
    let ours = called(&vector);
    let mut theirs = bare_schema(&vector.body["expect"]);
    // The spec requires a description there; the original forgot it.
    theirs["tools"][0]["inputSchema"]["properties"]["questions"]["items"]["properties"]["prompt"]["minLength"] =
        json!(1);
    assert_eq!(bare_schema(&ours), theirs);
    let question = &ours["tools"][0]["inputSchema"]["properties"]["questions"]["items"]["properties"];
    for (member, sentence) in [
        (
            "prompt",
            "The complete question to ask the user. Should be clear, specific, and end with a question mark.",
        ),
        ("title", "Very short label displayed as a chip/tag (max 12 chars)."),
        ("options", "Must have 2-4 options."),
        ("options", "There should be no 'Other' option, that will be provided automatically."),
        ("multiSelect", "Set to true to allow the user to select multiple options."),
        ("multiSelect", "Default: false (single-select)"),
    ] {
        assert!(question[member]["description"].as_str().unwrap().contains(sentence), "{member}: {question}");
    }
}

#[test]
fn auq_input_is_not_normalized() {
    let world = TestWorld::new();
    world.write("config/sayso/config.toml", "[auq]\ncompat = \"3.4\"\n");
    let mut host = McpHost::with_session(world.sayso(["mcp", "--tools", "all"]), LEGACY[1], &json!({}));
    // The tool `ask` normalizes each of these.
    let as_text = json!({ "questions": arguments_of("A?")["questions"].to_string() });
    let mut other_name = arguments_of("A?");
    other_name["questions"][0]["header"] = other_name["questions"][0]["title"].take();
    other_name["questions"][0].as_object_mut().unwrap().shift_remove("title");
    let mut bare = arguments_of("A?");
    bare["questions"][0]["options"] = json!(["Yes", "No"]);
    let cases = [
        (as_text, "questions: Invalid input: expected array, received string"),
        (other_name, "questions.0.title: Invalid input: expected string, received undefined"),
        (bare, "questions.0.options.0: Invalid input: expected object, received string"),
        (json!({ "questions": [], "nonBlocking": "yes" }), "nonBlocking: Invalid input: expected boolean"),
    ];
    for (arguments, issue) in cases {
        let call = host.begin(ASK, &arguments);
        let error = host.response(call)["error"].clone();
        assert_eq!(error["code"], -32602, "{error}");
        let message = error["message"].as_str().unwrap();
        let begin = "MCP error -32602: Tool 'ask_user_questions' parameter validation failed: ";
        assert!(message.starts_with(begin) && message.contains(issue), "{message}");
    }
    let fetches = [
        (json!({}), "session_id: Invalid input: expected string, received undefined"),
        (json!({ "session_id": "" }), "session_id: Too small: expected string to have >=1 characters"),
        (
            json!({ "session_id": 5, "blocking": 1 }),
            "session_id: Invalid input: expected string, received number, \
            blocking: Invalid input: expected boolean, received number",
        ),
    ];
    for (arguments, issue) in fetches {
        let call = host.begin(FETCH, &arguments);
        let error = host.response(call)["error"].clone();
        let words = format!(
            "MCP error -32602: Tool 'get_answered_questions' parameter validation failed: {issue}. Please check the \
             parameter types and values according to the tool's schema."
        );
        assert_eq!(error, json!({ "code": -32602, "message": words }));
    }
    assert_eq!(ask_count(&world), 0);
}
