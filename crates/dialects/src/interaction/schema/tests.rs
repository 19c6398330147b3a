use super::published;
use crate::dialect::Dialect;
use crate::dialect::limits::DialectLimits;
use crate::interaction::reader::read;
use sayso_core::{Lang, ProblemCode};
use serde_json::{Value, json};
use std::path::PathBuf;

/// Returns the vectors of one kind.
fn vectors(kind: &str) -> Vec<Value> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/vectors/interaction");
    let read = |entry: std::io::Result<std::fs::DirEntry>| -> Value {
        serde_json::from_str(&std::fs::read_to_string(entry.unwrap().path()).unwrap()).unwrap()
    };
    std::fs::read_dir(folder).unwrap().map(read).filter(|vector| vector["kind"] == kind).collect()
}

/// Returns whether a refusal is for something that JSON Schema cannot express.
fn is_across(code: ProblemCode) -> bool {
    matches!(
        code,
        ProblemCode::InvalidRequest
            | ProblemCode::DuplicateId
            | ProblemCode::NoSuchOption
            | ProblemCode::BadPattern
    )
}

#[test]
fn schema_accepts_what_reader_accepts() {
    let schema = jsonschema::draft202012::new(&published().request).unwrap();
    let (mut taken, mut refused) = (0, 0);
    let schemas = vectors("schema").into_iter().map(|vector| vector["input"].clone());
    let arguments = vectors("interactionSequence").into_iter().map(|vector| vector["input"]["args"].clone());
    for request in schemas.chain(arguments) {
        match read(&request.to_string()) {
            Ok(_) => {
                taken += 1;
                assert!(schema.is_valid(&request), "{request}");
            }
            Err(problems) => {
                refused += 1;
                let across = problems.iter().all(|problem| is_across(problem.code));
                assert_eq!(schema.is_valid(&request), across, "{request}");
            }
        }
    }
    assert!(taken > 10 && refused > 10, "{taken} {refused}");
}

#[test]
fn every_member_is_described() {
    fn described(value: &Value, place: &str) {
        if let Some(members) = value.get("properties").and_then(Value::as_object) {
            for (name, member) in members {
                let is = member.get("description").is_some() || member.get("$ref").is_some();
                // A branch of an alternative only narrows a member that is described elsewhere.
                assert!(is || place.contains("oneOf"), "{place}.{name}");
            }
        }
        match value {
            Value::Object(members) => {
                members.iter().for_each(|(name, member)| described(member, &format!("{place}.{name}")));
            }
            Value::Array(items) => items.iter().for_each(|item| described(item, place)),
            _ => {}
        }
    }
    described(&published().request, "request");
    described(&published().outcome, "outcome");
    assert!(
        published().request["$defs"]["QuestionnaireField"]["properties"].as_object().unwrap().len() == 15
    );
}

#[test]
fn vector_results_match_outcome_schema() {
    let schema = jsonschema::draft202012::new(&published().outcome).unwrap();
    for vector in vectors("interactionSequence") {
        let expected = &vector["expect"];
        let error = || json!({ "ok": false, "error": expected["error"] });
        let result = expected.get("result").cloned().unwrap_or_else(error);
        assert!(schema.is_valid(&result), "{result}");
    }
    for neither in [json!({ "ok": true }), json!({ "ok": false }), json!({ "ok": true, "answers": [] })] {
        assert!(!schema.is_valid(&neither), "{neither}");
    }
}

#[test]
fn check_messages_match_reader() {
    let zod: String = published().checks.iter().map(|check| check.zod).collect();
    let field = |more: &str| format!(r#"{{"fields":[{{"id":"a","type":"radio","label":"A"{more}}}]}}"#);
    let twice = r#"{"fields":[{"id":"a","type":"text","label":"A"},{"id":"a","type":"text","label":"A"}]}"#;
    let cases = [
        ("{\"fields\":[]}".to_owned(), "Invalid input", "Invalid input"),
        (twice.to_owned(), "Duplicate field id: a", "Duplicate field id: ${field.id}"),
        (field(""), "Field \"a\" requires options", "Field \"${field.id}\" requires options"),
        (
            field(r#","options":[{"label":"x","value":"x"}],"pattern":"[""#),
            "Invalid pattern for field \"a\"",
            "Invalid pattern for field \"${field.id}\"",
        ),
    ];
    for (request, words, source) in cases {
        let problems = Dialect::Interaction.read(&request, &DialectLimits::NONE).unwrap_err();
        assert_eq!(problems[0].message.render(Lang::En), words);
        assert!(zod.contains(source), "{source}");
    }
    assert_eq!(published().tool.name, "questions_ask");
    assert!(
        published().checks.iter().all(|check| published().request["$defs"].get(check.definition).is_some())
    );
}
