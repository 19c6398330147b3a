//! A text to be typed.

/// A text to be typed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TextQuestion {
    /// More than a line is expected.
    pub long: bool,
}
