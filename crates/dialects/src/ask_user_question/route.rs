//! How a shell finds the command: the spec's `BashRouter`, and the one argument the command takes.

use crate::javascript;

/// The name of the command.
pub const NAME: &str = "AskUserQuestion";

/// Who runs a command line (the spec's "component architecture").
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Routed<'a> {
    /// A command that the agent's shell answers itself.
    AgentShell {
        /// Its name.
        name: &'static str,
        /// Everything after the name, as typed.
        args: &'a str,
    },
    /// The system's shell.
    Native,
}

/// Says who runs a command line. The name must be followed by a space or the end.
pub fn route(command_line: &str) -> Routed<'_> {
    let line = command_line.trim_start_matches(javascript::is_space);
    match line.strip_prefix(NAME) {
        Some(args) if args.is_empty() || args.starts_with(' ') => Routed::AgentShell { name: NAME, args },
        Some(_) | None => Routed::Native,
    }
}

/// The JSON among the arguments (the spec's `extractJsonFromArgs`): without the white space around it, without one
/// pair of the same quotes around that, and with nothing unescaped. `None` when nothing is left.
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
    fn the_name_stands_alone() {
        let ours = |args| Routed::AgentShell { name: NAME, args };
        assert_eq!(route("AskUserQuestion"), ours(""));
        assert_eq!(route("\t AskUserQuestion '{}'"), ours(" '{}'"));
        assert_eq!(route("AskUserQuestion{}"), Routed::Native);
        assert_eq!(route("AskUserQuestions '{}'"), Routed::Native);
        assert_eq!(route("AskUserQuestion\nls"), Routed::Native);
        assert_eq!(route("askuserquestion '{}'"), Routed::Native);
        assert_eq!(route("echo AskUserQuestion '{}'"), Routed::Native);
        assert_eq!(route(""), Routed::Native);
    }

    #[test]
    fn one_pair_of_the_same_quotes_goes() {
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
