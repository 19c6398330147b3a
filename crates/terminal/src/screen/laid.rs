//! Layout cache for agents' long texts: the cost of a frame depends on what is visible, not on what an agent wrote.

use super::paper::{Row, Span};
use super::theme::{Role, Theme};
use sayso_core::limits;
use std::rc::Rc;

/// Minimum length of a cached text. Laying out a shorter one costs no more than the lookup.
const LONG_BYTES: usize = 2_048;

/// Capacity of the cache in bytes of text. A frame has no more text than a request, so the questions on either side
/// stay cached.
const KEPT_BYTES: usize = 4 * limits::REQUEST_BYTES;

/// Layout algorithm of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Way {
    /// Markdown.
    Markdown,
    /// Line by line.
    Lines(Role),
    /// Verbatim, with every space.
    Exactly,
    /// On one line behind these spans; continuation rows go behind the gutter.
    Behind(Vec<Span>, Role),
    /// Its beginning on one line.
    Beginning,
}

/// Cache key apart from the text: everything that its rows depend on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Layout {
    pub(super) way: Way,
    pub(super) indent: usize,
    pub(super) columns: usize,
    pub(super) theme: Theme,
}

/// LRU cache of texts with their rows; the most recently used entry is last.
#[derive(Debug, Default)]
pub(super) struct Laid(Vec<(Layout, String, Rc<[Row]>)>);

impl Laid {
    /// Returns whether a text is long enough to be cached.
    pub(super) const fn takes(text: &str) -> bool {
        text.len() >= LONG_BYTES
    }

    /// Returns the cached rows of a text with the same layout.
    pub(super) fn find(&mut self, layout: &Layout, text: &str) -> Option<Rc<[Row]>> {
        let at = self.0.iter().rposition(|(like, kept, _)| kept == text && like == layout)?;
        // Moves the entry to the most recently used end.
        self.0.get_mut(at..)?.rotate_left(1);
        self.0.last().map(|(.., rows)| rows.clone())
    }

    /// Stores the rows of a text and evicts the least recently used entries beyond the capacity.
    pub(super) fn keep(&mut self, layout: Layout, text: &str, rows: Rc<[Row]>) {
        self.0.push((layout, text.to_owned(), rows));
        let mut taken = 0;
        let first = self.0.iter().rposition(|(_, text, _)| {
            taken += text.len();
            taken > KEPT_BYTES
        });
        self.0.drain(..first.map_or(0, |first| first + 1));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn least_recently_used_entry_is_evicted() {
        let layout = |columns| Layout { way: Way::Markdown, indent: 1, columns, theme: Theme::MONO };
        let large = |n: u8| format!("{n}{}", "x".repeat(limits::REQUEST_BYTES - 1));
        let mut laid = Laid::default();
        for n in 0..4 {
            laid.keep(layout(80), &large(n), Rc::new([]));
        }
        assert!(laid.find(&layout(80), &large(0)).is_some());
        assert!(laid.find(&layout(79), &large(0)).is_none());
        laid.keep(layout(80), &large(4), Rc::new([]));
        let has: Vec<_> = (0..5).map(|n| laid.find(&layout(80), &large(n)).is_some()).collect();
        assert_eq!(has, [true, false, true, true, true]);
    }
}
