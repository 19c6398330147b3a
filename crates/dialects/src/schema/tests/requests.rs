//! All requests of a dialect: those of its vectors, valid and invalid, and our own examples.

use crate::ask_user_question::route::json_argument;
use crate::dialect::Dialect;
use serde_json::Value;
use std::path::{Path, PathBuf};

/// Place of the request in a vector of this dialect and kind.
const PLACES: [(Dialect, &str, &str); 14] = [
    (Dialect::Questionnaire, "requestSchema", "/input"),
    (Dialect::AskUserQuestion, "terminalSession", "/input"),
    (Dialect::Auq, "schema", "/input"),
    (Dialect::Auq, "formatUserResponse", "/input"),
    (Dialect::Auq, "validateAnswers", "/input"),
    (Dialect::Auq, "mcp", "/input/arguments"),
    (Dialect::Auq, "mcpFlow", "/input"),
    (Dialect::Interaction, "schema", "/input"),
    (Dialect::Interaction, "validateInput", "/input"),
    (Dialect::Interaction, "webClientForm", "/input"),
    (Dialect::Interaction, "interactionSequence", "/input/args"),
    (Dialect::Interrupt, "http", "/input/agentCalls/0/args"),
    (Dialect::Interrupt, "http", "/input/agentCalls/1/args"),
    (Dialect::Interrupt, "unit", "/input/format_interrupt_info/args"),
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Reads the JSON files of a folder, by name.
fn files(folder: &Path, begins: &str) -> Vec<(String, Value)> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    let named = entries.filter_map(|entry| Some((entry.file_name().into_string().ok()?, entry.path())));
    let mut files: Vec<_> = named
        .filter(|(name, _)| name.starts_with(begins) && name.ends_with(".json") && name != "differs.json")
        .map(|(name, path)| (name, serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()))
        .collect();
    files.sort_by(|(one, _), (other, _)| one.cmp(other));
    files
}

/// Returns the requests of the vectors, each with the name of its file.
pub(super) fn of_vectors(dialect: Dialect) -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/vectors").join(dialect.name());
    if !folder.is_dir() {
        return Vec::new();
    }
    let mut requests = Vec::new();
    for (name, vector) in files(&folder, "") {
        let kind = vector["kind"].as_str().unwrap_or_default();
        if let (Dialect::AskUserQuestion, "command") = (dialect, kind) {
            let command = vector["input"]["command"].as_str().unwrap();
            let args = command.strip_prefix("AskUserQuestion").unwrap();
            requests.push((name, json_argument(args).unwrap_or_default().to_owned()));
            continue;
        }
        let places = PLACES.iter().filter(|(of, kinds, _)| (*of, *kinds) == (dialect, kind));
        let found = places.filter_map(|(_, _, place)| vector.pointer(place));
        requests.extend(found.map(|request| (name.clone(), request.to_string())));
    }
    requests
}

/// Returns our own examples, all of them valid.
pub(super) fn examples(dialect: Dialect) -> Vec<(String, String)> {
    let page = root().join(format!("docs/formats/{}.md", dialect.name()));
    let page = std::fs::read_to_string(page).unwrap_or_default();
    let blocks = page.split("```json request\n").skip(1).filter_map(|block| block.split("```").next());
    let mut examples: Vec<_> = blocks.map(|block| ("in the docs".to_owned(), block.to_owned())).collect();
    match dialect {
        Dialect::Sayso => {
            let files = [
                files(&root().join("examples"), ""),
                files(&root().join("crates/core/tests/golden"), "questionnaire"),
            ];
            let files = files.into_iter().flatten();
            examples.extend(files.map(|(name, request)| (name, request.to_string())));
        }
        Dialect::Questionnaire => {
            examples.push((
                "the full example".to_owned(),
                include_str!("../../questionnaire/full_example.json").to_owned(),
            ));
        }
        Dialect::AskUserQuestion | Dialect::Auq | Dialect::Interaction | Dialect::Interrupt => {}
    }
    examples
}
