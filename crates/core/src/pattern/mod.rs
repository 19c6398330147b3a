//! JavaScript patterns, without flags and unanchored, for answers that a person types.
//!
//! A pattern comes from an agent: it must not slow the desk down, nor match differently here than in a browser. So each
//! piece is translated, then compiled and matched within limits. A character is a whole code point and never half of a
//! surrogate pair, as with JavaScript's flag `u`; so are `\u{…}` and `\p{…}`.

mod budget;
mod captures;
mod class;
mod fault;
mod kept;
mod lazy;
mod property;
mod scan;
mod set;
#[cfg(test)]
mod tests;
mod translate;
mod trial;

use crate::limits;
use crate::problem::Problem;
use budget::Costs;
pub use budget::StepBudget;
use fancy_regex::{CompileError, Error, Regex, RegexBuilder};
use fault::Fault;
pub use lazy::LazyPattern;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, OnceLock};
use translate::{Translation, translate};
pub use trial::PatternTrials;

/// A compiled pattern. Copies share it.
#[derive(Clone)]
pub struct Pattern(Arc<Compiled>);

/// Result of matching a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Matched {
    /// The text matches.
    Yes,
    /// The text does not match.
    No,
    /// The match exceeds a limit. It blocks no one, and the asker learns of it.
    TooCostly,
}

/// Result of a match with its cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Trial {
    pub(crate) matched: Matched,
    /// Steps charged for the match, without the compilation.
    pub(crate) steps: u64,
    /// Set if a larger budget might give a definite result.
    pub(crate) is_cut_short: bool,
}

struct Compiled {
    source: String,
    translation: Translation,
    costs: Costs,
    /// One engine for each backtrack limit, the lowest first; the others are built at first use.
    engine: Regex,
    patient: [OnceLock<Option<Regex>>; 2],
}

/// Backtrack limits of the engines. A match starts with the lowest, since it is charged the limit it uses.
const BACKTRACKS: [usize; 3] =
    [limits::PATTERN_BACKTRACKS / 100, limits::PATTERN_BACKTRACKS / 10, limits::PATTERN_BACKTRACKS];

impl Pattern {
    /// Compiles a pattern, or names the part of it that is wrong.
    pub fn compile(source: &str) -> Result<Self, Problem> {
        if let Some(pattern) = kept::get(source) {
            return Ok(pattern);
        }
        let pattern = compile(source)?;
        kept::keep(&pattern);
        Ok(pattern)
    }

    /// Returns the source of the pattern.
    pub fn source(&self) -> &str {
        &self.0.source
    }

    /// Matches the pattern anywhere in a text.
    pub fn matches(&self, text: &str) -> Matched {
        self.try_on(text, limits::SHEET_PATTERN_STEPS).matched
    }

    /// Matches likewise, within this many steps.
    pub(crate) fn try_on(&self, text: &str, most: u64) -> Trial {
        let Compiled { translation, costs, .. } = &*self.0;
        let mut trial = Trial { matched: Matched::TooCostly, steps: 0, is_cut_short: false };
        if !translation.backtracks {
            if trial.spend(costs.pass(text), most) {
                trial.matched = is_match(&self.0.engine, text);
            }
            return trial;
        }
        for (tier, backtracks) in BACKTRACKS.into_iter().enumerate() {
            let compilation = if tier == 0 { 0 } else { costs.compilation };
            if !trial.spend(costs.backtracking(text, backtracks).saturating_add(compilation), most) {
                break;
            }
            trial.matched = self.engine(tier).map_or(Matched::TooCostly, |engine| is_match(engine, text));
            if trial.matched != Matched::TooCostly {
                break;
            }
        }
        trial
    }

    /// Returns the engine of this tier of backtracks.
    fn engine(&self, tier: usize) -> Option<&Regex> {
        let Compiled { translation, engine, patient, .. } = &*self.0;
        match tier.checked_sub(1).and_then(|index| patient.get(index)) {
            None => Some(engine),
            Some(cell) => {
                let build = || build(&translation.text, BACKTRACKS.get(tier).copied().unwrap_or(1)).ok();
                cell.get_or_init(build).as_ref()
            }
        }
    }

    /// Returns the fewest steps that a match takes.
    pub(crate) fn least_steps(&self, text: &str) -> u64 {
        let Compiled { translation, costs, .. } = &*self.0;
        if translation.backtracks { costs.backtracking(text, BACKTRACKS[0]) } else { costs.pass(text) }
    }
}

impl Trial {
    /// Charges one more attempt, if the limit on one match and the given limit allow it.
    const fn spend(&mut self, steps: u64, most: u64) -> bool {
        let all = self.steps.saturating_add(steps);
        let is_affordable = steps <= limits::PATTERN_STEPS;
        self.is_cut_short = is_affordable && all > most;
        if is_affordable && all <= most {
            self.steps = all;
            return true;
        }
        false
    }
}

/// Returns whether the steps left suffice to compile a pattern. A wrong pattern costs almost nothing.
fn can_afford(source: &str, budget: &StepBudget) -> bool {
    translate(source, false).map_or(true, |translation| Costs::of(&translation).compilation <= budget.left())
}

fn is_match(engine: &Regex, text: &str) -> Matched {
    match engine.is_match(text) {
        Ok(true) => Matched::Yes,
        Ok(false) => Matched::No,
        Err(_) => Matched::TooCostly,
    }
}

fn compile(source: &str) -> Result<Pattern, Fault> {
    if source.chars().nth(limits::PATTERN_CHARS).is_some() {
        return Err(Fault::TooLong);
    }
    let mut translation = translate(source, false)?;
    let mut built = build(&translation.text, BACKTRACKS[0]);
    if matches!(built, Err(Fault::TooBig)) {
        translation = translate(source, true)?;
        built = build(&translation.text, BACKTRACKS[0]);
    }
    let engine = built?;
    let costs = Costs::of(&translation);
    let (least, backtracks) = (costs.backtracking("", BACKTRACKS[0]), translation.backtracks);
    // A pattern too costly on every text is rejected.
    if costs.pass("") > limits::PATTERN_STEPS || (backtracks && least > limits::PATTERN_STEPS) {
        return Err(Fault::TooBig);
    }
    let (source, patient) = (source.to_owned(), Default::default());
    Ok(Pattern(Arc::new(Compiled { source, translation, costs, engine, patient })))
}

fn build(text: &str, backtracks: usize) -> Result<Regex, Fault> {
    let mut builder = RegexBuilder::new(text);
    builder.backtrack_limit(backtracks);
    builder.delegate_size_limit(limits::PATTERN_COMPILED_BYTES);
    builder.max_prog_size(limits::PATTERN_INSTRUCTIONS);
    builder.build().map_err(|error| match &error {
        Error::CompileError(inner) => match &**inner {
            CompileError::InnerError(inner) if inner.size_limit().is_some() => Fault::TooBig,
            CompileError::PatternTooComplex | CompileError::DfaBuildError(..) => Fault::TooBig,
            _ => Fault::Unsupported { construct: error.to_string() },
        },
        _ => Fault::Unsupported { construct: error.to_string() },
    })
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
