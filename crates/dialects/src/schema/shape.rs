//! Typed JSON Schema, as far as the dialects use it.

use serde_json::{Number, Value};

/// Shape of a value.
#[derive(Debug)]
pub(super) struct Shape {
    pub(super) note: Note,
    pub(super) kind: Kind,
}

/// Annotations of a value, which constrain none.
#[derive(Debug, Default)]
pub(super) struct Note {
    pub(super) description: Option<String>,
    pub(super) default: Option<Value>,
    pub(super) examples: Vec<Value>,
}

/// Constraint of a value.
#[derive(Debug)]
pub(super) enum Kind {
    Anything,
    Null,
    Boolean,
    Number(Range),
    /// A text, with bounds of its length, and a pattern that matches somewhere in it.
    Text {
        min: Option<u64>,
        max: Option<u64>,
        pattern: Option<String>,
        /// Message for a text that is too short.
        missing: Option<String>,
    },
    List {
        items: Box<Shape>,
        min: Option<u64>,
        max: Option<u64>,
    },
    Object(Object),
    /// One of these values.
    Literals(Vec<Value>),
    /// The definition with this name.
    Reference(String),
    /// One of these shapes. `oneOf` and `anyOf` are not distinguished.
    Either(Vec<Shape>),
    All(Vec<Shape>),
}

#[derive(Debug)]
pub(super) struct Range {
    pub(super) whole: bool,
    pub(super) min: Option<Number>,
    pub(super) above: Option<Number>,
    pub(super) max: Option<Number>,
}

#[derive(Debug)]
pub(super) struct Object {
    /// Members: the required ones first, in the order of `required`.
    pub(super) members: Vec<Member>,
    pub(super) rest: Rest,
}

#[derive(Debug)]
pub(super) struct Member {
    pub(super) name: String,
    pub(super) shape: Shape,
    pub(super) required: bool,
}

/// Members of an object beyond the named ones.
#[derive(Debug)]
pub(super) enum Rest {
    Anything,
    Nothing,
    Each(Box<Shape>),
    /// Constraint of all names and values of an object without named members.
    Named(String, Box<Shape>),
}

impl Shape {
    pub(super) fn of(kind: Kind) -> Self {
        Self { note: Note::default(), kind }
    }

    /// Returns the definitions that it refers to, at any depth.
    pub(super) fn references(&self) -> Vec<&str> {
        let mut found = Vec::new();
        let mut open = vec![self];
        while let Some(shape) = open.pop() {
            if let Kind::Reference(name) = &shape.kind {
                found.push(name.as_str());
            }
            open.extend(shape.parts().into_iter().rev());
        }
        found
    }

    /// Returns its direct parts.
    fn parts(&self) -> Vec<&Self> {
        match &self.kind {
            Kind::List { items, .. } => vec![items],
            Kind::Object(object) => {
                let rest = match &object.rest {
                    Rest::Each(shape) | Rest::Named(_, shape) => Some(shape.as_ref()),
                    Rest::Anything | Rest::Nothing => None,
                };
                object.members.iter().map(|member| &member.shape).chain(rest).collect()
            }
            Kind::Either(shapes) | Kind::All(shapes) => shapes.iter().collect(),
            Kind::Anything
            | Kind::Null
            | Kind::Boolean
            | Kind::Number(_)
            | Kind::Text { .. }
            | Kind::Literals(_)
            | Kind::Reference(_) => Vec::new(),
        }
    }
}
