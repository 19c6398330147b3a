//! `schemas/`: the formats that Sayso reads and writes, as JSON Schema 2020-12.

use std::path::Path;

use super::program::{build, output};

/// What a request in the `sayso` dialect is.
pub(crate) fn request(root: &Path) -> anyhow::Result<String> {
    output(&build(root)?, &["schema", "sayso"])
}

/// What an asker gets in the `sayso` dialect.
pub(crate) fn outcome(root: &Path) -> anyhow::Result<String> {
    output(&build(root)?, &["schema", "sayso", "--outcome"])
}
