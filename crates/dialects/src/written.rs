//! What a program that asked on a command line gets.

use crate::Dialect;
use sayso_core::{Lang, Outcome, Problem, Replies};
use serde::{Deserialize, Serialize};

/// What a program that asked on a command line gets.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Written {
    /// Data, without the line break at its end.
    pub stdout: String,
    /// Words, without the line break at their end.
    pub stderr: String,
    /// The exit code.
    // Desks keep it by the name that it had before.
    #[serde(alias = "exitCode")]
    pub exit: u8,
}

impl Written {
    /// What this is kept under at a desk, whichever door the asker comes through.
    pub const FORM: &str = "command";

    /// As a desk keeps it.
    pub fn to_bytes(&self) -> Vec<u8> {
        serde_json::to_vec(self).unwrap_or_default()
    }

    /// Reads what a desk kept; `None` where another version wrote it otherwise.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        serde_json::from_slice(bytes).ok()
    }

    /// The exit code of an answer.
    pub const ANSWERED: u8 = 0;
    /// The exit code of a request that was not understood.
    pub const REFUSED: u8 = 1;
    /// The exit code when a person said no.
    pub const DECLINED: u8 = 3;
    /// The exit code when the deadline passed.
    pub const EXPIRED: u8 = 5;
    /// The exit code when the asker took the question back.
    pub const CANCELLED: u8 = 6;

    /// An outcome in words and as an exit code, with nothing on stdout. An answer has no words, but where a pattern was
    /// too costly to check.
    pub(crate) fn in_words(outcome: &Outcome) -> Self {
        let (stderr, exit) = match outcome {
            Outcome::Answered { replies, .. } => (unchecked(replies), Self::ANSWERED),
            Outcome::Declined { reason, .. } => return Self::declined(reason.as_deref()),
            Outcome::Cancelled { .. } => ("The question was cancelled".to_owned(), Self::CANCELLED),
            Outcome::Expired { .. } => ("No answer before the deadline".to_owned(), Self::EXPIRED),
        };
        Self { stdout: String::new(), stderr, exit }
    }

    /// That a person said no, with nothing on stdout.
    pub(crate) fn declined(reason: Option<&str>) -> Self {
        let because = reason.map(|reason| format!(": {reason}")).unwrap_or_default();
        let stderr = format!("User declined to answer{because}");
        Self { stdout: String::new(), stderr, exit: Self::DECLINED }
    }

    /// A refusal of a request in a dialect for these problems: each in a line, with its place and what to do about it.
    pub(crate) fn problems(dialect: Dialect, problems: &[Problem], lang: Lang) -> Self {
        let problem = dialect.request_problem(problems.iter().flat_map(Problem::single).cloned().collect());
        Self::refusal(problem.complaint(lang))
    }

    /// A refusal in these words.
    pub(crate) fn refusal(words: String) -> Self {
        Self { stdout: String::new(), stderr: words, exit: Self::REFUSED }
    }
}

/// The answers that stand though nobody knows whether they fit their pattern, a line each.
fn unchecked(replies: &Replies) -> String {
    let unchecked = replies.iter().filter(|(_, reply)| reply.pattern_not_checked);
    let lines: Vec<_> = unchecked.map(|(id, _)| format!("Pattern not checked: {id}")).collect();
    lines.join("\n")
}
