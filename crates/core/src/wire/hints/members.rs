//! Members of a request, by the places at which they are allowed.

use crate::model::problem::PathStep;

/// Members of each object, by the name of its schema.
const MEMBERS: &[(&str, &[&str])] = &[
    (
        "Questionnaire",
        &[
            "sayso",
            "as_is",
            "title",
            "context",
            "action",
            "questions",
            "sections",
            "submit",
            "cancel",
            "completed",
            "rules",
            "unchecked",
            "beside",
        ],
    ),
    ("Section", &["id", "title", "detail", "optional", "submit", "show_if", "questions"]),
    (
        "Question",
        &[
            "id",
            "key",
            "kind",
            "label",
            "prompt",
            "detail",
            "required",
            "unchecked",
            "options",
            "multi",
            "other",
            "other_label",
            "other_at",
            "long",
            "yes",
            "no",
            "min",
            "max",
            "emoji",
            "annotations",
            "step",
            "placeholder",
            "prefill",
            "constraints",
            "show_if",
            "children",
        ],
    ),
    ("Option", &["id", "value", "label", "description", "preview", "recommended"]),
    (
        "Constraint",
        &[
            "required",
            "fits",
            "min_picks",
            "max_picks",
            "min_length",
            "max_length",
            "pattern",
            "min",
            "max",
            "multiple_of",
            "message",
        ],
    ),
    (
        "Condition",
        &[
            "question",
            "is",
            "any_of",
            "all_of",
            "none_of",
            "at_least",
            "at_most",
            "answered",
            "own_answer",
            "all",
            "any",
            "not",
        ],
    ),
    ("Completed", &["answers", "summary"]),
    (
        "Rules",
        &[
            "length_unit",
            "trim_text",
            "repeated_picks",
            "other_alone",
            "empty_other",
            "own_answers_match",
            "must_be_true",
            "loose_dates",
            "empty_picks",
            "loose_single",
            "some_answer",
            "blank_text",
            "unjudged",
            "reserved",
        ],
    ),
    ("Action", &["tool", "act"]),
];

/// Returns all members of all objects, some of them more than once.
pub(crate) fn all() -> impl Iterator<Item = &'static str> {
    MEMBERS.iter().flat_map(|(_, members)| members.iter().copied())
}

/// Returns the members of the object at this place; none for an unknown place.
pub(crate) fn at(place: &[PathStep]) -> &'static [&'static str] {
    let name = schema_name(place).unwrap_or_default();
    MEMBERS.iter().find(|(of, _)| *of == name).map(|(_, members)| *members).unwrap_or_default()
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
    fn members_match_schema() {
        let schema = serde_json::to_value(crate::wire::schema::request()).unwrap();
        for (name, members) in MEMBERS {
            let shape = match *name {
                "Questionnaire" => &schema,
                // An option that is not its label alone.
                "Option" => &schema["$defs"]["Option"]["anyOf"][1],
                name => &schema["$defs"][name],
            };
            let mut named: Vec<_> =
                shape["properties"].as_object().unwrap().keys().map(String::as_str).collect();
            let mut members = members.to_vec();
            named.sort_unstable();
            members.sort_unstable();
            assert_eq!(members, named, "{name}");
        }
    }
}
