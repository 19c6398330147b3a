//! Validation of arguments against the tool's published schema. All problems are reported at once, each with what to
//! write instead, so that a model can fix its call in one attempt. The values' meaning is checked by the reader.

use super::errors::{properties, required};
use sayso_core::LocalizedText;
use sayso_core::model::problem::PathStep;
use sayso_core::wire::hints::example;
use sayso_core::{DocumentPath, Problem, ProblemCode};
use serde_json::{Map, Value};

/// Most problems reported at once.
const MAX_PROBLEMS: usize = 30;

/// Returns every problem of these arguments with the schema.
pub(crate) fn find_problems(schema: &Map<String, Value>, given: &Map<String, Value>) -> Vec<Problem> {
    let question =
        schema.get("properties").and_then(|it| it.pointer("/questions/items")).unwrap_or(&Value::Null);
    let mut judge = ShapeValidator { question, problems: Vec::new() };
    judge.check_object(schema, given, &DocumentPath::root());
    judge.problems.truncate(MAX_PROBLEMS);
    judge.problems
}

/// Returns the arguments with placeholders for missing prompts and labels, so that other problems are found too.
/// Returns `None` if `problems` has others: the meaning of the rest is unknown then.
pub(crate) fn with_placeholders(
    given: &Map<String, Value>,
    problems: &[Problem],
) -> Option<Map<String, Value>> {
    let mut given = Value::Object(given.clone());
    for (at, problem) in problems.iter().enumerate() {
        let (PathStep::Key(name), parent) = problem.path.0.split_last()? else { return None };
        if problem.code != ProblemCode::Required || !matches!(name.as_str(), "prompt" | "label") {
            return None;
        }
        let parent = given.pointer_mut(&DocumentPath(parent.to_vec()).to_json_pointer())?.as_object_mut()?;
        parent.insert(name.clone(), Value::String(format!("Words {at}")));
    }
    match given {
        Value::Object(filled) => Some(filled),
        _ => None,
    }
}

struct ShapeValidator<'s> {
    /// Schema of a question, which refers to itself.
    question: &'s Value,
    problems: Vec<Problem>,
}

impl ShapeValidator<'_> {
    fn check_object(
        &mut self,
        schema: &Map<String, Value>,
        given: &Map<String, Value>,
        place: &DocumentPath,
    ) {
        for name in required(schema).filter(|name| !given.contains_key(*name)) {
            let hint = match name {
                "prompt" => "add \"prompt\": what is asked, as text.".to_owned(),
                "label" => "add \"label\": what the person reads, as text.".to_owned(),
                "act" => action_hint(given),
                name => format!("add \"{name}\"."),
            };
            self.report(ProblemCode::Required, format!("{name} is missing."), hint, place.join(name));
        }
        let Some(properties) = properties(schema) else { return };
        for (name, value) in given {
            let Some(schema) = properties.get(name) else { continue };
            let place = place.join(name.as_str());
            if matches!(name.as_str(), "children" | "questions") {
                self.check_questions(value, &place);
            } else {
                self.check_value(schema, value, &place);
            }
        }
    }

    fn check_questions(&mut self, value: &Value, place: &DocumentPath) {
        let Some(list) = value.as_array() else {
            let hint = "write a list of questions: [{\"prompt\":\"…\",\"options\":[{\"label\":\"…\"}]}].";
            return self.report(
                ProblemCode::InvalidType,
                format!("This is {}, not a list.", type_name(value)),
                hint,
                place.clone(),
            );
        };
        for (at, question) in list.iter().enumerate() {
            self.check_value(self.question, question, &place.join(at));
        }
    }

    fn check_value(&mut self, schema: &Value, value: &Value, place: &DocumentPath) {
        let kinds = schema.get("anyOf").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        let is_of = |kind: &&Value| type_of(kind).is_none_or(|wanted| has_type(value, wanted));
        match kinds.iter().find(is_of) {
            Some(kind) => return self.check_value(kind, value, place),
            None if kinds.is_empty() => {}
            None => {
                let expected: Vec<_> = kinds.iter().filter_map(type_of).map(with_article).collect();
                return self.report_type(value, &expected.join(" or "), place);
            }
        }
        if let Some(wanted) = type_of(schema).filter(|wanted| !has_type(value, wanted)) {
            return self.report_type(value, with_article(wanted), place);
        }
        let words: Vec<_> = schema.get("oneOf").and_then(Value::as_array).into_iter().flatten().collect();
        let words: Vec<_> = words.iter().map(|one| one.get("const").and_then(Value::as_str)).collect();
        if let Some(words) = words.into_iter().collect::<Option<Vec<_>>>().filter(|words| !words.is_empty())
            && !value.as_str().is_some_and(|text| words.contains(&text))
        {
            let hint = format!("write one of {}.", words.join(", "));
            return self.report(
                ProblemCode::InvalidValue,
                format!("{value} is none of the words there are."),
                hint,
                place.clone(),
            );
        }
        if value.as_str() == Some("") && schema.get("minLength").is_some() {
            self.report(
                ProblemCode::TooSmall,
                "This text is empty.".to_owned(),
                "write some words.",
                place.clone(),
            );
        }
        match (value, schema) {
            (Value::Object(given), Value::Object(schema)) => self.check_object(schema, given, place),
            (Value::Array(list), schema) => {
                let Some(items) = schema.get("items") else { return };
                for (at, entry) in list.iter().enumerate() {
                    self.check_value(items, entry, &place.join(at));
                }
            }
            _ => {}
        }
    }

    fn report_type(&mut self, value: &Value, wanted: &str, place: &DocumentPath) {
        let message = format!("This is {}, not {wanted}.", type_name(value));
        // The expected type `object` doesn't show which members are needed.
        let is_more = matches!(wanted, "an object" | "a list");
        let example = is_more.then(|| example::at(place)).flatten();
        let fix = example.map_or_else(|| format!("write {wanted}."), |example| example.to_string());
        self.report(ProblemCode::InvalidType, message, fix, place.clone());
    }

    fn report(&mut self, code: ProblemCode, said: String, hint: impl Into<String>, place: DocumentPath) {
        let problem = Problem::new(code, LocalizedText::Verbatim(said)).at(place);
        self.problems.push(problem.with_hint(LocalizedText::Verbatim(hint.into())));
    }
}

/// Returns a hint on how to write the action with these members.
fn action_hint(given: &Map<String, Value>) -> String {
    let named = given.keys().find_map(|name| example::act(name));
    let hint = named.or_else(|| example::at(&DocumentPath::root().join("action").join("act")));
    hint.map_or_else(String::new, |said| said.to_string())
}

fn type_of(schema: &Value) -> Option<&str> {
    schema.get("type").and_then(Value::as_str)
}

fn has_type(value: &Value, wanted: &str) -> bool {
    match wanted {
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "integer" => value.as_f64().is_some_and(|number| number.fract() == 0.0),
        "number" => value.is_number(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        _ => true,
    }
}

const fn type_name(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

fn with_article(wanted: &str) -> &'static str {
    match wanted {
        "string" => "a text",
        "boolean" => "true or false",
        "integer" => "a whole number",
        "number" => "a number",
        "array" => "a list",
        _ => "an object",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mcp::schema;
    use serde_json::json;

    fn places(given: Value) -> Vec<String> {
        let Value::Object(given) = given else { panic!("no object") };
        find_problems(schema::ask_input(), &given).iter().map(|problem| problem.path.to_js_path()).collect()
    }

    #[test]
    fn all_problems_are_reported_at_once() {
        let given = json!({"title": 1, "questions": [
            {"options": [{"label": ""}, {"id": "x"}, "label", "", ["label"]]},
            {"prompt": "B?", "kind": "nope", "required": 1, "children": [{"prompt": 2}]},
            7,
        ]});
        let expected = [
            "title",
            "questions[0].prompt",
            "questions[0].options[0].label",
            "questions[0].options[1].label",
            "questions[0].options[3]",
            "questions[0].options[4]",
            "questions[1].kind",
            "questions[1].required",
            "questions[1].children[0].prompt",
            "questions[2]",
        ];
        assert_eq!(places(given), expected);
    }

    #[test]
    fn valid_questionnaire_has_no_problems() {
        let given = json!({"context": "why", "action": {"tool": "sh", "act": {"shell": {"command": "ls"}}}, "sections": [
            {"title": "S", "questions": [{
                "id": "a", "prompt": "A?", "kind": "number", "prefill": {"number": 1.5}, "constraints": [{"min": 1}],
                "children": [{"prompt": "B?", "show_if": {"at_least": 3}}],
            }]},
        ], "max_wait_s": 1.0, "received": ["x"], "timeout": "2h"});
        assert_eq!(places(given), Vec::<String>::new());
    }
}
