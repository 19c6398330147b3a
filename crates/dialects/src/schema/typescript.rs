//! Generator of TypeScript types.

use super::Unsupported;
use super::document::{Document, indent, literal, member_name};
use super::shape::{Kind, Member, Note, Object, Rest, Shape};
use std::fmt::Write as _;

/// Writes the types of a document: the whole first, then its definitions.
pub(super) fn write(document: &Document, made_by: &str) -> Result<String, Unsupported> {
    let mut text = format!("// {made_by}\n");
    let definitions = document.definitions.iter().rev().map(|(name, shape)| (name, shape));
    for (name, shape) in [(&document.name, &document.root)].into_iter().chain(definitions) {
        text.push('\n');
        doc(&mut text, &shape.note, 0);
        match &shape.kind {
            Kind::Object(object)
                if !object.members.is_empty() && matches!(object.rest, Rest::Anything | Rest::Nothing) =>
            {
                let _ = writeln!(text, "export interface {name} {}", members(&object.members, 0)?);
            }
            kind => {
                let _ = writeln!(text, "export type {name} ={};", spaced(&kind_of(kind, 0)?));
            }
        }
    }
    Ok(text.trim_end().to_owned())
}

/// Formats a type after `=` or `:`; a multi-line union begins on a line of its own.
fn spaced(kind: &str) -> String {
    if kind.starts_with('\n') { kind.to_owned() } else { format!(" {kind}") }
}

fn kind_of(kind: &Kind, level: usize) -> Result<String, Unsupported> {
    Ok(match kind {
        Kind::Anything => "unknown".to_owned(),
        Kind::Null => "null".to_owned(),
        Kind::Boolean => "boolean".to_owned(),
        Kind::Number(_) => "number".to_owned(),
        Kind::Text { .. } => "string".to_owned(),
        Kind::List { items, .. } => format!("{}[]", single(items, level)?),
        Kind::Object(object) => object_of(object, level)?,
        Kind::Literals(values) => values.iter().map(literal).collect::<Result<Vec<_>, _>>()?.join(" | "),
        Kind::Reference(name) => name.clone(),
        Kind::Either(shapes) => union(shapes, level)?,
        Kind::All(shapes) => {
            let shapes = shapes.iter().map(|shape| single(shape, level));
            shapes.collect::<Result<Vec<_>, _>>()?.join(" & ")
        }
    })
}

/// Formats a type as an operand of an operator.
fn single(shape: &Shape, level: usize) -> Result<String, Unsupported> {
    let text = kind_of(&shape.kind, level)?;
    let joined = match &shape.kind {
        Kind::Either(_) | Kind::All(_) => true,
        Kind::Literals(values) => values.len() > 1,
        _ => false,
    };
    Ok(if joined { format!("({text})") } else { text })
}

fn object_of(object: &Object, level: usize) -> Result<String, Unsupported> {
    let record = |shape: &Shape| -> Result<_, Unsupported> {
        Ok(format!("Record<string,{}>", spaced(&kind_of(&shape.kind, level)?)))
    };
    match (&object.rest, object.members.is_empty()) {
        (Rest::Named(_, shape) | Rest::Each(shape), true) => record(shape),
        (Rest::Anything, true) => Ok("Record<string, unknown>".to_owned()),
        (Rest::Nothing, true) => Ok("Record<string, never>".to_owned()),
        (Rest::Anything | Rest::Nothing, false) => members(&object.members, level),
        // No index signature can exclude the named members.
        (Rest::Named(..) | Rest::Each(_), false) => {
            Ok(format!("{} & Record<string, unknown>", members(&object.members, level)?))
        }
    }
}

fn members(members: &[Member], level: usize) -> Result<String, Unsupported> {
    let mut text = "{\n".to_owned();
    for member in members {
        doc(&mut text, &member.shape.note, level + 1);
        let name = member_name(&member.name);
        let optional = if member.required { "" } else { "?" };
        let kind = spaced(&kind_of(&member.shape.kind, level + 1)?);
        let _ = writeln!(text, "{}{name}{optional}:{kind};", indent(level + 1));
    }
    let _ = write!(text, "{}}}", indent(level));
    Ok(text)
}

/// Formats a union: on one line, or with the description of each shape on lines of their own.
fn union(shapes: &[Shape], level: usize) -> Result<String, Unsupported> {
    if shapes.iter().all(|shape| shape.note.description.is_none()) {
        let shapes = shapes.iter().map(|shape| single(shape, level));
        return Ok(shapes.collect::<Result<Vec<_>, _>>()?.join(" | "));
    }
    let mut text = String::new();
    for shape in shapes {
        text.push('\n');
        doc(&mut text, &shape.note, level + 1);
        let _ = write!(text, "{}| {}", indent(level + 1), single(shape, level + 1)?);
    }
    Ok(text)
}

/// Writes the annotations of a type as a comment.
fn doc(text: &mut String, note: &Note, level: usize) {
    let mut lines: Vec<String> =
        note.description.iter().flat_map(|text| text.lines()).map(str::to_owned).collect();
    lines.extend(note.default.iter().map(|value| format!("@default {value}")));
    lines.extend(note.examples.iter().map(|value| format!("@example {value}")));
    let lines: Vec<_> = lines.iter().map(|line| line.trim_end().replace("*/", "*\\/")).collect();
    let indent = indent(level);
    let _ = match lines.as_slice() {
        [] => Ok(()),
        [only] => writeln!(text, "{indent}/** {only} */"),
        several => {
            let several = several.iter().map(|line| format!("{indent} * {line}").trim_end().to_owned());
            writeln!(text, "{indent}/**\n{}\n{indent} */", several.collect::<Vec<_>>().join("\n"))
        }
    };
}
