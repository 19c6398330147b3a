//! Bounded lists of problems and warnings, with bounded names in their messages.

use sayso_core::message::Message;
use sayso_core::{Code, Problem, consent, display, limits};
use std::borrow::Cow;

/// Longest name in a message, in characters.
const NAME_CHARS: usize = 60;

/// List of problems: the first ones in detail, the others counted.
#[derive(Default)]
pub(crate) struct Told {
    told: Vec<Problem>,
    untold: usize,
}

impl Told {
    /// Adds a problem, computed only if there is room for it.
    pub(crate) fn add(&mut self, problem: impl FnOnce() -> Problem) {
        if self.told.len() < limits::PROBLEMS {
            self.told.push(problem());
        } else {
            self.untold += 1;
        }
    }

    /// Returns all problems, and one more that counts those without room.
    pub(crate) fn all(mut self) -> Vec<Problem> {
        if self.untold > 0 {
            let said = Message::MoreProblems.with([self.untold]);
            self.told.push(Problem::new(Code::TooBig, said));
        }
        self.told
    }
}

/// Returns a warning about a label that contradicts its answer. The hint of our own format is dropped, since it does
/// not apply to others.
pub(crate) fn turned_label(is_yes: bool, label: &str) -> Problem {
    Problem { hint: None, ..consent::turned_label(is_yes, &name(label)) }
}

/// Shortens a name for a message.
pub(crate) fn name(name: &str) -> Cow<'_, str> {
    match name.char_indices().nth(NAME_CHARS).and_then(|(end, _)| name.get(..end)) {
        Some(beginning) => Cow::Owned(format!("{}…", display::line(beginning))),
        None => display::line(name),
    }
}
