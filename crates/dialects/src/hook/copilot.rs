//! Answers of a `permissionRequest` hook of Copilot CLI. It asks for permissions only.

use super::HookRequest;
use super::permission::{self, PermissionDecision};
use sayso_core::Outcome;
use sayso_core::wire::json;

/// Writes the decision.
pub(super) fn write_answer(request: &HookRequest, outcome: &Outcome) -> Option<String> {
    if !request.is_permission {
        return None;
    }
    let decision = permission::decision(outcome)?.to_behavior();
    Some(json::write(&decision))
}

/// Writes the decision that allows a call.
pub(super) fn allow() -> String {
    json::write(&PermissionDecision::Allow.to_behavior())
}
