//! Deserializer wrapper that records the places of unknown members and of the error.

use crate::limits;
use crate::model::problem::DocumentPath;
use serde::de::{
    Deserialize, DeserializeSeed, Deserializer, EnumAccess, Error, MapAccess, SeqAccess, VariantAccess,
    Visitor,
};
use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::fmt;

/// Places of the unknown members and of the error that a deserialization met.
#[derive(Default)]
pub(super) struct ReadTracker {
    unknown: RefCell<Vec<DocumentPath>>,
    failed: RefCell<Option<DocumentPath>>,
    depth: Cell<usize>,
    greatest_depth: Cell<usize>,
}

impl ReadTracker {
    /// Reads a value.
    pub(super) fn read<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
        &self,
        reader: D,
    ) -> Result<T, D::Error> {
        T::deserialize(TrackedReader { inner: reader, tracker: self, place: &ValuePlace::Root, name: None })
    }

    /// Returns true if the reading may have passed over a value that is nested deeper than the limit.
    pub(super) fn may_be_too_deep(&self) -> bool {
        self.greatest_depth.get() > limits::JSON_DEPTH || !self.unknown.borrow().is_empty()
    }

    /// Reads the content of an array or an object.
    fn nested<T>(&self, read: impl FnOnce() -> T) -> T {
        let depth = self.depth.get() + 1;
        self.depth.set(depth);
        self.greatest_depth.set(self.greatest_depth.get().max(depth));
        let content = read();
        self.depth.set(depth - 1);
        content
    }

    /// Returns the places of the first unknown members.
    pub(super) fn into_unknown(self) -> Vec<DocumentPath> {
        self.unknown.into_inner()
    }

    /// Returns the place of the first error, once there is one.
    pub(super) fn failed_place(&self) -> DocumentPath {
        self.failed.borrow().clone().unwrap_or_default()
    }

    /// Records the place of an error. The innermost value reports it first.
    fn fail<E>(&self, place: &ValuePlace<'_>, error: E) -> E {
        self.failed.borrow_mut().get_or_insert_with(|| place.path(true));
        error
    }
}

/// Place of a value, as a chain to the root. It is turned into a path only if there is something to report.
enum ValuePlace<'p> {
    Root,
    Element {
        within: &'p ValuePlace<'p>,
        index: usize,
    },
    Member {
        within: &'p ValuePlace<'p>,
        name: &'p str,
    },
    /// Content of a variant, which in JSON is the one member of an object.
    Variant {
        within: &'p ValuePlace<'p>,
        name: &'p str,
    },
}

impl ValuePlace<'_> {
    fn path(&self, with_variants: bool) -> DocumentPath {
        match self {
            Self::Root => DocumentPath::root(),
            Self::Element { within, index } => within.path(with_variants).join(*index),
            Self::Variant { within, .. } if !with_variants => within.path(with_variants),
            Self::Member { within, name } | Self::Variant { within, name } => {
                within.path(with_variants).join(*name)
            }
        }
    }
}

/// Name of a member or a variant, captured while it is read.
type CapturedName<'de> = Cell<Option<Cow<'de, str>>>;

/// A part of the reader at a place.
struct TrackedReader<'t, 'de, T> {
    inner: T,
    tracker: &'t ReadTracker,
    place: &'t ValuePlace<'t>,
    /// Set for a reader of a name.
    name: Option<&'t CapturedName<'de>>,
}

impl<'t, 'de, T> TrackedReader<'t, 'de, T> {
    /// Wraps another part of the reader for the same value.
    const fn over<U>(&self, inner: U) -> TrackedReader<'t, 'de, U> {
        TrackedReader { inner, tracker: self.tracker, place: self.place, name: self.name }
    }

    fn capture(&self, name: impl FnOnce() -> Cow<'de, str>) {
        if let Some(captured) = self.name {
            captured.set(Some(name()));
        }
    }
}

macro_rules! forward_reads {
    ($($read:ident($($name:ident: $type:ty),*))*) => {
        $(fn $read<V: Visitor<'de>>(self, $($name: $type,)* visitor: V) -> Result<V::Value, D::Error> {
            let visitor = self.over(visitor);
            self.inner.$read($($name,)* visitor)
        })*
    };
}

impl<'de, D: Deserializer<'de>> Deserializer<'de> for TrackedReader<'_, 'de, D> {
    type Error = D::Error;

    forward_reads! {
        deserialize_any() deserialize_bool() deserialize_char() deserialize_str() deserialize_string()
        deserialize_i8() deserialize_i16() deserialize_i32() deserialize_i64() deserialize_i128()
        deserialize_u8() deserialize_u16() deserialize_u32() deserialize_u64() deserialize_u128()
        deserialize_f32() deserialize_f64() deserialize_bytes() deserialize_byte_buf()
        deserialize_option() deserialize_unit() deserialize_seq() deserialize_map() deserialize_identifier()
        deserialize_unit_struct(name: &'static str) deserialize_newtype_struct(name: &'static str)
        deserialize_tuple(len: usize) deserialize_tuple_struct(name: &'static str, len: usize)
        deserialize_struct(name: &'static str, fields: &'static [&'static str])
        deserialize_enum(name: &'static str, variants: &'static [&'static str])
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        let mut unknown = self.tracker.unknown.borrow_mut();
        if unknown.len() < limits::PROBLEMS {
            unknown.push(self.place.path(false));
        }
        drop(unknown);
        self.inner.deserialize_ignored_any(visitor)
    }
}

macro_rules! forward_values {
    ($($visit:ident($type:ty))*) => {
        $(fn $visit<E: Error>(self, value: $type) -> Result<V::Value, E> {
            self.inner.$visit(value)
        })*
    };
}

impl<'de, V: Visitor<'de>> Visitor<'de> for TrackedReader<'_, 'de, V> {
    type Value = V::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.inner.expecting(f)
    }

    forward_values! {
        visit_bool(bool) visit_i128(i128) visit_u128(u128) visit_f64(f64) visit_string(String)
        visit_bytes(&[u8]) visit_borrowed_bytes(&'de [u8]) visit_byte_buf(Vec<u8>)
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<V::Value, E> {
        self.capture(|| value.to_string().into());
        self.inner.visit_i64(value)
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<V::Value, E> {
        self.capture(|| value.to_string().into());
        self.inner.visit_u64(value)
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<V::Value, E> {
        self.capture(|| value.to_owned().into());
        self.inner.visit_str(value)
    }

    fn visit_borrowed_str<E: Error>(self, value: &'de str) -> Result<V::Value, E> {
        self.capture(|| value.into());
        self.inner.visit_borrowed_str(value)
    }

    fn visit_none<E: Error>(self) -> Result<V::Value, E> {
        self.inner.visit_none()
    }

    fn visit_unit<E: Error>(self) -> Result<V::Value, E> {
        self.inner.visit_unit()
    }

    fn visit_some<D: Deserializer<'de>>(self, reader: D) -> Result<V::Value, D::Error> {
        let reader = self.over(reader);
        self.inner.visit_some(reader)
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, reader: D) -> Result<V::Value, D::Error> {
        let reader = self.over(reader);
        self.inner.visit_newtype_struct(reader)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, array: A) -> Result<V::Value, A::Error> {
        let array = TrackedArray { array: self.over(array), index: 0 };
        self.tracker.nested(|| self.inner.visit_seq(array))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<V::Value, A::Error> {
        let object = TrackedObject { object: self.over(map), name: CapturedName::default() };
        self.tracker.nested(|| self.inner.visit_map(object))
    }

    fn visit_enum<A: EnumAccess<'de>>(self, variant: A) -> Result<V::Value, A::Error> {
        let variant = self.over(variant);
        self.tracker.nested(|| self.inner.visit_enum(variant))
    }
}

impl<'de, S: DeserializeSeed<'de>> DeserializeSeed<'de> for TrackedReader<'_, 'de, S> {
    type Value = S::Value;

    fn deserialize<D: Deserializer<'de>>(self, reader: D) -> Result<S::Value, D::Error> {
        let Self { tracker, place, name, .. } = self;
        let reader = self.over(reader);
        let value = self.inner.deserialize(reader);
        value.map_err(|error| if name.is_none() { tracker.fail(place, error) } else { error })
    }
}

struct TrackedArray<'t, 'de, A> {
    array: TrackedReader<'t, 'de, A>,
    index: usize,
}

impl<'de, A: SeqAccess<'de>> SeqAccess<'de> for TrackedArray<'_, 'de, A> {
    type Error = A::Error;

    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, A::Error> {
        let place = ValuePlace::Element { within: self.array.place, index: self.index };
        self.index += 1;
        let TrackedReader { inner, tracker, .. } = &mut self.array;
        inner.next_element_seed(TrackedReader { inner: seed, tracker, place: &place, name: None })
    }

    fn size_hint(&self) -> Option<usize> {
        self.array.inner.size_hint()
    }
}

struct TrackedObject<'t, 'de, A> {
    object: TrackedReader<'t, 'de, A>,
    /// Name of the member whose value comes next.
    name: CapturedName<'de>,
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for TrackedObject<'_, 'de, A> {
    type Error = A::Error;

    fn next_key_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, A::Error> {
        let TrackedReader { inner, tracker, place, .. } = &mut self.object;
        let key = inner.next_key_seed(TrackedReader { inner: seed, tracker, place, name: Some(&self.name) });
        key.map_err(|error| match self.name.take() {
            Some(name) => tracker.fail(&ValuePlace::Member { within: place, name: &name }, error),
            None => error,
        })
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, A::Error> {
        let name = self.name.take().unwrap_or_default();
        let TrackedReader { inner, tracker, place, .. } = &mut self.object;
        let place = ValuePlace::Member { within: place, name: &name };
        inner.next_value_seed(TrackedReader { inner: seed, tracker, place: &place, name: None })
    }

    fn size_hint(&self) -> Option<usize> {
        self.object.inner.size_hint()
    }
}

impl<'t, 'de, A: EnumAccess<'de>> EnumAccess<'de> for TrackedReader<'t, 'de, A> {
    type Error = A::Error;
    type Variant = TrackedVariant<'t, 'de, A::Variant>;

    fn variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<(S::Value, Self::Variant), A::Error> {
        let Self { inner, tracker, place, .. } = self;
        let captured = CapturedName::default();
        let (kind, content) =
            inner.variant_seed(TrackedReader { inner: seed, tracker, place, name: Some(&captured) })?;
        let content = TrackedReader { inner: content, tracker, place, name: None };
        Ok((kind, TrackedVariant { content, name: captured.take().unwrap_or_default() }))
    }
}

struct TrackedVariant<'t, 'de, A> {
    content: TrackedReader<'t, 'de, A>,
    name: Cow<'de, str>,
}

impl<'de, A: VariantAccess<'de>> TrackedVariant<'_, 'de, A> {
    /// Reads the content at its place.
    fn read<T>(
        self,
        read: impl FnOnce(A, TrackedReader<'_, 'de, ()>) -> Result<T, A::Error>,
    ) -> Result<T, A::Error> {
        let TrackedReader { inner, tracker, place, .. } = self.content;
        let place = ValuePlace::Variant { within: place, name: &self.name };
        read(inner, TrackedReader { inner: (), tracker, place: &place, name: None })
            .map_err(|error| tracker.fail(&place, error))
    }
}

impl<'de, A: VariantAccess<'de>> VariantAccess<'de> for TrackedVariant<'_, 'de, A> {
    type Error = A::Error;

    fn unit_variant(self) -> Result<(), A::Error> {
        self.read(|content, _| content.unit_variant())
    }

    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<S::Value, A::Error> {
        self.read(|content, tracked| content.newtype_variant_seed(tracked.over(seed)))
    }

    fn tuple_variant<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value, A::Error> {
        self.read(|content, tracked| content.tuple_variant(len, tracked.over(visitor)))
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, A::Error> {
        self.read(|content, tracked| content.struct_variant(fields, tracked.over(visitor)))
    }
}

#[cfg(test)]
mod tests {
    use crate::limits;
    use crate::wire::json::{JsonSource, check_request_limits, read_reporting_unknown};
    use serde::Deserialize;
    use serde_json::Value;

    #[derive(Debug, Default, PartialEq, Deserialize)]
    #[serde(default)]
    struct NestedPart {
        value: Value,
        inside: Option<Box<Self>>,
    }

    #[test]
    fn depth_includes_unknown_members() {
        for (open, close, unread) in
            [("{\"value\":[", "]}", 0), ("{\"inside\":{\"value\":[", "]}}", 0), ("{\"other\":[", "]}", 1)]
        {
            for depth in 0..limits::JSON_DEPTH + 5 {
                let text = format!("{open}{}{}{close}", "[".repeat(depth), "]".repeat(depth));
                let too_deep = check_request_limits(&text).err();
                let mut ignored = Vec::new();
                let read = read_reporting_unknown::<NestedPart>(JsonSource::Text(&text), &mut ignored);
                assert_eq!(ignored.len(), if too_deep.is_some() { 0 } else { unread }, "{text}");
                assert_eq!(read.err(), too_deep, "{text}");
            }
        }
    }
}
