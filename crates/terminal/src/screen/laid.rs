//! Long words of agents as they were laid out last, so that a frame costs what stands on it and not what an agent wrote.

use super::paper::{Row, Span};
use super::theme::{Role, Theme};
use sayso_core::limits;
use std::rc::Rc;

/// Shorter texts are laid out anew each time: that costs no more than to look for them.
const LONG_BYTES: usize = 2_048;

/// How many bytes of text are kept, with their rows. A frame has no more than a request has, and who turns from one
/// question to another and back finds what was there.
const KEPT_BYTES: usize = 4 * limits::REQUEST_BYTES;

/// In which way a text is laid out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Way {
    /// As Markdown.
    Markdown,
    /// Line by line.
    Lines(Role),
    /// So that every space counts.
    Exactly,
    /// On one line behind these, and broken off behind the gutter.
    Behind(Vec<Span>, Role),
    /// Its beginning on one line.
    Beginning,
}

/// All that the rows of a text come from, beside the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Layout {
    pub(super) way: Way,
    pub(super) indent: usize,
    pub(super) columns: usize,
    pub(super) theme: Theme,
}

/// Texts with their rows, the one that was used last at the end.
#[derive(Debug, Default)]
pub(super) struct Laid(Vec<(Layout, String, Rc<[Row]>)>);

impl Laid {
    /// Whether a text is long enough to be kept.
    pub(super) const fn takes(text: &str) -> bool {
        text.len() >= LONG_BYTES
    }

    /// The rows of a text, where it was laid out in the same way before.
    pub(super) fn find(&mut self, layout: &Layout, text: &str) -> Option<Rc<[Row]>> {
        let at = self.0.iter().rposition(|(like, kept, _)| kept == text && like == layout)?;
        // What is used stays.
        self.0.get_mut(at..)?.rotate_left(1);
        self.0.last().map(|(.., rows)| rows.clone())
    }

    /// Keeps the rows of a text, for as long as there is room and it is used.
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
    fn what_is_not_used_makes_room_and_what_differs_is_not_taken_for_the_same() {
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
