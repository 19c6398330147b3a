//! Summary of a form that has ended (the spec's `completedView`).

use crate::interaction::extensions::InteractionExtensions;
use sayso_core::{Lang, Outcome, Question, Questionnaire, Reply, i18n::describe_answer};
use serde_json::Value;
use std::collections::HashMap;

/// Longest filled-in summary, in bytes of UTF-8.
pub const SUMMARY_BYTES: usize = 64 << 10;

/// Returns the sentence shown for a form that has ended. After a submit it is the request's own template, with
/// `{{action}}` and each `{{field id}}` filled in; picked options by their labels. A field without a value and an
/// unknown name become nothing. Without a template it is `Submitted`; a declined form gives the reason, or `Cancelled`.
/// A sentence longer than [`SUMMARY_BYTES`] is cut there and ends with `…`.
pub fn completed_summary(questionnaire: &Questionnaire, outcome: &Outcome, lang: Lang) -> String {
    match outcome {
        Outcome::Answered { replies, as_sent, .. } => {
            let template =
                questionnaire.completed.as_ref().and_then(|completed| completed.summary.as_deref());
            let Some(template) = template else { return "Submitted".to_owned() };
            let questions: HashMap<&str, &Question> = questionnaire
                .questions
                .iter()
                .rev()
                .map(|question| (question.asker_key(), question))
                .collect();
            fill_template(template, |name| {
                if name == "action" {
                    return "submit".to_owned();
                }
                let answered = questions.get(name).and_then(|question| {
                    let answer = replies.get(&question.id).and_then(Reply::answer)?;
                    Some(describe_answer::describe(question, answer, lang).into_owned())
                });
                let sent = || as_sent.as_ref().and_then(|sent| sent.get(name)).map(plain_text);
                answered.or_else(sent).unwrap_or_default()
            })
        }
        Outcome::Declined { reason, .. } => reason.clone().unwrap_or_else(|| "Cancelled".to_owned()),
        Outcome::Cancelled { .. } => "Cancelled".to_owned(),
        Outcome::Expired { .. } => super::writer::timeout_message(
            InteractionExtensions::from_questionnaire(questionnaire).on_timeout.unwrap_or_default(),
        )
        .to_owned(),
    }
}

/// Fills in the placeholders between double braces. A value is not searched for placeholders itself, and each is
/// computed once.
fn fill_template(template: &str, value: impl Fn(&str) -> String) -> String {
    let mut values: HashMap<&str, String> = HashMap::new();
    let mut filled = String::with_capacity(template.len().min(SUMMARY_BYTES));
    let mut rest = template;
    while let Some((before, after)) = rest.split_once("{{") {
        let Some((name, tail)) = after.split_once("}}") else { break };
        let name = name.trim();
        let value = values.entry(name).or_insert_with(|| value(name));
        if !push_bounded(&mut filled, before) || !push_bounded(&mut filled, value) {
            return filled;
        }
        rest = tail;
    }
    push_bounded(&mut filled, rest);
    filled
}

/// Appends a text up to the limit; returns whether all of it fitted.
fn push_bounded(filled: &mut String, text: &str) -> bool {
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

fn plain_text(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Array(values) => values.iter().map(plain_text).collect::<Vec<_>>().join(", "),
        value => value.to_string(),
    }
}
