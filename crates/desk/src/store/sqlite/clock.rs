//! Clock of a desk file: its anchor, and what is due.

pub(crate) mod anchor;
pub(crate) mod deadlines;
