//! Row builder: styled text, wrapped at the screen's width.

use super::layout_cache::{LayoutCache, LayoutKey, LayoutKind};
use super::theme::{StyleRole, Theme};
use super::wrapping::wrap_spans;
use ratatui::style::Style;
use std::borrow::Cow;
use std::cell::RefCell;
use std::rc::Rc;

pub(crate) use super::wrapping::{
    columns_between, display_width, spans_width, truncate_start, truncate_to_width,
};

/// Hit-test target of the mouse.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum HitTarget {
    /// The item with this index: an option, a step, an ask, a row of the review.
    Item(usize),
    /// Yes and no on one row.
    YesNo {
        /// Screen column at which no begins.
        no_from: usize,
    },
    /// The tab with this index.
    Tab(usize),
    /// The submit button of a lone question's page.
    Submit,
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
pub(crate) struct StyledRow {
    pub(crate) spans: Rc<[StyledSpan]>,
    pub(crate) hit: Option<HitTarget>,
}

impl StyledRow {
    pub(crate) fn width(&self) -> usize {
        spans_width(&self.spans)
    }
}

/// Builder of rows of a fixed width.
#[derive(Debug)]
pub(crate) struct LineBuilder<'t> {
    pub(crate) theme: &'t Theme,
    pub(crate) columns: usize,
    pub(crate) rows: Vec<StyledRow>,
    /// Hit-test target of the rows that are added now.
    pub(crate) hit_target: Option<HitTarget>,
    /// Layout cache for agents' long texts.
    cache: Option<&'t RefCell<LayoutCache>>,
}

/// Text with its style.
pub(crate) type StyledSpan = (String, Style);

impl<'t> LineBuilder<'t> {
    pub(crate) fn new(theme: &'t Theme, columns: usize) -> Self {
        Self { theme, columns: columns.max(8), rows: Vec::new(), hit_target: None, cache: None }
    }

    /// Uses a layout cache, so that a long text of an agent is laid out once and not in every frame.
    #[must_use]
    pub(crate) fn with_cache(self, cache: &'t RefCell<LayoutCache>) -> Self {
        Self { cache: Some(cache), ..self }
    }

    /// Lays out a text of an agent, or takes its rows from the cache. The rows depend only on the text, the algorithm,
    /// the indent, the columns and the theme.
    pub(crate) fn push_cached(
        &mut self,
        kind: LayoutKind,
        indent: usize,
        text: &str,
        lay_out: impl FnOnce(&mut Self),
    ) {
        let Some(cache) = self.cache else { return lay_out(self) };
        if !LayoutCache::is_cacheable(text) {
            return lay_out(self);
        }
        let key = LayoutKey { kind, indent, columns: self.columns, theme: self.theme.clone() };
        let cached_rows = cache.borrow_mut().get(&key, text);
        let rows = match cached_rows {
            Some(rows) => rows,
            None => {
                let mut builder = LineBuilder::new(self.theme, self.columns);
                lay_out(&mut builder);
                let rows: Rc<[StyledRow]> = builder.rows.into();
                cache.borrow_mut().insert(key, text, rows.clone());
                rows
            }
        };
        let hit = self.hit_target;
        self.rows.extend(rows.iter().map(|row| StyledRow { spans: row.spans.clone(), hit }));
    }

    pub(crate) fn span(&self, words: impl Into<String>, role: StyleRole) -> StyledSpan {
        let mut words = words.into();
        if !role.is_agents()
            && let Cow::Owned(adapted) = self.theme.adapt_text(&words)
        {
            words = adapted;
        }
        (words, self.theme.style(role))
    }

    /// Adds an empty row.
    pub(crate) fn push_blank(&mut self) {
        self.rows.push(StyledRow::default());
    }

    /// Adds a row without wrapping; the screen cuts off what is too wide.
    pub(crate) fn push_row(&mut self, spans: Vec<StyledSpan>) {
        self.rows.push(StyledRow { spans: spans.into(), hit: self.hit_target });
    }

    /// Returns the prefix of continuation rows of a quotation, this many columns wide.
    pub(crate) fn continuation_gutter(&self, columns: usize) -> Vec<StyledSpan> {
        self.gutter(columns.saturating_sub(2))
    }

    /// Adds wrapped rows of spans behind a prefix, which is another one for continuation rows.
    pub(crate) fn push_wrapped(
        &mut self,
        first_prefix: &[StyledSpan],
        other_prefix: &[StyledSpan],
        words: Vec<StyledSpan>,
    ) {
        let first_room = self.columns.saturating_sub(spans_width(first_prefix));
        let other_room = self.columns.saturating_sub(spans_width(other_prefix));
        for (index, spans) in wrap_spans(words, first_room, other_room).into_iter().enumerate() {
            let prefix = if index == 0 { first_prefix } else { other_prefix };
            self.push_row(prefix.iter().cloned().chain(spans).collect());
        }
    }

    pub(crate) fn gutter(&self, indent: usize) -> Vec<StyledSpan> {
        vec![
            (" ".repeat(indent), Style::new()),
            self.span(format!("{} ", self.theme.symbols.gutter), StyleRole::Gutter),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sayso_core::Lang;

    fn drawn(builder: &LineBuilder<'_>) -> Vec<String> {
        builder.rows.iter().map(|row| row.spans.iter().map(|(words, _)| words.as_str()).collect()).collect()
    }

    #[test]
    fn agent_text_is_behind_the_gutter() {
        let mut builder = LineBuilder::new(&Theme::MONO, 16);
        builder.push_agent(1, "one two three four\n\u{1b}[2Jfive", StyleRole::Agent);
        assert_eq!(drawn(&builder), [" ┃ one two three", " ┃ four", " ┃ ⟦U+001B⟧[2Jfi", " ┃ ve"]);
    }

    #[test]
    fn markdown_items_hang() {
        let mut builder = LineBuilder::new(&Theme::MONO, 20);
        builder.push_markdown(0, "# Head\n\nSome **bold** words here.\n\n- one item that is long\n- two");
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
            let mut plain = LineBuilder::new(theme, columns);
            let mut keeping = LineBuilder::new(theme, columns).with_cache(&laid);
            for builder in [&mut plain, &mut keeping] {
                builder.push_markdown(1, &text);
                builder.push_agent(1, &text, StyleRole::Agent);
                builder.push_exact(2, &text, true, Lang::En);
                builder.push_agent_after(&[("[x] ".to_owned(), Style::new())], &text, StyleRole::Focus);
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
        let mut builder = LineBuilder::new(&Theme::MONO, 12);
        builder.push_exact(0, "rm -rf /data  /b", false, Lang::En);
        assert_eq!(drawn(&builder), ["┃  rm -rf /d", "┃ >ata  /b"]);
    }

    #[test]
    fn no_row_exceeds_the_width() {
        let mut builder = LineBuilder::new(&Theme::MONO, 10);
        builder.push_own(2, &"字".repeat(30), StyleRole::Plain);
        builder.push_agent(
            2,
            &format!("{} 👨\u{200d}👩\u{200d}👧👨\u{200d}👩\u{200d}👧", "y".repeat(50)),
            StyleRole::Agent,
        );
        assert!(builder.rows.iter().all(|row| row.width() <= 10), "{:?}", drawn(&builder));
        assert_eq!(truncate_to_width("abcdef", 4, "…"), "abc…");
        assert_eq!(truncate_to_width("abcd", 4, "…"), "abcd");
        assert_eq!(truncate_to_width("abcde\u{301}", 5, "…"), "abcde\u{301}");
        assert_eq!(truncate_to_width("字字字", 4, "…"), "字…");
    }
}
