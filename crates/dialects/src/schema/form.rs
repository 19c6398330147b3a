//! What can be had of a dialect, and as what.

/// A part of a dialect.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Part {
    /// What is asked with.
    Request,
    /// What an asker gets.
    Outcome,
}

impl Part {
    /// Both of them.
    pub const ALL: [Self; 2] = [Self::Request, Self::Outcome];

    /// What it is called where its schema has no title.
    pub(super) const fn usual_name(self) -> &'static str {
        match self {
            Self::Request => "Request",
            Self::Outcome => "Outcome",
        }
    }
}

/// A language that says what a request or an outcome is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Form {
    /// JSON Schema 2020-12.
    #[default]
    JsonSchema,
    /// TypeScript types.
    TypeScript,
    /// Zod 4, as an ECMAScript module.
    Zod,
    /// The definition of a tool that a language model calls. Requests only.
    Tool,
    /// An OpenAPI 3.0.3 document of the HTTP interface, for the dialects that have one. It stands with the request and
    /// has the outcome in it.
    OpenApi,
}

impl Form {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::JsonSchema, Self::TypeScript, Self::Zod, Self::Tool, Self::OpenApi];

    /// Its name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::JsonSchema => "json-schema",
            Self::TypeScript => "typescript",
            Self::Zod => "zod",
            Self::Tool => "tool",
            Self::OpenApi => "openapi",
        }
    }

    /// The form of this name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|form| form.name() == name)
    }
}
