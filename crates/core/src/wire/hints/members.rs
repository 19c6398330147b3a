//! Members of a request, by the places at which they are allowed, as its schema has them.

use super::schema_node::SchemaNode;
use crate::model::document_path::PathStep;
use serde_json::{Map, Value};
use std::sync::LazyLock;

/// Published schema of a request, as generated and committed: so its generator is not in the program.
const PUBLISHED_SCHEMA: &str = include_str!("../../../../../schemas/sayso/request.schema.json");

/// The same, read once, when the first unknown member is reported.
static REQUEST: LazyLock<Map<String, Value>> =
    LazyLock::new(|| serde_json::from_str(PUBLISHED_SCHEMA).unwrap_or_default());

/// Objects with members of ours, by the names of their schemas; that of the whole request has none.
const OBJECTS: [&str; 9] =
    ["", "Section", "Question", "Option", "Constraint", "Condition", "CompletionText", "Rules", "Action"];

/// Returns all members of all objects, some of them more than once.
pub(crate) fn all() -> impl Iterator<Item = &'static str> {
    OBJECTS.into_iter().flat_map(members)
}

/// Returns the members of the object at this place; none for an unknown place.
pub(crate) fn at(place: &[PathStep]) -> impl Iterator<Item = &'static str> + Clone {
    object_name(place).into_iter().flat_map(members)
}

/// Returns whether the object at this place is a condition.
pub(crate) fn is_condition(place: &[PathStep]) -> bool {
    object_name(place) == Some("Condition")
}

/// Returns the members of the object with this schema, in any of its forms.
fn members(name: &'static str) -> impl Iterator<Item = &'static str> + Clone {
    let root = SchemaNode::root(&REQUEST);
    let schema = if name.is_empty() { Some(root) } else { root.definition(name) };
    schema.into_iter().flat_map(SchemaNode::forms).flat_map(SchemaNode::members)
}

fn object_name(place: &[PathStep]) -> Option<&'static str> {
    for node in SchemaNode::root(&REQUEST).at(place) {
        let is_inner = node.name.is_empty() && !place.is_empty();
        if OBJECTS.contains(&node.name) && !is_inner {
            return Some(node.name);
        }
    }
    None
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
