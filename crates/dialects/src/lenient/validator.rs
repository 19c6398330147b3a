//! Validation of a request, in the order of its schema's members and with the messages of its dialect.

use super::wording::{IssueWording, RequestIssue};
use super::{JsonShape, Lenient, LenientList};
use sayso_core::model::document_path::PathStep;
use sayso_core::model::validation_rules::LengthUnit;
use sayso_core::{DocumentPath, Problem, ProblemCode};
use sayso_core::{LocalizedText, Message};
use serde_json::Number;

/// Number of issues reported individually; the others are counted.
const ISSUES_MAX: usize = 1_000;

/// Place in a request. It refers to the place around it, so that a path is only built for a problem.
#[derive(Debug, Clone, Copy)]
pub(crate) enum LazyPlace<'p> {
    /// The whole request.
    Root,
    /// A member of an object.
    Member { object: &'p LazyPlace<'p>, name: &'p str },
    /// An element of an array.
    Element { array: &'p LazyPlace<'p>, index: usize },
}

impl LazyPlace<'_> {
    /// Returns the place of a member of the object at this place.
    pub(crate) const fn member<'p>(&'p self, name: &'p str) -> LazyPlace<'p> {
        LazyPlace::Member { object: self, name }
    }

    /// Returns the place of an element of the array at this place.
    pub(crate) const fn element(&self, index: usize) -> LazyPlace<'_> {
        LazyPlace::Element { array: self, index }
    }

    /// Builds the path.
    pub(crate) fn path(&self) -> DocumentPath {
        let (mut path, step) = match *self {
            LazyPlace::Root => return DocumentPath::root(),
            LazyPlace::Member { object, name } => (object.path(), PathStep::from(name)),
            LazyPlace::Element { array, index } => (array.path(), PathStep::from(index)),
        };
        path.0.push(step);
        path
    }
}

/// Validates a request in the order of the schema's members and collects the issues. Values that its methods return
/// count only if there are none.
pub(crate) struct RequestValidator {
    wording: IssueWording,
    issues: Vec<Problem>,
    unreported: usize,
}

impl RequestValidator {
    pub(crate) const fn new(wording: IssueWording) -> Self {
        Self { wording, issues: Vec::new(), unreported: 0 }
    }

    /// Returns the collected issues, if any.
    ///
    /// # Errors
    /// Returns every issue.
    pub(crate) fn finish(mut self) -> Result<(), Vec<Problem>> {
        if self.issues.is_empty() {
            return Ok(());
        }
        if self.unreported > 0 {
            let message = Message::MoreProblems.with([self.unreported]);
            self.issues.push(Problem::new(ProblemCode::TooBig, message));
        }
        Err(self.issues)
    }

    /// Returns whether there are no issues so far.
    pub(crate) fn is_clean(&self) -> bool {
        self.issues.is_empty()
    }

    /// Reports an issue of the schema.
    pub(crate) fn report_issue(&mut self, issue: &RequestIssue<'_>, place: LazyPlace<'_>) {
        let (code, words) = (self.wording)(issue);
        self.report(code, words, place);
    }

    /// Reports any other problem.
    pub(crate) fn report(
        &mut self,
        code: ProblemCode,
        words: impl Into<LocalizedText>,
        place: LazyPlace<'_>,
    ) {
        self.report_lazily(|| Problem::new(code, words).at(place.path()));
    }

    /// Reports a problem, computed only if there is room for it.
    pub(crate) fn report_lazily(&mut self, problem: impl FnOnce() -> Problem) {
        if self.issues.len() < ISSUES_MAX {
            self.issues.push(problem());
        } else {
            self.unreported += 1;
        }
    }

    /// Takes a required value.
    pub(crate) fn required<'t, T: JsonShape<'t>>(
        &mut self,
        value: Lenient<T>,
        place: LazyPlace<'_>,
    ) -> Option<T> {
        if let Lenient::Missing = value {
            self.report_issue(&RequestIssue::Missing { expected: T::NAME }, place);
        }
        self.optional(value, place)
    }

    /// Takes an optional value.
    pub(crate) fn optional<'t, T: JsonShape<'t>>(
        &mut self,
        value: Lenient<T>,
        place: LazyPlace<'_>,
    ) -> Option<T> {
        match value {
            Lenient::Value(value) => Some(value),
            Lenient::Missing => None,
            Lenient::WrongType(found) => {
                self.report_issue(&RequestIssue::WrongType { expected: T::NAME, found }, place);
                None
            }
        }
    }

    /// Takes an optional whole number; one beyond the type saturates.
    pub(crate) fn optional_integer(&mut self, value: Lenient<Number>, place: LazyPlace<'_>) -> Option<i64> {
        let number = self.optional(value, place)?;
        // A float without a fraction is whole in JavaScript.
        #[expect(
            clippy::cast_possible_truncation,
            reason = "a number beyond the type becomes the largest there is"
        )]
        let whole = match (number.as_i64(), number.as_f64()) {
            (Some(whole), _) => Some(whole),
            (None, Some(float)) if float.fract() == 0.0 => Some(float as i64),
            (None, _) => None,
        };
        if whole.is_none() {
            self.report_issue(&RequestIssue::NotInteger, place);
        }
        whole
    }

    /// Checks the length of a text, in this unit.
    pub(crate) fn check_length(
        &mut self,
        text: &str,
        bounds: (usize, usize),
        unit: LengthUnit,
        place: LazyPlace<'_>,
    ) {
        let (least, most) = bounds;
        // No unit counts more than the bytes, nor zero for a non-empty text.
        if least <= 1 && !text.is_empty() && text.len() <= most {
            return;
        }
        let length = unit.count(text);
        if length < least {
            self.report_issue(&RequestIssue::ShortText(least), place);
        } else if length > most {
            self.report_issue(&RequestIssue::LongText(most), place);
        }
    }

    /// Takes a required array, and checks its number of elements.
    pub(crate) fn required_list<'t, T: JsonShape<'t>>(
        &mut self,
        value: Lenient<LenientList<T>>,
        bounds: (usize, usize),
        place: LazyPlace<'_>,
    ) -> Vec<Lenient<T>> {
        let Some(list) = self.required(value, place) else { return Vec::new() };
        self.check_count(list.count, bounds, place);
        list.items
    }

    /// Checks a number of elements.
    pub(crate) fn check_count(&mut self, count: usize, (fewest, most): (usize, usize), place: LazyPlace<'_>) {
        if count < fewest {
            self.report_issue(&RequestIssue::ShortList(fewest), place);
        }
        if count > most {
            self.report_issue(&RequestIssue::LongList(most), place);
        }
    }
}
