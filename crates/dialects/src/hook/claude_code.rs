//! Answers of a `PermissionRequest` hook of Claude Code.

use super::permission::{self, PermissionDecision};
use super::{HookRequest, questions};
use sayso_core::Outcome;
use sayso_core::wire::json;
use serde_json::{Map, Value, json};

/// Writes the outcome: answers as the changed input of the question tool, permissions as they are decided.
pub(super) fn write_answer(request: &HookRequest, outcome: &Outcome) -> Option<String> {
    let decision = if request.is_permission {
        permission::decision(outcome)?.to_behavior()
    } else {
        match outcome {
            Outcome::Answered { replies, .. } => {
                let mut input = request.call.input().as_object().cloned().unwrap_or_default();
                let answers = questions::answers_by_question(&request.questionnaire, replies);
                input.insert("answers".to_owned(), answers);
                let notes: Map<String, Value> = questions::notes_by_question(&request.questionnaire, replies)
                    .map(|(question, note)| (question.to_owned(), json!({ "notes": note })))
                    .collect();
                if !notes.is_empty() {
                    input.insert("annotations".to_owned(), Value::Object(notes));
                }
                json!({ "behavior": "allow", "updatedInput": input })
            }
            Outcome::Declined { reason, .. } => {
                let words = reason.as_deref().filter(|words| !words.trim().is_empty());
                PermissionDecision::Deny(words.unwrap_or(questions::DECLINED).to_owned()).to_behavior()
            }
            Outcome::Cancelled { .. } | Outcome::Expired { .. } => return None,
        }
    };
    Some(json::write(&json!({
        "hookSpecificOutput": { "hookEventName": "PermissionRequest", "decision": decision }
    })))
}
