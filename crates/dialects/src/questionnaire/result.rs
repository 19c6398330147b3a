//! Answers as the spec writes them: `QuestionnaireResult` and the five kinds of `Answer`.

use super::spec::confirm_label;
use sayso_core::{
    Answer, ChoiceQuestion, Lang, Pick, Question, QuestionInput, Questionnaire, Replies, Rules,
};
use serde::{Serialize, Serializer};
use std::borrow::Cow;

/// The spec's `QuestionnaireResult`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct QuestionnaireResultDocument<'q> {
    pub(super) answers: QuestionnaireAnswers<'q>,
    /// Time in RFC 3339 in UTC, with milliseconds.
    pub(super) submitted_at: String,
}

/// Answers with their questions, in order.
pub(super) struct QuestionnaireAnswers<'q>(pub(super) Vec<(&'q Question, QuestionnaireAnswer<'q>)>);

impl Serialize for QuestionnaireAnswers<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(question, answer)| (question.asker_key(), answer)))
    }
}

/// The spec's `Answer`.
#[derive(Serialize)]
#[serde(untagged, rename_all_fields = "camelCase")]
pub(super) enum QuestionnaireAnswer<'q> {
    Select { value: &'q str, label: &'q str, was_custom: bool },
    MultiSelect { values: Vec<&'q str>, labels: Vec<&'q str>, was_custom: bool },
    Text { text: Cow<'q, str> },
    Confirm { confirmed: bool, label: &'q str },
    Rating { value: i32, annotation: &'q str },
}

/// Returns the answers to the questions that have one, in the order of the questions.
pub(super) fn result_answers<'q>(
    questionnaire: &'q Questionnaire,
    replies: &'q Replies,
) -> QuestionnaireAnswers<'q> {
    let answered = questionnaire.questions.iter().filter_map(|question| {
        let answer = replies.get(&question.id)?.answer()?;
        Some((question, to_answer(question, &questionnaire.rules, answer)?))
    });
    QuestionnaireAnswers(answered.collect())
}

fn to_answer<'q>(
    question: &'q Question,
    rules: &Rules,
    answer: &'q Answer,
) -> Option<QuestionnaireAnswer<'q>> {
    Some(match (question.input(), answer) {
        (QuestionInput::Options(choice), Answer::Picks(picks)) => {
            let was_custom = picks.iter().any(|pick| matches!(pick, Pick::Other(_)));
            let mut named = picks.iter().map(|pick| pick_texts(choice, rules, pick));
            if choice.multi {
                let (values, labels) = named.unzip();
                QuestionnaireAnswer::MultiSelect { values, labels, was_custom }
            } else {
                let (value, label) = named.next()?;
                QuestionnaireAnswer::Select { value, label, was_custom }
            }
        }
        (QuestionInput::Toggle(confirm), Answer::Confirm(confirmed)) => {
            QuestionnaireAnswer::Confirm { confirmed: *confirmed, label: confirm_label(confirm, *confirmed) }
        }
        (QuestionInput::Scale(rating), Answer::Rating(step)) => {
            QuestionnaireAnswer::Rating { value: *step, annotation: rating.label(*step).unwrap_or_default() }
        }
        (_, Answer::Text(text)) => QuestionnaireAnswer::Text { text: Cow::Borrowed(rules.trimmed(text)) },
        // The spec has no other types.
        (_, answer) => QuestionnaireAnswer::Text { text: answer.describe(question, Lang::En) },
    })
}

/// Returns the value and the label of a pick; of an own answer both are the typed text.
fn pick_texts<'q>(choice: &'q ChoiceQuestion, rules: &Rules, pick: &'q Pick) -> (&'q str, &'q str) {
    match pick {
        Pick::Other(text) => (rules.trimmed(text), rules.trimmed(text)),
        Pick::Option(id) => match choice.option(id) {
            Some(option) => (option.sent_value(), &option.label),
            None => (id.as_str(), id.as_str()),
        },
    }
}
