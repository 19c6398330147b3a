//! Programs in other languages that do the same work, measured in the rows of ours.

pub(crate) mod langgraph;
pub(crate) mod validators;
