//! Generator of Zod 4 schemas, as an ECMAScript module for Node. Writing to a `String` cannot fail, so those results
//! are dropped.

use super::document::{SchemaDocument, indent, literal, member_name, quoted};
use super::shape::{ExtraMembers, NumberRange, ObjectMember, ObjectShape, SchemaShape, ShapeKind};
use super::{UnsupportedFeature, ZodCheck, discriminator};
use sayso_core::model::validation_rules::LengthUnit;
use serde_json::Value;
use std::collections::HashSet;
use std::fmt::Write as _;

/// Rules that JSON Schema leaves open.
#[derive(Debug, Clone, Copy)]
pub(super) struct ZodRules {
    /// Unit of lengths.
    pub(super) length_unit: LengthUnit,
    /// Unknown members are removed, as by the `z.object` of the spec, instead of being kept.
    pub(super) strips_unknown: bool,
}

/// Writes the schemas of a document: its definitions, then the whole. Each is exported under its name with the suffix
/// `Schema`.
pub(super) fn write(
    document: &SchemaDocument,
    checks: &[ZodCheck],
    rules: ZodRules,
    made_by: &str,
) -> Result<String, UnsupportedFeature> {
    let mut text = format!("// {made_by}\n\nimport * as z from \"zod\";\n");
    let mut source = ZodWriter { document, rules, defined_names: HashSet::new() };
    // The checks of the whole have no definition.
    let whole = (document.name.as_str(), "", &document.root);
    let definitions = document.definitions.iter().map(|(name, shape)| (name.as_str(), name.as_str(), shape));
    for (name, definition, shape) in definitions.chain([whole]) {
        let kind = source.kind(&shape.kind, ExprPosition::Top, 0)?;
        let _ = write!(text, "\nexport const {} = {kind}", schema_name(name));
        for check in checks {
            if check.definition == definition {
                text.push_str(&refinement(check));
            }
        }
        let _ = writeln!(text, "{};", description_call(shape));
        if is_input(name) {
            let _ = writeln!(text, "/** @typedef {{import(\"zod\").infer<typeof {name}>}} {name} */");
        }
        source.defined_names.insert(name);
    }
    for check in checks {
        if !check.definition.is_empty() && !source.defined_names.contains(check.definition) {
            return Err(UnsupportedFeature::at(check.definition, "a check of no definition"));
        }
    }
    Ok(text.trim_end().to_owned())
}

/// Returns the export name of a definition's schema.
pub(super) fn schema_name(name: &str) -> String {
    if name.ends_with("Schema") || is_input(name) { name.to_owned() } else { format!("{name}Schema") }
}

/// Returns whether a definition is the spec's type of a question, which is exported under its own name.
fn is_input(name: &str) -> bool {
    name == "QuestionInput"
}

fn refinement(check: &ZodCheck) -> String {
    let mut text = ".superRefine((value, ctx) => {\n".to_owned();
    for line in check.zod.trim_matches('\n').lines() {
        let _ = writeln!(text, "  {line}");
    }
    text.push_str("})");
    text
}

fn description_call(shape: &SchemaShape) -> String {
    match &shape.note.description {
        Some(text) => format!(".describe({})", quoted(text)),
        None => String::new(),
    }
}

/// Position of an expression in the module.
#[derive(Clone, Copy, PartialEq)]
enum ExprPosition {
    /// Evaluated immediately, so it may only refer to earlier definitions.
    Top,
    /// In a getter, which is called after the module has loaded.
    Getter,
}

struct ZodWriter<'d> {
    document: &'d SchemaDocument,
    rules: ZodRules,
    /// Definitions written so far.
    defined_names: HashSet<&'d str>,
}

impl ZodWriter<'_> {
    fn shape(
        &self,
        shape: &SchemaShape,
        place: ExprPosition,
        level: usize,
    ) -> Result<String, UnsupportedFeature> {
        Ok(format!("{}{}", self.kind(&shape.kind, place, level)?, description_call(shape)))
    }

    fn kind(
        &self,
        kind: &ShapeKind,
        place: ExprPosition,
        level: usize,
    ) -> Result<String, UnsupportedFeature> {
        Ok(match kind {
            ShapeKind::Anything => "z.unknown()".to_owned(),
            ShapeKind::Null => "z.null()".to_owned(),
            ShapeKind::Boolean => "z.boolean()".to_owned(),
            ShapeKind::Number(range) => number(range),
            ShapeKind::Text { min, max, pattern, missing } => {
                self.text((*min, missing.as_deref()), *max, pattern.as_deref())
            }
            ShapeKind::List { items, min, max } => {
                let bounds = [bound("min", min.as_ref()), bound("max", max.as_ref())].concat();
                format!("z.array({}){bounds}", self.shape(items, place, level)?)
            }
            ShapeKind::Object(object) => self.object(object, place, level)?,
            ShapeKind::Literals(values) => literals(values)?,
            ShapeKind::Reference(name)
                if place == ExprPosition::Getter || self.defined_names.contains(name.as_str()) =>
            {
                schema_name(name)
            }
            ShapeKind::Reference(name) => format!("z.lazy(() => {})", schema_name(name)),
            ShapeKind::Either(shapes) => self.union(shapes, place, level)?,
            ShapeKind::All(shapes) => {
                let Some((first, others)) = shapes.split_first() else {
                    return Ok("z.unknown()".to_owned());
                };
                let mut text = self.shape(first, place, level)?;
                for shape in others {
                    text = format!("z.intersection({text}, {})", self.shape(shape, place, level)?);
                }
                text
            }
        })
    }

    /// Formats a text. Versions of Zod 4 differ in counting UTF-16 code units or code points, so generated code counts
    /// lengths itself.
    fn text(
        &self,
        (min, missing): (Option<u64>, Option<&str>),
        max: Option<u64>,
        pattern: Option<&str>,
    ) -> String {
        let length = match self.rules.length_unit {
            LengthUnit::Utf16 => "text.length",
            LengthUnit::Scalar => "[...text].length",
        };
        let mut text = "z.string()".to_owned();
        match (min, missing) {
            (None, _) => {}
            // A non-empty text is non-empty in every unit.
            (Some(bound @ (0 | 1)), Some(words)) => {
                let _ = write!(text, ".min({bound}, {{ error: {} }})", quoted(words));
            }
            (Some(bound @ (0 | 1)), None) => _ = write!(text, ".min({bound})"),
            (Some(bound), _) => {
                let error = quoted(&format!("Too small: expected string to have >={bound} characters"));
                let _ = write!(text, ".refine((text) => {length} >= {bound}, {{ error: {error} }})");
            }
        }
        if let Some(pattern) = pattern {
            let _ = write!(text, ".regex({})", regex(pattern));
        }
        if let Some(bound) = max {
            let error = quoted(&format!("Too big: expected string to have <={bound} characters"));
            let _ = write!(text, ".refine((text) => {length} <= {bound}, {{ error: {error} }})");
        }
        text
    }

    fn object(
        &self,
        object: &ObjectShape,
        place: ExprPosition,
        level: usize,
    ) -> Result<String, UnsupportedFeature> {
        match (&object.rest, object.members.is_empty()) {
            (ExtraMembers::Named(name, shape), _) => {
                let shape = self.shape(shape, place, level)?;
                Ok(format!("z.record(z.string().regex({}), {shape})", regex(name)))
            }
            (ExtraMembers::Each(shape), true) => {
                Ok(format!("z.record(z.string(), {})", self.shape(shape, place, level)?))
            }
            (ExtraMembers::Anything, false) if self.rules.strips_unknown => {
                Ok(format!("z.object({})", self.members(object, place, level)?))
            }
            (ExtraMembers::Anything, _) => {
                Ok(format!("z.looseObject({})", self.members(object, place, level)?))
            }
            (ExtraMembers::Nothing, _) => {
                Ok(format!("z.strictObject({})", self.members(object, place, level)?))
            }
            (ExtraMembers::Each(shape), false) => {
                let members = self.members(object, place, level)?;
                Ok(format!("z.object({members}).catchall({})", self.shape(shape, place, level)?))
            }
        }
    }

    fn members(
        &self,
        object: &ObjectShape,
        place: ExprPosition,
        level: usize,
    ) -> Result<String, UnsupportedFeature> {
        let mut text = "{".to_owned();
        for member in &object.members {
            let _ =
                write!(text, "\n{}{},", indent(level + 1), self.member(member, object, place, level + 1)?);
        }
        if !object.members.is_empty() {
            let _ = write!(text, "\n{}", indent(level));
        }
        text.push('}');
        Ok(text)
    }

    fn member(
        &self,
        member: &ObjectMember,
        object: &ObjectShape,
        place: ExprPosition,
        level: usize,
    ) -> Result<String, UnsupportedFeature> {
        let name = member_name(&member.name);
        let optional = if member.required { "" } else { ".optional()" };
        let needs_later = member.shape.references().iter().any(|name| !self.defined_names.contains(name));
        // `catchall` copies an object, which calls the getters of its members.
        let is_copied = matches!(object.rest, ExtraMembers::Each(_));
        if place == ExprPosition::Top && needs_later && !is_copied {
            let value = self.shape(&member.shape, ExprPosition::Getter, level)?;
            return Ok(format!("get {name}() {{ return {value}{optional}; }}"));
        }
        Ok(format!("{name}: {}{optional}", self.shape(&member.shape, place, level)?))
    }

    /// Formats a union. Zod 4.0 has no exclusive union; those of the dialects differ in their required members.
    fn union(
        &self,
        shapes: &[SchemaShape],
        place: ExprPosition,
        level: usize,
    ) -> Result<String, UnsupportedFeature> {
        let constants: Option<Vec<_>> = shapes.iter().map(constant).collect();
        if let Some(constants) = constants {
            let mut text = "z.enum([".to_owned();
            for (word, comment) in constants {
                let _ = write!(text, "\n{}{word},{comment}", indent(level + 1));
            }
            let _ = write!(text, "\n{}])", indent(level));
            return Ok(text);
        }
        let function = match discriminator::discriminator(self.document, shapes) {
            Some(name) => format!("z.discriminatedUnion({}, ", quoted(name)),
            None => "z.union(".to_owned(),
        };
        let mut text = format!("{function}[");
        for shape in shapes {
            let _ = write!(text, "\n{}{},", indent(level + 1), self.shape(shape, place, level + 1)?);
        }
        let _ = write!(text, "\n{}])", indent(level));
        Ok(text)
    }
}

/// Returns a shape that is a single constant, with its description as a comment.
fn constant(shape: &SchemaShape) -> Option<(String, String)> {
    let ShapeKind::Literals(values) = &shape.kind else { return None };
    let [Value::String(word)] = values.as_slice() else { return None };
    let comment = match &shape.note.description {
        Some(text) => format!(" // {}", text.replace('\n', " ")),
        None => String::new(),
    };
    Some((quoted(word), comment))
}

fn literals(values: &[Value]) -> Result<String, UnsupportedFeature> {
    let literals = values.iter().map(literal).collect::<Result<Vec<_>, _>>()?.join(", ");
    Ok(match values {
        [_] => format!("z.literal({literals})"),
        _ if values.iter().all(Value::is_string) => format!("z.enum([{literals}])"),
        _ => format!("z.literal([{literals}])"),
    })
}

fn number(range: &NumberRange) -> String {
    let function = if range.whole { "z.int()" } else { "z.number()" };
    let bounds = [
        bound("min", range.min.as_ref()),
        bound("gt", range.above.as_ref()),
        bound("max", range.max.as_ref()),
    ];
    format!("{function}{}", bounds.concat())
}

fn bound(name: &str, value: Option<&impl ToString>) -> String {
    match value {
        Some(value) => format!(".{name}({})", value.to_string()),
        None => String::new(),
    }
}

/// Formats a pattern with JSON Schema's semantics: Unicode, and unanchored.
fn regex(pattern: &str) -> String {
    format!("new RegExp({}, \"u\")", quoted(pattern))
}
