//! Tests of the modules that translate for pages without a desk, against the dialects over all vectors.

use crate::support::program::node_program::node_call;
use crate::support::test_vector::{TestVector, vectors_of};
use crate::support::test_world::TestWorld;
use sayso_core::wire::questionnaire;
use sayso_core::{Answer, LineFormat, Pick, Question, QuestionInput, Questionnaire, Replies, Reply};
use sayso_dialects::{Dialect, DialectLimits};
use serde_json::{Value, json};

/// A request in a dialect, and what the desk reads in it.
struct FormatCase {
    request: Value,
    questionnaire: Questionnaire,
}

/// Returns the requests among these values that the desk accepts, without what only their dialect has.
fn accepted(dialect: Dialect, requests: impl Iterator<Item = Value>) -> Vec<FormatCase> {
    let case = |request: Value| {
        let questionnaire = dialect.read(&request.to_string(), &DialectLimits::default()).ok()?.questionnaire;
        Some(FormatCase { request, questionnaire })
    };
    requests.filter_map(case).collect()
}

/// Returns every object in a value that has one of these members.
fn objects_with(value: &Value, members: &[&str], found: &mut Vec<Value>) {
    match value {
        Value::Object(object) => {
            if members.iter().any(|member| object.contains_key(*member)) {
                found.push(value.clone());
            }
            object.values().for_each(|inner| objects_with(inner, members, found));
        }
        Value::Array(items) => items.iter().for_each(|inner| objects_with(inner, members, found)),
        _ => {}
    }
}

fn requests(dialect: &str, kinds: &[&str], members: &[&str]) -> Vec<Value> {
    let mut found = Vec::new();
    let vectors = kinds.iter().flat_map(|kind| vectors_of(dialect, kind));
    vectors.for_each(|TestVector { body, .. }| objects_with(&body, members, &mut found));
    found
}

/// Returns an answer that a person may give; `turn` chooses among several.
fn sample_answer(question: &Question, turn: usize) -> Option<Answer> {
    Some(match question.input() {
        QuestionInput::Toggle(_) => Answer::Confirm(turn == 0),
        QuestionInput::Line(format) => {
            let text = match format {
                LineFormat::Text { .. } => format!(" words {turn} "),
                LineFormat::Number { .. } => "2.5".to_owned(),
                LineFormat::Date => "2026-03-01".to_owned(),
                LineFormat::Time => "14:30".to_owned(),
                LineFormat::Datetime => "2026-03-01T14:30".to_owned(),
            };
            question.kind.parse_text(&text)?
        }
        QuestionInput::Options(choice) if choice.other && turn == 1 => {
            Answer::Picks(Pick::Other("my own".to_owned()).into())
        }
        QuestionInput::Options(choice) => {
            let option = choice.options.get(turn).or(choice.options.first())?;
            Answer::Picks(Pick::Option(option.id.clone()).into())
        }
        QuestionInput::Scale(_) => return None,
    })
}

fn sample_replies(questionnaire: &Questionnaire, turn: usize) -> Replies {
    let reply =
        |question: &Question| Some((question.id.clone(), Reply::from_answer(sample_answer(question, turn)?)));
    questionnaire.questions.iter().filter_map(reply).collect()
}

/// Translates the cases in Node, checks the questionnaires, and returns the answers of each.
fn translate(dialect: &str, cases: &[FormatCase]) -> Vec<[Value; 2]> {
    let sent = |case: &FormatCase| {
        let replies = [0, 1].map(|turn| sample_replies(&case.questionnaire, turn));
        json!({ "request": case.request, "replies": replies })
    };
    let input: Vec<Value> = cases.iter().map(sent).collect();
    let world = TestWorld::new();
    let exit = node_call(&world, "esbuild", "../browser/formats.mjs", &[])
        .run_with(json!({ dialect: input }).to_string());
    assert_eq!(exit.exit, 0, "{}", exit.stderr);
    let mut output: Value = serde_json::from_str(&exit.stdout).unwrap();
    let output = output[dialect].take();
    let answers = cases.iter().zip(output.as_array().unwrap()).map(|(case, output)| {
        let text = output["sayso"].to_string();
        let read =
            serde_json::from_str::<Questionnaire>(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
        let wanted =
            Questionnaire { extensions: std::collections::BTreeMap::new(), ..case.questionnaire.clone() };
        assert_eq!(questionnaire::write(&read), questionnaire::write(&wanted), "{}", case.request);
        [0, 1].map(|turn| output["answers"][turn].clone())
    });
    answers.collect()
}

#[test]
fn interaction_module_translates_like_desk() {
    let kinds = ["validateInput", "schema", "mergeInitialValues", "interactionSequence", "webClientForm"];
    let members = ["fields", "sections", "schema", "inputSchema"];
    let cases = accepted(Dialect::Interaction, requests("interaction", &kinds, &members).into_iter());
    assert!(cases.len() > 100, "{}", cases.len());
    for (case, answers) in cases.iter().zip(translate("interaction", &cases)) {
        for (turn, input) in answers.iter().enumerate() {
            let read = Dialect::Interaction.read_answers(&case.questionnaire, &input.to_string()).unwrap();
            assert_eq!(read.replies, sample_replies(&case.questionnaire, turn), "{input}");
        }
    }
}

#[test]
fn interrupt_module_translates_like_desk() {
    let vectors = requests("interrupt", &["http", "unit", "docOnly"], &["info", "questions"]);
    let call = |tool: &str, args: Value| json!({ "info": "i", "taskName": tool, "data": { "action_requests": [{ "name": tool, "args": args }] } });
    let option = |label: &str, value: Option<&str>| json!({ "label": label, "value": value });
    let mut own = vec![
        call("execute", json!({ "command": "ls" })),
        call("execute", json!({ "command": "ls", "timeout": 3 })),
        call("write_file", json!({ "file_path": "a", "content": "b" })),
        call("edit_file", json!({ "file_path": "a", "diff": "+b" })),
        call("other", json!({})),
        json!({ "info": "Go on", "data": null }),
        json!({ "questions": [{ "question": "Q", "options": [{ "label": "A", "value": "a" }, { "label": "Mine", "value": "x", "allow_custom": true }, { "label": "B", "value": "b" }] }] }),
        json!({ "questions": [{ "question": "Q", "options": [{ "label": "A", "value": "a" }, { "label": "Also A", "value": "a" }, { "label": "自定义", "value": "__custom__", "allow_custom": true }] }] }),
    ];
    for options in [
        json!(["Continue", "Cancel"]),
        json!(["Continue"]),
        json!([option("Run it", Some("approve")), option("Do not", Some("reject"))]),
        json!(["Cancel", "Approve"]),
        json!(["Approve", "Later", "Reject"]),
        json!([option("好", None), option("不", None)]),
    ] {
        let mut request = call("execute", json!({ "command": "ls" }));
        request["options"] = options;
        own.push(request);
    }
    let cases = accepted(Dialect::Interrupt, vectors.into_iter().chain(own));
    assert!(cases.len() >= 18, "{}", cases.len());
    for (case, answers) in cases.iter().zip(translate("interrupt", &cases)) {
        for (turn, resume) in answers.iter().enumerate() {
            let replies = sample_replies(&case.questionnaire, turn);
            match Dialect::Interrupt.read_answers(&case.questionnaire, &resume.to_string()) {
                Ok(read) => assert_eq!(read.replies, replies, "{resume}"),
                Err(_) => assert_eq!(resume, &json!({ "action": "cancel" }), "{}", case.request),
            }
        }
    }
}
