//! JSON text within limits: size is checked before anything is built, depth before anything is returned.

mod source;
mod tracked_reading;
mod type_messages;
mod unique_members;
mod unknown_members;

pub use source::JsonSource;
pub use unique_members::each_once;

use super::hints::aliases;
use crate::i18n::spelling;
use crate::i18n::{Message, foreign, own};
use crate::limits;
use crate::model::document_path::DocumentPath;
use crate::problem::{Problem, ProblemCode};
use serde::Serialize;
use serde::de::{Deserialize, DeserializeOwned, DeserializeSeed};
use serde_json::value::RawValue;
use tracked_reading::{read_with_error_place, read_with_unknown};
use type_messages::{catalogue_text, in_json_terms, quote_value, variant_message};

/// Initial capacity of written text; most of our texts are shorter.
const WRITTEN_BYTES: usize = 1 << 10;

/// Reads a value from JSON.
///
/// # Errors
/// Returns a problem, with its place, if it is too large, too deep, not JSON, or of another shape.
pub fn read<'t, T: Deserialize<'t>>(json: impl Into<JsonSource<'t>>) -> Result<T, Problem> {
    let json = json.into();
    json.check_limits(limits::REQUEST_BYTES)?;
    read_untracked(json)
}

/// Reads a value from answers or an HTTP request body, which may be longer than other texts.
///
/// # Errors
/// As [`read`].
pub fn read_body<'t, T: Deserialize<'t>>(text: &'t str) -> Result<T, Problem> {
    check_limits(text, limits::BODY_BYTES)?;
    read_untracked(JsonSource::Text(text))
}

/// Reads an object from an HTTP request body. An array is rejected, although serde builds a value from one if all its
/// members have defaults.
///
/// # Errors
/// As [`read`].
pub fn read_object<T: DeserializeOwned>(text: &str) -> Result<T, Problem> {
    if text.trim_start().starts_with('[') {
        read_body::<serde_json::Map<String, serde_json::Value>>(text)?;
    }
    read_body(text)
}

/// Reads a value.
fn read_untracked<'t, T: Deserialize<'t>>(json: JsonSource<'t>) -> Result<T, Problem> {
    match json {
        JsonSource::Text(text) => {
            let mut reader = serde_json::Deserializer::from_str(text);
            if let Ok(value) = T::deserialize(&mut reader)
                && reader.end().is_ok()
            {
                return Ok(value);
            }
        }
        JsonSource::Value(value) => {
            if let Ok(value) = T::deserialize(value) {
                return Ok(value);
            }
        }
    }
    read_tracked(json)
}

/// Reads a value a second time, for the place of its error: tracking it costs as much as the reading.
fn read_tracked<'t, T: Deserialize<'t>>(json: JsonSource<'t>) -> Result<T, Problem> {
    let text = match json {
        JsonSource::Text(text) => text,
        JsonSource::Value(value) => {
            return match read_with_error_place(value) {
                Ok(value) => Ok(value),
                Err((place, error)) => Err(placed(reading_problem(&error), place)),
            };
        }
    };
    let mut reader = serde_json::Deserializer::from_str(text);
    let value = match read_with_error_place(&mut reader) {
        Ok(value) => value,
        Err((place, error)) => return Err(placed(shape_problem(text, &error), place)),
    };
    reader.end()?;
    Ok(value)
}

/// Reads a value and records the places of unknown members.
fn read_recording_unknown<'t, T: Deserialize<'t>>(
    json: JsonSource<'t>,
    unknown: &mut Vec<DocumentPath>,
) -> Result<T, Problem> {
    match json {
        JsonSource::Text(text) => {
            let mut reader = serde_json::Deserializer::from_str(text);
            if let Ok(value) = read_with_unknown(&mut reader, unknown)
                && reader.end().is_ok()
            {
                return Ok(value);
            }
        }
        JsonSource::Value(value) => {
            if let Ok(value) = read_with_unknown(value, unknown) {
                return Ok(value);
            }
        }
    }
    read_tracked(json)
}

/// Returns the problem at the place where the reading failed.
fn placed(mut problem: Problem, place: DocumentPath) -> Problem {
    problem.path = place.join_all(&problem.path);
    problem
}

/// Reads answers as JSON with a seed, without a place in its error.
///
/// # Errors
/// As [`read`].
pub fn read_seed<'t, S: DeserializeSeed<'t>>(
    json: impl Into<JsonSource<'t>>,
    seed: S,
) -> Result<S::Value, Problem> {
    let json = json.into();
    json.check_limits(limits::BODY_BYTES)?;
    let text = match json {
        JsonSource::Text(text) => text,
        JsonSource::Value(value) => return Ok(seed.deserialize(value)?),
    };
    let mut reader = serde_json::Deserializer::from_str(text);
    let value = seed.deserialize(&mut reader)?;
    reader.end()?;
    Ok(value)
}

/// Reads a value from JSON, and reports each unknown member with its place and the name most likely meant.
///
/// # Errors
/// As [`read`].
pub fn read_reporting_unknown<'t, T: Deserialize<'t>>(
    json: JsonSource<'t>,
    ignored: &mut Vec<Problem>,
) -> Result<T, Problem> {
    json.check_limits(limits::REQUEST_BYTES)?;
    let mut unknown = Vec::new();
    let mut document = read_recording_unknown(json, &mut unknown);
    ignored.extend(unknown_members::problems(unknown, json));
    if let Err(problem) = &mut document
        && problem.hint.is_none()
    {
        problem.hint = aliases::bound(&problem.path);
    }
    document
}

/// Checks that it is JSON within the limits.
///
/// # Errors
/// Returns the problem that [`read`] would return.
pub fn check<'t>(json: impl Into<JsonSource<'t>>) -> Result<(), Problem> {
    read::<serde::de::IgnoredAny>(json).map(drop)
}

/// Reads a value that this program wrote: without limits, and without a place in its error.
///
/// # Errors
/// Returns a problem if the text is not such a value.
pub fn read_own<T: DeserializeOwned>(text: &str) -> Result<T, Problem> {
    Ok(serde_json::from_str(text)?)
}

/// Writes a value as compact JSON text. Values written here always have a JSON form, so there is no error.
pub fn write<T: Serialize + ?Sized>(value: &T) -> String {
    let mut text = Vec::with_capacity(WRITTEN_BYTES);
    match serde_json::to_writer(&mut text, value) {
        Ok(()) => String::from_utf8(text).unwrap_or_default(),
        Err(_) => String::new(),
    }
}

/// Writes a value as raw JSON for embedding in other JSON.
pub fn write_raw<T: Serialize + ?Sized>(value: &T) -> Box<RawValue> {
    serde_json::value::to_raw_value(value).unwrap_or_default()
}

/// Rejects text larger or deeper than the limits, in one pass and without building anything.
///
/// # Errors
/// `too_large` or `too_deep`.
pub fn check_request_limits(text: &str) -> Result<(), Problem> {
    check_limits(text, limits::REQUEST_BYTES)
}

fn check_size(bytes: usize, most: usize) -> Result<(), Problem> {
    if bytes <= most {
        return Ok(());
    }
    Err(Problem::new(ProblemCode::TooLarge, Message::RequestTooLarge.with([bytes, most])))
}

fn too_deep() -> Problem {
    Problem::new(ProblemCode::TooDeep, Message::RequestTooDeep.with([limits::JSON_DEPTH]))
}

fn check_limits(text: &str, most_bytes: usize) -> Result<(), Problem> {
    check_size(text.len(), most_bytes)?;
    // A text with few openings cannot be deep; only one with more is scanned with regard to strings.
    if memchr::memchr2_iter(b'[', b'{', text.as_bytes()).nth(limits::JSON_DEPTH).is_none() {
        return Ok(());
    }
    let mut depth = 0_usize;
    let mut rest = text.as_bytes();
    while let Some((byte, after)) = rest.split_first() {
        rest = after;
        match byte {
            b'"' => rest = skip_string(rest),
            b'[' | b'{' => depth += 1,
            b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > limits::JSON_DEPTH {
            return Err(too_deep());
        }
    }
    Ok(())
}

/// Returns the rest of a text after the string that begins it.
fn skip_string(mut rest: &[u8]) -> &[u8] {
    while let Some(at) = memchr::memchr2(b'"', b'\\', rest) {
        let is_escape = rest.get(at) == Some(&b'\\');
        rest = rest.get(at + 1 + usize::from(is_escape)..).unwrap_or_default();
        if !is_escape {
            return rest;
        }
    }
    &[]
}

/// Returns the problem of a JSON reader's error, with its line and column.
fn reading_problem(error: &serde_json::Error) -> Problem {
    if !error.is_data() {
        let message =
            Message::InvalidJson.with([own(message_of(error)), own(error.line()), own(error.column())]);
        return Problem::new(ProblemCode::InvalidJson, message);
    }
    if let Some(problem) = missing_member(error) {
        return problem;
    }
    if let Some(problem) = unknown_word(error) {
        return problem;
    }
    if let Some(problem) = unique_members::duplicate_member(error) {
        return problem;
    }
    Problem::new(ProblemCode::InvalidType, catalogue_text(&message_of(error)))
}

impl From<serde_json::Error> for Problem {
    fn from(error: serde_json::Error) -> Self {
        reading_problem(&error)
    }
}

/// Returns the problem of a missing member, parsed from serde's message.
fn missing_member(error: &serde_json::Error) -> Option<Problem> {
    let text = error.to_string();
    let (member, _) = text.strip_prefix("missing field `")?.split_once('`')?;
    Some(Problem::missing_member(member))
}

/// Returns the problem of an unknown word, parsed from serde's message: the word and the known ones are in backticks.
fn unknown_word(error: &serde_json::Error) -> Option<Problem> {
    let text = error.to_string();
    let (code, words) = match text.strip_prefix("unknown variant `") {
        Some(words) => (ProblemCode::InvalidType, words),
        None => (ProblemCode::UnknownMember, text.strip_prefix("unknown field `")?),
    };
    // The word is the asker's, and may contain backticks.
    let (word, known) = words.rsplit_once("`, expected ")?;
    let known_words: Vec<&str> = known.split('`').skip(1).step_by(2).collect();
    let mut hint = None;
    if known_words.contains(&"choice") {
        hint = aliases::kind_hint(word);
    }
    if hint.is_none()
        && let Some(nearest) = spelling::nearest_word(word, known_words.iter().copied())
    {
        hint = Some(Message::DidYouMean.with([own(nearest)]));
    }
    let message = Message::UnknownWord.with([foreign(truncated(word)), own(known_words.join(", "))]);
    Some(Problem { hint, ..Problem::new(code, message) })
}

/// Returns the problem of a reader's error. If the text is valid JSON, only its shape is wrong: for variants, serde
/// reports both as the same syntax error.
fn shape_problem(text: &str, error: &serde_json::Error) -> Problem {
    if !error.is_syntax() || serde_json::from_str::<serde_json::Value>(text).is_err() {
        return reading_problem(error);
    }
    Problem::new(ProblemCode::InvalidType, catalogue_text(&variant_message(message_of(error))))
}

/// Returns a reader's message without the place.
fn message_of(error: &serde_json::Error) -> String {
    let text = error.to_string();
    quote_value(&truncated(&in_json_terms(without_position(&text))))
}

/// Returns an error's text without the line and column that a reader of text appends.
fn without_position(text: &str) -> &str {
    match text.rsplit_once(" at line ") {
        Some((what, _)) => what,
        None => text,
    }
}

/// Truncates the middle of a message that quotes a value: that may be as long as the request.
fn truncated(what: &str) -> String {
    const PART_CHARS: usize = 100;
    if let Some((begin_len, _)) = what.char_indices().nth(PART_CHARS)
        && let Some((end_start, _)) = what.char_indices().rev().nth(PART_CHARS)
        && begin_len < end_start
        && let Some(begin) = what.get(..begin_len)
        && let Some(end) = what.get(end_start..)
    {
        return format!("{begin}…{end}");
    }
    what.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn array_is_no_request_body() {
        #[derive(Debug, Default, serde::Deserialize)]
        #[serde(default)]
        struct OptionalBody {
            _member: Option<String>,
        }
        assert!(read_object::<OptionalBody>(" {}").is_ok());
        for other in ["[]", " [null]", "\n["] {
            assert!(read_object::<OptionalBody>(other).is_err(), "{other}");
        }
    }

    #[test]
    fn problem_truncates_long_value() {
        let text = format!("\"{}\"", "é".repeat(500_000));
        let problems = read::<bool>(&text).unwrap_err().to_string();
        assert!(
            problems.len() < 500 && problems.contains("éé…éé") && problems.contains("expected a boolean"),
            "{problems}"
        );
    }

    #[test]
    fn expected_type_uses_json_terms() {
        #[derive(Debug, serde::Deserialize)]
        struct InnerName {
            _member: bool,
        }
        let problems = read::<InnerName>("\"expected struct Other\"").unwrap_err().to_string();
        assert!(problems.contains("\"expected struct Other\", expected an object"), "{problems}");
        assert!(!problems.contains("InnerName"), "{problems}");
    }

    #[test]
    fn depth_ignores_brackets_in_strings() {
        assert!(check_request_limits(&format!("\"{}\"", "[".repeat(100))).is_ok());
        assert!(check_request_limits(&"[".repeat(64)).is_ok());
        assert_eq!(check_request_limits(&"[".repeat(65)).unwrap_err().code, ProblemCode::TooDeep);
        assert_eq!(check_request_limits(&"[".repeat(200_000)).unwrap_err().code, ProblemCode::TooDeep);
        assert_eq!(
            check_request_limits(&" ".repeat(limits::REQUEST_BYTES + 1)).unwrap_err().code,
            ProblemCode::TooLarge
        );
    }

    #[test]
    fn lone_surrogate_is_refused() {
        let problem = read::<serde_json::Value>("{\"a\": \"\\ud800\"}").unwrap_err();
        assert_eq!(problem.code, ProblemCode::InvalidJson);
        assert!(problem.message.render(crate::Lang::En).contains("line 1"), "{problem}");
    }

    #[test]
    fn wrong_shape_is_no_invalid_json() {
        let problem = read::<crate::Reply>("{\"state\": \"answered\", \"answer\": true}").unwrap_err();
        assert_eq!(
            (problem.code, problem.path.to_json_pointer().as_str()),
            (ProblemCode::InvalidType, "/answer")
        );
        let problem = read::<crate::Reply>("{\"state\": \"answered\", \"answer\": true").unwrap_err();
        assert_eq!(problem.code, ProblemCode::InvalidJson);
        let problem = read::<crate::Reply>("true").unwrap_err();
        assert!(problem.message.render(crate::Lang::En).ends_with("expected a reply"), "{problem}");
    }

    proptest! {
        #[test]
        fn no_text_panics(text in ".*") {
            let _ = read::<serde_json::Value>(&text);
        }
    }
}
