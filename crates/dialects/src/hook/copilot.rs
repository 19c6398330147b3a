//! Answers of a `permissionRequest` hook of Copilot CLI. It asks for permissions only.

use super::HookRequest;
use super::permission::{self, PermissionDecision};
use sayso_core::Outcome;
use sayso_core::wire::json;
use serde_json::json;

/// Writes the decision.
pub(super) fn write_answer(request: &HookRequest, outcome: &Outcome) -> Option<String> {
    if !request.is_permission {
        return None;
    }
    let decision = match permission::decision(outcome)? {
        PermissionDecision::Allow => json!({ "behavior": "allow" }),
        PermissionDecision::Deny(words) => json!({ "behavior": "deny", "message": words }),
    };
    Some(json::write(&decision))
}
