//! Detection of a coding agent's shell. There, no one is asked on the terminal and piped input doesn't answer: it
//! would be the agent's own input, not a person's.

use crate::config::environment::ProcessEnv;

/// Environment variables that coding agents set in their shells, with the agent's name.
const MARKERS: &[(&str, &str)] = &[
    ("CLAUDECODE", "claude"),
    ("CODEX_SANDBOX", "codex"),
    ("CODEX_THREAD_ID", "codex"),
    ("GEMINI_CLI", "gemini"),
    ("QWEN_CODE", "qwen"),
    ("CURSOR_AGENT", "cursor"),
    ("OPENCODE", "opencode"),
    ("COPILOT_CLI", "copilot"),
    ("CLINE_ACTIVE", "cline"),
    ("ROO_ACTIVE", "roo"),
    ("AUGMENT_AGENT", "augment"),
    ("AMP_CURRENT_THREAD_ID", "amp"),
    ("GOOSE_TERMINAL", "goose"),
    ("CRUSH", "crush"),
    ("TRAE_AI_SHELL_ID", "trae"),
    ("ANTIGRAVITY_AGENT", "antigravity"),
    ("REPLIT_AGENT", "replit"),
    ("DEVIN_SESSION_ID", "devin"),
];

/// Variables whose value is the agent's name.
const NAMES: &[&str] = &["AI_AGENT", "AGENT"];

/// Returns the agent whose shell this is, or `None` in a person's shell.
pub(crate) fn detect(environment: &ProcessEnv) -> Option<String> {
    let marked = MARKERS.iter().find(|(variable, _)| environment.get(variable).is_some());
    let named = || NAMES.iter().find_map(|variable| environment.get(variable));
    marked.map(|(_, name)| (*name).to_owned()).or_else(|| named().map(str::to_owned))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_markers_are_documented() {
        let page = include_str!("../../../../docs/settings.md");
        for name in MARKERS.iter().map(|(name, _)| name).chain(NAMES) {
            assert!(page.contains(&format!("`{name}`")), "{name}");
        }
    }

    #[test]
    fn markers_and_names_show_an_agent() {
        assert_eq!(detect(&ProcessEnv::from([("CLAUDECODE", "1")])).as_deref(), Some("claude"));
        assert_eq!(detect(&ProcessEnv::from([("AI_AGENT", "mine")])).as_deref(), Some("mine"));
        assert_eq!(detect(&ProcessEnv::from([("CLAUDECODE", ""), ("TERM", "xterm")])), None);
    }
}
