//! Limits and step budget of patterns. Every number that bounds the work on them is in this file. The engine reports no
//! steps and core reads no clock, so each match is charged its worst case: less than 0.8 ns a step in a release build.

use super::Pattern;
use super::translate::PatternTranslation;
use std::collections::HashSet;

/// Patterns of one questionnaire.
pub const PATTERNS: usize = 200;
/// Rejected patterns of one questionnaire after which no other is compiled.
pub const BAD_PATTERNS: usize = 10;
/// A pattern, in characters.
pub const PATTERN_CHARS: usize = 1_000;
/// Nesting depth of groups in a pattern.
pub(super) const GROUP_DEPTH: usize = 40;
/// Compiled part of a pattern, in bytes.
pub(super) const COMPILED_BYTES: usize = 256 << 10;
/// Compiled backtracking pattern, in instructions.
pub(super) const INSTRUCTIONS: usize = 20_000;
/// Compiled patterns in the cache of the process: at [`COMPILED_BYTES`] each, 16 MiB at most.
pub(super) const CACHED_PATTERNS: usize = 64;
/// Backtracks of one match. Each limit has an engine, and a match starts with the lowest, since it is charged the
/// limit it uses.
pub(super) const BACKTRACKS: [usize; 3] = [200, 2_000, 20_000];

/// Cost of one match, in steps: states of the pattern times bytes of the text, plus each backtrack's share of that.
pub(super) const MATCH_STEPS: u64 = 1 << 24;
/// Cost of all patterns of one sheet, in steps: at most 50 ms in a release build.
pub(super) const SHEET_STEPS: u64 = 50_000_000;
/// Steps below which a match takes less time than the digest of its text, so that its result is not cached.
pub(super) const UNCACHED_STEPS: u64 = 20_000;
/// Cost of compiling any pattern, in steps.
const COMPILATION_STEPS: u64 = 1 << 18;
/// Cost of compiling properties such as `\p{L}`, in steps: they are tables of hundreds of ranges.
const PROPERTY_STEPS: u64 = 3 << 19;
/// Cost of compiling one state, in steps.
const STATE_STEPS: u64 = 1 << 10;
/// Steps whose state sets surely fit the engine's cache.
const CACHED_STEPS: u64 = 1 << 18;
/// Passes that building the state sets of the engine's cache takes, in addition to the pass itself.
const CACHE_PASSES: u64 = 3;
/// Cost of one backtrack on an empty text, in steps.
const BACKTRACK_STEPS: u64 = 128;
/// Cost of one byte that a backtrack reads again, if the state sets are in the engine's cache, in steps.
const REREAD_STEPS: u64 = 4;

/// States of an ASCII character.
pub(super) const ASCII_STATES: u64 = 1;
/// States of any other character, of a set with one, and of a word boundary.
pub(super) const WIDE_STATES: u64 = 4;

/// Length of the texts that a pattern is tried on before it is asked, in characters.
pub(super) const TRIAL_CHARS: usize = 64;
/// Characters of the pattern that such a text repeats.
pub(super) const TRIAL_LETTERS: usize = 4;
/// Length of the excerpt shown of such a text, in characters.
pub(crate) const EXCERPT_CHARS: usize = 12;

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
        Self { left: SHEET_STEPS, matching: 0, compiled: HashSet::new() }
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
        let is_paid = self.spend(steps);
        if is_paid {
            self.matching += steps;
        }
        is_paid
    }

    /// Refunds the steps of a match whose text is replaced.
    pub(crate) const fn refund(&mut self, steps: u64) {
        self.left = self.left.saturating_add(steps);
        self.matching = self.matching.saturating_sub(steps);
    }

    fn spend(&mut self, steps: u64) -> bool {
        let Some(rest) = self.left.checked_sub(steps) else { return false };
        self.left = rest;
        true
    }

    /// Charges the compilation of a pattern, unless it was charged before.
    pub(super) fn charge_compilation(&mut self, pattern: &Pattern) -> bool {
        if self.compiled.contains(pattern) {
            return true;
        }
        if !self.spend(pattern.0.costs.compilation) {
            return false;
        }
        self.compiled.insert(pattern.clone());
        true
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
    /// Returns the costs of a pattern, from its states.
    pub(super) fn new(translation: &PatternTranslation) -> Self {
        let PatternTranslation { text, weight, .. } = translation;
        let has_properties = text.contains(r"\p{") || text.contains(r"\P{");
        let tables = if has_properties { PROPERTY_STEPS } else { 0 };
        let states = weight.saturating_mul(STATE_STEPS);
        Self { compilation: (COMPILATION_STEPS + tables).saturating_add(states), byte: *weight }
    }

    /// Returns the cost of one pass over a text, all states at each byte. The engine caches its state sets; building
    /// the first ones takes longest.
    pub(super) const fn pass_cost(self, text: &str) -> u64 {
        let pass = self.text_cost(text);
        let cached = if pass < CACHED_STEPS { pass } else { CACHED_STEPS };
        pass.saturating_add(CACHE_PASSES * cached)
    }

    const fn text_cost(self, text: &str) -> u64 {
        self.byte.saturating_mul(if text.is_empty() { 1 } else { text.len() as u64 })
    }

    /// Returns the cost of one pass with at most this many backtracks. Each backtrack may read the whole text again.
    /// Those reads go byte by byte if the first pass fits the engine's cache, else once more through all states.
    pub(super) const fn backtracking_cost(self, text: &str, backtracks: usize) -> u64 {
        let once = self.text_cost(text);
        let reread =
            if once <= CACHED_STEPS { (text.len() as u64).saturating_mul(REREAD_STEPS) } else { once };
        let backtrack = reread.saturating_add(BACKTRACK_STEPS);
        self.pass_cost(text).saturating_add(backtrack.saturating_mul(backtracks as u64))
    }
}
