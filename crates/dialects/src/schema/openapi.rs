//! Schemas of a dialect as components of an OpenAPI 3.0.3 document, which has its own variant of an older JSON Schema.

use super::UnsupportedFeature;
use super::reader::FORMATS;
use serde_json::{Map, Value, json};

/// Location of definitions in JSON Schema.
const DEFINITIONS: &str = "#/$defs/";
/// Location of definitions in OpenAPI.
pub(crate) const COMPONENTS: &str = "#/components/schemas/";

/// Adds a schema with its definitions, and returns its location. A definition with the same name is taken for the
/// whole.
///
/// # Errors
/// Returns the feature that OpenAPI lacks.
pub(crate) fn add(
    schemas: &mut Map<String, Value>,
    schema: &Value,
    name: &str,
) -> Result<String, UnsupportedFeature> {
    let definitions = schema.get("$defs").and_then(Value::as_object).cloned().unwrap_or_default();
    if !definitions.contains_key(name) {
        let mut root = schema.clone();
        if let Value::Object(keywords) = &mut root {
            for keyword in ["$schema", "$defs", "title"] {
                keywords.remove(keyword);
            }
        }
        put(schemas, name, &rewrite(&root, &definitions, name)?)?;
    }
    for (name, definition) in &definitions {
        put(schemas, name, &rewrite(definition, &definitions, name)?)?;
    }
    Ok(format!("{COMPONENTS}{name}"))
}

/// Adds a schema under this name.
///
/// # Errors
/// Returns an error if another schema has that name.
pub(crate) fn put(
    schemas: &mut Map<String, Value>,
    name: &str,
    schema: &Value,
) -> Result<(), UnsupportedFeature> {
    match schemas.get(name) {
        None => {
            schemas.insert(name.to_owned(), schema.clone());
            Ok(())
        }
        Some(earlier) if earlier == schema => Ok(()),
        Some(_) => Err(UnsupportedFeature::at(name, "request and outcome mean different things")),
    }
}

fn rewrite(
    schema: &Value,
    definitions: &Map<String, Value>,
    place: &str,
) -> Result<Value, UnsupportedFeature> {
    let Value::Object(keywords) = schema else { return Ok(schema.clone()) };
    let mut new = Map::new();
    for (name, value) in keywords {
        let value = match (name.as_str(), value) {
            ("properties", Value::Object(members)) => {
                let mut new_members = Map::new();
                for (name, schema) in members {
                    new_members.insert(name.clone(), rewrite(schema, definitions, place)?);
                }
                Value::Object(new_members)
            }
            ("items" | "additionalProperties", schema) => rewrite(schema, definitions, place)?,
            ("oneOf" | "anyOf", Value::Array(schemas)) => {
                if let Some(discriminator) = discriminator(schemas, definitions) {
                    new.insert("discriminator".to_owned(), discriminator);
                }
                let schemas = schemas.iter().map(|schema| rewrite(schema, definitions, place));
                Value::Array(schemas.collect::<Result<_, _>>()?)
            }
            ("$ref" | "const" | "examples" | "exclusiveMinimum", value) => {
                add_older_keywords(&mut new, name, value);
                continue;
            }
            ("format", Value::String(name)) if FORMATS.contains(&name.as_str()) => value.clone(),
            (
                "type" | "required" | "enum" | "minItems" | "maxItems" | "minLength" | "maxLength"
                | "minimum" | "maximum" | "pattern" | "default" | "description" | "title",
                value,
            ) if !value.is_array() || name != "type" => value.clone(),
            (name, _) => {
                return Err(UnsupportedFeature::at(place, format_args!("the keyword {name} in OpenAPI")));
            }
        };
        new.insert(name.clone(), value);
    }
    // OpenAPI allows no members next to a reference, so it gets a list of its own.
    match new.remove("$ref") {
        Some(reference) if new.is_empty() => Ok(json!({ "$ref": reference })),
        Some(reference) => {
            new.insert("allOf".to_owned(), json!([{ "$ref": reference }]));
            Ok(Value::Object(new))
        }
        None => Ok(Value::Object(new)),
    }
}

/// Adds the equivalent in 3.0.3 of a newer keyword.
fn add_older_keywords(keywords: &mut Map<String, Value>, name: &str, value: &Value) {
    match (name, value) {
        ("const", value) => {
            keywords.insert("enum".to_owned(), json!([value]));
        }
        ("exclusiveMinimum", least) => {
            keywords.insert("minimum".to_owned(), least.clone());
            keywords.insert("exclusiveMinimum".to_owned(), Value::Bool(true));
        }
        ("examples", examples) => {
            if let Some(first) = examples.get(0) {
                keywords.insert("example".to_owned(), first.clone());
            }
        }
        (_, Value::String(reference)) => {
            keywords.insert("$ref".to_owned(), reference.replacen(DEFINITIONS, COMPONENTS, 1).into());
        }
        _ => {}
    }
}

/// Returns the discriminator of referenced schemas: a member with a different constant in each.
fn discriminator(schemas: &[Value], definitions: &Map<String, Value>) -> Option<Value> {
    let mut targets = Vec::with_capacity(schemas.len());
    for schema in schemas {
        let name = schema.get("$ref")?.as_str()?.strip_prefix(DEFINITIONS)?;
        targets.push((format!("{COMPONENTS}{name}"), definitions.get(name)?));
    }
    let (_, first) = targets.first()?;
    for member in first.get("properties")?.as_object()?.keys() {
        let mut mapping = Map::new();
        for (place, schema) in &targets {
            if let Some(word) = constant(schema, member) {
                mapping.insert(word.to_owned(), Value::from(place.as_str()));
            }
        }
        if mapping.len() == targets.len() {
            return Some(json!({ "propertyName": member, "mapping": mapping }));
        }
    }
    None
}

/// Returns the text that a schema requires of a member.
fn constant<'s>(schema: &'s Value, member: &str) -> Option<&'s str> {
    schema.get("properties")?.get(member)?.get("const")?.as_str()
}
