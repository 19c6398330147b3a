//! Agents' text as rows: escaped, and each row behind the gutter. Nothing in it can imitate a frame of ours.

use super::code;
use super::layout_cache::LayoutKind;
use super::line_builder::{LineBuilder, StyledSpan, display_width, spans_width};
use super::markdown;
use super::theme::StyleRole;
use super::wrapping::{columns_between, split_spans_to_width};
use sayso_core::i18n::exact_lines;
use sayso_core::{Lang, display};

impl LineBuilder<'_> {
    /// Adds an agent's text, each row behind the gutter.
    pub(crate) fn push_agent(&mut self, indent: usize, text: &str, role: StyleRole) {
        self.push_cached(LayoutKind::Lines(role), indent, text, |builder| {
            let prefix = builder.gutter(indent);
            for line in display::escape_lines(text) {
                let words = vec![builder.span(line, role)];
                builder.push_wrapped(&prefix, &prefix, words);
            }
        });
    }

    /// Adds an agent's text on one line behind these spans. Continuation rows go behind the gutter.
    pub(crate) fn push_agent_after(&mut self, prefix: &[StyledSpan], text: &str, role: StyleRole) {
        let indent = spans_width(prefix);
        self.push_cached(LayoutKind::Prefixed(prefix.to_vec(), role), indent, text, |builder| {
            let other_prefix = builder.continuation_gutter(indent);
            let words = builder.span(display::escape_line(text), role);
            builder.push_wrapped(prefix, &other_prefix, vec![words]);
        });
    }

    /// Adds exact data, every character of it; a diff in its colours. Rows that continue a line are marked.
    pub(crate) fn push_exact(&mut self, indent: usize, text: &str, is_diff: bool, lang: Lang) {
        self.push_cached(LayoutKind::Exact { is_diff, lang }, indent, text, |builder| {
            let mut first_prefix = builder.gutter(indent);
            let mut other_prefix = first_prefix.clone();
            first_prefix.push(builder.span(" ", StyleRole::Faint));
            other_prefix.push(builder.span(">", StyleRole::Warning));
            let room = builder.columns.saturating_sub(spans_width(&first_prefix));
            for line in exact_lines(text, lang) {
                let line = code::code_line(builder, line.into_owned(), is_diff);
                for (index, part) in split_spans_to_width(&line, room).into_iter().enumerate() {
                    let prefix = if index == 0 { &first_prefix } else { &other_prefix };
                    builder.push_row(prefix.iter().cloned().chain(part).collect());
                }
            }
        });
    }

    /// Adds the preview of an option from a column on: lines are cut, never wrapped, so that drawings keep their
    /// shape. Fences of code blocks are left out.
    pub(crate) fn push_preview(&mut self, text: &str, from: usize) {
        self.push_cached(LayoutKind::Preview(from), 0, text, |builder| {
            let prefix = builder.gutter(0);
            let room = builder.columns.saturating_sub(spans_width(&prefix));
            for line in code::preview_lines(builder, text) {
                let is_cut = spans_width(&line) > from + room;
                let mut row = prefix.clone();
                row.extend(columns_between(&line, from, from + room - usize::from(is_cut)));
                if is_cut {
                    let fill = " ".repeat(builder.columns.saturating_sub(spans_width(&row) + 1));
                    let arrow = builder.theme.symbols.right;
                    row.push(builder.span(format!("{fill}{arrow}"), StyleRole::Warning));
                }
                builder.push_row(row);
            }
        });
    }

    /// Adds an agent's Markdown behind the gutter; it is displayed only, never run.
    pub(crate) fn push_markdown(&mut self, indent: usize, text: &str) {
        self.push_cached(LayoutKind::Markdown { is_prompt: false }, indent, text, |builder| {
            markdown::push_blocks(builder, indent, text, false);
        });
    }

    /// Adds a question's prompt: Markdown in bold.
    pub(crate) fn push_prompt(&mut self, indent: usize, text: &str) {
        self.push_cached(LayoutKind::Markdown { is_prompt: true }, indent, text, |builder| {
            markdown::push_blocks(builder, indent, text, true);
        });
    }
}

/// Returns the number of columns of the widest line of a preview.
pub(crate) fn preview_columns(text: &str) -> usize {
    display::escape_lines(text).map(|line| display_width(&line)).max().unwrap_or_default()
}
