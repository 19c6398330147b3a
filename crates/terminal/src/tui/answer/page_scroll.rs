//! Scroll position of an ask's page: the part that the person wants to see, and the part that the last frame showed.

/// Part of a page to bring into view.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ScrollTarget {
    /// The start of what the person moved to, and the focused element too if both fit.
    Start,
    /// The focused element.
    Focus,
    /// The page from this row on, as the person scrolled it.
    Row(usize),
}

/// Visible part of a page, in rows.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Viewport {
    /// Number of rows above the visible part.
    pub(crate) offset: usize,
    /// Largest possible scroll offset.
    pub(crate) max_offset: usize,
    /// Number of visible rows.
    pub(crate) rows: usize,
    /// The focused element is off screen.
    pub(crate) hides_focus: bool,
    /// A context is cut.
    pub(crate) cuts_context: bool,
}

/// Scroll position of a page.
#[derive(Debug)]
pub(crate) struct PageScroll {
    target: ScrollTarget,
    /// Visible part in the last frame.
    viewport: Viewport,
    /// The person came to another page since the last frame.
    is_new_page: bool,
}

impl PageScroll {
    /// Returns the position at a page that has not been drawn.
    pub(super) fn new() -> Self {
        Self { target: ScrollTarget::Focus, viewport: Viewport::default(), is_new_page: true }
    }

    /// Returns the part of the page to draw.
    pub(crate) const fn target(&self) -> ScrollTarget {
        self.target
    }

    /// Returns the visible part in the last frame.
    pub(crate) const fn viewport(&self) -> Viewport {
        self.viewport
    }

    /// Returns whether the visible part begins with a context that is cut.
    pub(super) const fn cuts_context_above(&self) -> bool {
        self.viewport.cuts_context && self.viewport.offset == 0
    }

    /// Returns whether the person came to another page since the last frame.
    pub(crate) const fn is_new_page(&self) -> bool {
        self.is_new_page
    }

    /// Goes to another page.
    pub(super) const fn open_page(&mut self, target: ScrollTarget) {
        self.target = target;
        self.is_new_page = true;
    }

    /// Scrolls to the focused element.
    pub(super) const fn show_focus(&mut self) {
        self.target = ScrollTarget::Focus;
    }

    /// Scrolls so that this row is the first visible one.
    pub(super) const fn show_row(&mut self, row: usize) {
        self.target = ScrollTarget::Row(row);
    }

    /// Scrolls by a number of rows, counted from the visible part.
    pub(crate) fn move_by(&mut self, rows: isize) {
        let Viewport { offset, max_offset, .. } = self.viewport;
        self.target = ScrollTarget::Row(offset.saturating_add_signed(rows).min(max_offset));
    }

    /// Scrolls by pages; the last visible row stays visible.
    pub(super) fn move_by_pages(&mut self, pages: isize) {
        let rows = isize::try_from(self.viewport.rows.saturating_sub(1).max(1)).unwrap_or(1);
        self.move_by(rows.saturating_mul(pages));
    }

    /// Applies the visible part of a frame.
    pub(super) const fn apply_frame(&mut self, viewport: Viewport) {
        self.viewport = viewport;
        self.is_new_page = false;
    }
}
