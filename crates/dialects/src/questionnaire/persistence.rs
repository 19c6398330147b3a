//! By what a questionnaire is known when it is asked again.

use super::constraints::type_name_of;
use sayso_core::{QuestionId, Questionnaire};
use std::collections::HashMap;

/// What a draft of the same asker is found by when the same questionnaire is asked again: `id:type` of every question,
/// parents before their children and with a bar between, a child as `parent/child`:
/// `lang:select|lang/framework:select`. Wording and options do not count.
pub fn persistence_key(questionnaire: &Questionnaire) -> String {
    let mut ways: HashMap<&QuestionId, String> = HashMap::with_capacity(questionnaire.questions.len());
    let mut key = String::new();
    for question in &questionnaire.questions {
        let parent = question.parent.as_ref().and_then(|parent| ways.get(parent));
        let way = match parent {
            Some(parent) => format!("{parent}/{}", question.key()),
            None => question.key().to_owned(),
        };
        if !key.is_empty() {
            key.push('|');
        }
        key.push_str(&way);
        key.push(':');
        key.push_str(type_name_of(&question.kind));
        ways.insert(&question.id, way);
    }
    key
}
