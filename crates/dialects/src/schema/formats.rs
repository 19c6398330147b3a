//! Parts of a dialect with a schema, and the formats of schemas.

/// Part of a dialect that has a schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SchemaPart {
    /// The request of an asker.
    Request,
    /// The outcome for an asker.
    Outcome,
}

impl SchemaPart {
    /// Both parts.
    pub const ALL: [Self; 2] = [Self::Request, Self::Outcome];

    /// Returns the name of the part if its schema has no title.
    pub(super) const fn default_name(self) -> &'static str {
        match self {
            Self::Request => "Request",
            Self::Outcome => "Outcome",
        }
    }
}

/// Format of a schema.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum SchemaFormat {
    /// JSON Schema 2020-12.
    #[default]
    JsonSchema,
    /// TypeScript types.
    TypeScript,
    /// Zod 4, as an ECMAScript module.
    Zod,
    /// Tool definition for a language model. Requests only.
    Tool,
    /// OpenAPI 3.0.3 document of the HTTP interface, for the dialects that have one. It belongs to the request and
    /// includes the outcome.
    OpenApi,
}

impl SchemaFormat {
    /// All formats.
    pub const ALL: [Self; 5] = [Self::JsonSchema, Self::TypeScript, Self::Zod, Self::Tool, Self::OpenApi];

    /// Returns its name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::JsonSchema => "json-schema",
            Self::TypeScript => "typescript",
            Self::Zod => "zod",
            Self::Tool => "tool",
            Self::OpenApi => "openapi",
        }
    }

    /// Returns the format with this name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|form| form.name() == name)
    }
}
