//! Step budget of patterns. The engine reports no steps and core reads no clock, so each match is charged its worst
//! case: less than 0.8 ns a step in a release build.

use super::Pattern;
use super::translate::PatternTranslation;
use crate::limits;
use std::collections::HashSet;

/// Steps left for all patterns of one sheet. Compiling a pattern is charged once, however often it is matched.
#[derive(Debug, Clone)]
pub struct StepBudget {
    left: u64,
    /// Steps spent on matches and not refunded.
    matching: u64,
    compiled: HashSet<Pattern>,
}

impl Default for StepBudget {
    fn default() -> Self {
        Self { left: limits::SHEET_PATTERN_STEPS, matching: 0, compiled: HashSet::new() }
    }
}

impl StepBudget {
    /// Returns the steps that are left.
    pub const fn left(&self) -> u64 {
        self.left
    }

    /// Returns the steps spent on matches and not refunded.
    pub(crate) const fn matching(&self) -> u64 {
        self.matching
    }

    /// Charges the steps of a match, if enough are left.
    pub(super) fn charge_match(&mut self, steps: u64) -> bool {
        let pays = self.spend(steps);
        self.matching += if pays { steps } else { 0 };
        pays
    }

    /// Refunds the steps of a match whose text is replaced.
    pub(crate) const fn refund(&mut self, steps: u64) {
        self.left = self.left.saturating_add(steps);
        self.matching = self.matching.saturating_sub(steps);
    }

    fn spend(&mut self, steps: u64) -> bool {
        let left = self.left.checked_sub(steps);
        self.left = left.unwrap_or(self.left);
        left.is_some()
    }

    /// Charges the compilation of a pattern, unless it was charged before.
    pub(super) fn charge_compilation(&mut self, pattern: &Pattern) -> bool {
        if self.compiled.contains(pattern) {
            return true;
        }
        let pays = self.spend(pattern.0.costs.compilation);
        if pays {
            self.compiled.insert(pattern.clone());
        }
        pays
    }
}

/// Costs of one pattern in steps.
#[derive(Debug, Clone, Copy)]
pub(super) struct PatternCosts {
    /// Cost of building an engine for it.
    pub(super) compilation: u64,
    /// Cost of one byte of the text, in all states of the pattern.
    byte: u64,
}

impl PatternCosts {
    /// Returns the costs of a pattern, from its states. Properties such as `\p{L}` are tables of hundreds of ranges.
    pub(super) fn new(translation: &PatternTranslation) -> Self {
        let PatternTranslation { text, weight, .. } = translation;
        let has_properties = text.contains(r"\p{") || text.contains(r"\P{");
        let tables = if has_properties { 3 << 19 } else { 0 };
        Self { compilation: (1 << 18) + tables + weight.saturating_mul(1 << 10), byte: *weight }
    }

    /// Returns the cost of one pass over a text, all states at each byte. The engine caches its state sets; building
    /// the first ones takes longest.
    pub(super) const fn pass_cost(self, text: &str) -> u64 {
        let pass = self.text_cost(text);
        pass.saturating_add(3 * if pass < CACHED_STEPS { pass } else { CACHED_STEPS })
    }

    const fn text_cost(self, text: &str) -> u64 {
        self.byte.saturating_mul(if text.is_empty() { 1 } else { text.len() as u64 })
    }

    /// Returns the cost of one pass with at most this many backtracks. Each backtrack may read the whole text again.
    /// Those reads go byte by byte if the first pass fits the engine's cache, else once more through all states.
    pub(super) const fn backtracking_cost(self, text: &str, backtracks: usize) -> u64 {
        let once = self.text_cost(text);
        let again = if once <= CACHED_STEPS { (text.len() as u64).saturating_mul(4) } else { once };
        self.pass_cost(text).saturating_add(again.saturating_add(128).saturating_mul(backtracks as u64))
    }
}

/// Steps whose state sets surely fit the engine's cache.
const CACHED_STEPS: u64 = 1 << 18;
