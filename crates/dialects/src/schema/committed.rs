//! Schemas without limits of an operator, as `cargo xtask codegen` has written them.

use super::formats::{SchemaFormat, SchemaPart};

/// Files of a format.
pub(crate) struct CommittedFiles {
    pub(crate) request: PartFiles,
    pub(crate) outcome: PartFiles,
    pub(crate) tool: &'static str,
    pub(crate) openapi: Option<&'static str>,
}

/// Files of a part, in the forms that each part has.
pub(crate) struct PartFiles {
    pub(crate) json_schema: &'static str,
    pub(crate) typescript: &'static str,
    pub(crate) zod: &'static str,
}

/// The text of a committed file.
macro_rules! committed_file {
    ($folder:literal, $name:literal) => {
        include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../schemas/", $folder, "/", $name))
    };
}
pub(crate) use committed_file;

/// The committed files in the folder of a format, and its OpenAPI document.
macro_rules! committed_files {
    ($folder:literal, $openapi:expr) => {
        &$crate::schema::committed::CommittedFiles {
            request: $crate::schema::committed::PartFiles {
                json_schema: $crate::schema::committed::committed_file!($folder, "request.schema.json"),
                typescript: $crate::schema::committed::committed_file!($folder, "request.ts"),
                zod: $crate::schema::committed::committed_file!($folder, "request.zod.mjs"),
            },
            outcome: $crate::schema::committed::PartFiles {
                json_schema: $crate::schema::committed::committed_file!($folder, "outcome.schema.json"),
                typescript: $crate::schema::committed::committed_file!($folder, "outcome.ts"),
                zod: $crate::schema::committed::committed_file!($folder, "outcome.zod.mjs"),
            },
            tool: $crate::schema::committed::committed_file!($folder, "tool.json"),
            openapi: $openapi,
        }
    };
}
pub(crate) use committed_files;

/// Returns a committed schema; `None` if the format lacks it.
pub(super) fn text(files: &CommittedFiles, part: SchemaPart, form: SchemaFormat) -> Option<&'static str> {
    let of_part = match part {
        SchemaPart::Request => &files.request,
        SchemaPart::Outcome => &files.outcome,
    };
    let text = match (form, part) {
        (SchemaFormat::JsonSchema, _) => of_part.json_schema,
        (SchemaFormat::TypeScript, _) => of_part.typescript,
        (SchemaFormat::Zod, _) => of_part.zod,
        (SchemaFormat::Tool, SchemaPart::Request) => files.tool,
        (SchemaFormat::OpenApi, SchemaPart::Request) => files.openapi?,
        (SchemaFormat::Tool | SchemaFormat::OpenApi, SchemaPart::Outcome) => return None,
    };
    Some(text.trim_end())
}
