//! Answers of a `PermissionRequest` hook of Claude Code, and of its permission prompt tool.

use super::input::PLAN_TOOL;
use super::permission::{self, PermissionDecision};
use super::{HookRequest, questions};
use sayso_core::Outcome;
use sayso_core::wire::json;
use serde_json::{Map, Value, json};

/// Writes the outcome for the hook.
pub(super) fn write_answer(request: &HookRequest, outcome: &Outcome) -> Option<String> {
    let decision = decision(request, outcome)?;
    Some(json::write(&json!({
        "hookSpecificOutput": { "hookEventName": "PermissionRequest", "decision": decision }
    })))
}

/// Writes the outcome as the result of the permission prompt tool, which repeats the input of what it allows.
pub(super) fn write_permission_result(request: &HookRequest, outcome: &Outcome) -> Option<String> {
    let mut decision = decision(request, outcome)?;
    if request.is_permission {
        repeat_input(&mut decision, request);
    }
    Some(json::write(&decision))
}

/// Repeats the input of what a decision allows.
fn repeat_input(decision: &mut Value, request: &HookRequest) {
    if let Some(members) = decision.as_object_mut()
        && members.get("behavior").is_some_and(|behavior| behavior == "allow")
    {
        members.insert("updatedInput".to_owned(), request.call.input().clone());
    }
}

/// Returns the decision: answers as the changed input of the question tool, permissions as they are decided.
fn decision(request: &HookRequest, outcome: &Outcome) -> Option<Value> {
    if request.is_permission {
        let mut decision = permission::decision(outcome)?.to_behavior();
        // Without its input a plan stays where it is (https://github.com/anthropics/claude-code/issues/15755).
        if request.tool == PLAN_TOOL {
            repeat_input(&mut decision, request);
        }
        return Some(decision);
    }
    match outcome {
        Outcome::Answered { replies, .. } => {
            let mut input = request.call.input().as_object().cloned().unwrap_or_default();
            let answers = questions::answers_by_question(&request.questionnaire, replies);
            input.insert("answers".to_owned(), answers);
            let mut notes = Map::new();
            for (question, note) in questions::notes_by_question(&request.questionnaire, replies) {
                notes.insert(question, json!({ "notes": note }));
            }
            if !notes.is_empty() {
                input.insert("annotations".to_owned(), Value::Object(notes));
            }
            Some(json!({ "behavior": "allow", "updatedInput": input }))
        }
        Outcome::Declined { reason, .. } => {
            let words = reason.as_deref().filter(|words| !words.trim().is_empty());
            Some(PermissionDecision::Deny(words.unwrap_or(questions::DECLINED).to_owned()).to_behavior())
        }
        Outcome::Cancelled { .. } | Outcome::Expired { .. } => None,
    }
}
