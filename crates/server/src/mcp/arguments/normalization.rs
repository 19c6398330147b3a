//! Normalization of harmless mistakes that models make: a list given as text, an alias of a member, an option "Other"
//! instead of `other`. Each change is reported. Nothing is guessed that a person would read differently.

mod labels;

use labels::KnownQuestion;
use sayso_core::wire::hints::aliases;
use serde_json::{Map, Value, json};

/// Labels of an option that offers an own answer, in lower case and without punctuation at the end.
const OTHER_LABELS: &[&str] = &[
    "other",
    "other (please specify)",
    "other (specify)",
    "other, please specify",
    "something else",
    "其他",
    "其它",
];
/// Members of the questionnaire, in case a single question replaces the list.
const QUESTIONNAIRE_MEMBERS: &[&str] = &[
    "title",
    "context",
    "action",
    "submit",
    "cancel",
    "completed",
    "rules",
    "beside",
    "sayso",
    "key",
    "timeout",
    "max_wait_s",
    "received",
    "questions",
    "sections",
];

/// Normalizer of the arguments of `ask`.
#[derive(Debug, Default)]
pub(crate) struct ArgumentNormalizer {
    /// Descriptions of the changes, for the caller.
    pub(crate) changes: Vec<String>,
    /// Earlier questions that conditions may refer to.
    known_questions: Vec<KnownQuestion>,
}

impl ArgumentNormalizer {
    /// Returns the normalized arguments.
    pub(crate) fn normalize(&mut self, mut arguments: Map<String, Value>) -> Map<String, Value> {
        self.unwrap_nested(&mut arguments);
        for name in ["questions", "sections"] {
            self.normalize_list(&mut arguments, name, name);
        }
        if !arguments.contains_key("questions") && !arguments.contains_key("sections") {
            self.wrap_lone_question(&mut arguments);
        }
        remove_empty_list(&mut arguments);
        self.normalize_questions(&mut arguments, "");
        if let Some(Value::Array(sections)) = arguments.get_mut("sections") {
            for (at, section) in sections.iter_mut().enumerate() {
                if let Value::Object(section) = section {
                    let place = format!("sections[{at}].");
                    self.replace_labels_in_condition(section, None, &place);
                    self.normalize_list(section, "questions", &format!("{place}questions"));
                    self.normalize_questions(section, &place);
                }
            }
        }
        self.normalize_list(&mut arguments, "received", "received");
        self.parse_number(&mut arguments, "max_wait_s");
        arguments
    }

    fn record_change(&mut self, place: &str, what: &str) {
        self.changes.push(change_at(place, what));
    }

    /// Unwraps a questionnaire that is nested one level too deep.
    fn unwrap_nested(&mut self, arguments: &mut Map<String, Value>) {
        if arguments.contains_key("questions") || arguments.contains_key("sections") {
            return;
        }
        for name in ["questionnaire", "request", "input", "arguments"] {
            let inner = match arguments.get(name) {
                Some(Value::Object(inner)) => Some(inner.clone()),
                Some(Value::String(text)) => serde_json::from_str(text).ok(),
                _ => None,
            };
            if let Some(inner) = inner {
                arguments.shift_remove(name);
                arguments.extend(inner);
                return self.record_change(name, "what is in it was taken as the arguments");
            }
        }
    }

    /// Parses a list given as text, and wraps a single element in a list.
    fn normalize_list(&mut self, object: &mut Map<String, Value>, name: &str, place: &str) {
        let Some(value) = object.get_mut(name) else { return };
        if let Value::String(text) = value {
            if let Ok(parsed_value @ (Value::Array(_) | Value::Object(_))) = serde_json::from_str(text) {
                *value = parsed_value;
                self.record_change(place, "JSON in a text was read as the list that it is");
            } else if name == "received" {
                *value = json!([text]);
            }
        }
        if value.is_object() {
            *value = Value::Array(vec![value.take()]);
            self.record_change(place, "one thing was taken as a list of one");
        }
    }

    fn wrap_lone_question(&mut self, arguments: &mut Map<String, Value>) {
        if let Some(Value::Array(_) | Value::Object(_)) = arguments.get("question")
            && let Some(questions) = arguments.shift_remove("question")
        {
            arguments.insert("questions".to_owned(), questions);
            self.record_change("question", "it was read as questions");
            return self.normalize_list(arguments, "questions", "questions");
        }
        if !["prompt", "question", "text", "message"].iter().any(|name| arguments.contains_key(*name)) {
            return;
        }
        let mut question = Map::new();
        for (name, value) in std::mem::take(arguments) {
            if QUESTIONNAIRE_MEMBERS.contains(&name.as_str()) {
                arguments.insert(name, value);
            } else {
                question.insert(name, value);
            }
        }
        arguments.insert("questions".to_owned(), json!([question]));
        self.record_change("questions", "a single question was taken as a list of one");
    }

    fn normalize_questions(&mut self, holder: &mut Map<String, Value>, place: &str) {
        let Some(Value::Array(questions)) = holder.get_mut("questions") else { return };
        for (at, question) in questions.iter_mut().enumerate() {
            self.normalize_question(question, None, &format!("{place}questions[{at}]"));
        }
    }

    /// Normalizes a question and its follow-ups. `parent` is the index of the known question that it follows up.
    fn normalize_question(&mut self, question: &mut Value, parent: Option<usize>, place: &str) {
        if let Value::String(prompt) = question {
            *question = json!({ "prompt": prompt });
            self.record_change(place, "a text was taken as the prompt of a question");
        }
        let Value::Object(question) = question else { return };
        self.rename_aliases(question, aliases::question_member, place);
        self.rename_member(question, "title", "prompt", place);
        self.normalize_kind(question, place);
        for name in ["required", "multi", "other", "long"] {
            self.parse_boolean(question, name, place);
        }
        self.normalize_list(question, "options", &format!("{place}.options"));
        self.normalize_options(question, place);
        self.normalize_list(question, "constraints", &format!("{place}.constraints"));
        self.normalize_list(question, "children", &format!("{place}.children"));
        let number = self.replace_labels(question, parent, place);
        if let Some(Value::Array(children)) = question.get_mut("children") {
            for (at, child) in children.iter_mut().enumerate() {
                self.normalize_question(child, Some(number), &format!("{place}.children[{at}]"));
            }
        }
    }

    fn rename_aliases(
        &mut self,
        object: &mut Map<String, Value>,
        meaning: fn(&str) -> Option<&'static str>,
        place: &str,
    ) {
        let names: Vec<_> = object.keys().cloned().collect();
        for alias in names {
            if let Some(name) = meaning(&alias) {
                self.rename_member(object, &alias, name, place);
            }
        }
    }

    /// Renames a member, unless the object has one of the other name too.
    fn rename_member(&mut self, object: &mut Map<String, Value>, alias: &str, name: &str, place: &str) {
        if !object.contains_key(name)
            && let Some(value) = object.shift_remove(alias)
        {
            object.insert(name.to_owned(), value);
            self.record_change(place, &format!("{alias} was read as {name}"));
        }
    }

    fn normalize_kind(&mut self, question: &mut Map<String, Value>, place: &str) {
        let Some(Value::String(kind)) = question.get("kind") else { return };
        let kind = kind.to_lowercase();
        if let Some(alias) = aliases::kind(&kind)
            && alias.kind != kind
        {
            if let Some(flag) = alias.flag {
                question.insert(flag.to_owned(), json!(true));
            }
            question.insert("kind".to_owned(), json!(alias.kind));
            self.record_change(place, &format!("the kind {kind} was read as {}", alias.kind));
        }
    }

    fn parse_boolean(&mut self, object: &mut Map<String, Value>, name: &str, place: &str) {
        let flag = match object.get(name) {
            Some(Value::String(text)) => match text.to_lowercase().as_str() {
                "true" | "yes" => true,
                "false" | "no" => false,
                _ => return,
            },
            Some(Value::Null) => {
                object.shift_remove(name);
                return;
            }
            _ => return,
        };
        object.insert(name.to_owned(), json!(flag));
        self.record_change(place, &format!("the text in {name} was read as true or false"));
    }

    fn parse_number(&mut self, object: &mut Map<String, Value>, name: &str) {
        if let Some(Value::String(text)) = object.get(name)
            && let Ok(number) = text.trim().parse::<u64>()
        {
            object.insert(name.to_owned(), json!(number));
            self.record_change(name, "the text was read as a number");
        }
    }

    fn normalize_options(&mut self, question: &mut Map<String, Value>, place: &str) {
        let Some(Value::Array(options)) = question.get_mut("options") else { return };
        let mut has_bare_values = false;
        for (at, option) in options.iter_mut().enumerate() {
            match option {
                // Questions that are repeated with labels only must match the earlier ones.
                Value::String(label) => *option = json!({ "label": label }),
                Value::Number(_) | Value::Bool(_) => {
                    *option = json!({ "label": option.to_string() });
                    has_bare_values = true;
                }
                Value::Object(option) => {
                    let place = format!("{place}.options[{at}]");
                    self.rename_aliases(option, aliases::option_member, &place);
                    if !option.contains_key("label")
                        && let Some(Value::String(value)) = option.get("value")
                    {
                        let label = json!(value);
                        option.insert("label".to_owned(), label);
                        self.record_change(&place, "value was read as the label too");
                    }
                }
                Value::Null | Value::Array(_) => {}
            }
        }
        if has_bare_values {
            self.record_change(
                place,
                "options given as numbers, true or false were read as options with these labels",
            );
        }
        let Some(label) = remove_other_option(options) else { return };
        question.insert("other".to_owned(), json!(true));
        if label != "Other" {
            question.entry("other_label").or_insert(json!(label));
        }
        self.record_change(place, "the option for an own answer became other: true");
    }
}

/// Removes the empty one of two lists, if the other one is not empty.
fn remove_empty_list(arguments: &mut Map<String, Value>) {
    let has_entries = |name: &str| Some(!arguments.get(name)?.as_array()?.is_empty());
    match (has_entries("questions"), has_entries("sections")) {
        (Some(false), Some(true)) => arguments.shift_remove("questions"),
        (Some(true), Some(false)) => arguments.shift_remove("sections"),
        _ => None,
    };
}

/// Removes the option that offers an own answer, and returns its label. The only option is none.
fn remove_other_option(options: &mut Vec<Value>) -> Option<String> {
    if options.len() < 2 {
        return None;
    }
    for (at, option) in options.iter().enumerate() {
        if let Some(Value::String(label)) = option.get("label")
            && is_other_label(label)
        {
            let label = label.clone();
            options.remove(at);
            return Some(label);
        }
    }
    None
}

/// Returns the description of a change at a place.
fn change_at(place: &str, what: &str) -> String {
    format!("{place}: {what}")
}

fn is_other_label(label: &str) -> bool {
    let label = label.trim().trim_end_matches(['.', '…', ':']).to_lowercase();
    OTHER_LABELS.contains(&label.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn normalized(given: Value) -> (Value, usize) {
        let mut mending = ArgumentNormalizer::default();
        let Value::Object(given) = given else { panic!("no object") };
        let whole = mending.normalize(given);
        (Value::Object(whole), mending.changes.len())
    }

    #[test]
    fn valid_arguments_are_unchanged() {
        let right = json!({"title": "T", "questions": [
            {"id": "a", "prompt": "A?", "options": [{"label": "Other"}]},
            {"id": "b", "prompt": "B?", "kind": "confirm", "children": [{"prompt": "C?"}]},
        ]});
        assert_eq!(normalized(right.clone()), (right, 0));
    }

    #[test]
    fn list_given_as_text_is_parsed() {
        let text = json!({"questions": "[{\"prompt\":\"A?\"}]"});
        assert_eq!(normalized(text), (json!({"questions": [{"prompt": "A?"}]}), 1));
        let wrapped = json!({"questionnaire": "{\"questions\":{\"prompt\":\"A?\"}}", "key": "k"});
        assert_eq!(normalized(wrapped), (json!({"key": "k", "questions": [{"prompt": "A?"}]}), 2));
    }

    #[test]
    fn member_aliases_are_renamed() {
        let given = json!({"questions": [
            {"question": "A?", "header": "A", "multiSelect": "true", "choices": ["x", 7, {"text": "y"}, "Other"]},
        ]});
        let right = json!({"questions": [{
            "prompt": "A?", "label": "A", "options": [{"label": "x"}, {"label": "7"}, {"label": "y"}], "multi": true,
            "other": true,
        }]});
        let (whole, changes) = normalized(given);
        assert_eq!(whole, right);
        assert_eq!(changes, 8);
    }

    #[test]
    fn kind_aliases_are_renamed() {
        let given =
            json!({"questions": [{"prompt": "A?", "type": "boolean"}, {"prompt": "B?", "kind": "textarea"}]});
        let right = json!({"questions": [
            {"prompt": "A?", "kind": "confirm"},
            {"prompt": "B?", "kind": "text", "long": true},
        ]});
        assert_eq!(normalized(given).0, right);
    }

    #[test]
    fn lone_question_becomes_a_list() {
        let given = json!({"question": "A?", "options": ["x", "y"], "timeout": "2h"});
        let right = json!({"timeout": "2h", "questions": [{"prompt": "A?", "options": [{"label": "x"}, {"label": "y"}]}]});
        assert_eq!(normalized(given).0, right);
        for given in [json!({"question": {"prompt": "A?"}}), json!({"question": [{"prompt": "A?"}]})] {
            assert_eq!(normalized(given).0, json!({"questions": [{"prompt": "A?"}]}));
        }
    }

    #[test]
    fn other_option_keeps_its_label() {
        let given = json!({"questions": [{"prompt": "A?", "options": [{"label": "x"}, {"label": "其他…"}]}]});
        let right = json!({"questions": [
            {"prompt": "A?", "options": [{"label": "x"}], "other": true, "other_label": "其他…"},
        ]});
        assert_eq!(normalized(given).0, right);
    }
}
