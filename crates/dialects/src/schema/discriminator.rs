//! Discriminators of unions.

use super::document::SchemaDocument;
use super::shape::{ObjectMember, ObjectShape, SchemaShape, ShapeKind};
use serde_json::Value;

/// Returns the member whose value determines the shape.
pub(super) fn discriminator<'d>(document: &'d SchemaDocument, shapes: &'d [SchemaShape]) -> Option<&'d str> {
    let objects: Vec<&ObjectShape> =
        shapes.iter().map(|shape| resolve_object(document, shape)).collect::<Option<_>>()?;
    let (first, _) = objects.split_first()?;
    let names = first.members.iter().map(|member| member.name.as_str());
    names.into_iter().find(|name| is_discriminator(document, &objects, name))
}

fn is_discriminator(document: &SchemaDocument, objects: &[&ObjectShape], name: &str) -> bool {
    let mut seen: Vec<&Value> = Vec::new();
    objects.len() > 1
        && objects.iter().all(|object| {
            let values = required_member(object, name).and_then(|member| document.resolve(&member.shape));
            let Some(ShapeKind::Literals(values)) = values else { return false };
            let new = values.iter().all(|value| !seen.contains(&value));
            seen.extend(values);
            new
        })
}

fn resolve_object<'d>(document: &'d SchemaDocument, shape: &'d SchemaShape) -> Option<&'d ObjectShape> {
    match document.resolve(shape)? {
        ShapeKind::Object(object) => Some(object),
        _ => None,
    }
}

fn required_member<'o>(object: &'o ObjectShape, name: &str) -> Option<&'o ObjectMember> {
    object.members.iter().find(|member| member.required && member.name == name)
}
