//! Ratatui backend: writes each frame at once, and only if it changes something.

use super::modes::{BEGIN_FRAME, END_FRAME, HIDE_CURSOR};
use super::output::TerminalOutput;
use super::system;
use ratatui::backend::{Backend, ClearType, CrosstermBackend, WindowSize};
use ratatui::buffer::{Buffer, Cell};
use ratatui::layout::{Position, Rect, Size};
use std::collections::BTreeSet;
use std::io;
use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

/// Renderer of a terminal's screen.
#[derive(Debug)]
pub(super) struct ScreenRenderer {
    pub(super) output: TerminalOutput,
    synchronized: bool,
    /// Frame under construction.
    frame_bytes: Vec<u8>,
    /// The frame changes the screen.
    has_changed: bool,
    /// Position of the visible cursor.
    cursor: Option<Position>,
    /// Cells on the screen.
    cells: Buffer,
}

impl ScreenRenderer {
    pub(super) fn new(output: TerminalOutput, synchronized: bool) -> Self {
        let cells = Buffer::empty(Rect::ZERO);
        Self { output, synchronized, frame_bytes: Vec::new(), has_changed: false, cursor: None, cells }
    }

    /// Forgets the screen's contents, so that the next frame is written in any case.
    pub(super) const fn invalidate(&mut self) {
        self.has_changed = true;
    }

    /// Writes the frame, if it changes something.
    pub(super) fn write_frame(&mut self) -> io::Result<()> {
        let frame = std::mem::take(&mut self.frame_bytes);
        if !std::mem::take(&mut self.has_changed) {
            return Ok(());
        }
        let (begin, end) = if self.synchronized { (BEGIN_FRAME, END_FRAME) } else { Default::default() };
        self.output.write(&[begin, HIDE_CURSOR, &frame, end].concat())
    }

    const fn encoder(&mut self) -> CrosstermBackend<&mut Vec<u8>> {
        CrosstermBackend::new(&mut self.frame_bytes)
    }

    fn record_cursor(&mut self, cursor: Option<Position>) {
        self.has_changed |= self.cursor != cursor;
        self.cursor = cursor;
    }

    /// Records the drawn cells and returns the rows to draw in full. Some terminals use other widths for joined
    /// characters, and would leave parts of them on that row or at the start of the next.
    fn record_cells(&mut self, drawn: &[(u16, u16, &Cell)]) -> BTreeSet<u16> {
        let (width, height) = system::size(self.output.file());
        let area = Rect { width, height, ..Rect::ZERO };
        if self.cells.area != area {
            self.cells = Buffer::empty(area);
        }
        let mut rows = BTreeSet::new();
        for &(x, y, cell) in drawn {
            let Some(screen_cell) = self.cells.cell_mut((x, y)) else { continue };
            if may_be_wider(screen_cell.symbol()) || may_be_wider(cell.symbol()) {
                rows.extend([y, y.saturating_add(1)]);
            }
            screen_cell.clone_from(cell);
            // A wide character clears the cells that it covers.
            let end = x.saturating_add(u16::try_from(cell.symbol().width()).unwrap_or(1));
            for column in x.saturating_add(1)..end {
                if let Some(hidden_cell) = self.cells.cell_mut((column, y)) {
                    hidden_cell.reset();
                }
            }
        }
        rows
    }

    /// Returns the cells of these rows, without those that a wide character covers.
    fn row_cells(&self, rows: &BTreeSet<u16>) -> Vec<(u16, u16, &Cell)> {
        let mut cells = Vec::new();
        for y in rows {
            let mut x = 0;
            while let Some(cell) = self.cells.cell((x, *y)) {
                cells.push((x, *y, cell));
                x += u16::try_from(cell.symbol().width()).unwrap_or(1).max(1);
            }
        }
        cells
    }
}

/// Returns whether a terminal that draws each character separately needs more columns than the grapheme has.
fn may_be_wider(symbol: &str) -> bool {
    symbol.chars().map(|c| c.width().unwrap_or(0)).sum::<usize>() > symbol.width()
}

impl Backend for ScreenRenderer {
    type Error = io::Error;

    fn draw<'a, I: Iterator<Item = (u16, u16, &'a Cell)>>(&mut self, content: I) -> io::Result<()> {
        let mut cells: Vec<_> = content.collect();
        if cells.is_empty() {
            return Ok(());
        }
        self.has_changed = true;
        let rows = self.record_cells(&cells);
        cells.retain(|(_, y, _)| !rows.contains(y));
        let whole_rows = self.row_cells(&rows);
        let mut frame = Vec::new();
        CrosstermBackend::new(&mut frame).draw(cells.into_iter().chain(whole_rows))?;
        self.frame_bytes.append(&mut frame);
        Ok(())
    }

    fn hide_cursor(&mut self) -> io::Result<()> {
        self.record_cursor(None);
        Ok(())
    }

    /// Ratatui sets the position immediately afterwards.
    fn show_cursor(&mut self) -> io::Result<()> {
        self.encoder().show_cursor()
    }

    /// Returns the recorded position, because a terminal may not answer the query.
    fn get_cursor_position(&mut self) -> io::Result<Position> {
        Ok(self.cursor.unwrap_or_default())
    }

    fn set_cursor_position<P: Into<Position>>(&mut self, position: P) -> io::Result<()> {
        let position = position.into();
        self.record_cursor(Some(position));
        self.encoder().set_cursor_position(position)
    }

    fn clear(&mut self) -> io::Result<()> {
        self.clear_region(ClearType::All)
    }

    fn clear_region(&mut self, kind: ClearType) -> io::Result<()> {
        self.has_changed = true;
        self.cells.reset();
        self.encoder().clear_region(kind)
    }

    fn size(&self) -> io::Result<Size> {
        let (width, height) = system::size(self.output.file());
        Ok(Size { width, height })
    }

    fn window_size(&mut self) -> io::Result<WindowSize> {
        Ok(WindowSize { columns_rows: self.size()?, pixels: Size::default() })
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
