//! The asker's sentence for an answered questionnaire, with the answers filled in.

use super::Lang;
use crate::limits::SUMMARY_BYTES;
use crate::model::answer::{Replies, Reply};
use crate::model::question::Question;
use crate::model::questionnaire::Questionnaire;
use serde_json::Value;
use std::collections::HashMap;

/// Returns the asker's summary of the answers, if it has one: `{{action}}` is `submit`, and `{{question id}}` the
/// answer, with picked options by their labels. An unanswered question and an unknown name become nothing. A longer
/// text than [`SUMMARY_BYTES`] is cut there and ends with `…`. The result is the asker's text and not escaped.
pub fn fill_summary(
    questionnaire: &Questionnaire,
    replies: &Replies,
    as_sent: Option<&Value>,
    lang: Lang,
) -> Option<String> {
    let template = questionnaire.completed.as_ref()?.summary.as_deref()?;
    let questions: HashMap<&str, &Question> =
        questionnaire.questions.iter().rev().map(|question| (question.asker_key(), question)).collect();
    Some(fill_template(template, |name| {
        if name == "action" {
            return "submit".to_owned();
        }
        let answered = questions.get(name).and_then(|question| {
            let answer = replies.get(&question.id).and_then(Reply::answer)?;
            Some(answer.describe(question, lang).into_owned())
        });
        let sent = || as_sent.and_then(|sent| sent.get(name)).map(plain_text);
        answered.or_else(sent).unwrap_or_default()
    }))
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
