//! A bar on standard error while something long goes on, where that is a terminal.

use std::cell::Cell;
use std::io::{self, IsTerminal as _, Write as _};

/// Columns of the bar itself.
const COLUMNS: u64 = 30;

/// What was drawn last, so that nothing is drawn twice.
#[derive(Debug, Default)]
pub(crate) struct ProgressBar {
    shown: Cell<Option<u64>>,
}

impl ProgressBar {
    /// Draws how much of how much is done.
    pub(crate) fn show(&self, done: u64, total: u64) {
        let percent = done.saturating_mul(100).checked_div(total).unwrap_or(100).min(100);
        if self.shown.get() == Some(percent) || !io::stderr().is_terminal() {
            return;
        }
        self.shown.set(Some(percent));
        let full = percent * COLUMNS / 100;
        let bar: String = (0..COLUMNS).map(|at| if at < full { '#' } else { '.' }).collect();
        // Nobody who looks is no reason to fail.
        let _ = write!(io::stderr(), "\r[{bar}] {percent:>3} %");
    }

    /// Takes it away again.
    pub(crate) fn clear(&self) {
        if self.shown.take().is_some() {
            let _ = write!(io::stderr(), "\r\x1b[K");
        }
    }
}
