//! Values as Python writes them: the description of a tool call quotes its arguments so.

use serde_json::Value;
use std::fmt::Write as _;

/// `repr(value)`.
pub(super) fn repr(value: &Value) -> String {
    let mut out = String::new();
    put(value, &mut out);
    out
}

fn put(value: &Value, out: &mut String) {
    match value {
        Value::Null => out.push_str("None"),
        Value::Bool(true) => out.push_str("True"),
        Value::Bool(false) => out.push_str("False"),
        Value::Number(number) => out.push_str(&number.to_string()),
        Value::String(text) => put_text(text, out),
        Value::Array(items) => {
            out.push('[');
            for (index, item) in items.iter().enumerate() {
                out.push_str(if index == 0 { "" } else { ", " });
                put(item, out);
            }
            out.push(']');
        }
        Value::Object(members) => {
            out.push('{');
            for (index, (name, member)) in members.iter().enumerate() {
                out.push_str(if index == 0 { "" } else { ", " });
                put_text(name, out);
                out.push_str(": ");
                put(member, out);
            }
            out.push('}');
        }
    }
}

fn put_text(text: &str, out: &mut String) {
    let quote = if text.contains('\'') && !text.contains('"') { '"' } else { '\'' };
    out.push(quote);
    for c in text.chars() {
        // A string takes what is written to it.
        let _ = match c {
            '\\' => out.write_str("\\\\"),
            '\n' => out.write_str("\\n"),
            '\r' => out.write_str("\\r"),
            '\t' => out.write_str("\\t"),
            c if c == quote => write!(out, "\\{c}"),
            c if c.is_control() => write!(out, "\\x{:02x}", u32::from(c)),
            c => out.write_char(c),
        };
    }
    out.push(quote);
}

#[cfg(test)]
mod tests {
    use super::repr;
    use serde_json::json;

    #[test]
    fn values_are_written_as_python_does() {
        let value = json!({ "a": [1, 2.5, null, true, false], "b": "it's", "c": "\"'\\\n\u{1b}字" });
        let written = r#"{'a': [1, 2.5, None, True, False], 'b': "it's", 'c': '"\'\\\n\x1b字'}"#;
        assert_eq!(repr(&value), written);
        assert_eq!(repr(&json!({})), "{}");
    }
}
