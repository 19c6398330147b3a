//! Wrapping and cutting of text, in columns of the screen.

use super::line_builder::StyledSpan;
use ratatui::style::Style;
use unicode_segmentation::UnicodeSegmentation as _;
use unicode_width::UnicodeWidthStr as _;

/// Returns the number of columns that a text takes.
pub(crate) fn display_width(words: &str) -> usize {
    words.width()
}

/// Returns the number of columns that spans take.
pub(crate) fn spans_width(spans: &[StyledSpan]) -> usize {
    spans.iter().map(|(words, _)| display_width(words)).sum()
}

/// Truncates a text to a number of columns, with an ellipsis. The cost depends on what fits, not on the text's length.
pub(crate) fn truncate_to_width(words: &str, columns: usize, sign: &str) -> String {
    let room = columns.saturating_sub(display_width(sign)).max(1);
    let mut used = 0;
    let mut end = 0;
    for (at, grapheme) in words.grapheme_indices(true) {
        used += display_width(grapheme);
        // A grapheme wider than the whole room is kept alone.
        if used <= room || at == 0 {
            end = at + grapheme.len();
        }
        if used > columns {
            let cut = words.get(..end).unwrap_or_default().to_owned() + sign;
            return if display_width(&cut) > columns { " ".repeat(columns) } else { cut };
        }
    }
    words.to_owned()
}

/// Truncates the beginning of a text to a number of columns: for folders, which differ at their ends.
pub(crate) fn truncate_start(words: &str, columns: usize, sign: &str) -> String {
    if display_width(words) <= columns {
        return words.to_owned();
    }
    let room = columns.saturating_sub(display_width(sign));
    let mut used = 0;
    let mut start = words.len();
    for (at, grapheme) in words.grapheme_indices(true).rev() {
        used += display_width(grapheme);
        if used > room {
            break;
        }
        start = at;
    }
    let cut = sign.to_owned() + words.get(start..).unwrap_or_default();
    if display_width(&cut) > columns { " ".repeat(columns) } else { cut }
}

/// Returns the part of a line of spans between two columns. A wide character at either edge becomes a space.
pub(crate) fn columns_between(spans: &[StyledSpan], from: usize, to: usize) -> Vec<StyledSpan> {
    let mut part = vec![Vec::new()];
    let mut at = 0;
    for (words, style) in spans {
        for grapheme in words.graphemes(true) {
            let end = at + display_width(grapheme);
            if at >= from && end <= to {
                push_span(&mut part, grapheme, *style);
            } else if end > from && at < to {
                push_span(&mut part, &" ".repeat(end.min(to) - at.max(from)), *style);
            }
            at = end;
        }
    }
    part.pop().unwrap_or_default()
}

/// Splits a line of spans into parts of at most `room` columns.
pub(super) fn split_spans_to_width(spans: &[StyledSpan], room: usize) -> Vec<Vec<StyledSpan>> {
    let room = room.max(1);
    let mut parts = vec![Vec::new()];
    let mut used = 0;
    for (words, style) in spans {
        for grapheme in words.graphemes(true) {
            let width = display_width(grapheme);
            if used + width > room && used > 0 {
                parts.push(Vec::new());
                used = 0;
            }
            push_span(&mut parts, grapheme, *style);
            used += width;
        }
    }
    parts
}

/// Splits a line into parts of at most `room` columns.
pub(super) fn split_to_width(line: &str, room: usize) -> Vec<String> {
    let room = room.max(1);
    let mut parts = vec![String::new()];
    let mut used = 0;
    for grapheme in line.graphemes(true) {
        let width = display_width(grapheme);
        if used + width > room && used > 0 {
            parts.push(String::new());
            used = 0;
        }
        if let Some(part) = parts.last_mut() {
            part.push_str(grapheme);
        }
        used += width;
    }
    parts
}

/// Wraps spans into rows at word boundaries, or inside words that are too wide for a row.
///
/// The first row has a room of its own, in columns; no row has less than 4.
pub(super) fn wrap_spans(
    spans: Vec<StyledSpan>,
    first_room: usize,
    other_room: usize,
) -> Vec<Vec<StyledSpan>> {
    let other_room = other_room.max(4);
    let mut room = first_room.max(4);
    if spans_width(&spans) <= room {
        return vec![spans];
    }
    let mut rows: Vec<Vec<StyledSpan>> = vec![Vec::new()];
    let mut used = 0;
    for (words, style) in &spans {
        for word in breakable_parts(words) {
            let width = display_width(word);
            let is_space = word.trim().is_empty();
            if used + width > room && used > 0 && !is_space {
                trim_end(&mut rows);
                rows.push(Vec::new());
                room = other_room;
                used = 0;
            }
            // No row ends with a space that does not fit, and none but the first begins with one.
            if is_space && (used + width > room || (used == 0 && rows.len() > 1)) {
                continue;
            }
            if width <= room {
                push_span(&mut rows, word, *style);
                used += width;
                continue;
            }
            for (index, part) in split_to_width(word, room).into_iter().enumerate() {
                if index > 0 {
                    rows.push(Vec::new());
                    room = other_room;
                    used = 0;
                }
                used += display_width(&part);
                push_span(&mut rows, &part, *style);
            }
        }
    }
    rows
}

/// Splits a text at possible row ends: words, spaces, and letters of scripts without spaces. No row begins with closing
/// punctuation or ends with an opening bracket.
pub(super) fn breakable_parts(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut start = 0;
    let mut last = "";
    for (at, grapheme) in text.grapheme_indices(true) {
        if at > start && may_break_between(last, grapheme) {
            parts.extend(text.get(start..at));
            start = at;
        }
        last = grapheme;
    }
    if start < text.len() {
        parts.extend(text.get(start..));
    }
    parts
}

fn may_break_between(last: &str, next: &str) -> bool {
    if last.trim().is_empty() || next.trim().is_empty() {
        return true;
    }
    let has_wide = display_width(last) > 1 || display_width(next) > 1;
    has_wide && !"，。、！？：；）」』】》…”".contains(next) && !"（「『【《“".contains(last)
}

pub(super) fn push_span(rows: &mut [Vec<StyledSpan>], words: &str, style: Style) {
    let Some(row) = rows.last_mut() else { return };
    match row.last_mut() {
        Some((last, look)) if *look == style => last.push_str(words),
        _ => row.push((words.to_owned(), style)),
    }
}

pub(super) fn trim_end(rows: &mut [Vec<StyledSpan>]) {
    if let Some((words, _)) = rows.last_mut().and_then(|row| row.last_mut()) {
        words.truncate(words.trim_end().len());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_keep_their_ends() {
        assert_eq!(truncate_start("~/work/api", 10, "…"), "~/work/api");
        assert_eq!(truncate_start("~/work/api", 8, "…"), "…ork/api");
        assert_eq!(truncate_start("~/工作/接口", 6, "…"), "…/接口");
        assert_eq!(truncate_start("~/工作", 1, "…"), "…");
    }

    #[test]
    fn rows_may_end_between_scripts() {
        assert_eq!(breakable_parts("上、j、k：移动"), ["上、", "j、", "k：", "移", "动"]);
        assert_eq!(breakable_parts("按 Esc（或q）"), ["按", " ", "Esc", "（或", "q）"]);
        assert_eq!(breakable_parts("two words"), ["two", " ", "words"]);
    }

    #[test]
    fn wide_letters_are_not_halved() {
        let spans = [("字a字".to_owned(), Style::new())];
        let part = |from, to| -> String {
            columns_between(&spans, from, to).into_iter().map(|(words, _)| words).collect()
        };
        assert_eq!([part(0, 5), part(1, 4), part(2, 3), part(4, 9)], ["字a字", " a ", "a", " "]);
    }
}
