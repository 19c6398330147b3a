//! Patterns as JavaScript has them, without flags and unanchored, for answers that a person types.
//!
//! A pattern comes from an agent: it must not slow the desk down, nor mean something else here than in a browser. So
//! it is translated piece by piece, compiled within limits, and matched within limits. Characters are whole
//! characters and never halves of pairs, as with JavaScript's flag `u`; so are `\u{…}` and `\p{…}`.

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

/// Whether a text matches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Matched {
    /// It does.
    Yes,
    /// It does not.
    No,
    /// Finding out costs more than a limit allows: nobody is blocked by that, and the asker is told.
    TooCostly,
}

/// What came of a match, and what it cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Trial {
    pub(crate) matched: Matched,
    /// The steps charged for the match, without the compilation.
    pub(crate) steps: u64,
    /// A larger budget might have found out more.
    pub(crate) is_cut_short: bool,
}

struct Compiled {
    source: String,
    translation: Translation,
    costs: Costs,
    /// An engine for each number of backtracks, the fewest first; the others are built when first needed.
    engine: Regex,
    patient: [OnceLock<Option<Regex>>; 2],
}

/// How many backtracks the engines allow. A match begins with the fewest: it is charged what it may use.
const BACKTRACKS: [usize; 3] =
    [limits::PATTERN_BACKTRACKS / 100, limits::PATTERN_BACKTRACKS / 10, limits::PATTERN_BACKTRACKS];

impl Pattern {
    /// Compiles a pattern, or says which part of it is to blame.
    pub fn compile(source: &str) -> Result<Self, Problem> {
        if let Some(pattern) = kept::get(source) {
            return Ok(pattern);
        }
        let pattern = compile(source)?;
        kept::keep(&pattern);
        Ok(pattern)
    }

    /// The pattern as it was written.
    pub fn source(&self) -> &str {
        &self.0.source
    }

    /// Whether the pattern matches anywhere in a text.
    pub fn matches(&self, text: &str) -> Matched {
        self.try_on(text, limits::SHEET_PATTERN_STEPS).matched
    }

    /// The same in so many steps at most.
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

    /// The engine with so many backtracks.
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

    /// The steps that a match takes at least.
    pub(crate) fn least_steps(&self, text: &str) -> u64 {
        let Compiled { translation, costs, .. } = &*self.0;
        if translation.backtracks { costs.backtracking(text, BACKTRACKS[0]) } else { costs.pass(text) }
    }
}

impl Trial {
    /// Takes steps for one more try, if the limit on one match and this one allow it.
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

/// Whether the steps that are left suffice to compile a pattern. One that is wrong costs next to nothing.
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
    // One that could not be afforded on any text is none.
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
