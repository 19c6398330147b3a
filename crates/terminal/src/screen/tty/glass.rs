//! The screen that frames are drawn on: each goes out in one write, and only when it changes something.

use super::modes::{BEGIN_FRAME, END_FRAME, HIDE_CURSOR};
use super::system;
use ratatui::backend::{Backend, ClearType, CrosstermBackend, WindowSize};
use ratatui::buffer::Cell;
use ratatui::layout::{Position, Size};
use std::fs::File;
use std::io;

/// A terminal's screen.
#[derive(Debug)]
pub(super) struct Glass {
    output: File,
    synchronized: bool,
    /// The frame that is being drawn.
    frame: Vec<u8>,
    /// It changes what is seen.
    has_changed: bool,
    /// Where the cursor is to be seen.
    cursor: Option<Position>,
}

impl Glass {
    pub(super) const fn new(output: File, synchronized: bool) -> Self {
        Self { output, synchronized, frame: Vec::new(), has_changed: false, cursor: None }
    }

    /// What stands on it is not known any more: the next frame goes out in any case.
    pub(super) const fn forget(&mut self) {
        self.has_changed = true;
    }

    /// Writes the frame that was drawn.
    pub(super) fn send(&mut self) -> io::Result<()> {
        let frame = std::mem::take(&mut self.frame);
        if !std::mem::take(&mut self.has_changed) {
            return Ok(());
        }
        let (begin, end) = if self.synchronized { (BEGIN_FRAME, END_FRAME) } else { Default::default() };
        self.say(&[begin, HIDE_CURSOR, &frame, end].concat())
    }

    /// Writes these bytes at once.
    pub(super) fn say(&self, bytes: &[u8]) -> io::Result<()> {
        system::write(&self.output, bytes)
    }

    const fn draws(&mut self) -> CrosstermBackend<&mut Vec<u8>> {
        CrosstermBackend::new(&mut self.frame)
    }

    fn has_cursor(&mut self, cursor: Option<Position>) {
        self.has_changed |= self.cursor != cursor;
        self.cursor = cursor;
    }
}

impl Backend for Glass {
    type Error = io::Error;

    fn draw<'a, I: Iterator<Item = (u16, u16, &'a Cell)>>(&mut self, content: I) -> io::Result<()> {
        let mut content = content.peekable();
        if content.peek().is_none() {
            return Ok(());
        }
        self.has_changed = true;
        self.draws().draw(content)
    }

    fn hide_cursor(&mut self) -> io::Result<()> {
        self.has_cursor(None);
        Ok(())
    }

    /// Ratatui says right afterwards where.
    fn show_cursor(&mut self) -> io::Result<()> {
        self.draws().show_cursor()
    }

    /// Never asked of the terminal, which may not answer.
    fn get_cursor_position(&mut self) -> io::Result<Position> {
        Ok(self.cursor.unwrap_or_default())
    }

    fn set_cursor_position<P: Into<Position>>(&mut self, position: P) -> io::Result<()> {
        let position = position.into();
        self.has_cursor(Some(position));
        self.draws().set_cursor_position(position)
    }

    fn clear(&mut self) -> io::Result<()> {
        self.clear_region(ClearType::All)
    }

    fn clear_region(&mut self, kind: ClearType) -> io::Result<()> {
        self.has_changed = true;
        self.draws().clear_region(kind)
    }

    fn size(&self) -> io::Result<Size> {
        let (width, height) = system::size(&self.output);
        Ok(Size { width, height })
    }

    fn window_size(&mut self) -> io::Result<WindowSize> {
        Ok(WindowSize { columns_rows: self.size()?, pixels: Size::default() })
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
