//! Layout of an agent's Markdown into rows. It is displayed only, never run.

use super::code;
use super::diff;
use super::line_builder::{LineBuilder, StyledSpan, display_width};
use super::table::TableLayouter;
use super::theme::StyleRole;
use ratatui::style::Modifier;
use sayso_core::display::{self, BlockKind, MarkdownBlock, MarkdownMark, TextStyle};

/// Lays a text out behind the gutter. A prompt is bold.
pub(super) fn push_blocks(builder: &mut LineBuilder<'_>, indent: usize, text: &str, is_prompt: bool) {
    let gutter = builder.gutter(indent);
    let mut page = MarkdownLayouter {
        builder,
        gutter,
        is_prompt,
        line: Vec::new(),
        continuation: Vec::new(),
        block: None,
        is_open: false,
        code: Vec::new(),
        table: TableLayouter::default(),
    };
    for mark in display::markdown(text) {
        page.push_mark(mark);
    }
    page.end_block();
}

/// Markdown block layouter.
struct MarkdownLayouter<'p, 't> {
    builder: &'p mut LineBuilder<'t>,
    gutter: Vec<StyledSpan>,
    is_prompt: bool,
    line: Vec<StyledSpan>,
    /// Prefix of continuation rows.
    continuation: Vec<StyledSpan>,
    block: Option<MarkdownBlock>,
    is_open: bool,
    /// Lines of the code block.
    code: Vec<String>,
    /// Rows of the table.
    table: TableLayouter,
}

impl MarkdownLayouter<'_, '_> {
    fn push_mark(&mut self, mark: MarkdownMark) {
        let in_code = matches!(self.kind(), Some(BlockKind::Code(_)));
        match mark {
            MarkdownMark::Block(block) => self.begin_block(block),
            MarkdownMark::Text { text, .. } if in_code => {
                if let Some(line) = self.code.last_mut() {
                    line.push_str(&text);
                }
            }
            MarkdownMark::Break if in_code => self.code.push(String::new()),
            MarkdownMark::Text { text, style } => {
                let span = self.text_span(text, style);
                self.line.push(span);
            }
            MarkdownMark::Link { label, url } => {
                let words = if label == url { url } else { format!("{label} ({url})") };
                let look = self.builder.theme.style(StyleRole::Agent).add_modifier(Modifier::UNDERLINED);
                self.line.push((words, look));
            }
            MarkdownMark::Cell => self.end_cell(),
            MarkdownMark::Break => {
                self.end_row();
                self.is_open = true;
            }
        }
    }

    fn kind(&self) -> Option<&BlockKind> {
        self.block.as_ref().map(|block| &block.kind)
    }

    fn text_span(&self, words: String, style: TextStyle) -> StyledSpan {
        let theme = self.builder.theme;
        let is_bold = style.strong
            || self.is_prompt
            || matches!(self.kind(), Some(BlockKind::Heading(_) | BlockKind::TableRow { is_head: true }));
        let plain = theme.style(StyleRole::Agent);
        let code = theme.style(StyleRole::Code);
        // Code without a colour of its own keeps its marks.
        let words = if style.code && code == plain { format!("`{words}`") } else { words };
        let mut look = if style.code { code } else { plain };
        if style.emphasis {
            look = look.add_modifier(Modifier::ITALIC);
        }
        if is_bold {
            look = look.add_modifier(Modifier::BOLD);
        }
        (words, look)
    }

    fn begin_block(&mut self, block: MarkdownBlock) {
        match &self.block {
            Some(last) if block.continues(last) && matches!(block.kind, BlockKind::TableRow { .. }) => {
                self.end_cell();
            }
            Some(last) => {
                let continues = block.continues(last);
                self.end_block();
                if !continues {
                    let gutter = self.gutter.clone();
                    self.builder.push_row(gutter);
                }
            }
            None => {}
        }
        let quote_mark = format!("{} ", self.builder.theme.symbols.separator).repeat(block.quotes);
        let quote = self.builder.span(quote_mark, StyleRole::Faint);
        let is_item = matches!(block.kind, BlockKind::Item(_));
        let depth = "  ".repeat(block.lists.saturating_sub(usize::from(is_item)));
        let mark = match &block.kind {
            BlockKind::Item(None) => "- ".to_owned(),
            BlockKind::Item(Some(number)) => format!("{number}. "),
            BlockKind::Code(_) => "  ".to_owned(),
            BlockKind::Rule => "* * *".to_owned(),
            BlockKind::Paragraph | BlockKind::Heading(_) | BlockKind::TableRow { .. } => String::new(),
        };
        let hang = " ".repeat(display_width(&mark));
        let first_indent = self.builder.span(format!("{depth}{mark}"), StyleRole::Agent);
        let other_indent = self.builder.span(format!("{depth}{hang}"), StyleRole::Agent);
        self.line = vec![quote.clone(), first_indent];
        self.continuation = vec![quote, other_indent];
        match block.kind {
            BlockKind::Code(_) => self.code.push(String::new()),
            BlockKind::TableRow { is_head } => {
                self.table.begin_row(is_head);
                self.line.clear();
            }
            _ => self.is_open = true,
        }
        self.block = Some(block);
    }

    /// Ends the cell of a table that is under construction.
    fn end_cell(&mut self) {
        let cell = std::mem::take(&mut self.line);
        self.table.push_cell(cell);
    }

    fn end_row(&mut self) {
        if !std::mem::take(&mut self.is_open) {
            return;
        }
        let line = std::mem::take(&mut self.line);
        let other_prefix = self.prefix();
        self.builder.push_wrapped(&self.gutter, &other_prefix, line);
        // The next row of the same block is indented to this one's text.
        self.line.clone_from(&self.continuation);
    }

    /// Returns the gutter and the indentation of the block.
    fn prefix(&self) -> Vec<StyledSpan> {
        self.gutter.iter().chain(&self.continuation).cloned().collect()
    }

    fn end_block(&mut self) {
        match self.block.as_ref().map(|block| &block.kind) {
            Some(BlockKind::Code(info)) => {
                let prefix = self.prefix();
                let lines = std::mem::take(&mut self.code);
                let is_diff = diff::is_diff_name(info) || diff::is_diff(&lines.join("\n"));
                for line in lines {
                    let line = code::code_line(self.builder, line, is_diff);
                    self.builder.push_wrapped(&prefix, &prefix, line);
                }
            }
            Some(BlockKind::TableRow { .. }) => {
                let prefix = self.prefix();
                self.end_cell();
                std::mem::take(&mut self.table).lay_out(self.builder, &prefix);
            }
            _ => self.end_row(),
        }
    }
}
