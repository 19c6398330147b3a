//! Patterns as JavaScript has them, without flags and unanchored, for answers that a person types.
//!
//! A pattern comes from an agent: it must not slow the desk down, nor mean something else here than in a browser. So
//! it is translated piece by piece, compiled within limits, and matched within limits. Characters are whole
//! characters and never halves of pairs, as with JavaScript's flag `u`; so are `\u{…}` and `\p{…}`.

mod captures;
mod class;
mod fault;
mod kept;
mod property;
mod scan;
mod set;
#[cfg(test)]
mod tests;
mod translate;

use crate::limits;
use crate::problem::Problem;
use fancy_regex::{CompileError, Error, Regex, RegexBuilder};
use fault::Fault;
use std::fmt;
use std::sync::{Arc, OnceLock};
use translate::{Translation, translate};

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

struct Compiled {
    source: String,
    translation: Translation,
    /// With the most backtracks that are allowed; then ones with fewer, for longer texts, made when first needed.
    engine: Regex,
    thrifty: [OnceLock<Option<Regex>>; 2],
}

/// How many backtracks the engines allow.
const BACKTRACKS: [usize; 3] =
    [limits::PATTERN_BACKTRACKS, limits::PATTERN_BACKTRACKS / 10, limits::PATTERN_BACKTRACKS / 100];

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
        let Some(engine) = self.engine(text) else { return Matched::TooCostly };
        match engine.is_match(text) {
            Ok(true) => Matched::Yes,
            Ok(false) => Matched::No,
            Err(_) => Matched::TooCostly,
        }
    }

    /// The engine that finishes in bounded time on this text: each backtrack may go through all of the text, in
    /// all states of the pattern.
    fn engine(&self, text: &str) -> Option<&Regex> {
        let Compiled { translation, engine, thrifty, .. } = &*self.0;
        let steps = translation.weight.saturating_mul(text.len().max(1) as u64);
        if !translation.backtracks {
            return (steps <= limits::PATTERN_STEPS).then_some(engine);
        }
        let affordable =
            |backtracks: usize| steps.saturating_mul(backtracks as u64) <= limits::PATTERN_BACKTRACK_STEPS;
        let tier = BACKTRACKS.iter().position(|backtracks| affordable(*backtracks))?;
        match tier.checked_sub(1).and_then(|index| thrifty.get(index)) {
            None => Some(engine),
            Some(cell) => {
                let build = || build(&translation.text, BACKTRACKS.get(tier).copied().unwrap_or(1)).ok();
                cell.get_or_init(build).as_ref()
            }
        }
    }
}

fn compile(source: &str) -> Result<Pattern, Fault> {
    if source.chars().nth(limits::PATTERN_CHARS).is_some() {
        return Err(Fault::TooLong);
    }
    let mut translation = translate(source, false)?;
    let mut built = build(&translation.text, limits::PATTERN_BACKTRACKS);
    if matches!(built, Err(Fault::TooBig)) {
        translation = translate(source, true)?;
        built = build(&translation.text, limits::PATTERN_BACKTRACKS);
    }
    let (source, thrifty) = (source.to_owned(), Default::default());
    let pattern = Pattern(Arc::new(Compiled { source, translation, engine: built?, thrifty }));
    // One that could not be afforded on any text is none.
    if pattern.engine("").is_some() { Ok(pattern) } else { Err(Fault::TooBig) }
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
