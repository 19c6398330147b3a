//! Bounded lists of problems and warnings, with bounded names in their messages.

use sayso_core::{LocalizedText, Message};
use sayso_core::{Problem, ProblemCode, limits, rules::consent};
use std::borrow::Cow;

/// Longest name in a message, in characters.
const NAME_CHARS: usize = 60;

/// List of problems: the first ones in detail, the others counted.
#[derive(Default)]
pub(crate) struct ProblemList {
    problems: Vec<Problem>,
    omitted: usize,
}

impl ProblemList {
    /// Adds a problem, computed only if there is room for it.
    pub(crate) fn add(&mut self, problem: impl FnOnce() -> Problem) {
        if self.problems.len() < limits::PROBLEMS {
            self.problems.push(problem());
        } else {
            self.omitted += 1;
        }
    }

    /// Returns all problems, and one more that counts those without room.
    pub(crate) fn into_problems(mut self) -> Vec<Problem> {
        if self.omitted > 0 {
            let message = Message::MoreProblems.with([self.omitted]);
            self.problems.push(Problem::new(ProblemCode::TooBig, message));
        }
        self.problems
    }
}

/// Creates a problem with a text that a spec prescribes, in no language of ours.
pub(crate) fn verbatim(code: ProblemCode, words: impl Into<String>) -> Problem {
    Problem::new(code, LocalizedText::Verbatim(words.into()))
}

/// Returns a warning about a label that contradicts its answer. The hint of our own format is dropped, since it does
/// not apply to others.
pub(crate) fn contradicting_label(is_yes: bool, label: &str) -> Problem {
    Problem { hint: None, ..consent::contrary_label_problem(is_yes, &short_name(label)) }
}

/// Shortens a name for a message, which escapes it.
pub(crate) fn short_name(name: &str) -> Cow<'_, str> {
    match name.char_indices().nth(NAME_CHARS).and_then(|(end, _)| name.get(..end)) {
        Some(beginning) => Cow::Owned(format!("{beginning}…")),
        None => Cow::Borrowed(name),
    }
}
