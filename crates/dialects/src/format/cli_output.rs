//! Output of a command line.

use super::request_problem;
use sayso_core::{Lang, Outcome, Problem, Replies};
use serde::{Deserialize, Serialize};

/// Output for a program that asked on a command line.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CliOutput {
    /// Data, without a final line break.
    pub stdout: String,
    /// Messages, without a final line break.
    pub stderr: String,
    /// The exit code.
    // Desks store it under its earlier name too.
    #[serde(alias = "exitCode")]
    pub exit: u8,
}

impl CliOutput {
    /// Format name for storage at a desk, for every door.
    pub const FORMAT: &str = "command";

    /// Serializes it for storage at a desk.
    pub fn to_bytes(&self) -> Vec<u8> {
        serde_json::to_vec(self).unwrap_or_default()
    }

    /// Reads a stored output; `None` for the format of another version.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        serde_json::from_slice(bytes).ok()
    }

    /// Exit code of an answer.
    pub const ANSWERED: u8 = 0;
    /// Exit code of an invalid request.
    pub const REFUSED: u8 = 1;
    /// Exit code of a decline.
    pub const DECLINED: u8 = 3;
    /// Exit code of an expired ask.
    pub const EXPIRED: u8 = 5;
    /// Exit code of an ask that its asker cancelled.
    pub const CANCELLED: u8 = 6;

    /// Returns an outcome as a message and an exit code, with nothing on stdout. An answer has no message, unless a
    /// pattern was too costly to check.
    pub(crate) fn from_outcome(outcome: &Outcome) -> Self {
        let (stderr, exit) = match outcome {
            Outcome::Answered { replies, .. } => (unchecked_patterns(replies), Self::ANSWERED),
            Outcome::Declined { reason, .. } => return Self::declined(reason.as_deref()),
            Outcome::Cancelled { .. } => ("The question was cancelled".to_owned(), Self::CANCELLED),
            Outcome::Expired { .. } => ("No answer before the deadline".to_owned(), Self::EXPIRED),
        };
        Self { stdout: String::new(), stderr, exit }
    }

    /// Returns a decline, with nothing on stdout.
    pub(crate) fn declined(reason: Option<&str>) -> Self {
        let because = reason.map(|reason| format!(": {reason}")).unwrap_or_default();
        let stderr = format!("User declined to answer{because}");
        Self { stdout: String::new(), stderr, exit: Self::DECLINED }
    }

    /// Returns the refusal of a request in a format: each problem on a line, with its place and a hint.
    pub(crate) fn from_problems(format: &str, problems: &[Problem], lang: Lang) -> Self {
        let problems = problems.iter().flat_map(Problem::individual_problems).cloned().collect();
        let problem = request_problem(format, problems);
        Self::refusal(problem.render_for_cli(lang))
    }

    /// Returns a refusal with this message.
    pub(crate) fn refusal(words: String) -> Self {
        Self { stdout: String::new(), stderr: words, exit: Self::REFUSED }
    }
}

/// Lists the answers with an unchecked pattern, a line each.
fn unchecked_patterns(replies: &Replies) -> String {
    let unchecked = replies.iter().filter(|(_, reply)| reply.pattern_not_checked);
    let lines: Vec<_> = unchecked.map(|(id, _)| format!("Pattern not checked: {id}")).collect();
    lines.join("\n")
}
