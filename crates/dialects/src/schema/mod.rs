//! What a dialect publishes of itself, from one source: JSON Schema, and what is made from that.
//!
//! A dialect gives its [`Published`]. `read` turns the JSON Schema in it into a `shape`, and knows no keyword but those
//! the dialects use; `typescript` and `zod` write that shape as source, `openapi` rewrites the JSON Schema itself for documents of that kind, and
//! `pretty` prints it in an order that people read.

mod discriminator;
mod document;
mod form;
pub(crate) mod openapi;
mod pretty;
mod read;
mod shape;
#[cfg(test)]
mod tests;
mod typescript;
mod zod;

pub use form::{Form, Part};

use crate::{Dialect, Limits, ask_user_question, auq, interaction, interrupt, questionnaire, sayso};
use sayso_core::rules::LengthUnit;
use serde_json::{Value, json};
use std::fmt;

/// What a dialect publishes of itself.
pub(crate) struct Published {
    /// A request, as JSON Schema 2020-12. Its parts stand under `$defs` with the names of the spec, and every member
    /// has a description for a model to read.
    pub(crate) request: Value,
    /// What an asker gets, likewise.
    pub(crate) outcome: Value,
    /// The request as a tool that a model calls.
    pub(crate) tool: Tool,
    /// What JSON Schema cannot say of a request and the reader checks all the same.
    pub(crate) checks: Vec<Check>,
    /// The unit in which lengths are counted. JSON Schema counts Unicode scalar values, whatever the dialect.
    pub(crate) length_unit: LengthUnit,
    /// The interface over HTTP as an OpenAPI document, where the dialect's spec has one.
    pub(crate) openapi: Option<OpenApi>,
}

/// Writes what is published as an OpenAPI document.
pub(crate) type OpenApi = fn(&Published) -> Result<Value, Unsupported>;

/// A tool that a model calls.
pub(crate) struct Tool {
    /// Its name.
    pub(crate) name: &'static str,
    /// When to call it, for a model to read.
    pub(crate) description: &'static str,
}

/// A check across members, as Zod source.
pub(crate) struct Check {
    /// The definition it belongs to, by its name under `$defs`; empty for the whole request.
    pub(crate) of: &'static str,
    /// The body of Zod's `superRefine((value, ctx) => { … })` there.
    pub(crate) zod: &'static str,
}

/// Something in a schema that a form has no words for: where, and what.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Unsupported(String);

impl Unsupported {
    pub(crate) fn at(place: &str, what: impl fmt::Display) -> Self {
        Self(format!("{}: {what}", if place.is_empty() { "the schema" } else { place }))
    }
}

/// What a dialect publishes under these limits.
fn published(dialect: Dialect, limits: &Limits) -> Published {
    match dialect {
        Dialect::Sayso => sayso::published(),
        Dialect::Questionnaire => questionnaire::published(),
        Dialect::AskUserQuestion => ask_user_question::published(&limits.ask_user_question),
        Dialect::Auq => auq::published(&limits.auq),
        Dialect::Interaction => interaction::published(),
        Dialect::Interrupt => interrupt::published(),
    }
}

/// A part of a dialect in a form; nothing where the dialect does not have it.
pub(crate) fn text(dialect: Dialect, part: Part, form: Form, limits: &Limits) -> Option<String> {
    // A test asks for all there is, so that no dialect uses what a form has no words for.
    write(dialect, &published(dialect, limits), part, form)?.ok()
}

/// Nothing where the dialect does not have such a form.
fn write(
    dialect: Dialect,
    published: &Published,
    part: Part,
    form: Form,
) -> Option<Result<String, Unsupported>> {
    let (schema, checks) = match part {
        Part::Request => (&published.request, published.checks.as_slice()),
        Part::Outcome => (&published.outcome, [].as_slice()),
    };
    let made_by = made_by(dialect, part, form);
    let document = || read::read(schema, part.usual_name());
    Some(match (form, part) {
        (Form::JsonSchema, _) => Ok(pretty::write(&with_dialect(schema))),
        (Form::TypeScript, _) => document().and_then(|document| typescript::write(&document, &made_by)),
        (Form::Zod, _) => {
            document().and_then(|document| zod::write(&document, checks, published.length_unit, &made_by))
        }
        (Form::Tool, Part::Request) => Ok(tool(published)),
        (Form::OpenApi, Part::Request) => {
            (published.openapi?)(published).map(|document| pretty::write(&document))
        }
        (Form::Tool | Form::OpenApi, Part::Outcome) => return None,
    })
}

/// How to make a file again, for its first line.
fn made_by(dialect: Dialect, part: Part, form: Form) -> String {
    format!("Made by `sayso schema {}`: do not edit.", arguments(dialect, part, form))
}

/// The arguments with which `sayso schema` prints a part of a dialect in a form.
pub(crate) fn arguments(dialect: Dialect, part: Part, form: Form) -> String {
    let outcome = if part == Part::Outcome { " --outcome" } else { "" };
    format!("{} --as {}{outcome}", dialect.name(), form.name())
}

/// A schema that says which JSON Schema it is written in.
fn with_dialect(schema: &Value) -> Value {
    let mut schema = schema.clone();
    if let Value::Object(keywords) = &mut schema {
        keywords.insert("$schema".to_owned(), json!("https://json-schema.org/draft/2020-12/schema"));
    }
    schema
}

fn tool(published: &Published) -> String {
    let mut schema = published.request.clone();
    if let Value::Object(keywords) = &mut schema {
        keywords.remove("$schema");
    }
    let Tool { name, description } = published.tool;
    pretty::write(&json!({ "name": name, "description": description, "input_schema": schema }))
}
