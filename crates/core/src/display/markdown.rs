//! Markdown as a short list of marks. Nothing in it can run, fetch or hide: HTML and comments are text, pictures are
//! their address, links show their target, and definitions that Markdown would swallow stay visible.

use super::imitation::escape_address;
use super::mark_entities::neutralize_mark_entities;
use super::{escape_composed, escape_line};
use crate::limits;
use pulldown_cmark::{CodeBlockKind, Event, LinkType, Options, Parser, Tag, TagEnd};
use std::borrow::Cow;

/// A piece of rendered Markdown. All its text is escaped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MarkdownMark {
    /// Start of a block, which lasts until the next one.
    Block(MarkdownBlock),
    /// Text on one line.
    Text {
        /// The text.
        text: String,
        /// The text style.
        style: TextStyle,
    },
    /// A link to the web or to a mailbox. It is inert: the address is shown in full.
    Link {
        /// The link text.
        label: String,
        /// The target, with non-ASCII letters of the host as tokens.
        url: String,
    },
    /// A new line.
    Break,
    /// Start of a cell of a table row.
    Cell,
}

/// A block and its nesting.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MarkdownBlock {
    /// The kind of block.
    pub kind: BlockKind,
    /// Number of enclosing quotes.
    pub quotes: usize,
    /// Number of enclosing lists.
    pub lists: usize,
}

impl MarkdownBlock {
    /// Returns true if no blank row separates the block from the previous one: items of lists, rows of a table.
    pub fn continues(&self, last: &Self) -> bool {
        match (&last.kind, &self.kind) {
            (BlockKind::Item(_), BlockKind::Item(_)) => true,
            (BlockKind::TableRow { .. }, BlockKind::TableRow { is_head }) => !is_head,
            _ => false,
        }
    }
}

/// Kind of a block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BlockKind {
    /// Running text.
    Paragraph,
    /// A heading of level 1 to 6.
    Heading(u8),
    /// An item of a list, with its number if it has one.
    Item(Option<u64>),
    /// Preformatted lines, and their language.
    Code(String),
    /// A row of a table.
    TableRow {
        /// The row names the columns.
        is_head: bool,
    },
    /// A line across.
    Rule,
}

/// Style of a text.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TextStyle {
    /// Emphasis.
    pub emphasis: bool,
    /// Strong emphasis.
    pub strong: bool,
    /// Code.
    pub code: bool,
}

/// Removes the meaning of the character after it: of `:` after `]`, so that no line defines a link, which would not
/// be shown; and of a mark that would open one quote or list too many. No escaped line contains it.
pub(super) const NEUTRALIZER: &str = "\u{fdd0}";

/// Maximum number of cells of all tables. The parser pads short rows with empty cells, so that a few bytes could make
/// many of them.
const MAX_TABLE_CELLS: usize = 1 << 16;

/// Renders a text as marks.
pub fn markdown(text: &str) -> Vec<MarkdownMark> {
    let mut safe = String::with_capacity(text.len() + 16);
    let mut rows = 0;
    let mut columns = 0;
    for (index, part) in super::split_lines(text).enumerate() {
        if index > 0 {
            safe.push('\n');
        }
        rows += 1;
        let bars = part.bytes().filter(|byte| *byte == b'|').count();
        columns = columns.max(bars + 1);
        push_depth_limited(&mut safe, &escape_line(&expand_leading_tabs(part)));
    }
    let safe = safe.replace("]:", &format!("]{NEUTRALIZER}:"));
    let safe = neutralize_mark_entities(&safe);
    let mut options = Options::empty();
    options.set(Options::ENABLE_TABLES, rows * columns <= MAX_TABLE_CELLS);
    let mut renderer = MarkRenderer::default();
    for (event, range) in Parser::new_ext(&safe, options).into_offset_iter() {
        match event {
            Event::End(TagEnd::TableCell) => renderer.end_cell(range.end),
            Event::End(TagEnd::TableRow | TagEnd::TableHead) => {
                renderer.end_table_row(safe.get(renderer.cell_end..range.end).unwrap_or_default());
            }
            event => renderer.handle_event(event),
        }
    }
    renderer.end_text();
    super::blank_rows::shorten_blank_rows(renderer.marks)
}

/// Replaces tabs at the beginning of a line, which are significant in Markdown.
fn expand_leading_tabs(line: &str) -> Cow<'_, str> {
    let rest = line.trim_start_matches([' ', '\t']);
    let indent = line.get(..line.len() - rest.len()).unwrap_or_default();
    if indent.contains('\t') { Cow::Owned(indent.replace('\t', "    ") + rest) } else { Cow::Borrowed(line) }
}

/// Appends a line that opens a limited number of quotes and lists: the parser visits all open ones at every line.
fn push_depth_limited(safe: &mut String, line: &str) {
    let mut rest = line;
    for _ in 0..limits::SHOWN_DEPTH {
        let Some(inner) = after_marker(rest) else { break };
        rest = inner;
    }
    let head = line.get(..line.len() - rest.len()).unwrap_or_default();
    safe.push_str(head);
    if after_marker(rest).is_some() {
        safe.push_str(NEUTRALIZER);
    }
    safe.push_str(rest);
}

/// Returns the rest after the marker of a quote or an item, if the line begins with one.
fn after_marker(line: &str) -> Option<&str> {
    let line = line.trim_start_matches(' ');
    if let Some(inner) = line.strip_prefix('>') {
        return Some(inner);
    }
    let number = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let inner = if number.len() < line.len() {
        number.strip_prefix(['.', ')'])?
    } else {
        line.strip_prefix(['-', '+', '*'])?
    };
    if inner.starts_with(' ') { Some(inner) } else { None }
}

#[derive(Default)]
struct MarkRenderer {
    marks: Vec<MarkdownMark>,
    quotes: usize,
    /// The number of the next item of each list.
    lists: Vec<Option<u64>>,
    /// The current item is still empty.
    is_fresh: bool,
    style: TextStyle,
    strong: usize,
    emphasis: usize,
    text: String,
    /// Lines of code or HTML.
    raw: Option<String>,
    link: Option<PendingLink>,
    pictures: Vec<PendingLink>,
    /// Position in the source at which the last table cell ended.
    cell_end: usize,
}

/// A link or a picture under construction.
struct PendingLink {
    text: String,
    url: String,
    title: String,
}

impl MarkRenderer {
    fn handle_event(&mut self, event: Event<'_>) {
        match event {
            Event::Start(tag) => self.start_tag(tag),
            Event::End(end) => self.end_tag(end),
            Event::Text(words) | Event::Html(words) | Event::InlineHtml(words) => self.push_text(&words),
            Event::Code(words) => self.push_code(&words),
            Event::SoftBreak | Event::HardBreak => self.push_text("\n"),
            Event::Rule => self.block(BlockKind::Rule),
            // These extensions are off; if they occur, they are text.
            Event::InlineMath(words) | Event::DisplayMath(words) | Event::FootnoteReference(words) => {
                self.push_text(&words);
            }
            Event::TaskListMarker(is_done) => self.push_text(if is_done { "[x] " } else { "[ ] " }),
        }
    }

    fn start_tag(&mut self, tag: Tag<'_>) {
        match tag {
            Tag::Paragraph if self.is_fresh => self.is_fresh = false,
            Tag::Paragraph => self.block(BlockKind::Paragraph),
            Tag::Heading { level, .. } => self.block(BlockKind::Heading(level as u8)),
            Tag::BlockQuote(_) => self.quotes += 1,
            Tag::CodeBlock(kind) => {
                let info = match kind {
                    CodeBlockKind::Fenced(info) => escape_again(&info),
                    CodeBlockKind::Indented => String::new(),
                };
                self.block(BlockKind::Code(info));
                self.raw = Some(String::new());
            }
            Tag::HtmlBlock => {
                self.block(BlockKind::Paragraph);
                self.raw = Some(String::new());
            }
            Tag::List(first) => self.lists.push(first),
            Tag::Item => self.item(),
            Tag::TableHead => self.block(BlockKind::TableRow { is_head: true }),
            Tag::TableRow => self.block(BlockKind::TableRow { is_head: false }),
            Tag::TableCell => self.start_cell(),
            Tag::Emphasis => self.set_style(self.emphasis + 1, self.strong),
            Tag::Strong => self.set_style(self.emphasis, self.strong + 1),
            Tag::Link { link_type, dest_url, title, .. } => {
                let mailbox = if link_type == LinkType::Email { "mailto:" } else { "" };
                let url = format!("{mailbox}{dest_url}");
                self.link = Some(PendingLink { text: String::new(), url, title: title.into_string() });
            }
            Tag::Image { dest_url, title, .. } => {
                self.pictures.push(PendingLink {
                    text: String::new(),
                    url: dest_url.into_string(),
                    title: title.into_string(),
                });
            }
            _ => {}
        }
    }

    fn end_tag(&mut self, end: TagEnd) {
        match end {
            TagEnd::BlockQuote(_) => self.quotes = self.quotes.saturating_sub(1),
            TagEnd::CodeBlock | TagEnd::HtmlBlock => self.end_raw(end == TagEnd::CodeBlock),
            TagEnd::List(_) => {
                self.lists.pop();
            }
            TagEnd::Item => self.is_fresh = false,
            TagEnd::Emphasis => self.set_style(self.emphasis.saturating_sub(1), self.strong),
            TagEnd::Strong => self.set_style(self.emphasis, self.strong.saturating_sub(1)),
            TagEnd::Link => self.end_link(),
            TagEnd::Image => {
                if let Some(PendingLink { text: words, url, title }) = self.pictures.pop() {
                    self.push_text(&format!("[image: {words}] ({url}){}", format_title(&title)));
                }
            }
            _ => {}
        }
    }

    fn block(&mut self, kind: BlockKind) {
        self.end_text();
        self.is_fresh = matches!(kind, BlockKind::Item(_));
        let quotes = self.quotes.min(limits::SHOWN_DEPTH);
        let lists = self.lists.len().min(limits::SHOWN_DEPTH);
        self.marks.push(MarkdownMark::Block(MarkdownBlock { kind, quotes, lists }));
    }

    fn item(&mut self) {
        let number = self.lists.last().copied().flatten();
        if let Some(Some(next)) = self.lists.last_mut() {
            *next = next.saturating_add(1);
        }
        self.block(BlockKind::Item(number));
    }

    fn start_cell(&mut self) {
        self.end_text();
        self.marks.push(MarkdownMark::Cell);
    }

    fn end_cell(&mut self, end: usize) {
        self.end_text();
        self.cell_end = end;
    }

    /// Ends a row. The parser drops cells beyond the last column; their source becomes a cell of its own.
    fn end_table_row(&mut self, excess: &str) {
        let excess = excess.trim_matches(|c: char| c == '|' || c.is_whitespace());
        if !excess.is_empty() {
            self.start_cell();
            self.push_text(excess);
        }
        self.end_text();
    }

    /// Sets the numbers of open emphases and strong ones for the text that follows.
    fn set_style(&mut self, emphasis: usize, strong: usize) {
        self.end_text();
        self.emphasis = emphasis;
        self.strong = strong;
        self.style = TextStyle { emphasis: emphasis > 0, strong: strong > 0, code: false };
    }

    /// Appends text to the open element. A line break ends it in line-based elements.
    fn push_text(&mut self, words: &str) {
        if let Some(raw) = &mut self.raw {
            raw.push_str(words);
        } else if let Some(open) = self.pictures.last_mut().or(self.link.as_mut()) {
            open.text.push_str(&words.replace('\n', " "));
        } else {
            self.is_fresh = false;
            for (index, part) in words.split('\n').enumerate() {
                if index > 0 {
                    self.end_text();
                    self.marks.push(MarkdownMark::Break);
                }
                self.text.push_str(part);
            }
        }
    }

    fn push_code(&mut self, words: &str) {
        if self.raw.is_some() || self.link.is_some() || !self.pictures.is_empty() {
            self.push_text(&format!("`{words}`"));
            return;
        }
        self.end_text();
        self.style.code = true;
        self.push_text(words);
        self.end_text();
        self.style.code = false;
    }

    fn end_text(&mut self) {
        let text = std::mem::take(&mut self.text);
        let words = escape_again(&text);
        if !words.is_empty() {
            self.marks.push(MarkdownMark::Text { text: words, style: self.style });
        }
    }

    fn end_raw(&mut self, is_code: bool) {
        let raw = self.raw.take().unwrap_or_default();
        let style = TextStyle { code: is_code, ..TextStyle::default() };
        let raw = raw.replace(NEUTRALIZER, "");
        for (index, words) in super::escape_composed_lines(raw.strip_suffix('\n').unwrap_or(&raw)).enumerate()
        {
            if index > 0 {
                self.marks.push(MarkdownMark::Break);
            }
            if !words.is_empty() {
                self.marks.push(MarkdownMark::Text { text: words.into_owned(), style });
            }
        }
    }

    fn end_link(&mut self) {
        let Some(PendingLink { text: words, url, title }) = self.link.take() else { return };
        if !has_link_scheme(&url) {
            let place = if words == url { String::new() } else { format!(" ({url})") };
            self.push_text(&format!("{words}{place}{}", format_title(&title)));
            return;
        }
        self.end_text();
        self.is_fresh = false;
        let address = escape_address(&escape_again(&url));
        let label = if words.is_empty() || words == url { address.clone() } else { escape_again(&words) };
        self.marks.push(MarkdownMark::Link { label, url: address });
        self.push_text(&format_title(&title));
    }
}

/// Formats a title, which would otherwise show only on hover.
fn format_title(title: &str) -> String {
    if title.is_empty() { String::new() } else { format!(" \"{title}\"") }
}

/// Returns true if an address has a scheme that links usually have.
fn has_link_scheme(url: &str) -> bool {
    let Some((scheme, rest)) = url.split_once(':') else { return false };
    let is_web = scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https");
    scheme.eq_ignore_ascii_case("mailto") || is_web && rest.starts_with("//")
}

/// Escapes again, since an entity in the text has become a character.
fn escape_again(words: &str) -> String {
    escape_composed(&words.replace(NEUTRALIZER, "")).into_owned()
}
