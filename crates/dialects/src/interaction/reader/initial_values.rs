//! Initial values of fields: taken from a request, and written in one.

use crate::interaction::answers::parse_answer;
use crate::interaction::extensions::InteractionExtensions;
use crate::interaction::wire::QuestionnaireField;
use sayso_core::{ConsentQuestions, Question, Rules};
use serde_json::{Map, Value};
use std::collections::HashMap;

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
        hear: impl Fn(&Value) -> Option<T>,
    ) -> Option<T> {
        if self.is_further_round {
            return self.values.get(name).and_then(hear);
        }
        // A null means no value and overrides the default.
        let value = self.values.remove(name).or(default).filter(|value| !value.is_null())?;
        let reply = hear(&value);
        if reply.is_none() {
            self.values.insert(name.to_owned(), value);
        }
        reply
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
    let text_of = |question: &Question, value: &Value| parse_answer::parse_prefill(question, rules, value);
    let mut values = extensions.initial_values.clone();
    if extensions.is_further_round() {
        for (question, field) in fields {
            let default = field.default_value.take();
            let submitted = values.get(field.id.as_str()).and_then(|value| text_of(question, value));
            match default {
                // Submitted consent is no prefill.
                None if consent.includes(question) => {}
                _ if submitted == question.prefill => {}
                Some(default) => _ = values.insert(field.id.to_string(), default),
                None => _ = values.remove(field.id.as_str()),
            }
        }
        return Some(values);
    }
    if values.is_empty() {
        return None;
    }
    let named: HashMap<&str, &Question> =
        fields.iter().map(|(question, field)| (field.id.as_str(), *question)).collect();
    // A default, or its absence, would not prevail over an initial value that is an answer.
    values.retain(|name, value| {
        named
            .get(name.as_str())
            .is_none_or(|question| question.prefill.is_none() && text_of(question, value).is_none())
    });
    (!values.is_empty()).then_some(values)
}
