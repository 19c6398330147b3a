//! Names of the spec.

/// Name of the format on the command line and in a stored ask.
pub(crate) const NAME: &str = "ask_user_question";
