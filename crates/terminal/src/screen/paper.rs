//! Row builder: styled text, wrapped at the screen's width.

use super::laid::{Laid, Layout, Way};
use super::markdown;
use super::theme::{Role, Theme};
use ratatui::style::Style;
use sayso_core::display;
use std::borrow::Cow;
use std::cell::RefCell;
use std::rc::Rc;
use unicode_segmentation::UnicodeSegmentation as _;
use unicode_width::UnicodeWidthStr as _;

/// Hit-test target of the mouse.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Hit {
    /// The item with this index: an option, a step, an ask, a row of the review.
    Item(usize),
    /// The tab with this index.
    Tab(usize),
    /// A row of an editable text.
    Text {
        /// The text is the note, not the answer.
        note: bool,
        /// Index of the row in the text.
        row: usize,
        /// Screen column at which the row begins.
        from: usize,
    },
}

/// A row.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Row {
    pub(super) spans: Rc<[Span]>,
    pub(super) hit: Option<Hit>,
}

impl Row {
    pub(super) fn width(&self) -> usize {
        self.spans.iter().map(|(words, _)| width(words)).sum()
    }
}

/// Builder of rows of a fixed width.
#[derive(Debug)]
pub(super) struct Paper<'t> {
    pub(super) theme: &'t Theme,
    pub(super) columns: usize,
    pub(super) rows: Vec<Row>,
    /// Hit-test target of the rows that are added now.
    pub(super) hit: Option<Hit>,
    /// Layout cache for agents' long texts.
    laid: Option<&'t RefCell<Laid>>,
}

/// Text with its style.
pub(super) type Span = (String, Style);

impl<'t> Paper<'t> {
    pub(super) fn new(theme: &'t Theme, columns: usize) -> Self {
        Self { theme, columns: columns.max(8), rows: Vec::new(), hit: None, laid: None }
    }

    /// Uses a layout cache, so that a long text of an agent is laid out once and not in every frame.
    #[must_use]
    pub(super) fn keeping(self, laid: &'t RefCell<Laid>) -> Self {
        Self { laid: Some(laid), ..self }
    }

    /// Lays out a text of an agent, or takes its rows from the cache. The rows depend only on the text, the algorithm,
    /// the indent, the columns and the theme.
    pub(super) fn lay(&mut self, way: Way, indent: usize, text: &str, lay: impl FnOnce(&mut Self)) {
        let Some(laid) = self.laid.filter(|_| Laid::takes(text)) else { return lay(self) };
        let (theme, columns) = (self.theme, self.columns);
        let layout = Layout { way, indent, columns, theme: theme.clone() };
        let found = laid.try_borrow_mut().ok().and_then(|mut laid| laid.find(&layout, text));
        let rows = found.unwrap_or_else(|| {
            let mut builder = Paper::new(theme, columns);
            lay(&mut builder);
            let rows: Rc<[Row]> = builder.rows.into();
            if let Ok(mut laid) = laid.try_borrow_mut() {
                laid.keep(layout, text, rows.clone());
            }
            rows
        });
        let hit = self.hit;
        self.rows.extend(rows.iter().map(|row| Row { spans: row.spans.clone(), hit }));
    }

    pub(super) fn span(&self, words: impl Into<String>, role: Role) -> Span {
        let words = words.into();
        let words = match role {
            // An agent's text is shown verbatim.
            Role::Agent => words,
            _ => match self.theme.words(&words) {
                Cow::Borrowed(_) => words,
                Cow::Owned(plain) => plain,
            },
        };
        (words, self.theme.style(role))
    }

    /// Adds an empty row.
    pub(super) fn blank(&mut self) {
        self.rows.push(Row::default());
    }

    /// Adds a row without wrapping; the screen cuts off what is too wide.
    pub(super) fn row(&mut self, spans: Vec<Span>) {
        self.rows.push(Row { spans: spans.into(), hit: self.hit });
    }

    /// Adds a sentence of ours. Continuation rows have the same indent.
    pub(super) fn ours(&mut self, indent: usize, words: &str, role: Role) {
        let words = vec![self.span(words, role)];
        let pad = " ".repeat(indent);
        self.wrapped(&[(pad.clone(), Style::new())], &[(pad, Style::new())], words);
    }

    /// Adds a sentence of ours that quotes others. Continuation rows go behind the gutter, because they may be all
    /// quotation.
    pub(super) fn quoting(&mut self, indent: usize, words: &str, role: Role) {
        let words = vec![self.span(words, role)];
        let then = self.gutter(indent);
        self.wrapped(&[(" ".repeat(indent), Style::new())], &then, words);
    }

    /// Returns the prefix of continuation rows of a quotation, this many columns wide.
    pub(super) fn hang(&self, columns: usize) -> Vec<Span> {
        self.gutter(columns.saturating_sub(2))
    }

    /// Adds wrapped rows of spans: `first` precedes the first row, `then` each continuation row.
    pub(super) fn wrapped(&mut self, first: &[Span], then: &[Span], words: Vec<Span>) {
        let taken = |before: &[Span]| before.iter().map(|(words, _)| width(words)).sum::<usize>();
        let (room_first, room_then) = (taken(first), taken(then));
        let columns = self.columns;
        let broken = wrap(words, columns.saturating_sub(room_first), columns.saturating_sub(room_then));
        for (at, spans) in broken.into_iter().enumerate() {
            let before = if at == 0 { first } else { then };
            self.row(before.iter().cloned().chain(spans).collect());
        }
    }

    /// Adds an agent's text, each row behind the gutter.
    pub(super) fn agent(&mut self, indent: usize, text: &str, role: Role) {
        self.lay(Way::Lines(role), indent, text, |builder| {
            let before = builder.gutter(indent);
            for line in display::lines(text) {
                let words = vec![builder.span(line, role)];
                builder.wrapped(&before, &before, words);
            }
        });
    }

    /// Adds an agent's text on one line behind these spans. Continuation rows go behind the gutter.
    pub(super) fn behind(&mut self, before: &[Span], text: &str, role: Role) {
        let indent = before.iter().map(|(words, _)| width(words)).sum::<usize>();
        self.lay(Way::Behind(before.to_vec(), role), indent, text, |builder| {
            let then = builder.hang(indent);
            let words = builder.span(display::line(text), role);
            builder.wrapped(before, &then, vec![words]);
        });
    }

    /// Adds an agent's text verbatim, with every space, behind the gutter. Nothing in it can imitate a frame of ours.
    pub(super) fn exact(&mut self, indent: usize, text: &str) {
        self.lay(Way::Exactly, indent, text, |builder| builder.cut_exactly(indent, text));
    }

    fn cut_exactly(&mut self, indent: usize, text: &str) {
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
                self.row(spans);
            }
        }
    }

    pub(super) fn gutter(&self, indent: usize) -> Vec<Span> {
        vec![
            (" ".repeat(indent), Style::new()),
            self.span(format!("{} ", self.theme.signs.gutter), Role::Gutter),
        ]
    }

    /// Adds an agent's Markdown behind the gutter; it is displayed only, never run.
    pub(super) fn markdown(&mut self, indent: usize, text: &str) {
        self.lay(Way::Markdown, indent, text, |builder| markdown::set(builder, indent, text));
    }
}

/// Returns the number of columns that a text takes.
pub(super) fn width(words: &str) -> usize {
    words.width()
}

/// Truncates a text to a number of columns, with an ellipsis. The cost depends on what fits, not on the text's length.
pub(super) fn fitted(words: &str, columns: usize, sign: &str) -> String {
    let room = columns.saturating_sub(width(sign)).max(1);
    let (mut taken, mut fits) = (0, 0);
    for (at, grapheme) in words.grapheme_indices(true) {
        taken += width(grapheme);
        // A grapheme wider than the whole room is kept alone.
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

/// Splits a line into parts of at most `room` columns.
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

/// Wraps spans into rows at word boundaries, or inside words that are too wide for a row.
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

/// Splits a text at possible row ends: words, spaces, and letters of scripts without spaces.
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

    fn drawn(builder: &Paper<'_>) -> Vec<String> {
        builder.rows.iter().map(|row| row.spans.iter().map(|(words, _)| words.as_str()).collect()).collect()
    }

    #[test]
    fn agent_text_is_behind_the_gutter() {
        let mut builder = Paper::new(&Theme::MONO, 16);
        builder.agent(1, "one two three four\n\u{1b}[2Jfive", Role::Agent);
        assert_eq!(drawn(&builder), [" ┃ one two three", " ┃ four", " ┃ ⟦U+001B⟧[2Jfi", " ┃ ve"]);
    }

    #[test]
    fn markdown_items_hang() {
        let mut builder = Paper::new(&Theme::MONO, 20);
        builder.markdown(0, "# Head\n\nSome **bold** words here.\n\n- one item that is long\n- two");
        assert_eq!(
            drawn(&builder),
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
    fn long_text_is_cached_per_layout() {
        let laid = RefCell::default();
        let text = "Some **bold** words and a `line`.\n\n- an item\n".repeat(200);
        let drawn = |columns: usize, theme: &Theme| {
            let mut plain = Paper::new(theme, columns);
            let mut keeping = Paper::new(theme, columns).keeping(&laid);
            for builder in [&mut plain, &mut keeping] {
                builder.markdown(1, &text);
                builder.agent(1, &text, Role::Agent);
                builder.exact(2, &text);
                builder.behind(&[("[x] ".to_owned(), Style::new())], &text, Role::Focus);
            }
            assert_eq!(plain.rows, keeping.rows);
            keeping.rows
        };
        let first = drawn(40, &Theme::MONO);
        let again = drawn(40, &Theme::MONO);
        assert!(first.iter().zip(&again).all(|(row, same)| Rc::ptr_eq(&row.spans, &same.spans)));
        assert!(drawn(60, &Theme::MONO).len() < first.len());
        assert_ne!(drawn(40, &Theme::LIGHT), first);
    }

    #[test]
    fn exact_text_marks_continuation_rows() {
        let mut builder = Paper::new(&Theme::MONO, 12);
        builder.exact(0, "rm -rf /data  /b");
        assert_eq!(drawn(&builder), ["┃  rm -rf /d", "┃ >ata  /b"]);
    }

    #[test]
    fn no_row_exceeds_the_width() {
        let mut builder = Paper::new(&Theme::MONO, 10);
        builder.ours(2, &"字".repeat(30), Role::Plain);
        builder.agent(
            2,
            &format!("{} 👨\u{200d}👩\u{200d}👧👨\u{200d}👩\u{200d}👧", "y".repeat(50)),
            Role::Agent,
        );
        assert!(builder.rows.iter().all(|row| row.width() <= 10), "{:?}", drawn(&builder));
        assert_eq!(fitted("abcdef", 4, "…"), "abc…");
        assert_eq!(fitted("abcd", 4, "…"), "abcd");
        assert_eq!(fitted("abcde\u{301}", 5, "…"), "abcde\u{301}");
        assert_eq!(fitted("字字字", 4, "…"), "字…");
    }
}
