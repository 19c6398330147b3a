//! Layout cache for agents' long texts: the cost of a frame depends on what is visible, not on what an agent wrote.

use super::line_builder::{StyledRow, StyledSpan};
use super::theme::{StyleRole, Theme};
use sayso_core::{Lang, limits};
use std::rc::Rc;

/// Minimum length of a cached text. Laying out a shorter one costs no more than the lookup.
const MIN_CACHED_BYTES: usize = 2_048;

/// Capacity of the cache in bytes of text. A frame has no more text than a request, so the questions on either side
/// stay cached.
const CAPACITY_BYTES: usize = 4 * limits::REQUEST_BYTES;

/// Layout algorithm of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum LayoutKind {
    /// Markdown; a prompt is bold.
    Markdown {
        /// The text is a prompt.
        is_prompt: bool,
    },
    /// Line by line.
    Lines(StyleRole),
    /// Exact data.
    Exact {
        /// The text has the colours of a diff.
        is_diff: bool,
        /// Language of the notes in it.
        lang: Lang,
    },
    /// Lines cut at the width, from this column on.
    Preview(usize),
    /// On one line behind these spans; continuation rows go behind the gutter.
    Prefixed(Vec<StyledSpan>, StyleRole),
}

/// Cache key apart from the text: everything that its rows depend on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct LayoutKey {
    pub(crate) kind: LayoutKind,
    pub(crate) indent: usize,
    pub(crate) columns: usize,
    pub(crate) theme: Theme,
}

/// LRU cache of texts with their rows; the most recently used entry is last.
#[derive(Debug, Default)]
pub(crate) struct LayoutCache(Vec<(LayoutKey, String, Rc<[StyledRow]>)>);

impl LayoutCache {
    /// Returns whether a text is long enough to be cached.
    pub(crate) const fn is_cacheable(text: &str) -> bool {
        text.len() >= MIN_CACHED_BYTES
    }

    /// Returns the cached rows of a text with the same layout.
    pub(crate) fn get(&mut self, layout: &LayoutKey, text: &str) -> Option<Rc<[StyledRow]>> {
        let index = self.0.iter().rposition(|(key, entry_text, _)| entry_text == text && key == layout)?;
        // Moves the entry to the most recently used end.
        self.0.get_mut(index..)?.rotate_left(1);
        let (_, _, rows) = self.0.last()?;
        Some(rows.clone())
    }

    /// Stores the rows of a text and evicts the least recently used entries beyond the capacity.
    pub(crate) fn insert(&mut self, layout: LayoutKey, text: &str, rows: Rc<[StyledRow]>) {
        self.0.push((layout, text.to_owned(), rows));
        let mut bytes = 0;
        let mut kept_entries = 0;
        for (_, text, _) in self.0.iter().rev() {
            bytes += text.len();
            if bytes > CAPACITY_BYTES {
                break;
            }
            kept_entries += 1;
        }
        self.0.drain(..self.0.len() - kept_entries);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn least_recently_used_entry_is_evicted() {
        let layout = |columns| LayoutKey {
            kind: LayoutKind::Markdown { is_prompt: false },
            indent: 1,
            columns,
            theme: Theme::MONO,
        };
        let large = |n: u8| format!("{n}{}", "x".repeat(limits::REQUEST_BYTES - 1));
        let mut laid = LayoutCache::default();
        for n in 0..4 {
            laid.insert(layout(80), &large(n), Rc::new([]));
        }
        assert!(laid.get(&layout(80), &large(0)).is_some());
        assert!(laid.get(&layout(79), &large(0)).is_none());
        laid.insert(layout(80), &large(4), Rc::new([]));
        let has: Vec<_> = (0..5).map(|n| laid.get(&layout(80), &large(n)).is_some()).collect();
        assert_eq!(has, [true, false, true, true, true]);
    }
}
