//! Python's notation of values, for the arguments in the description of a tool call.

use sayso_core::LazyPattern;
use sayso_core::pattern::{MatchResult, Pattern};
use serde_json::{Number, Value};
use std::fmt::Write as _;
use std::sync::LazyLock;

/// Returns Python's `repr(value)`.
pub(super) fn repr(value: &Value) -> String {
    let mut out = String::new();
    write_value(value, &mut out);
    out
}

fn write_value(value: &Value, out: &mut String) {
    match value {
        Value::Null => out.push_str("None"),
        Value::Bool(true) => out.push_str("True"),
        Value::Bool(false) => out.push_str("False"),
        Value::Number(number) => write_number(number, out),
        Value::String(text) => write_string(text, out),
        Value::Array(items) => {
            out.push('[');
            for (index, item) in items.iter().enumerate() {
                out.push_str(if index == 0 { "" } else { ", " });
                write_value(item, out);
            }
            out.push(']');
        }
        Value::Object(members) => {
            out.push('{');
            for (index, (name, member)) in members.iter().enumerate() {
                out.push_str(if index == 0 { "" } else { ", " });
                write_string(name, out);
                out.push_str(": ");
                write_value(member, out);
            }
            out.push('}');
        }
    }
}

/// Writes a number. A float that is very small or very large has an exponent with a sign and at least two digits.
fn write_number(number: &Number, out: &mut String) {
    let float = if number.is_f64() { number.as_f64() } else { None };
    let Some(float) = float else {
        out.push_str(&number.to_string());
        return;
    };
    // Writing to a string cannot fail.
    let _ = if float == 0.0 || (1e-4..1e16).contains(&float.abs()) {
        write!(out, "{float:?}")
    } else {
        let text = format!("{float:e}");
        let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        let (sign, exponent) = exponent.strip_prefix('-').map_or(('+', exponent), |exponent| ('-', exponent));
        write!(out, "{digits}e{sign}{exponent:0>2}")
    };
}

fn write_string(text: &str, out: &mut String) {
    let quote = if text.contains('\'') && !text.contains('"') { '"' } else { '\'' };
    out.push(quote);
    for c in text.chars() {
        // Writing to a string cannot fail.
        let _ = match c {
            '\\' => out.write_str("\\\\"),
            '\n' => out.write_str("\\n"),
            '\r' => out.write_str("\\r"),
            '\t' => out.write_str("\\t"),
            c if c == quote => write!(out, "\\{c}"),
            c if is_printable(c) => out.write_char(c),
            '\0'..='\u{ff}' => write!(out, "\\x{:02x}", u32::from(c)),
            '\u{100}'..='\u{ffff}' => write!(out, "\\u{:04x}", u32::from(c)),
            _ => write!(out, "\\U{:08x}", u32::from(c)),
        };
    }
    out.push(quote);
}

/// Characters that Python escapes: those of Unicode's categories Other and Separator.
static UNPRINTABLE: LazyLock<LazyPattern> = LazyLock::new(|| LazyPattern::new(r"[\p{C}\p{Z}]"));

/// Returns whether Python writes a character unescaped.
fn is_printable(c: char) -> bool {
    if c.is_ascii() {
        return !c.is_control();
    }
    let is_seen = |pattern: &Pattern| pattern.matches(c.encode_utf8(&mut [0; 4])) == MatchResult::No;
    c.is_alphanumeric() || UNPRINTABLE.compiled().is_ok_and(is_seen)
}

#[cfg(test)]
mod tests {
    use super::repr;
    use serde_json::json;

    #[test]
    fn values_match_python_repr() {
        let value = json!({ "a": [1, 2.5, null, true, false], "b": "it's", "c": "\"'\\\n\u{1b}字" });
        let written = r#"{'a': [1, 2.5, None, True, False], 'b': "it's", 'c': '"\'\\\n\x1b字'}"#;
        assert_eq!(repr(&value), written);
        assert_eq!(repr(&json!({})), "{}");
        let numbers =
            json!([1e16, 1e-5, 0.0001, 123_456_789_012_345_680.0, 1e15, 1.5e300, -1e-7, 5e-324, -0.0, 2.0]);
        let written = "[1e+16, 1e-05, 0.0001, 1.2345678901234568e+17, 1000000000000000.0, 1.5e+300, -1e-07, 5e-324, -0.0, 2.0]";
        assert_eq!(repr(&numbers), written);
    }

    #[test]
    fn unprintable_characters_are_escaped() {
        let unseen =
            "\0\u{7f}\u{85}\u{a0}\u{ad}\u{378}\u{200b}\u{202e}\u{2028}\u{2029}\u{3000}\u{e000}\u{feff}";
        let codes = r"'\x00\x7f\x85\xa0\xad\u0378\u200b\u202e\u2028\u2029\u3000\ue000\ufeff'";
        assert_eq!(repr(&json!(unseen)), codes);
        assert_eq!(repr(&json!("\u{e0001}\u{10ffff}")), r"'\U000e0001\U0010ffff'");
        let seen = "a é e\u{301}\u{301} 字 \u{1f980}\u{fe0f} \u{e0100}";
        assert_eq!(repr(&json!(seen)), format!("'{seen}'"));
        assert_eq!(repr(&json!("\u{301}")), "'\u{301}'", "a mark by itself too");
    }
}
