//! Lazily compiled pattern of a question, with its last costly match.

use super::{Matched, Pattern, StepBudget, Trial};
use crate::digest::Digest;
use crate::problem::Problem;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// A pattern compiled at first use, once for all copies made afterwards.
#[derive(Debug, Clone)]
pub struct LazyPattern {
    source: String,
    compiled: OnceLock<Result<Arc<Ready>, Box<Problem>>>,
}

#[derive(Debug)]
struct Ready {
    pattern: Pattern,
    /// Last text whose match was costly. A draft is saved repeatedly and judged once more at submission: only changed
    /// text is matched again.
    last: Mutex<Option<(Digest, Trial)>>,
}

/// Steps below which a match takes less time than the digest of its text.
const COSTLY_STEPS: u64 = 20_000;

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
    /// Returns the problem of a pattern that does not compile.
    pub fn compiled(&self) -> Result<&Pattern, &Problem> {
        self.ready().map(|ready| &ready.pattern)
    }

    fn ready(&self) -> Result<&Ready, &Problem> {
        let compile = || {
            let pattern = Pattern::compile(&self.source).map_err(Box::new)?;
            Ok(Arc::new(Ready { pattern, last: Mutex::new(None) }))
        };
        self.compiled.get_or_init(compile).as_deref().map_err(AsRef::as_ref)
    }

    /// Matches the pattern anywhere in a text, within the steps left. A cached match is charged the same steps.
    pub(crate) fn matches(&self, text: &str, budget: &mut StepBudget) -> Matched {
        self.try_on(text, budget).0
    }

    /// Matches likewise, and returns whether the steps ran out: a larger budget might give a definite result.
    pub(super) fn try_on(&self, text: &str, budget: &mut StepBudget) -> (Matched, bool) {
        const CUT_SHORT: (Matched, bool) = (Matched::TooCostly, true);
        if self.compiled.get().is_none() && !super::can_afford(&self.source, budget) {
            return CUT_SHORT;
        }
        let Ok(ready) = self.ready() else { return (Matched::TooCostly, false) };
        if !budget.pay_compilation(&ready.pattern) {
            return CUT_SHORT;
        }
        let trial = ready.trial(text, budget.left());
        if budget.pay_match(trial.steps) { (trial.matched, trial.is_cut_short) } else { CUT_SHORT }
    }
}

impl Ready {
    fn trial(&self, text: &str, most: u64) -> Trial {
        if self.pattern.least_steps(text) < COSTLY_STEPS {
            return self.pattern.try_on(text, most);
        }
        let digest = Digest::of(text.as_bytes());
        let last = || self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((of, trial)) = *last()
            && of == digest
        {
            return trial;
        }
        let trial = self.pattern.try_on(text, most);
        if !trial.is_cut_short {
            *last() = Some((digest, trial));
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
