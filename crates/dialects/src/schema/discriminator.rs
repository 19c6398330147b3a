//! How to tell the shapes of a union apart.

use super::document::Document;
use super::shape::{Kind, Member, Object, Rest, Shape};
use serde_json::Value;

/// The member whose value says which of the shapes a value has.
pub(super) fn discriminator<'d>(document: &'d Document, shapes: &'d [Shape]) -> Option<&'d str> {
    let objects: Vec<&Object> = shapes.iter().map(|shape| object(document, shape)).collect::<Option<_>>()?;
    let (first, _) = objects.split_first()?;
    let names = first.members.iter().map(|member| member.name.as_str());
    names.into_iter().find(|name| tells(document, &objects, name))
}

fn tells(document: &Document, objects: &[&Object], name: &str) -> bool {
    let mut seen: Vec<&Value> = Vec::new();
    objects.len() > 1
        && objects.iter().all(|object| {
            let values = required(object, name).and_then(|member| document.resolved(&member.shape));
            let Some(Kind::Literals(values)) = values else { return false };
            let new = values.iter().all(|value| !seen.contains(&value));
            seen.extend(values);
            new
        })
}

/// Whether no value has two of the shapes.
pub(super) fn disjoint(document: &Document, shapes: &[Shape]) -> bool {
    discriminator(document, shapes).is_some()
        || shapes
            .iter()
            .enumerate()
            .all(|(index, shape)| shapes.iter().skip(index + 1).all(|other| apart(document, shape, other)))
}

fn apart(document: &Document, one: &Shape, other: &Shape) -> bool {
    let (Some(one), Some(other)) = (document.resolved(one), document.resolved(other)) else { return false };
    match (one, other) {
        (Kind::Object(one), Kind::Object(other)) => excludes(one, other) || excludes(other, one),
        (Kind::Literals(one), Kind::Literals(other)) => one.iter().all(|value| !other.contains(value)),
        _ => matches!((json_type(one), json_type(other)), (Some(one), Some(other)) if one != other),
    }
}

/// Whether one has no place for a member that the other must have.
fn excludes(one: &Object, other: &Object) -> bool {
    let lacks = |member: &Member| one.members.iter().all(|known| known.name != member.name);
    matches!(one.rest, Rest::Nothing) && other.members.iter().any(|member| member.required && lacks(member))
}

fn json_type(kind: &Kind) -> Option<&'static str> {
    match kind {
        Kind::Null => Some("null"),
        Kind::Boolean => Some("boolean"),
        Kind::Number(_) => Some("number"),
        Kind::Text { .. } => Some("string"),
        Kind::List { .. } => Some("array"),
        Kind::Object(_) => Some("object"),
        Kind::Anything | Kind::Literals(_) | Kind::Reference(_) | Kind::Either { .. } | Kind::All(_) => None,
    }
}

fn object<'d>(document: &'d Document, shape: &'d Shape) -> Option<&'d Object> {
    match document.resolved(shape)? {
        Kind::Object(object) => Some(object),
        _ => None,
    }
}

fn required<'o>(object: &'o Object, name: &str) -> Option<&'o Member> {
    object.members.iter().find(|member| member.required && member.name == name)
}
