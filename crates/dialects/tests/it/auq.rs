//! AUQ's vectors: recorded inputs and outputs of the original, in both of its generations.

mod command;
mod outcomes;
mod published;
mod requests;

use crate::sample::{answered, ask, declined, ended};
use sayso_core::Lang;
use sayso_core::{AskId, ChoiceOption, Problem, Question, Questionnaire};
use sayso_dialects::auq::{
    AuqCompat, AuqLimits, QuestionInput, UserAnswer, arguments_error, fetch_answers_text, fetch_status_text,
    format_answers, submitted_text, tool, tool_result, validate_answers,
};
use sayso_dialects::{Dialect, DialectLimits, ParsedRequest};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// Reads a request with these limits.
fn read(text: &str, limits: &AuqLimits) -> Result<ParsedRequest, Vec<Problem>> {
    Dialect::Auq.read(text, &DialectLimits { auq: *limits, ..DialectLimits::default() })
}

/// Vectors that need a server or a command, and are skipped here. The program's own tests run those of the command.
const NEED_A_PROGRAM: [(&str, &[&str]); 2] = [
    ("mcp", &["211", "219", "229"]),
    (
        "cli",
        &["301", "303", "304", "307", "309", "311", "312", "313", "314", "315", "318", "319", "320", "321"],
    ),
];

/// Our outputs next to the original's.
type Pairs = Vec<(Value, Value)>;

#[test]
fn vectors_pass_or_are_listed() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/vectors/auq");
    let mut files: Vec<_> = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.file_name().unwrap() != "differs.json");
    files.sort();
    assert_eq!(files.len(), 110);
    let differs = std::fs::read_to_string(folder.join("differs.json")).unwrap();
    let mut differs: BTreeMap<String, String> = serde_json::from_str(&differs).unwrap();
    let uncovered = NEED_A_PROGRAM.iter().flat_map(|(kind, numbers)| numbers.iter().map(|n| (*n, *kind)));
    let mut uncovered: BTreeMap<_, _> = uncovered.collect();
    for file in &files {
        let name = file.file_name().unwrap().to_str().unwrap();
        let number = name.split('-').next().unwrap();
        let vector: Value = serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap();
        let kind = vector["kind"].as_str().unwrap();
        let differs = differs.remove(number);
        if uncovered.remove(number) == Some(kind) {
            continue;
        }
        let pairs = pairs(kind, name, &vector);
        assert!(!pairs.is_empty(), "{name}");
        if differs.is_some() {
            assert!(pairs.iter().any(|(ours, theirs)| ours != theirs), "{name} does not differ");
            continue;
        }
        for (ours, theirs) in pairs {
            assert_eq!(ours, theirs, "{name}");
        }
    }
    assert!(differs.is_empty(), "differs.json names vectors that are not there");
    assert!(uncovered.is_empty(), "vectors that are not there");
}

fn pairs(kind: &str, name: &str, vector: &Value) -> Pairs {
    let compat = if name.contains("-mcp-v3.4-") { AuqCompat::V3_4 } else { AuqCompat::Spec };
    match kind {
        "schema" => of_both(vector, |compat| schema(&vector["input"], compat)),
        "formatUserResponse" => of_both(vector, |compat| formatted(&vector["input"], compat)),
        "validateAnswers" => of_both(vector, |_| validated(&vector["input"])),
        "statusText" => vec![(json!(status_text(&vector["input"])), vector["expect"].clone())],
        "mcp" if vector["input"].get("get_answered_questions").is_some() => {
            vec![(fetched(name), vector["expect"].clone())]
        }
        "mcp" => vec![(called(&vector["input"], compat), vector["expect"].clone())],
        "mcpFlow" => vec![(flow(vector, compat), vector["expect"]["response"].clone())],
        kind => panic!("{name}: no test for vectors of kind {kind}"),
    }
}

/// Pairs our outputs with the expected ones of each generation. A generation without an expectation of its own shares
/// the earlier one's.
fn of_both(vector: &Value, ours: impl Fn(AuqCompat) -> Value) -> Pairs {
    let theirs = [&vector["expect"], vector.get("expect_v3_4").unwrap_or(&vector["expect"])];
    AuqCompat::ALL.into_iter().zip(theirs).map(|(compat, theirs)| (ours(compat), theirs.clone())).collect()
}

fn schema(input: &Value, compat: AuqCompat) -> Value {
    let limits = AuqLimits::from_compat(compat);
    let read = read(&input.to_string(), &limits);
    let schema = jsonschema::draft202012::new(&tool(&limits)["inputSchema"]).unwrap();
    assert_eq!(schema.is_valid(input), read.is_ok(), "{input}");
    match read {
        Ok(read) => {
            assert_eq!(read.warnings, []);
            let questions = read.questionnaire.questions.iter().map(parsed_question);
            let mut parsed = json!({ "questions": questions.collect::<Vec<_>>() });
            if compat == AuqCompat::V3_4 {
                parsed["nonBlocking"] = json!(!read.options.is_waiting);
            }
            json!({ "valid": true, "parsed": parsed })
        }
        Err(problems) => {
            let issue = |problem: &Problem| {
                let message = problem.message.render(Lang::Zh);
                json!({ "path": problem.path, "code": problem.code.as_str(), "message": message })
            };
            json!({ "valid": false, "issues": problems.iter().map(issue).collect::<Vec<_>>() })
        }
    }
}

/// Returns a question as the spec's parser does.
fn parsed_question(question: &Question) -> Value {
    let choice = question.choice().unwrap();
    let option = |option: &ChoiceOption| {
        let mut parsed = json!({ "label": option.label });
        if let Some(description) = &option.description {
            parsed["description"] = json!(description);
        }
        parsed
    };
    let options: Vec<_> = choice.options.iter().map(option).collect();
    json!({ "prompt": question.prompt, "title": question.label, "options": options, "multiSelect": choice.multi })
}

fn questions(input: &Value) -> Vec<QuestionInput> {
    serde_json::from_value(input["questions"].clone()).unwrap()
}

fn answers(input: &Value) -> Vec<UserAnswer> {
    serde_json::from_value(input["answers"].clone()).unwrap()
}

fn formatted(input: &Value, compat: AuqCompat) -> Value {
    match format_answers(&questions(input), &answers(input), compat) {
        Ok(text) => json!({ "text": text }),
        Err(problem) => json!({ "error": problem.message.render(Lang::Zh) }),
    }
}

fn validated(input: &Value) -> Value {
    match validate_answers(&answers(input), &questions(input)) {
        Ok(()) => json!({ "valid": true }),
        Err(problem) => json!({ "valid": false, "error": problem.message.render(Lang::Zh) }),
    }
}

fn status_text(input: &Value) -> String {
    let ask = AskId::parse(input["sessionId"].as_str().unwrap()).unwrap();
    match input["questionCount"].as_u64() {
        Some(count) => submitted_text(ask, usize::try_from(count).unwrap()),
        None => {
            let no = declined(input["reason"].as_str());
            fetch_status_text(ask, &Questionnaire::default(), Some(&no), None)
        }
    }
}

fn called(input: &Value, compat: AuqCompat) -> Value {
    match input["method"].as_str().unwrap() {
        "tools/list" => json!({ "tools": [tool(&AuqLimits::from_compat(compat))] }),
        "tools/call" => {
            let problems =
                read(&input["arguments"].to_string(), &AuqLimits::from_compat(compat)).unwrap_err();
            json!({ "error": { "code": -32602, "message": arguments_error(&problems) } })
        }
        method => panic!("no test for {method}"),
    }
}

fn result(text: &str) -> Value {
    let short = ask().to_string()[..8].to_owned();
    let text = text.replace(&short, "<short>");
    json!({ "result": { "content": [{ "type": "text", "text": text }] } })
}

/// Returns the status text of a session; its status comes from the vector's name.
fn fetched(name: &str) -> Value {
    let text = r#"{"questions":[{"prompt":"Which database?","title":"Database","options":[{"label":"PostgreSQL"},{"label":"MongoDB","description":"Document store"}],"multiSelect":false}]}"#;
    let asked = read(text, &AuqLimits::v3_4()).unwrap().questionnaire;
    let given =
        Dialect::Auq.read_answers(&asked, r#"{"answers":[{"questionIndex":0,"selectedOption":"MongoDB"}]}"#);
    let outcome = match name.split("-get-").nth(1).unwrap() {
        "pending.json" | "pending-short.json" => None,
        "completed.json" => Some(answered(given.unwrap().replies)),
        "timed-out.json" => Some(ended("expired")),
        name => panic!("no test for sessions that are {name}"),
    };
    result(&fetch_status_text(ask(), &asked, outcome.as_ref(), None))
}

fn flow(vector: &Value, compat: AuqCompat) -> Value {
    let read = read(&vector["input"].to_string(), &AuqLimits::from_compat(compat)).unwrap();
    let asked = &read.questionnaire;
    let after = &vector["expect"]["filesAfter"];
    let state = &after["status.json"];
    if !read.options.is_waiting {
        return result(&submitted_text(ask(), asked.questions.len()));
    }
    if state["status"] == "rejected" {
        return result(&tool_result(ask(), asked, &declined(state["rejectionReason"].as_str())));
    }
    match Dialect::Auq
        .read_answers(asked, &after["answers.json"].to_string())
        .map(|given| given.into_replies(&Arc::new(asked.clone())))
    {
        Ok(Ok((replies, _))) => result(&tool_result(ask(), asked, &answered(replies))),
        refused => json!({ "refused": format!("{refused:?}") }),
    }
}

/// Returns a schema without annotations, and with its definitions inlined.
fn bare(schema: &Value, definitions: &Value) -> Value {
    match schema {
        Value::Object(members) => {
            if let Some(name) = members.get("$ref").and_then(Value::as_str) {
                return bare(&definitions[name.strip_prefix("#/$defs/").unwrap()], definitions);
            }
            let content = ["$schema", "$defs", "additionalProperties", "examples"];
            let is_words = |name: &str, value: &Value| {
                content.contains(&name) || (["title", "description"].contains(&name) && value.is_string())
            };
            let kept = members.iter().filter(|(name, value)| !is_words(name, value));
            kept.map(|(name, value)| (name.clone(), bare(value, definitions))).collect()
        }
        Value::Array(items) => items.iter().map(|item| bare(item, definitions)).collect(),
        value => value.clone(),
    }
}

#[test]
fn tool_schema_matches_the_original() {
    let vector: Value =
        serde_json::from_str(include_str!("../vectors/auq/202-mcp-v1.6-tools-list.json")).unwrap();
    let theirs = &vector["expect"]["tools"][0];
    let ours = tool(&AuqLimits::spec());
    assert_eq!(ours["name"], theirs["name"]);
    assert_eq!(ours["annotations"], theirs["annotations"]);
    let mut expected = bare(&theirs["inputSchema"], &Value::Null);
    // The spec requires a text there; the original lacks it.
    expected["properties"]["questions"]["items"]["properties"]["prompt"]["minLength"] = json!(1);
    assert_eq!(bare(&ours["inputSchema"], &ours["inputSchema"]["$defs"]), expected);
}

#[test]
fn descriptions_contain_the_spec_sentences() {
    let sentences = |options: &str| {
        [
            ("prompt", "The complete question to ask the user.".to_owned()),
            ("prompt", "Should be clear, specific, and end with a question mark.".to_owned()),
            ("title", "Very short label displayed as a chip/tag (max 12 chars).".to_owned()),
            ("options", format!("Must have {options} options.")),
            ("options", "There should be no 'Other' option, that will be provided automatically.".to_owned()),
            ("multiSelect", "Set to true to allow the user to select multiple options.".to_owned()),
            ("multiSelect", "Default: false (single-select)".to_owned()),
        ]
    };
    let ten = AuqLimits::spec().with_limits(10, 10).unwrap();
    for (limits, options) in [(AuqLimits::spec(), "2-4"), (AuqLimits::v3_4(), "2-5"), (ten, "2-10")] {
        let tool = tool(&limits);
        let schema = &tool["inputSchema"];
        for (member, sentence) in sentences(options) {
            let value =
                schema["$defs"]["QuestionSchema"]["properties"][member]["description"].as_str().unwrap();
            assert!(value.contains(&sentence), "{member}: {value}");
        }
        assert_eq!(schema["$defs"]["QuestionsSchema"]["maxItems"], limits.questions());
        assert_eq!(schema["title"], "AskUserQuestionsParametersSchema");
        let is_later = limits.compat() == AuqCompat::V3_4;
        assert_eq!(schema["properties"].get("nonBlocking").is_some(), is_later);
    }
}

#[test]
fn pending_session_has_remaining_time() {
    let (asked, short) = (Questionnaire::default(), ask().to_string()[..8].to_owned());
    let cases =
        [(0, "0s"), (45, "45s"), (60, "1m 0s"), (285, "4m 45s"), (3_599, "59m 59s"), (7_500, "2h 5m")];
    for (seconds, words) in cases {
        let left = Some(Duration::from_secs(seconds));
        let text = format!("[Session: {short} | Status: pending | Remaining: {words}]\n\nNo answers yet.");
        assert_eq!(fetch_status_text(ask(), &asked, None, left), text);
        assert_eq!(fetch_answers_text(ask(), &asked, None, left), text);
    }
    let without = format!("[Session: {short} | Status: pending]\n\nNo answers yet.");
    assert_eq!(fetch_answers_text(ask(), &asked, None, None), without);
}

#[test]
fn command_names_the_status_of_ended_session() {
    let (asked, short) = (Questionnaire::default(), ask().to_string()[..8].to_owned());
    for (outcome, status) in [("cancelled", "abandoned"), ("expired", "timed_out")] {
        let text = fetch_answers_text(ask(), &asked, Some(&ended(outcome)), None);
        assert_eq!(text, format!("[Session: {short} | Status: {status}]\n\nSession status: {status}"));
    }
}
