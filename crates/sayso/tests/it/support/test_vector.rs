//! Recorded inputs and outputs of the programs whose formats we speak, as files.

use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Recorded case.
pub(crate) struct TestVector {
    /// Prefix of its file's name.
    pub(crate) number: String,
    /// Name of its file.
    pub(crate) name: String,
    pub(crate) body: Value,
}

fn folder(dialect: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../dialects/tests/vectors").join(dialect)
}

fn read_json<T: serde::de::DeserializeOwned>(file: &Path) -> T {
    let text = std::fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}

/// Returns the vectors of one kind of a dialect, in order.
pub(crate) fn vectors_of(dialect: &str, kind: &str) -> Vec<TestVector> {
    let files = std::fs::read_dir(folder(dialect)).unwrap().map(|entry| entry.unwrap().path());
    let mut vectors: Vec<_> = files
        .map(|file| {
            let name = file.file_name().unwrap().to_str().unwrap().to_owned();
            let number = name.split('-').next().unwrap().to_owned();
            TestVector { number, name, body: read_json(&file) }
        })
        .filter(|vector| vector.body["kind"] == kind)
        .collect();
    vectors.sort_by(|one, other| one.name.cmp(&other.name));
    vectors
}

/// Returns the vectors of a dialect with deviations, and the reasons from the table next to them.
pub(crate) fn known_deviations(dialect: &str) -> BTreeMap<String, String> {
    read_json(&folder(dialect).join("differs.json"))
}
