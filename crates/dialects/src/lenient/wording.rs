//! Messages of schema issues: those of Zod 3 and Zod 4, letter for letter, and our own.

use sayso_core::ProblemCode;
use sayso_core::i18n::{foreign, own};
use sayso_core::{LocalizedText, Message};

/// Violation of a schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RequestIssue<'i> {
    /// A missing value of this type.
    Missing { expected: &'static str },
    /// A value of another type.
    WrongType { expected: &'static str, found: &'static str },
    /// A text shorter than this.
    ShortText(usize),
    /// A text longer than this.
    LongText(usize),
    /// An array with fewer elements than this.
    ShortList(usize),
    /// An array with more elements than this.
    LongList(usize),
    /// A number that is not whole.
    NotInteger,
    /// A text not in this list.
    NoneOf { allowed: &'i [&'i str], found: &'i str },
}

/// Code and message of an issue in a dialect.
pub(crate) type IssueWording = fn(&RequestIssue<'_>) -> (ProblemCode, LocalizedText);

/// Returns the message of Zod 3.
pub(crate) fn zod3(issue: &RequestIssue<'_>) -> (ProblemCode, LocalizedText) {
    let (code, words) = match issue {
        RequestIssue::Missing { .. } => (ProblemCode::Required, "Required".to_owned()),
        RequestIssue::WrongType { expected, found } => {
            (ProblemCode::InvalidType, format!("Expected {expected}, received {found}"))
        }
        RequestIssue::ShortText(least) => {
            (ProblemCode::TooSmall, format!("String must contain at least {least} character(s)"))
        }
        RequestIssue::LongText(most) => {
            (ProblemCode::TooBig, format!("String must contain at most {most} character(s)"))
        }
        RequestIssue::ShortList(least) => {
            (ProblemCode::TooSmall, format!("Array must contain at least {least} element(s)"))
        }
        RequestIssue::LongList(most) => {
            (ProblemCode::TooBig, format!("Array must contain at most {most} element(s)"))
        }
        RequestIssue::NotInteger => (ProblemCode::InvalidType, "Expected integer, received float".to_owned()),
        RequestIssue::NoneOf { allowed, found } => {
            let allowed: Vec<_> = allowed.iter().map(|name| format!("'{name}'")).collect();
            let words = format!("Invalid enum value. Expected {}, received '{found}'", allowed.join(" | "));
            (ProblemCode::InvalidValue, words)
        }
    };
    (code, LocalizedText::Verbatim(words))
}

/// Returns the message of Zod 4.
pub(crate) fn zod4(issue: &RequestIssue<'_>) -> (ProblemCode, LocalizedText) {
    let (code, words) = match issue {
        RequestIssue::Missing { expected } => {
            (ProblemCode::InvalidType, format!("Invalid input: expected {expected}, received undefined"))
        }
        RequestIssue::WrongType { expected, found } => {
            (ProblemCode::InvalidType, format!("Invalid input: expected {expected}, received {found}"))
        }
        RequestIssue::ShortText(least) => {
            (ProblemCode::TooSmall, format!("Too small: expected string to have >={least} characters"))
        }
        RequestIssue::LongText(most) => {
            (ProblemCode::TooBig, format!("Too big: expected string to have <={most} characters"))
        }
        RequestIssue::ShortList(least) => {
            (ProblemCode::TooSmall, format!("Too small: expected array to have >={least} items"))
        }
        RequestIssue::LongList(most) => {
            (ProblemCode::TooBig, format!("Too big: expected array to have <={most} items"))
        }
        RequestIssue::NotInteger => {
            (ProblemCode::InvalidType, "Invalid input: expected int, received number".to_owned())
        }
        RequestIssue::NoneOf { allowed, .. } => {
            let allowed: Vec<_> = allowed.iter().map(|name| format!("\"{name}\"")).collect();
            (ProblemCode::InvalidValue, format!("Invalid option: expected one of {}", allowed.join("|")))
        }
    };
    (code, LocalizedText::Verbatim(words))
}

/// Returns our own message, for dialects whose spec has none.
pub(crate) fn own_wording(issue: &RequestIssue<'_>) -> (ProblemCode, LocalizedText) {
    match issue {
        RequestIssue::Missing { expected } => {
            (ProblemCode::Required, Message::MemberMissing.with([own(expected)]))
        }
        RequestIssue::WrongType { expected, found } => {
            (ProblemCode::InvalidType, Message::WrongType.with([own(expected), own(found)]))
        }
        RequestIssue::ShortText(least) => (ProblemCode::TooSmall, Message::TextBelow.with([own(least)])),
        RequestIssue::LongText(most) => (ProblemCode::TooBig, Message::TextAbove.with([own(most)])),
        RequestIssue::ShortList(least) => (ProblemCode::TooSmall, Message::FewElements.with([own(least)])),
        RequestIssue::LongList(most) => (ProblemCode::TooBig, Message::ManyElements.with([own(most)])),
        RequestIssue::NotInteger => (ProblemCode::InvalidType, Message::NotWhole.into()),
        RequestIssue::NoneOf { allowed, found } => {
            (ProblemCode::InvalidValue, Message::NoneOf.with([own(allowed.join(", ")), foreign(found)]))
        }
    }
}
