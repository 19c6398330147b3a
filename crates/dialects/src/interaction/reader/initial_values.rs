//! Initial values of fields: taken from a request, and written in one.

use crate::interaction::answers::parse_answer;
use crate::interaction::extensions::InteractionExtensions;
use crate::interaction::wire::QuestionnaireField;
use sayso_core::{ConsentQuestions, Question, Rules};
use serde_json::{Map, Value};
use std::collections::HashSet;

/// Initial values; once each field has taken its own, those to store with the questionnaire.
pub(crate) struct InitialValues {
    pub(crate) values: Map<String, Value>,
    pub(crate) is_further_round: bool,
}

impl InitialValues {
    /// Takes the initial value of a field, parsed. In a further round that is the submitted value, which stays stored;
    /// the field's default is ignored there.
    pub(crate) fn take_initial<T>(
        &mut self,
        name: &str,
        default: Option<Value>,
        parse: impl Fn(&Value) -> Option<T>,
    ) -> Option<T> {
        if self.is_further_round {
            return parse(self.values.get(name)?);
        }
        let value = self.values.remove(name).or(default)?;
        // A null means no value, although it overrides the default.
        if value.is_null() {
            return None;
        }
        let initial = parse(&value);
        if initial.is_none() {
            self.values.insert(name.to_owned(), value);
        }
        initial
    }
}

/// Returns the initial values of a request whose fields hold their answers as defaults: the values that are no answers.
/// In a further round they are the submitted values, the fields' answers included.
pub(crate) fn initial_values(
    extensions: &InteractionExtensions,
    fields: &mut [(&Question, QuestionnaireField)],
    consent: ConsentQuestions,
    rules: &Rules,
) -> Option<Map<String, Value>> {
    let mut values = extensions.initial_values.clone();
    if extensions.is_further_round() {
        for (question, field) in fields {
            let default = field.default_value.take();
            let submitted_answer = match values.get(field.id.as_str()) {
                Some(value) => parse_answer::parse_prefill(question, rules, value),
                None => None,
            };
            match default {
                // Submitted consent is no prefill.
                None if consent.includes(question) => {}
                _ if submitted_answer == question.prefill => {}
                Some(default) => _ = values.insert(field.id.to_string(), default),
                None => _ = values.remove(field.id.as_str()),
            }
        }
        return Some(values);
    }
    if values.is_empty() {
        return None;
    }
    // A default, or its absence, would not prevail over an initial value that is an answer.
    let mut answered_names = HashSet::new();
    for (question, field) in fields {
        let name = field.id.as_str();
        if let Some(value) = values.get(name)
            && (question.prefill.is_some() || parse_answer::parse_prefill(question, rules, value).is_some())
        {
            answered_names.insert(name);
        }
    }
    values.retain(|name, _| !answered_names.contains(name.as_str()));
    if values.is_empty() { None } else { Some(values) }
}
