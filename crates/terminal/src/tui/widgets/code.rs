//! Agents' code and previews as styled lines.

use super::diff;
use super::line_builder::{LineBuilder, StyledSpan};
use super::theme::StyleRole;
use sayso_core::display;

/// Returns an escaped line of code, which has a colour in a diff alone.
pub(super) fn code_line(builder: &LineBuilder<'_>, line: String, is_diff: bool) -> Vec<StyledSpan> {
    let role = if is_diff { diff::line_role(&line) } else { StyleRole::Agent };
    vec![builder.span(line, role)]
}

/// Returns the lines of a preview, without the fences of its code blocks.
pub(super) fn preview_lines(builder: &LineBuilder<'_>, text: &str) -> Vec<Vec<StyledSpan>> {
    let is_diff_outside = diff::is_diff(text);
    let mut is_diff = is_diff_outside;
    let mut code_lines = Vec::new();
    let mut open_fence: Option<String> = None;
    for line in display::escape_lines(text) {
        match &open_fence {
            Some(fence) if line.trim() == fence => {
                is_diff = is_diff_outside;
                open_fence = None;
            }
            None if let Some((mark, info)) = opening_fence(&line) => {
                is_diff = diff::is_diff_name(info);
                open_fence = Some(mark.to_owned());
            }
            _ => code_lines.push(code_line(builder, line.into_owned(), is_diff)),
        }
    }
    code_lines
}

/// Returns the marks of a fence that opens a code block, and its info string.
fn opening_fence(line: &str) -> Option<(&str, &str)> {
    let line = line.trim();
    let info = line.trim_start_matches('`');
    let (mark, info) = if info.len() < line.len() {
        line.split_at_checked(line.len() - info.len())?
    } else {
        line.split_at_checked(line.len() - line.trim_start_matches('~').len())?
    };
    let is_fence = mark.len() >= 3 && !info.contains('`');
    if is_fence { Some((mark, info.trim())) } else { None }
}

#[cfg(test)]
mod tests {
    use super::super::theme::Theme;
    use super::*;

    #[test]
    fn previews_leave_out_fences() {
        let builder = LineBuilder::new(&Theme::DARK, 40);
        let text = "Before\n```rust\nlet x = 1;\n```\n~~~diff\n+ y\n~~~\n``` is no fence` here";
        let lines = preview_lines(&builder, text);
        let style = |role| Theme::DARK.style(role);
        let shown: Vec<_> = lines.into_iter().flatten().collect();
        let expected = [
            ("Before", StyleRole::Agent),
            ("let x = 1;", StyleRole::Agent),
            ("+ y", StyleRole::Added),
            ("``` is no fence` here", StyleRole::Agent),
        ];
        assert_eq!(shown, expected.map(|(words, role)| (words.to_owned(), style(role))));
    }
}
