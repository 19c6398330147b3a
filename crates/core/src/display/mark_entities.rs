//! Entities of Markdown that would become characters of our own marks after they were escaped.

use super::markdown::NEUTRALIZER;
use super::writer::is_of_marks;

/// Returns the text with those entities as text that would become characters of our own marks.
pub(super) fn neutralize_mark_entities(text: &str) -> String {
    let mut parts = text.split('&');
    let mut safe = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        safe.push('&');
        if part.split_once(';').is_some_and(|(name, _)| is_mark_entity(name)) {
            safe.push_str(NEUTRALIZER);
        }
        safe.push_str(part);
    }
    safe
}

fn is_mark_entity(name: &str) -> bool {
    let Some(number) = name.strip_prefix('#') else {
        return matches!(name, "lobrk" | "LeftDoubleBracket" | "robrk" | "RightDoubleBracket" | "vellip");
    };
    let code = match number.strip_prefix(['x', 'X']) {
        Some(digits) => u32::from_str_radix(digits, 16),
        None => number.parse(),
    };
    code.ok().and_then(char::from_u32).is_some_and(is_of_marks)
}
