//! Parser of JSON Schema to a [`SchemaShape`]. An unknown keyword is an error, so that generated source never omits one.

use super::UnsupportedFeature;
use super::document::SchemaDocument;
use super::shape::{
    ExtraMembers, NumberRange, ObjectMember, ObjectShape, SchemaNote, SchemaShape, ShapeKind,
};
use serde_json::{Map, Number, Value};

/// Known formats of texts. Generated JavaScript does not check them.
pub(super) const FORMATS: [&str; 1] = ["date-time"];

/// Parses a schema. Its name is its title, else `usual_name`.
pub(super) fn read(schema: &Value, usual_name: &str) -> Result<SchemaDocument, UnsupportedFeature> {
    let mut root = schema.clone();
    let mut definitions = Value::Null;
    if let Value::Object(keywords) = &mut root {
        keywords.remove("$schema");
        definitions = keywords.remove("$defs").unwrap_or_default();
    }
    let mut shapes = Vec::new();
    for (name, definition) in definitions.as_object().into_iter().flatten() {
        shapes.push((name.clone(), parse_shape(definition, &format!("$defs/{name}"))?));
    }
    let name = match root.get("title").and_then(Value::as_str) {
        Some(title) => pascal_case(title),
        None => usual_name.to_owned(),
    };
    SchemaDocument::new(name, parse_shape(&root, "")?, shapes)
}

/// Converts a title to a name: `Ask questions` becomes `AskQuestions`.
fn pascal_case(title: &str) -> String {
    let mut name = String::with_capacity(title.len());
    let mut begins_word = true;
    for character in title.chars() {
        if character.is_ascii_alphanumeric() {
            name.push(if begins_word { character.to_ascii_uppercase() } else { character });
        }
        begins_word = !character.is_ascii_alphanumeric();
    }
    name
}

/// Keywords of one schema that are not parsed yet.
struct KeywordReader<'s> {
    unread: Map<String, Value>,
    place: &'s str,
}

fn parse_shape(schema: &Value, place: &str) -> Result<SchemaShape, UnsupportedFeature> {
    let unread = match schema {
        Value::Bool(true) => Map::new(),
        Value::Object(keywords) => keywords.clone(),
        _ => return Err(UnsupportedFeature::at(place, format_args!("{schema} as a schema"))),
    };
    let mut keywords = KeywordReader { unread, place };
    let note = keywords.note()?;
    let mut kinds = keywords.kinds()?;
    if let Some(keyword) = keywords.unread.keys().next() {
        return Err(UnsupportedFeature::at(place, format_args!("the keyword {keyword}")));
    }
    let kind = match kinds.len() {
        0 => ShapeKind::Anything,
        1 => kinds.remove(0),
        _ => ShapeKind::All(kinds.into_iter().map(SchemaShape::from_kind).collect()),
    };
    Ok(SchemaShape { note, kind })
}

impl KeywordReader<'_> {
    fn take<T>(
        &mut self,
        name: &str,
        get: impl Fn(&Value) -> Option<T>,
    ) -> Result<Option<T>, UnsupportedFeature> {
        let Some(value) = self.unread.remove(name) else { return Ok(None) };
        match get(&value) {
            Some(content) => Ok(Some(content)),
            None => Err(UnsupportedFeature::at(self.place, format_args!("{name} as {value}"))),
        }
    }

    fn text(&mut self, name: &str) -> Result<Option<String>, UnsupportedFeature> {
        self.take(name, |value| value.as_str().map(str::to_owned))
    }

    fn count(&mut self, name: &str) -> Result<Option<u64>, UnsupportedFeature> {
        self.take(name, Value::as_u64)
    }

    fn number(&mut self, name: &str) -> Result<Option<Number>, UnsupportedFeature> {
        self.take(name, |value| value.as_number().cloned())
    }

    fn list(&mut self, name: &str) -> Result<Option<Vec<Value>>, UnsupportedFeature> {
        self.take(name, |value| value.as_array().filter(|list| !list.is_empty()).cloned())
    }

    fn note(&mut self) -> Result<SchemaNote, UnsupportedFeature> {
        // These keywords have no effect on generated source.
        for name in ["title", "writeOnly", "readOnly"] {
            self.unread.remove(name);
        }
        let description = self.text("description")?;
        let examples = self.list("examples")?.unwrap_or_default();
        Ok(SchemaNote { description, default: self.unread.remove("default"), examples })
    }

    /// Parses the constraints of the schema, all of which must hold.
    fn kinds(&mut self) -> Result<Vec<ShapeKind>, UnsupportedFeature> {
        let mut kinds = Vec::new();
        let reference =
            self.take("$ref", |value| Some(value.as_str()?.strip_prefix("#/$defs/")?.to_owned()))?;
        kinds.extend(reference.map(ShapeKind::Reference));
        let literals = match self.unread.remove("const") {
            Some(value) => Some(vec![value]),
            None => self.list("enum")?,
        };
        let kind = self.unread.remove("type");
        let of_all = kind.clone();
        match (literals, kind) {
            (Some(literals), kind) => kinds.push(self.literals(literals, kind.as_ref())?),
            (None, Some(Value::String(name))) => kinds.push(self.parse_type(&name)?),
            (None, Some(Value::Array(names))) => {
                let mut shapes = Vec::with_capacity(names.len());
                for name in names {
                    let kind = self.parse_type(name.as_str().unwrap_or_default())?;
                    shapes.push(SchemaShape::from_kind(kind));
                }
                kinds.push(ShapeKind::Either(shapes));
            }
            (None, Some(other)) => {
                return Err(UnsupportedFeature::at(self.place, format_args!("the type {other}")));
            }
            (None, None) => {}
        }
        for name in ["oneOf", "anyOf"] {
            kinds.extend(self.shapes(name, of_all.as_ref())?.map(ShapeKind::Either));
        }
        Ok(kinds)
    }

    /// Parses the shapes of a union. A type of the union applies to each shape, which need not repeat it.
    fn shapes(
        &mut self,
        name: &str,
        of_all: Option<&Value>,
    ) -> Result<Option<Vec<SchemaShape>>, UnsupportedFeature> {
        let Some(mut schemas) = self.list(name)? else { return Ok(None) };
        let type_keywords = ["type", "$ref", "const", "enum", "oneOf", "anyOf"];
        let mut shapes = Vec::with_capacity(schemas.len());
        for (index, schema) in schemas.iter_mut().enumerate() {
            if let Some(keywords) = schema.as_object_mut()
                && let Some(kind) = of_all
                && !type_keywords.iter().any(|word| keywords.contains_key(*word))
            {
                keywords.insert("type".to_owned(), kind.clone());
            }
            shapes.push(self.parse_inner(schema, &format!("{name}/{index}"))?);
        }
        Ok(Some(shapes))
    }

    fn parse_inner(&self, schema: &Value, step: &str) -> Result<SchemaShape, UnsupportedFeature> {
        let slash = if self.place.is_empty() { "" } else { "/" };
        parse_shape(schema, &format!("{}{slash}{step}", self.place))
    }

    fn literals(&self, values: Vec<Value>, kind: Option<&Value>) -> Result<ShapeKind, UnsupportedFeature> {
        for value in &values {
            let is_of_kind = match kind {
                Some(kind) => is_of_type(value, kind.as_str().unwrap_or_default()),
                None => true,
            };
            if !is_of_kind {
                let feature = format_args!("{value} is not of the type");
                return Err(UnsupportedFeature::at(self.place, feature));
            }
        }
        Ok(ShapeKind::Literals(values))
    }

    fn parse_type(&mut self, name: &str) -> Result<ShapeKind, UnsupportedFeature> {
        match name {
            "null" => Ok(ShapeKind::Null),
            "boolean" => Ok(ShapeKind::Boolean),
            "number" | "integer" => Ok(ShapeKind::Number(NumberRange {
                whole: name == "integer",
                min: self.number("minimum")?,
                above: self.number("exclusiveMinimum")?,
                max: self.number("maximum")?,
            })),
            "string" => {
                self.take("format", |value| value.as_str().filter(|name| FORMATS.contains(name)).map(drop))?;
                Ok(ShapeKind::Text {
                    min: self.count("minLength")?,
                    max: self.count("maxLength")?,
                    pattern: self.text("pattern")?,
                    missing: self
                        .take("errorMessage", |words| words.get("minLength")?.as_str().map(str::to_owned))?,
                })
            }
            "array" => {
                let items = self.unread.remove("items").unwrap_or(Value::Bool(true));
                let items = Box::new(self.parse_inner(&items, "items")?);
                Ok(ShapeKind::List { items, min: self.count("minItems")?, max: self.count("maxItems")? })
            }
            "object" => self.object().map(ShapeKind::Object),
            _ => Err(UnsupportedFeature::at(self.place, format_args!("the type {name}"))),
        }
    }

    fn object(&mut self) -> Result<ObjectShape, UnsupportedFeature> {
        let mut properties = self.take("properties", |value| value.as_object().cloned())?.unwrap_or_default();
        let required = self.list_of_names("required")?;
        let mut members = Vec::new();
        for name in required {
            let schema = properties.remove(&name).unwrap_or(Value::Bool(true));
            let shape = self.parse_inner(&schema, &format!("properties/{name}"))?;
            members.push(ObjectMember { name, shape, required: true });
        }
        for (name, schema) in properties {
            let shape = self.parse_inner(&schema, &format!("properties/{name}"))?;
            members.push(ObjectMember { name, shape, required: false });
        }
        let rest = self.rest(members.is_empty())?;
        Ok(ObjectShape { members, rest })
    }

    fn list_of_names(&mut self, name: &str) -> Result<Vec<String>, UnsupportedFeature> {
        let names = self.take(name, |value| {
            let names = value.as_array()?.iter();
            names.map(|name| name.as_str().map(str::to_owned)).collect()
        })?;
        Ok(names.unwrap_or_default())
    }

    fn rest(&mut self, is_alone: bool) -> Result<ExtraMembers, UnsupportedFeature> {
        let others = self.unread.remove("additionalProperties");
        let patterns = self.take("patternProperties", |value| value.as_object().cloned())?;
        let mut patterns = patterns.unwrap_or_default().into_iter();
        match (patterns.next(), patterns.next(), others) {
            (None, _, None | Some(Value::Bool(true))) => Ok(ExtraMembers::Anything),
            (None, _, Some(Value::Bool(false))) => Ok(ExtraMembers::Nothing),
            (None, _, Some(schema)) => {
                let shape = self.parse_inner(&schema, "additionalProperties")?;
                Ok(ExtraMembers::Each(Box::new(shape)))
            }
            (Some((pattern, schema)), None, Some(Value::Bool(false))) if is_alone => {
                let shape = self.parse_inner(&schema, "patternProperties")?;
                Ok(ExtraMembers::Named(pattern, Box::new(shape)))
            }
            (Some(_), ..) => {
                Err(UnsupportedFeature::at(self.place, "patternProperties beside other members"))
            }
        }
    }
}

/// Returns whether a value is of a type of JSON Schema.
fn is_of_type(value: &Value, name: &str) -> bool {
    match name {
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "number" => value.is_number(),
        "integer" => value.is_i64() || value.is_u64(),
        _ => false,
    }
}
