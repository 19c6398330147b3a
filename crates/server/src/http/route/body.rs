//! Body that a route reads, and generators of schemas.

use schemars::{Schema, SchemaGenerator};

/// Generator of a body's schema.
pub(crate) type SchemaFn = fn(&mut SchemaGenerator) -> Schema;
/// Generator of a schema. Only the build that writes the OpenAPI document has it: the program embeds the written one, and
/// is a megabyte smaller without them.
#[derive(Clone, Copy)]
pub(crate) struct Generator<F> {
    #[cfg(feature = "codegen")]
    pub(crate) make: F,
    #[cfg(not(feature = "codegen"))]
    make: std::marker::PhantomData<F>,
}

impl<F: Copy> Generator<F> {
    #[cfg(feature = "codegen")]
    pub(crate) const fn new(make: F) -> Self {
        Self { make }
    }

    #[cfg(not(feature = "codegen"))]
    pub(crate) const fn new(_: F) -> Self {
        Self { make: std::marker::PhantomData }
    }
}

/// Body that a route reads.
#[derive(Clone, Copy)]
pub(crate) enum BodySpec {
    None,
    Json(Generator<SchemaFn>),
    /// Optional JSON.
    MaybeJson(Generator<SchemaFn>),
    /// Optional bytes.
    Bytes,
}

impl BodySpec {
    pub(crate) const fn json(schema: SchemaFn) -> Self {
        Self::Json(Generator::new(schema))
    }

    pub(crate) const fn maybe_json(schema: SchemaFn) -> Self {
        Self::MaybeJson(Generator::new(schema))
    }

    /// Returns the required media type.
    pub(crate) const fn media(self) -> &'static str {
        match self {
            Self::None | Self::Json(_) | Self::MaybeJson(_) => "application/json",
            Self::Bytes => "application/octet-stream",
        }
    }
}
