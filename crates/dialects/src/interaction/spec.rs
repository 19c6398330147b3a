//! Names of the spec.

/// Name of the format on the command line and in a stored ask.
pub(crate) const NAME: &str = "interaction";

/// Name of the tool that asks.
pub const TOOL: &str = "questions_ask";
