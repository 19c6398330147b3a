//! Writer of outcomes: the spec's "command output format", answers keyed by header.

use super::{BETWEEN, CUSTOM_AFTER, CUSTOM_BEFORE, OTHER};
use crate::Written;
use sayso_core::wire::json;
use sayso_core::{Answer, Choice, Kind, Lang, Outcome, Pick, Question, Questionnaire, Replies, words};
use serde::{Serialize, Serializer};
use std::collections::HashMap;

#[derive(Serialize)]
struct Document<'q> {
    answers: Answers<'q>,
}

/// Answers by header, in the order of the questions.
struct Answers<'q>(Vec<(&'q str, String)>);

impl Serialize for Answers<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(header, answer)| (header, answer)))
    }
}

/// Returns the output for an outcome. Answers are one line of JSON (the spec's "command output format"); of two
/// questions with the same header, the later answer replaces the earlier.
pub fn write(questionnaire: &Questionnaire, outcome: &Outcome) -> Written {
    let mut written = Written::in_words(outcome);
    if let Outcome::Answered { replies, .. } = outcome {
        written.stdout = json::write(&Document { answers: answers(questionnaire, replies) });
    }
    written
}

fn answers<'q>(questionnaire: &'q Questionnaire, replies: &Replies) -> Answers<'q> {
    let mut answers: Vec<(&str, String)> = Vec::new();
    let mut places = HashMap::new();
    for question in &questionnaire.questions {
        let Some(answer) = replies.get(&question.id).and_then(|reply| reply.answer()) else { continue };
        let place = *places.entry(question.name()).or_insert(answers.len());
        let said = said(question, answer);
        match answers.get_mut(place) {
            Some((_, earlier)) => *earlier = said,
            None => answers.push((question.name(), said)),
        }
    }
    Answers(answers)
}

fn said(question: &Question, answer: &Answer) -> String {
    match (&question.kind, answer) {
        (Kind::Choice(choice), Answer::Picks(picks)) => picked(choice, picks),
        // The spec has choices only.
        (_, answer) => words::answer(question, answer, Lang::En).into_owned(),
    }
}

/// Formats picks. An own answer replaces them; labels are joined in the order picked.
fn picked(choice: &Choice, picks: &[Pick]) -> String {
    match picks.iter().find_map(Pick::own) {
        Some("") => return OTHER.to_owned(),
        Some(text) => return format!("{CUSTOM_BEFORE}{text}{CUSTOM_AFTER}"),
        None => {}
    }
    let labels = picks.iter().filter_map(|pick| match pick {
        Pick::Option(id) => Some(choice.option(id).map_or(id.as_str(), |option| &option.label)),
        Pick::Other(_) => None,
    });
    labels.collect::<Vec<_>>().join(BETWEEN)
}
