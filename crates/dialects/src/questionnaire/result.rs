//! Answers as the spec writes them: `QuestionnaireResult` and the five kinds of `Answer`.

use super::label_of;
use sayso_core::{Answer, Choice, Kind, Lang, Pick, Question, Questionnaire, Replies, Rules, words};
use serde::{Serialize, Serializer};
use std::borrow::Cow;

/// The spec's `QuestionnaireResult`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ResultDocument<'q> {
    pub(super) answers: Answers<'q>,
    /// Time in RFC 3339 in UTC, with milliseconds.
    pub(super) submitted_at: String,
}

/// Answers with their questions, in order.
pub(super) struct Answers<'q>(pub(super) Vec<(&'q Question, Said<'q>)>);

impl Serialize for Answers<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(question, answer)| (question.key(), answer)))
    }
}

/// The spec's `Answer`.
#[derive(Serialize)]
#[serde(untagged, rename_all_fields = "camelCase")]
pub(super) enum Said<'q> {
    Select { value: &'q str, label: &'q str, was_custom: bool },
    MultiSelect { values: Vec<&'q str>, labels: Vec<&'q str>, was_custom: bool },
    Text { text: Cow<'q, str> },
    Confirm { confirmed: bool, label: &'q str },
    Rating { value: i32, annotation: &'q str },
}

/// Returns the answers to the questions that have one, in the order of the questions.
pub(super) fn answers<'q>(questionnaire: &'q Questionnaire, replies: &'q Replies) -> Answers<'q> {
    let answered = questionnaire.questions.iter().filter_map(|question| {
        let answer = replies.get(&question.id)?.answer()?;
        Some((question, said(question, &questionnaire.rules, answer)?))
    });
    Answers(answered.collect())
}

fn said<'q>(question: &'q Question, rules: &Rules, answer: &'q Answer) -> Option<Said<'q>> {
    Some(match (&question.kind, answer) {
        (Kind::Choice(choice), Answer::Picks(picks)) => {
            let was_custom = picks.iter().any(|pick| matches!(pick, Pick::Other(_)));
            let mut named = picks.iter().map(|pick| named(choice, rules, pick));
            if choice.multi {
                let (values, labels) = named.unzip();
                Said::MultiSelect { values, labels, was_custom }
            } else {
                let (value, label) = named.next()?;
                Said::Select { value, label, was_custom }
            }
        }
        (Kind::Confirm(confirm), Answer::Confirm(confirmed)) => {
            Said::Confirm { confirmed: *confirmed, label: label_of(confirm, *confirmed) }
        }
        (_, Answer::Rating(step)) => {
            Said::Rating { value: *step, annotation: words::rating_note(question, *step).unwrap_or_default() }
        }
        (_, Answer::Text(text)) => Said::Text { text: Cow::Borrowed(rules.clean(text)) },
        // The spec has no other types.
        (_, answer) => Said::Text { text: words::answer(question, answer, Lang::En) },
    })
}

/// Returns the value and the label of a pick; of an own answer both are the typed text.
fn named<'q>(choice: &'q Choice, rules: &Rules, pick: &'q Pick) -> (&'q str, &'q str) {
    match pick {
        Pick::Other(text) => (rules.clean(text), rules.clean(text)),
        Pick::Option(id) => match choice.option(id) {
            Some(option) => (option.sent(), &option.label),
            None => (id.as_str(), id.as_str()),
        },
    }
}
