//! Mode of an agent's session. Several agents begin in one in which a model allows commands, and nobody is asked.

use serde_json::Value;

/// Modes in which an agent asks the person before it acts outside its folder, or at all: `default` of Claude and
/// Gemini, `workspace-write` of Codex.
const ASKING: &[&str] = &["default", "workspace-write"];

/// Modes in which an agent does less than in those.
const STRICTER: &[&str] = &["dontAsk", "plan", "read-only"];

/// Returns the mode to set so that the agent asks, if the session began in another one.
pub(in crate::commands::agent) fn mode_to_set(begun: &Value) -> Option<&str> {
    let modes = begun.get("modes")?;
    let current = modes.get("currentModeId")?.as_str()?;
    if ASKING.contains(&current) || STRICTER.contains(&current) {
        return None;
    }
    let ids = modes.get("availableModes")?.as_array()?.iter().filter_map(|mode| mode.get("id")?.as_str());
    ids.into_iter().find(|id| ASKING.contains(id))
}

#[cfg(test)]
mod tests {
    use super::mode_to_set;
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
            let begun = json!({ "modes": { "currentModeId": current, "availableModes": modes } });
            assert_eq!(mode_to_set(&begun), expected, "{current} of {available:?}");
        }
        assert_eq!(mode_to_set(&json!({})), None);
    }
}
