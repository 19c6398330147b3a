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
            ["$schema", "$defs", "title"].iter().for_each(|keyword| drop(keywords.remove(*keyword)));
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
    let there = schemas.entry(name).or_insert_with(|| schema.clone());
    if there == schema {
        return Ok(());
    }
    Err(UnsupportedFeature::at(name, "request and outcome mean different things"))
}

fn rewrite(
    schema: &Value,
    definitions: &Map<String, Value>,
    place: &str,
) -> Result<Value, UnsupportedFeature> {
    let inner = |schema: &Value| rewrite(schema, definitions, place);
    let Value::Object(keywords) = schema else { return Ok(schema.clone()) };
    let mut new = Map::new();
    for (name, value) in keywords {
        let value = match (name.as_str(), value) {
            ("properties", Value::Object(members)) => {
                let members = members.iter().map(|(name, schema)| Ok((name.clone(), inner(schema)?)));
                Value::Object(members.collect::<Result<_, _>>()?)
            }
            ("items" | "additionalProperties", schema) => inner(schema)?,
            ("oneOf" | "anyOf", Value::Array(schemas)) => {
                new.extend(
                    discriminator(schemas, definitions).map(|found| ("discriminator".to_owned(), found)),
                );
                Value::Array(schemas.iter().map(inner).collect::<Result<_, _>>()?)
            }
            ("$ref" | "const" | "examples" | "exclusiveMinimum", value) => {
                new.extend(older_keywords(name, value));
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

/// Returns the equivalent in 3.0.3 of a newer keyword.
fn older_keywords(name: &str, value: &Value) -> Vec<(String, Value)> {
    let pair = |name: &str, value: Value| (name.to_owned(), value);
    match (name, value) {
        ("const", value) => vec![pair("enum", json!([value]))],
        ("exclusiveMinimum", least) => {
            vec![pair("minimum", least.clone()), pair("exclusiveMinimum", Value::Bool(true))]
        }
        ("examples", examples) => {
            examples.get(0).map(|first| pair("example", first.clone())).into_iter().collect()
        }
        (_, Value::String(reference)) => {
            vec![pair("$ref", reference.replacen(DEFINITIONS, COMPONENTS, 1).into())]
        }
        _ => Vec::new(),
    }
}

/// Returns the discriminator of referenced schemas: a member with a different constant in each.
fn discriminator(schemas: &[Value], definitions: &Map<String, Value>) -> Option<Value> {
    let target = |schema: &Value| -> Option<(String, &Value)> {
        let name = schema.get("$ref")?.as_str()?.strip_prefix(DEFINITIONS)?;
        Some((format!("{COMPONENTS}{name}"), definitions.get(name)?))
    };
    let targets: Vec<_> = schemas.iter().map(target).collect::<Option<_>>()?;
    let (_, first) = targets.first()?;
    let word = |schema: &Value, member: &str| {
        Some(schema.get("properties")?.get(member)?.get("const")?.as_str()?.to_owned())
    };
    first.get("properties")?.as_object()?.keys().find_map(|member| {
        let pairs =
            targets.iter().map(|(place, schema)| Some((word(schema, member)?, Value::from(place.as_str()))));
        let mapping: Map<String, Value> = pairs.collect::<Option<_>>()?;
        (mapping.len() == targets.len()).then(|| json!({ "propertyName": member, "mapping": mapping }))
    })
}
