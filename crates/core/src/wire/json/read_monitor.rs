//! Deserializer wrapper that only detects unknown members and excessive depth. Slower readers work out the message once
//! there is something to report.

use crate::limits;
use serde::de::{
    DeserializeSeed, Deserializer, EnumAccess, Error, MapAccess, SeqAccess, VariantAccess, Visitor,
};
use std::cell::Cell;
use std::fmt;

/// Findings so far.
#[derive(Default)]
pub(super) struct ReadMonitor {
    depth: Cell<usize>,
    found: Cell<bool>,
}

impl ReadMonitor {
    /// Wraps a reader. The wrapper fails if a text is too deep.
    pub(super) const fn over<D>(&self, reader: D) -> MonitoredReader<'_, D> {
        MonitoredReader { inner: reader, watch: self }
    }

    /// Returns whether there were unknown members. Their depth is not known.
    pub(super) const fn has_unknown_members(&self) -> bool {
        self.found.get()
    }

    /// Reads one level deeper.
    fn deeper<T, E: Error>(&self, read: impl FnOnce() -> Result<T, E>) -> Result<T, E> {
        let depth = self.depth.get() + 1;
        if depth > limits::JSON_DEPTH {
            return Err(E::custom("too deep"));
        }
        self.depth.set(depth);
        let value = read();
        self.depth.set(depth - 1);
        value
    }
}

/// A wrapped part of the reader.
pub(super) struct MonitoredReader<'w, T> {
    inner: T,
    watch: &'w ReadMonitor,
}

macro_rules! forward_reads {
    ($($read:ident($($name:ident: $type:ty),*))*) => {
        $(fn $read<V: Visitor<'de>>(self, $($name: $type,)* visitor: V) -> Result<V::Value, D::Error> {
            self.inner.$read($($name,)* self.watch.over(visitor))
        })*
    };
}

impl<'de, D: Deserializer<'de>> Deserializer<'de> for MonitoredReader<'_, D> {
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
        self.watch.found.set(true);
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

impl<'de, V: Visitor<'de>> Visitor<'de> for MonitoredReader<'_, V> {
    type Value = V::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.inner.expecting(f)
    }

    forward_values! {
        visit_bool(bool) visit_i64(i64) visit_i128(i128) visit_u64(u64) visit_u128(u128) visit_f64(f64)
        visit_str(&str) visit_borrowed_str(&'de str) visit_string(String)
        visit_bytes(&[u8]) visit_borrowed_bytes(&'de [u8]) visit_byte_buf(Vec<u8>)
    }

    fn visit_none<E: Error>(self) -> Result<V::Value, E> {
        self.inner.visit_none()
    }

    fn visit_unit<E: Error>(self) -> Result<V::Value, E> {
        self.inner.visit_unit()
    }

    fn visit_some<D: Deserializer<'de>>(self, reader: D) -> Result<V::Value, D::Error> {
        self.inner.visit_some(self.watch.over(reader))
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, reader: D) -> Result<V::Value, D::Error> {
        self.inner.visit_newtype_struct(self.watch.over(reader))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, array: A) -> Result<V::Value, A::Error> {
        self.watch.deeper(|| self.inner.visit_seq(self.watch.over(array)))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<V::Value, A::Error> {
        self.watch.deeper(|| self.inner.visit_map(self.watch.over(map)))
    }

    fn visit_enum<A: EnumAccess<'de>>(self, variant: A) -> Result<V::Value, A::Error> {
        self.watch.deeper(|| self.inner.visit_enum(self.watch.over(variant)))
    }
}

impl<'de, S: DeserializeSeed<'de>> DeserializeSeed<'de> for MonitoredReader<'_, S> {
    type Value = S::Value;

    fn deserialize<D: Deserializer<'de>>(self, reader: D) -> Result<S::Value, D::Error> {
        self.inner.deserialize(self.watch.over(reader))
    }
}

impl<'de, A: SeqAccess<'de>> SeqAccess<'de> for MonitoredReader<'_, A> {
    type Error = A::Error;

    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, A::Error> {
        self.inner.next_element_seed(self.watch.over(seed))
    }

    fn size_hint(&self) -> Option<usize> {
        self.inner.size_hint()
    }
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for MonitoredReader<'_, A> {
    type Error = A::Error;

    fn next_key_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, A::Error> {
        self.inner.next_key_seed(seed)
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, A::Error> {
        self.inner.next_value_seed(self.watch.over(seed))
    }

    fn size_hint(&self) -> Option<usize> {
        self.inner.size_hint()
    }
}

impl<'de, 'w, A: EnumAccess<'de>> EnumAccess<'de> for MonitoredReader<'w, A> {
    type Error = A::Error;
    type Variant = MonitoredReader<'w, A::Variant>;

    fn variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<(S::Value, Self::Variant), A::Error> {
        let (name, variant) = self.inner.variant_seed(seed)?;
        Ok((name, self.watch.over(variant)))
    }
}

impl<'de, A: VariantAccess<'de>> VariantAccess<'de> for MonitoredReader<'_, A> {
    type Error = A::Error;

    fn unit_variant(self) -> Result<(), A::Error> {
        self.inner.unit_variant()
    }

    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<S::Value, A::Error> {
        self.inner.newtype_variant_seed(self.watch.over(seed))
    }

    fn tuple_variant<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value, A::Error> {
        self.inner.tuple_variant(len, self.watch.over(visitor))
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, A::Error> {
        self.inner.struct_variant(fields, self.watch.over(visitor))
    }
}

#[cfg(test)]
mod tests {
    use crate::limits;
    use crate::wire::json::{check_request_limits, read_reporting_unknown};
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
                let read = read_reporting_unknown::<NestedPart>(&text, &mut ignored);
                assert_eq!(ignored.len(), if too_deep.is_some() { 0 } else { unread }, "{text}");
                assert_eq!(read.err(), too_deep, "{text}");
            }
        }
    }
}
