//! Labels used instead of option ids. An option without an id is numbered, so a caller that wrote only labels knows
//! no other name for it.

use super::ArgumentNormalizer;
use serde_json::{Map, Value};

/// Earlier question with its options.
#[derive(Debug)]
pub(super) struct KnownQuestion {
    id: String,
    /// Id and label of each option.
    options: Vec<(String, String)>,
}

impl KnownQuestion {
    /// Creates an entry for the question with this number, from 0.
    fn from_question(question: &Map<String, Value>, number: usize) -> Self {
        let id = match question.get("id") {
            Some(Value::String(id)) => id.clone(),
            _ => format!("q{number}"),
        };
        let mut options = Vec::new();
        if let Some(Value::Array(list)) = question.get("options") {
            for (at, option) in list.iter().enumerate() {
                let Some(Value::String(label)) = option.get("label") else { continue };
                let id = match option.get("id") {
                    Some(Value::String(id)) => id.clone(),
                    _ => format!("o{}", at + 1),
                };
                options.push((id, label.clone()));
            }
        }
        Self { id, options }
    }

    /// Returns the id of the only option with this label, unless the label is also an id.
    fn id_for_label(&self, text: &str) -> Option<&str> {
        let mut only_id = None;
        for (id, label) in &self.options {
            if id == text {
                return None;
            }
            if label == text {
                if only_id.is_some() {
                    return None;
                }
                only_id = Some(id.as_str());
            }
        }
        only_id
    }

    /// Replaces a label with the id of its option.
    fn replace_label(&self, value: &mut Value, place: &str, changes: &mut Vec<String>) {
        let Value::String(text) = value else { return };
        if let Some(id) = self.id_for_label(text) {
            changes.push(super::change_at(place, &format!("{text} was read as the id of its option, {id}")));
            *text = id.to_owned();
        }
    }
}

impl ArgumentNormalizer {
    /// Replaces labels with ids in the condition and the prefill of a question, and returns the question's index.
    pub(super) fn replace_labels(
        &mut self,
        question: &mut Map<String, Value>,
        parent: Option<usize>,
        place: &str,
    ) -> usize {
        self.replace_labels_in_condition(question, parent, &format!("{place}."));
        let number = self.known_questions.len();
        let known_question = KnownQuestion::from_question(question, number);
        if let Some(prefill) = question.get_mut("prefill")
            && let Some(Value::Array(picks)) = prefill.get_mut("picks")
        {
            for pick in picks {
                if let Some(option) = pick.get_mut("option") {
                    known_question.replace_label(option, &format!("{place}.prefill"), &mut self.changes);
                }
            }
        }
        self.known_questions.push(known_question);
        number
    }

    /// Replaces labels in the condition of a section or of a follow-up to this question.
    pub(super) fn replace_labels_in_condition(
        &mut self,
        holder: &mut Map<String, Value>,
        parent: Option<usize>,
        place: &str,
    ) {
        let Self { known_questions, changes } = self;
        let parent = parent.and_then(|parent| known_questions.get(parent));
        if let Some(condition) = holder.get_mut("show_if") {
            replace_in_condition(condition, parent, known_questions, &format!("{place}show_if"), changes);
        }
    }
}

fn replace_in_condition(
    condition: &mut Value,
    parent: Option<&KnownQuestion>,
    known_questions: &[KnownQuestion],
    place: &str,
    changes: &mut Vec<String>,
) {
    let Value::Object(condition) = condition else { return };
    let subject = match condition.get("question").and_then(Value::as_str) {
        Some(id) => known_questions.iter().find(|question| question.id == id),
        None => parent,
    };
    for (name, value) in condition.iter_mut() {
        match (name.as_str(), value, subject) {
            ("all" | "any", Value::Array(parts), _) => {
                for part in parts {
                    replace_in_condition(part, parent, known_questions, place, changes);
                }
            }
            ("not", part, _) => replace_in_condition(part, parent, known_questions, place, changes),
            ("is", value, Some(subject)) => subject.replace_label(value, place, changes),
            ("any_of" | "all_of" | "none_of", Value::Array(values), Some(subject)) => {
                for value in values {
                    subject.replace_label(value, place, changes);
                }
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::mcp::arguments::normalization::ArgumentNormalizer;
    use serde_json::{Value, json};

    fn normalized(given: Value) -> (Value, Vec<String>) {
        let Value::Object(given) = given else { panic!("no object") };
        let mut mending = ArgumentNormalizer::default();
        let whole = mending.normalize(given);
        (Value::Object(whole), mending.changes)
    }

    /// Returns the conditions of the last question and its follow-up, if the first question has these options.
    fn conditions(options: &Value) -> (Value, usize) {
        let (whole, changes) = normalized(json!({ "questions": [
            { "id": "lang", "prompt": "In what?", "options": options,
              "prefill": { "picks": [{ "option": "rs" }] },
              "children": [{ "prompt": "On what?", "show_if": { "is": "rs" } }] },
            { "prompt": "Why?", "show_if": { "any": [
                { "not": { "question": "lang", "any_of": ["ts", "rs"] } }, { "question": "q1", "is": "rs" },
            ] } },
        ] }));
        let [first, last] = [&whole["questions"][0], &whole["questions"][1]];
        let all =
            [&first["prefill"]["picks"][0]["option"], &first["children"][0]["show_if"], &last["show_if"]];
        (json!(all), changes.len())
    }

    #[test]
    fn label_is_replaced_with_option_id() {
        let any = json!({ "any": [
            { "not": { "question": "lang", "any_of": ["o1", "o2"] } }, { "question": "q1", "is": "rs" },
        ] });
        let by_number = json!(["o2", { "is": "o2" }, any]);
        assert_eq!(conditions(&json!(["ts", "rs"])), (by_number.clone(), 4));
        assert_eq!(conditions(&json!([{ "label": "ts" }, { "label": "rs" }])), (by_number, 4));
    }

    #[test]
    fn id_or_ambiguous_label_is_kept() {
        let as_written = json!(["rs", { "is": "rs" }, { "any": [
            { "not": { "question": "lang", "any_of": ["ts", "rs"] } }, { "question": "q1", "is": "rs" },
        ] }]);
        let ids = json!([{ "id": "ts", "label": "rs" }, { "id": "rs", "label": "ts" }]);
        assert_eq!(conditions(&ids), (as_written.clone(), 0));
        assert_eq!(conditions(&json!([{ "label": "rs" }, { "label": "rs" }])), (as_written, 0));
    }
}
