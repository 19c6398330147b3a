//! Patterns tried out when they are asked, so that the asker hears of one that hardly any answer could be checked with.

use super::{LazyPattern, Matched, StepBudget};
use crate::limits;
use crate::message::Message;
use crate::problem::{Code, Problem};

/// Tries the patterns of one questionnaire, all with one budget.
#[derive(Debug, Default)]
pub struct PatternTrials {
    budget: StepBudget,
    is_over: bool,
}

impl PatternTrials {
    /// The problem of a pattern that runs out of steps on one of the texts it is tried on; `example` is one of the asker's.
    /// After the first for which the steps of all do not suffice, none is tried any more.
    pub fn problem(&mut self, pattern: &LazyPattern, example: Option<&str>) -> Option<Problem> {
        if self.is_over {
            return None;
        }
        let texts = texts(pattern.source());
        let costly = texts.iter().map(String::as_str).chain(example).find_map(|text| {
            let (matched, is_cut_short) = pattern.try_on(text, &mut self.budget);
            (matched == Matched::TooCostly).then_some((text, is_cut_short))
        });
        // What does not compile is refused elsewhere.
        let (text, is_cut_short) =
            costly.filter(|(_, is_cut_short)| *is_cut_short || pattern.compiled().is_ok())?;
        self.is_over = is_cut_short;
        let said = if is_cut_short {
            Message::PatternsTooCostly.into()
        } else {
            let start: String = text.chars().take(SHOWN_CHARS).collect();
            Message::PatternTooCostly.with([start])
        };
        Some(Problem::new(Code::BadPattern, said).hint(Message::PatternTooCostlyHint))
    }
}

/// The beginning of a text that is shown.
const SHOWN_CHARS: usize = 12;

/// Texts such as those on which patterns take long: a character of the pattern again and again, and all of them in turn,
/// with an end that hardly any pattern expects.
fn texts(source: &str) -> [String; 2] {
    let mut letters: Vec<char> = source.chars().filter(char::is_ascii_alphanumeric).take(4).collect();
    letters.extend(['a', '0', ' ']);
    let repeated = |letters: &[char]| -> String {
        let text = letters.iter().cycle().take(limits::PATTERN_TRIAL_CHARS - 1);
        text.copied().chain(['!']).collect()
    };
    let first = letters.iter().position(|letter| !"bdswkupx".contains(*letter)).unwrap_or_default();
    [repeated(letters.get(first..=first).unwrap_or_default()), repeated(&letters)]
}
