//! Layout of an agent's Markdown into rows. It is displayed only, never run.

use super::line_builder::{LineBuilder, StyledSpan, display_width};
use super::theme::StyleRole;
use ratatui::style::Modifier;
use sayso_core::display::{self, BlockKind, MarkdownMark};

/// Lays a text out behind the gutter.
pub(crate) fn push_blocks(builder: &mut LineBuilder<'_>, indent: usize, text: &str) {
    let gutter = builder.gutter(indent);
    let mut page = MarkdownLayouter {
        builder,
        gutter,
        line: Vec::new(),
        continuation: Vec::new(),
        kind: None,
        is_open: false,
    };
    for mark in display::markdown(text) {
        page.push_mark(mark);
    }
    page.end_row();
}

/// Markdown block layouter.
struct MarkdownLayouter<'p, 't> {
    builder: &'p mut LineBuilder<'t>,
    gutter: Vec<StyledSpan>,
    line: Vec<StyledSpan>,
    /// Prefix of continuation rows.
    continuation: Vec<StyledSpan>,
    kind: Option<BlockKind>,
    is_open: bool,
}

impl MarkdownLayouter<'_, '_> {
    fn push_mark(&mut self, mark: MarkdownMark) {
        match mark {
            MarkdownMark::Block(block) => self.begin_block(block),
            MarkdownMark::Text { text: words, style } => {
                let mut look = self.builder.theme.style(StyleRole::Agent);
                if style.emphasis {
                    look = look.add_modifier(Modifier::ITALIC);
                }
                if style.strong || matches!(self.kind, Some(BlockKind::Heading(_))) {
                    look = look.add_modifier(Modifier::BOLD);
                }
                let in_block = matches!(self.kind, Some(BlockKind::Code(_)));
                let words = if style.code && !in_block { format!("`{words}`") } else { words };
                self.line.push((words, look));
            }
            MarkdownMark::Link { label, url } => {
                let words = if label == url { url } else { format!("{label} ({url})") };
                let look = self.builder.theme.style(StyleRole::Agent).add_modifier(Modifier::UNDERLINED);
                self.line.push((words, look));
            }
            MarkdownMark::Break => {
                self.end_row();
                self.is_open = true;
            }
        }
    }

    fn begin_block(&mut self, block: display::MarkdownBlock) {
        self.end_row();
        let is_item = |kind: &BlockKind| matches!(kind, BlockKind::Item(_));
        if self.kind.as_ref().is_some_and(|last| !is_item(last) || !is_item(&block.kind)) {
            let gutter = self.gutter.clone();
            self.builder.push_row(gutter);
        }
        let quotes = "> ".repeat(block.quotes);
        let depth = "  ".repeat(block.lists.saturating_sub(usize::from(is_item(&block.kind))));
        let mark = match &block.kind {
            BlockKind::Item(None) => "- ".to_owned(),
            BlockKind::Item(Some(number)) => format!("{number}. "),
            BlockKind::Code(_) => "  ".to_owned(),
            BlockKind::Rule => "* * *".to_owned(),
            BlockKind::Paragraph | BlockKind::Heading(_) => String::new(),
        };
        let hang = " ".repeat(display_width(&mark));
        let agent = |builder: &LineBuilder<'_>, words: String| builder.span(words, StyleRole::Agent);
        self.line = vec![agent(self.builder, format!("{quotes}{depth}{mark}"))];
        self.continuation = vec![agent(self.builder, format!("{quotes}{depth}{hang}"))];
        self.kind = Some(block.kind);
        self.is_open = true;
    }

    fn end_row(&mut self) {
        if !std::mem::take(&mut self.is_open) {
            return;
        }
        let line = std::mem::take(&mut self.line);
        let mut then = self.gutter.clone();
        then.extend(self.continuation.iter().cloned());
        self.builder.push_wrapped(&self.gutter, &then, line);
        // The next row of the same block is indented to this one's text.
        self.line.clone_from(&self.continuation);
    }
}
