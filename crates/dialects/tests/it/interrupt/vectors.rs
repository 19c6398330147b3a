//! Recorded inputs and outputs of the original server. Intended differences are listed here.

use super::read;
use crate::sample::{answered, ask, declined};
use sayso_core::{Lang, OptionId, Pick, Questionnaire, Reply};
use sayso_dialects::Dialect;
use sayso_dialects::interrupt::{
    InterruptEvent, ResumeDecision, ResumeRequest, call_info, data_from_call, end_events, interrupt_events,
    is_ask_user_interrupt, not_waiting_problem, rejection_events, resolve_decision, split_requests,
    task_name, tool_result,
};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

/// Sessions, tokens, threads and the agent's own messages, which the server tests.
const NEED_A_SERVER: [&str; 11] =
    ["001", "002", "003", "004", "005", "015", "017", "019", "025", "051", "052"];

fn vector(number: &str) -> Value {
    let found = vectors().into_iter().find(|(name, _)| name == number);
    found.unwrap_or_else(|| panic!("there is no vector {number}")).1
}

fn vectors() -> Vec<(String, Value)> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/vectors/interrupt");
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let read = |file: PathBuf| {
        let number = file.file_name().unwrap().to_str().unwrap().split('-').next().unwrap().to_owned();
        (number, serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap())
    };
    files.map(read).collect()
}

#[test]
fn vectors_pass() {
    let vectors = vectors();
    assert_eq!(vectors.len(), 49);
    let mut left = BTreeSet::new();
    for (number, vector) in &vectors {
        match vector["kind"].as_str().unwrap() {
            "unit" => unit(number, vector),
            "docOnly" => doc_only(number, vector),
            "frontend" => frontend(number, vector),
            "http" => {
                if !http(number, vector) {
                    left.insert(number.as_str());
                }
            }
            kind => panic!("{number}: no test for vectors of kind {kind}"),
        }
    }
    assert_eq!(left, NEED_A_SERVER.into_iter().collect());
}

fn unit(number: &str, vector: &Value) {
    let input = &vector["input"];
    let value = match input.get("format_interrupt_info") {
        Some(call) => call_info(call["name"].as_str().unwrap(), &call["args"]),
        None => task_name(input["task_display_name"].as_str().unwrap()).to_owned(),
    };
    assert_eq!(vector["expect"], value, "{number}");
}

/// Returns this many questions, each with the options a and b.
fn asked(count: usize) -> Questionnaire {
    let options = json!([{ "label": "A", "value": "a" }, { "label": "B", "value": "b" }]);
    let question = json!({ "question": "Which?", "options": options });
    read(&json!({ "questions": vec![question; count] }).to_string()).unwrap().questionnaire
}

/// Returns the stream's error for a rejected resume.
fn error(questionnaire: &Questionnaire, body: &Value) -> Vec<Value> {
    events(&rejection_events(&resolve_decision(questionnaire, &resume(body)).unwrap_err(), Lang::En))
}

fn resume(body: &Value) -> ResumeRequest {
    ResumeRequest::from_body(body).unwrap()
}

fn events(events: &[InterruptEvent]) -> Vec<Value> {
    events.iter().map(|event| json!({ "event": event.name, "data": event.data })).collect()
}

fn doc_only(number: &str, vector: &Value) {
    let input = &vector["input"];
    let count = usize::try_from(input["questionsCount"].as_u64().unwrap()).unwrap();
    let value = error(&asked(count), &json!({ "action": "answer", "answers": input["answers"] }));
    assert_eq!(
        value,
        [vector["expect"].clone(), json!({ "event": "end", "data": { "action": "error" } })],
        "{number}"
    );
}

/// Returns the text typed in place of an option with typed text.
fn frontend(number: &str, vector: &Value) {
    let (input, questionnaire) = (&vector["input"], Arc::new(colours()));
    assert_eq!(input["selected"], "__custom__");
    let typed = Reply::from_picks([Pick::Other(input["typed"].as_str().unwrap().to_owned())]);
    let how = Reply::from_picks([Pick::Option(OptionId::new("now"))]);
    let ids = questionnaire.questions.iter().map(|question| question.id.clone());
    let given = sayso_dialects::SubmittedAnswers::from_replies(ids.zip([typed, how]).collect());
    let sent = given.validate(&questionnaire).unwrap().replies;
    let answers: Value =
        serde_json::from_str(&Dialect::Interrupt.write(ask(), &questionnaire, &answered(sent)).stdout)
            .unwrap();
    assert_eq!(answers[0], vector["expect"]["answerSent"], "{number}");
}

/// Returns the agent's questions in the vectors about answers.
fn colours() -> Questionnaire {
    let history = vector("025")["expect"]["json"]["messages"][0]["content"].clone();
    let script: Value = serde_json::from_str(history.as_str().unwrap()).unwrap();
    read(&script["steps"][0]["calls"][0]["args"].to_string()).unwrap().questionnaire
}

fn execute() -> Questionnaire {
    let data = data_from_call("execute", &json!({ "command": "npm install" }));
    read(&data.to_string()).unwrap().questionnaire
}

/// Returns whether a vector needs no server.
fn http(number: &str, vector: &Value) -> bool {
    let (body, expected) = (&vector["input"]["body"], &vector["expect"]);
    let of_expected = |at: usize| expected["events"][at].clone();
    match number {
        "008" | "009" | "010" | "012" | "013" | "014" => {
            let text = body.as_str().map_or_else(|| body.to_string(), str::to_owned);
            let of = |body: Value| ResumeRequest::from_body(&body)?.action().map(|_| ());
            let refusal = ResumeRequest::parse_body(&text).and_then(of).unwrap_err();
            assert_eq!(expected["status"], refusal.status(), "{number}");
            assert_eq!(expected["json"], refusal.body(), "{number}");
        }
        "023" | "029" => {
            let asked = Arc::new(colours());
            let ResumeDecision::Answer(given) = resolve_decision(&asked, &resume(body)).unwrap() else {
                panic!("{number}")
            };
            let outcome = answered(given.validate(&asked).unwrap().replies);
            assert_eq!(
                of_expected(2)["data"]["content"],
                Dialect::Interrupt.write(ask(), &asked, &outcome).stdout,
                "{number}"
            );
            assert_eq!(events(&end_events(&asked, &outcome)), [of_expected(3)], "{number}");
        }
        "035" | "038" => {
            let call = &vector["input"]["agentCalls"][0];
            let data = data_from_call(call["name"].as_str().unwrap(), &call["args"]);
            assert_eq!(data, of_expected(1)["data"], "{number}");
            // A title may come first.
            let asked = read(&data.to_string()).unwrap();
            assert_eq!(asked.warnings, [], "{number}");
            let stream_events = events(&interrupt_events(&asked.questionnaire, Lang::En));
            assert_eq!(stream_events, [of_expected(1), of_expected(2)], "{number}");
        }
        "036" => assert_eq!(error(&execute(), body), [of_expected(0), of_expected(1)], "{number}"),
        "039" => {
            assert_eq!(resolve_decision(&execute(), &resume(body)), Ok(ResumeDecision::Decline));
            let result = tool_result(&execute(), &declined(None), "<callId>");
            assert_eq!(of_expected(2)["data"]["content"], result.unwrap(), "{number}");
            assert_eq!(events(&end_events(&execute(), &declined(None))), [of_expected(3)], "{number}");
        }
        "041" | "043" => {
            let asked = Arc::new(execute());
            let ResumeDecision::Answer(given) = resolve_decision(&asked, &resume(body)).unwrap() else {
                panic!("{number}")
            };
            let outcome = answered(given.validate(&asked).unwrap().replies);
            assert_eq!(tool_result(&asked, &outcome, "c"), None, "{number}: the tool is to be run");
            assert_eq!(events(&end_events(&asked, &outcome)), [of_expected(3)], "{number}");
        }
        "047" => {
            let stream_events = events(&rejection_events(&not_waiting_problem(&resume(body)), Lang::En));
            assert_eq!(stream_events, [of_expected(0), of_expected(1)], "{number}");
        }
        _ => return differs(number, vector),
    }
    true
}

/// Returns whether ours rejects input that the original accepts or crashes on.
fn differs(number: &str, vector: &Value) -> bool {
    let body = &vector["input"]["body"];
    let message = |value: Vec<Value>| value[0]["data"]["message"].as_str().unwrap().to_owned();
    match number {
        // Answers are validated.
        "026" => assert_eq!(
            message(error(&colours(), body)),
            "answers count (1) does not match questions count (2)",
            "{number}"
        ),
        "028" => assert_eq!(message(error(&colours(), body)), "answer at index 1 is empty", "{number}"),
        "031" | "032" => {
            assert_eq!(message(error(&colours(), body)), "answer at index 1 is not an option", "{number}");
        }
        // Questions may be cancelled.
        "033" | "034" => {
            assert_eq!(resolve_decision(&colours(), &resume(body)), Ok(ResumeDecision::Decline), "{number}");
        }
        // Nothing is pending, and the message says so.
        "046" | "048" => {
            let value = events(&rejection_events(&not_waiting_problem(&resume(body)), Lang::En));
            assert_eq!(message(value), "Thread is not waiting for a decision", "{number}");
        }
        // One interrupt at a time.
        "044" => {
            let whole = &vector["expect"]["events"][1]["data"];
            assert!(read(&whole.to_string()).is_err(), "{number}");
            let calls = vector["input"]["agentCalls"].as_array().unwrap();
            let parts = split_requests(whole).unwrap();
            let expected =
                calls.iter().map(|call| data_from_call(call["name"].as_str().unwrap(), &call["args"]));
            assert_eq!(parts, expected.collect::<Vec<_>>(), "{number}");
            assert_eq!(parts.iter().map(is_ask_user_interrupt).collect::<Vec<_>>(), [false, true]);
            assert_eq!(read(&parts[1].to_string()).unwrap().questionnaire.questions, colours().questions);
        }
        _ => return false,
    }
    true
}

#[test]
fn info_names_what_would_run() {
    for (args, shown) in [
        (json!({ "command": "ls -l", "title": "Look around" }), "ls -l"),
        (json!({ "command": ["make", "-j", "2"] }), "make -j 2"),
        (json!({ "title": "npm test", "paths": [] }), "npm test"),
    ] {
        assert_eq!(call_info("execute", &args), format!("正在执行命令: {shown}"));
    }
}
