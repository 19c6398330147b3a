//! Any text, made safe to show: nothing in it may steer a terminal, turn the direction of writing or leave no mark;
//! what is safe stays as it is; and the work is at most linear.

#![no_main]

use libfuzzer_sys::fuzz_target;
use sayso_core::display;

/// The most bytes that one byte may become: a control character of one byte is `⟦U+0001⟧`, 12 bytes.
const LINE_GROWTH: usize = 16;
/// Markdown may put eight quotes and eight lists before each line, which may be two bytes long.
const PAGE_GROWTH: usize = 64;
/// What a short text may become, whatever its length.
const LEAST: usize = 256;

fuzz_target!(|data: &[u8]| {
    let text = String::from_utf8_lossy(data);
    one_line(&text);
    several_lines(&text);
    page(&text);
});

fn one_line(text: &str) {
    let shown = display::escape_and_count(text);
    assert_safe(&shown.text);
    assert_eq!(display::escape_line(text), shown.text);
    assert_eq!(display::escape_line(&shown.text), shown.text, "what is safe changes when it is shown again");
    assert_eq!(display::escape_and_count(&shown.text).token_count, 0, "{:?} hides something", shown.text);
    assert!(shown.text.len() <= LINE_GROWTH * text.len() + LEAST, "{} bytes", shown.text.len());
    assert!(shown.token_count <= text.chars().count());
}

fn several_lines(text: &str) {
    let lines: Vec<_> = display::escape_lines(text).collect();
    assert!(lines.len() <= text.split('\n').count());
    for line in &lines {
        assert_safe(line);
        assert_eq!(display::escape_line(line), *line, "what is safe changes when it is shown again");
    }
    let length: usize = lines.iter().map(|line| line.len()).sum();
    assert!(length <= LINE_GROWTH * text.len() + LEAST, "{length} bytes");
    let again = lines.join("\n");
    assert!(
        display::escape_lines(&again).eq(lines),
        "what is safe changes when it is shown again: {again:?}"
    );
    let counted: usize = text.split('\n').map(|line| display::escape_and_count(line).token_count).sum();
    assert!(display::count_tokens(text) <= counted);
}

/// Markdown that is shown is no Markdown that means the same, so it is not shown twice.
fn page(text: &str) {
    let lines = display::markdown_lines(text);
    lines.iter().for_each(|line| assert_safe(line));
    let length: usize = lines.iter().map(|line| line.len() + 1).sum();
    assert!(length <= PAGE_GROWTH * text.len() + LEAST, "{length} bytes");
}

/// Written down apart from the tables of `display`, so that a gap there shows here.
fn assert_safe(line: &str) {
    let mut before = None;
    let mut chars = line.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            // Inside an emoji, and to choose between its looks.
            '\u{200d}' => {
                assert!(before.is_some_and(|c| !is_letter(c)), "a joiner after {before:?} in {line:?}");
                assert!(chars.peek().is_some_and(|c| !is_letter(*c)), "a joiner before nothing in {line:?}");
            }
            '\u{fe0e}' | '\u{fe0f}' => assert!(
                before.is_some_and(|c: char| c.is_ascii_digit() || !is_letter(c)),
                "a selector after {before:?} in {line:?}"
            ),
            _ => assert!(!steers(c) && !leaves_no_mark(c), "{c:?} in {line:?}"),
        }
        before = Some(c);
    }
}

fn is_letter(c: char) -> bool {
    c.is_alphanumeric() || c.is_whitespace()
}

/// Control characters, line breaks, and what turns the direction of writing.
fn steers(c: char) -> bool {
    let turns =
        matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    c.is_control() || turns || matches!(c, '\u{2028}' | '\u{2029}')
}

fn leaves_no_mark(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{34f}' | '\u{115f}' | '\u{1160}' | '\u{180e}' | '\u{200b}' | '\u{200c}' | '\u{2060}'..='\u{2064}'
        | '\u{2800}' | '\u{3164}' | '\u{feff}' | '\u{ffa0}' | '\u{e0000}'..='\u{e0fff}')
}
