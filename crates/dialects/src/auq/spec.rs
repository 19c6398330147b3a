//! Names and bounds of the spec.

/// Name of the format on the command line and in a stored ask.
pub(crate) const NAME: &str = "auq";

/// The name of the tool.
pub const TOOL: &str = "ask_user_questions";

/// The fewest options of a question (the spec's "options array bounds").
pub(crate) const OPTIONS_MIN: usize = 2;
