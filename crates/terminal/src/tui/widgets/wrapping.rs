//! Wrapping and cutting of text, in columns of the screen.

use super::line_builder::StyledSpan;
use ratatui::style::Style;
use unicode_segmentation::UnicodeSegmentation as _;
use unicode_width::UnicodeWidthStr as _;

/// Returns the number of columns that a text takes.
pub(crate) fn display_width(words: &str) -> usize {
    words.width()
}

/// Truncates a text to a number of columns, with an ellipsis. The cost depends on what fits, not on the text's length.
pub(crate) fn truncate_to_width(words: &str, columns: usize, sign: &str) -> String {
    let room = columns.saturating_sub(display_width(sign)).max(1);
    let (mut taken, mut fits) = (0, 0);
    for (at, grapheme) in words.grapheme_indices(true) {
        taken += display_width(grapheme);
        // A grapheme wider than the whole room is kept alone.
        if taken <= room || at == 0 {
            fits = at + grapheme.len();
        }
        if taken > columns {
            let fit = words.get(..fits).unwrap_or_default().to_owned() + sign;
            return if display_width(&fit) > columns { " ".repeat(columns) } else { fit };
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
    let (mut taken, mut start) = (0, words.len());
    for (at, grapheme) in words.grapheme_indices(true).rev() {
        taken += display_width(grapheme);
        if taken > room {
            break;
        }
        start = at;
    }
    let fit = sign.to_owned() + words.get(start..).unwrap_or_default();
    if display_width(&fit) > columns { " ".repeat(columns) } else { fit }
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
    let (mut parts, mut taken) = (vec![Vec::new()], 0);
    for (words, style) in spans {
        for grapheme in words.graphemes(true) {
            let wide = display_width(grapheme);
            if taken + wide > room && taken > 0 {
                parts.push(Vec::new());
                taken = 0;
            }
            push_span(&mut parts, grapheme, *style);
            taken += wide;
        }
    }
    parts
}

/// Splits a line into parts of at most `room` columns.
pub(super) fn split_to_width(line: &str, room: usize) -> Vec<String> {
    let room = room.max(1);
    let (mut parts, mut taken) = (vec![String::new()], 0);
    for grapheme in line.graphemes(true) {
        let wide = display_width(grapheme);
        if taken + wide > room && taken > 0 {
            parts.push(String::new());
            taken = 0;
        }
        if let Some(part) = parts.last_mut() {
            part.push_str(grapheme);
        }
        taken += wide;
    }
    parts
}

/// Wraps spans into rows at word boundaries, or inside words that are too wide for a row.
pub(super) fn wrap_spans(spans: Vec<StyledSpan>, first: usize, then: usize) -> Vec<Vec<StyledSpan>> {
    let (first, then) = (first.max(4), then.max(4));
    if spans.iter().map(|(words, _)| display_width(words)).sum::<usize>() <= first {
        return vec![spans];
    }
    let mut rows: Vec<Vec<StyledSpan>> = vec![Vec::new()];
    let (mut room, mut taken) = (first, 0);
    for (words, style) in &spans {
        for word in breakable_parts(words) {
            let wide = display_width(word);
            if taken + wide > room && taken > 0 && !word.trim().is_empty() {
                trim_end(&mut rows);
                rows.push(Vec::new());
                (room, taken) = (then, 0);
            }
            if word.trim().is_empty() && (taken + wide > room || (taken == 0 && rows.len() > 1)) {
                continue;
            }
            if wide <= room {
                push_span(&mut rows, word, *style);
                taken += wide;
                continue;
            }
            for (at, part) in split_to_width(word, room).into_iter().enumerate() {
                if at > 0 {
                    rows.push(Vec::new());
                    (room, taken) = (then, 0);
                }
                taken += display_width(&part);
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
    let (mut start, mut last) = (0, "");
    for (at, grapheme) in text.grapheme_indices(true) {
        let is_wide = |grapheme: &str| display_width(grapheme) > 1;
        let is_space = |grapheme: &str| grapheme.trim().is_empty();
        let is_closing = "，。、！？：；）」』】》…”".contains(grapheme);
        let is_opened = "（「『【《“".contains(last);
        let parts_here = (is_wide(grapheme) || is_wide(last)) && !is_closing && !is_opened;
        if at > start && (is_space(grapheme) || is_space(last) || parts_here) {
            parts.extend(text.get(start..at));
            start = at;
        }
        last = grapheme;
    }
    parts.extend(text.get(start..).filter(|part| !part.is_empty()));
    parts
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
