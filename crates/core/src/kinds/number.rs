//! A number to be typed.

use crate::model::value::number::Number;

/// A number to be typed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NumberQuestion {
    /// Increment of a control with steps. No answer is validated by it.
    pub step: Option<Number>,
}
