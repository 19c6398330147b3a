//! Places in a JSON Schema, with references and alternatives resolved. Hints and validations are driven by it, so no
//! member is listed a second time.

use crate::model::document_path::PathStep;
use serde_json::{Map, Value};

/// A schema within a document.
#[derive(Debug, Clone, Copy)]
pub struct SchemaNode<'s> {
    document: &'s Map<String, Value>,
    schema: &'s Map<String, Value>,
    /// Name under `$defs`, if a reference led to it or to its alternatives; else empty.
    pub(crate) name: &'s str,
}

impl<'s> SchemaNode<'s> {
    /// Returns the schema of the whole document.
    pub const fn root(document: &'s Map<String, Value>) -> Self {
        Self { document, schema: document, name: "" }
    }

    /// Returns the definition with this name.
    pub(crate) fn definition(self, name: &'s str) -> Option<Self> {
        let schema = self.document.get("$defs")?.get(name)?.as_object()?;
        Some(Self { schema, name, ..self })
    }

    /// Returns the schemas of which a value meets one: those that it refers to or lists as alternatives, else itself.
    pub fn forms(self) -> Vec<Self> {
        if let Some(reference) = self.keyword("$ref").and_then(Value::as_str) {
            let name = reference.rsplit('/').next().unwrap_or_default();
            return self.definition(name).map(Self::forms).unwrap_or_default();
        }
        let alternatives = self.list("anyOf");
        if alternatives.is_empty() {
            return vec![self];
        }
        let mut forms = Vec::new();
        for alternative in alternatives {
            if let Some(node) = self.child(alternative, self.name) {
                forms.extend(node.forms());
            }
        }
        forms
    }

    /// Returns the schemas at a place below this one.
    pub fn at(self, place: &[PathStep]) -> Vec<Self> {
        let mut nodes = self.forms();
        for step in place {
            let mut below = Vec::new();
            for node in nodes {
                let inner = match step {
                    PathStep::Key(name) => node.property(name),
                    PathStep::Index(_) => node.items(),
                };
                if let Some(inner) = inner {
                    below.extend(inner.forms());
                }
            }
            nodes = below;
        }
        nodes
    }

    /// Returns the value of a keyword.
    pub fn keyword(self, name: &str) -> Option<&'s Value> {
        self.schema.get(name)
    }

    /// Returns the JSON type that a value must have.
    pub fn type_name(self) -> Option<&'s str> {
        self.keyword("type").and_then(Value::as_str)
    }

    /// Returns the names of an object's members.
    pub fn members(self) -> impl Iterator<Item = &'s str> + Clone {
        let members = self.keyword("properties").and_then(Value::as_object);
        members.into_iter().flat_map(|members| members.keys().map(String::as_str))
    }

    /// Returns the schema of an object's member.
    pub fn property(self, name: &str) -> Option<Self> {
        self.child(self.keyword("properties")?.get(name)?, "")
    }

    /// Returns the names of the members that an object must have.
    pub fn required(self) -> impl Iterator<Item = &'s str> {
        self.list("required").iter().filter_map(Value::as_str)
    }

    /// Returns the schema of a list's elements.
    pub fn items(self) -> Option<Self> {
        self.child(self.keyword("items")?, "")
    }

    /// Returns the only texts that are allowed, if they are listed with a description each.
    pub fn words(self) -> Vec<&'s str> {
        let mut words = Vec::new();
        for alternative in self.list("oneOf") {
            let Some(word) = alternative.get("const").and_then(Value::as_str) else { return Vec::new() };
            words.push(word);
        }
        words
    }

    /// Returns a minimal example of a value.
    pub fn example(self) -> Value {
        let Some(form) = self.forms().first().copied() else { return Value::from("…") };
        match form.type_name() {
            Some("array") => form.items().map(Self::example).into_iter().collect(),
            Some("object") => {
                let mut members = Map::new();
                for name in form.required() {
                    if let Some(property) = form.property(name) {
                        members.insert(name.to_owned(), property.example());
                    }
                }
                Value::Object(members)
            }
            Some("boolean") => Value::from(true),
            Some("integer" | "number") => Value::from(1),
            _ => Value::from(form.words().first().copied().unwrap_or("…")),
        }
    }

    fn list(self, keyword: &str) -> &'s [Value] {
        self.keyword(keyword).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default()
    }

    fn child(self, schema: &'s Value, name: &'s str) -> Option<Self> {
        Some(Self { schema: schema.as_object()?, name, ..self })
    }
}
