//! Published schemas of a dialect, from one source: JSON Schema, and the formats generated from it.
//!
//! A dialect provides its [`PublishedSchemas`]. `reader` parses the JSON Schema into a `shape`, and accepts only
//! keywords that the dialects use. `typescript` and `zod` write that shape as source, `openapi` rewrites the JSON
//! Schema for OpenAPI documents. `pretty_printer` prints it in a readable order.

pub(crate) mod committed;
mod discriminator;
mod document;
pub(crate) mod formats;
pub(crate) mod openapi;
mod pretty_printer;
mod reader;
mod shape;
#[cfg(test)]
mod tests;
mod typescript;
mod zod;

use formats::{SchemaFormat, SchemaPart};

use crate::format::WireFormat;
use sayso_core::model::validation_rules::LengthUnit;
use serde_json::{Value, json};
use std::fmt;

/// Published schemas of a dialect.
pub(crate) struct PublishedSchemas {
    /// The request, as JSON Schema 2020-12. Its parts are under `$defs` with the names of the spec, and every member
    /// has a description for a model.
    pub(crate) request: Value,
    /// Schema of the outcome.
    pub(crate) outcome: Value,
    /// The request as a tool that a model calls.
    pub(crate) tool: ToolDefinition,
    /// Checks of the reader that JSON Schema cannot express.
    pub(crate) checks: Vec<ZodCheck>,
    /// Unit of lengths. JSON Schema counts Unicode scalar values in every dialect.
    pub(crate) length_unit: LengthUnit,
    /// The spec defines its objects as Zod's `z.object`, which removes unknown members.
    pub(crate) strips_unknown: bool,
    /// The HTTP interface as an OpenAPI document, if the dialect's spec has one.
    pub(crate) openapi: Option<OpenApiWriter>,
}

impl PublishedSchemas {
    fn zod_rules(&self) -> zod::ZodRules {
        zod::ZodRules { length_unit: self.length_unit, strips_unknown: self.strips_unknown }
    }
}

/// Writer of the OpenAPI document.
pub(crate) type OpenApiWriter = fn(&PublishedSchemas) -> Result<Value, UnsupportedFeature>;

/// A tool that a model calls.
pub(crate) struct ToolDefinition {
    /// Its name.
    pub(crate) name: &'static str,
    /// Situations in which to call it, described for a model.
    pub(crate) description: &'static str,
}

/// A check across members, as Zod source.
pub(crate) struct ZodCheck {
    /// The definition it belongs to, by its name under `$defs`; empty for the whole request.
    pub(crate) definition: &'static str,
    /// The body of Zod's `superRefine((value, ctx) => { … })` there.
    pub(crate) zod: &'static str,
}

/// An unsupported feature of a schema, with its place.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct UnsupportedFeature(String);

impl UnsupportedFeature {
    pub(crate) fn at(place: &str, what: impl fmt::Display) -> Self {
        Self(format!("{}: {what}", if place.is_empty() { "the schema" } else { place }))
    }
}

/// Returns the schema of a part in a format; `None` if the dialect lacks it. It is written only for limits that an
/// operator has set: otherwise it is the committed one, so that the writers of most dialects are not in the program.
pub(crate) fn text(
    format: &dyn WireFormat,
    name: &str,
    part: SchemaPart,
    form: SchemaFormat,
) -> Option<String> {
    match format.committed() {
        Some(files) => committed::text(files, part, form).map(str::to_owned),
        // A test generates all formats, so that no dialect uses an unsupported feature.
        None => generate(format, name, part, form),
    }
}

/// Generates the schema of a part in a format.
pub(crate) fn generate(
    format: &dyn WireFormat,
    name: &str,
    part: SchemaPart,
    form: SchemaFormat,
) -> Option<String> {
    write(name, &format.published(), part, form)?.ok()
}

/// Writes a schema; `None` if the dialect lacks the format.
fn write(
    name: &str,
    published: &PublishedSchemas,
    part: SchemaPart,
    form: SchemaFormat,
) -> Option<Result<String, UnsupportedFeature>> {
    let (schema, checks) = match part {
        SchemaPart::Request => (&published.request, published.checks.as_slice()),
        SchemaPart::Outcome => (&published.outcome, [].as_slice()),
    };
    let made_by = generated_by(name, part, form);
    let document = || reader::read(schema, part.default_name());
    Some(match (form, part) {
        (SchemaFormat::JsonSchema, _) => Ok(pretty_printer::write(&with_schema_version(schema))),
        (SchemaFormat::TypeScript, _) => {
            document().and_then(|document| typescript::write(&document, &made_by))
        }
        (SchemaFormat::Zod, _) => {
            document().and_then(|document| zod::write(&document, checks, published.zod_rules(), &made_by))
        }
        (SchemaFormat::Tool, SchemaPart::Request) => Ok(tool_definition(published)),
        (SchemaFormat::OpenApi, SchemaPart::Request) => {
            (published.openapi?)(published).map(|document| pretty_printer::write(&document))
        }
        (SchemaFormat::Tool | SchemaFormat::OpenApi, SchemaPart::Outcome) => return None,
    })
}

/// Returns the first line of a generated file, which names the command that regenerates it.
fn generated_by(name: &str, part: SchemaPart, form: SchemaFormat) -> String {
    format!("Made by `sayso schema {}`: do not edit.", arguments(name, part, form))
}

/// Returns the arguments of `sayso schema` that print a part in a format.
pub(crate) fn arguments(name: &str, part: SchemaPart, form: SchemaFormat) -> String {
    let outcome = if part == SchemaPart::Outcome { " --outcome" } else { "" };
    format!("{name} --as {}{outcome}", form.name())
}

/// Adds the version of JSON Schema to a schema.
fn with_schema_version(schema: &Value) -> Value {
    let mut schema = schema.clone();
    if let Value::Object(keywords) = &mut schema {
        keywords.insert("$schema".to_owned(), json!("https://json-schema.org/draft/2020-12/schema"));
    }
    schema
}

fn tool_definition(published: &PublishedSchemas) -> String {
    let mut schema = published.request.clone();
    if let Value::Object(keywords) = &mut schema {
        keywords.remove("$schema");
    }
    let ToolDefinition { name, description } = published.tool;
    pretty_printer::write(&json!({ "name": name, "description": description, "input_schema": schema }))
}
