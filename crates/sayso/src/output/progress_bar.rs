//! Progress bar on standard error, if that is a terminal.

use std::cell::Cell;
use std::io::{self, IsTerminal as _, Write as _};

/// Width of the bar in columns.
const COLUMNS: u64 = 30;

/// Progress bar that is drawn only if its percentage changes.
#[derive(Debug, Default)]
pub(crate) struct ProgressBar {
    shown: Cell<Option<u64>>,
}

impl ProgressBar {
    /// Draws the progress.
    pub(crate) fn show(&self, done: u64, total: u64) {
        let percent = done.saturating_mul(100).checked_div(total).unwrap_or(100).min(100);
        if self.shown.get() == Some(percent) || !io::stderr().is_terminal() {
            return;
        }
        self.shown.set(Some(percent));
        let full = percent * COLUMNS / 100;
        let bar: String = (0..COLUMNS).map(|at| if at < full { '#' } else { '.' }).collect();
        // A failed write is no reason to fail.
        let _ = write!(io::stderr(), "\r[{bar}] {percent:>3} %");
    }

    /// Removes the bar.
    pub(crate) fn clear(&self) {
        if self.shown.take().is_some() {
            let _ = write!(io::stderr(), "\r\x1b[K");
        }
    }
}
