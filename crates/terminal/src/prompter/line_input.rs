//! Line cleanup: removes the control sequences that cursor keys leave in cooked lines.

/// Returns a line without control characters and escape sequences of keys and pastes, and true if it had any. Tabs
/// stay.
pub(crate) fn strip_controls(line: &str) -> (String, bool) {
    if !line.chars().any(is_control) {
        return (line.to_owned(), false);
    }
    let mut clean = String::with_capacity(line.len());
    let mut rest = line.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '\u{1b}' => match rest.peek() {
                Some('[') => {
                    rest.next();
                    // Parameters, then the final byte.
                    while rest.next_if(|c| matches!(c, ' '..='?')).is_some() {}
                    rest.next_if(|c| matches!(c, '@'..='~'));
                }
                Some('O') => {
                    rest.next();
                    rest.next_if(|c| c.is_ascii_uppercase());
                }
                Some(']') => {
                    // Up to the bell or to the string terminator, whose rest the next iteration takes.
                    while rest.next_if(|c| !matches!(c, '\u{7}' | '\u{1b}')).is_some() {}
                }
                _ => {}
            },
            c if is_control(c) => {}
            c => clean.push(c),
        }
    }
    (clean, true)
}

/// Replaces two slashes at the beginning of a line by one.
pub(crate) fn unescape_slash(line: &str) -> &str {
    if line.starts_with("//") { line.strip_prefix('/').unwrap_or(line) } else { line }
}

/// Parses the words for yes and no in both languages.
pub(crate) fn parse_yes_no(typed: &str) -> Option<bool> {
    match typed.trim().to_lowercase().as_str() {
        "yes" | "y" | "是" | "好" | "对" => Some(true),
        "no" | "n" | "否" | "不" | "不是" => Some(false),
        _ => None,
    }
}

/// Parses a number in ASCII or full-width digits.
pub(crate) fn parse_number(typed: &str) -> Option<usize> {
    let mut digits = String::new();
    for c in typed.trim().chars() {
        digits.push(match c {
            '0'..='9' => c,
            '０'..='９' => char::from_digit(u32::from(c) - u32::from('０'), 10)?,
            _ => return None,
        });
    }
    digits.parse().ok()
}

fn is_control(c: char) -> bool {
    c.is_control() && c != '\t'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrow_keys_and_escapes_are_stripped() {
        let cases = [
            ("plain\ttext", "plain\ttext", false),
            ("\u{1b}[Aup\u{1b}OB", "up", true),
            ("\u{1b}[200~pasted\u{1b}[201~", "pasted", true),
            ("\u{1b}]0;title\u{7}rest", "rest", true),
            ("\u{1b}[1;5Cword\u{8}s", "words", true),
            ("a\u{9b}b\u{7f}", "ab", true),
            ("cut\u{1b}[", "cut", true),
            ("字🦀", "字🦀", false),
        ];
        for (line, wanted, removed) in cases {
            assert_eq!(strip_controls(line), (wanted.to_owned(), removed), "{line:?}");
        }
    }
}
