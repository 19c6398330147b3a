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
    let mut named = Vec::new();
    for (name, definition) in definitions.as_object().into_iter().flatten() {
        named.push((name.clone(), parse_shape(definition, &format!("$defs/{name}"))?));
    }
    let title = root.get("title").and_then(Value::as_str).map(pascal_case);
    let name = title.unwrap_or_else(|| usual_name.to_owned());
    SchemaDocument::new(name, parse_shape(&root, "")?, named)
}

/// Converts a title to a name: `Ask questions` becomes `AskQuestions`.
fn pascal_case(title: &str) -> String {
    let words = title.split(|c: char| !c.is_ascii_alphanumeric());
    let capital = |word: &str| {
        let mut characters = word.chars();
        characters
            .next()
            .map(|first| first.to_ascii_uppercase())
            .into_iter()
            .chain(characters)
            .collect::<String>()
    };
    words.map(capital).collect()
}

/// Keywords of one schema that are not parsed yet.
struct KeywordReader<'s> {
    left: Map<String, Value>,
    place: &'s str,
}

fn parse_shape(schema: &Value, place: &str) -> Result<SchemaShape, UnsupportedFeature> {
    let left = match schema {
        Value::Bool(true) => Map::new(),
        Value::Object(keywords) => keywords.clone(),
        _ => return Err(UnsupportedFeature::at(place, format_args!("{schema} as a schema"))),
    };
    let mut keywords = KeywordReader { left, place };
    let note = keywords.note()?;
    let mut kinds = keywords.kinds()?;
    if let Some(keyword) = keywords.left.keys().next() {
        return Err(UnsupportedFeature::at(place, format_args!("the keyword {keyword}")));
    }
    let kind = match (kinds.pop(), kinds.is_empty()) {
        (None, _) => ShapeKind::Anything,
        (Some(only), true) => only,
        (Some(last), false) => {
            ShapeKind::All(kinds.into_iter().chain([last]).map(SchemaShape::from_kind).collect())
        }
    };
    Ok(SchemaShape { note, kind })
}

impl KeywordReader<'_> {
    fn take<T>(
        &mut self,
        name: &str,
        get: impl Fn(&Value) -> Option<T>,
    ) -> Result<Option<T>, UnsupportedFeature> {
        let Some(value) = self.left.remove(name) else { return Ok(None) };
        let wrong = || UnsupportedFeature::at(self.place, format_args!("{name} as {value}"));
        get(&value).map(Some).ok_or_else(wrong)
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
            self.left.remove(name);
        }
        let description = self.text("description")?;
        let examples = self.list("examples")?.unwrap_or_default();
        Ok(SchemaNote { description, default: self.left.remove("default"), examples })
    }

    /// Parses the constraints of the schema, all of which must hold.
    fn kinds(&mut self) -> Result<Vec<ShapeKind>, UnsupportedFeature> {
        let mut kinds = Vec::new();
        let reference =
            self.take("$ref", |value| Some(value.as_str()?.strip_prefix("#/$defs/")?.to_owned()))?;
        kinds.extend(reference.map(ShapeKind::Reference));
        let literals = match self.left.remove("const") {
            Some(value) => Some(vec![value]),
            None => self.list("enum")?,
        };
        let kind = self.left.remove("type");
        let of_all = kind.clone();
        match (literals, kind) {
            (Some(literals), kind) => kinds.push(self.literals(literals, kind.as_ref())?),
            (None, Some(Value::String(name))) => kinds.push(self.parse_type(&name)?),
            (None, Some(Value::Array(names))) => {
                let kinds_of = |name: &Value| {
                    self.parse_type(name.as_str().unwrap_or_default()).map(SchemaShape::from_kind)
                };
                let shapes = names.iter().map(kinds_of).collect::<Result<_, _>>()?;
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
        for keywords in schemas.iter_mut().filter_map(Value::as_object_mut) {
            let says = ["type", "$ref", "const", "enum", "oneOf", "anyOf"];
            let says_nothing = says.iter().all(|word| !keywords.contains_key(*word));
            if let Some(kind) = of_all
                && says_nothing
            {
                keywords.insert("type".to_owned(), kind.clone());
            }
        }
        let places = schemas.iter().enumerate().map(|(index, schema)| (format!("{name}/{index}"), schema));
        let shapes = places.map(|(place, schema)| self.parse_inner(schema, &place));
        shapes.collect::<Result<_, _>>().map(Some)
    }

    fn parse_inner(&self, schema: &Value, step: &str) -> Result<SchemaShape, UnsupportedFeature> {
        let slash = if self.place.is_empty() { "" } else { "/" };
        parse_shape(schema, &format!("{}{slash}{step}", self.place))
    }

    fn literals(&self, values: Vec<Value>, kind: Option<&Value>) -> Result<ShapeKind, UnsupportedFeature> {
        let fits = |value: &Value| match kind.and_then(Value::as_str) {
            Some("string") => value.is_string(),
            Some("boolean") => value.is_boolean(),
            Some("number") => value.is_number(),
            Some("integer") => value.is_i64() || value.is_u64(),
            Some(_) => false,
            None => kind.is_none(),
        };
        match values.iter().find(|value| !fits(value)) {
            Some(value) => {
                Err(UnsupportedFeature::at(self.place, format_args!("{value} is not of the type")))
            }
            None => Ok(ShapeKind::Literals(values)),
        }
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
                let items = self.left.remove("items").unwrap_or(Value::Bool(true));
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
            value.as_array()?.iter().map(|name| name.as_str().map(str::to_owned)).collect::<Option<Vec<_>>>()
        })?;
        Ok(names.unwrap_or_default())
    }

    fn rest(&mut self, alone: bool) -> Result<ExtraMembers, UnsupportedFeature> {
        let others = self.left.remove("additionalProperties");
        let named = self.take("patternProperties", |value| value.as_object().cloned())?.unwrap_or_default();
        let mut named = named.into_iter();
        match (named.next(), named.next(), others) {
            (None, _, None | Some(Value::Bool(true))) => Ok(ExtraMembers::Anything),
            (None, _, Some(Value::Bool(false))) => Ok(ExtraMembers::Nothing),
            (None, _, Some(schema)) => self
                .parse_inner(&schema, "additionalProperties")
                .map(|shape| ExtraMembers::Each(Box::new(shape))),
            (Some((pattern, schema)), None, Some(Value::Bool(false))) if alone => {
                let shape = self.parse_inner(&schema, "patternProperties")?;
                Ok(ExtraMembers::Named(pattern, Box::new(shape)))
            }
            (Some(_), ..) => {
                Err(UnsupportedFeature::at(self.place, "patternProperties beside other members"))
            }
        }
    }
}
