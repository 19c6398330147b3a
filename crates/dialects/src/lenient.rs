//! Lenient JSON reader: keeps a value of the expected shape, and the type of any other value.
//!
//! A request is read in one pass, straight into the shapes of its schema, and validated afterwards. So good and bad
//! requests have one reader, and only text that is no JSON fails. Unknown members are skipped; of members with the same
//! name the last one counts, as in JavaScript.

pub(crate) mod validator;
pub(crate) mod wording;

use crate::problem_list::verbatim;
use sayso_core::Message;
use sayso_core::wire::json;
use sayso_core::{DocumentPath, Problem, ProblemCode};
use serde::Deserialize;
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

    /// Treats `null` as no value.
    pub(crate) fn null_as_missing(self) -> Self {
        if matches!(self, Self::WrongType("null")) { Self::Missing } else { self }
    }
}

/// A value that is neither an array nor an object.
pub(crate) enum Scalar<'t, 's> {
    Null,
    Bool(bool),
    Number(Number),
    /// A string that was unescaped into a buffer.
    Unescaped(&'s str),
    /// A string that the text contains without escapes.
    Slice(&'t str),
}

impl Scalar<'_, '_> {
    /// Returns JavaScript's name of its type.
    const fn type_name(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool(_) => "boolean",
            Self::Number(_) => "number",
            Self::Unescaped(_) | Self::Slice(_) => "string",
        }
    }
}

/// Shape of a value in a text with the lifetime `'t`.
pub(crate) trait JsonShape<'t>: Sized {
    /// JavaScript's name of its type.
    const NAME: &'static str;

    /// Converts a scalar.
    fn from_scalar(_: Scalar<'t, '_>) -> Option<Self> {
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

/// Reads a request as JSON text.
///
/// # Errors
/// Returns `missing_request` if the text is empty, or the problem of a text that is not JSON.
pub(crate) fn read_request<'t, T: JsonShape<'t>>(text: &'t str) -> Result<Lenient<T>, Vec<Problem>> {
    if text.trim().is_empty() {
        return Err(vec![Problem::new(ProblemCode::MissingRequest, Message::RequestEmpty)]);
    }
    read(text).map_err(|problem| vec![problem])
}

/// Reads a value as JSON text.
pub(crate) fn read<'t, T: JsonShape<'t>>(text: &'t str) -> Result<Lenient<T>, Problem> {
    json::read(text)
}

/// Reads answers as JSON text, which may be longer than requests.
pub(crate) fn read_answers<'t, T: JsonShape<'t>>(text: &'t str) -> Result<Lenient<T>, Problem> {
    json::read_body(text)
}

impl<'t> JsonShape<'t> for String {
    const NAME: &'static str = "string";

    fn from_scalar(scalar: Scalar<'t, '_>) -> Option<Self> {
        CowText::from_scalar(scalar).map(Cow::into_owned)
    }
}

/// A copy-on-write string: copied only if something in it is escaped.
pub(crate) type CowText<'t> = Cow<'t, str>;

impl<'t> JsonShape<'t> for CowText<'t> {
    const NAME: &'static str = "string";

    fn from_scalar(scalar: Scalar<'t, '_>) -> Option<Self> {
        match scalar {
            Scalar::Unescaped(text) => Some(Cow::Owned(text.to_owned())),
            Scalar::Slice(text) => Some(Cow::Borrowed(text)),
            _ => None,
        }
    }
}

impl<'t> JsonShape<'t> for bool {
    const NAME: &'static str = "boolean";

    fn from_scalar(scalar: Scalar<'t, '_>) -> Option<Self> {
        if let Scalar::Bool(value) = scalar { Some(value) } else { None }
    }
}

impl<'t> JsonShape<'t> for Number {
    const NAME: &'static str = "number";

    fn from_scalar(scalar: Scalar<'t, '_>) -> Option<Self> {
        if let Scalar::Number(number) = scalar { Some(number) } else { None }
    }
}

/// Any value, `null` included.
impl<'t> JsonShape<'t> for Value {
    const NAME: &'static str = "any value";

    fn from_scalar(scalar: Scalar<'t, '_>) -> Option<Self> {
        Some(match scalar {
            Scalar::Null => Self::Null,
            Scalar::Bool(value) => Self::Bool(value),
            Scalar::Number(number) => Self::Number(number),
            Scalar::Unescaped(text) | Scalar::Slice(text) => Self::String(text.to_owned()),
        })
    }

    fn from_array<A: SeqAccess<'t>>(mut array: A) -> Result<Option<Self>, A::Error> {
        let mut values = Vec::new();
        while let Some(value) = array.next_element()? {
            values.push(value);
        }
        Ok(Some(Self::Array(values)))
    }

    fn from_object<A: MapAccess<'t>>(mut object: A) -> Result<Option<Self>, A::Error> {
        let mut members = Map::new();
        while let Some((name, value)) = object.next_entry()? {
            members.insert(name, value);
        }
        Ok(Some(Self::Object(members)))
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
            // Few names are compared pairwise; many are hashed.
            let place = if members.len() < FEW_NAMES {
                members.iter().position(|(known, _)| *known == name)
            } else {
                if places.is_empty() {
                    places.extend(members.iter().map(|(known, _)| known.clone()).zip(0..));
                }
                Some(*places.entry(name.clone()).or_insert(members.len()))
            };
            match place.and_then(|place| members.get_mut(place)) {
                Some((_, earlier)) => *earlier = value,
                None => members.push((name, value)),
            }
        }
        Ok(Some(Self(members)))
    }
}

/// Number of names up to which they are compared pairwise.
const FEW_NAMES: usize = 16;

/// Initial capacity of an array.
const LIST_CAPACITY: usize = 6;

impl<'t, T: JsonShape<'t>> JsonShape<'t> for LenientList<T> {
    const NAME: &'static str = "array";

    fn from_array<A: SeqAccess<'t>>(mut array: A) -> Result<Option<Self>, A::Error> {
        // Most arrays of a request have a few elements.
        let mut items = Vec::with_capacity(LIST_CAPACITY);
        while items.len() < Self::MAX_KEPT {
            let Some(item) = array.next_element()? else {
                return Ok(Some(Self { count: items.len(), items }));
            };
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
        Ok(from_scalar(Scalar::Null))
    }

    fn visit_bool<E>(self, value: bool) -> Result<Lenient<T>, E> {
        Ok(from_scalar(Scalar::Bool(value)))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Lenient<T>, E> {
        Ok(from_scalar(Scalar::Number(value.into())))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Lenient<T>, E> {
        Ok(from_scalar(Scalar::Number(value.into())))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Lenient<T>, E> {
        let number = Number::from_f64(value).map(Scalar::Number);
        Ok(number.map_or(Lenient::WrongType("number"), from_scalar))
    }

    fn visit_str<E>(self, text: &str) -> Result<Lenient<T>, E> {
        Ok(from_scalar(Scalar::Unescaped(text)))
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Lenient<T>, E> {
        Ok(from_scalar(Scalar::Slice(text)))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, array: A) -> Result<Lenient<T>, A::Error> {
        Ok(T::from_array(array)?.map_or(Lenient::WrongType("array"), Lenient::Value))
    }

    fn visit_map<A: MapAccess<'de>>(self, object: A) -> Result<Lenient<T>, A::Error> {
        Ok(T::from_object(object)?.map_or(Lenient::WrongType("object"), Lenient::Value))
    }
}

fn from_scalar<'t, T: JsonShape<'t>>(scalar: Scalar<'t, '_>) -> Lenient<T> {
    let found = scalar.type_name();
    T::from_scalar(scalar).map_or(Lenient::WrongType(found), Lenient::Value)
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
    let wrong = |value: &Value| {
        let words = format!("Expected object, received {}", type_name(value));
        verbatim(ProblemCode::InvalidType, words)
    };
    let members = document.as_object().ok_or_else(|| wrong(document))?;
    let place = || DocumentPath::root().join(name);
    let value = members.get(name).ok_or_else(|| verbatim(ProblemCode::Required, "Required").at(place()))?;
    value.as_object().ok_or_else(|| wrong(value).at(place()))
}
