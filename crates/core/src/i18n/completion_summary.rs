//! The asker's sentence for an answered questionnaire, with the answers filled in.

use super::Lang;
use crate::limits::SUMMARY_BYTES;
use crate::model::answer::Replies;
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
        if let Some(question) = questions.get(name)
            && let Some(reply) = replies.get(&question.id)
            && let Some(answer) = reply.answer()
        {
            return answer.describe(question, lang).into_owned();
        }
        match as_sent.and_then(|document| document.get(name)) {
            Some(value) => plain_text(value),
            None => String::new(),
        }
    }))
}

/// Fills in the placeholders between double braces. A value is not searched for placeholders itself, and each is
/// computed once.
fn fill_template(template: &str, value: impl Fn(&str) -> String) -> String {
    let mut values: HashMap<&str, String> = HashMap::new();
    let mut summary = String::with_capacity(template.len().min(SUMMARY_BYTES));
    let mut rest = template;
    while let Some((before, after)) = rest.split_once("{{") {
        let Some((name, tail)) = after.split_once("}}") else { break };
        let name = name.trim();
        let value = values.entry(name).or_insert_with(|| value(name));
        if !push_bounded(&mut summary, before) || !push_bounded(&mut summary, value) {
            return summary;
        }
        rest = tail;
    }
    push_bounded(&mut summary, rest);
    summary
}

/// Appends a text up to the limit; returns whether all of it fitted.
fn push_bounded(summary: &mut String, text: &str) -> bool {
    const CUT: char = '…';
    if summary.len() + text.len() <= SUMMARY_BYTES {
        summary.push_str(text);
        return true;
    }
    let room = SUMMARY_BYTES - CUT.len_utf8();
    let end = text.floor_char_boundary(room.saturating_sub(summary.len()));
    summary.push_str(text.get(..end).unwrap_or_default());
    summary.truncate(summary.floor_char_boundary(room));
    summary.push(CUT);
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
