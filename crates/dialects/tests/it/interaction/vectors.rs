//! Recorded inputs and outputs of the original program: forms, their answers, and the events of a call.

use super::read;
use super::stored_request::restore_tool;
use sayso_core::{Lang, Questionnaire};
use sayso_dialects::Dialect;
use sayso_dialects::interaction::{
    InteractionCall, InteractionCallback, InteractionClient, InteractionEvent, InteractionHooks,
    InteractionPayload, InteractionSession, InteractionStep, QuestionsAsk, ToolError, UserAction,
    UserResponse, WaitOutcome, read_arguments, response_issues, run_interaction, validate_input,
};
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, VecDeque};
use std::future::{Future, ready};
use std::path::PathBuf;
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/vectors/interaction")
}

/// Returns the skipped vectors, by number, with the reason.
fn differing() -> BTreeMap<String, String> {
    serde_json::from_str(&std::fs::read_to_string(folder().join("differs.json")).unwrap()).unwrap()
}

#[test]
fn tool_vectors_pass() {
    let differing = differing();
    let mut files: Vec<_> = std::fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| !file.ends_with("differs.json"));
    files.sort();
    assert_eq!(files.len(), 98);
    let mut kinds: BTreeMap<String, usize> = BTreeMap::new();
    for file in &files {
        let number = file.file_name().unwrap().to_str().unwrap().split('-').next().unwrap();
        let vector: Value = serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap();
        let kind = vector["kind"].as_str().unwrap();
        *kinds.entry(kind.to_owned()).or_default() += 1;
        let (input, expected) = (&vector["input"], &vector["expect"]);
        match kind {
            "validateInput" => validated(number, input, expected),
            "schema" => schema(number, input, expected),
            "mergeInitialValues" => merged(number, input, expected),
            "callbackText" => callback(number, input, expected),
            "payloadSchema" => payload(number, input, expected),
            "interactionSequence" => {
                assert_eq!(sequence(input), *expected, "{number}");
                assert_eq!(with_hooks(input), *expected, "{number} with hooks");
            }
            "error" => error(number, input, expected),
            // The element's drawing is tested in a browser: `forms.mjs` of the program.
            "webClientForm" | "webClientCompleted" | "webClientApproval" => {}
            kind => panic!("{number}: no test for vectors of kind {kind}"),
        }
        assert!(kind.starts_with("webClient") || !differing.contains_key(number), "{number}");
    }
    let ruled = ["301", "305", "309", "312", "313", "316", "321", "323"];
    assert!(differing.keys().eq(ruled), "{differing:?}");
    let count = |kind: &str| kinds.get(kind).copied().unwrap_or_default();
    assert_eq!(count("validateInput"), 43);
    assert_eq!(count("schema"), 20);
    assert_eq!(count("mergeInitialValues"), 4);
    assert_eq!(count("interactionSequence"), 14);
    assert_eq!(count("error"), 2);
    assert_eq!(count("callbackText") + count("payloadSchema"), 2);
}

fn asked(schema: &Value) -> Arc<Questionnaire> {
    let read = read(&schema.to_string()).unwrap();
    Arc::new(read.questionnaire)
}

fn validated(number: &str, input: &Value, expected: &Value) {
    let questionnaire = asked(&input["schema"]);
    let errors = validate_input(&questionnaire, input["input"].as_object().unwrap());
    assert_eq!(serde_json::to_value(&errors).unwrap(), expected["fieldErrors"], "{number}");
    let fields: Vec<_> =
        questionnaire.questions.iter().map(|question| question.asker_key().to_owned()).collect();
    let places = errors.0.iter().map(|(field, _)| fields.iter().position(|other| other == field).unwrap());
    assert!(places.is_sorted(), "{number}: {errors:?}");
}

fn schema(number: &str, input: &Value, expected: &Value) {
    match read_arguments(input) {
        Ok(read) => {
            assert_eq!(expected["valid"], true, "{number}");
            assert_eq!(serde_json::to_value(&read.input_schema).unwrap(), expected["parsed"], "{number}");
            let questionnaire = asked(&input["schema"]);
            let tool = restore_tool(&questionnaire);
            let again = tool.with_request(tool.request().clone()).unwrap();
            assert_eq!(*again.questionnaire(), questionnaire, "{number}");
        }
        Err(invalid) => {
            assert_eq!(expected["valid"], false, "{number}");
            assert_eq!(expected["errorCode"], invalid.to_error().code, "{number}");
            assert_eq!(expected["message"], invalid.message.as_str(), "{number}");
            let issues = serde_json::to_value(&invalid.issues).unwrap();
            assert_eq!(expected.get("issues").cloned().unwrap_or(json!([])), issues, "{number}");
            // The command line gives the same.
            let problems = read(&input.to_string()).unwrap_err();
            let refused: Value =
                serde_json::from_str(&Dialect::Interaction.refuse(&problems, Lang::En).stdout).unwrap();
            assert_eq!(refused["error"]["message"], expected["message"], "{number}");
        }
    }
}

fn merged(number: &str, input: &Value, expected: &Value) {
    let read = read_arguments(input).unwrap();
    let values = read.input_schema.merged_initial_values();
    assert_eq!(serde_json::to_value(values).unwrap(), expected["initialValues"], "{number}");
}

fn callback(number: &str, input: &Value, expected: &Value) {
    let text = |name: &str| input[name].as_str().map(str::to_owned);
    let callback = InteractionCallback {
        questionnaire_request_id: text("questionnaireRequestId").unwrap(),
        tool_call_id: text("toolCallId").unwrap(),
        tool_name: text("toolName").unwrap(),
        schema_title: text("schemaTitle"),
        answers: input["answers"].as_object().unwrap().clone(),
        interaction_id: text("interactionId"),
        submitted_at: text("submittedAt").unwrap(),
    };
    assert_eq!(expected["text"], callback.to_text(), "{number}");
    assert_eq!(InteractionCallback::parse(&callback.to_text()), Some(callback), "{number}");
}

fn payload(number: &str, input: &Value, expected: &Value) {
    let issues = response_issues(input);
    assert_eq!(expected["valid"], issues.is_empty(), "{number}");
    let value: Vec<_> =
        issues.iter().map(|issue| json!({ "path": issue.path, "message": issue.message })).collect();
    assert_eq!(expected["issues"], Value::from(value), "{number}");
}

fn error(number: &str, input: &Value, expected: &Value) {
    let error = match input["type"].as_str().unwrap() {
        "input" => ToolError::no_client_for_input(),
        _ => ToolError::no_client_for_approval(),
    };
    assert_eq!(serde_json::to_value(error).unwrap(), *expected, "{number}");
}

/// Returns the events of a person or the clock in a vector.
fn happens(input: &Value) -> VecDeque<WaitOutcome> {
    let happens = |value: &Value| match value.as_str() {
        Some("abort") => WaitOutcome::Aborted,
        _ => WaitOutcome::Response(serde_json::from_value(value.clone()).unwrap()),
    };
    let mut all: VecDeque<_> = input["responses"].as_array().unwrap().iter().map(happens).collect();
    all.push_back(WaitOutcome::TimedOut);
    all
}

/// Returns events without the parts that differ between runs.
fn seen(events: &[InteractionPayload]) -> Vec<Value> {
    let mut rounds = Vec::new();
    let seen = |payload: &InteractionPayload| {
        let event = InteractionEvent {
            id: "<uuid>",
            timestamp: 1,
            session_id: "s1",
            turn_id: Some("turn-1"),
            response_id: Some("resp-1"),
            payload,
        };
        let mut event = serde_json::to_value(event).unwrap();
        event["timestamp"] = json!("<ms>");
        if let Some(round) = event["payload"].get_mut("interactionId") {
            if matches!(payload, InteractionPayload::InteractionRequest(_)) {
                assert!(!rounds.contains(round), "two rounds with one id: {round}");
                rounds.push(round.clone());
            } else {
                assert_eq!(rounds.last(), Some(&*round));
            }
            *round = json!("<uuid>");
        }
        event
    };
    events.iter().map(seen).collect()
}

fn outcome(events: &[InteractionPayload], returned: Result<Value, ToolError>) -> Value {
    match returned {
        Ok(result) => json!({ "events": seen(events), "result": result }),
        Err(error) => json!({ "events": seen(events), "error": error }),
    }
}

fn sequence(input: &Value) -> Value {
    let started = InteractionSession::start(InteractionCall::new("call-1"), &input["args"], "round-1");
    let (mut session, mut events) = match started {
        Ok(started) => started,
        Err(error) => return outcome(&[], Err(error)),
    };
    for (index, what) in happens(input).into_iter().enumerate() {
        let (round, next) = (session.waiting_round().unwrap().to_owned(), format!("round-{}", index + 2));
        let step = match what {
            WaitOutcome::Response(response) => session.respond(&round, &response, &next).unwrap(),
            WaitOutcome::TimedOut => session.time_out(&next),
            WaitOutcome::Aborted => session.abort(),
        };
        let InteractionStep { events: more, returned } = step;
        events.extend(more);
        if let Some(returned) = returned {
            let late = UserResponse { action: UserAction::Cancel, input: None, reason: None };
            let refused = session.respond(&round, &late, "none").unwrap_err();
            assert_eq!(refused.code, "interaction_not_found");
            assert_eq!(session.abort(), InteractionStep::default());
            return outcome(&events, returned);
        }
    }
    panic!("the call never returned");
}

/// A client that replays a vector.
struct Paper {
    happens: VecDeque<WaitOutcome>,
    events: Vec<InteractionPayload>,
    rounds: usize,
}

impl InteractionClient for Paper {
    fn next_interaction_id(&mut self) -> String {
        self.rounds += 1;
        format!("round-{}", self.rounds)
    }

    fn send(&mut self, event: InteractionPayload) -> impl Future<Output = ()> + Send {
        self.events.push(event);
        ready(())
    }

    fn wait_for_response(&mut self, _: &str, limit_ms: i64) -> impl Future<Output = WaitOutcome> + Send {
        assert!(limit_ms == 20 || limit_ms == 300_000, "{limit_ms}");
        ready(self.happens.pop_front().unwrap())
    }
}

/// Runs a future that is always ready.
fn finish<F: Future>(future: F) -> F::Output {
    let mut future = pin!(future);
    match future.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(output) => output,
        Poll::Pending => panic!("it waits"),
    }
}

fn with_hooks(input: &Value) -> Value {
    let mut tool = match QuestionsAsk::new(&input["args"]) {
        Ok(tool) => tool,
        Err(error) => return outcome(&[], Err(error)),
    };
    let mut paper = Paper { happens: happens(input), events: Vec::new(), rounds: 0 };
    let request = tool.request().clone();
    let returned = finish(run_interaction(&mut paper, &mut tool, InteractionCall::new("call-1"), request));
    outcome(&paper.events, returned)
}

/// A program with its own validation of answers.
#[derive(Default)]
struct Picky {
    rounds: usize,
    cancelled: bool,
}

impl InteractionHooks for Picky {
    async fn on_response(&mut self, response: &UserResponse) -> sayso_dialects::interaction::HookOutcome {
        use sayso_dialects::interaction::{FieldErrors, HookOutcome, reprompt};
        self.rounds += 1;
        let input = response.input.clone().unwrap_or_default();
        if input.get("name") == Some(&json!("Ada")) {
            return HookOutcome::Complete(json!({ "hello": "Ada" }));
        }
        let request = QuestionsAsk::new(&one_field()).unwrap().request().clone();
        let wrong = FieldErrors(vec![("name".to_owned(), "Only Ada.".to_owned())]);
        HookOutcome::Reprompt(Box::new(reprompt(&request, input, wrong)))
    }

    async fn on_cancel(&mut self) {
        self.cancelled = true;
    }
}

fn one_field() -> Value {
    json!({ "schema": { "fields": [{ "id": "name", "type": "text", "label": "Name" }] } })
}

fn submit(name: &str) -> WaitOutcome {
    let input: Map<String, Value> = [("name".to_owned(), Value::from(name))].into_iter().collect();
    WaitOutcome::Response(UserResponse { action: UserAction::Submit, input: Some(input), reason: None })
}

fn picky(happens: Vec<WaitOutcome>) -> (Picky, Vec<Value>, Result<Value, ToolError>) {
    let mut paper = Paper { happens: happens.into(), events: Vec::new(), rounds: 0 };
    let mut hooks = Picky::default();
    let request = QuestionsAsk::new(&one_field()).unwrap().request().clone();
    let returned = finish(run_interaction(&mut paper, &mut hooks, InteractionCall::new("call-1"), request));
    (hooks, seen(&paper.events), returned)
}

#[test]
fn hook_decides_each_response() {
    let (hooks, events, returned) = picky(vec![submit("Bob"), submit("Eve"), submit("Ada")]);
    assert_eq!(returned, Ok(json!({ "hello": "Ada" })));
    assert_eq!(hooks.rounds, 3);
    let again = &events[3]["payload"];
    assert_eq!(again["fieldErrors"], json!({ "name": "Only Ada." }));
    assert_eq!(again["inputSchema"]["initialValues"], json!({ "name": "Bob" }));
    let pending: Vec<_> = events.iter().filter_map(|event| event["payload"]["pending"].as_bool()).collect();
    assert_eq!(pending, [true, false]);
}

#[test]
fn missing_timeout_hook_returns_error() {
    let (hooks, _, returned) = picky(vec![submit("Bob"), WaitOutcome::TimedOut]);
    assert_eq!(returned, Ok(json!({ "ok": false, "error": "Interaction timed out" })));
    assert!(!hooks.cancelled);
    let (hooks, _, returned) = picky(vec![WaitOutcome::Aborted]);
    assert_eq!(returned.unwrap_err().code, "tool_aborted");
    assert!(hooks.cancelled);
}

#[test]
fn invalid_argument_has_tool_message() {
    let refused = |change: Value| {
        let mut arguments = one_field();
        arguments.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
        InteractionSession::start(InteractionCall::new("c"), &arguments, "r").map(|_| ()).unwrap_err().message
    };
    assert_eq!(refused(json!({ "mode": "later" })), "mode must be \"sync\" or \"async\"");
    let words = "onTimeout must be \"error\", \"async\", or \"cancel\"";
    assert_eq!(refused(json!({ "onTimeout": 1 })), words);
    assert_eq!(refused(json!({ "timeoutMs": "20" })), "timeoutMs must be a positive number");
    assert_eq!(refused(json!({ "timeoutMs": 0 })), "timeoutMs must be a positive number");
    assert_eq!(refused(json!({ "schema": null })), "schema is required and must be an object");
    let lengths =
        json!({ "schema": { "fields": [{ "id": "a", "type": "text", "label": "", "minLength": -1.5 }] } });
    let words =
        "schema is invalid: Expected integer, received float; Number must be greater than or equal to 0";
    assert_eq!(refused(lengths), words);
    for neither in [json!({}), json!({ "fields": [], "sections": [] })] {
        assert_eq!(refused(json!({ "schema": neither })), "schema is invalid: Invalid input");
    }
    let stderr =
        Dialect::Interaction.refuse(&read("{\"fields\":[{\"id\":1}]}").unwrap_err(), Lang::En).stderr;
    let lines: Vec<_> = stderr.lines().collect();
    assert_eq!(lines[0], "sayso: The request has 3 problems (read as interaction).");
    assert_eq!(lines[1], "  - fields[0].id: Expected string, received number");
    assert_eq!(lines[2..], ["  - fields[0].type: Required", "  - fields[0].label: Required"]);
}
