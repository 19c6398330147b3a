//! Markdown as plain lines, for line-based output.

use super::markdown::{BlockKind, MarkdownBlock, MarkdownMark, markdown};

/// Renders Markdown as lines, without escapes or drawing.
pub fn markdown_lines(text: &str) -> Vec<String> {
    let mut page = LineRenderer::default();
    for mark in markdown(text) {
        page.render_mark(mark);
    }
    page.end_line();
    page.lines
}

#[derive(Default)]
struct LineRenderer {
    lines: Vec<String>,
    block: Option<MarkdownBlock>,
    /// The current line, if a block is open.
    line: Option<String>,
    /// Number of cells of the current table row.
    cells: usize,
}

impl LineRenderer {
    fn render_mark(&mut self, mark: MarkdownMark) {
        match mark {
            MarkdownMark::Block(block) => self.begin_block(block),
            MarkdownMark::Text { text: words, style } => {
                let is_code_block =
                    matches!(self.block, Some(MarkdownBlock { kind: BlockKind::Code(_), .. }));
                if style.code && !is_code_block {
                    self.push_text(&format!("`{words}`"));
                } else {
                    self.push_text(&words);
                }
            }
            MarkdownMark::Link { label, url } if label == url => self.push_text(&url),
            MarkdownMark::Link { label, url } => self.push_text(&format!("{label} ({url})")),
            MarkdownMark::Cell => {
                if self.cells > 0 {
                    self.push_text(" | ");
                }
                self.cells += 1;
            }
            MarkdownMark::Break => {
                self.end_line();
                self.line = Some(self.block.as_ref().map(indentation).unwrap_or_default());
            }
        }
    }

    fn push_text(&mut self, words: &str) {
        self.line.get_or_insert_default().push_str(words);
    }

    fn begin_block(&mut self, block: MarkdownBlock) {
        self.end_line();
        self.cells = 0;
        if let Some(previous) = &self.block
            && !block.continues(previous)
        {
            self.lines.push(String::new());
        }
        let first = match &block.kind {
            BlockKind::Heading(level) => {
                format!("{}{} ", indentation(&block), "#".repeat(usize::from(*level)))
            }
            BlockKind::Item(number) => {
                let outer = MarkdownBlock {
                    kind: BlockKind::Paragraph,
                    quotes: block.quotes,
                    lists: block.lists.saturating_sub(1),
                };
                let bullet = match number {
                    Some(number) => format!("{number}. "),
                    None => "- ".to_owned(),
                };
                format!("{}{bullet}", indentation(&outer))
            }
            BlockKind::Code(info) if !info.is_empty() => {
                self.lines.push(format!(
                    "{}[{info}]",
                    indentation(&MarkdownBlock { kind: BlockKind::Paragraph, ..block.clone() })
                ));
                indentation(&block)
            }
            BlockKind::Rule => format!("{}---", indentation(&block)),
            BlockKind::Code(_) | BlockKind::Paragraph | BlockKind::TableRow { .. } => indentation(&block),
        };
        self.line = Some(first);
        self.block = Some(block);
    }

    fn end_line(&mut self) {
        if let Some(line) = self.line.take() {
            self.lines.push(line.trim_end().to_owned());
        }
    }
}

/// Returns the indentation of a block's lines.
fn indentation(block: &MarkdownBlock) -> String {
    let code = if matches!(block.kind, BlockKind::Code(_)) { "    " } else { "" };
    format!("{}{}{code}", "> ".repeat(block.quotes), "  ".repeat(block.lists))
}
