//! Recorded requests and answers of the Questionnaire API, over the wire: each is asked by a request and answered by a
//! person.

use crate::support::http_client::HttpCaller;
use crate::support::served_desk::ServedDesk;
use crate::support::test_vector::{self, TestVector};
use crate::support::test_world::TestWorld;
use serde_json::{Value, json};

/// Asks under the name of the vector, and returns the id of the ask, or all invalid places.
fn ask_vector(asker: &HttpCaller, name: &str, request: &Value) -> Result<String, Vec<Value>> {
    let call = asker.request("POST", "/questionnaire").header("prefer", "respond-async");
    let reply = call.header("idempotency-key", name).json(request).send();
    if reply.status == 202 {
        return Ok(reply.json(202)["ask"].as_str().unwrap().to_owned());
    }
    let problem = reply.json(400);
    assert_eq!(problem["type"], "invalid-request", "{problem}");
    Err(problem["errors"].as_array().unwrap().clone())
}

#[test]
fn request_vectors_match_over_wire() {
    let world = TestWorld::new();
    let served = ServedDesk::start(&world);
    let asker = served.asker(&world);
    let vectors = test_vector::vectors_of("questionnaire", "requestSchema");
    assert_eq!(vectors.len(), 31);
    for TestVector { name, body: vector, .. } in vectors {
        let asked = ask_vector(&asker, &name, &vector["input"]);
        assert_eq!(vector["expect"]["valid"], asked.is_ok(), "{name}: {asked:?}");
    }
}

#[test]
fn answer_vectors_match_over_wire() {
    let world = TestWorld::new();
    let served = ServedDesk::start(&world);
    let (asker, person) = (served.asker(&world), served.person(&world));
    let vectors = test_vector::vectors_of("questionnaire", "answers");
    assert_eq!(vectors.len(), 68);
    for TestVector { name, body: vector, .. } in vectors {
        let expected = &vector["expect"];
        let id = match ask_vector(&asker, &name, &vector["request"]) {
            Ok(id) => id,
            Err(errors) => {
                let places: Vec<_> = errors.iter().map(|error| &error["path"]).collect();
                let refused = expected["refused"].as_array().unwrap_or_else(|| panic!("{name}: {errors:?}"));
                assert_eq!(places, refused.iter().map(|place| &place["path"]).collect::<Vec<_>>(), "{name}");
                continue;
            }
        };
        assert_eq!(expected["refused"], Value::Null, "{name}");
        let Some(answers) = vector.get("answers") else { continue };
        let shown = person.get(&format!("/v1/asks/{id}")).json(200)["digest"].clone();
        let body = json!({ "shown": shown, "answers": answers });
        let answered = person.post(&format!("/v1/asks/{id}/answer"), &body);
        if let Some(problems) = expected.get("problems") {
            let problem = answered.json(422);
            let causes = problem["causes"].as_array().cloned().unwrap_or_else(|| vec![problem.clone()]);
            let value: Vec<_> = causes.iter().map(|cause| &cause["detail"]).collect();
            let wanted: Vec<_> =
                problems.as_array().unwrap().iter().map(|problem| &problem["message"]).collect();
            assert_eq!(value, wanted, "{name}");
            continue;
        }
        assert_eq!(answered.status, 200, "{name}: {}", answered.text());
        // A client that repeats the same request gets the answer.
        let again = asker.request("POST", "/questionnaire").header("idempotency-key", &name);
        let result = again.json(&vector["request"]).send().json(200);
        assert_eq!(result["answers"], expected["result"]["answers"], "{name}");
    }
}
