//! JavaScript patterns, without flags and unanchored, for answers that a person types.
//!
//! A pattern comes from an agent: it must not slow the desk down, nor match differently here than in a browser. So each
//! piece is translated, then compiled and matched within limits. A character is a whole code point and never half of a
//! surrogate pair, as with JavaScript's flag `u`; so are `\u{…}` and `\p{…}`.

pub mod budget;
mod cache;
mod captures;
mod char_set;
mod class;
mod fault;
mod group;
mod lazy;
mod property;
mod scanner;
#[cfg(test)]
mod tests;
mod translate;
mod trial;

pub use budget::StepBudget;
use budget::{
    BACKTRACKS, COMPILED_BYTES, INSTRUCTIONS, MATCH_STEPS, PATTERN_CHARS, PatternCosts, SHEET_STEPS,
};
use fancy_regex::{CompileError, Error, Regex, RegexBuilder};
pub use fault::PatternFault;
pub use lazy::LazyPattern;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, OnceLock};
use translate::{PatternTranslation, translate};
pub use trial::{CostlyTrial, PatternTrials};

/// A compiled pattern. Copies share it.
#[derive(Clone)]
pub struct Pattern(Arc<PatternData>);

/// Result of matching a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MatchResult {
    /// The text matches.
    Yes,
    /// The text does not match.
    No,
    /// The match exceeds a limit. It blocks no one, and the asker learns of it.
    TooCostly,
}

/// Result of a match with its cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct MatchTrial {
    pub(crate) matched: MatchResult,
    /// Steps charged for the match, without the compilation.
    pub(crate) steps: u64,
    /// Set if a larger budget might give a definite result.
    pub(crate) is_cut_short: bool,
}

struct PatternData {
    source: String,
    translation: PatternTranslation,
    costs: PatternCosts,
    /// One engine for each backtrack limit, the lowest first; the others are built at first use.
    engine: Regex,
    retry_engines: [OnceLock<Option<Regex>>; 2],
    /// Steps of the trial runs, once all of them gave a definite result. They depend on the source alone, and cost more
    /// than reading the rest of a question.
    trial_steps: OnceLock<u64>,
}

impl Pattern {
    /// Compiles a pattern.
    ///
    /// # Errors
    /// Names the part of the pattern that is wrong.
    pub fn compile(source: &str) -> Result<Self, PatternFault> {
        if let Some(pattern) = cache::get(source) {
            return Ok(pattern);
        }
        let pattern = compile(source)?;
        cache::insert(&pattern);
        Ok(pattern)
    }

    /// Returns the source of the pattern.
    pub fn source(&self) -> &str {
        &self.0.source
    }

    /// Matches the pattern anywhere in a text.
    pub fn matches(&self, text: &str) -> MatchResult {
        self.match_within(text, SHEET_STEPS).matched
    }

    /// Matches a text within this many steps.
    pub(crate) fn match_within(&self, text: &str, most: u64) -> MatchTrial {
        let PatternData { translation, costs, .. } = &*self.0;
        let mut trial = MatchTrial { matched: MatchResult::TooCostly, steps: 0, is_cut_short: false };
        if !translation.backtracks {
            if trial.spend(costs.pass_cost(text), most) {
                trial.matched = is_match(&self.0.engine, text);
            }
            return trial;
        }
        for (tier, backtracks) in BACKTRACKS.into_iter().enumerate() {
            let compilation = if tier == 0 { 0 } else { costs.compilation };
            if !trial.spend(costs.backtracking_cost(text, backtracks).saturating_add(compilation), most) {
                break;
            }
            if let Some(engine) = self.engine(tier) {
                trial.matched = is_match(engine, text);
            }
            if trial.matched != MatchResult::TooCostly {
                break;
            }
        }
        trial
    }

    /// Returns the engine of this tier of backtracks.
    fn engine(&self, tier: usize) -> Option<&Regex> {
        let Some(retry) = tier.checked_sub(1) else { return Some(&self.0.engine) };
        let backtracks = *BACKTRACKS.get(tier)?;
        let engine = self.0.retry_engines.get(retry)?;
        engine.get_or_init(|| build(&self.0.translation.text, backtracks).ok()).as_ref()
    }

    /// Returns the fewest steps that a match takes.
    pub(crate) fn least_steps(&self, text: &str) -> u64 {
        let PatternData { translation, costs, .. } = &*self.0;
        if translation.backtracks {
            costs.backtracking_cost(text, BACKTRACKS[0])
        } else {
            costs.pass_cost(text)
        }
    }
}

impl MatchTrial {
    /// Charges one more attempt, if the limit on one match and the given limit allow it.
    const fn spend(&mut self, steps: u64, most: u64) -> bool {
        let all = self.steps.saturating_add(steps);
        let is_affordable = steps <= MATCH_STEPS;
        self.is_cut_short = is_affordable && all > most;
        if is_affordable && all <= most {
            self.steps = all;
            return true;
        }
        false
    }
}

/// Returns whether the steps left suffice to compile a pattern.
fn can_afford(source: &str, budget: &StepBudget) -> bool {
    match translate(source, false) {
        Ok(translation) => PatternCosts::new(&translation).compilation <= budget.left(),
        // A wrong pattern costs almost nothing.
        Err(_) => true,
    }
}

fn is_match(engine: &Regex, text: &str) -> MatchResult {
    match engine.is_match(text) {
        Ok(true) => MatchResult::Yes,
        Ok(false) => MatchResult::No,
        Err(_) => MatchResult::TooCostly,
    }
}

fn compile(source: &str) -> Result<Pattern, PatternFault> {
    if source.chars().nth(PATTERN_CHARS).is_some() {
        return Err(PatternFault::TooLong);
    }
    let mut translation = translate(source, false)?;
    let mut engine = build(&translation.text, BACKTRACKS[0]);
    if matches!(engine, Err(PatternFault::TooBig)) {
        translation = translate(source, true)?;
        engine = build(&translation.text, BACKTRACKS[0]);
    }
    let engine = engine?;
    let costs = PatternCosts::new(&translation);
    let mut least_cost = costs.pass_cost("");
    if translation.backtracks {
        least_cost = least_cost.max(costs.backtracking_cost("", BACKTRACKS[0]));
    }
    // A pattern too costly on every text is rejected.
    if least_cost > MATCH_STEPS {
        return Err(PatternFault::TooBig);
    }
    Ok(Pattern(Arc::new(PatternData {
        source: source.to_owned(),
        translation,
        costs,
        engine,
        retry_engines: Default::default(),
        trial_steps: OnceLock::new(),
    })))
}

fn build(text: &str, backtracks: usize) -> Result<Regex, PatternFault> {
    let mut builder = RegexBuilder::new(text);
    builder.backtrack_limit(backtracks);
    builder.delegate_size_limit(COMPILED_BYTES);
    builder.max_prog_size(INSTRUCTIONS);
    match builder.build() {
        Ok(engine) => Ok(engine),
        Err(error) if is_size_error(&error) => Err(PatternFault::TooBig),
        Err(error) => Err(PatternFault::Unsupported { construct: error.to_string() }),
    }
}

/// Returns whether the engine refuses a pattern for its size alone.
fn is_size_error(error: &Error) -> bool {
    let Error::CompileError(error) = error else { return false };
    match &**error {
        CompileError::InnerError(error) => error.size_limit().is_some(),
        CompileError::PatternTooComplex | CompileError::DfaBuildError(..) => true,
        _ => false,
    }
}

impl fmt::Debug for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Pattern").field(&self.0.source).finish()
    }
}

impl PartialEq for Pattern {
    fn eq(&self, other: &Self) -> bool {
        self.0.source == other.0.source
    }
}

impl Eq for Pattern {}

impl Hash for Pattern {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.source.hash(state);
    }
}
