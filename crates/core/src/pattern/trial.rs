//! Trial runs of patterns at ask time, so that the asker learns of one too costly to check most answers.

use super::{LazyPattern, MatchResult, StepBudget};
use crate::i18n::{Message, foreign};
use crate::limits;
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
        let mut costly = None;
        if !pattern.charge_passed_trials(&mut self.budget) {
            let before = self.budget.matching();
            costly = trial_texts(pattern.source()).into_iter().find_map(|text| self.run(pattern, text));
            if costly.is_none() {
                pattern.record_passed_trials(self.budget.matching() - before);
            }
        }
        let costly = costly.or_else(|| self.run(pattern, example?.to_owned()));
        // Patterns that do not compile are rejected elsewhere.
        let (text, is_cut_short) =
            costly.filter(|(_, is_cut_short)| *is_cut_short || pattern.compiled().is_ok())?;
        self.is_exhausted = is_cut_short;
        let message = if is_cut_short {
            Message::PatternsTooCostly.into()
        } else {
            let start: String = text.chars().take(SHOWN_CHARS).collect();
            Message::PatternTooCostly.with([foreign(start + "…")])
        };
        Some(Problem::new(ProblemCode::BadPattern, message).with_hint(Message::PatternTooCostlyHint))
    }

    /// Matches a text, and returns it if that takes too many steps; with `true` if the shared budget is exhausted.
    fn run(&mut self, pattern: &LazyPattern, text: String) -> Option<(String, bool)> {
        let (matched, is_cut_short) = pattern.match_within(&text, &mut self.budget);
        (matched == MatchResult::TooCostly).then_some((text, is_cut_short))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeated_trials_cost_the_same() {
        let try_once = || {
            let mut trials = PatternTrials::default();
            let problem = trials.problem(&LazyPattern::new("^repeated-[0-9]{4}$"), Some("repeated-1234"));
            (problem, trials.budget.left())
        };
        let first = try_once();
        assert_eq!(first.0, None);
        assert!(first.1 < StepBudget::default().left());
        assert_eq!(first, try_once());
    }
}
