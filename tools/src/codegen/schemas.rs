//! `schemas/<dialect>/`: what each dialect reads and writes, in every form that it is published in; and the API of a
//! desk on the network. Nothing else lies there.

use anyhow::bail;

use super::Generated;
use crate::program::{self, output};

/// The folder of all of them.
pub(super) const FOLDER: &str = "schemas";

/// All schemas that the program lists.
pub(super) fn all() -> anyhow::Result<Vec<Generated>> {
    let binary = program::path("sayso")?;
    let list = output(&binary, &["schema"])?;
    let made = list.lines().map(|line| {
        let arguments: Vec<&str> = std::iter::once("schema").chain(line.split_whitespace()).collect();
        Ok(Generated { path: path(line)?, text: output(&binary, &arguments)? })
    });
    let api = output(&binary, &["serve", "--openapi"])?;
    let api = Generated { path: format!("{FOLDER}/openapi.json"), text: api };
    made.chain([Ok(api)]).collect()
}

/// Returns the path of the schema that these arguments print.
fn path(arguments: &str) -> anyhow::Result<String> {
    let words: Vec<&str> = arguments.split_whitespace().collect();
    let (dialect, form, part) = match words.as_slice() {
        [dialect, "--as", form] => (dialect, *form, "request"),
        [dialect, "--as", form, "--outcome"] => (dialect, *form, "outcome"),
        _ => bail!("`{arguments}` are no arguments of a schema"),
    };
    let name = match form {
        "json-schema" => format!("{part}.schema.json"),
        "typescript" => format!("{part}.ts"),
        "zod" => format!("{part}.zod.mjs"),
        "tool" | "openapi" => format!("{form}.json"),
        _ => bail!("no file is known for the form `{form}`"),
    };
    Ok(format!("{FOLDER}/{dialect}/{name}"))
}

#[cfg(test)]
mod tests {
    use super::path;

    #[test]
    fn each_schema_has_a_file_of_its_own() {
        assert_eq!(path("sayso --as json-schema").unwrap(), "schemas/sayso/request.schema.json");
        assert_eq!(path("sayso --as zod --outcome").unwrap(), "schemas/sayso/outcome.zod.mjs");
        assert_eq!(path("sayso --as typescript").unwrap(), "schemas/sayso/request.ts");
        assert_eq!(path("questionnaire --as openapi").unwrap(), "schemas/questionnaire/openapi.json");
        assert!(path("sayso --as cobol").is_err());
        assert!(path("sayso").is_err());
    }
}
