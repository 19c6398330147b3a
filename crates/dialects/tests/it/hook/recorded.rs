//! Recordings of `cargo xtask hosts --record`: what real hosts gave their hooks, and the answers that they took. Only
//! folders of the stage are replaced.

use super::{answered, declined};
use sayso_core::Outcome;
use sayso_core::wire::json;
use sayso_dialects::hook::{HookContext, HookEvent, HookHost, HookRequest};
use serde::Deserialize;
use serde_json::{Value, json};
use std::path::PathBuf;

#[derive(Deserialize)]
struct Recording {
    host: String,
    version: String,
    records: Vec<Record>,
}

#[derive(Deserialize)]
struct Record {
    scene: String,
    named: Option<String>,
    input: Value,
    output: Value,
}

/// Returns the outcome that made this answer.
fn outcome_of(request: &HookRequest, output: &Value) -> Outcome {
    let decision = output.pointer("/hookSpecificOutput/decision").unwrap_or(output);
    let text = |name: &str| decision[name].as_str();
    if let Some(words) = text("message") {
        return declined(Some(words));
    }
    let picked = |at: usize, label: &str| {
        let choice = request.questionnaire.questions[at].choice().unwrap();
        let option = choice.options.iter().find(|option| option.label == label).unwrap();
        json!({ "state": "answered", "answer": { "picks": [{ "option": option.id }] } })
    };
    let replies =
        if text("behavior") == Some("allow") && request.is_permission || text("reply") == Some("once") {
            json!({ "allow": { "state": "answered", "answer": { "confirm": true } } })
        } else if let Some(answers) = decision.pointer("/updatedInput/answers").and_then(Value::as_object) {
            let labels = answers.values().map(|label| label.as_str().unwrap());
            labels.enumerate().map(|(at, label)| (format!("q{at}"), picked(at, label))).collect()
        } else {
            let labels = output["answers"].as_array().unwrap().iter().map(|picks| picks[0].as_str().unwrap());
            labels.enumerate().map(|(at, label)| (format!("q{at}"), picked(at, label))).collect()
        };
    answered(serde_json::from_value(replies).unwrap())
}

fn kind(event: &HookEvent) -> &'static str {
    match event {
        HookEvent::Request(_) => "request",
        HookEvent::CallEnd(..) => "call_end",
        HookEvent::TurnEnd(_) => "turn_end",
        HookEvent::SessionEnd(_) => "session_end",
        HookEvent::Other => "other",
    }
}

/// Returns the kind of event that a host's name for it means.
fn expected_kind(record: &Record) -> &'static str {
    let name = record.input["hook_event_name"].as_str().or(record.input["type"].as_str());
    match name.or(record.named.as_deref()).unwrap() {
        "PermissionRequest" | "permissionRequest" | "question.asked" | "permission.asked" => "request",
        "SessionEnd" | "sessionEnd" | "session.idle" | "session.deleted" => "session_end",
        "PostToolUse" | "PostToolUseFailure" | "postToolUse" => "call_end",
        "question.replied" | "question.rejected" | "permission.replied" => "call_end",
        _ => "turn_end",
    }
}

#[test]
fn recorded_hooks_are_answered() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/vectors/hook/recorded");
    let (mut requests, mut outputs) = (0, 0);
    for entry in std::fs::read_dir(folder).unwrap() {
        let text = std::fs::read_to_string(entry.unwrap().path()).unwrap();
        let Recording { host, version, records } = serde_json::from_str(&text).unwrap();
        let known = HookHost::parse(&host).unwrap();
        for record in records {
            let at = format!("{host} {version}, {}: {}", record.scene, record.input);
            let read = |input: &Value| {
                known.read_event(&input.to_string(), record.named.as_deref(), HookContext::WITHOUT_FILES)
            };
            let event = read(&record.input).unwrap();
            assert_eq!(kind(&event), expected_kind(&record), "{at}");
            let HookEvent::Request(request) = event else { continue };
            requests += 1;
            if !record.output.is_null() {
                outputs += 1;
                let outcome = outcome_of(&request, &record.output);
                let written = known.write_answer(&request, &outcome).unwrap();
                assert_eq!(json::read::<Value>(&written).unwrap(), record.output, "{at}");
            }
        }
    }
    assert!(requests > outputs && outputs > 0, "{requests} requests, {outputs} answers");
}
