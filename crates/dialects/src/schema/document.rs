//! A whole schema: its name, and its definitions in the order of output.

use super::UnsupportedFeature;
use super::shape::{SchemaShape, ShapeKind};
use std::collections::{HashMap, HashSet};

/// Reserved names: the generated source uses them itself.
const RESERVED_NAMES: [&str; 14] = [
    "Array",
    "Record",
    "any",
    "unknown",
    "never",
    "object",
    "string",
    "number",
    "boolean",
    "bigint",
    "symbol",
    "null",
    "undefined",
    "void",
];

/// A schema with its definitions.
#[derive(Debug)]
pub(super) struct SchemaDocument {
    /// Name of the schema.
    pub(super) name: String,
    pub(super) root: SchemaShape,
    /// Definitions, each after those that it refers to, except in cycles.
    pub(super) definitions: Vec<(String, SchemaShape)>,
}

impl SchemaDocument {
    pub(super) fn new(
        name: String,
        root: SchemaShape,
        definitions: Vec<(String, SchemaShape)>,
    ) -> Result<Self, UnsupportedFeature> {
        let names: HashSet<&str> = definitions.iter().map(|(name, _)| name.as_str()).collect();
        if names.contains(name.as_str()) {
            return Err(UnsupportedFeature::at(&name, "the schema and a definition have the same name"));
        }
        for name in names.iter().copied().chain([name.as_str()]) {
            if !is_identifier(name) || RESERVED_NAMES.contains(&name) {
                return Err(UnsupportedFeature::at(name, "no name for a definition"));
            }
        }
        let shapes = definitions.iter().map(|(_, shape)| shape).chain([&root]);
        for reference in shapes.flat_map(SchemaShape::references) {
            if !names.contains(reference) {
                return Err(UnsupportedFeature::at(reference, "there is no such definition"));
            }
        }
        let order = definition_order(&root, &definitions);
        let mut by_name: HashMap<String, SchemaShape> = definitions.into_iter().collect();
        let definitions = order.iter().filter_map(|name| by_name.remove_entry(name)).collect();
        Ok(Self { name, root, definitions })
    }

    /// Follows references to the final kind of a shape.
    pub(super) fn resolve<'s>(&'s self, shape: &'s SchemaShape) -> Option<&'s ShapeKind> {
        let mut kind = &shape.kind;
        // A definition that only refers to itself resolves to nothing.
        for _ in 0..=self.definitions.len() {
            let ShapeKind::Reference(name) = kind else { return Some(kind) };
            let (_, definition) = self.definitions.iter().find(|(other_name, _)| other_name == name)?;
            kind = &definition.kind;
        }
        None
    }
}

fn definition_order(root: &SchemaShape, definitions: &[(String, SchemaShape)]) -> Vec<String> {
    let by_name: HashMap<&str, &SchemaShape> =
        definitions.iter().map(|(name, shape)| (name.as_str(), shape)).collect();
    let mut visited = HashSet::new();
    let mut order = Vec::new();
    for name in root.references() {
        visit(name, &by_name, &mut visited, &mut order);
    }
    for (name, _) in definitions {
        visit(name, &by_name, &mut visited, &mut order);
    }
    order
}

fn visit<'d>(
    name: &'d str,
    by_name: &HashMap<&'d str, &'d SchemaShape>,
    visited: &mut HashSet<&'d str>,
    order: &mut Vec<String>,
) {
    if !visited.insert(name) {
        return;
    }
    if let Some(shape) = by_name.get(name) {
        for reference in shape.references() {
            visit(reference, by_name, visited, order);
        }
    }
    order.push(name.to_owned());
}

/// Returns whether a name is a JavaScript identifier.
pub(super) fn is_identifier(name: &str) -> bool {
    let is_allowed = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '$';
    !name.is_empty() && !name.starts_with(|c: char| c.is_ascii_digit()) && name.chars().all(is_allowed)
}

/// Returns the name of a member, quoted if necessary.
pub(super) fn member_name(name: &str) -> String {
    if is_identifier(name) { name.to_owned() } else { quoted(name) }
}

/// Quotes a text as a JavaScript literal, which every JSON string is.
pub(super) fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// Returns the literal of a value in source.
pub(super) fn literal(value: &serde_json::Value) -> Result<String, UnsupportedFeature> {
    if value.is_array() || value.is_object() {
        return Err(UnsupportedFeature::at("", format_args!("{value} as a literal")));
    }
    Ok(value.to_string())
}

/// Returns the indentation of this level: two blanks each.
pub(super) fn indent(level: usize) -> String {
    "  ".repeat(level)
}
