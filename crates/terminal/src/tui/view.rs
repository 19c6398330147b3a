//! Rendering of the state. Drawing decides and changes nothing: the screen shows only what the state contains, and the
//! [`FrameReport`] returns what was measured.

mod action;
mod ask_view;
mod choice;
mod dialog;
mod footer;
mod header;
mod inbox;
mod prompt;
mod question;
mod review;
mod scale;
mod section;
mod submit_row;
mod typed_answer;

use super::answer::{DrawnLines, ScrollTarget, Viewport};
use super::app::App;
use super::dialog::PagerExtent;
use super::widgets::layout_cache::LayoutCache;
use super::widgets::line_builder::{HitTarget, LineBuilder, StyledRow, StyledSpan, display_width};
use super::widgets::theme::{StyleRole, Theme};
use inbox::InboxView;
use jiff::{Timestamp, Zoned};
use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use sayso_core::Lang;
use std::cell::RefCell;

/// Minimum size: columns and rows. A smaller screen shows only a notice; the state is kept.
const MIN_SIZE: (u16, u16) = (32, 8);

pub(super) use inbox::shows_selected_ask;

/// Minimum number of columns of a wide screen; a narrow one shows one line instead of two.
pub(super) const NARROW_COLUMNS: usize = 60;

/// Measurements of a frame, which [`App::apply_frame`] puts into the state: drawing itself changes nothing.
#[derive(Debug, Default)]
#[must_use]
pub struct FrameReport {
    /// Columns and rows of the screen.
    pub(super) size: (u16, u16),
    hits: Vec<(Rect, HitTarget)>,
    /// Visible part of the page.
    pub(super) viewport: Viewport,
    /// Visible lines above the answer of a page that must be read.
    pub(super) drawn_lines: Option<DrawnLines>,
    /// Options whose description the page cuts, as indices into all offers.
    pub(super) cut_options: Vec<usize>,
    /// Answer on the submit row of a lone question's page.
    pub(super) submit_answer: Option<String>,
    /// Position of the visible cursor.
    pub(super) cursor: Option<Position>,
    /// Visible part of the list of asks.
    pub(super) list: Option<ListExtent>,
    /// Visible parts of the pagers.
    pub(super) pagers: Vec<(DialogLayer, PagerExtent)>,
    /// Widths of the text boxes, in columns.
    pub(super) text_widths: Vec<(TextBoxSlot, usize)>,
}

/// Visible part of the list of asks in a frame.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct ListExtent {
    /// First visible ask.
    pub(super) first: usize,
    /// Number of asks that fit.
    pub(super) asks: usize,
}

/// Layer of a dialog on the screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum DialogLayer {
    /// Over the page of the open ask.
    Ask,
    /// Over everything.
    Overlay,
}

/// Place of a text box on the screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TextBoxSlot {
    /// Filter of the list of asks.
    InboxFilter,
    /// Filter of the options.
    OptionFilter,
    /// The typed answer.
    Answer,
    /// The note to the asker.
    Note,
    /// Text box of a dialog.
    Dialog(DialogLayer),
}

impl FrameReport {
    /// Returns the hit-test target of a cell.
    pub(super) fn hit_target(&self, column: u16, row: u16) -> Option<HitTarget> {
        let position = Position::new(column, row);
        let (_, hit) = self.hits.iter().rfind(|(area, _)| area.contains(position))?;
        Some(*hit)
    }
}

/// Drawing surface: the cells, and the hit-test areas.
pub(super) struct FrameCanvas<'b> {
    buffer: &'b mut Buffer,
    report: FrameReport,
}

/// Rows of a page, with its focus and caret.
#[derive(Debug, Default)]
pub(super) struct PageContent {
    pub(super) rows: Vec<StyledRow>,
    /// First row of the content. Rows above it may scroll away in favour of the focused element.
    pub(super) content_start: usize,
    /// Number of rows above the answer, if they must be read.
    pub(super) lines_to_read: Option<usize>,
    /// Options whose description is cut, as indices into all offers.
    pub(super) cut_options: Vec<usize>,
    /// A context is cut; a key shows the whole of it.
    pub(super) cuts_context: bool,
    /// Range of the focused rows.
    pub(super) focus: Option<(usize, usize)>,
    /// The focused rows are drawn together or not at all: yes is never on the screen without no.
    pub(super) is_focus_unsplit: bool,
    /// Row and column of the caret.
    pub(super) caret: Option<(usize, usize)>,
    /// Widths of the text boxes on the page.
    pub(super) text_widths: Vec<(TextBoxSlot, usize)>,
}

/// The context of a view besides the state that it draws.
#[derive(Clone, Copy)]
pub(super) struct ViewContext<'a> {
    pub(super) lang: Lang,
    pub(super) theme: &'a Theme,
    pub(super) layout_cache: &'a RefCell<LayoutCache>,
    /// The person's home folder.
    pub(super) home: &'a str,
    /// Time on the person's clock.
    pub(super) now: &'a Zoned,
    /// Monotonic time of the same moment.
    pub(super) monotonic: Timestamp,
}

impl<'a> ViewContext<'a> {
    /// Returns a builder of rows, which keeps long texts in the layout cache.
    pub(super) fn builder(&self, columns: usize) -> LineBuilder<'a> {
        LineBuilder::new(self.theme, columns).with_cache(self.layout_cache)
    }
}

impl App {
    /// Returns what the views share.
    pub(super) fn view_context(&self) -> ViewContext<'_> {
        ViewContext {
            lang: self.setup.lang,
            theme: &self.setup.theme,
            layout_cache: &self.layout_cache,
            home: &self.setup.home,
            now: &self.now,
            monotonic: self.monotonic,
        }
    }

    /// Draws the screen and returns what [`apply_frame`](Self::apply_frame) needs of the frame.
    pub fn draw(&self, frame: &mut Frame<'_>) -> FrameReport {
        let area = frame.area();
        let report = self.render(area, frame.buffer_mut());
        if let Some(cursor) = report.cursor {
            frame.set_cursor_position(cursor);
        }
        report
    }

    /// Draws the screen into a buffer.
    pub(super) fn render(&self, area: Rect, buffer: &mut Buffer) -> FrameReport {
        buffer.set_style(area, self.setup.theme.style(StyleRole::Plain));
        let size = (area.width, area.height);
        let mut canvas = FrameCanvas { buffer, report: FrameReport { size, ..FrameReport::default() } };
        if is_too_small(size) {
            self.draw_too_small(area, &mut canvas);
            return canvas.report;
        }
        match &self.ask_view {
            Some(view) => ask_view::draw(self, view, area, &mut canvas),
            None => InboxView::new(self).draw(area, &mut canvas),
        }
        if let Some((id, dialog)) = &self.overlay {
            dialog::draw_overlay(self, *id, dialog, area, &mut canvas);
        }
        canvas.report
    }

    fn draw_too_small(&self, area: Rect, canvas: &mut FrameCanvas<'_>) {
        let message = sayso_core::Message::TooSmall.render_with(self.setup.lang, [MIN_SIZE.0, MIN_SIZE.1]);
        let mut builder = LineBuilder::new(&self.setup.theme, usize::from(area.width));
        builder.push_own(0, &message, StyleRole::Plain);
        canvas.draw_rows(area, &builder.rows);
    }
}

impl FrameCanvas<'_> {
    /// Draws rows from the top of an area, as many as fit.
    pub(super) fn draw_rows(&mut self, area: Rect, rows: &[StyledRow]) {
        let area = area.intersection(self.buffer.area);
        for (y, row) in (area.top()..area.bottom()).zip(rows) {
            self.draw_row(Rect { y, height: 1, ..area }, row);
        }
    }

    fn draw_row(&mut self, area: Rect, row: &StyledRow) {
        let mut x = area.left();
        for (words, style) in row.spans.iter() {
            let room = usize::from(area.right().saturating_sub(x));
            if room == 0 {
                break;
            }
            (x, _) = self.buffer.set_stringn(x, area.y, words, room, *style);
        }
        if let Some(hit) = row.hit {
            self.report.hits.push((area, hit));
        }
    }

    /// Draws spans at a position and records their hit-test target. Returns the next column.
    pub(super) fn draw_spans(&mut self, x: u16, y: u16, spans: &[StyledSpan], hit: Option<HitTarget>) -> u16 {
        let mut at = x;
        if !self.buffer.area.contains(Position::new(x, y)) {
            return at;
        }
        for (words, style) in spans {
            let room = usize::from(self.buffer.area.right().saturating_sub(at));
            (at, _) = self.buffer.set_stringn(at, y, words, room, *style);
        }
        if let Some(hit) = hit {
            self.report.hits.push((Rect { x, y, width: at.saturating_sub(x), height: 1 }, hit));
        }
        at
    }

    /// Draws the visible part of a page and returns its first row.
    pub(super) fn draw_page(&mut self, area: Rect, page: &PageContent, scroll: ScrollTarget) -> usize {
        let height = usize::from(area.height);
        let max_offset = page.rows.len().saturating_sub(height);
        let caret = page.caret.map(|(row, _)| row);
        let offset = match scroll {
            ScrollTarget::Row(row) => row,
            ScrollTarget::Focus => scroll_into_view(page.focus, caret, height),
            ScrollTarget::Start => scroll_into_view(page.focus, caret, height).min(page.content_start),
        };
        let offset = offset.min(max_offset);
        let end = match page.focus {
            Some((first, end))
                if page.is_focus_unsplit && offset < first && (first..end).contains(&(offset + height)) =>
            {
                first
            }
            _ => page.rows.len(),
        };
        self.draw_rows(area, page.rows.get(offset..end).unwrap_or_default());
        let key_row = match (page.focus, caret) {
            (Some((first, end)), Some(row)) if (first..end).contains(&row) => Some(row),
            (Some((first, _)), _) => Some(first),
            (None, caret) => caret,
        };
        self.report.viewport = Viewport {
            offset,
            max_offset,
            rows: height,
            hides_focus: key_row.is_some_and(|row| !(offset..offset + height).contains(&row)),
            cuts_context: page.cuts_context,
        };
        self.report.cut_options.clone_from(&page.cut_options);
        self.report.drawn_lines = None;
        if let Some(total) = page.lines_to_read {
            let drawn = offset.min(total)..(offset + height).min(total);
            self.report.drawn_lines = Some(DrawnLines { columns: area.width, total, drawn });
        }
        self.hide_cursor();
        if let Some((row, column)) = page.caret
            && (offset..offset + height).contains(&row)
            && let (Ok(row), Ok(column)) = (u16::try_from(row - offset), u16::try_from(column))
        {
            self.set_cursor(area.x + column.min(area.width.saturating_sub(1)), area.y + row);
        }
        offset
    }

    pub(super) fn set_cursor(&mut self, x: u16, y: u16) {
        self.report.cursor = Some(Position::new(x, y));
    }

    pub(super) fn hide_cursor(&mut self) {
        self.report.cursor = None;
    }

    /// Clears an area for an overlay.
    pub(super) fn clear(&mut self, area: Rect, style: ratatui::style::Style) {
        for position in area.intersection(self.buffer.area).positions() {
            if let Some(cell) = self.buffer.cell_mut(position) {
                cell.reset();
                cell.set_style(style);
            }
        }
        // A wide character that reaches into the area would cover its first column.
        if let Some(x) = area.x.checked_sub(1) {
            for y in area.top()..area.bottom() {
                if let Some(cell) = self.buffer.cell_mut((x, y))
                    && display_width(cell.symbol()) > 1
                {
                    cell.set_symbol(" ");
                }
            }
        }
        self.report.hits.retain(|(hit, _)| hit.intersection(area).is_empty());
    }
}

/// Returns the first visible row that shows the focused element, with as much above it as fits.
pub(super) fn scroll_into_view(focus: Option<(usize, usize)>, caret: Option<usize>, height: usize) -> usize {
    let (first, end) = match (focus, caret) {
        (Some(focus), _) => focus,
        (None, Some(row)) => (row, row + 1),
        (None, None) => return 0,
    };
    // Shows the start of an element that is too tall, and always the row of the caret.
    let from = end.saturating_sub(height).min(first);
    match caret {
        Some(row) if (first..end).contains(&row) => from.max((row + 1).saturating_sub(height)).min(row),
        // A filter is above its list; Enter picks the focused offer, so that is what scrolls into view.
        Some(_) | None => from,
    }
}

/// Returns whether a screen is too small to show anything.
pub(super) const fn is_too_small(size: (u16, u16)) -> bool {
    size.0 < MIN_SIZE.0 || size.1 < MIN_SIZE.1
}

/// Adds a horizontal rule.
pub(super) fn push_rule(builder: &mut LineBuilder<'_>) {
    let sign = builder.theme.symbols.rule;
    let line = builder.span(sign.repeat(builder.columns / display_width(sign).max(1)), StyleRole::Faint);
    builder.push_row(vec![line]);
}

#[cfg(test)]
mod tests {
    use super::*;
    use ratatui::style::Style;

    #[test]
    fn overlay_clears_cut_wide_letters() {
        for (x, seen) in [(4, "问题[ ab ]题问"), (5, "问题 [ ab ] 问")] {
            let area = Rect::new(0, 0, 14, 1);
            let mut buffer = Buffer::empty(area);
            buffer.set_string(0, 0, "问题问题问题问", Style::default());
            let mut canvas = FrameCanvas { buffer: &mut buffer, report: FrameReport::default() };
            canvas.clear(Rect { x, width: 6, ..area }, Style::default());
            canvas.draw_spans(x, 0, &[("[ ab ]".into(), Style::default())], None);
            // As in a terminal's output, the second column of a wide character is left out.
            let (mut report, mut at) = (String::new(), 0);
            while at < area.width {
                let symbol = buffer[(at, 0)].symbol();
                report.push_str(symbol);
                at += u16::try_from(display_width(symbol).max(1)).unwrap();
            }
            assert_eq!((report.as_str(), at), (seen, 14));
        }
    }
}
