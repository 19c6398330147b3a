//! Requests of `AskUserQuestion`: read in one pass, and validated like the spec's schema.

use crate::changes::{Change, changed, type_of};
use crate::sample::{question, read, request};
use proptest::prelude::*;
use sayso_core::Lang;
use sayso_core::model::document_path::PathStep;
use sayso_core::model::validation_rules::LengthUnit;
use sayso_core::{Problem, ProblemCode};
use sayso_dialects::ask_user_question::{AskUserQuestionLimits, json_argument, route};
use sayso_dialects::{Dialect, DialectLimits};
use serde_json::{Map, Value, json};

fn problems(text: &str) -> Vec<Problem> {
    read(text).map(|read| read.questionnaire).unwrap_err()
}

fn code(text: &str) -> ProblemCode {
    let problems = problems(text);
    assert_eq!(problems.len(), 1, "{problems:?}");
    problems[0].code
}

/// Issues of a request as lines: a plain implementation of the spec's schema.
#[derive(Default)]
struct Schema(Vec<String>);

impl Schema {
    fn issues(value: &Value) -> Vec<String> {
        let mut schema = Self::default();
        if let Some(request) = schema.object(Some(value), "") {
            let questions = schema.array(request.get("questions"), "questions", 1, 4);
            for (index, item) in questions.iter().enumerate() {
                schema.question(item, &format!("questions[{index}]"));
            }
        }
        schema.0
    }

    fn question(&mut self, value: &Value, at: &str) {
        let Some(question) = self.object(Some(value), at) else { return };
        self.text(question.get("question"), &format!("{at}.question"), 500);
        self.text(question.get("header"), &format!("{at}.header"), 12);
        let options = self.array(question.get("options"), &format!("{at}.options"), 2, 4);
        for (index, option) in options.iter().enumerate() {
            let at = format!("{at}.options[{index}]");
            let Some(option) = self.object(Some(option), &at) else { continue };
            self.text(option.get("label"), &format!("{at}.label"), 50);
            self.text(option.get("description"), &format!("{at}.description"), 200);
        }
        let at = format!("{at}.multiSelect");
        self.typed(question.get("multiSelect"), &at, "boolean", Value::as_bool);
    }

    fn typed<'v, T>(
        &mut self,
        value: Option<&'v Value>,
        at: &str,
        wanted: &str,
        get: impl Fn(&'v Value) -> Option<T>,
    ) -> Option<T> {
        let Some(value) = value else {
            self.0.push(format!("- {at}: Required"));
            return None;
        };
        let got = get(value);
        if got.is_none() {
            self.0.push(format!("- {at}: Expected {wanted}, received {}", type_of(value)));
        }
        got
    }

    fn object<'v>(&mut self, value: Option<&'v Value>, at: &str) -> Option<&'v Map<String, Value>> {
        self.typed(value, at, "object", Value::as_object)
    }

    fn text(&mut self, value: Option<&Value>, at: &str, most: usize) {
        let Some(text) = self.typed(value, at, "string", Value::as_str) else { return };
        match text.encode_utf16().count() {
            0 => self.0.push(format!("- {at}: String must contain at least 1 character(s)")),
            n if n > most => self.0.push(format!("- {at}: String must contain at most {most} character(s)")),
            _ => {}
        }
    }

    fn array<'v>(&mut self, value: Option<&'v Value>, at: &str, fewest: usize, most: usize) -> &'v [Value] {
        let Some(array) = self.typed(value, at, "array", Value::as_array) else { return &[] };
        if array.len() < fewest {
            self.0.push(format!("- {at}: Array must contain at least {fewest} element(s)"));
        }
        if array.len() > most {
            self.0.push(format!("- {at}: Array must contain at most {most} element(s)"));
        }
        array
    }
}

/// Compares the reader with the plain schema.
fn judged_alike(text: &str, value: &Value) -> Result<(), TestCaseError> {
    let issues = Schema::issues(value);
    match read(text) {
        Ok(read) => {
            prop_assert_eq!(issues, Vec::<String>::new());
            let blank = read.questionnaire.questions.iter().any(|question| question.prompt.trim().is_empty());
            prop_assert!(blank || read.questionnaire.problems().is_empty());
        }
        Err(problems) => {
            let words = format!("Error: Validation failed\n{}", issues.join("\n"));
            prop_assert_eq!(Dialect::AskUserQuestion.refuse(&problems, Lang::En).stderr, words);
        }
    }
    Ok(())
}

fn valid() -> Value {
    let features = question("Features", &["Caching", "Logging", "🦀"], true);
    json!({ "questions": [question("一二三四五六七八九十十一", &["A", "B"], false), features], "extra": [null] })
}

fn change() -> impl Strategy<Value = Change> {
    let value = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        ".{0,3}".prop_map(Value::from),
        (0..600_usize).prop_map(|length| Value::from("x".repeat(length))),
        (0..120_usize).prop_map(|length| Value::from("🦀".repeat(length))),
        Just(json!([])),
        Just(json!({})),
    ];
    prop_oneof![
        3 => value.prop_map(Change::Replace),
        2 => Just(Change::Remove),
        2 => (0..6_usize).prop_map(Change::Repeat),
    ]
}

proptest! {
    #[test]
    fn mutated_requests_match_plain_schema(
        changes in prop::collection::vec((any::<prop::sample::Index>(), change()), 0..5)
    ) {
        let mut document = valid();
        for (place, change) in changes {
            changed(&mut document, &place, change);
        }
        judged_alike(&document.to_string(), &document)?;
    }

    #[test]
    fn mutated_text_matches_plain_schema(
        at in any::<prop::sample::Index>(), with in "[ -~]{0,2}"
    ) {
        let mut text: Vec<char> = valid().to_string().chars().collect();
        let at = at.index(text.len());
        text.splice(at..=at, with.chars());
        let text: String = text.into_iter().collect();
        match serde_json::from_str(&text) {
            Ok(value) => judged_alike(&text, &value)?,
            // Members outside the schema are not inspected, so they may contain anything.
            Err(_) => if let Err(problems) = read(&text) {
                prop_assert_eq!(problems[0].code, ProblemCode::InvalidJson);
            },
        }
    }

    #[test]
    fn no_text_panics(text in any::<String>()) {
        let _ = read(&text);
        let _ = route(&text);
        let _ = json_argument(&text);
        let _ = AskUserQuestionLimits::from_values(|_| Some(text.clone()));
    }
}

#[test]
fn invalid_json_is_one_problem() {
    let valid = request(&[question("H", &["A", "B"], false)]);
    assert!(read(&valid).is_ok());
    assert_eq!(code(""), ProblemCode::MissingRequest);
    assert_eq!(code(" \n\u{feff}"), ProblemCode::MissingRequest);
    assert_eq!(code("{"), ProblemCode::InvalidJson);
    assert_eq!(code(&format!("\u{feff}{valid}")), ProblemCode::InvalidJson);
    assert_eq!(code(&format!("{valid} {valid}")), ProblemCode::InvalidJson);
    assert_eq!(code(&valid.replace("Which", "\0")), ProblemCode::InvalidJson);
    assert_eq!(code(&valid.replace("Which", "\\ud800")), ProblemCode::InvalidJson);
    assert_eq!(code(&"[".repeat(100_000)), ProblemCode::TooDeep);
    assert_eq!(code(&format!("\"{}\"", "x".repeat(2 << 20))), ProblemCode::TooLarge);
    assert!(read(&valid.replace("Which", "\\u0000")).is_ok());
}

#[test]
fn last_duplicate_member_counts() {
    let text = request(&[question("H", &["A", "B"], false)]);
    let twice = text.replace("\"header\":", "\"header\":null,\"header\":");
    assert_eq!(read(&twice), read(&text));
    let null_last = text.replacen("\"questions\":", "\"questions\":[],\"q\":1,\"questions\":null,\"x\":", 1);
    let problems = problems(&null_last);
    assert_eq!(problems[0].message.render(Lang::En), "Expected array, received null");
}

#[test]
fn excess_issues_are_counted() {
    let refusals = problems(&format!("{{\"questions\":[{}{{}}]}}", "{},".repeat(300_000)));
    assert_eq!(refusals.len(), 1_001);
    assert_eq!(refusals[0].message.render(Lang::En), "Array must contain at most 4 element(s)");
    assert_eq!(refusals[1_000].message.render(Lang::En), "And at least 3001 more problems.");
    let options = format!("{{\"questions\":[{{\"options\":[{}1]}}]}}", "1,".repeat(9_999));
    assert_eq!(problems(&options)[1_000].message.render(Lang::En), "And at least 4 more problems.");
}

#[test]
fn questionnaire_has_the_dialect_rules() {
    let questions = [question("Same", &["A", "A"], false), question("Same", &["A", "B"], true)];
    let read = read(&request(&questions)).unwrap();
    let ids: Vec<_> = read.questionnaire.questions.iter().map(|question| question.id.as_str()).collect();
    assert_eq!(ids, ["q0", "q1"]);
    let first = &read.questionnaire.questions[0];
    assert!(first.required && first.label.as_deref() == Some("Same") && first.prompt == "Which Same?");
    assert_eq!(read.questionnaire.rules.length_unit, LengthUnit::Utf16);
    assert!(!read.questionnaire.rules.trim_text && read.questionnaire.rules.empty_other);
    assert_eq!(read.warnings.len(), 1);
    assert_eq!(read.warnings[0].path.0[1], PathStep::Index(1));
    assert_eq!(
        read.warnings[0].message.render(Lang::En),
        "An earlier question also has the header \"Same\": the asker gets only the later answer."
    );
}

#[test]
fn limits_come_from_the_environment() {
    let from = |value: &str| AskUserQuestionLimits::from_values(|_| Some(value.to_owned()));
    for unusable in ["", "x", "0", "-1", "4abc", "1.5", "1e3", "٣", "+"] {
        assert_eq!(from(unusable), AskUserQuestionLimits::default(), "{unusable}");
    }
    assert_eq!(from(" 7 "), AskUserQuestionLimits { questions: 7, options: 7, header: 7, question: 7 });
    assert_eq!(from("99999999999999999999999"), AskUserQuestionLimits::NONE, "no more than we take anyway");
    let only =
        AskUserQuestionLimits::from_values(|name| (name == "ASK_HEADER_MAX_LENGTH").then(|| "3".to_owned()));
    assert_eq!(only, AskUserQuestionLimits { header: 3, ..AskUserQuestionLimits::default() });
    let limits = DialectLimits { ask_user_question: only, ..DialectLimits::default() };
    let problems = Dialect::AskUserQuestion
        .read(&request(&[question("Four", &["A", "B"], false)]), &limits)
        .unwrap_err();
    assert_eq!(problems[0].message.render(Lang::En), "String must contain at most 3 character(s)");
}
