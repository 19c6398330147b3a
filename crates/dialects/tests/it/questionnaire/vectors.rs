//! Vectors of the Questionnaire API: requests that the spec's schemas accept or reject (2xx), and answers that fix our
//! choices for gaps in the spec (3xx).

use super::read;
use crate::sample::{answered, ask};
use sayso_core::{Lang, Problem, Questionnaire};
use sayso_dialects::questionnaire::{persistence_key, refusal_response, respond, result_text};
use sayso_dialects::{Dialect, DialectGuess};
use serde_json::{Value, json};
use std::path::PathBuf;
use std::sync::Arc;

/// Number of requests from elsewhere, and of our own answers.
const COUNTS: (usize, usize) = (31, 68);

#[test]
fn vectors_pass() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/vectors/questionnaire");
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let (mut requests, mut answers) = (0, 0);
    for file in &files {
        let name = file.file_name().unwrap().to_str().unwrap();
        let vector: Value = serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap();
        match vector["kind"].as_str().unwrap() {
            "requestSchema" => {
                request_schema(name, &vector);
                requests += 1;
            }
            "answers" => {
                given_answers(name, &vector);
                answers += 1;
            }
            kind => panic!("{name}: no test for vectors of kind {kind}"),
        }
    }
    assert_eq!((requests, answers), COUNTS);
}

fn request_schema(name: &str, vector: &Value) {
    let given = vector["input"].to_string();
    match read(&given) {
        Ok(read) => {
            assert_eq!(vector["expect"]["valid"], true, "{name}");
            assert_eq!(Dialect::guess(&given), DialectGuess::One(Dialect::Questionnaire), "{name}");
            assert_eq!(read.questionnaire.problems(), [], "{name}");
        }
        Err(problems) => {
            assert_eq!(vector["expect"]["valid"], false, "{name}: {problems:?}");
            assert_eq!(refusal_response(&problems, Lang::En).status, 400, "{name}");
        }
    }
}

fn given_answers(name: &str, vector: &Value) {
    let expected = &vector["expect"];
    assert!(vector["ruling"].as_str().is_some_and(|ruling| ruling.ends_with('.')), "{name}: no ruling");
    let read = match read(&vector["request"].to_string()) {
        Ok(read) => read,
        Err(problems) => return assert_eq!(expected["refused"], places(&problems), "{name}"),
    };
    assert_eq!(expected["refused"], Value::Null, "{name}");
    assert_eq!(expected.get("warnings").unwrap_or(&json!([])), &places(&read.warnings), "{name}");
    if let Some(key) = expected.get("key") {
        assert_eq!(*key, persistence_key(&read.questionnaire), "{name}");
    }
    if vector.get("answers").is_some() {
        judged_answers(name, vector, read.questionnaire);
    }
}

fn judged_answers(name: &str, vector: &Value, questionnaire: Questionnaire) {
    let expected = &vector["expect"];
    let questionnaire = Arc::new(questionnaire);
    let given = Dialect::Questionnaire.read_answers(&questionnaire, &vector["answers"].to_string()).unwrap();
    match given.validate(&questionnaire) {
        Ok(sent) => {
            let outcome = answered(sent.replies);
            let response = respond(&questionnaire, &outcome);
            assert_eq!(
                (response.status, response.content_type.as_ref()),
                (200, "application/json"),
                "{name}"
            );
            let body: Value = serde_json::from_str(&response.body).unwrap();
            assert_eq!(expected["result"], body, "{name}");
            // Compared verbatim, if the order of the answers matters.
            if let Some(body) = expected.get("body") {
                assert_eq!(*body, response.body, "{name}");
            }
            assert_eq!(
                Dialect::Questionnaire.write(ask(), &questionnaire, &outcome).stdout,
                response.body,
                "{name}"
            );
            if let Some(words) = expected.get("text") {
                assert_eq!(*words, result_text(&questionnaire, &outcome), "{name}");
            }
            let again = Dialect::Questionnaire
                .read_answers(&questionnaire, &response.body)
                .unwrap()
                .validate(&questionnaire)
                .unwrap();
            assert_eq!(respond(&questionnaire, &answered(again.replies)), response, "{name}");
        }
        Err(problems) => {
            let describe = |problem: &Problem| json!({ "path": problem.path.to_js_path(), "message": problem.message.render(Lang::En) });
            assert_eq!(expected["problems"], problems.iter().map(describe).collect::<Value>(), "{name}");
        }
    }
}

fn places(problems: &[Problem]) -> Value {
    let place =
        |problem: &Problem| json!({ "path": problem.path.to_js_path(), "code": problem.code.as_str() });
    problems.iter().map(place).collect()
}

/// Returns the block of the guide with this info string.
fn block(info: &str) -> &'static str {
    let guide = include_str!("../../../../../docs/formats/questionnaire.md");
    let (_, after) = guide.split_once(&format!("```{info}\n")).unwrap();
    after.split_once("\n```").unwrap().0
}

#[test]
fn guide_example_is_valid() {
    let questionnaire = read(block("json request")).unwrap();
    assert_eq!(questionnaire.warnings, []);
    let questionnaire = Arc::new(questionnaire.questionnaire);
    let sent = Dialect::Questionnaire
        .read_answers(&questionnaire, block("json answers"))
        .unwrap()
        .validate(&questionnaire)
        .unwrap();
    assert_eq!(
        Dialect::Questionnaire.write(ask(), &questionnaire, &answered(sent.replies)).stdout,
        block("text reply")
    );
}
