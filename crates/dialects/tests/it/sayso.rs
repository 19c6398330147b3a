//! Our own dialect.

use crate::sample::{answered, ask, declined, ended};
use proptest::prelude::*;
use sayso_core::Lang;
use sayso_core::{OptionId, Pick, ProblemCode, QuestionId, Questionnaire, Replies, Reply};
use sayso_dialects::{Dialect, DialectLimits};
use serde_json::{Value, json};

const REQUEST: &str = r#"{"sayso":1,"questions":[
    {"id":"db","prompt":"Which database?","options":[{"id":"pg","label":"PostgreSQL"},{"label":"pg"},{"label":"x"},{"label":"x"}],"multi":true,"other":true},
    {"prompt":"Why?"}]}"#;

fn read(text: &str) -> Result<Questionnaire, Vec<(String, ProblemCode)>> {
    let read = Dialect::Sayso.read(text, &DialectLimits::default());
    read.map(|read| read.questionnaire).map_err(|problems| {
        problems.iter().map(|problem| (problem.path.to_js_path(), problem.code)).collect()
    })
}

fn answers(text: &str) -> Result<Replies, Vec<(String, ProblemCode)>> {
    let read = Dialect::Sayso.read_answers(&read(REQUEST).unwrap(), text);
    read.map(|given| given.replies).map_err(|problems| {
        problems.iter().map(|problem| (problem.path.to_js_path(), problem.code)).collect()
    })
}

fn answer(id: &str, value: impl Into<Value>) -> Result<Reply, Vec<(String, ProblemCode)>> {
    let text = json!({ "answers": { id: value.into() } }).to_string();
    answers(&text).map(|mut replies| replies.remove(&QuestionId::new(id)).unwrap())
}

fn option(id: &str) -> Pick {
    Pick::Option(OptionId::new(id))
}

#[test]
fn newer_version_is_refused() {
    assert_eq!(read(REQUEST), read(&REQUEST.replace("\"sayso\":1,", "")));
    let wrong =
        |version: &str| read(&REQUEST.replace("\"sayso\":1", &format!("\"sayso\":{version}"))).unwrap_err();
    assert_eq!(wrong("2"), [("sayso".to_owned(), ProblemCode::InvalidValue)]);
    assert_eq!(wrong("\"1\""), [("sayso".to_owned(), ProblemCode::InvalidType)]);
    assert_eq!(read(" ").unwrap_err(), [(String::new(), ProblemCode::MissingRequest)]);
    assert_eq!(read("\u{feff}{}").unwrap_err(), [(String::new(), ProblemCode::InvalidJson)]);
}

#[test]
fn refusal_lists_problems_with_place() {
    let text = r#"{"questions":[{"id":"a","prompt":"A?"},{"id":"a","prompt":""}]}"#;
    let problems = Dialect::Sayso.read(text, &DialectLimits::default()).unwrap_err();
    let refused = Dialect::Sayso.refuse(&problems, Lang::En);
    assert_eq!(
        refused.stderr,
        "sayso: The request has 2 problems (read as sayso).\n  - questions[1].id: Duplicate id \"a\".\n  \
         - questions[1].prompt: A question needs a prompt."
    );
    assert_eq!((refused.stdout.as_str(), refused.exit), ("", 1));
}

#[test]
fn outcomes_have_json_and_exit_code() {
    let asked = read(REQUEST).unwrap();
    let outcomes = [
        (answered(Replies::new()), "answered", "", 0),
        (declined(Some("no")), "declined", "User declined to answer: no", 3),
        (ended("expired"), "expired", "No answer before the deadline", 5),
        (ended("cancelled"), "cancelled", "The question was cancelled", 6),
    ];
    for (outcome, kind, stderr, exit) in outcomes {
        let written = Dialect::Sayso.write(ask(), &asked, &outcome);
        let document: Value = serde_json::from_str(&written.stdout).unwrap();
        assert_eq!((&document["outcome"], &document["sayso"]), (&json!(kind), &json!(1)));
        assert_eq!((written.stderr.as_str(), written.exit), (stderr, exit));
    }
}

#[test]
fn handwritten_answers_are_read() {
    assert_eq!(answer("q1", json!("Because.")), Ok(Reply::from_text("Because.")));
    assert_eq!(answer("db", json!("pg")), Ok(Reply::from_picks([option("pg")])));
    assert_eq!(answer("db", json!("PostgreSQL")), Ok(Reply::from_picks([option("pg")])));
    assert_eq!(answer("db", json!(["o2", "pg"])), Ok(Reply::from_picks([option("o2"), option("pg")])));
    let own = Pick::Other("mine".to_owned());
    assert_eq!(answer("db", json!({ "other": "mine" })), Ok(Reply::from_picks([own.clone()])));
    assert_eq!(answer("db", json!(["pg", { "other": "mine" }])), Ok(Reply::from_picks([option("pg"), own])));
    assert_eq!(answer("db", json!({ "state": "skipped" })), Ok(Reply::skipped()));
    let exact = Reply::from_picks([option("o3")]);
    assert_eq!(answer("db", serde_json::to_value(&exact).unwrap()), Ok(exact));
}

#[test]
fn unreadable_answers_are_reported_with_place() {
    let wrong = |id: &str, value: Value| answer(id, value).unwrap_err();
    let at = |place: &str, code| [(place.to_owned(), code)];
    assert_eq!(wrong("zz", json!("a")), at("answers.zz", ProblemCode::NoSuchQuestion));
    assert_eq!(wrong("q1", json!(1)), at("answers.q1", ProblemCode::InvalidType));
    assert_eq!(wrong("db", json!(["pg", "o9"])), at("answers.db", ProblemCode::NoSuchOption));
    assert_eq!(wrong("db", json!("x")), at("answers.db", ProblemCode::InvalidValue));
    assert_eq!(wrong("db", json!({ "nothing": 1 })), at("answers.db", ProblemCode::InvalidType));
    assert_eq!(wrong("db", json!({ "state": "lost" })), at("answers.db", ProblemCode::InvalidType));
    assert_eq!(answers("{}").unwrap_err(), at("answers", ProblemCode::Required));
    assert_eq!(answers("[]").unwrap_err(), at("", ProblemCode::InvalidType));
    assert_eq!(answers(r#"{"sayso":2,"answers":{}}"#).unwrap_err(), at("sayso", ProblemCode::InvalidValue));
    assert_eq!(answers(r#"{"outcome":"declined"}"#).unwrap_err(), at("outcome", ProblemCode::InvalidValue));
}

#[test]
fn answered_outcome_survives_round_trip() {
    let picks = Reply::from_picks([option("pg"), Pick::Other("x".to_owned())]);
    let replies: Replies = [(QuestionId::new("db"), picks), (QuestionId::new("q1"), Reply::from_text("y"))]
        .into_iter()
        .collect();
    let written = Dialect::Sayso.write(ask(), &read(REQUEST).unwrap(), &answered(replies.clone()));
    assert_eq!(answers(&written.stdout), Ok(replies));
}

proptest! {
    #[test]
    fn no_text_panics(text in any::<String>()) {
        let _ = read(&text);
        let _ = answers(&text);
    }
}
