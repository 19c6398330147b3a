//! The few things of JavaScript that a wire format takes for granted.

mod json_parse;

pub(crate) use json_parse::syntax_error;

/// White space as `String.prototype.trim` knows it: Unicode's, with the byte order mark and without U+0085.
pub(crate) fn is_space(c: char) -> bool {
    c == '\u{feff}' || (c.is_whitespace() && c != '\u{85}')
}

/// `text.trim()`.
pub(crate) fn trim(text: &str) -> &str {
    text.trim_matches(is_space)
}

/// `parseInt(text, 10)`: leading white space, a sign, digits; whatever follows is ignored. `None` stands for `NaN`; a
/// number too large for the type becomes the largest there is.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_as_far_as_their_digits_go() {
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
    fn white_space_is_javascripts() {
        assert_eq!(trim("\u{feff}\u{a0}\t\r\n\u{2028}x\u{3000}\u{b}"), "x");
        assert_eq!(trim("\u{85}x\u{200b}"), "\u{85}x\u{200b}");
    }
}
