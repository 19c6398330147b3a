//! Agents' code and previews as styled lines.

use super::line_builder::{LineBuilder, StyledSpan};
use super::syntax::{self, Language};
use super::theme::StyleRole;
use sayso_core::display;

/// Returns escaped lines in the colours of a language. Lines without a language, and blocks that are too long, are
/// plain.
pub(super) fn coloured_lines(
    builder: &LineBuilder<'_>,
    lines: &[String],
    language: Option<Language>,
) -> Vec<Vec<StyledSpan>> {
    let bytes: usize = lines.iter().map(String::len).sum();
    let Some(language) = language.filter(|_| bytes <= syntax::MAX_BYTES) else {
        return lines.iter().map(|line| vec![builder.span(line.as_str(), StyleRole::Agent)]).collect();
    };
    let spans = |line: Vec<(&str, StyleRole)>| {
        line.into_iter().map(|(words, role)| builder.span(words, role)).collect()
    };
    syntax::highlight(language, lines).into_iter().map(spans).collect()
}

/// Returns the lines of a preview, without the fences of its code blocks.
pub(super) fn preview_lines(builder: &LineBuilder<'_>, text: &str) -> Vec<Vec<StyledSpan>> {
    let lines = display::escape_lines(text).map(|line| display::replace_drawing_characters(&line));
    let mut shown = Vec::new();
    let mut block: Vec<String> = Vec::new();
    let mut language = Language::of_diff(text);
    let outside = language;
    let mut fence: Option<String> = None;
    for line in lines {
        let is_end = fence.as_deref().is_some_and(|fence| line.trim() == fence);
        match opening_fence(&line).filter(|_| fence.is_none()) {
            Some((mark, info)) => {
                shown.extend(coloured_lines(builder, &std::mem::take(&mut block), language));
                language = Language::from_name(info);
                fence = Some(mark.to_owned());
            }
            None if is_end => {
                shown.extend(coloured_lines(builder, &std::mem::take(&mut block), language));
                language = outside;
                fence = None;
            }
            None => block.push(line),
        }
    }
    shown.extend(coloured_lines(builder, &block, language));
    shown
}

/// Returns the marks of a fence that opens a code block, and its language.
fn opening_fence(line: &str) -> Option<(&str, &str)> {
    let line = line.trim();
    let info = line.trim_start_matches('`');
    let (mark, info) = if info.len() < line.len() {
        line.split_at_checked(line.len() - info.len())?
    } else {
        line.split_at_checked(line.len() - line.trim_start_matches('~').len())?
    };
    (mark.len() >= 3 && !info.contains('`')).then_some((mark, info.trim()))
}

#[cfg(test)]
mod tests {
    use super::super::theme::Theme;
    use super::*;

    #[test]
    fn previews_leave_out_fences() {
        let builder = LineBuilder::new(&Theme::DARK, 40);
        let text = "Before\n```rust\nlet x = 1;\n```\n~~~\n+ y\n~~~\n``` is no fence` here";
        let lines = preview_lines(&builder, text);
        let shown: Vec<String> =
            lines.iter().map(|line| line.iter().map(|(words, _)| words.as_str()).collect()).collect();
        assert_eq!(shown, ["Before", "let x = 1;", "+ y", "``` is no fence` here"]);
        assert_eq!(lines[1][0], ("let".to_owned(), Theme::DARK.style(StyleRole::Keyword)));
        assert_eq!(lines[2].len(), 1, "no language, no colours");
    }
}
