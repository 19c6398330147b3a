//! Generated Zod schemas and our readers agree on requests.

use super::node::{self, ZodJob};
use super::places::changed;
use super::requests::{examples, of_vectors};
use crate::dialect::Dialect;
use crate::dialect::limits::DialectLimits;
use crate::schema::formats::{SchemaFormat, SchemaPart};
use crate::schema::{reader, zod};
use serde_json::{Value, json};

/// Requests on which the two differ on purpose, with the reason.
const DIFFER: [(Dialect, &str, &str); 4] = [
    (
        Dialect::Sayso,
        "null for nothing",
        "the reader takes null for what may be left out; nobody should write it",
    ),
    (Dialect::Sayso, "a bad pattern", "it takes our engine to say whether a pattern compiles"),
    (
        Dialect::Sayso,
        "a condition that looks ahead",
        "it takes our engine to say whether a condition can hold",
    ),
    (Dialect::Sayso, "a constraint of another kind", "it takes our engine to say what suits a question"),
];

/// Returns requests in our own format, which has no vectors.
fn of_our_own() -> Vec<(String, String)> {
    let one = |question: Value| json!({ "questions": [question] });
    let asked = |mut more: Value| {
        more["prompt"] = json!("?");
        one(more)
    };
    let requests = [
        ("no text", json!("")),
        ("nothing", json!({})),
        ("no questions", json!({ "questions": [] })),
        (
            "questions and sections",
            json!({ "questions": [{ "prompt": "?" }], "sections": [{ "questions": [{ "prompt": "?" }] }] }),
        ),
        ("an empty section", json!({ "sections": [{ "questions": [] }] })),
        ("a newer version", json!({ "sayso": 2, "questions": [{ "prompt": "?" }] })),
        ("an unknown member", asked(json!({ "colour": 1 }))),
        ("an empty prompt", one(json!({ "prompt": "" }))),
        ("an unknown kind", asked(json!({ "kind": "slider" }))),
        ("an id that is too long", asked(json!({ "id": "x".repeat(201) }))),
        ("an id of many bytes", asked(json!({ "id": "🦀".repeat(150) }))),
        ("an id twice", json!({ "questions": [{ "id": "a", "prompt": "?" }, { "id": "a", "prompt": "?" }] })),
        (
            "an id twice, once by number",
            json!({ "questions": [{ "id": "q1", "prompt": "?" }, { "prompt": "?" }] }),
        ),
        (
            "an id twice, once in a child",
            asked(json!({ "id": "a", "children": [{ "id": "a", "prompt": "?" }] })),
        ),
        ("no options", asked(json!({ "kind": "choice" }))),
        ("an own answer alone", asked(json!({ "kind": "choice", "other": true }))),
        ("an option twice", asked(json!({ "options": [{ "id": "o2", "label": "a" }, { "label": "b" }] }))),
        ("an option without a label", asked(json!({ "options": [{ "id": "a" }] }))),
        ("options of a text", asked(json!({ "kind": "text", "options": [] }))),
        ("several of a confirmation", asked(json!({ "kind": "confirm", "multi": true }))),
        ("not several of a confirmation", asked(json!({ "kind": "confirm", "multi": false }))),
        ("one step", asked(json!({ "kind": "rating", "min": 3, "max": 3 }))),
        ("too many steps", asked(json!({ "kind": "rating", "max": 101 }))),
        ("a fraction of a step", asked(json!({ "kind": "rating", "max": 4.5 }))),
        ("an annotation of no step", asked(json!({ "kind": "rating", "annotations": { "one": "x" } }))),
        ("no step", asked(json!({ "kind": "number", "step": 0 }))),
        ("a step in digits", asked(json!({ "kind": "number", "step": "0.5" }))),
        ("a step in words", asked(json!({ "kind": "number", "step": "half" }))),
        ("an empty constraint", asked(json!({ "constraints": [{ "message": "no" }] }))),
        ("a constraint", asked(json!({ "constraints": [{ "min_length": 2, "required": false }] }))),
        ("a negative length", asked(json!({ "constraints": [{ "min_length": -1 }] }))),
        ("an empty condition", asked(json!({ "children": [{ "prompt": "?", "show_if": {} }] }))),
        ("a condition", asked(json!({ "children": [{ "prompt": "?", "show_if": { "answered": true } }] }))),
        (
            "two conditions in one",
            asked(json!({ "children": [{ "prompt": "?", "show_if": { "answered": true, "is": "a" } }] })),
        ),
        ("a prefill", asked(json!({ "prefill": { "text": "a" } }))),
        ("a prefill of two kinds", asked(json!({ "prefill": { "text": "a", "confirm": true } }))),
        (
            "an act",
            json!({ "action": { "tool": "sh", "act": { "shell": { "command": "ls" } } }, "questions": [{ "prompt": "?" }] }),
        ),
        (
            "two acts",
            json!({ "action": { "tool": "sh", "act": { "shell": { "command": "ls" }, "open": { "url": "x" } } }, "questions": [{ "prompt": "?" }] }),
        ),
        ("null for nothing", asked(json!({ "detail": null }))),
        ("a bad pattern", asked(json!({ "constraints": [{ "pattern": "(" }] }))),
        (
            "a condition that looks ahead",
            json!({ "questions": [{ "prompt": "?", "show_if": { "question": "q1", "answered": true } }, { "prompt": "?" }] }),
        ),
        ("a constraint of another kind", asked(json!({ "constraints": [{ "min_picks": 1 }] }))),
    ];
    let named = requests.map(|(name, request)| (name.to_owned(), request.to_string()));
    named.into_iter().chain([("no JSON".to_owned(), "{".to_owned())]).collect()
}

/// Returns requests of the Questionnaire API at and beyond its limits, and invalid patterns.
fn at_the_limits() -> Vec<(String, String)> {
    let text = |id: usize| json!({ "id": id.to_string(), "type": "text", "label": "", "prompt": "" });
    let pattern = |source: &str| json!({ "type": "pattern", "value": source, "message": "" });
    let with = |kind: &str, patterns: usize, source: &str| {
        let mut question = text(0);
        question["type"] = kind.into();
        question["constraints"] = vec![pattern(source); patterns].into();
        json!({ "questions": [question] })
    };
    let with_patterns = |questions: usize| {
        let mut request = json!({ "questions": (0..questions).map(text).collect::<Vec<_>>() });
        request["questions"].as_array_mut().into_iter().flatten().for_each(|question| {
            question["constraints"] = vec![pattern("a"); 20].into();
        });
        request
    };
    let nested = |depth: usize| {
        let deepest = text(depth);
        let inner = (0..depth).rev().fold(deepest, |inner, id| {
            let mut question = text(id);
            question["children"] = json!([inner]);
            question
        });
        json!({ "questions": [inner] })
    };
    let many = |children: usize| {
        let mut first = text(0);
        first["children"] = (1..=children).map(text).collect();
        json!({ "questions": [first] })
    };
    let requests = [
        ("1,000 questions in all", many(999)),
        ("1,001 questions in all", many(1_000)),
        ("16 levels", nested(16)),
        ("17 levels", nested(17)),
        ("200 patterns", with_patterns(10)),
        ("220 patterns", with_patterns(11)),
        ("a pattern of 1,000 characters", with("text", 1, &"a".repeat(1_000))),
        ("a pattern of 1,001 characters", with("text", 1, &"a".repeat(1_001))),
        ("a bad pattern of a text", with("text", 1, "(")),
        ("a bad pattern that is never asked", with("confirm", 1, "(")),
    ];
    requests.map(|(name, request)| (name.to_owned(), request.to_string())).into()
}

fn requests(dialect: Dialect) -> Vec<(String, String)> {
    let mut requests = examples(dialect);
    requests.extend(of_vectors(dialect));
    if dialect == Dialect::Questionnaire {
        requests.extend(at_the_limits());
    }
    if dialect == Dialect::Sayso {
        requests.extend(of_our_own());
    }
    // Our own format has checks that only the reader makes; those of the others can all be expressed.
    let changeable = if dialect == Dialect::Sayso { 0 } else { 5 };
    let whole: Vec<_> = requests.iter().take(changeable).cloned().collect();
    for (name, request) in whole {
        let Ok(document) = serde_json::from_str(&request) else { continue };
        let name = |request: &Value| format!("{name}, changed to {request}");
        requests.extend(changed(&document).iter().map(|request| (name(request), request.to_string())));
    }
    requests
}

fn first_of(lines: &[String]) -> String {
    let lines = lines.iter().take(20).map(|line| line.chars().take(400).collect());
    lines.collect::<Vec<String>>().join("\n")
}

#[test]
fn zod_and_reader_agree() {
    let limits = DialectLimits::default();
    let (mut jobs, mut asked) = (Vec::new(), Vec::new());
    for dialect in Dialect::ALL {
        let published = dialect.usual_format().published();
        let requests = requests(dialect);
        assert!(requests.len() >= 10, "{dialect:?}: {}", requests.len());
        jobs.push(ZodJob {
            source: dialect.schema(SchemaPart::Request, SchemaFormat::Zod, &limits).unwrap(),
            schema: zod::schema_name(&reader::read(&published.request, "Request").unwrap().name),
            texts: requests.iter().map(|(_, request)| request.clone()).collect(),
            files: Vec::new(),
        });
        asked.push((dialect, requests));
    }
    let mut differing = Vec::new();
    for ((dialect, requests), verdicts) in asked.iter().zip(node::verdicts(&jobs)) {
        assert!(verdicts.contains(&true) && verdicts.contains(&false), "{dialect:?}");
        for (of, named, _) in DIFFER.iter().filter(|(of, ..)| of == dialect) {
            assert!(
                requests.iter().any(|(name, _)| name.starts_with(named)),
                "{of:?}: no request is {named}"
            );
        }
        for ((name, request), taken) in requests.iter().zip(verdicts) {
            let read = dialect.read(request, &limits);
            let differs = DIFFER.iter().any(|(of, named, _)| of == dialect && name.starts_with(named));
            if (read.is_ok() == taken) == differs {
                differing.push(format!(
                    "{dialect:?}: {name}: Zod {taken}, reader {:?}",
                    read.map(|read| read.warnings)
                ));
            }
        }
    }
    assert!(differing.is_empty(), "{}", first_of(&differing));
}

#[test]
fn zod_and_json_schema_agree() {
    for dialect in Dialect::ALL {
        let published = dialect.usual_format().published();
        let schema = jsonschema::draft202012::new(&published.request).unwrap();
        let document = reader::read(&published.request, "Request").unwrap();
        let rules = zod::ZodRules {
            length_unit: sayso_core::model::validation_rules::LengthUnit::Scalar,
            strips_unknown: published.strips_unknown,
        };
        let source = zod::write(&document, &[], rules, "").unwrap();
        let requests = examples(dialect).into_iter().chain(of_vectors(dialect).into_iter().take(3));
        let documents: Vec<Value> =
            requests.filter_map(|(_, text)| serde_json::from_str(&text).ok()).collect();
        // A sample is enough, as each change is made in many places.
        let documents: Vec<Value> = documents.iter().flat_map(changed).step_by(7).collect();
        let texts = documents.iter().map(Value::to_string).collect();
        let schema_name = zod::schema_name(&document.name);
        let job = ZodJob { source, schema: schema_name, texts, files: Vec::new() };
        let verdicts = node::verdicts(&[job]).concat();
        let wrong =
            documents.iter().zip(verdicts).filter(|(document, taken)| schema.is_valid(document) != *taken);
        let wrong: Vec<_> = wrong.map(|(document, taken)| format!("Zod {taken}: {document}")).collect();
        assert!(
            wrong.is_empty(),
            "{dialect:?}: {} of {}: {}",
            wrong.len(),
            documents.len(),
            wrong.join("\n")
        );
    }
}
