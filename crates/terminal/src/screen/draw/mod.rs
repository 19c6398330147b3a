//! Rendering of the state. Drawing decides nothing: the screen shows only what the state contains.

mod answering;
mod choice;
mod dialog;
mod edge;
mod footer;
mod header;
mod inbox;
mod question;
mod review;
mod scale;
mod typed;

use super::answering::{Scroll, Sight};
use super::app::App;
use super::paper::{Hit, Paper, Row, Span, width};
use super::theme::Role;
use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

/// Minimum size: columns and rows. A smaller screen shows only a notice; the state is kept.
const SMALLEST: (u16, u16) = (32, 8);

/// Minimum number of columns of a wide screen; a narrow one shows one line instead of two.
pub(super) const NARROW: usize = 60;

/// Result of the last frame, for hit testing and scrolling.
#[derive(Debug, Default)]
pub(super) struct Drawn {
    hits: Vec<(Rect, Hit)>,
    /// Visible part of the page.
    pub(super) sight: Sight,
    /// The last row of the page is visible.
    pub(super) at_end: bool,
    /// Position of the visible cursor.
    cursor: Option<Position>,
}

impl Drawn {
    /// Returns the hit-test target of a cell.
    pub(super) fn hit(&self, column: u16, row: u16) -> Option<Hit> {
        let at = Position::new(column, row);
        self.hits.iter().rev().find(|(area, _)| area.contains(at)).map(|(_, hit)| *hit)
    }
}

/// Drawing surface: the cells, and the hit-test areas.
pub(super) struct Canvas<'b> {
    buffer: &'b mut Buffer,
    drawn: Drawn,
}

/// Rows of a page, with its focus and caret.
#[derive(Debug, Default)]
pub(super) struct Page {
    pub(super) rows: Vec<Row>,
    /// First row of the content. Rows above it may scroll away in favour of the focused element.
    pub(super) beginning: usize,
    /// Range of the focused rows.
    pub(super) focus: Option<(usize, usize)>,
    /// Row and column of the caret.
    pub(super) caret: Option<(usize, usize)>,
}

impl App {
    /// Draws the screen.
    pub fn draw(&mut self, frame: &mut Frame<'_>) {
        let area = frame.area();
        self.size = (area.width, area.height);
        let cursor = self.render(area, frame.buffer_mut());
        if let Some(cursor) = cursor {
            frame.set_cursor_position(cursor);
        }
    }

    /// Renders the screen into a buffer and returns the cursor's position.
    pub(super) fn render(&mut self, area: Rect, buffer: &mut Buffer) -> Option<Position> {
        let unread = self.is_action_unread();
        let cursor = self.render_once(area, buffer);
        if unread == self.is_action_unread() {
            return cursor;
        }
        // This frame showed the end of the action, so the tabs have to be drawn again.
        buffer.reset();
        self.render_once(area, buffer)
    }

    fn is_action_unread(&self) -> bool {
        self.answering.as_ref().is_some_and(|view| !view.action_seen)
    }

    fn render_once(&mut self, area: Rect, buffer: &mut Buffer) -> Option<Position> {
        buffer.set_style(area, self.setup.theme.style(Role::Plain));
        let mut canvas = Canvas { buffer, drawn: Drawn::default() };
        let is_too_small = is_too_small((area.width, area.height));
        if is_too_small {
            self.draw_too_small(area, &mut canvas);
        } else if self.answering.is_some() {
            self.draw_answering(area, &mut canvas);
        } else {
            self.draw_inbox(area, &mut canvas);
        }
        if self.over.is_some() && !is_too_small {
            self.draw_over(area, &mut canvas);
        }
        let drawn = canvas.drawn;
        let cursor = drawn.cursor;
        self.set_drawn(drawn);
        cursor
    }

    fn draw_too_small(&self, area: Rect, canvas: &mut Canvas<'_>) {
        let said = sayso_core::Message::TooSmall.say(self.setup.lang, [SMALLEST.0, SMALLEST.1]);
        let mut builder = Paper::new(&self.setup.theme, usize::from(area.width));
        builder.ours(0, &said, Role::Plain);
        canvas.rows(area, &builder.rows);
    }
}

impl Canvas<'_> {
    /// Draws rows from the top of an area, as many as fit.
    pub(super) fn rows(&mut self, area: Rect, rows: &[Row]) {
        let area = area.intersection(self.buffer.area);
        for (y, row) in (area.top()..area.bottom()).zip(rows) {
            self.row(Rect { y, height: 1, ..area }, row);
        }
    }

    fn row(&mut self, area: Rect, row: &Row) {
        let mut x = area.left();
        for (words, style) in row.spans.iter() {
            let room = usize::from(area.right().saturating_sub(x));
            if room == 0 {
                break;
            }
            (x, _) = self.buffer.set_stringn(x, area.y, words, room, *style);
        }
        if let Some(hit) = row.hit {
            self.drawn.hits.push((area, hit));
        }
    }

    /// Draws spans at a position and records their hit-test target. Returns the next column.
    pub(super) fn spans(&mut self, x: u16, y: u16, spans: &[Span], hit: Option<Hit>) -> u16 {
        let mut at = x;
        if !self.buffer.area.contains(Position::new(x, y)) {
            return at;
        }
        for (words, style) in spans {
            let room = usize::from(self.buffer.area.right().saturating_sub(at));
            (at, _) = self.buffer.set_stringn(at, y, words, room, *style);
        }
        if let Some(hit) = hit {
            self.drawn.hits.push((Rect { x, y, width: at.saturating_sub(x), height: 1 }, hit));
        }
        at
    }

    /// Draws the visible part of a page and returns its first row.
    pub(super) fn page(&mut self, area: Rect, page: &Page, scroll: Scroll) -> usize {
        let height = usize::from(area.height);
        let most = page.rows.len().saturating_sub(height);
        let caret = page.caret.map(|(row, _)| row);
        let from = match scroll {
            Scroll::From(row) => row,
            Scroll::Keys => in_sight(page.focus, caret, height),
            Scroll::Beginning => in_sight(page.focus, caret, height).min(page.beginning),
        };
        let from = from.min(most);
        self.rows(area, page.rows.get(from..).unwrap_or_default());
        let keys = match (page.focus, caret) {
            (Some((first, end)), Some(row)) if (first..end).contains(&row) => Some(row),
            (Some((first, _)), _) => Some(first),
            (None, caret) => caret,
        };
        let hides_keys = keys.is_some_and(|row| !(from..from + height).contains(&row));
        self.drawn.sight = Sight { from, most, rows: height, hides_keys };
        self.drawn.at_end = from >= most;
        let seen = |row: usize| row.checked_sub(from).filter(|row| *row < height);
        self.drawn.cursor = page.caret.and_then(|(row, column)| {
            let (row, column) = (u16::try_from(seen(row)?).ok()?, u16::try_from(column).ok()?);
            Some(Position::new(area.x + column.min(area.width.saturating_sub(1)), area.y + row))
        });
        from
    }

    pub(super) fn set_cursor(&mut self, x: u16, y: u16) {
        self.drawn.cursor = Some(Position::new(x, y));
    }

    pub(super) fn hide_cursor(&mut self) {
        self.drawn.cursor = None;
    }

    /// Clears an area for an overlay.
    pub(super) fn clear(&mut self, area: Rect, style: ratatui::style::Style) {
        for at in area.intersection(self.buffer.area).positions() {
            if let Some(cell) = self.buffer.cell_mut(at) {
                cell.reset();
                cell.set_style(style);
            }
        }
        // A wide character that reaches into the area would cover its first column.
        let left = area.x.checked_sub(1);
        for at in left.into_iter().flat_map(|x| (area.top()..area.bottom()).map(move |y| Position::new(x, y)))
        {
            if let Some(cell) = self.buffer.cell_mut(at).filter(|cell| width(cell.symbol()) > 1) {
                cell.set_symbol(" ");
            }
        }
        self.drawn.hits.retain(|(hit, _)| hit.intersection(area).is_empty());
    }
}

/// Returns the first visible row that shows the focused element, with as much above it as fits.
pub(super) fn in_sight(focus: Option<(usize, usize)>, caret: Option<usize>, height: usize) -> usize {
    let Some((first, end)) = focus.or(caret.map(|row| (row, row + 1))) else { return 0 };
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
    size.0 < SMALLEST.0 || size.1 < SMALLEST.1
}

/// Adds a horizontal rule.
pub(super) fn rule(builder: &mut Paper<'_>) {
    let sign = builder.theme.signs.rule;
    let line = builder.span(sign.repeat(builder.columns / width(sign).max(1)), Role::Faint);
    builder.row(vec![line]);
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
            let mut canvas = Canvas { buffer: &mut buffer, drawn: Drawn::default() };
            canvas.clear(Rect { x, width: 6, ..area }, Style::default());
            canvas.spans(x, 0, &[("[ ab ]".into(), Style::default())], None);
            // As in a terminal's output, the second column of a wide character is left out.
            let (mut told, mut at) = (String::new(), 0);
            while at < area.width {
                let symbol = buffer[(at, 0)].symbol();
                told.push_str(symbol);
                at += u16::try_from(width(symbol).max(1)).unwrap();
            }
            assert_eq!((told.as_str(), at), (seen, 14));
        }
    }
}
