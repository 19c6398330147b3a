//! Mode of an agent's session. Several agents begin in one in which a model allows commands, and nobody is asked.

use super::program::AgentMode;
use agent_client_protocol::v1::schema::{SessionModeId, SessionModeState};

/// Modes in which an agent asks the person before it acts outside its folder, or at all: `default` of Claude and
/// Gemini, `workspace-write` of Codex.
const ASKING: &[&str] = &["default", "workspace-write"];

/// Modes in which an agent does less than in those.
const STRICTER: &[&str] = &["dontAsk", "plan", "read-only"];

/// Returns the mode to set, if the session is to have another one than it began in.
pub(super) fn mode_to_set(wanted: AgentMode, modes: Option<&SessionModeState>) -> Option<SessionModeId> {
    let modes = modes.filter(|_| wanted == AgentMode::Asking)?;
    let current = &*modes.current_mode_id.0;
    if ASKING.contains(&current) || STRICTER.contains(&current) {
        return None;
    }
    let asks = |id: &&SessionModeId| ASKING.contains(&&*id.0);
    modes.available_modes.iter().map(|mode| &mode.id).find(asks).cloned()
}

#[cfg(test)]
mod tests {
    use super::{AgentMode, SessionModeState, mode_to_set};
    use serde_json::json;

    #[test]
    fn mode_that_asks_is_chosen() {
        for (available, current, expected) in [
            (&["default", "plan", "auto"][..], "auto", Some("default")),
            (&["default", "plan", "auto"], "plan", None),
            (&["default", "plan", "auto"], "default", None),
            (&["read-only", "workspace-write", "agent"], "agent", Some("workspace-write")),
            (&["read-only", "workspace-write", "agent"], "read-only", None),
            (&["build", "plan"], "build", None),
            (&[], "auto", None),
        ] {
            let modes: Vec<_> = available.iter().map(|id| json!({ "id": id, "name": id })).collect();
            let state = json!({ "currentModeId": current, "availableModes": modes });
            let state: SessionModeState = serde_json::from_value(state).unwrap();
            let chosen = mode_to_set(AgentMode::Asking, Some(&state));
            assert_eq!(chosen.as_ref().map(|id| &*id.0), expected, "{current} of {available:?}");
            assert_eq!(mode_to_set(AgentMode::Own, Some(&state)), None);
        }
        assert_eq!(mode_to_set(AgentMode::Asking, None), None);
    }
}
