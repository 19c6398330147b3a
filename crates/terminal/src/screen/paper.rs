//! Rows on their way to the screen: words in their roles, broken where the screen ends.

use super::theme::{Role, Theme};
use ratatui::style::{Modifier, Style};
use sayso_core::display::{self, Kind, Mark};
use std::borrow::Cow;
use unicode_segmentation::UnicodeSegmentation as _;
use unicode_width::UnicodeWidthStr as _;

/// What is under a place on the screen, for the mouse.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Hit {
    /// The thing with this number in a list: an option, a step, an ask, a row of the review.
    Item(usize),
    /// The tab with this number.
    Tab(usize),
    /// A row of a text that can be typed into.
    Text {
        /// It is the note, and not the answer.
        note: bool,
        /// Which row of the text.
        row: usize,
        /// The column of the screen in which the row begins.
        from: usize,
    },
}

/// A row.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Row {
    pub(super) spans: Vec<(String, Style)>,
    pub(super) hit: Option<Hit>,
}

impl Row {
    pub(super) fn width(&self) -> usize {
        self.spans.iter().map(|(words, _)| width(words)).sum()
    }
}

/// Rows of a certain width.
#[derive(Debug)]
pub(super) struct Paper<'t> {
    pub(super) theme: &'t Theme,
    pub(super) columns: usize,
    pub(super) rows: Vec<Row>,
    /// What rows that are written now stand for.
    pub(super) hit: Option<Hit>,
}

/// Words with their style.
pub(super) type Span = (String, Style);

impl<'t> Paper<'t> {
    pub(super) fn new(theme: &'t Theme, columns: usize) -> Self {
        Self { theme, columns: columns.max(8), rows: Vec::new(), hit: None }
    }

    pub(super) fn span(&self, words: impl Into<String>, role: Role) -> Span {
        let words = words.into();
        let words = match role {
            // What an agent wrote is shown as it wrote it.
            Role::Agent => words,
            _ => match self.theme.words(&words) {
                Cow::Borrowed(_) => words,
                Cow::Owned(plain) => plain,
            },
        };
        (words, self.theme.style(role))
    }

    /// A row without words.
    pub(super) fn blank(&mut self) {
        self.rows.push(Row::default());
    }

    /// A row as it is; what is too wide is cut by the screen.
    pub(super) fn row(&mut self, spans: Vec<Span>) {
        self.rows.push(Row { spans, hit: self.hit });
    }

    /// A sentence of ours. What is broken off stands as far in as its first word.
    pub(super) fn ours(&mut self, indent: usize, words: &str, role: Role) {
        let words = vec![self.span(words, role)];
        let pad = " ".repeat(indent);
        self.wrapped(&[(pad.clone(), Style::new())], &[(pad, Style::new())], words);
    }

    /// A sentence of ours with words of others in it. What is broken off stands behind the gutter: it may be all theirs.
    pub(super) fn quoting(&mut self, indent: usize, words: &str, role: Role) {
        let words = vec![self.span(words, role)];
        let then = self.gutter(indent);
        self.wrapped(&[(" ".repeat(indent), Style::new())], &then, words);
    }

    /// What stands before rows that words of others are broken off into, so many columns wide.
    pub(super) fn hang(&self, columns: usize) -> Vec<Span> {
        self.gutter(columns.saturating_sub(2))
    }

    /// Rows of spans: `first` before the first row, `then` before each that is broken off.
    pub(super) fn wrapped(&mut self, first: &[Span], then: &[Span], words: Vec<Span>) {
        let taken = |before: &[Span]| before.iter().map(|(words, _)| width(words)).sum::<usize>();
        let (room_first, room_then) = (taken(first), taken(then));
        let columns = self.columns;
        let broken = wrap(words, columns.saturating_sub(room_first), columns.saturating_sub(room_then));
        for (at, spans) in broken.into_iter().enumerate() {
            let before = if at == 0 { first } else { then };
            let spans = before.iter().cloned().chain(spans).collect();
            self.rows.push(Row { spans, hit: self.hit });
        }
    }

    /// Words of an agent, each row behind the gutter.
    pub(super) fn agent(&mut self, indent: usize, text: &str, role: Role) {
        let before = self.gutter(indent);
        for line in display::lines(text) {
            let words = vec![self.span(line, role)];
            self.wrapped(&before, &before, words);
        }
    }

    /// An agent's text of which every space counts, behind the gutter. Nothing in it looks like a frame of ours.
    pub(super) fn exact(&mut self, indent: usize, text: &str) {
        let mut before = self.gutter(indent);
        let mut then = before.clone();
        before.push(self.span(" ", Role::Faint));
        then.push(self.span(">", Role::Warn));
        let room = self.columns.saturating_sub(before.iter().map(|(words, _)| width(words)).sum());
        for line in display::lines(text) {
            let line = display::undrawn(&line);
            for (at, part) in cut(&line, room).into_iter().enumerate() {
                let mut spans = if at == 0 { before.clone() } else { then.clone() };
                spans.push(self.span(part, Role::Agent));
                self.rows.push(Row { spans, hit: self.hit });
            }
        }
    }

    pub(super) fn gutter(&self, indent: usize) -> Vec<Span> {
        vec![
            (" ".repeat(indent), Style::new()),
            self.span(format!("{} ", self.theme.signs.gutter), Role::Gutter),
        ]
    }

    /// An agent's Markdown behind the gutter: set, never run.
    pub(super) fn markdown(&mut self, indent: usize, text: &str) {
        let gutter = self.gutter(indent);
        let mut page =
            Page { paper: self, gutter, line: Vec::new(), then: Vec::new(), kind: None, is_open: false };
        for mark in display::markdown(text) {
            page.put(mark);
        }
        page.end();
    }
}

/// Markdown on its way to rows.
struct Page<'p, 't> {
    paper: &'p mut Paper<'t>,
    gutter: Vec<Span>,
    line: Vec<Span>,
    /// What stands before rows that are broken off.
    then: Vec<Span>,
    kind: Option<Kind>,
    is_open: bool,
}

impl Page<'_, '_> {
    fn put(&mut self, mark: Mark) {
        match mark {
            Mark::Block(block) => self.begin(block),
            Mark::Text { words, style } => {
                let mut look = self.paper.theme.style(Role::Agent);
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
                let look = self.paper.theme.style(Role::Agent).add_modifier(Modifier::UNDERLINED);
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
            self.paper.row(gutter);
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
        let agent = |paper: &Paper<'_>, words: String| paper.span(words, Role::Agent);
        self.line = vec![agent(self.paper, format!("{quotes}{depth}{mark}"))];
        self.then = vec![agent(self.paper, format!("{quotes}{depth}{hang}"))];
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
        self.paper.wrapped(&self.gutter, &then, line);
        // The next row of the same block stands where the words of this one do.
        self.line.clone_from(&self.then);
    }
}

/// How many columns words take.
pub(super) fn width(words: &str) -> usize {
    words.width()
}

/// Words cut to some columns, with a sign where something is left out. Costs what fits, however long the words are.
pub(super) fn fitted(words: &str, columns: usize, sign: &str) -> String {
    let room = columns.saturating_sub(width(sign)).max(1);
    let (mut taken, mut fits) = (0, 0);
    for (at, grapheme) in words.grapheme_indices(true) {
        taken += width(grapheme);
        // One that is wider than all the room stands there alone.
        if taken <= room || at == 0 {
            fits = at + grapheme.len();
        }
        if taken > columns {
            let fit = words.get(..fits).unwrap_or_default().to_owned() + sign;
            return if width(&fit) > columns { " ".repeat(columns) } else { fit };
        }
    }
    words.to_owned()
}

/// Parts of a line, each as many columns wide as there is room.
fn cut(line: &str, room: usize) -> Vec<String> {
    let room = room.max(1);
    let (mut parts, mut taken) = (vec![String::new()], 0);
    for grapheme in line.graphemes(true) {
        let wide = width(grapheme);
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

/// Breaks spans into rows at words, or inside of words that are too wide for a row.
fn wrap(spans: Vec<Span>, first: usize, then: usize) -> Vec<Vec<Span>> {
    let (first, then) = (first.max(4), then.max(4));
    if spans.iter().map(|(words, _)| width(words)).sum::<usize>() <= first {
        return vec![spans];
    }
    let mut rows: Vec<Vec<Span>> = vec![Vec::new()];
    let (mut room, mut taken) = (first, 0);
    for (words, style) in &spans {
        for word in words_of(words) {
            let wide = width(word);
            if taken + wide > room && taken > 0 && !word.trim().is_empty() {
                trim_end(&mut rows);
                rows.push(Vec::new());
                (room, taken) = (then, 0);
            }
            if word.trim().is_empty() && (taken + wide > room || (taken == 0 && rows.len() > 1)) {
                continue;
            }
            if wide <= room {
                push(&mut rows, word, *style);
                taken += wide;
                continue;
            }
            for (at, part) in cut(word, room).into_iter().enumerate() {
                if at > 0 {
                    rows.push(Vec::new());
                    (room, taken) = (then, 0);
                }
                taken += width(&part);
                push(&mut rows, &part, *style);
            }
        }
    }
    rows
}

/// The parts between which a row may end: words, spaces, and letters of scripts that write without spaces.
fn words_of(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut start, mut last_is_space) = (0, false);
    for (at, grapheme) in text.grapheme_indices(true) {
        let is_space = grapheme.trim().is_empty();
        let stands_alone = width(grapheme) > 1 && !"，。、！？：；）」』】》…".contains(grapheme);
        if at > start && (is_space || last_is_space || stands_alone) {
            parts.extend(text.get(start..at));
            start = at;
        }
        last_is_space = is_space;
    }
    parts.extend(text.get(start..).filter(|part| !part.is_empty()));
    parts
}

fn push(rows: &mut [Vec<Span>], words: &str, style: Style) {
    let Some(row) = rows.last_mut() else { return };
    match row.last_mut() {
        Some((last, look)) if *look == style => last.push_str(words),
        _ => row.push((words.to_owned(), style)),
    }
}

fn trim_end(rows: &mut [Vec<Span>]) {
    if let Some((words, _)) = rows.last_mut().and_then(|row| row.last_mut()) {
        words.truncate(words.trim_end().len());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(paper: &Paper<'_>) -> Vec<String> {
        paper.rows.iter().map(|row| row.spans.iter().map(|(words, _)| words.as_str()).collect()).collect()
    }

    #[test]
    fn every_row_of_an_agents_text_stands_behind_the_gutter() {
        let mut paper = Paper::new(&Theme::MONO, 16);
        paper.agent(1, "one two three four\n\u{1b}[2Jfive", Role::Agent);
        assert_eq!(drawn(&paper), [" ┃ one two three", " ┃ four", " ┃ ⟦U+001B⟧[2Jfi", " ┃ ve"]);
    }

    #[test]
    fn markdown_is_set_and_its_items_hang() {
        let mut paper = Paper::new(&Theme::MONO, 20);
        paper.markdown(0, "# Head\n\nSome **bold** words here.\n\n- one item that is long\n- two");
        assert_eq!(
            drawn(&paper),
            [
                "┃ Head",
                "┃ ",
                "┃ Some bold words",
                "┃ here.",
                "┃ ",
                "┃ - one item that is",
                "┃   long",
                "┃ - two"
            ]
        );
    }

    #[test]
    fn an_exact_text_is_cut_and_says_where_it_goes_on() {
        let mut paper = Paper::new(&Theme::MONO, 12);
        paper.exact(0, "rm -rf /data  /b");
        assert_eq!(drawn(&paper), ["┃  rm -rf /d", "┃ >ata  /b"]);
    }

    #[test]
    fn no_row_is_wider_than_the_paper() {
        let mut paper = Paper::new(&Theme::MONO, 10);
        paper.ours(2, &"字".repeat(30), Role::Plain);
        paper.agent(
            2,
            &format!("{} 👨\u{200d}👩\u{200d}👧👨\u{200d}👩\u{200d}👧", "y".repeat(50)),
            Role::Agent,
        );
        assert!(paper.rows.iter().all(|row| row.width() <= 10), "{:?}", drawn(&paper));
        assert_eq!(fitted("abcdef", 4, "…"), "abc…");
        assert_eq!(fitted("abcd", 4, "…"), "abcd");
        assert_eq!(fitted("abcde\u{301}", 5, "…"), "abcde\u{301}");
        assert_eq!(fitted("字字字", 4, "…"), "字…");
    }
}
