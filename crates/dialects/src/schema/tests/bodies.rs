//! HTTP bodies are exactly those of the `OpenAPI` document.

use super::requests::of_vectors;
use crate::dialect::Dialect;
use crate::dialect::limits::DialectLimits;
use crate::questionnaire::outcome::{QuestionnaireResponse, refusal_response, respond};
use crate::questionnaire::reader::read;
use crate::schema::formats::{SchemaFormat, SchemaPart};
use sayso_core::{Answer, Lang, Outcome, Questionnaire, Reply};
use serde_json::{Value, json};

fn document() -> Value {
    let text = Dialect::Questionnaire
        .schema(SchemaPart::Request, SchemaFormat::OpenApi, &DialectLimits::default())
        .unwrap();
    serde_json::from_str(&text).unwrap()
}

/// Returns the validator of a response that rejects members outside the schema.
fn validator(document: &Value, response: &QuestionnaireResponse) -> jsonschema::Validator {
    let place = format!(
        "/paths/~1questionnaire/post/responses/{}/content/{}/schema",
        response.status,
        response.content_type.replace('/', "~1")
    );
    let mut schema = document.pointer(&place).unwrap_or_else(|| panic!("nothing at {place}")).clone();
    let mut schemas = document["components"]["schemas"].clone();
    close(&mut schemas);
    schema["components"] = json!({ "schemas": schemas });
    // For these bodies, the document's older JSON Schema and the newer agree.
    jsonschema::draft202012::new(&schema).unwrap()
}

fn close(schema: &mut Value) {
    if schema.get("properties").is_some() && schema.get("additionalProperties").is_none() {
        schema["additionalProperties"] = false.into();
    }
    match schema {
        Value::Array(items) => items.iter_mut().for_each(close),
        Value::Object(members) => members.values_mut().for_each(close),
        _ => {}
    }
}

fn outcome(questionnaire: &Questionnaire, kind: &Value) -> Outcome {
    let at = "2026-01-02T03:04:05Z";
    let receipt = json!({
        "by": "ada", "surface": "prompter", "assurance": "terminal", "at": at, "shown": "0".repeat(64),
    });
    match kind.as_str() {
        Some("answered") => {
            let reply = |number: usize| {
                let answers = [Reply::from_picks([]), Reply::from_text("x")];
                let scale =
                    [Reply::from_answer(Answer::Confirm(true)), Reply::from_answer(Answer::Rating(3))];
                answers.into_iter().chain(scale).nth(number).unwrap()
            };
            let ids = questionnaire.questions.iter().map(|question| question.id.clone());
            Outcome::Answered {
                replies: ids.zip((1..).map(reply)).collect(),
                as_sent: None,
                receipt: serde_json::from_value(receipt).unwrap(),
                verdict: None,
            }
        }
        Some(ended) => serde_json::from_value(json!({ "outcome": ended, "at": at })).unwrap(),
        None => serde_json::from_value(
            json!({ "outcome": "declined", "reason": kind["why"], "receipt": receipt }),
        )
        .unwrap(),
    }
}

#[test]
fn http_bodies_match_openapi() {
    let document = document();
    let questions = json!({ "questions": [
        { "id": "t", "type": "text", "label": "T", "prompt": "P" },
        { "id": "c", "type": "confirm", "label": "C", "prompt": "P" },
        { "id": "r", "type": "rating", "label": "R", "prompt": "P", "range": { "min": 1, "max": 5 } },
    ] });
    let questionnaire = read(&questions.to_string()).unwrap().questionnaire;
    let kinds =
        [json!("answered"), json!({ "why": "not now" }), json!({}), json!("cancelled"), json!("expired")];
    let mut sent: Vec<QuestionnaireResponse> =
        kinds.map(|kind| respond(&questionnaire, &outcome(&questionnaire, &kind))).into();
    let refused = of_vectors(Dialect::Questionnaire).into_iter().filter_map(|(_, text)| read(&text).err());
    let more = [
        "",
        "{",
        r#"{"questions":[{"id":"p","type":"text","label":"","prompt":"","constraints":[{"type":"pattern","value":"[[:alpha:]]","message":""}]}]}"#,
    ];
    let refused: Vec<_> = refused.chain(more.iter().filter_map(|text| read(*text).err())).collect();
    assert!(refused.len() > 10 && refused.iter().flatten().any(|problem| problem.hint.is_some()));
    sent.extend(refused.iter().map(|problems| refusal_response(problems, Lang::En)));
    for response in sent {
        let body: Value = serde_json::from_str(&response.body).unwrap();
        let schema = validator(&document, &response);
        assert!(schema.is_valid(&body), "{body}: {}", schema.iter_errors(&body).next().unwrap());
        for name in body.as_object().unwrap().keys().filter(|name| *name != "reason") {
            let mut less = body.clone();
            less.as_object_mut().unwrap().remove(name);
            assert!(!schema.is_valid(&less), "{name} need not stand in {body}");
        }
    }
}

#[test]
fn submitted_at_has_date_time_format() {
    let text = Dialect::Questionnaire
        .schema(SchemaPart::Outcome, SchemaFormat::JsonSchema, &DialectLimits::default())
        .unwrap();
    let schema: Value = serde_json::from_str(&text).unwrap();
    for definitions in [&schema["$defs"], &document()["components"]["schemas"]] {
        assert_eq!(definitions["QuestionnaireResult"]["properties"]["submittedAt"]["format"], "date-time");
    }
}

#[test]
fn zod_source_runs_on_4_0() {
    for dialect in Dialect::ALL {
        for part in SchemaPart::ALL {
            let source = dialect.schema(part, SchemaFormat::Zod, &DialectLimits::default()).unwrap();
            assert!(!source.contains("z.xor"), "{dialect:?} {part:?}");
        }
    }
}
