//! Members of a request, by the places at which they are allowed, as its schema has them.

use crate::model::problem::PathStep;
use crate::wire::schema;
use serde_json::Value;
use std::sync::LazyLock;

/// Schema of a request, generated once, when the first unknown member is reported.
static REQUEST: LazyLock<Value> = LazyLock::new(|| schema::request().to_value());

/// Objects with members of ours, by the names of their schemas.
const OBJECTS: [&str; 9] = [
    "Questionnaire",
    "Section",
    "Question",
    "Option",
    "Constraint",
    "Condition",
    "Completed",
    "Rules",
    "Action",
];

/// Returns all members of all objects, some of them more than once.
pub(crate) fn all() -> impl Iterator<Item = &'static str> {
    OBJECTS.into_iter().flat_map(members)
}

/// Returns the members of the object at this place; none for an unknown place.
pub(crate) fn at(place: &[PathStep]) -> impl Iterator<Item = &'static str> + Clone {
    schema_name(place).into_iter().flat_map(members)
}

/// Returns the members of the object with this schema, in any of its forms.
fn members(name: &'static str) -> impl Iterator<Item = &'static str> + Clone {
    let shape = match name {
        "Questionnaire" => Some(&*REQUEST),
        name => REQUEST.get("$defs").and_then(|definitions| definitions.get(name)),
    };
    let forms = shape.and_then(|shape| shape.get("anyOf")).and_then(Value::as_array).into_iter().flatten();
    let properties = shape.into_iter().chain(forms).filter_map(|form| form.get("properties")?.as_object());
    properties.flat_map(|members| members.keys().map(String::as_str))
}

/// Returns whether the object at this place is a condition.
pub(crate) fn is_condition(place: &[PathStep]) -> bool {
    schema_name(place) == Some("Condition")
}

fn schema_name(place: &[PathStep]) -> Option<&'static str> {
    // Conditions contain nothing but conditions and values.
    let is_key = |step: &PathStep, wanted: &str| matches!(step, PathStep::Key(key) if key == wanted);
    if place.iter().any(|step| is_key(step, "show_if")) {
        return Some("Condition");
    }
    match place {
        [] => Some("Questionnaire"),
        [PathStep::Key(member)] => match member.as_str() {
            "action" => Some("Action"),
            "completed" => Some("Completed"),
            "rules" => Some("Rules"),
            _ => None,
        },
        [.., PathStep::Key(list), PathStep::Index(_)] => match list.as_str() {
            "sections" => Some("Section"),
            "questions" | "children" => Some("Question"),
            "options" => Some("Option"),
            "constraints" => Some("Constraint"),
            _ => None,
        },
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_object_has_members() {
        for name in OBJECTS {
            assert!(members(name).count() > 1, "{name}");
        }
        assert!(members("Option").any(|member| member == "label"), "an option that is not its label alone");
    }
}
