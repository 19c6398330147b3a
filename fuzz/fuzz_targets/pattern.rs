//! A pattern from its first line, matched with the other lines. libFuzzer ends whatever takes too long.

#![no_main]

use libfuzzer_sys::fuzz_target;
use sayso_core::pattern::{MatchResult, Pattern, budget};

fuzz_target!(|data: &[u8]| {
    let input = String::from_utf8_lossy(data);
    let (source, text) = input.split_once('\n').unwrap_or((&input, ""));
    literally(text);
    let Ok(pattern) = Pattern::compile(source) else { return };
    assert_eq!(pattern.source(), source);
    let matched = pattern.matches(text);
    assert_eq!(pattern.matches(text), matched, "the same match comes out differently");
    assert_eq!(pattern.clone().matches(text), matched, "a copy matches differently");
    // A group, and a look ahead from somewhere, match wherever the pattern itself does. They take other ways through
    // the translation and the engines.
    same(text, matched, &format!("(?:{source})"));
    same(text, matched, &format!("(?={source})"));
});

/// A text written letter by letter matches itself.
fn literally(text: &str) {
    let source: String = text.chars().take(80).map(|c| format!("\\u{{{:x}}}", u32::from(c))).collect();
    assert!(source.chars().count() <= budget::PATTERN_CHARS);
    let pattern = Pattern::compile(&source).expect("letters are a pattern");
    assert_eq!(pattern.matches(text), MatchResult::Yes, "{source} does not match {text:?}");
}

/// Another way to write a pattern finds the same, where neither costs too much.
fn same(text: &str, matched: MatchResult, source: &str) {
    let Ok(pattern) = Pattern::compile(source) else { return };
    let other = pattern.matches(text);
    let is_known = matched != MatchResult::TooCostly && other != MatchResult::TooCostly;
    assert!(!is_known || other == matched, "alone {matched:?}, as {source:?} {other:?}, with {text:?}");
}
