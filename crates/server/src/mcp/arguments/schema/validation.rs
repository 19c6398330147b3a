//! Validation of arguments against the tool's schema: names and shapes. All problems are reported at once, each with
//! what to write instead, so that a model can fix its call in one attempt. The values' meaning is checked by the reader.

use crate::mcp::result::JsonMap;
use sayso_core::LocalizedText;
use sayso_core::model::document_path::PathStep;
use sayso_core::wire::hints::example;
use sayso_core::wire::hints::schema_node::SchemaNode;
use sayso_core::{DocumentPath, Problem, ProblemCode, i18n::spelling};
use serde_json::Value;

/// Most problems of shape reported at once.
const MAX_PROBLEMS: usize = 30;

/// Returns a problem for each missing argument and each unknown one. A misnamed argument is reported twice: as
/// unknown, and as missing.
pub(crate) fn name_problems(schema: &JsonMap, arguments: &JsonMap) -> Vec<Problem> {
    let mut problems = Vec::new();
    for name in SchemaNode::root(schema).required() {
        if is_missing(arguments, name) {
            let message = format!("{name} is missing.");
            let problem = Problem::new(ProblemCode::Required, verbatim(message));
            problems.push(problem.at(DocumentPath::root().join(name)));
        }
    }
    let mut problems = with_hints(schema, problems);
    problems.extend(unknown_names(schema, arguments));
    problems
}

/// Returns a problem for each unknown argument, with the missing one that it most likely means.
pub(crate) fn unknown_names(schema: &JsonMap, arguments: &JsonMap) -> Vec<Problem> {
    let schema = SchemaNode::root(schema);
    let missing_names: Vec<_> = schema.members().filter(|name| is_missing(arguments, name)).collect();
    let mut problems = Vec::new();
    for name in arguments.keys() {
        if schema.property(name).is_some() {
            continue;
        }
        let mut message = "This tool takes nothing of this name".to_owned();
        let hint = if let Some(likely_name) = likely_name(name, &missing_names) {
            if schema.required().any(|name| name == likely_name) {
                message.push_str(&format!("; {likely_name} is missing"));
            }
            format!("write it as \"{likely_name}\".")
        } else {
            let names: Vec<_> = schema.members().collect();
            format!("leave it out. The tool takes {}.", names.join(", "))
        };
        message.push('.');
        let problem = Problem::new(ProblemCode::UnknownMember, verbatim(message));
        problems.push(problem.with_hint(verbatim(hint)).at(DocumentPath::root().join(name.as_str())));
    }
    problems
}

/// Returns the missing argument that an unknown one most likely means.
fn likely_name<'n>(unknown_name: &str, missing_names: &[&'n str]) -> Option<&'n str> {
    for name in missing_names {
        if shares_word(unknown_name, name) {
            return Some(name);
        }
    }
    spelling::nearest_word(unknown_name, missing_names.iter().copied())
}

/// Returns every problem of the shape of these arguments: missing members, and values of another type or none of the
/// allowed words.
pub(crate) fn shape_problems(schema: &JsonMap, arguments: &JsonMap) -> Vec<Problem> {
    let mut validator = ShapeValidator { problems: Vec::new() };
    validator.check_members(SchemaNode::root(schema), arguments, &DocumentPath::root());
    validator.problems.truncate(MAX_PROBLEMS);
    validator.problems
}

/// Returns the arguments with placeholders for missing prompts and labels, so that other problems are found too.
/// Returns `None` if `problems` has others: the meaning of the rest is unknown then.
pub(crate) fn with_placeholders(arguments: &JsonMap, problems: &[Problem]) -> Option<JsonMap> {
    let mut document = Value::Object(arguments.clone());
    for (at, problem) in problems.iter().enumerate() {
        let (PathStep::Key(name), parent) = problem.path.0.split_last()? else { return None };
        if problem.code != ProblemCode::Required || !matches!(name.as_str(), "prompt" | "label") {
            return None;
        }
        let parent_path = DocumentPath(parent.to_vec());
        let parent = document.pointer_mut(&parent_path.to_json_pointer())?.as_object_mut()?;
        parent.insert(name.clone(), Value::String(format!("Words {at}")));
    }
    match document {
        Value::Object(arguments) => Some(arguments),
        _ => None,
    }
}

/// Adds a hint to each problem that has none, if the schema shows what to write.
pub(crate) fn with_hints(schema: &JsonMap, mut problems: Vec<Problem>) -> Vec<Problem> {
    for problem in &mut problems {
        if problem.hint.is_none() {
            problem.hint = hint(SchemaNode::root(schema), problem).map(verbatim);
        }
    }
    problems
}

fn hint(schema: SchemaNode<'_>, problem: &Problem) -> Option<String> {
    let (PathStep::Key(name), parents) = problem.path.0.split_last()? else { return None };
    let holders = schema.at(parents);
    let (holder, member) = holders.iter().find_map(|holder| Some((holder, holder.property(name)?)))?;
    let is_value_missing = match problem.code {
        ProblemCode::Required | ProblemCode::InvalidType => true,
        ProblemCode::TooSmall => {
            // Without questions there is nothing to ask, though sections may hold them.
            let is_list_of_questions = parents.is_empty() && name == "questions";
            let is_required = is_list_of_questions || holder.required().any(|required| required == name);
            is_required && member.items().is_some()
        }
        _ => false,
    };
    if is_value_missing { Some(format!("write \"{name}\": {}.", member.example())) } else { None }
}

struct ShapeValidator {
    problems: Vec<Problem>,
}

impl ShapeValidator {
    fn check_members(&mut self, schema: SchemaNode<'_>, members: &JsonMap, place: &DocumentPath) {
        for name in schema.required() {
            if members.contains_key(name) {
                continue;
            }
            let hint = match name {
                "prompt" => "add \"prompt\": what is asked, as text.".to_owned(),
                "label" => "add \"label\": what the person reads, as text.".to_owned(),
                "act" => action_hint(members),
                name => format!("add \"{name}\"."),
            };
            self.report(ProblemCode::Required, format!("{name} is missing."), hint, place.join(name));
        }
        for (name, value) in members {
            if let Some(member) = schema.property(name) {
                self.check_value(member, value, &place.join(name.as_str()));
            }
        }
    }

    fn check_value(&mut self, schema: SchemaNode<'_>, value: &Value, place: &DocumentPath) {
        let forms = schema.forms();
        let form = forms.iter().find(|form| form.type_name().is_none_or(|name| has_type(value, name)));
        let Some(form) = form else { return self.report_type(value, &forms, place) };
        let words = form.words();
        let is_known_word = value.as_str().is_some_and(|text| words.contains(&text));
        if !words.is_empty() && !is_known_word {
            let message = format!("{value} is none of the words there are.");
            let hint = format!("write one of {}.", words.join(", "));
            return self.report(ProblemCode::InvalidValue, message, hint, place.clone());
        }
        if value == "" && form.keyword("minLength").is_some() {
            let message = "This text is empty.".to_owned();
            self.report(ProblemCode::TooSmall, message, "write some words.", place.clone());
        }
        match value {
            Value::Object(members) => self.check_members(*form, members, place),
            Value::Array(list) => {
                let Some(items) = form.items() else { return };
                for (at, entry) in list.iter().enumerate() {
                    self.check_value(items, entry, &place.join(at));
                }
            }
            _ => {}
        }
    }

    fn report_type(&mut self, value: &Value, forms: &[SchemaNode<'_>], place: &DocumentPath) {
        let mut types: Vec<_> =
            forms.iter().copied().filter_map(SchemaNode::type_name).map(type_words).collect();
        types.dedup();
        let expected = types.join(" or ");
        let message = format!("This is {}, not {expected}.", type_words(json_type(value)));
        let mut hint = format!("write {expected}.");
        if let Some(PathStep::Key(name)) = place.0.last()
            && (name == "questions" || name == "children")
        {
            hint =
                "write a list of questions: [{\"prompt\":\"…\",\"options\":[{\"label\":\"…\"}]}].".to_owned();
        } else if matches!(expected.as_str(), "an object" | "a list")
            && let Some(example) = example::at(place)
        {
            // The type alone doesn't show which members are needed.
            hint = example.to_string();
        }
        self.report(ProblemCode::InvalidType, message, hint, place.clone());
    }

    fn report(&mut self, code: ProblemCode, text: String, hint: impl Into<String>, place: DocumentPath) {
        let problem = Problem::new(code, verbatim(text)).at(place);
        self.problems.push(problem.with_hint(verbatim(hint.into())));
    }
}

/// Returns a hint on how to write the action with these members.
fn action_hint(members: &JsonMap) -> String {
    for name in members.keys() {
        if let Some(example) = example::act(name) {
            return example.to_string();
        }
    }
    match example::at(&DocumentPath::root().join("action").join("act")) {
        Some(example) => example.to_string(),
        None => String::new(),
    }
}

const fn verbatim(words: String) -> LocalizedText {
    LocalizedText::Verbatim(words)
}

fn is_missing(arguments: &JsonMap, name: &str) -> bool {
    arguments.get(name).is_none_or(Value::is_null)
}

/// Returns whether two names share a word, such as `id`, `askId` and `ask_id`.
fn shares_word(one: &str, other: &str) -> bool {
    let other_words = words_of_name(other);
    words_of_name(one).iter().any(|word| other_words.contains(word))
}

/// Returns the words of a name in lower case.
fn words_of_name(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    for letter in name.chars() {
        if letter == '_' || letter == '-' || letter.is_uppercase() {
            words.push(String::new());
        }
        if letter.is_alphanumeric()
            && let Some(word) = words.last_mut()
        {
            word.extend(letter.to_lowercase());
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

fn has_type(value: &Value, type_name: &str) -> bool {
    if type_name == "integer" {
        return matches!(value.as_f64(), Some(number) if number.fract() == 0.0);
    }
    json_type(value) == type_name
}

const fn json_type(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

fn type_words(json_type: &str) -> &'static str {
    match json_type {
        "null" => "null",
        "boolean" => "true or false",
        "integer" => "a whole number",
        "number" => "a number",
        "string" => "a text",
        "array" => "a list",
        _ => "an object",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mcp::arguments::schema;
    use crate::mcp::tools::ask_user;
    use serde_json::json;

    fn lines(schema: &JsonMap, given: Value) -> Vec<String> {
        let Value::Object(given) = given else { panic!("no object") };
        let line = |problem: &Problem| {
            let hint = problem.hint.as_ref().map(ToString::to_string).unwrap_or_default();
            format!("{}: {} {hint}", problem.path.to_js_path(), problem.message)
        };
        name_problems(schema, &given).iter().map(line).collect()
    }

    #[test]
    fn misnamed_member_hints_at_missing_one() {
        let missing = r#"ask_id: ask_id is missing. write "ask_id": "…"."#;
        for name in ["id", "askId", "ask", "ask_ids", "question_id", "aks_id"] {
            let line = |missing| {
                format!(r#"{name}: This tool takes nothing of this name{missing}. write it as "ask_id"."#)
            };
            let both = [missing.to_owned(), line("; ask_id is missing")];
            assert_eq!(lines(&schema::cancel_input(), json!({ name: "x" })), both);
            // Without it, the tool looks at what the agent asked last.
            assert_eq!(lines(&schema::wait_input(), json!({ name: "x" })), [line("")]);
        }
        assert_eq!(lines(&schema::cancel_input(), json!({ "ask_id": null })), [missing]);
        let other =
            "zzz: This tool takes nothing of this name. leave it out. The tool takes ask_id, received.";
        assert_eq!(lines(&schema::cancel_input(), json!({ "ask_id": "x", "zzz": 1 })), [other]);
        let other =
            "id: This tool takes nothing of this name. leave it out. The tool takes ask_id, received.";
        assert_eq!(lines(&schema::cancel_input(), json!({ "ask_id": "x", "id": "x" })), [other]);
    }

    #[test]
    fn hints_come_from_the_schema() {
        let hint = |schema: &JsonMap, code: ProblemCode, path: DocumentPath| {
            let problems =
                with_hints(schema, vec![Problem::new(code, LocalizedText::Verbatim(String::new())).at(path)]);
            problems[0].hint.as_ref().map(ToString::to_string)
        };
        let questions = DocumentPath::root().join("questions");
        let options = questions.join(0).join("options");
        let ours = r#"write "questions": [{"prompt":"…"}]."#;
        assert_eq!(
            hint(schema::ask_input(), ProblemCode::TooSmall, questions.clone()).as_deref(),
            Some(ours)
        );
        assert_eq!(
            hint(schema::ask_input(), ProblemCode::TooSmall, options.clone()),
            None,
            "without options it is a text"
        );
        let theirs = r#"write "questions": [{"question":"…","options":[{"label":"…","value":"…"}]}]."#;
        let input = ask_user::input_schema();
        assert_eq!(hint(&input, ProblemCode::Required, questions.clone()).as_deref(), Some(theirs));
        assert_eq!(hint(&input, ProblemCode::TooSmall, questions).as_deref(), Some(theirs));
        let theirs = r#"write "options": [{"label":"…","value":"…"}]."#;
        assert_eq!(hint(&input, ProblemCode::TooSmall, options).as_deref(), Some(theirs));
    }

    fn places(given: Value) -> Vec<String> {
        let Value::Object(given) = given else { panic!("no object") };
        shape_problems(schema::ask_input(), &given).iter().map(|problem| problem.path.to_js_path()).collect()
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
