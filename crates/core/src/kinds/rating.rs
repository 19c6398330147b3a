//! A step on a scale of whole numbers.

use std::collections::BTreeMap;

/// A scale of whole numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RatingQuestion {
    /// The lowest step.
    pub min: i32,
    /// The highest step.
    pub max: i32,
    /// The scale shows faces.
    pub emoji: bool,
    /// Meanings of single steps.
    pub annotations: BTreeMap<i32, String>,
}

impl Default for RatingQuestion {
    fn default() -> Self {
        Self { min: 1, max: 5, emoji: false, annotations: BTreeMap::new() }
    }
}
