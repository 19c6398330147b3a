//! Problems of patterns: those that do not compile, and those that take too many steps.

use crate::i18n::{Message, foreign, own};
use crate::model::answer::Answer;
use crate::model::question::constraint::Requirement;
use crate::model::questionnaire::Questionnaire;
use crate::pattern::budget::{EXCERPT_CHARS, PATTERN_CHARS};
use crate::pattern::{CostlyTrial, PatternFault, PatternTrials};
use crate::problem::{Problem, ProblemCode};
use crate::rules::question_places::QuestionPlaces;

impl From<&PatternFault> for Problem {
    fn from(fault: &PatternFault) -> Self {
        let message = match fault {
            PatternFault::TooLong => Message::PatternTooLong.with([PATTERN_CHARS]),
            PatternFault::TooBig => Message::PatternTooBig.into(),
            PatternFault::Foreign { construct, .. } | PatternFault::Unsupported { construct } => {
                Message::PatternUnsupported.with([foreign(construct)])
            }
            PatternFault::Broken { construct, place } => {
                Message::PatternBroken.with([foreign(construct), own(place)])
            }
            PatternFault::Unclosed { construct, place } => {
                Message::PatternUnclosed.with([foreign(construct), own(place)])
            }
            PatternFault::NothingToRepeat { construct, place } => {
                Message::PatternRepeatsNothing.with([foreign(construct), own(place)])
            }
            PatternFault::NoGroup { construct } => Message::PatternNoGroup.with([foreign(construct)]),
        };
        let problem = Self::new(ProblemCode::BadPattern, message);
        match fault {
            PatternFault::Foreign { instead: Some(instead), .. } => {
                problem.with_hint(Message::WriteInstead.with([*instead]))
            }
            _ => problem,
        }
    }
}

impl From<&CostlyTrial> for Problem {
    fn from(trial: &CostlyTrial) -> Self {
        let message = if trial.is_cut_short {
            Message::PatternsTooCostly.into()
        } else {
            let excerpt: String = trial.text.chars().take(EXCERPT_CHARS).collect();
            Message::PatternTooCostly.with([foreign(excerpt + "…")])
        };
        Self::new(ProblemCode::BadPattern, message).with_hint(Message::PatternTooCostlyHint)
    }
}

impl Questionnaire {
    /// Returns the problems of patterns that exceed the step budget on typical texts, each with its path in the
    /// canonical form.
    pub fn costly_patterns(&self) -> Vec<Problem> {
        let mut trials = PatternTrials::default();
        let places = QuestionPlaces::new(self);
        let mut problems = Vec::new();
        for (index, question) in self.questions.iter().enumerate() {
            let example = match &question.prefill {
                Some(Answer::Text(text)) => Some(text.as_str()),
                _ => None,
            };
            for (at, constraint) in question.constraints.iter().enumerate() {
                for requirement in constraint.requirements() {
                    let Requirement::Pattern(pattern) = requirement else { continue };
                    if !requirement.applies_to(&question.kind) {
                        continue;
                    }
                    if let Some(trial) = trials.find_costly(pattern, example) {
                        let place = places.at(index).join("constraints").join(at).join("pattern");
                        problems.push(Problem::from(&trial).at(place));
                    }
                }
            }
        }
        problems
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::i18n::Lang;
    use crate::pattern::Pattern;

    #[test]
    fn foreign_syntax_is_called_unsupported() {
        for (pattern, construct) in
            [("[a&&b]", "&&"), ("[[:alpha:]]", "[:alpha:]"), (r"a\Z", r"\Z"), (r"\e", r"\e")]
        {
            let problem = Problem::from(&Pattern::compile(pattern).unwrap_err());
            let text = format!("The pattern has \"{construct}\", which is not supported here.");
            assert_eq!(problem.message.render(Lang::En), text);
        }
    }
}
