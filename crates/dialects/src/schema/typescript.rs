//! Generator of TypeScript types. Writing to a `String` cannot fail, so those results are dropped.

use super::UnsupportedFeature;
use super::document::{SchemaDocument, indent, literal, member_name};
use super::shape::{ExtraMembers, ObjectMember, ObjectShape, SchemaNote, SchemaShape, ShapeKind};
use std::fmt::Write as _;

/// Writes the types of a document: the whole first, then its definitions.
pub(super) fn write(document: &SchemaDocument, made_by: &str) -> Result<String, UnsupportedFeature> {
    let mut text = format!("// {made_by}\n");
    let definitions = document.definitions.iter().rev().map(|(name, shape)| (name, shape));
    for (name, shape) in [(&document.name, &document.root)].into_iter().chain(definitions) {
        text.push('\n');
        write_doc(&mut text, &shape.note, 0);
        match &shape.kind {
            ShapeKind::Object(object)
                if !object.members.is_empty()
                    && matches!(object.rest, ExtraMembers::Anything | ExtraMembers::Nothing) =>
            {
                let _ = writeln!(text, "export interface {name} {}", members_text(&object.members, 0)?);
            }
            kind => {
                let _ = writeln!(text, "export type {name} ={};", with_space(&type_text(kind, 0)?));
            }
        }
    }
    Ok(text.trim_end().to_owned())
}

/// Formats a type after `=` or `:`; a multi-line union begins on a line of its own.
fn with_space(kind: &str) -> String {
    if kind.starts_with('\n') { kind.to_owned() } else { format!(" {kind}") }
}

fn type_text(kind: &ShapeKind, level: usize) -> Result<String, UnsupportedFeature> {
    Ok(match kind {
        ShapeKind::Anything => "unknown".to_owned(),
        ShapeKind::Null => "null".to_owned(),
        ShapeKind::Boolean => "boolean".to_owned(),
        ShapeKind::Number(_) => "number".to_owned(),
        ShapeKind::Text { .. } => "string".to_owned(),
        ShapeKind::List { items, .. } => format!("{}[]", operand(items, level)?),
        ShapeKind::Object(object) => object_type(object, level)?,
        ShapeKind::Literals(values) => values.iter().map(literal).collect::<Result<Vec<_>, _>>()?.join(" | "),
        ShapeKind::Reference(name) => name.clone(),
        ShapeKind::Either(shapes) => union_type(shapes, level)?,
        ShapeKind::All(shapes) => operands(shapes, level)?.join(" & "),
    })
}

fn operands(shapes: &[SchemaShape], level: usize) -> Result<Vec<String>, UnsupportedFeature> {
    shapes.iter().map(|shape| operand(shape, level)).collect()
}

/// Formats a type as an operand of an operator.
fn operand(shape: &SchemaShape, level: usize) -> Result<String, UnsupportedFeature> {
    let text = type_text(&shape.kind, level)?;
    let has_operator = match &shape.kind {
        ShapeKind::Either(_) | ShapeKind::All(_) => true,
        ShapeKind::Literals(values) => values.len() > 1,
        _ => false,
    };
    Ok(if has_operator { format!("({text})") } else { text })
}

fn object_type(object: &ObjectShape, level: usize) -> Result<String, UnsupportedFeature> {
    match (&object.rest, object.members.is_empty()) {
        (ExtraMembers::Named(_, shape) | ExtraMembers::Each(shape), true) => {
            Ok(format!("Record<string,{}>", with_space(&type_text(&shape.kind, level)?)))
        }
        (ExtraMembers::Anything, true) => Ok("Record<string, unknown>".to_owned()),
        (ExtraMembers::Nothing, true) => Ok("Record<string, never>".to_owned()),
        (ExtraMembers::Anything | ExtraMembers::Nothing, false) => members_text(&object.members, level),
        // No index signature can exclude the named members.
        (ExtraMembers::Named(..) | ExtraMembers::Each(_), false) => {
            Ok(format!("{} & Record<string, unknown>", members_text(&object.members, level)?))
        }
    }
}

fn members_text(members: &[ObjectMember], level: usize) -> Result<String, UnsupportedFeature> {
    let mut text = "{\n".to_owned();
    for member in members {
        write_doc(&mut text, &member.shape.note, level + 1);
        let name = member_name(&member.name);
        let optional = if member.required { "" } else { "?" };
        let kind = with_space(&type_text(&member.shape.kind, level + 1)?);
        let _ = writeln!(text, "{}{name}{optional}:{kind};", indent(level + 1));
    }
    let _ = write!(text, "{}}}", indent(level));
    Ok(text)
}

/// Formats a union: on one line, or with the description of each shape on lines of their own.
fn union_type(shapes: &[SchemaShape], level: usize) -> Result<String, UnsupportedFeature> {
    if shapes.iter().all(|shape| shape.note.description.is_none()) {
        return Ok(operands(shapes, level)?.join(" | "));
    }
    let mut text = String::new();
    for shape in shapes {
        text.push('\n');
        write_doc(&mut text, &shape.note, level + 1);
        let _ = write!(text, "{}| {}", indent(level + 1), operand(shape, level + 1)?);
    }
    Ok(text)
}

/// Writes the annotations of a type as a comment.
fn write_doc(text: &mut String, note: &SchemaNote, level: usize) {
    let mut lines: Vec<String> = Vec::new();
    if let Some(description) = &note.description {
        lines.extend(description.lines().map(str::to_owned));
    }
    lines.extend(note.default.iter().map(|value| format!("@default {value}")));
    lines.extend(note.examples.iter().map(|value| format!("@example {value}")));
    for line in &mut lines {
        *line = line.trim_end().replace("*/", "*\\/");
    }
    let indent = indent(level);
    match lines.as_slice() {
        [] => {}
        [line] => _ = writeln!(text, "{indent}/** {line} */"),
        lines => {
            let _ = writeln!(text, "{indent}/**");
            for line in lines {
                let _ = writeln!(text, "{}", format!("{indent} * {line}").trim_end());
            }
            let _ = writeln!(text, "{indent} */");
        }
    }
}
