//! The time on two clocks: what people read, and what only goes on.

use jiff::{Timestamp, Zoned};

/// A moment.
#[derive(Debug, Clone)]
pub struct Now {
    /// On the person's clock. It may be set, forward and back.
    pub wall: Zoned,
    /// On one that nobody sets: how long something takes is told by it. It begins anywhere.
    pub steady: Timestamp,
}
