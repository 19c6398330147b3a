//! Problems and warnings: so much of them, however many things there are to say and however long the names in them.

use sayso_core::message::Message;
use sayso_core::{Code, Problem, consent, display, limits};
use std::borrow::Cow;

/// The longest name that is said in full, in characters.
const NAME_CHARS: usize = 60;

/// What is told: the first of it in every detail, and the others counted.
#[derive(Default)]
pub(crate) struct Told {
    told: Vec<Problem>,
    untold: usize,
}

impl Told {
    /// Adds one, which is worked out only where there is room for it.
    pub(crate) fn add(&mut self, problem: impl FnOnce() -> Problem) {
        if self.told.len() < limits::PROBLEMS {
            self.told.push(problem());
        } else {
            self.untold += 1;
        }
    }

    /// All of them, with one more that counts those for which there was no room.
    pub(crate) fn all(mut self) -> Vec<Problem> {
        if self.untold > 0 {
            let said = Message::MoreProblems.with([self.untold]);
            self.told.push(Problem::new(Code::TooBig, said));
        }
        self.told
    }
}

/// A warning about a label that says the opposite of what it sends. How our own format has it is no help in another.
pub(crate) fn turned_label(is_yes: bool, label: &str) -> Problem {
    Problem { hint: None, ..consent::turned_label(is_yes, &name(label)) }
}

/// A name as it is told: the beginning of a long one.
pub(crate) fn name(name: &str) -> Cow<'_, str> {
    match name.char_indices().nth(NAME_CHARS).and_then(|(end, _)| name.get(..end)) {
        Some(beginning) => Cow::Owned(format!("{}…", display::line(beginning))),
        None => display::line(name),
    }
}
