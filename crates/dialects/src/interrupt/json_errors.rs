//! Errors for bodies that are not JSON, as the original server reports them: in the words of Python's `json`, with the
//! position in characters.

use sayso_core::{DocumentPath, Problem, ProblemCode};
use serde::de::IgnoredAny;

/// Returns the error of a text: its position in characters from the beginning, and the message.
pub(super) fn python_error(text: &str, problem: &Problem) -> (usize, String) {
    let error = serde_json::from_str::<IgnoredAny>(text).err();
    let is_reported = matches!(problem.code, ProblemCode::TooLarge | ProblemCode::TooDeep)
        && problem.path == DocumentPath::root();
    let error = if is_reported { None } else { error };
    let Some(error) = error else { return (0, problem.message.to_string()) };
    let before = text.split_inclusive('\n').take(error.line().saturating_sub(1)).map(str::len).sum::<usize>();
    let at = before + error.column().saturating_sub(usize::from(!error.is_eof()));
    let sentence = error.to_string();
    let (at, words) = if sentence.starts_with("EOF while parsing a string") {
        (unterminated_string(text).unwrap_or(at), "Unterminated string starting at")
    } else if sentence.starts_with("EOF while parsing a value") {
        (text.trim_end_matches(is_literal_char).len(), "Expecting value")
    } else if sentence.starts_with("EOF while parsing an object") {
        (at, object_error(text))
    } else {
        (at, python_message(&sentence))
    };
    let place = text.char_indices().take_while(|(byte, _)| *byte < at).count();
    (place, words.to_owned())
}

/// Returns the start of the unterminated string, in bytes.
fn unterminated_string(text: &str) -> Option<usize> {
    let (mut open, mut is_escaped) = (None, false);
    for (at, c) in text.char_indices() {
        match (open, c) {
            (Some(_), _) if is_escaped => is_escaped = false,
            (Some(_), '\\') => is_escaped = true,
            (Some(_), '"') => open = None,
            (None, '"') => open = Some(at),
            _ => {}
        }
    }
    open
}

/// Returns whether a character may be part of a number or of `true`, `false` and `null`, which a truncated text ends
/// with.
const fn is_literal_char(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.')
}

/// Returns the message for a text that ends within an object.
fn object_error(text: &str) -> &'static str {
    let value_follows = serde_json::from_str::<IgnoredAny>(&format!("{text}:"))
        .is_err_and(|error| error.to_string().starts_with("EOF while parsing a value"));
    if value_follows {
        "Expecting ':' delimiter"
    } else if text.trim_end().ends_with(['{', ',']) {
        "Expecting property name enclosed in double quotes"
    } else {
        "Expecting ',' delimiter"
    }
}

fn python_message(text: &str) -> &'static str {
    const KNOWN: [(&str, &str); 8] = [
        ("key must be a string", "Expecting property name enclosed in double quotes"),
        ("trailing comma", "Expecting value"),
        ("expected `:`", "Expecting ':' delimiter"),
        ("expected `,`", "Expecting ',' delimiter"),
        ("EOF while parsing a list", "Expecting ',' delimiter"),
        ("control character", "Invalid control character at"),
        ("invalid escape", "Invalid \\escape"),
        ("trailing characters", "Extra data"),
    ];
    KNOWN.iter().find(|(ours, _)| text.starts_with(ours)).map_or("Expecting value", |(_, theirs)| theirs)
}

#[cfg(test)]
mod tests {
    use super::python_error;
    use sayso_core::wire::json;

    #[test]
    fn messages_and_positions_match_python() {
        let cases = [
            ("{nope", 1, "Expecting property name enclosed in double quotes"),
            ("", 0, "Expecting value"),
            ("字", 0, "Expecting value"),
            ("{\n\"字\" 1}", 6, "Expecting ':' delimiter"),
            ("{} x", 3, "Extra data"),
            ("[1 2]", 3, "Expecting ',' delimiter"),
            ("{", 1, "Expecting property name enclosed in double quotes"),
            (r#"{"a":1,  "#, 9, "Expecting property name enclosed in double quotes"),
            (r#"{"action":"continue""#, 20, "Expecting ',' delimiter"),
            (r#"{"a":1  "#, 8, "Expecting ',' delimiter"),
            (r#"{"action":"continue"#, 10, "Unterminated string starting at"),
            (r#"["a\"b"#, 1, "Unterminated string starting at"),
            (r#"{"字":"字"#, 5, "Unterminated string starting at"),
            (r#"{"a""#, 4, "Expecting ':' delimiter"),
            (r#"{"a":{"b":[1,{"c" "#, 18, "Expecting ':' delimiter"),
            (r#"{"a":"#, 5, "Expecting value"),
            (r#"{"a":tru"#, 5, "Expecting value"),
            ("[-", 1, "Expecting value"),
        ];
        for (text, place, words) in cases {
            let problem = json::check(text).unwrap_err();
            assert_eq!(python_error(text, &problem), (place, words.to_owned()), "{text}");
        }
        let deep = "[".repeat(100);
        assert_eq!(python_error(&deep, &json::check(&deep).unwrap_err()).0, 0);
    }
}
