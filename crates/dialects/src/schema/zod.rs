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
    let mut source = ZodWriter { document, rules, written: HashSet::new() };
    let definitions = document.definitions.iter().map(|(name, shape)| (name.as_str(), name.as_str(), shape));
    for (name, of, shape) in definitions.chain([(document.name.as_str(), "", &document.root)]) {
        let checks: String = checks.iter().filter(|check| check.definition == of).map(refinement).collect();
        let kind = source.kind(&shape.kind, ExprPosition::Top, 0)?;
        let described = description_call(shape);
        let _ = write!(text, "\nexport const {} = {kind}{checks}{described};\n", schema_name(name));
        if is_input(name) {
            let _ = writeln!(text, "/** @typedef {{import(\"zod\").infer<typeof {name}>}} {name} */");
        }
        source.written.insert(name);
    }
    let known = |check: &&ZodCheck| check.definition.is_empty() || source.written.contains(check.definition);
    match checks.iter().find(|check| !known(check)) {
        Some(check) => Err(UnsupportedFeature::at(check.definition, "a check of no definition")),
        None => Ok(text.trim_end().to_owned()),
    }
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
    let lines: Vec<_> = check.zod.trim_matches('\n').lines().map(|line| format!("  {line}")).collect();
    format!(".superRefine((value, ctx) => {{\n{}\n}})", lines.join("\n"))
}

fn description_call(shape: &SchemaShape) -> String {
    let text = shape.note.description.as_ref();
    text.map(|text| format!(".describe({})", quoted(text))).unwrap_or_default()
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
    written: HashSet<&'d str>,
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
                if place == ExprPosition::Getter || self.written.contains(name.as_str()) =>
            {
                schema_name(name)
            }
            ShapeKind::Reference(name) => format!("z.lazy(() => {})", schema_name(name)),
            ShapeKind::Either(shapes) => self.union(shapes, place, level)?,
            ShapeKind::All(shapes) => {
                let mut shapes = shapes.iter().map(|shape| self.shape(shape, place, level));
                let first = shapes.next().unwrap_or_else(|| Ok("z.unknown()".to_owned()))?;
                shapes.try_fold(first, |all, next| Ok(format!("z.intersection({all}, {})", next?)))?
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
        let counted = |sign: &str, bound: u64, word: &str| {
            let sentence = format!("Too {word}: expected string to have {sign}{bound} characters");
            format!(".refine((text) => {length} {sign} {bound}, {{ error: {} }})", quoted(&sentence))
        };
        let min = match min {
            // A non-empty text is non-empty in every unit.
            Some(bound) if bound <= 1 => match missing {
                Some(words) => format!(".min({bound}, {{ error: {} }})", quoted(words)),
                None => format!(".min({bound})"),
            },
            Some(bound) => counted(">=", bound, "small"),
            None => String::new(),
        };
        let max = max.map(|bound| counted("<=", bound, "big")).unwrap_or_default();
        let pattern = pattern.map(|pattern| format!(".regex({})", regex(pattern))).unwrap_or_default();
        format!("z.string(){min}{pattern}{max}")
    }

    fn object(
        &self,
        object: &ObjectShape,
        place: ExprPosition,
        level: usize,
    ) -> Result<String, UnsupportedFeature> {
        let each = |shape: &SchemaShape| self.shape(shape, place, level);
        match (&object.rest, object.members.is_empty()) {
            (ExtraMembers::Named(name, shape), _) => {
                Ok(format!("z.record(z.string().regex({}), {})", regex(name), each(shape)?))
            }
            (ExtraMembers::Each(shape), true) => Ok(format!("z.record(z.string(), {})", each(shape)?)),
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
                Ok(format!("z.object({members}).catchall({})", each(shape)?))
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
        let later = member.shape.references().iter().any(|name| !self.written.contains(name));
        // `catchall` copies an object, which calls the getters of its members.
        let copied = matches!(object.rest, ExtraMembers::Each(_));
        if place == ExprPosition::Top && later && !copied {
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
        let words: Option<Vec<_>> = shapes.iter().map(constant).collect();
        if let Some(words) = words {
            let words =
                words.iter().map(|(word, content)| format!("\n{}{word},{content}", indent(level + 1)));
            return Ok(format!("z.enum([{}\n{}])", words.collect::<String>(), indent(level)));
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
    let text = shape.note.description.as_ref().map(|text| format!(" // {}", text.replace('\n', " ")));
    Some((quoted(word), text.unwrap_or_default()))
}

fn literals(values: &[Value]) -> Result<String, UnsupportedFeature> {
    let written = values.iter().map(literal).collect::<Result<Vec<_>, _>>()?;
    Ok(match values {
        [_] => format!("z.literal({})", written.concat()),
        _ if values.iter().all(Value::is_string) => format!("z.enum([{}])", written.join(", ")),
        _ => format!("z.literal([{}])", written.join(", ")),
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
    value.map(|value| format!(".{name}({})", value.to_string())).unwrap_or_default()
}

/// Formats a pattern with JSON Schema's semantics: Unicode, and unanchored.
fn regex(pattern: &str) -> String {
    format!("new RegExp({}, \"u\")", quoted(pattern))
}
