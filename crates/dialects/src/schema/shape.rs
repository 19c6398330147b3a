//! Typed JSON Schema, as far as the dialects use it.

use serde_json::{Number, Value};

/// Shape of a value.
#[derive(Debug)]
pub(super) struct SchemaShape {
    pub(super) note: SchemaNote,
    pub(super) kind: ShapeKind,
}

/// Annotations of a schema, which restrict no value.
#[derive(Debug, Default)]
pub(super) struct SchemaNote {
    pub(super) description: Option<String>,
    pub(super) default: Option<Value>,
    pub(super) examples: Vec<Value>,
}

/// Constraint of a value.
#[derive(Debug)]
pub(super) enum ShapeKind {
    Anything,
    Null,
    Boolean,
    Number(NumberRange),
    /// A text, with bounds of its length, and a pattern that matches somewhere in it.
    Text {
        min: Option<u64>,
        max: Option<u64>,
        pattern: Option<String>,
        /// Message for a text that is too short.
        missing: Option<String>,
    },
    List {
        items: Box<SchemaShape>,
        min: Option<u64>,
        max: Option<u64>,
    },
    Object(ObjectShape),
    /// One of these values.
    Literals(Vec<Value>),
    /// The definition with this name.
    Reference(String),
    /// One of these shapes. `oneOf` and `anyOf` are not distinguished.
    Either(Vec<SchemaShape>),
    All(Vec<SchemaShape>),
}

#[derive(Debug)]
pub(super) struct NumberRange {
    pub(super) whole: bool,
    pub(super) min: Option<Number>,
    pub(super) above: Option<Number>,
    pub(super) max: Option<Number>,
}

#[derive(Debug)]
pub(super) struct ObjectShape {
    /// Members: the required ones first, in the order of `required`.
    pub(super) members: Vec<ObjectMember>,
    pub(super) rest: ExtraMembers,
}

#[derive(Debug)]
pub(super) struct ObjectMember {
    pub(super) name: String,
    pub(super) shape: SchemaShape,
    pub(super) required: bool,
}

/// Members of an object beyond the named ones.
#[derive(Debug)]
pub(super) enum ExtraMembers {
    Anything,
    Nothing,
    Each(Box<SchemaShape>),
    /// Constraint of all names and values of an object without named members.
    Named(String, Box<SchemaShape>),
}

impl SchemaShape {
    pub(super) fn from_kind(kind: ShapeKind) -> Self {
        Self { note: SchemaNote::default(), kind }
    }

    /// Returns the definitions that it refers to, at any depth.
    pub(super) fn references(&self) -> Vec<&str> {
        let mut found = Vec::new();
        let mut open = vec![self];
        while let Some(shape) = open.pop() {
            if let ShapeKind::Reference(name) = &shape.kind {
                found.push(name.as_str());
            }
            open.extend(shape.parts().into_iter().rev());
        }
        found
    }

    /// Returns its direct parts.
    fn parts(&self) -> Vec<&Self> {
        match &self.kind {
            ShapeKind::List { items, .. } => vec![items],
            ShapeKind::Object(object) => {
                let rest = match &object.rest {
                    ExtraMembers::Each(shape) | ExtraMembers::Named(_, shape) => Some(shape.as_ref()),
                    ExtraMembers::Anything | ExtraMembers::Nothing => None,
                };
                object.members.iter().map(|member| &member.shape).chain(rest).collect()
            }
            ShapeKind::Either(shapes) | ShapeKind::All(shapes) => shapes.iter().collect(),
            ShapeKind::Anything
            | ShapeKind::Null
            | ShapeKind::Boolean
            | ShapeKind::Number(_)
            | ShapeKind::Text { .. }
            | ShapeKind::Literals(_)
            | ShapeKind::Reference(_) => Vec::new(),
        }
    }
}
