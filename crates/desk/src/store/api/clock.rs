//! Clock of a store, by which all processes that share it decide what is due.

use jiff::Timestamp;
use sayso_core::Problem;

/// Clock of a store, and what it makes due.
pub(crate) trait StoreClock: Send + Sync {
    /// Returns the current time, in the precision in which the store keeps times.
    fn now(&self) -> Timestamp;

    /// Moves deadlines if the clock was set since the last write. Otherwise it writes nothing and hardly reads.
    ///
    /// # Errors
    /// If the store cannot be read or written.
    fn adjust_for_clock_change(&self) -> Result<(), Problem>;

    /// Runs what is due on a batch of readable asks, the most overdue first, and returns their number; 0 when nothing is
    /// left. Writes nothing then.
    ///
    /// # Errors
    /// If the store cannot be read or written.
    fn run_due(&self) -> Result<usize, Problem>;
}
