//! What is wrong with a request, noted in the order that its schema names its members and told in the words of its
//! dialect.

use crate::loose::{Expected, List, Loose};
use sayso_core::message::{Message, Text};
use sayso_core::rules::LengthUnit;
use sayso_core::{Code, Path, Problem};
use serde_json::Number;

/// How many issues are told one by one; the others are counted.
const ISSUES_MAX: usize = 1_000;

/// Something that a schema finds wrong with a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Issue<'i> {
    /// Nothing stands where a value of this type is expected.
    Missing { expected: &'static str },
    /// A value of another type stands there.
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
    /// A text that is none of these.
    NoneOf { allowed: &'i [&'i str], found: &'i str },
}

/// The code and the words that a dialect has for an issue.
pub(crate) type Wording = fn(&Issue<'_>) -> (Code, Text);

/// The words of Zod 3.
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

/// The words of Zod 4.
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

/// Our own words, for dialects whose spec has none.
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

/// Where in the request; worked out only when there is something to say about the place.
pub(crate) type Place<'p> = &'p dyn Fn() -> Path;

/// Goes through a request in the order of the schema's members and notes what is wrong. What its methods return counts
/// only when nothing is.
pub(crate) struct Judge {
    wording: Wording,
    issues: Vec<Problem>,
    untold: usize,
}

impl Judge {
    pub(crate) const fn new(wording: Wording) -> Self {
        Self { wording, issues: Vec::new(), untold: 0 }
    }

    /// Everything that was noted, if anything was.
    ///
    /// # Errors
    /// Everything that was noted.
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

    /// Whether nothing has been noted so far.
    pub(crate) fn is_clean(&self) -> bool {
        self.issues.is_empty()
    }

    /// Notes an issue of the schema.
    pub(crate) fn issue(&mut self, issue: &Issue<'_>, place: Place<'_>) {
        let (code, words) = (self.wording)(issue);
        self.note(code, words, place);
    }

    /// Notes anything else.
    pub(crate) fn note(&mut self, code: Code, words: impl Into<Text>, place: Place<'_>) {
        self.tell(|| Problem::new(code, words).at(place()));
    }

    /// Notes a problem, which is worked out only where it is told.
    pub(crate) fn tell(&mut self, problem: impl FnOnce() -> Problem) {
        if self.issues.len() < ISSUES_MAX {
            self.issues.push(problem());
        } else {
            self.untold += 1;
        }
    }

    /// A value that must be there.
    pub(crate) fn expect<'t, T: Expected<'t>>(&mut self, value: Loose<T>, place: Place<'_>) -> Option<T> {
        if let Loose::Missing = value {
            self.issue(&Issue::Missing { expected: T::NAME }, place);
        }
        self.allow(value, place)
    }

    /// A value that may be left out.
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

    /// A whole number that may be left out; one beyond the type becomes the largest there is.
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

    /// Whether a text has a length within these bounds, in this unit; notes it where it has not.
    pub(crate) fn length(&mut self, text: &str, bounds: (usize, usize), unit: LengthUnit, place: Place<'_>) {
        let (least, most) = bounds;
        let length = unit.count(text);
        if length < least {
            self.issue(&Issue::ShortText(least), place);
        } else if length > most {
            self.issue(&Issue::LongText(most), place);
        }
    }

    /// An array that must be there, with its number of elements within these bounds.
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

    /// A number of elements, held to these bounds.
    pub(crate) fn bounds(&mut self, count: usize, (fewest, most): (usize, usize), place: Place<'_>) {
        if count < fewest {
            self.issue(&Issue::ShortList(fewest), place);
        }
        if count > most {
            self.issue(&Issue::LongList(most), place);
        }
    }
}
