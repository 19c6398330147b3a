//! Layout of an agent's Markdown into rows. It is displayed only, never run.

use super::paper::{Paper, Span, width};
use super::theme::Role;
use ratatui::style::Modifier;
use sayso_core::display::{self, Kind, Mark};

/// Lays a text out behind the gutter.
pub(super) fn set(builder: &mut Paper<'_>, indent: usize, text: &str) {
    let gutter = builder.gutter(indent);
    let mut page = Page { builder, gutter, line: Vec::new(), then: Vec::new(), kind: None, is_open: false };
    for mark in display::markdown(text) {
        page.put(mark);
    }
    page.end();
}

/// Markdown block layouter.
struct Page<'p, 't> {
    builder: &'p mut Paper<'t>,
    gutter: Vec<Span>,
    line: Vec<Span>,
    /// Prefix of continuation rows.
    then: Vec<Span>,
    kind: Option<Kind>,
    is_open: bool,
}

impl Page<'_, '_> {
    fn put(&mut self, mark: Mark) {
        match mark {
            Mark::Block(block) => self.begin(block),
            Mark::Text { words, style } => {
                let mut look = self.builder.theme.style(Role::Agent);
                if style.emphasis {
                    look = look.add_modifier(Modifier::ITALIC);
                }
                if style.strong || matches!(self.kind, Some(Kind::Heading(_))) {
                    look = look.add_modifier(Modifier::BOLD);
                }
                let in_block = matches!(self.kind, Some(Kind::Code(_)));
                let words = if style.code && !in_block { format!("`{words}`") } else { words };
                self.line.push((words, look));
            }
            Mark::Link { label, url } => {
                let words = if label == url { url } else { format!("{label} ({url})") };
                let look = self.builder.theme.style(Role::Agent).add_modifier(Modifier::UNDERLINED);
                self.line.push((words, look));
            }
            Mark::Break => {
                self.end();
                self.is_open = true;
            }
        }
    }

    fn begin(&mut self, block: display::Block) {
        self.end();
        let is_item = |kind: &Kind| matches!(kind, Kind::Item(_));
        if self.kind.as_ref().is_some_and(|last| !is_item(last) || !is_item(&block.kind)) {
            let gutter = self.gutter.clone();
            self.builder.row(gutter);
        }
        let quotes = "> ".repeat(block.quotes);
        let depth = "  ".repeat(block.lists.saturating_sub(usize::from(is_item(&block.kind))));
        let mark = match &block.kind {
            Kind::Item(None) => "- ".to_owned(),
            Kind::Item(Some(number)) => format!("{number}. "),
            Kind::Code(_) => "  ".to_owned(),
            Kind::Rule => "* * *".to_owned(),
            Kind::Paragraph | Kind::Heading(_) => String::new(),
        };
        let hang = " ".repeat(width(&mark));
        let agent = |builder: &Paper<'_>, words: String| builder.span(words, Role::Agent);
        self.line = vec![agent(self.builder, format!("{quotes}{depth}{mark}"))];
        self.then = vec![agent(self.builder, format!("{quotes}{depth}{hang}"))];
        self.kind = Some(block.kind);
        self.is_open = true;
    }

    fn end(&mut self) {
        if !std::mem::take(&mut self.is_open) {
            return;
        }
        let line = std::mem::take(&mut self.line);
        let mut then = self.gutter.clone();
        then.extend(self.then.iter().cloned());
        self.builder.wrapped(&self.gutter, &then, line);
        // The next row of the same block is indented to this one's text.
        self.line.clone_from(&self.then);
    }
}
