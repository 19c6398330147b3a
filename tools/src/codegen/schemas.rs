//! `schemas/<dialect>/`: what each dialect reads and writes, in every form that it is published in; and the API of a
//! desk on the network. Nothing else lies there. The program embeds these files.

use sayso_dialects::{Dialect, SchemaFormat, SchemaPart};

use super::Generated;

/// The folder of all of them.
pub(super) const FOLDER: &str = "schemas";

/// All schemas that the dialects have.
pub(super) fn all() -> Vec<Generated> {
    let mut made = Vec::new();
    for dialect in Dialect::ALL {
        for (form, part) in
            SchemaFormat::ALL.into_iter().flat_map(|form| SchemaPart::ALL.map(|part| (form, part)))
        {
            if let Some(text) = dialect.generate_schema(part, form) {
                let path = format!("{FOLDER}/{}/{}", dialect.name(), file_name(part, form));
                made.push(Generated { path, text: format!("{}\n", text.trim_end()) });
            }
        }
    }
    let api = sayso_server::http::generate_openapi();
    made.push(Generated { path: format!("{FOLDER}/openapi.json"), text: api });
    made
}

/// Returns the name of the file of a schema in the folder of its dialect.
fn file_name(part: SchemaPart, form: SchemaFormat) -> String {
    let part = match part {
        SchemaPart::Request => "request",
        SchemaPart::Outcome => "outcome",
    };
    match form {
        SchemaFormat::JsonSchema => format!("{part}.schema.json"),
        SchemaFormat::TypeScript => format!("{part}.ts"),
        SchemaFormat::Zod => format!("{part}.zod.mjs"),
        SchemaFormat::Tool | SchemaFormat::OpenApi => format!("{}.json", form.name()),
    }
}
