//! Discriminators of unions.

use super::document::SchemaDocument;
use super::shape::{ObjectMember, ObjectShape, SchemaShape, ShapeKind};
use serde_json::Value;

/// Returns the member whose value determines the shape.
pub(super) fn discriminator<'d>(document: &'d SchemaDocument, shapes: &'d [SchemaShape]) -> Option<&'d str> {
    let objects: Vec<&ObjectShape> =
        shapes.iter().map(|shape| resolve_object(document, shape)).collect::<Option<_>>()?;
    let (first, _) = objects.split_first()?;
    for member in &first.members {
        if is_discriminator(document, &objects, &member.name) {
            return Some(&member.name);
        }
    }
    None
}

fn is_discriminator(document: &SchemaDocument, objects: &[&ObjectShape], name: &str) -> bool {
    if objects.len() < 2 {
        return false;
    }
    let mut earlier_values: Vec<&Value> = Vec::new();
    for object in objects {
        let Some(member) = required_member(object, name) else { return false };
        let Some(ShapeKind::Literals(values)) = document.resolve(&member.shape) else { return false };
        if values.iter().any(|value| earlier_values.contains(&value)) {
            return false;
        }
        earlier_values.extend(values);
    }
    true
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
