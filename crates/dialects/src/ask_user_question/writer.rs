//! Writer of outcomes: the spec's "command output format", answers keyed by header.

use super::messages::{CUSTOM_PREFIX, CUSTOM_SUFFIX, OTHER, SEPARATOR};
use crate::format::cli_output::CliOutput;
use sayso_core::wire::json;
use sayso_core::{Answer, ChoiceQuestion, Lang, Outcome, Pick, Question, Questionnaire, Replies};
use serde::{Serialize, Serializer};
use std::collections::HashMap;

#[derive(Serialize)]
struct AskUserQuestionResult<'q> {
    answers: AnswersByHeader<'q>,
}

/// Answers by header, in the order of the questions.
struct AnswersByHeader<'q>(Vec<(&'q str, String)>);

impl Serialize for AnswersByHeader<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(header, answer)| (header, answer)))
    }
}

/// Returns the output for an outcome. Answers are one line of JSON (the spec's "command output format"); of two
/// questions with the same header, the later answer replaces the earlier.
pub(crate) fn write(questionnaire: &Questionnaire, outcome: &Outcome) -> CliOutput {
    let mut written = CliOutput::from_outcome(outcome);
    if let Outcome::Answered { replies, .. } = outcome {
        written.stdout = json::write(&AskUserQuestionResult { answers: answers(questionnaire, replies) });
    }
    written
}

fn answers<'q>(questionnaire: &'q Questionnaire, replies: &Replies) -> AnswersByHeader<'q> {
    let mut answers: Vec<(&str, String)> = Vec::new();
    let mut places = HashMap::new();
    for question in &questionnaire.questions {
        let Some(answer) = replies.get(&question.id).and_then(|reply| reply.answer()) else { continue };
        let place = *places.entry(question.display_name()).or_insert(answers.len());
        let text = answer_text(question, answer);
        match answers.get_mut(place) {
            Some((_, earlier)) => *earlier = text,
            None => answers.push((question.display_name(), text)),
        }
    }
    AnswersByHeader(answers)
}

fn answer_text(question: &Question, answer: &Answer) -> String {
    match (question.choice(), answer) {
        (Some(choice), Answer::Picks(picks)) => picks_text(choice, picks),
        // The spec has choices only.
        (_, answer) => answer.describe(question, Lang::En).into_owned(),
    }
}

/// Formats picks. An own answer replaces them; labels are joined in the order picked.
fn picks_text(choice: &ChoiceQuestion, picks: &[Pick]) -> String {
    match picks.iter().find_map(Pick::other_text) {
        Some("") => return OTHER.to_owned(),
        Some(text) => return format!("{CUSTOM_PREFIX}{text}{CUSTOM_SUFFIX}"),
        None => {}
    }
    let labels = picks.iter().filter_map(|pick| match pick {
        Pick::Option(id) => Some(choice.option(id).map_or(id.as_str(), |option| &option.label)),
        Pick::Other(_) => None,
    });
    labels.collect::<Vec<_>>().join(SEPARATOR)
}
