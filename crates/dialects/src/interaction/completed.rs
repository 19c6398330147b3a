//! What is shown of a form once it is over (the spec's `completedView`).

use super::beside::Beside;
use sayso_core::{Lang, Outcome, Question, Questionnaire, Reply, words};
use serde_json::Value;
use std::collections::HashMap;

/// The sentence with its places filled in, in bytes of UTF-8.
pub const SUMMARY_BYTES: usize = 64 << 10;

/// The sentence that is shown of a form once it is over. After a submit the request's own has its `{{action}}` and its
/// `{{field id}}`s filled in, choices with the labels of what was picked; a field without a value and a name that is no
/// field are nothing. Without a sentence of its own it is `Submitted`; a form that was declined says why, or
/// `Cancelled`. A sentence that would be longer than [`SUMMARY_BYTES`] is cut off there, with `…` at its end.
pub fn summary(questionnaire: &Questionnaire, outcome: &Outcome, lang: Lang) -> String {
    match outcome {
        Outcome::Answered { replies, as_sent, .. } => {
            let template =
                questionnaire.completed.as_ref().and_then(|completed| completed.summary.as_deref());
            let Some(template) = template else { return "Submitted".to_owned() };
            let questions: HashMap<&str, &Question> =
                questionnaire.questions.iter().rev().map(|question| (question.key(), question)).collect();
            fill(template, |name| {
                if name == "action" {
                    return "submit".to_owned();
                }
                let answered = questions.get(name).and_then(|question| {
                    let answer = replies.get(&question.id).and_then(Reply::answer)?;
                    Some(words::answer(question, answer, lang).into_owned())
                });
                let sent = || as_sent.as_ref().and_then(|sent| sent.get(name)).map(plain);
                answered.or_else(sent).unwrap_or_default()
            })
        }
        Outcome::Declined { reason, .. } => reason.clone().unwrap_or_else(|| "Cancelled".to_owned()),
        Outcome::Cancelled { .. } => "Cancelled".to_owned(),
        Outcome::Expired { .. } => {
            super::write::timed_out_words(Beside::of(questionnaire).on_timeout.unwrap_or_default()).to_owned()
        }
    }
}

/// Puts values in the places between double braces. A value is never searched for places itself, and each is worked out
/// once.
fn fill(template: &str, value: impl Fn(&str) -> String) -> String {
    let mut values: HashMap<&str, String> = HashMap::new();
    let mut filled = String::with_capacity(template.len().min(SUMMARY_BYTES));
    let mut rest = template;
    while let Some((before, after)) = rest.split_once("{{") {
        let Some((name, tail)) = after.split_once("}}") else { break };
        let name = name.trim();
        let value = values.entry(name).or_insert_with(|| value(name));
        if !push(&mut filled, before) || !push(&mut filled, value) {
            return filled;
        }
        rest = tail;
    }
    push(&mut filled, rest);
    filled
}

/// Adds a text as far as there is room for it; says whether there was enough.
fn push(filled: &mut String, text: &str) -> bool {
    const CUT: char = '…';
    if filled.len() + text.len() <= SUMMARY_BYTES {
        filled.push_str(text);
        return true;
    }
    let room = SUMMARY_BYTES - CUT.len_utf8();
    let end = text.floor_char_boundary(room.saturating_sub(filled.len()));
    filled.push_str(text.get(..end).unwrap_or_default());
    filled.truncate(filled.floor_char_boundary(room));
    filled.push(CUT);
    false
}

fn plain(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Array(values) => values.iter().map(plain).collect::<Vec<_>>().join(", "),
        value => value.to_string(),
    }
}
