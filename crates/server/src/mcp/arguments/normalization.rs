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
    pub(crate) fn normalize(&mut self, mut given: Map<String, Value>) -> Map<String, Value> {
        self.unwrap_nested(&mut given);
        for name in ["questions", "sections"] {
            self.normalize_list(&mut given, name, name);
        }
        if !given.contains_key("questions") && !given.contains_key("sections") {
            self.wrap_lone_question(&mut given);
        }
        for (empty, full) in [("questions", "sections"), ("sections", "questions")] {
            let is_empty = given.get(empty).and_then(Value::as_array).is_some_and(Vec::is_empty);
            if is_empty && given.get(full).and_then(Value::as_array).is_some_and(|list| !list.is_empty()) {
                given.shift_remove(empty);
            }
        }
        self.normalize_questions(&mut given, "");
        if let Some(Value::Array(sections)) = given.get_mut("sections") {
            for (at, section) in sections.iter_mut().enumerate() {
                if let Value::Object(section) = section {
                    let place = format!("sections[{at}].");
                    self.replace_labels_in_condition(section, None, &place);
                    self.normalize_list(section, "questions", &format!("{place}questions"));
                    self.normalize_questions(section, &place);
                }
            }
        }
        self.normalize_list(&mut given, "received", "received");
        self.parse_number(&mut given, "max_wait_s");
        given
    }

    fn record_change(&mut self, place: &str, what: &str) {
        self.changes.push(change_at(place, what));
    }

    /// Unwraps a questionnaire that is nested one level too deep.
    fn unwrap_nested(&mut self, given: &mut Map<String, Value>) {
        if given.contains_key("questions") || given.contains_key("sections") {
            return;
        }
        for name in ["questionnaire", "request", "input", "arguments"] {
            let inner = match given.get(name) {
                Some(Value::Object(inner)) => Some(inner.clone()),
                Some(Value::String(text)) => serde_json::from_str(text).ok(),
                _ => None,
            };
            if let Some(inner) = inner {
                given.shift_remove(name);
                given.extend(inner);
                return self.record_change(name, "what is in it was taken as the arguments");
            }
        }
    }

    /// Parses a list given as text, and wraps a single element in a list.
    fn normalize_list(&mut self, given: &mut Map<String, Value>, name: &str, place: &str) {
        let Some(value) = given.get_mut(name) else { return };
        if let Value::String(text) = value {
            if let Ok(read @ (Value::Array(_) | Value::Object(_))) = serde_json::from_str(text) {
                *value = read;
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

    fn wrap_lone_question(&mut self, given: &mut Map<String, Value>) {
        if let Some(Value::Array(_) | Value::Object(_)) = given.get("question")
            && let Some(questions) = given.shift_remove("question")
        {
            given.insert("questions".to_owned(), questions);
            self.record_change("question", "it was read as questions");
            return self.normalize_list(given, "questions", "questions");
        }
        let has_words =
            ["prompt", "question", "text", "message"].iter().any(|name| given.contains_key(*name));
        if !has_words {
            return;
        }
        let names: Vec<_> =
            given.keys().filter(|name| !QUESTIONNAIRE_MEMBERS.contains(&name.as_str())).cloned().collect();
        let members = names.into_iter().filter_map(|name| given.shift_remove_entry(&name));
        let question: Map<_, _> = members.collect();
        given.insert("questions".to_owned(), json!([question]));
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
        self.rename_aliases(question, |name| (name == "title").then_some("prompt"), place);
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
        meant: fn(&str) -> Option<&'static str>,
        place: &str,
    ) {
        let aliases: Vec<_> =
            object.keys().filter_map(|other| Some((other.clone(), meant(other)?))).collect();
        for (other, name) in aliases {
            if !object.contains_key(name)
                && let Some(value) = object.shift_remove(&other)
            {
                object.insert(name.to_owned(), value);
                self.record_change(place, &format!("{other} was read as {name}"));
            }
        }
    }

    fn normalize_kind(&mut self, question: &mut Map<String, Value>, place: &str) {
        let Some(given) = question.get("kind").and_then(Value::as_str).map(str::to_lowercase) else { return };
        let Some(alias) = aliases::kind(&given).filter(|alias| alias.kind != given) else { return };
        if let Some(flag) = alias.flag {
            question.insert(flag.to_owned(), json!(true));
        }
        question.insert("kind".to_owned(), json!(alias.kind));
        self.record_change(place, &format!("the kind {given} was read as {}", alias.kind));
    }

    fn parse_boolean(&mut self, object: &mut Map<String, Value>, name: &str, place: &str) {
        let read = match object.get(name) {
            Some(Value::String(text)) => match text.to_lowercase().as_str() {
                "true" | "yes" => Some(json!(true)),
                "false" | "no" => Some(json!(false)),
                _ => None,
            },
            Some(Value::Null) => {
                object.shift_remove(name);
                None
            }
            _ => None,
        };
        if let Some(read) = read {
            object.insert(name.to_owned(), read);
            self.record_change(place, &format!("the text in {name} was read as true or false"));
        }
    }

    fn parse_number(&mut self, object: &mut Map<String, Value>, name: &str) {
        let read = object.get(name).and_then(Value::as_str).and_then(|text| text.trim().parse::<u64>().ok());
        if let Some(read) = read {
            object.insert(name.to_owned(), json!(read));
            self.record_change(name, "the text was read as a number");
        }
    }

    fn normalize_options(&mut self, question: &mut Map<String, Value>, place: &str) {
        let Some(Value::Array(options)) = question.get_mut("options") else { return };
        let mut others = 0;
        for (at, option) in options.iter_mut().enumerate() {
            match option {
                // Questions that are repeated with labels only must match the earlier ones.
                Value::String(label) => *option = json!({ "label": label }),
                Value::Number(_) | Value::Bool(_) => {
                    *option = json!({ "label": option.to_string() });
                    others += 1;
                }
                Value::Object(option) => {
                    let place = format!("{place}.options[{at}]");
                    self.rename_aliases(option, aliases::option_member, &place);
                    if let (false, Some(Value::String(value))) =
                        (option.contains_key("label"), option.get("value"))
                    {
                        let label = json!(value);
                        option.insert("label".to_owned(), label);
                        self.record_change(&place, "value was read as the label too");
                    }
                }
                Value::Null | Value::Array(_) => {}
            }
        }
        let is_other =
            |option: &Value| option.get("label").and_then(Value::as_str).is_some_and(is_other_label);
        let other = if options.len() > 1 { options.iter().position(is_other) } else { None };
        let taken = other.map(|at| options.remove(at));
        if others > 0 {
            self.record_change(
                place,
                "options given as numbers, true or false were read as options with these labels",
            );
        }
        let Some(taken) = taken else { return };
        question.insert("other".to_owned(), json!(true));
        if let Some(label) = taken.get("label").filter(|label| *label != "Other") {
            question.entry("other_label").or_insert_with(|| label.clone());
        }
        self.record_change(place, "the option for an own answer became other: true");
    }
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
