//! Answers in the asker's own words: the values of options, and plain JSON values.

use crate::model::answer::{Answer, Pick, Replies};
use crate::model::question::{Question, QuestionKind};
use crate::model::questionnaire::Questionnaire;
use serde_json::{Map, Value};

/// Returns the answers by the asker's names of their questions. A question without an answer has none.
pub fn plain_answers(questionnaire: &Questionnaire, replies: &Replies) -> Map<String, Value> {
    let answer = |question: &Question| {
        let answer = replies.get(&question.id)?.answer()?;
        Some((question.asker_key().to_owned(), plain_answer(question, answer)))
    };
    questionnaire.questions.iter().filter_map(answer).collect()
}

fn plain_answer(question: &Question, answer: &Answer) -> Value {
    match (&question.kind, answer) {
        (QuestionKind::Choice(choice), Answer::Picks(picks)) => {
            let value = |pick: &Pick| match pick {
                Pick::Option(id) => {
                    choice.option(id).map_or(id.as_str(), |option| option.sent_value()).into()
                }
                Pick::Other(text) => text.trim().into(),
            };
            let mut values: Vec<Value> = picks.iter().map(value).collect();
            if choice.multi { values.into() } else { values.pop().unwrap_or_default() }
        }
        (_, answer) => {
            // An answer is an object with one member, named by its kind.
            let tagged = serde_json::to_value(answer).unwrap_or_default();
            tagged.as_object().and_then(|members| members.values().next().cloned()).unwrap_or_default()
        }
    }
}
