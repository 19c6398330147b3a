//! Trial runs of patterns at ask time, so that the asker learns of one too costly to check most answers.

use super::{LazyPattern, MatchResult, StepBudget};
use crate::limits;
use crate::message::Message;
use crate::problem::{Problem, ProblemCode};

/// Trial runs of the patterns of one questionnaire, with one budget.
#[derive(Debug, Default)]
pub struct PatternTrials {
    budget: StepBudget,
    is_exhausted: bool,
}

impl PatternTrials {
    /// Returns the problem of a pattern that runs out of steps on a trial text or on the asker's `example`. Once the
    /// shared budget is exhausted, no further pattern is tried.
    pub fn problem(&mut self, pattern: &LazyPattern, example: Option<&str>) -> Option<Problem> {
        if self.is_exhausted {
            return None;
        }
        let texts = trial_texts(pattern.source());
        let costly = texts.iter().map(String::as_str).chain(example).find_map(|text| {
            let (matched, is_cut_short) = pattern.match_within(text, &mut self.budget);
            (matched == MatchResult::TooCostly).then_some((text, is_cut_short))
        });
        // Patterns that do not compile are rejected elsewhere.
        let (text, is_cut_short) =
            costly.filter(|(_, is_cut_short)| *is_cut_short || pattern.compiled().is_ok())?;
        self.is_exhausted = is_cut_short;
        let said = if is_cut_short {
            Message::PatternsTooCostly.into()
        } else {
            let start: String = text.chars().take(SHOWN_CHARS).collect();
            Message::PatternTooCostly.with([start])
        };
        Some(Problem::new(ProblemCode::BadPattern, said).with_hint(Message::PatternTooCostlyHint))
    }
}

/// Length of the excerpt shown of a text, in characters.
const SHOWN_CHARS: usize = 12;

/// Builds texts on which patterns typically take long: one character of the pattern repeated, and all of them in turn.
/// Each has an end that few patterns expect.
fn trial_texts(source: &str) -> [String; 2] {
    let mut letters: Vec<char> = source.chars().filter(char::is_ascii_alphanumeric).take(4).collect();
    letters.extend(['a', '0', ' ']);
    let repeated = |letters: &[char]| -> String {
        let text = letters.iter().cycle().take(limits::PATTERN_TRIAL_CHARS - 1);
        text.copied().chain(['!']).collect()
    };
    let first = letters.iter().position(|letter| !"bdswkupx".contains(*letter)).unwrap_or_default();
    [repeated(letters.get(first..=first).unwrap_or_default()), repeated(&letters)]
}
