//! Published schemas agree with the examples, the golden files and the reader.

use jsonschema::Validator;
use sayso_dialects::{Dialect, DialectLimits, SchemaFormat, SchemaPart};
use serde_json::{Value, json};
use std::path::Path;

fn schema(dialect: Dialect, part: SchemaPart) -> Validator {
    let text = dialect.schema(part, SchemaFormat::JsonSchema, &DialectLimits::default()).unwrap();
    let schema: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
    jsonschema::draft202012::new(&schema).unwrap()
}

fn files(folder: &str, named: impl Fn(&str) -> bool) -> Vec<(String, Value)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(folder);
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    let named = entries.filter(|entry| named(entry.file_name().to_str().unwrap()));
    let read = |entry: std::fs::DirEntry| {
        let text = std::fs::read_to_string(entry.path()).unwrap();
        (entry.path().display().to_string(), serde_json::from_str(&text).unwrap())
    };
    named.map(read).collect()
}

#[test]
fn examples_fit_schema_and_reader() {
    let schema = schema(Dialect::Sayso, SchemaPart::Request);
    let examples = files("examples", |name| name.ends_with(".json"));
    assert!(examples.len() > 8);
    for (name, example) in examples {
        assert!(schema.is_valid(&example), "{name}: {:?}", schema.iter_errors(&example).next());
        let read = Dialect::Sayso.read(&example.to_string(), &DialectLimits::NONE).unwrap();
        assert_eq!(read.warnings, [], "{name}");
    }
}

#[test]
fn golden_files_fit_the_schemas() {
    let (request, outcome) =
        (schema(Dialect::Sayso, SchemaPart::Request), schema(Dialect::Sayso, SchemaPart::Outcome));
    let golden = files("crates/core/tests/golden", |name| name.starts_with("questionnaire"));
    assert!(golden.len() > 2);
    for (name, document) in golden {
        assert!(request.is_valid(&document), "{name}: {:?}", request.iter_errors(&document).next());
    }
    for (name, mut document) in files("crates/core/tests/golden", |name| name.starts_with("outcome")) {
        // The files have outcomes as stored; a printed one has a leading version and ask.
        document["sayso"] = json!(1);
        document["ask"] = json!("01890a5d-ac96-774b-bcce-b302099a8057");
        assert!(outcome.is_valid(&document), "{name}: {:?}", outcome.iter_errors(&document).next());
    }
}

#[test]
fn schema_rejects_wrong_shapes() {
    let schema = schema(Dialect::Sayso, SchemaPart::Request);
    let refused = [
        json!({ "questions": [{ "id": "q" }] }),
        json!({ "questions": [{ "prompt": "" }] }),
        json!({ "questions": [{ "prompt": "?", "kind": "slider" }] }),
        json!({ "questions": [{ "prompt": "?", "options": [{ "id": "a" }] }] }),
        json!({ "questions": [{ "prompt": "?", "required": "yes" }] }),
        json!({ "questions": [{ "prompt": "?", "constraints": [{ "min_length": -1 }] }] }),
        json!({ "sections": [{ "title": "t", "questions": [] }] }),
        json!({ "sayso": 2, "questions": [{ "prompt": "?" }] }),
        json!({ "questions": "none" }),
    ];
    for request in refused {
        assert!(!schema.is_valid(&request), "{request}");
        assert!(Dialect::Sayso.read(&request.to_string(), &DialectLimits::NONE).is_err(), "{request}");
    }
}

#[test]
fn guide_requests_are_valid() {
    let guide = include_str!("../../../../docs/questionnaires.md");
    let blocks = guide.split("```json\n").skip(1).filter_map(|block| block.split("```").next());
    let requests: Vec<_> = blocks
        .filter(|block| block.starts_with("{\"questions\"") || block.starts_with("{\"action\""))
        .collect();
    assert!(requests.len() > 1);
    for request in requests {
        let read = Dialect::Sayso.read(request, &DialectLimits::NONE).unwrap();
        assert_eq!(read.warnings, [], "{request}");
    }
    for block in guide.split("```json\n").skip(1).filter_map(|block| block.split("```").next()) {
        if block.starts_with("{\"prompt\"") || block.starts_with("{\"id\"") {
            let request = format!("{{\"questions\":[{block}]}}");
            assert!(
                Dialect::Sayso.read(&request, &DialectLimits::NONE).unwrap().warnings.is_empty(),
                "{block}"
            );
        }
    }
}

#[test]
fn guide_has_every_act() {
    let guide = include_str!("../../../../docs/questionnaires.md");
    let block = guide.split("```json\n").skip(1).find(|block| block.starts_with("{\"run\"")).unwrap();
    let acts: Vec<_> = block.lines().take_while(|line| *line != "```").collect();
    for act in &acts {
        let request = format!(r#"{{"action":{{"tool":"t","act":{act}}},"questions":[{{"prompt":"?"}}]}}"#);
        let read = Dialect::Sayso.read(&request, &DialectLimits::NONE).unwrap();
        assert_eq!(read.warnings, [], "{act}");
    }
    let schema = serde_json::to_value(sayso_core::wire::schema::request()).unwrap();
    let all = schema["$defs"]["ActionKind"]["oneOf"].as_array().unwrap();
    let names: Vec<_> = all.iter().map(|act| act["required"][0].as_str().unwrap()).collect();
    assert_eq!(acts.len(), names.len(), "{names:?}");
    for (act, name) in acts.iter().zip(names) {
        assert!(act.starts_with(&format!("{{\"{name}\": ")), "{act}");
    }
}
