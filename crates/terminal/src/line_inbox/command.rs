//! Commands of the inbox, one line each.

use crate::prompter::parse_yes_no;

/// Command that a person types at the inbox.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum InboxCommand {
    Yes,
    /// Words for the asker, if any.
    No(Option<String>),
    /// Opens the question, to answer it.
    Open,
    Whole,
    Next,
    Later,
    Help,
    Quit,
}

impl InboxCommand {
    /// Parses a line. Only a no takes words; a slash as at the prompter is allowed.
    pub(super) fn parse(line: &str) -> Option<Self> {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let words = rest.trim();
        if parse_yes_no(word) == Some(false) {
            return Some(Self::No(if words.is_empty() { None } else { Some(words.to_owned()) }));
        }
        if !words.is_empty() {
            return None;
        }
        if parse_yes_no(word) == Some(true) {
            return Some(Self::Yes);
        }
        Some(match word.strip_prefix('/').unwrap_or(word).to_lowercase().as_str() {
            "" => Self::Open,
            "whole" => Self::Whole,
            "next" => Self::Next,
            "later" => Self::Later,
            "?" | "？" | "help" => Self::Help,
            "quit" | "q" => Self::Quit,
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_no_takes_words() {
        let no = |words: &str| Some(InboxCommand::No(Some(words.to_owned())));
        let cases = [
            ("y", Some(InboxCommand::Yes)),
            (" YES ", Some(InboxCommand::Yes)),
            ("是", Some(InboxCommand::Yes)),
            ("yes please", None),
            ("n", Some(InboxCommand::No(None))),
            ("n  too early, wait", no("too early, wait")),
            ("否　太早", no("太早")),
            ("", Some(InboxCommand::Open)),
            ("/next", Some(InboxCommand::Next)),
            ("Later", Some(InboxCommand::Later)),
            ("whole", Some(InboxCommand::Whole)),
            ("whole it", None),
            ("?", Some(InboxCommand::Help)),
            ("q", Some(InboxCommand::Quit)),
            ("nonsense", None),
            ("2", None),
        ];
        for (line, command) in cases {
            assert_eq!(InboxCommand::parse(line), command, "{line:?}");
        }
    }
}
