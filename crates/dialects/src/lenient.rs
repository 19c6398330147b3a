//! Lenient JSON reader: keeps a value of the expected shape, and the type of any other value.
//!
//! A request is read in one pass, straight into the shapes of its schema, and validated afterwards. So good and bad
//! requests have one reader, and only text that is no JSON fails. Unknown members are skipped; of members with the same
//! name the last one counts, as in JavaScript.

pub(crate) mod validator;
pub(crate) mod wording;

use crate::format::problem_list::verbatim;
use sayso_core::Message;
use sayso_core::wire::json::{self, JsonSource};
use sayso_core::{DocumentPath, Problem, ProblemCode};
use serde::Deserialize;
use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};
use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;
use std::marker::PhantomData;

/// Value at a place that expects the shape `T`.
#[derive(Debug, Default, PartialEq)]
pub(crate) enum Lenient<T> {
    /// No value.
    #[default]
    Missing,
    /// A value of another type: JavaScript's name of the type.
    WrongType(&'static str),
    /// A value of the shape.
    Value(T),
}

impl<T> Lenient<T> {
    /// Returns whether a value of any type is present.
    pub(crate) const fn is_present(&self) -> bool {
        !matches!(self, Self::Missing)
    }

    fn from_scalar<'t>(type_name: &'static str, scalar: Scalar<'t>) -> Self
    where
        T: JsonShape<'t>,
    {
        T::from_scalar(scalar).map_or(Self::WrongType(type_name), Self::Value)
    }

    /// Treats `null` as no value.
    pub(crate) fn null_as_missing(self) -> Self {
        if matches!(self, Self::WrongType("null")) { Self::Missing } else { self }
    }
}

/// A value that is neither an array nor an object.
pub(crate) enum Scalar<'t> {
    Null,
    Bool(bool),
    Number(Number),
    /// A string, borrowed from the text unless something in it is escaped.
    Text(Cow<'t, str>),
}

/// Shape of a value in a text with the lifetime `'t`.
pub(crate) trait JsonShape<'t>: Sized {
    /// JavaScript's name of its type.
    const NAME: &'static str;

    /// Converts a scalar.
    fn from_scalar(_: Scalar<'t>) -> Option<Self> {
        None
    }

    /// Converts an array, which is always read to its end.
    fn from_array<A: SeqAccess<'t>>(mut array: A) -> Result<Option<Self>, A::Error> {
        while array.next_element::<IgnoredAny>()?.is_some() {}
        Ok(None)
    }

    /// Converts an object, which is always read to its end.
    fn from_object<A: MapAccess<'t>>(mut object: A) -> Result<Option<Self>, A::Error> {
        while object.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(None)
    }
}

/// Shape of an object with named members.
pub(crate) trait ObjectMembers<'t>: Default {
    /// Reads the value of a member, if the shape knows its name; returns whether it does.
    fn member<A: MapAccess<'t>>(&mut self, name: &str, object: &mut A) -> Result<bool, A::Error>;
}

/// Defines shapes of objects: each field with the member that it is read from, and the shape of its value.
macro_rules! lenient_objects {
    ($(
        $(#[$meta:meta])*
        $shape:ident $(<$life:lifetime>)? { $($field:ident: $name:literal => $kind:ty,)+ }
    )+) => {$(
        $(#[$meta])*
        #[derive(Default)]
        pub(crate) struct $shape $(<$life>)? { $(pub(crate) $field: $crate::lenient::Lenient<$kind>,)+ }

        impl<'t> $crate::lenient::ObjectMembers<'t> for $shape $(<$life>)? {
            fn member<A: serde::de::MapAccess<'t>>(
                &mut self,
                name: &str,
                object: &mut A,
            ) -> Result<bool, A::Error> {
                match name {
                    $($name => self.$field = object.next_value()?,)+
                    _ => return Ok(false),
                }
                Ok(true)
            }
        }
    )+};
}
pub(crate) use lenient_objects;

/// An array. Elements beyond the first [`LenientList::MAX_KEPT`] are counted and dropped: no shape allows that many.
#[derive(Debug, PartialEq)]
pub(crate) struct LenientList<T> {
    /// The elements kept.
    pub(crate) items: Vec<Lenient<T>>,
    /// Number of all elements.
    pub(crate) count: usize,
}

impl<T> LenientList<T> {
    /// Number of elements kept.
    pub(crate) const MAX_KEPT: usize = 1_000;
}

/// Reads a request.
///
/// # Errors
/// Returns `missing_request` if the text is empty, or the problem of a text that is not JSON.
pub(crate) fn read_request<'t, T: JsonShape<'t>>(
    json: impl Into<JsonSource<'t>>,
) -> Result<Lenient<T>, Vec<Problem>> {
    let json = json.into();
    if json.is_empty() {
        return Err(vec![Problem::new(ProblemCode::MissingRequest, Message::RequestEmpty)]);
    }
    Ok(read(json)?)
}

/// Reads a value.
pub(crate) fn read<'t, T: JsonShape<'t>>(json: impl Into<JsonSource<'t>>) -> Result<Lenient<T>, Problem> {
    json::read(json)
}

/// Reads answers as JSON text, which may be longer than requests.
pub(crate) fn read_answers<'t, T: JsonShape<'t>>(text: &'t str) -> Result<Lenient<T>, Problem> {
    json::read_body(text)
}

/// A copy-on-write string: copied only if something in it is escaped.
pub(crate) type CowText<'t> = Cow<'t, str>;

macro_rules! scalar_shapes {
    ($($shape:ty, $name:literal: $scalar:pat => $value:expr;)+) => {$(
        impl<'t> JsonShape<'t> for $shape {
            const NAME: &'static str = $name;

            fn from_scalar(scalar: Scalar<'t>) -> Option<Self> {
                if let $scalar = scalar { Some($value) } else { None }
            }
        }
    )+};
}

scalar_shapes! {
    String, "string": Scalar::Text(text) => text.into_owned();
    CowText<'t>, "string": Scalar::Text(text) => text;
    bool, "boolean": Scalar::Bool(value) => value;
    Number, "number": Scalar::Number(number) => number;
}

/// Any value, `null` included.
impl<'t> JsonShape<'t> for Value {
    const NAME: &'static str = "any value";

    fn from_scalar(scalar: Scalar<'t>) -> Option<Self> {
        Some(match scalar {
            Scalar::Null => Self::Null,
            Scalar::Bool(value) => Self::Bool(value),
            Scalar::Number(number) => Self::Number(number),
            Scalar::Text(text) => Self::String(text.into_owned()),
        })
    }

    fn from_array<A: SeqAccess<'t>>(array: A) -> Result<Option<Self>, A::Error> {
        Vec::deserialize(SeqAccessDeserializer::new(array)).map(|values| Some(Self::Array(values)))
    }

    fn from_object<A: MapAccess<'t>>(object: A) -> Result<Option<Self>, A::Error> {
        Map::deserialize(MapAccessDeserializer::new(object)).map(|members| Some(Self::Object(members)))
    }
}

/// An object with arbitrary members, in their order. Of members with the same name the last one counts, in the place of
/// the first.
#[derive(Debug)]
pub(crate) struct LenientRecord<'t, T>(pub(crate) Vec<(CowText<'t>, Lenient<T>)>);

impl<'t, T: JsonShape<'t>> JsonShape<'t> for LenientRecord<'t, T> {
    const NAME: &'static str = "object";

    fn from_object<A: MapAccess<'t>>(mut object: A) -> Result<Option<Self>, A::Error> {
        let mut members: Vec<(CowText<'t>, Lenient<T>)> = Vec::new();
        let mut places = HashMap::new();
        while let Some((MemberName(name), value)) = object.next_entry::<MemberName<'t>, Lenient<T>>()? {
            let place = *places.entry(name.clone()).or_insert(members.len());
            match members.get_mut(place) {
                Some((_, earlier)) => *earlier = value,
                None => members.push((name, value)),
            }
        }
        Ok(Some(Self(members)))
    }
}

impl<'t, T: JsonShape<'t>> JsonShape<'t> for LenientList<T> {
    const NAME: &'static str = "array";

    fn from_array<A: SeqAccess<'t>>(mut array: A) -> Result<Option<Self>, A::Error> {
        let mut items = Vec::new();
        while items.len() < Self::MAX_KEPT
            && let Some(item) = array.next_element()?
        {
            items.push(item);
        }
        let mut count = items.len();
        while array.next_element::<IgnoredAny>()?.is_some() {
            count += 1;
        }
        Ok(Some(Self { items, count }))
    }
}

impl<'t, T: ObjectMembers<'t>> JsonShape<'t> for T {
    const NAME: &'static str = "object";

    fn from_object<A: MapAccess<'t>>(mut object: A) -> Result<Option<Self>, A::Error> {
        let mut value = Self::default();
        while let Some(name) = object.next_key::<MemberName<'t>>()? {
            if !value.member(&name.0, &mut object)? {
                object.next_value::<IgnoredAny>()?;
            }
        }
        Ok(Some(value))
    }
}

/// A large object is boxed, so that it is not moved at each step of the reader.
impl<'t, T: ObjectMembers<'t>> ObjectMembers<'t> for Box<T> {
    fn member<A: MapAccess<'t>>(&mut self, name: &str, object: &mut A) -> Result<bool, A::Error> {
        self.as_mut().member(name, object)
    }
}

/// Name of a member, borrowed from the text unless something in it is escaped.
#[derive(Deserialize)]
#[serde(transparent)]
struct MemberName<'t>(#[serde(borrow)] Cow<'t, str>);

impl<'de, T: JsonShape<'de>> Deserialize<'de> for Lenient<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(LenientVisitor(PhantomData))
    }
}

struct LenientVisitor<T>(PhantomData<T>);

impl<'de, T: JsonShape<'de>> Visitor<'de> for LenientVisitor<T> {
    type Value = Lenient<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    fn visit_unit<E>(self) -> Result<Lenient<T>, E> {
        Ok(Lenient::from_scalar("null", Scalar::Null))
    }

    fn visit_bool<E>(self, value: bool) -> Result<Lenient<T>, E> {
        Ok(Lenient::from_scalar("boolean", Scalar::Bool(value)))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Lenient<T>, E> {
        Ok(Lenient::from_scalar("number", Scalar::Number(value.into())))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Lenient<T>, E> {
        Ok(Lenient::from_scalar("number", Scalar::Number(value.into())))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Lenient<T>, E> {
        let number = Number::from_f64(value).map_or(Scalar::Null, Scalar::Number);
        Ok(Lenient::from_scalar("number", number))
    }

    fn visit_str<E>(self, text: &str) -> Result<Lenient<T>, E> {
        Ok(Lenient::from_scalar("string", Scalar::Text(text.to_owned().into())))
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Lenient<T>, E> {
        Ok(Lenient::from_scalar("string", Scalar::Text(text.into())))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, array: A) -> Result<Lenient<T>, A::Error> {
        Ok(T::from_array(array)?.map_or(Lenient::WrongType("array"), Lenient::Value))
    }

    fn visit_map<A: MapAccess<'de>>(self, object: A) -> Result<Lenient<T>, A::Error> {
        Ok(T::from_object(object)?.map_or(Lenient::WrongType("object"), Lenient::Value))
    }
}

/// Returns JavaScript's name of a value's type.
pub(crate) fn type_name(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

/// Returns a member that is an object with arbitrary members.
pub(crate) fn object_member<'v>(document: &'v Value, name: &str) -> Result<&'v Map<String, Value>, Problem> {
    let Some(members) = document.as_object() else { return Err(not_an_object(document)) };
    let Some(value) = members.get(name) else {
        return Err(verbatim(ProblemCode::Required, "Required").at(DocumentPath::root().join(name)));
    };
    match value.as_object() {
        Some(object) => Ok(object),
        None => Err(not_an_object(value).at(DocumentPath::root().join(name))),
    }
}

fn not_an_object(value: &Value) -> Problem {
    verbatim(ProblemCode::InvalidType, format!("Expected object, received {}", type_name(value)))
}
