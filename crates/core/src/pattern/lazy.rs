//! Lazily compiled pattern of a question, with its last costly match.

use super::budget::UNCACHED_STEPS;
use super::{MatchResult, MatchTrial, Pattern, PatternFault, StepBudget, cache};
use sha2::{Digest as _, Sha256};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

/// A pattern compiled at first use, once for all copies made afterwards.
#[derive(Debug, Clone)]
pub struct LazyPattern {
    source: String,
    compiled: OnceLock<Result<Arc<CachedPattern>, Box<PatternFault>>>,
}

#[derive(Debug)]
struct CachedPattern {
    pattern: Pattern,
    /// Last text whose match was costly. A draft is saved repeatedly and judged once more at submission: only changed
    /// text is matched again.
    last_match: Mutex<Option<(TextDigest, MatchTrial)>>,
}

/// SHA-256 of a text.
type TextDigest = [u8; 32];

impl LazyPattern {
    /// Creates a pattern from its source.
    pub fn new(source: impl Into<String>) -> Self {
        Self { source: source.into(), compiled: OnceLock::new() }
    }

    /// Returns the source of the pattern.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Returns the compiled pattern.
    ///
    /// # Errors
    /// Returns the fault of a pattern that does not compile.
    pub fn compiled(&self) -> Result<&Pattern, &PatternFault> {
        self.get_or_compile().map(|ready| &ready.pattern)
    }

    fn get_or_compile(&self) -> Result<&CachedPattern, &PatternFault> {
        let compiled = self.compiled.get_or_init(|| CachedPattern::compile(&self.source));
        compiled.as_deref().map_err(AsRef::as_ref)
    }

    /// Charges the trial runs of this pattern if they passed before, so that they need not run again.
    pub(super) fn charge_passed_trials(&self, budget: &mut StepBudget) -> bool {
        let pattern = match self.compiled.get() {
            Some(Ok(ready)) => Some(ready.pattern.clone()),
            Some(Err(_)) => None,
            None => cache::get(&self.source),
        };
        let Some(pattern) = pattern else { return false };
        let Some(steps) = pattern.0.trial_steps.get() else { return false };
        budget.charge_compilation(&pattern) && budget.charge_match(*steps)
    }

    /// Records that the trial runs took these steps, each with a definite result.
    pub(super) fn record_passed_trials(&self, steps: u64) {
        if let Ok(pattern) = self.compiled() {
            // All trial runs of one pattern take the same steps, so the first record stays.
            let _ = pattern.0.trial_steps.set(steps);
        }
    }

    /// Matches the pattern anywhere in a text, within the steps left. A cached match is charged the same steps.
    pub(crate) fn matches(&self, text: &str, budget: &mut StepBudget) -> MatchResult {
        self.match_within(text, budget).0
    }

    /// Matches the pattern as [`matches`](Self::matches) does, and returns whether the steps ran out: a larger budget
    /// might give a definite result.
    pub(super) fn match_within(&self, text: &str, budget: &mut StepBudget) -> (MatchResult, bool) {
        const CUT_SHORT: (MatchResult, bool) = (MatchResult::TooCostly, true);
        if self.compiled.get().is_none() && !super::can_afford(&self.source, budget) {
            return CUT_SHORT;
        }
        let Ok(ready) = self.get_or_compile() else { return (MatchResult::TooCostly, false) };
        if !budget.charge_compilation(&ready.pattern) {
            return CUT_SHORT;
        }
        let trial = ready.match_cached(text, budget.left());
        if budget.charge_match(trial.steps) { (trial.matched, trial.is_cut_short) } else { CUT_SHORT }
    }
}

impl CachedPattern {
    fn compile(source: &str) -> Result<Arc<Self>, Box<PatternFault>> {
        let pattern = Pattern::compile(source)?;
        Ok(Arc::new(Self { pattern, last_match: Mutex::new(None) }))
    }

    fn last_match(&self) -> MutexGuard<'_, Option<(TextDigest, MatchTrial)>> {
        self.last_match.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn match_cached(&self, text: &str, most: u64) -> MatchTrial {
        if self.pattern.least_steps(text) < UNCACHED_STEPS {
            return self.pattern.match_within(text, most);
        }
        let digest: TextDigest = Sha256::digest(text).into();
        if let Some((last_digest, trial)) = *self.last_match()
            && last_digest == digest
        {
            return trial;
        }
        let trial = self.pattern.match_within(text, most);
        if !trial.is_cut_short {
            *self.last_match() = Some((digest, trial));
        }
        trial
    }
}

impl PartialEq for LazyPattern {
    fn eq(&self, other: &Self) -> bool {
        self.source == other.source
    }
}

impl Eq for LazyPattern {}
