//! Answers of a `PermissionRequest` hook of Codex CLI. It asks for permissions only.

use super::HookRequest;
use super::permission;
use sayso_core::Outcome;
use sayso_core::wire::json;
use serde_json::json;

/// Writes the decision. Codex refuses an answer with any other member.
pub(super) fn write_answer(request: &HookRequest, outcome: &Outcome) -> Option<String> {
    if !request.is_permission {
        return None;
    }
    let decision = permission::decision(outcome)?.to_behavior();
    Some(json::write(&json!({
        "hookSpecificOutput": { "hookEventName": "PermissionRequest", "decision": decision }
    })))
}
