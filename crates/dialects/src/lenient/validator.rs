//! Validation of a request, in the order of its schema's members and with the messages of its dialect.

use super::wording::{IssueWording, RequestIssue};
use super::{JsonShape, Lenient, LenientList};
use sayso_core::model::validation_rules::LengthUnit;
use sayso_core::{DocumentPath, Problem, ProblemCode};
use sayso_core::{LocalizedText, Message};
use serde_json::Number;

/// Number of issues reported individually; the others are counted.
const ISSUES_MAX: usize = 1_000;

/// Place in the request, computed lazily.
pub(crate) type LazyPlace<'p> = &'p dyn Fn() -> DocumentPath;

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
        self.report_lazily(|| Problem::new(code, words).at(place()));
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
        let whole = number.as_i64().or_else(|| {
            let float = number.as_f64().filter(|float| float.fract() == 0.0)?;
            Some(float as i64)
        });
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
