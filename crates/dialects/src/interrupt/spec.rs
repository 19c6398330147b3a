//! Names of the spec.

/// Name of the format on the command line and in a stored ask.
pub(crate) const NAME: &str = "interrupt";

/// Tool with which an agent asks (the spec's `ask_user`).
pub const ASK_USER: &str = "ask_user";

/// Value of an option for typed text, if it has no other.
pub(crate) const CUSTOM_VALUE: &str = "__custom__";
