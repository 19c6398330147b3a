//! Discriminators of unions.

use super::document::Document;
use super::shape::{Kind, Member, Object, Shape};
use serde_json::Value;

/// Returns the member whose value determines the shape.
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

fn object<'d>(document: &'d Document, shape: &'d Shape) -> Option<&'d Object> {
    match document.resolved(shape)? {
        Kind::Object(object) => Some(object),
        _ => None,
    }
}

fn required<'o>(object: &'o Object, name: &str) -> Option<&'o Member> {
    object.members.iter().find(|member| member.required && member.name == name)
}
