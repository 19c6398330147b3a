//! Markdown as plain lines, for line-based output.

use super::markdown::{Block, Kind, Mark, markdown};

/// Renders Markdown as lines, without escapes or drawing.
pub fn markdown_lines(text: &str) -> Vec<String> {
    let mut page = Page::default();
    for mark in markdown(text) {
        page.put(mark);
    }
    page.end_line();
    page.lines
}

#[derive(Default)]
struct Page {
    lines: Vec<String>,
    block: Option<Block>,
    /// The current line, if a block is open.
    line: Option<String>,
}

impl Page {
    fn put(&mut self, mark: Mark) {
        match mark {
            Mark::Block(block) => self.begin(block),
            Mark::Text { words, style } => {
                let is_code_block =
                    self.block.as_ref().is_some_and(|block| matches!(block.kind, Kind::Code(_)));
                if style.code && !is_code_block {
                    self.say(&format!("`{words}`"));
                } else {
                    self.say(&words);
                }
            }
            Mark::Link { label, url } if label == url => self.say(&url),
            Mark::Link { label, url } => self.say(&format!("{label} ({url})")),
            Mark::Break => {
                self.end_line();
                self.line = Some(self.block.as_ref().map(indent).unwrap_or_default());
            }
        }
    }

    fn say(&mut self, words: &str) {
        self.line.get_or_insert_default().push_str(words);
    }

    fn begin(&mut self, block: Block) {
        self.end_line();
        let is_item = |block: &Block| matches!(block.kind, Kind::Item(_));
        if self.block.as_ref().is_some_and(|last| !is_item(last) || !is_item(&block)) {
            self.lines.push(String::new());
        }
        let first = match &block.kind {
            Kind::Heading(level) => format!("{}{} ", indent(&block), "#".repeat(usize::from(*level))),
            Kind::Item(number) => {
                let outer = Block {
                    kind: Kind::Paragraph,
                    quotes: block.quotes,
                    lists: block.lists.saturating_sub(1),
                };
                let bullet = number.map_or_else(|| "- ".to_owned(), |number| format!("{number}. "));
                format!("{}{bullet}", indent(&outer))
            }
            Kind::Code(info) if !info.is_empty() => {
                self.lines
                    .push(format!("{}[{info}]", indent(&Block { kind: Kind::Paragraph, ..block.clone() })));
                indent(&block)
            }
            Kind::Rule => format!("{}---", indent(&block)),
            Kind::Code(_) | Kind::Paragraph => indent(&block),
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
fn indent(block: &Block) -> String {
    let code = if matches!(block.kind, Kind::Code(_)) { "    " } else { "" };
    format!("{}{}{code}", "> ".repeat(block.quotes), "  ".repeat(block.lists))
}
