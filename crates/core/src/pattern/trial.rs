//! Trial runs of patterns at ask time, so that the asker learns of one too costly to check most answers.

use super::budget::{TRIAL_CHARS, TRIAL_LETTERS};
use super::{LazyPattern, MatchResult, StepBudget};

/// Trial runs of the patterns of one questionnaire, with one budget.
#[derive(Debug, Default)]
pub struct PatternTrials {
    budget: StepBudget,
    is_exhausted: bool,
}

/// Trial run that takes too many steps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CostlyTrial {
    /// The text that the pattern was matched with.
    pub text: String,
    /// Set if the steps of all patterns together were too many; those of this one may be few.
    pub is_cut_short: bool,
}

impl PatternTrials {
    /// Returns the trial in which a pattern runs out of steps, on a text of ours or on the asker's `example`. Once the
    /// shared budget is exhausted, no further pattern is tried.
    pub fn find_costly(&mut self, pattern: &LazyPattern, example: Option<&str>) -> Option<CostlyTrial> {
        if self.is_exhausted {
            return None;
        }
        let mut costly_run = self.run_typical_texts(pattern);
        if costly_run.is_none()
            && let Some(example) = example
        {
            costly_run = self.run(pattern, example.to_owned());
        }
        let costly_run = costly_run?;
        // Patterns that do not compile are rejected elsewhere.
        if !costly_run.is_cut_short && pattern.compiled().is_err() {
            return None;
        }
        self.is_exhausted = costly_run.is_cut_short;
        Some(costly_run)
    }

    /// Matches the trial texts until one takes too many steps. Those of a pattern that passed before are only charged.
    fn run_typical_texts(&mut self, pattern: &LazyPattern) -> Option<CostlyTrial> {
        if pattern.charge_passed_trials(&mut self.budget) {
            return None;
        }
        let earlier_steps = self.budget.matching();
        for text in trial_texts(pattern.source()) {
            let costly_run = self.run(pattern, text);
            if costly_run.is_some() {
                return costly_run;
            }
        }
        pattern.record_passed_trials(self.budget.matching() - earlier_steps);
        None
    }

    /// Matches a text, and returns it if that takes too many steps.
    fn run(&mut self, pattern: &LazyPattern, text: String) -> Option<CostlyTrial> {
        let (result, is_cut_short) = pattern.match_within(&text, &mut self.budget);
        if result == MatchResult::TooCostly { Some(CostlyTrial { text, is_cut_short }) } else { None }
    }
}

/// Builds texts on which patterns typically take long: one character of the pattern repeated, and all of them in turn.
/// Each has an end that few patterns expect.
fn trial_texts(source: &str) -> [String; 2] {
    let mut letters: Vec<char> =
        source.chars().filter(char::is_ascii_alphanumeric).take(TRIAL_LETTERS).collect();
    letters.extend(['a', '0', ' ']);
    // A letter that may belong to an escape, such as `\d`, hardly occurs in answers.
    let first = letters.iter().position(|letter| !"bdswkupx".contains(*letter)).unwrap_or_default();
    [trial_text(letters.get(first..=first).unwrap_or_default()), trial_text(&letters)]
}

/// Repeats these letters, and ends with another one.
fn trial_text(letters: &[char]) -> String {
    let mut text: String = letters.iter().cycle().take(TRIAL_CHARS - 1).collect();
    text.push('!');
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeated_trials_cost_the_same() {
        let try_once = || {
            let mut trials = PatternTrials::default();
            let costly = trials.find_costly(&LazyPattern::new("^repeated-[0-9]{4}$"), Some("repeated-1234"));
            (costly, trials.budget.left())
        };
        let first = try_once();
        assert_eq!(first.0, None);
        assert!(first.1 < StepBudget::default().left());
        assert_eq!(first, try_once());
    }
}
