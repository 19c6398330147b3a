//! Lookup of the command by a shell: the spec's `BashRouter`, and the one argument of the command.

use crate::javascript;

/// The name of the command.
pub const NAME: &str = "AskUserQuestion";

/// Shell that runs a command line (the spec's "component architecture").
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CommandRoute<'a> {
    /// The agent's shell, which implements the command itself.
    AgentShell {
        /// Its name.
        name: &'static str,
        /// Everything after the name, as typed.
        args: &'a str,
    },
    /// The system's shell.
    Native,
}

/// Chooses the shell for a command line. The name must be followed by a space or the end.
pub fn route(command_line: &str) -> CommandRoute<'_> {
    let line = command_line.trim_start_matches(javascript::is_space);
    match line.strip_prefix(NAME) {
        Some(args) if args.is_empty() || args.starts_with(' ') => {
            CommandRoute::AgentShell { name: NAME, args }
        }
        Some(_) | None => CommandRoute::Native,
    }
}

/// Returns the JSON among the arguments (the spec's `extractJsonFromArgs`). White space around it is removed, then one
/// pair of equal quotes; nothing is unescaped. `None` if nothing is left.
pub fn json_argument(args: &str) -> Option<&str> {
    let args = javascript::trim(args);
    let within = |quote: char| args.strip_prefix(quote).and_then(|rest| rest.strip_suffix(quote));
    let json = within('\'').or_else(|| within('"')).unwrap_or(args);
    (!json.is_empty()).then_some(json)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn name_is_matched_exactly() {
        let ours = |args| CommandRoute::AgentShell { name: NAME, args };
        assert_eq!(route("AskUserQuestion"), ours(""));
        assert_eq!(route("\t AskUserQuestion '{}'"), ours(" '{}'"));
        assert_eq!(route("AskUserQuestion{}"), CommandRoute::Native);
        assert_eq!(route("AskUserQuestions '{}'"), CommandRoute::Native);
        assert_eq!(route("AskUserQuestion\nls"), CommandRoute::Native);
        assert_eq!(route("askuserquestion '{}'"), CommandRoute::Native);
        assert_eq!(route("echo AskUserQuestion '{}'"), CommandRoute::Native);
        assert_eq!(route(""), CommandRoute::Native);
    }

    #[test]
    fn one_pair_of_quotes_is_stripped() {
        assert_eq!(json_argument(" '{}' "), Some("{}"));
        assert_eq!(json_argument("\"{}\""), Some("{}"));
        assert_eq!(json_argument("''{}''"), Some("'{}'"));
        assert_eq!(json_argument("'{}\""), Some("'{}\""));
        assert_eq!(json_argument("'"), Some("'"));
        assert_eq!(json_argument("''"), None);
        assert_eq!(json_argument(" \u{feff}"), None);
        assert_eq!(json_argument("{\\\"a\\\":1}"), Some("{\\\"a\\\":1}"));
    }
}
