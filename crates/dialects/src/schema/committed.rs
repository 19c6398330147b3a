//! Schemas without limits of an operator, as `cargo xtask codegen` has written them.

use super::{SchemaFormat, SchemaPart};
use crate::Dialect;

/// Files of a dialect.
struct CommittedFiles {
    request: PartFiles,
    outcome: PartFiles,
    tool: &'static str,
    openapi: Option<&'static str>,
}

/// Files of a part, in the formats that each part has.
struct PartFiles {
    json_schema: &'static str,
    typescript: &'static str,
    zod: &'static str,
}

macro_rules! file {
    ($folder:literal, $name:literal) => {
        include_str!(concat!("../../../../schemas/", $folder, "/", $name))
    };
}

macro_rules! files {
    ($folder:literal, $openapi:expr) => {
        &CommittedFiles {
            request: PartFiles {
                json_schema: file!($folder, "request.schema.json"),
                typescript: file!($folder, "request.ts"),
                zod: file!($folder, "request.zod.mjs"),
            },
            outcome: PartFiles {
                json_schema: file!($folder, "outcome.schema.json"),
                typescript: file!($folder, "outcome.ts"),
                zod: file!($folder, "outcome.zod.mjs"),
            },
            tool: file!($folder, "tool.json"),
            openapi: $openapi,
        }
    };
}

/// Returns a committed schema; `None` if the dialect lacks the format.
pub(super) fn text(dialect: Dialect, part: SchemaPart, form: SchemaFormat) -> Option<&'static str> {
    let files: &CommittedFiles = match dialect {
        Dialect::Sayso => files!("sayso", None),
        Dialect::Questionnaire => files!("questionnaire", Some(file!("questionnaire", "openapi.json"))),
        Dialect::AskUserQuestion => files!("ask_user_question", None),
        Dialect::Auq => files!("auq", None),
        Dialect::Interaction => files!("interaction", None),
        Dialect::Interrupt => files!("interrupt", None),
    };
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
