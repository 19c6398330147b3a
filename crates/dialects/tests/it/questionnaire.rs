//! The Questionnaire API from outside: outcomes, refusals, and round trips of requests.

mod properties;
mod vectors;
mod warnings;

use crate::sample::{answered_in_order, ask, declined, ended};
use sayso_core::{Constraint, Problem, Requirement};
use sayso_core::{
    Lang, OptionId, Outcome, Pick, ProblemCode, Question, QuestionInput, Questionnaire, Reply, TextQuestion,
};
use sayso_dialects::questionnaire::{persistence_key, refusal_response, respond, result_text};
use sayso_dialects::{Dialect, DialectLimits, ParsedRequest};
use serde_json::{Value, json};

/// Reads a request without an operator's limits.
fn read(text: &str) -> Result<ParsedRequest, Vec<Problem>> {
    Dialect::Questionnaire.read(text, &DialectLimits::default())
}

fn asked(questions: &Value) -> Questionnaire {
    read(&json!({ "questions": questions }).to_string()).unwrap().questionnaire
}

fn select(id: &str, values: &[&str]) -> Value {
    let options: Vec<_> = values.iter().map(|value| json!({ "value": value, "label": value })).collect();
    json!({ "id": id, "type": "select", "maxSelect": 1, "label": "L", "prompt": "P", "options": options })
}

fn problems(questions: &Value) -> Vec<(String, ProblemCode)> {
    let problems = read(&json!({ "questions": questions }).to_string()).unwrap_err();
    problems.iter().map(|problem| (problem.path.to_js_path(), problem.code)).collect()
}

/// Checks the `questionnaire` column of the table of outcomes.
#[test]
fn outcomes_have_response_and_exit_code() {
    let asked = asked(&json!([{ "id": "t", "type": "text", "label": "T", "prompt": "P" }]));
    let result = r#"{"answers":{"t":{"text":"x"}},"submittedAt":"2026-01-02T03:04:05.000Z"}"#;
    let no = r#"{"cancelled":true,"message":"User cancelled the questionnaire"}"#;
    let no_because = r#"{"cancelled":true,"message":"User cancelled the questionnaire","reason":"not now"}"#;
    let gone = r#"{"type":"ask-cancelled","title":"The question was cancelled","status":410}"#;
    let late = r#"{"type":"ask-expired","title":"No answer before the deadline","status":408}"#;
    let (json, problem) = ("application/json", "application/problem+json");
    let text = answered_in_order(&asked, vec![Reply::from_text("x")]);
    let because = "User declined to answer: not now";
    let cases: [(Outcome, u16, &str, &str, &str, &str, u8); 5] = [
        (text, 200, json, result, result, "", 0),
        (declined(Some("not now")), 499, json, no_because, no_because, because, 3),
        (declined(None), 499, json, no, no, "User declined to answer", 3),
        (ended("cancelled"), 410, problem, gone, "", "The question was cancelled", 6),
        (ended("expired"), 408, problem, late, "", "No answer before the deadline", 5),
    ];
    for (outcome, status, content_type, body, stdout, stderr, exit) in cases {
        let response = respond(&asked, &outcome);
        assert_eq!((response.status, response.content_type.as_ref()), (status, content_type), "{outcome:?}");
        assert_eq!(response.body, body);
        let written = Dialect::Questionnaire.write(ask(), &asked, &outcome);
        assert_eq!((written.stdout.as_str(), written.stderr.as_str(), written.exit), (stdout, stderr, exit));
    }
}

#[test]
fn outcome_text_describes_the_outcome() {
    let asked = asked(&json!([select("s", &["a"])]));
    assert_eq!(result_text(&asked, &declined(Some("why not"))), "User cancelled the questionnaire: why not");
    assert_eq!(result_text(&asked, &declined(None)), "User cancelled the questionnaire");
    assert_eq!(result_text(&asked, &ended("cancelled")), "The question was cancelled");
    assert_eq!(result_text(&asked, &ended("expired")), "No answer before the deadline");
}

#[test]
fn notes_and_skips_are_omitted() {
    let asked = asked(&json!([select("a", &["x"]), select("b", &["x"]), select("c", &["x"])]));
    let picked = Reply::from_picks([Pick::Option(OptionId::new("x"))]).with_note(Some("why".to_owned()));
    let outcome = answered_in_order(&asked, vec![Reply::skipped(), picked, Reply::unanswered()]);
    let body: Value = serde_json::from_str(&respond(&asked, &outcome).body).unwrap();
    assert_eq!(body["answers"], json!({ "b": { "value": "x", "label": "x", "wasCustom": false } }));
}

#[test]
fn refusal_lists_all_places() {
    let text = r#"{"questions":[{"id":"a","type":"text","label":"L","prompt":1},{"id":"b","type":"list"}]}"#;
    let problems = read(text).unwrap_err();
    let response = refusal_response(&problems, Lang::En);
    assert_eq!((response.status, response.content_type.as_ref()), (400, "application/problem+json"));
    let body: Value = serde_json::from_str(&response.body).unwrap();
    assert_eq!(body["type"], "invalid-request");
    assert_eq!(body["title"], "The request has 4 problems.");
    let errors = body["errors"].as_array().unwrap();
    let pointers: Vec<_> = errors.iter().map(|error| error["pointer"].as_str().unwrap()).collect();
    let expected = ["/questions/0/prompt", "/questions/1/label", "/questions/1/prompt", "/questions/1/type"];
    assert_eq!(pointers, expected);
    assert_eq!(errors[0]["path"], "questions[0].prompt");
    assert_eq!(errors[0]["detail"], "Expected string, got number.");
    let refused = Dialect::Questionnaire.refuse(&problems, Lang::Zh);
    assert_eq!((refused.stdout.as_str(), refused.exit), ("", 1));
    let lines: Vec<_> = refused.stderr.lines().collect();
    assert_eq!((lines.len(), lines[0]), (5, "sayso: 请求有 4 处问题（按 questionnaire 读取）。"));
    assert_eq!(lines[1], "  - questions[0].prompt: 应为 string，而不是 number。");
}

#[test]
fn places_refer_to_the_request() {
    let child =
        |show_if: Value| json!({ "id": "c", "type": "text", "label": "L", "prompt": "P", "showIf": show_if });
    let with = |children: Value| {
        let mut parent = select("p", &["a"]);
        parent["children"] = children;
        json!([parent])
    };
    let at = |path: &str, code: ProblemCode| vec![(path.to_owned(), code)];
    let wrong = with(json!([select("x", &["a"]), child(json!({ "value": 1 }))]));
    assert_eq!(problems(&wrong), at("questions[0].children[1].showIf.value", ProblemCode::InvalidType));
    let missing = with(json!([child(json!({}))]));
    assert_eq!(problems(&missing), at("questions[0].children[0].showIf.value", ProblemCode::Required));
    assert_eq!(problems(&with(json!("x"))), at("questions[0].children", ProblemCode::InvalidType));
    let empty = json!([select("p", &[])]);
    assert_eq!(problems(&empty), at("questions[0].options", ProblemCode::TooSmall));
    let mut two = select("p", &["a"]);
    two["maxSelect"] = json!(2);
    assert_eq!(problems(&json!([two])), at("questions[0].maxSelect", ProblemCode::InvalidValue));
    two["type"] = json!("multiSelect");
    two["maxSelect"] = json!(1);
    assert_eq!(problems(&json!([two])), at("questions[0].maxSelect", ProblemCode::TooSmall));
    two["maxSelect"] = json!(2.0);
    assert!(read(&json!({ "questions": [two] }).to_string()).is_ok());
    assert_eq!(read("").unwrap_err()[0].code, ProblemCode::MissingRequest);
    assert_eq!(read("{").unwrap_err()[0].code, ProblemCode::InvalidJson);
}

#[test]
fn nesting_limit_prevents_overflow() {
    let nested = |depth: usize| {
        let question =
            |id: usize| format!(r#"{{"id":"{id}","type":"text","label":"L","prompt":"P","children":["#);
        let opened: String = (0..=depth).map(question).collect();
        format!(r#"{{"questions":[{opened}{}]}}"#, "]}".repeat(depth + 1))
    };
    assert_eq!(read(&nested(16)).unwrap().questionnaire.questions.len(), 17);
    let problem = &read(&nested(17)).unwrap_err()[0];
    assert_eq!(problem.code, ProblemCode::TooDeep);
    assert!(problem.path.to_js_path().starts_with("questions[0].children[0].children[0]"));
    assert_eq!(read(&nested(100)).unwrap_err()[0].code, ProblemCode::TooDeep);
    assert_eq!(read(&nested(9_000)).unwrap_err()[0].code, ProblemCode::TooDeep);
}

#[test]
fn many_questions_and_options_are_read() {
    let options: Vec<_> = (0..1_000).map(|_| json!({ "value": "same", "label": "L" })).collect();
    let child = |id: usize| json!({ "id": id.to_string(), "type": "text", "label": "", "prompt": "", "showIf": { "value": "z" } });
    let children: Vec<_> = (0..999).map(child).collect();
    let mut parent = select("p", &[]);
    parent["options"] = json!(options);
    parent["children"] = json!(children);
    let asked = asked(&json!([parent]));
    assert_eq!(asked.questions.len(), 1_000);
    let one_more = json!([parent, select("more", &["a"])]);
    assert_eq!(problems(&one_more), [("questions".to_owned(), ProblemCode::TooBig)]);
}

#[test]
fn own_answer_comes_last() {
    let mut several = select("p", &["a", "b", "c"]);
    several["type"] = json!("multiSelect");
    several["maxSelect"] = json!(2);
    several["constraints"] = json!([{ "type": "minSelect", "value": 1, "message": "m" }]);
    let asked = asked(&json!([several]));
    let choice = asked.questions[0].choice().unwrap();
    assert_eq!(choice.items().last(), Some(sayso_core::ChoiceItem::Other));
    let first = &asked.questions[0].constraints[0];
    assert_eq!(*first, Constraint::new(Requirement::MaxPicks(2), None));
    assert_eq!(Requirement::MaxPicks(2).default_message().render(Lang::Zh), "最多选择 2 项");
    assert_eq!(Requirement::Answered.default_message().render(Lang::Zh), "请回答此题");
}

#[test]
fn nearest_name_is_suggested() {
    let asked = asked(&json!([select("language", &["typescript"])]));
    let given = Dialect::Questionnaire
        .read_answers(&asked, r#"{"answers":{"langauge":{},"language":{"value":"typscript"}}}"#)
        .unwrap();
    let hints: Vec<_> =
        given.problems.iter().map(|problem| problem.hint.as_ref().unwrap().to_string()).collect();
    assert_eq!(hints, ["Did you mean \"language\"?", "Did you mean \"typescript\"?"]);
    for (text, code) in [
        ("{}", ProblemCode::Required),
        ("[]", ProblemCode::InvalidType),
        (r#"{"answers":1}"#, ProblemCode::InvalidType),
    ] {
        assert_eq!(Dialect::Questionnaire.read_answers(&asked, text).unwrap_err()[0].code, code, "{text}");
    }
}

#[test]
fn unknown_names_are_capped() {
    let options: Vec<_> =
        (0..200).map(|number| select(&format!("abcdefghijklmnopqr-{number:03}"), &["a"])).collect();
    let asked = asked(&json!(options));
    let names = (0..30_000).map(|number| format!(r#""uvwxyzuvwxyzuvwx-{number:05}":0"#));
    let given = Dialect::Questionnaire
        .read_answers(&asked, &format!(r#"{{"answers":{{{}}}}}"#, names.collect::<Vec<_>>().join(",")))
        .unwrap();
    assert_eq!(given.problems.len(), 101);
    let last = given.problems[100].message.render(Lang::En);
    assert_eq!(last, "And at least 29900 more problems.");
}

#[test]
fn answers_may_exceed_request_size() {
    let long = "x".repeat(1 << 20);
    for dialect in [Dialect::Questionnaire, Dialect::AskUserQuestion, Dialect::Interaction, Dialect::Sayso] {
        let text = match dialect {
            Dialect::Interaction => json!({ "a": long }),
            Dialect::Questionnaire => json!({ "answers": { "a": { "text": long } } }),
            _ => json!({ "answers": { "a": long } }),
        };
        let asked = Questionnaire {
            questions: vec![Question::new("a", "Why?", TextQuestion::default())],
            ..Questionnaire::default()
        };
        let given = dialect.read_answers(&asked, &text.to_string()).unwrap();
        assert_eq!(given.replies.len(), 1, "{dialect:?}: {:?}", given.problems);
    }
}

#[test]
fn own_answer_among_values_is_found() {
    let mut several = select("p", &["a", "b"]);
    several["type"] = json!("multiSelect");
    several["maxSelect"] = json!(3);
    several["options"][0]["label"] = json!("A");
    let asked = asked(&json!([several]));
    let (a, b) = (Pick::Option(OptionId::new("a")), Pick::Option(OptionId::new("b")));
    let own = |text: &str| Pick::Other(text.to_owned());
    let cases = [
        (json!({ "values": ["a", "x"], "wasCustom": true }), vec![a.clone(), own("x")]),
        (json!({ "values": ["a", "b"], "labels": ["a", "b"], "wasCustom": true }), vec![own("a"), b.clone()]),
        (json!({ "values": ["a", "b"], "labels": ["A", "b"], "wasCustom": true }), vec![a.clone(), own("b")]),
        (json!({ "values": ["b", "b"], "labels": ["b", "b"], "wasCustom": true }), vec![b.clone(), own("b")]),
        (json!({ "values": ["__custom__", "b"], "labels": ["x"] }), vec![own("x"), b]),
        (json!({ "values": [] }), vec![]),
    ];
    for (answer, picks) in cases {
        let given = Dialect::Questionnaire
            .read_answers(&asked, &json!({ "answers": { "p": answer } }).to_string())
            .unwrap();
        let replies: Vec<_> = given.replies.into_values().collect();
        assert_eq!(replies, [Reply::from_picks(picks)], "{answer}");
    }
}

#[test]
fn own_answer_differs_from_similar_options() {
    let mut several = select("p", &["v", "v", "x"]);
    several["type"] = json!("multiSelect");
    several["maxSelect"] = json!(4);
    several["options"][0]["label"] = json!("L");
    several["options"][1]["label"] = json!("L");
    let asked = asked(&json!([several]));
    let answer = json!({ "values": ["x", "v", "v"], "labels": ["x", "L", "L"], "wasCustom": true });
    let given = Dialect::Questionnaire
        .read_answers(&asked, &json!({ "answers": { "p": answer } }).to_string())
        .unwrap();
    let own = Pick::Other("x".to_owned());
    let choice = asked.questions[0].choice().unwrap();
    let [first, second] = [0, 1].map(|at| Pick::Option(choice.options[at].id.clone()));
    assert_eq!(given.replies.into_values().collect::<Vec<_>>(), [Reply::from_picks([own, first, second])]);
}

#[test]
fn draft_key_covers_questions_and_types() {
    let mut parent = select("lang", &["ts"]);
    parent["children"] = json!([select("framework", &["vue"])]);
    let before = persistence_key(&asked(&json!([parent])));
    assert_eq!(before, "lang:select|lang/framework:select");
    parent["prompt"] = json!("Other words");
    assert_eq!(persistence_key(&asked(&json!([parent]))), before);
    parent["type"] = json!("multiSelect");
    parent["maxSelect"] = json!(2);
    assert_eq!(persistence_key(&asked(&json!([parent]))), "lang:multiSelect|lang/framework:select");
}

#[test]
fn inexact_show_if_never_holds() {
    let child = |value: &str| json!([{ "id": "c", "type": "text", "label": "L", "prompt": "P", "showIf": { "value": value } }]);
    let rating =
        json!({ "id": "p", "type": "rating", "label": "L", "prompt": "P", "range": { "min": 1, "max": 5 } });
    let confirm = json!({ "id": "p", "type": "confirm", "label": "L", "prompt": "P" });
    let parents = [(select("p", &["a"]), " a "), (rating, "05"), (confirm, "True")];
    for (mut parent, value) in parents {
        parent["children"] = child(value);
        let read = read(&json!({ "questions": [parent] }).to_string()).unwrap();
        let places: Vec<_> = read.warnings.iter().map(|warning| warning.path.to_js_path()).collect();
        assert_eq!(places, ["questions[0].children[0].showIf.value"], "{value:?}");
    }
}

#[test]
fn annotation_keys_match_exactly() {
    let rating = json!([{
        "id": "r", "type": "rating", "label": "L", "prompt": "P", "range": { "min": 1, "max": 5 },
        "annotations": { "5": "five", "05": "other", "+5": "other", "x": "other", "9": "kept" },
    }]);
    let asked = asked(&rating);
    let QuestionInput::Scale(rating) = asked.questions[0].input() else { panic!("no rating") };
    let notes: Vec<_> = rating.annotations.iter().map(|(step, note)| (*step, note.as_str())).collect();
    assert_eq!(notes, [(5, "five"), (9, "kept")]);
}
