//! Tests of error replies: the member, the expected value, and the fix over HTTP.

use crate::support::http_client::{HttpCaller, HttpReply};
use crate::support::served_desk::{ServedDesk, answer_ask, answer_body, ask_path, create_ask};
use crate::support::test_world::TestWorld;
use serde_json::{Value, json};

const REQUEST_BYTES: usize = 1 << 20;

#[test]
fn missing_and_extra_members_are_named() {
    let world = TestWorld::new();
    let served = ServedDesk::start(&world);
    let (asker, person) = (served.asker(&world), served.person(&world));
    let ask = create_ask(&asker, "door");
    let without = person.post(&ask_path(&ask, "/answer"), &json!({ "answers": { "text": "x" } }));
    let report = without.problem(422, "required");
    assert_eq!((&report["path"], &report["detail"]), (&json!(["shown"]), &json!("shown is missing.")));
    let body = json!({ "questions": [] }).to_string();
    let chinese = person
        .request("PATCH", &ask_path(&ask, "/draft"))
        .header("accept-language", "zh")
        .body("application/json", "{}")
        .send();
    assert_eq!(chinese.problem(422, "required")["detail"], "缺少 replies。");
    let other = asker.request("POST", "/v1/asks").body("application/json", body).send();
    let report = other.problem(422, "unknown_member");
    assert_eq!(report["path"], json!(["questions"]));
    let there = report["detail"].as_str().unwrap();
    assert!(there.contains("request") && there.contains("questionnaire"), "{there}");
    let bare = json!({ "questions": [{ "prompt": "Which?", "options": ["red", "blue"] }] });
    let report = asker.post("/v1/asks", &bare).problem(422, "unknown_member");
    assert_eq!(report["hint"], "Put the request into the member \"request\".");
    let never = asker.post("/v1/asks", &json!({ "request": {}, "timeout_ms": -1 }));
    assert_eq!(never.problem(422, "invalid_value")["path"], json!(["timeout_ms"]));
    let keyed = asker.post("/v1/asks", &json!({ "request": {}, "key": "k" })).problem(422, "unknown_member");
    assert_eq!(keyed["hint"], "Put the key into the header Idempotency-Key.");
    // An asker reads that it may not answer, not what its answer lacks.
    let decision = |caller: &HttpCaller, act: &str| caller.post(&ask_path(&ask, act), &json!({}));
    for act in ["/answer", "/decline"] {
        decision(&asker, act).problem(403, "not_allowed");
        let unseen = decision(&person, act).problem(422, "required");
        assert_eq!(unseen["detail"], "shown is missing.");
        assert!(
            unseen["hint"].as_str().unwrap().contains("digest of the question, from GET /v1/asks/ID"),
            "{unseen}"
        );
    }
    assert!(asker.get(&ask_path(&ask, "")).json(200)["digest"].is_string());
    let slip = asker.post("/v1/asks", &json!({ "requets": {} })).problem(422, "unknown_member");
    assert!(slip["hint"].as_str().unwrap().contains("request"), "{slip}");
}

#[test]
fn error_type_links_to_its_remedy() {
    let world = TestWorld::new();
    let served = ServedDesk::start(&world);
    let asker = served.asker(&world);
    let page = served.without_token().get("/docs").text();
    for (reply, code, remedy) in [
        (asker.get("/v1/asks/ffffffff"), "ask_not_found", "Check that the desk is the right one."),
        (asker.get("/v1/nothing"), "no_such_route", "This page lists all paths."),
        (served.without_token().get("/v1/asks"), "unauthorized", "<code>Authorization: Bearer TOKEN</code>"),
    ] {
        let problem = reply.value();
        let (path, fragment) = problem["type"].as_str().unwrap().split_once('#').unwrap();
        assert_eq!((path, fragment), ("/docs", code), "{problem}");
        let (_, entry) = page.split_once(&format!("<dt id=\"{fragment}\">")).expect(code);
        assert!(entry.split("<dt").next().unwrap().contains(remedy), "{entry}");
    }
}

#[test]
fn path_uses_the_bodys_names() {
    let world = TestWorld::new();
    let served = ServedDesk::start(&world);
    let (asker, person) = (served.asker(&world), served.person(&world));
    let ask = create_ask(&asker, "door");
    let replies = json!({ "nothing": { "state": "answered", "answer": { "text": "x" } } });
    let draft =
        person.request("PATCH", &ask_path(&ask, "/draft")).json(&json!({ "replies": replies })).send();
    assert_eq!(draft.problem(422, "no_such_question")["path"], json!(["replies", "nothing"]));
    let body = json!({ "shown": ask["digest"], "replies": {} });
    let report = person.post(&ask_path(&ask, "/answer"), &body).problem(422, "invalid_answers");
    assert_eq!(report["causes"][0]["path"], json!(["replies", "text"]));
    let body = json!({ "shown": ask["digest"], "answers": { "text": "" } });
    let report = person.post(&ask_path(&ask, "/answer"), &body).problem(422, "invalid_answers");
    assert_eq!(report["causes"][0]["path"], json!(["answers", "text"]));
}

#[test]
fn contradiction_asks_which_one() {
    let world = TestWorld::new();
    let served = ServedDesk::start(&world);
    let (asker, person) = (served.asker(&world), served.person(&world));
    let ask = create_ask(&asker, "door");
    let output_of = |answers: &str| {
        let body = format!("{{\"shown\":{},{answers}}}", ask["digest"]);
        person.request("POST", &ask_path(&ask, "/answer")).body("application/json", body).send()
    };
    let report = output_of(r#""answers":{"text":"no","text":"yes"}"#).problem(422, "invalid_answers");
    assert_eq!(report["causes"][0]["code"], "duplicate_id", "{report}");
    let reply = |text: &str| format!(r#""text":{{"state":"answered","answer":{{"text":"{text}"}}}}"#);
    let report =
        output_of(&format!("\"replies\":{{{},{}}}", reply("no"), reply("yes"))).problem(422, "duplicate_id");
    assert_eq!(report["path"], json!(["replies", "text"]));
    let report = output_of(&format!("\"replies\":{{{}}},\"as_sent\":{{\"text\":\"no\"}}", reply("yes")));
    assert_eq!(report.problem(422, "invalid_value")["path"], json!(["as_sent"]));
    let fields = json!({ "title": "How many?", "fields": [
        { "id": "n", "type": "number", "label": "N", "max": 5 },
    ] });
    let ask = asker
        .post("/v1/asks", &json!({ "dialect": "interaction", "request": { "schema": fields } }))
        .json(201);
    let answer = |sent: u32| {
        let replies = json!({ "n": { "state": "answered", "answer": { "number": 3 } } });
        let body = json!({ "shown": ask["digest"], "replies": replies, "as_sent": { "n": sent } });
        person.post(&ask_path(&ask, "/answer"), &body)
    };
    answer(99_999).problem(422, "invalid_value");
    assert_eq!(answer(3).status, 200);
}

#[test]
fn advice_fits_caller_and_http() {
    let world = TestWorld::new();
    let served = ServedDesk::start(&world);
    let (asker, person) = (served.asker(&world), served.person(&world));
    let ask = create_ask(&asker, "door");
    let other = json!({ "shown": "0".repeat(64), "answers": { "text": "x" } });
    let changed = person.post(&ask_path(&ask, "/answer"), &other);
    let changed = changed.problem(changed.status, "ask_changed");
    assert!(changed["hint"].as_str().unwrap().contains("\"shown\""), "{changed}");
    answer_ask(&person, &ask, "first");
    let late =
        person.post(&ask_path(&ask, "/answer"), &answer_body(&ask, "second")).problem(409, "ask_answered");
    assert!(late["hint"].as_str().unwrap().contains("\"late\""), "{late}");
    // An asker has typed nothing.
    let cancelled = asker.post(&ask_path(&ask, "/cancel"), &json!({})).problem(409, "ask_answered");
    assert_eq!(cancelled["hint"], Value::Null);
}

#[test]
fn rejection_errors_name_their_place() {
    let world = TestWorld::new();
    let served = ServedDesk::start(&world);
    let (asker, person) = (served.asker(&world), served.person(&world));
    let request = json!({ "questions": [{ "id": "text", "prompt": "Say it." }] });
    let ask = asker.post("/v1/asks", &json!({ "request": request, "judged": true })).json(201);
    person.post(&ask_path(&ask, "/answer"), &answer_body(&ask, "it")).json(200);
    let verdict = |body: Value| asker.post(&ask_path(&ask, "/verdict"), &body);
    assert_eq!(verdict(json!({ "round": 1 })).problem(422, "required")["path"], json!(["errors"]));
    let errors = json!([{ "question": "text", "message": "a" }, { "question": "nothing", "message": "b" }]);
    let value = verdict(json!({ "round": 1, "errors": errors })).problem(422, "no_such_question");
    assert_eq!(value["path"], json!(["errors", 1, "question"]));
    let mend = json!([{ "question": "text", "message": "Louder." }]);
    let asked = verdict(json!({ "round": 1, "errors": mend })).json(200);
    assert_eq!(asked["phase"]["open"]["round"], 2, "{asked}");
}

#[test]
fn unreadable_body_has_one_status() {
    let world = TestWorld::new();
    let served = ServedDesk::start(&world);
    let asker = served.asker(&world);
    let send = |path: &str, body: String| asker.request("POST", path).body("application/json", body).send();
    let large = format!(r#"{{"questions":[{{"prompt":"{}"}}]}}"#, "x".repeat(REQUEST_BYTES));
    let large_form = format!(r#"{{"schema":{{"fields":[]}},"prompt":"{}"}}"#, "x".repeat(REQUEST_BYTES));
    let in_dialect = format!(r#"{{"dialect":"sayso","request":{large}}}"#);
    for body in [format!(r#"{{"request":{large}}}"#), in_dialect] {
        let report = send("/v1/asks", body).problem(413, "too_large");
        assert_eq!((&report["path"], &report["hint"]), (&json!(["request"]), &Value::Null));
    }
    let code = |reply: HttpReply, status: u16| reply.json(status)["code"].clone();
    let operation = "/api/plugins/questions/operations/ask";
    assert_eq!(code(send(operation, large_form), 413), "too_large");
    for dialect in ["", r#""dialect":"sayso","#, r#""dialect":"auq","#] {
        let lone = format!(r#"{{{dialect}"request":{{"questions":[{{"prompt":"\ud800"}}]}}}}"#);
        assert_eq!(code(send("/v1/asks", lone), 400), "invalid_json", "{dialect}");
    }
}

#[test]
fn invalid_header_lists_valid_values() {
    let world = TestWorld::new();
    let served = ServedDesk::start(&world);
    let (asker, admin) = (served.asker(&world), served.admin(&world));
    let role = admin.request("GET", "/v1/me").header("sayso-role", "king").send();
    let report = role.problem(400, "bad_header");
    assert_eq!(report["detail"], "The header sayso-role cannot be \"king\".");
    assert!(report["hint"].as_str().unwrap().contains("asker, person"), "{report}");
    let packed = asker.request("POST", "/v1/asks").header("content-encoding", "gzip");
    let report = packed.body("application/json", "{}").send().problem(415, "unsupported_media_type");
    assert!(report["detail"].as_str().unwrap().contains("gzip"), "{report}");
    assert!(report["hint"].as_str().unwrap().contains("content-encoding"), "{report}");
}

#[test]
fn document_lists_body_errors() {
    let world = TestWorld::new();
    let served = ServedDesk::start(&world);
    let document = served.without_token().get("/openapi.json").json(200);
    let operations = document["paths"].as_object().unwrap().values();
    let operations = operations.flat_map(|path| path.as_object().unwrap().values());
    let mut bodies = 0;
    for operation in operations.filter(|operation| operation.get("requestBody").is_some()) {
        bodies += 1;
        for (status, code) in [("400", "missing_request"), ("408", "body_late"), ("413", "too_large")] {
            let about = &operation["responses"][status]["description"];
            assert!(about.as_str().is_some_and(|about| about.contains(code)), "{operation}");
        }
        assert!(operation["responses"]["415"].is_object(), "{operation}");
    }
    assert!(bodies > 10);
}
