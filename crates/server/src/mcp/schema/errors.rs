//! Missing and unknown tool arguments, found with the tool's schema. A misnamed member is reported twice: as unknown,
//! and as missing.

use crate::mcp::handler::JsonMap;
use sayso_core::LocalizedText;
use sayso_core::model::problem::PathStep;
use sayso_core::{DocumentPath, Problem, ProblemCode, i18n::spelling};
use serde_json::{Value, json};

/// Returns a problem for each missing member and each unknown one.
pub(crate) fn find_problems(schema: &JsonMap, given: &JsonMap) -> Vec<Problem> {
    let missing = required(schema).filter(|name| is_missing(given, name)).map(|name| {
        let message = LocalizedText::Verbatim(format!("{name} is missing."));
        Problem::new(ProblemCode::Required, message).at(DocumentPath::root().join(name))
    });
    let missing = with_hints(schema, missing.collect());
    missing.into_iter().chain(find_unknown(schema, given)).collect()
}

/// Returns a problem for each unknown member.
pub(crate) fn find_unknown<'g>(
    schema: &'g JsonMap,
    given: &'g JsonMap,
) -> impl Iterator<Item = Problem> + use<'g> {
    let known = properties(schema);
    given.keys().filter(move |name| known.is_none_or(|known| !known.contains_key(*name))).map(move |name| {
        let missing = || known.into_iter().flat_map(JsonMap::keys).filter(|name| is_missing(given, name));
        let candidate = missing().find(|known| shares_word(name, known)).map(String::as_str);
        let candidate = candidate.or_else(|| spelling::nearest_word(name, missing().map(String::as_str)));
        let message = "This tool takes nothing of this name";
        let (message, hint) = match candidate {
            Some(candidate) => {
                let is_needed = required(schema).any(|name| name == candidate);
                let missing = if is_needed { format!("; {candidate} is missing") } else { String::new() };
                (format!("{message}{missing}."), format!("write it as \"{candidate}\"."))
            }
            None => {
                (format!("{message}."), format!("leave it out. The tool takes {}.", property_list(schema)))
            }
        };
        let problem = Problem::new(ProblemCode::UnknownMember, LocalizedText::Verbatim(message))
            .with_hint(LocalizedText::Verbatim(hint));
        problem.at(DocumentPath::root().join(name.as_str()))
    })
}

/// Adds a hint to each problem that has none, if the schema shows what to write.
pub(crate) fn with_hints(schema: &JsonMap, mut problems: Vec<Problem>) -> Vec<Problem> {
    for problem in problems.iter_mut().filter(|problem| problem.hint.is_none()) {
        let Some((name, member, must_be)) = member_at(schema, &problem.path) else { continue };
        let is_missing_value = match problem.code {
            ProblemCode::Required | ProblemCode::InvalidType => true,
            ProblemCode::TooSmall => must_be && member.get("items").is_some(),
            _ => false,
        };
        if is_missing_value {
            problem.hint =
                Some(LocalizedText::Verbatim(format!("write \"{name}\": {}.", example_of(member))));
        }
    }
    problems
}

pub(super) fn properties(schema: &JsonMap) -> Option<&JsonMap> {
    schema.get("properties").and_then(Value::as_object)
}

pub(super) fn required(schema: &JsonMap) -> impl Iterator<Item = &str> {
    schema.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str)
}

fn is_missing(given: &JsonMap, name: &str) -> bool {
    given.get(name).is_none_or(Value::is_null)
}

fn property_list(schema: &JsonMap) -> String {
    let names: Vec<_> = properties(schema).into_iter().flat_map(JsonMap::keys).map(String::as_str).collect();
    names.join(", ")
}

/// Returns whether two names share a word, such as `id`, `askId` and `ask_id`.
fn shares_word(one: &str, other: &str) -> bool {
    let words = |name: &str| {
        let mut words = vec![String::new()];
        for letter in name.chars() {
            if letter == '_' || letter == '-' || letter.is_uppercase() {
                words.push(String::new());
            }
            if let Some(word) = words.last_mut().filter(|_| letter.is_alphanumeric()) {
                word.extend(letter.to_lowercase());
            }
        }
        words
    };
    let others = words(other);
    words(one).iter().any(|word| !word.is_empty() && others.contains(word))
}

/// Returns the member at a path: its name, its schema, and whether it is required.
fn member_at<'s>(schema: &'s JsonMap, path: &'s DocumentPath) -> Option<(&'s str, &'s Value, bool)> {
    let (PathStep::Key(name), parents) = path.0.split_last()? else { return None };
    let mut holder = schema;
    for step in parents {
        holder = match step {
            PathStep::Key(name) => properties(holder)?.get(name)?,
            PathStep::Index(_) => holder.get("items")?,
        }
        .as_object()?;
    }
    // Without questions there is nothing to ask, though sections may hold them.
    let must_be = required(holder).any(|must| must == name) || (parents.is_empty() && name == "questions");
    Some((name, properties(holder)?.get(name)?, must_be))
}

/// Returns a minimal example of a value of this schema.
fn example_of(schema: &Value) -> Value {
    let first = |name: &str| schema.get(name).and_then(Value::as_array).and_then(|list| list.first());
    if let Some(one) = first("anyOf") {
        return example_of(one);
    }
    match schema.get("type").and_then(Value::as_str) {
        Some("array") => json!([schema.get("items").map(example_of)]),
        Some("object") => {
            let Some(object) = schema.as_object() else { return json!({}) };
            let member =
                |name: &str| properties(object)?.get(name).map(|it| (name.to_owned(), example_of(it)));
            Value::Object(required(object).filter_map(member).collect())
        }
        Some("boolean") => json!(true),
        Some("integer" | "number") => json!(1),
        _ => first("oneOf").and_then(|one| one.get("const")).cloned().unwrap_or(json!("…")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mcp::schema;
    use crate::mcp::tools::ask_user;

    fn lines(schema: &JsonMap, given: Value) -> Vec<String> {
        let Value::Object(given) = given else { panic!("no object") };
        let line = |problem: &Problem| {
            let hint = problem.hint.as_ref().map(ToString::to_string).unwrap_or_default();
            format!("{}: {} {hint}", problem.path.to_js_path(), problem.message)
        };
        find_problems(schema, &given).iter().map(line).collect()
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
}
