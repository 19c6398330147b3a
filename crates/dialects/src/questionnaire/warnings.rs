//! What the asker should know of a valid request: so much of it, however many things there are to say and however long
//! the names in it.

use sayso_core::message::Message;
use sayso_core::{Code, Problem, display, limits};
use std::borrow::Cow;

/// The longest name that is said in full, in characters.
const NAME_CHARS: usize = 60;

/// Warnings: the first of them in every detail, and the others counted.
#[derive(Default)]
pub(super) struct Warnings {
    told: Vec<Problem>,
    untold: usize,
}

impl Warnings {
    /// Adds a warning, which is worked out only where there is room for it.
    pub(super) fn add(&mut self, warning: impl FnOnce() -> Problem) {
        if self.told.len() < limits::PROBLEMS {
            self.told.push(warning());
        } else {
            self.untold += 1;
        }
    }

    /// All of them, with one more that counts those for which there was no room.
    pub(super) fn all(mut self) -> Vec<Problem> {
        if self.untold > 0 {
            let said = Message::MoreProblems.with([self.untold]);
            self.told.push(Problem::new(Code::TooBig, said));
        }
        self.told
    }
}

/// A name as it stands in a warning: the beginning of a long one.
pub(super) fn name(name: &str) -> Cow<'_, str> {
    match name.char_indices().nth(NAME_CHARS).and_then(|(end, _)| name.get(..end)) {
        Some(beginning) => Cow::Owned(format!("{}…", display::line(beginning))),
        None => display::line(name),
    }
}
