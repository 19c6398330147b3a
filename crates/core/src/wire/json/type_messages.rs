//! Type errors of serde in terms of JSON: names of our own types help no asker.

use crate::i18n::{Lang, LocalizedText, Message, own, quote};
use std::borrow::Cow;

/// Expected types in serde's terms, each with its message in the catalogue.
const MESSAGES: &[(&str, Message)] = &[
    ("a string, a number, true or false", Message::ExpectedValue),
    ("an array", Message::ExpectedArray),
    ("an object", Message::ExpectedObject),
    ("a string", Message::ExpectedString),
    ("a boolean", Message::ExpectedBoolean),
    ("a number", Message::ExpectedNumber),
    ("a whole number", Message::ExpectedWhole),
];

/// Returns the message from the catalogue, if it has one.
pub(super) fn catalogue_text(what: &str) -> LocalizedText {
    if let Some(types) = what.strip_prefix("invalid type: ")
        && let Some((found, expected)) = types.rsplit_once(", expected ")
    {
        for (term, message) in MESSAGES {
            if *term == expected {
                return message.with([own(found)]);
            }
        }
    }
    LocalizedText::Verbatim(what.to_owned())
}

/// Returns a reader's message without the names of our types.
pub(super) fn in_json_terms(what: &str) -> Cow<'_, str> {
    if what.starts_with("data did not match any variant of ") {
        return Cow::Borrowed("invalid type: none of the forms that may stand here");
    }
    // The found value may contain any text; the expected type is the reader's own text, and comes last.
    let Some((found, expected)) = what.rsplit_once("expected ") else { return Cow::Borrowed(what) };
    let is_value = found.starts_with("invalid value: ");
    let found_name = found_type(found);
    let expected_name = expected_type(expected, is_value);
    if found_name.is_none() && expected_name.is_none() {
        return Cow::Borrowed(what);
    }
    let expected = expected_name.as_deref().unwrap_or(expected);
    Cow::Owned(match found_name {
        Some(name) => format!("invalid type: {name}, expected {expected}"),
        None => format!("{found}expected {expected}"),
    })
}

/// Quotes the text that was found as the words of another: serde has it between quotation marks, but not on one line.
pub(super) fn quote_value(what: &str) -> String {
    if let Some((found, rest)) = what.split_once(" \"")
        && let Some((value, expected)) = rest.rsplit_once("\", expected ")
    {
        return format!("{found} {}, expected {expected}", quote(value, Lang::En));
    }
    what.to_owned()
}

/// Rewrites the error of a variant reader for valid JSON, which it reports as a syntax error.
pub(super) fn variant_message(what: String) -> String {
    if what == "expected value" { format!("expected {VARIANT}") } else { what }
}

/// A variant, in terms of JSON.
const VARIANT: &str = "a string, or an object with one member";

/// Returns the JSON term for the found type, if the reader uses another.
fn found_type(found: &str) -> Option<&'static str> {
    Some(match found.strip_prefix("invalid type: ")?.strip_suffix(", ")? {
        "map" => "object",
        "sequence" => "array",
        "unit value" => "null",
        "newtype variant" | "tuple variant" | "struct variant" => "object",
        "unit variant" => "string",
        _ => return None,
    })
}

/// Returns the JSON term for the expected type, if the reader uses another. For a number out of range, it states the
/// bounds.
fn expected_type(expected: &str, is_value: bool) -> Option<Cow<'static, str>> {
    let kind = expected.split(' ').take(2).collect::<Vec<_>>();
    let name = match kind.as_slice() {
        ["unit" | "tuple" | "newtype", "variant" | "struct"] => "nothing more",
        ["struct", _] | ["a", "map"] => "an object",
        ["enum", _] | ["string", "or"] | ["variant", "identifier"] => VARIANT,
        ["tuple", _] | ["a", "tuple" | "sequence"] => "an array",
        ["field", "identifier"] => "a name",
        ["unit"] => "null",
        ["f32" | "f64"] => "a number",
        [number] => return integer_type(number, is_value).map(Cow::Owned),
        _ => return None,
    };
    Some(Cow::Borrowed(name))
}

/// Describes a whole number that fits one of our types.
fn integer_type(name: &str, is_value: bool) -> Option<String> {
    let (least, most) = match name {
        "i8" => (i64::from(i8::MIN), i8::MAX as u64),
        "i16" => (i64::from(i16::MIN), i16::MAX as u64),
        "i32" => (i64::from(i32::MIN), i32::MAX as u64),
        "i64" | "isize" => (i64::MIN, i64::MAX as u64),
        "u8" => (0, u64::from(u8::MAX)),
        "u16" => (0, u64::from(u16::MAX)),
        "u32" => (0, u64::from(u32::MAX)),
        "u64" | "usize" => (0, u64::MAX),
        _ => return None,
    };
    Some(if is_value {
        format!("a whole number from {least} to {most}")
    } else {
        "a whole number".to_owned()
    })
}
