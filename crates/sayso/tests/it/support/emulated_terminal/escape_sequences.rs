//! Allowlist of our own escape sequences. Any other sequence in a screen's bytes came from outside.

/// Control sequences without their `ESC [`. `#` is a placeholder for digits.
const CONTROL: &[&str] = &[
    "#;#H", "H", "2J", "m", "?25h", "?25l", "?1000h", "?1000l", "?1004h", "?1004l", "?1006h", "?1006l",
    "?1049h", "?1049l", "?2004h", "?2004l", ">4;1m", ">4m", "?2026h", "?2026l", ">#u", "<u", "c", "22;0t",
    "23;0t",
];

/// Prefixes of operating system commands without their `ESC ]`; text follows.
const COMMANDS: &[&str] = &["11;?", "2;", "9;", "99;i=sayso;", "777;notify;Sayso;"];

/// Wrapper of a command for tmux.
const TMUX: &str = "\x1bPtmux;";

/// Returns everything that is neither text, a line break, nor ours.
pub(crate) fn foreign_sequences(raw: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(raw);
    let mut rest = &*text;
    let mut strays = Vec::new();
    while let Some(c) = rest.chars().next() {
        let length = match c {
            '\x1b' => own_sequence_len(rest),
            '\r' | '\n' | '\t' | '\x07' | '\x08' => Some(1),
            c if c.is_control() => None,
            c => Some(c.len_utf8()),
        };
        if length.is_none() {
            strays.push(rest.chars().take(30).collect());
        }
        rest = &rest[length.unwrap_or(c.len_utf8())..];
    }
    strays
}

/// Returns the length of the escape sequence at the beginning, if it is ours.
fn own_sequence_len(text: &str) -> Option<usize> {
    if let Some(inside) = text.strip_prefix("\x1b[") {
        let last = inside.find(|c: char| ('@'..='~').contains(&c))?;
        return is_control(&inside[..=last]).then_some(last + 3);
    }
    if let Some(inside) = text.strip_prefix("\x1b]") {
        let end = inside.find(|c: char| c.is_control())?;
        let is_known = COMMANDS.iter().any(|beginning| inside[..end].starts_with(beginning));
        let mark = ["\x07", "\x1b\\"].into_iter().find(|mark| inside[end..].starts_with(mark))?;
        return is_known.then_some(2 + end + mark.len());
    }
    let inside = text.strip_prefix(TMUX)?;
    let end = inside.replace("\x1b\x1b", "##").find("\x1b\\")?;
    let wrapped = inside[..end].replace("\x1b\x1b", "\x1b");
    (own_sequence_len(&wrapped) == Some(wrapped.len())).then_some(TMUX.len() + end + 2)
}

fn is_control(inside: &str) -> bool {
    let style = inside.strip_suffix('m');
    if style.is_some_and(|style| style.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b';' | b':'))) {
        return true;
    }
    let digits = |text: &str| {
        let mut shape = text.replace(|c: char| c.is_ascii_digit(), "#");
        while shape.contains("##") {
            shape = shape.replace("##", "#");
        }
        shape
    };
    CONTROL.iter().any(|known| *known == inside || *known == digits(inside))
}

#[test]
fn foreign_sequences_are_found() {
    let ours = "a\x1b[12;1Hb\x1b[0;38;5;12m\x1b[>5u\x1b]2;t\x1b\\\x1b]9;New\x07\x1bPtmux;\x1b\x1b]9;x\x07\x1b\\\r\né👨‍👩‍👧";
    assert_eq!(foreign_sequences(ours.as_bytes()), Vec::<String>::new());
    for stray in [
        "\x1b[6n",
        "\x1b]52;c;eA==\x07",
        "\x1b]0;t\x07",
        "\x1bc",
        "\x1b[3J",
        "\u{9b}2J",
        "\0",
        "\x1b]8;;http://x\x07",
        "\x1b[?1h",
        "\x1bPtmux;\x1b\x1b]52;c;eA==\x07\x1b\\",
    ] {
        assert!(!foreign_sequences(format!("a{stray}b").as_bytes()).is_empty(), "{stray:?}");
    }
}
