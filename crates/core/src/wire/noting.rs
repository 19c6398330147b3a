//! Reading that notes what nothing reads: a deserializer around another, which knows where it is without a copy of any
//! name.

use crate::limits;
use crate::problem::Path;
use serde::de::{
    DeserializeSeed, Deserializer, EnumAccess, Error, MapAccess, SeqAccess, VariantAccess, Visitor,
};
use serde::forward_to_deserialize_any;
use std::borrow::Cow;
use std::cell::RefCell;
use std::fmt;

/// Where a value stands.
#[derive(Clone, Copy)]
pub(super) enum Place<'p> {
    Root,
    Member(&'p Self, &'p str),
    Element(&'p Self, usize),
}

impl Place<'_> {
    fn path(&self) -> Path {
        match self {
            Self::Root => Path::root(),
            Self::Member(above, name) => above.path().then(*name),
            Self::Element(above, index) => above.path().then(*index),
        }
    }
}

/// A part of what reads, and where it is.
pub(super) struct Noting<'n, T> {
    inner: T,
    place: &'n Place<'n>,
    unread: &'n RefCell<Vec<Path>>,
}

impl<'n, T> Noting<'n, T> {
    /// Notes in this list what nothing reads, as far as it is told.
    pub(super) const fn new(inner: T, unread: &'n RefCell<Vec<Path>>) -> Self {
        Self { inner, place: &Place::Root, unread }
    }

    const fn around<U>(&self, inner: U) -> Noting<'n, U> {
        Noting { inner, place: self.place, unread: self.unread }
    }
}

/// Of what has nothing inside it, nothing can stay unread.
macro_rules! plain {
    ($($method:ident)*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
            self.inner.$method(visitor)
        }
    )*};
}

macro_rules! nested {
    ($($method:ident($($name:ident: $kind:ty),*))*) => {$(
        fn $method<V: Visitor<'de>>(self, $($name: $kind,)* visitor: V) -> Result<V::Value, D::Error> {
            let visitor = self.around(visitor);
            self.inner.$method($($name,)* visitor)
        }
    )*};
}

impl<'de, D: Deserializer<'de>> Deserializer<'de> for Noting<'_, D> {
    type Error = D::Error;

    plain! {
        deserialize_bool deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64 deserialize_i128
        deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64 deserialize_u128
        deserialize_f32 deserialize_f64 deserialize_char deserialize_str deserialize_string
        deserialize_bytes deserialize_byte_buf deserialize_unit deserialize_identifier
    }

    nested! {
        deserialize_any()
        deserialize_option()
        deserialize_seq()
        deserialize_map()
        deserialize_tuple(len: usize)
        deserialize_unit_struct(name: &'static str)
        deserialize_newtype_struct(name: &'static str)
        deserialize_tuple_struct(name: &'static str, len: usize)
        deserialize_struct(name: &'static str, members: &'static [&'static str])
        deserialize_enum(name: &'static str, variants: &'static [&'static str])
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        let mut unread = self.unread.borrow_mut();
        if unread.len() < limits::PROBLEMS {
            unread.push(self.place.path());
        }
        self.inner.deserialize_ignored_any(visitor)
    }
}

macro_rules! visited {
    ($($method:ident($kind:ty))*) => {$(
        fn $method<E: Error>(self, value: $kind) -> Result<V::Value, E> {
            self.inner.$method(value)
        }
    )*};
}

impl<'de, V: Visitor<'de>> Visitor<'de> for Noting<'_, V> {
    type Value = V::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.inner.expecting(f)
    }

    visited! {
        visit_bool(bool) visit_i64(i64) visit_u64(u64) visit_f64(f64)
        visit_str(&str) visit_borrowed_str(&'de str) visit_string(String)
    }

    fn visit_none<E: Error>(self) -> Result<V::Value, E> {
        self.inner.visit_none()
    }

    fn visit_unit<E: Error>(self) -> Result<V::Value, E> {
        self.inner.visit_unit()
    }

    fn visit_some<D: Deserializer<'de>>(self, inner: D) -> Result<V::Value, D::Error> {
        let inner = self.around(inner);
        self.inner.visit_some(inner)
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, inner: D) -> Result<V::Value, D::Error> {
        let inner = self.around(inner);
        self.inner.visit_newtype_struct(inner)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, array: A) -> Result<V::Value, A::Error> {
        let array = Elements { array: self.around(array), next: 0 };
        self.inner.visit_seq(array)
    }

    fn visit_map<A: MapAccess<'de>>(self, object: A) -> Result<V::Value, A::Error> {
        let object = Members { object: self.around(object), name: Cow::Borrowed("") };
        self.inner.visit_map(object)
    }

    fn visit_enum<A: EnumAccess<'de>>(self, variant: A) -> Result<V::Value, A::Error> {
        let variant = self.around(variant);
        self.inner.visit_enum(variant)
    }
}

impl<'de, S: DeserializeSeed<'de>> DeserializeSeed<'de> for Noting<'_, S> {
    type Value = S::Value;

    fn deserialize<D: Deserializer<'de>>(self, inner: D) -> Result<S::Value, D::Error> {
        let inner = self.around(inner);
        self.inner.deserialize(inner)
    }
}

/// The name of a variant is no step of a place.
impl<'n, 'de, A: EnumAccess<'de>> EnumAccess<'de> for Noting<'n, A> {
    type Error = A::Error;
    type Variant = Noting<'n, A::Variant>;

    fn variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<(S::Value, Self::Variant), A::Error> {
        let Self { inner, place, unread } = self;
        let (name, inner) = inner.variant_seed(seed)?;
        Ok((name, Noting { inner, place, unread }))
    }
}

impl<'de, A: VariantAccess<'de>> VariantAccess<'de> for Noting<'_, A> {
    type Error = A::Error;

    fn unit_variant(self) -> Result<(), A::Error> {
        self.inner.unit_variant()
    }

    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<S::Value, A::Error> {
        let seed = self.around(seed);
        self.inner.newtype_variant_seed(seed)
    }

    fn tuple_variant<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value, A::Error> {
        let visitor = self.around(visitor);
        self.inner.tuple_variant(len, visitor)
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        members: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, A::Error> {
        let visitor = self.around(visitor);
        self.inner.struct_variant(members, visitor)
    }
}

/// The elements of an array.
struct Elements<'n, A> {
    array: Noting<'n, A>,
    next: usize,
}

impl<'de, A: SeqAccess<'de>> SeqAccess<'de> for Elements<'_, A> {
    type Error = A::Error;

    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, A::Error> {
        let place = Place::Element(self.array.place, self.next);
        self.next += 1;
        self.array.inner.next_element_seed(Noting { inner: seed, place: &place, unread: self.array.unread })
    }

    fn size_hint(&self) -> Option<usize> {
        self.array.inner.size_hint()
    }
}

/// The members of an object, and the name of the one that comes next.
struct Members<'n, 'de, A> {
    object: Noting<'n, A>,
    name: Cow<'de, str>,
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for Members<'_, 'de, A> {
    type Error = A::Error;

    fn next_key_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, A::Error> {
        self.object.inner.next_key_seed(Naming { inner: seed, name: &mut self.name })
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, A::Error> {
        let place = Place::Member(self.object.place, &self.name);
        self.object.inner.next_value_seed(Noting { inner: seed, place: &place, unread: self.object.unread })
    }

    fn size_hint(&self) -> Option<usize> {
        self.object.inner.size_hint()
    }
}

/// A part of what reads a name, and where the name is kept.
struct Naming<'n, 'de, T> {
    inner: T,
    name: &'n mut Cow<'de, str>,
}

impl<'de, S: DeserializeSeed<'de>> DeserializeSeed<'de> for Naming<'_, 'de, S> {
    type Value = S::Value;

    fn deserialize<D: Deserializer<'de>>(self, inner: D) -> Result<S::Value, D::Error> {
        self.inner.deserialize(Naming { inner, name: self.name })
    }
}

macro_rules! named {
    ($($method:ident)*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
            self.inner.$method(Naming { inner: visitor, name: self.name })
        }
    )*};
}

impl<'de, D: Deserializer<'de>> Deserializer<'de> for Naming<'_, 'de, D> {
    type Error = D::Error;

    // Names that are numbers are read by methods of their own.
    named! {
        deserialize_any deserialize_bool
        deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64 deserialize_i128
        deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64 deserialize_u128
        deserialize_f32 deserialize_f64 deserialize_str deserialize_string deserialize_identifier
        deserialize_ignored_any
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        visitor.visit_newtype_struct(self)
    }

    forward_to_deserialize_any! {
        char bytes byte_buf option unit unit_struct seq tuple tuple_struct map struct enum
    }
}

macro_rules! kept {
    ($($method:ident($kind:ty))*) => {$(
        fn $method<E: Error>(self, value: $kind) -> Result<V::Value, E> {
            *self.name = Cow::Owned(value.to_string());
            self.inner.$method(value)
        }
    )*};
}

impl<'de, V: Visitor<'de>> Visitor<'de> for Naming<'_, 'de, V> {
    type Value = V::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.inner.expecting(f)
    }

    kept! { visit_bool(bool) visit_i64(i64) visit_u64(u64) visit_f64(f64) visit_str(&str) }

    fn visit_borrowed_str<E: Error>(self, name: &'de str) -> Result<V::Value, E> {
        *self.name = Cow::Borrowed(name);
        self.inner.visit_borrowed_str(name)
    }
}
