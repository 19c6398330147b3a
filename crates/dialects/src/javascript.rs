//! JavaScript semantics that a wire format relies on.

mod json_parse;

pub(crate) use json_parse::syntax_error;
use serde_json::{Number, Value};
use std::borrow::Cow;

/// Returns whether `String.prototype.trim` removes a character: Unicode white space, with the byte order mark and
/// without U+0085.
pub(crate) fn is_space(c: char) -> bool {
    c == '\u{feff}' || (c.is_whitespace() && c != '\u{85}')
}

/// Implements `text.trim()`.
pub(crate) fn trim(text: &str) -> &str {
    text.trim_matches(is_space)
}

/// Implements `parseInt(text, 10)`: leading white space, a sign, digits; the rest is ignored. `None` is `NaN`; a number
/// too large for the type saturates.
pub(crate) fn parse_int(text: &str) -> Option<i64> {
    let text = text.trim_start_matches(is_space);
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let append = |number: Option<i64>, digit: u32| {
        Some(number.unwrap_or(0).saturating_mul(10).saturating_add(i64::from(digit)))
    };
    let number = digits.chars().map_while(|c| c.to_digit(10)).fold(None, append);
    number.map(|number| if negative { -number } else { number })
}

/// Implements `String(number)`.
pub(crate) fn number_to_string(number: &Number) -> String {
    let Some(float) = number.as_f64() else { return number.to_string() };
    if float == 0.0 {
        return "0".to_owned();
    }
    if (1e-6..1e21).contains(&float.abs()) {
        return float.to_string();
    }
    let text = format!("{float:e}");
    if float.abs() < 1.0 { text } else { text.replacen('e', "e+", 1) }
}

/// Implements `String(value)`.
pub(crate) fn value_to_string(value: &Value) -> Cow<'_, str> {
    match value {
        Value::String(text) => Cow::Borrowed(text),
        Value::Number(found) => Cow::Owned(number_to_string(found)),
        Value::Null => Cow::Borrowed("null"),
        Value::Bool(is) => Cow::Borrowed(if *is { "true" } else { "false" }),
        Value::Object(_) => Cow::Borrowed("[object Object]"),
        Value::Array(values) => {
            let element = |value| {
                if matches!(value, &Value::Null) { Cow::Borrowed("") } else { value_to_string(value) }
            };
            Cow::Owned(values.iter().map(element).collect::<Vec<_>>().join(","))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn parse_int_ignores_trailing_text() {
        let cases = [
            ("2abc", Some(2)),
            ("2.9", Some(2)),
            ("+2", Some(2)),
            ("0x2", Some(0)),
            ("1e1", Some(1)),
            ("2 3", Some(2)),
            ("\u{a0}\u{feff} 02", Some(2)),
            ("-1", Some(-1)),
            ("- 1", None),
            ("+-1", None),
            ("", None),
            ("٣", None),
        ];
        for (text, number) in cases {
            assert_eq!(parse_int(text), number, "{text:?}");
        }
        assert_eq!(parse_int(&"9".repeat(10_000)), Some(i64::MAX));
        assert_eq!(parse_int(&format!("-{}", "9".repeat(10_000))), Some(-i64::MAX));
    }

    #[test]
    fn values_convert_to_javascript_strings() {
        let cases = [
            (json!(1.0), "1"),
            (json!(-0.0), "0"),
            (json!(1e21), "1e+21"),
            (json!(-1.5e300), "-1.5e+300"),
            (json!(123_456_789_012_345_680_000.0), "123456789012345680000"),
            (json!(9_007_199_254_740_993_u64), "9007199254740992"),
            (json!(0.000_001), "0.000001"),
            (json!(1.5e-7), "1.5e-7"),
            (json!([1.0, [null, "a"], {}, true]), "1,,a,[object Object],true"),
            (json!(null), "null"),
        ];
        for (value, expected) in cases {
            assert_eq!(value_to_string(&value), expected);
        }
    }

    #[test]
    fn trim_removes_javascript_white_space() {
        assert_eq!(trim("\u{feff}\u{a0}\t\r\n\u{2028}x\u{3000}\u{b}"), "x");
        assert_eq!(trim("\u{85}x\u{200b}"), "\u{85}x\u{200b}");
    }
}
