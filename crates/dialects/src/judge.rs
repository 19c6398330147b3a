//! Validation of a request, in the order of its schema's members and with the messages of its dialect.

use crate::loose::{Expected, List, Loose};
use sayso_core::message::{Message, Text};
use sayso_core::rules::LengthUnit;
use sayso_core::{Code, Path, Problem};
use serde_json::Number;

/// Number of issues reported individually; the others are counted.
const ISSUES_MAX: usize = 1_000;

/// Violation of a schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Issue<'i> {
    /// A missing value of this type.
    Missing { expected: &'static str },
    /// A value of another type.
    Wrong { expected: &'static str, found: &'static str },
    /// A text shorter than this.
    ShortText(usize),
    /// A text longer than this.
    LongText(usize),
    /// An array with fewer elements than this.
    ShortList(usize),
    /// An array with more elements than this.
    LongList(usize),
    /// A number that is not whole.
    Fraction,
    /// A text not in this list.
    NoneOf { allowed: &'i [&'i str], found: &'i str },
}

/// Code and message of an issue in a dialect.
pub(crate) type Wording = fn(&Issue<'_>) -> (Code, Text);

/// Returns the message of Zod 3.
pub(crate) fn zod3(issue: &Issue<'_>) -> (Code, Text) {
    let (code, words) = match issue {
        Issue::Missing { .. } => (Code::Required, "Required".to_owned()),
        Issue::Wrong { expected, found } => {
            (Code::InvalidType, format!("Expected {expected}, received {found}"))
        }
        Issue::ShortText(least) => {
            (Code::TooSmall, format!("String must contain at least {least} character(s)"))
        }
        Issue::LongText(most) => (Code::TooBig, format!("String must contain at most {most} character(s)")),
        Issue::ShortList(least) => {
            (Code::TooSmall, format!("Array must contain at least {least} element(s)"))
        }
        Issue::LongList(most) => (Code::TooBig, format!("Array must contain at most {most} element(s)")),
        Issue::Fraction => (Code::InvalidType, "Expected integer, received float".to_owned()),
        Issue::NoneOf { allowed, found } => {
            let allowed: Vec<_> = allowed.iter().map(|name| format!("'{name}'")).collect();
            let words = format!("Invalid enum value. Expected {}, received '{found}'", allowed.join(" | "));
            (Code::InvalidValue, words)
        }
    };
    (code, Text::Verbatim(words))
}

/// Returns the message of Zod 4.
pub(crate) fn zod4(issue: &Issue<'_>) -> (Code, Text) {
    let (code, words) = match issue {
        Issue::Missing { expected } => {
            (Code::InvalidType, format!("Invalid input: expected {expected}, received undefined"))
        }
        Issue::Wrong { expected, found } => {
            (Code::InvalidType, format!("Invalid input: expected {expected}, received {found}"))
        }
        Issue::ShortText(least) => {
            (Code::TooSmall, format!("Too small: expected string to have >={least} characters"))
        }
        Issue::LongText(most) => {
            (Code::TooBig, format!("Too big: expected string to have <={most} characters"))
        }
        Issue::ShortList(least) => {
            (Code::TooSmall, format!("Too small: expected array to have >={least} items"))
        }
        Issue::LongList(most) => (Code::TooBig, format!("Too big: expected array to have <={most} items")),
        Issue::Fraction => (Code::InvalidType, "Invalid input: expected int, received number".to_owned()),
        Issue::NoneOf { allowed, .. } => {
            let allowed: Vec<_> = allowed.iter().map(|name| format!("\"{name}\"")).collect();
            (Code::InvalidValue, format!("Invalid option: expected one of {}", allowed.join("|")))
        }
    };
    (code, Text::Verbatim(words))
}

/// Returns our own message, for dialects whose spec has none.
pub(crate) fn plain(issue: &Issue<'_>) -> (Code, Text) {
    match issue {
        Issue::Missing { expected } => (Code::Required, Message::MemberMissing.with([expected])),
        Issue::Wrong { expected, found } => (Code::InvalidType, Message::WrongType.with([expected, found])),
        Issue::ShortText(least) => (Code::TooSmall, Message::TextBelow.with([least])),
        Issue::LongText(most) => (Code::TooBig, Message::TextAbove.with([most])),
        Issue::ShortList(least) => (Code::TooSmall, Message::FewElements.with([least])),
        Issue::LongList(most) => (Code::TooBig, Message::ManyElements.with([most])),
        Issue::Fraction => (Code::InvalidType, Message::NotWhole.into()),
        Issue::NoneOf { allowed, found } => {
            (Code::InvalidValue, Message::NoneOf.with([allowed.join(", "), (*found).to_owned()]))
        }
    }
}

/// Place in the request, computed lazily.
pub(crate) type Place<'p> = &'p dyn Fn() -> Path;

/// Validates a request in the order of the schema's members and collects the issues. Values that its methods return
/// count only if there are none.
pub(crate) struct Judge {
    wording: Wording,
    issues: Vec<Problem>,
    untold: usize,
}

impl Judge {
    pub(crate) const fn new(wording: Wording) -> Self {
        Self { wording, issues: Vec::new(), untold: 0 }
    }

    /// Returns the collected issues, if any.
    ///
    /// # Errors
    /// Returns every issue.
    pub(crate) fn verdict(mut self) -> Result<(), Vec<Problem>> {
        if self.issues.is_empty() {
            return Ok(());
        }
        if self.untold > 0 {
            let said = Message::MoreProblems.with([self.untold]);
            self.issues.push(Problem::new(Code::TooBig, said));
        }
        Err(self.issues)
    }

    /// Returns whether there are no issues so far.
    pub(crate) fn is_clean(&self) -> bool {
        self.issues.is_empty()
    }

    /// Reports an issue of the schema.
    pub(crate) fn issue(&mut self, issue: &Issue<'_>, place: Place<'_>) {
        let (code, words) = (self.wording)(issue);
        self.note(code, words, place);
    }

    /// Reports any other problem.
    pub(crate) fn note(&mut self, code: Code, words: impl Into<Text>, place: Place<'_>) {
        self.tell(|| Problem::new(code, words).at(place()));
    }

    /// Reports a problem, computed only if there is room for it.
    pub(crate) fn tell(&mut self, problem: impl FnOnce() -> Problem) {
        if self.issues.len() < ISSUES_MAX {
            self.issues.push(problem());
        } else {
            self.untold += 1;
        }
    }

    /// Takes a required value.
    pub(crate) fn expect<'t, T: Expected<'t>>(&mut self, value: Loose<T>, place: Place<'_>) -> Option<T> {
        if let Loose::Missing = value {
            self.issue(&Issue::Missing { expected: T::NAME }, place);
        }
        self.allow(value, place)
    }

    /// Takes an optional value.
    pub(crate) fn allow<'t, T: Expected<'t>>(&mut self, value: Loose<T>, place: Place<'_>) -> Option<T> {
        match value {
            Loose::Value(value) => Some(value),
            Loose::Missing => None,
            Loose::Wrong(found) => {
                self.issue(&Issue::Wrong { expected: T::NAME, found }, place);
                None
            }
        }
    }

    /// Takes an optional whole number; one beyond the type saturates.
    pub(crate) fn whole(&mut self, value: Loose<Number>, place: Place<'_>) -> Option<i64> {
        let number = self.allow(value, place)?;
        // A float without a fraction is whole in JavaScript.
        #[expect(
            clippy::cast_possible_truncation,
            reason = "a number beyond the type becomes the largest there is"
        )]
        let whole = number.as_i64().or_else(|| {
            let float = number.as_f64().filter(|float| float.fract() == 0.0)?;
            Some(float as i64)
        });
        if whole.is_none() {
            self.issue(&Issue::Fraction, place);
        }
        whole
    }

    /// Checks the length of a text, in this unit.
    pub(crate) fn length(&mut self, text: &str, bounds: (usize, usize), unit: LengthUnit, place: Place<'_>) {
        let (least, most) = bounds;
        // No unit counts more than the bytes, nor zero for a non-empty text.
        if least <= 1 && !text.is_empty() && text.len() <= most {
            return;
        }
        let length = unit.count(text);
        if length < least {
            self.issue(&Issue::ShortText(least), place);
        } else if length > most {
            self.issue(&Issue::LongText(most), place);
        }
    }

    /// Takes a required array, and checks its number of elements.
    pub(crate) fn list<'t, T: Expected<'t>>(
        &mut self,
        value: Loose<List<T>>,
        bounds: (usize, usize),
        place: Place<'_>,
    ) -> Vec<Loose<T>> {
        let Some(list) = self.expect(value, place) else { return Vec::new() };
        self.bounds(list.count, bounds, place);
        list.items
    }

    /// Checks a number of elements.
    pub(crate) fn bounds(&mut self, count: usize, (fewest, most): (usize, usize), place: Place<'_>) {
        if count < fewest {
            self.issue(&Issue::ShortList(fewest), place);
        }
        if count > most {
            self.issue(&Issue::LongList(most), place);
        }
    }
}
