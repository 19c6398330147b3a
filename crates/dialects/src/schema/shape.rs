//! A JSON Schema as far as the dialects use it, in types.

use serde_json::{Number, Value};

/// What a value may be.
#[derive(Debug)]
pub(super) struct Shape {
    pub(super) note: Note,
    pub(super) kind: Kind,
}

/// What is said about a value and judges none.
#[derive(Debug, Default)]
pub(super) struct Note {
    pub(super) description: Option<String>,
    pub(super) default: Option<Value>,
    pub(super) examples: Vec<Value>,
}

/// What judges a value.
#[derive(Debug)]
pub(super) enum Kind {
    Anything,
    Null,
    Boolean,
    Number(Range),
    /// A text, its least and its greatest length, and the pattern that matches somewhere in it.
    Text {
        min: Option<u64>,
        max: Option<u64>,
        pattern: Option<String>,
        /// What is said of a text that is too short.
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
    /// What the definition of this name says.
    Reference(String),
    /// What one of these says. That of some only one fits is for JSON Schema itself to say.
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
    /// Those that must be there first, in the order in which they are required.
    pub(super) members: Vec<Member>,
    pub(super) rest: Rest,
}

#[derive(Debug)]
pub(super) struct Member {
    pub(super) name: String,
    pub(super) shape: Shape,
    pub(super) required: bool,
}

/// What may stand in an object beside its members.
#[derive(Debug)]
pub(super) enum Rest {
    Anything,
    Nothing,
    Each(Box<Shape>),
    /// An object without members of its own: what a name must be like, and what stands there.
    Named(String, Box<Shape>),
}

impl Shape {
    pub(super) fn of(kind: Kind) -> Self {
        Self { note: Note::default(), kind }
    }

    /// The definitions that it refers to, however deep inside.
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

    /// The shapes right inside it.
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
