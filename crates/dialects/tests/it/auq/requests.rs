//! Requests of AUQ: validated like the spec's schema.

use super::read;
use crate::changes::{Change, changed, type_of};
use proptest::prelude::*;
use sayso_core::{Lang, Problem, ProblemCode, Questionnaire};
use sayso_dialects::Dialect;
use sayso_dialects::auq::{AuqCompat, AuqLimits, arguments_error, tool};
use serde_json::{Map, Value, json};

pub(crate) fn question(title: &str, labels: &[&str], multi: bool) -> Value {
    let option = |label: &&str| json!({ "label": label });
    let options: Vec<_> = labels.iter().map(option).collect();
    json!({ "prompt": format!("Which {title}?"), "title": title, "options": options, "multiSelect": multi })
}

pub(crate) fn asked(questions: &[Value], compat: AuqCompat) -> Questionnaire {
    let text = json!({ "questions": questions }).to_string();
    read(&text, &AuqLimits::from_compat(compat)).unwrap().questionnaire
}

/// Issues of a request: a plain implementation of the spec's schema.
struct Schema {
    limits: AuqLimits,
    issues: Vec<String>,
}

impl Schema {
    fn issues(value: &Value, limits: AuqLimits) -> Vec<String> {
        let mut schema = Self { limits, issues: Vec::new() };
        if let Some(request) = schema.object(Some(value), "") {
            let most = limits.questions();
            schema.array(request.get("questions"), "questions", 1, most, |schema, item, at| {
                schema.question(item, at);
            });
            if let (AuqCompat::V3_4, Some(value)) = (limits.compat(), request.get("nonBlocking")) {
                schema.typed(Some(value), "nonBlocking", "boolean", Value::as_bool);
            }
        }
        schema.issues
    }

    fn question(&mut self, value: &Value, at: &str) {
        let Some(question) = self.object(Some(value), at) else { return };
        let place = format!("{at}.prompt");
        if self.typed(question.get("prompt"), &place, "string", Value::as_str) == Some("") {
            self.issues.push(format!("{place}: Too small: expected string to have >=1 characters"));
        }
        let place = format!("{at}.title");
        if self.typed(question.get("title"), &place, "string", Value::as_str) == Some("") {
            let words = "Question title is required. Provide a short summary like 'Language' or 'Framework'.";
            self.issues.push(format!("{place}: {words}"));
        }
        let most = self.limits.options();
        self.array(question.get("options"), &format!("{at}.options"), 2, most, |schema, option, at| {
            let Some(option) = schema.object(Some(option), at) else { return };
            schema.typed(option.get("label"), &format!("{at}.label"), "string", Value::as_str);
            if let Some(value) = option.get("description") {
                schema.typed(Some(value), &format!("{at}.description"), "string", Value::as_str);
            }
        });
        let place = format!("{at}.multiSelect");
        self.typed(question.get("multiSelect"), &place, "boolean", Value::as_bool);
    }

    fn typed<'v, T>(
        &mut self,
        value: Option<&'v Value>,
        at: &str,
        wanted: &str,
        get: impl Fn(&'v Value) -> Option<T>,
    ) -> Option<T> {
        let found = value.map_or("undefined", type_of);
        let got = value.and_then(get);
        if got.is_none() {
            let at = if at.is_empty() { String::new() } else { format!("{at}: ") };
            self.issues.push(format!("{at}Invalid input: expected {wanted}, received {found}"));
        }
        got
    }

    fn object<'v>(&mut self, value: Option<&'v Value>, at: &str) -> Option<&'v Map<String, Value>> {
        self.typed(value, at, "object", Value::as_object)
    }

    fn array(
        &mut self,
        value: Option<&Value>,
        at: &str,
        fewest: usize,
        most: usize,
        each: impl Fn(&mut Self, &Value, &str),
    ) {
        let Some(array) = self.typed(value, at, "array", Value::as_array) else { return };
        for (index, item) in array.iter().enumerate() {
            each(self, item, &format!("{at}.{index}"));
        }
        if array.len() < fewest {
            self.issues.push(format!("{at}: Too small: expected array to have >={fewest} items"));
        }
        if array.len() > most {
            self.issues.push(format!("{at}: Too big: expected array to have <={most} items"));
        }
    }
}

fn change() -> impl Strategy<Value = Change> {
    let value = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i32>().prop_map(Value::from),
        ".{0,3}".prop_map(Value::from),
        Just(json!([])),
        Just(json!({})),
    ];
    prop_oneof![
        3 => value.prop_map(Change::Replace),
        2 => Just(Change::Remove),
        3 => (0..8_usize).prop_map(Change::Repeat),
    ]
}

fn valid() -> Value {
    let described = json!({ "label": "", "description": "", "more": 1 });
    let second =
        json!({ "prompt": "P", "title": " ", "options": [described, described], "multiSelect": true });
    json!({ "questions": [question("T", &["A", "B", "A"], false), second], "nonBlocking": true, "extra": [null] })
}

fn compat() -> impl Strategy<Value = AuqCompat> {
    prop::sample::select(AuqCompat::ALL.to_vec())
}

proptest! {
    #[test]
    fn mutated_requests_match_plain_schema(
        changes in prop::collection::vec((any::<prop::sample::Index>(), change()), 0..4), compat in compat()
    ) {
        let mut document = valid();
        for (place, change) in changes {
            changed(&mut document, &place, change);
        }
        let limits = AuqLimits::from_compat(compat);
        let issues = Schema::issues(&document, limits);
        let tool = tool(&limits);
        let schema = jsonschema::draft202012::new(&tool["inputSchema"]).unwrap();
        prop_assert_eq!(schema.is_valid(&document), issues.is_empty(), "{}", document);
        match read(&document.to_string(), &limits) {
            Ok(first) => {
                prop_assert_eq!(issues, Vec::<String>::new());
                prop_assert_eq!(first.questionnaire.problems(), []);
            }
            Err(problems) => {
                let lines: Vec<_> = issues.iter().map(|issue| format!("Error: {issue}")).collect();
                prop_assert_eq!(Dialect::Auq.refuse(&problems, Lang::En).stderr, lines.join("\n"));
            }
        }
    }

    #[test]
    fn no_text_panics(text in any::<String>()) {
        let problems = read(&text, &AuqLimits::v3_4()).unwrap_err();
        prop_assert!(!Dialect::Auq.refuse(&problems, Lang::En).stderr.is_empty());
    }
}

#[test]
fn refusal_lists_problems_in_lines() {
    let output_of = |text: &str| Dialect::Auq.refuse(&read(text, &AuqLimits::spec()).unwrap_err(), Lang::En);
    assert_eq!(output_of("").exit, 1);
    assert!(output_of("{nope").stderr.starts_with("Error: Invalid JSON input.\n"));
    assert_eq!(output_of("null").stderr, "Error: Invalid input: expected object, received null");
    let whole = arguments_error(&read("null", &AuqLimits::spec()).unwrap_err());
    assert!(whole.contains("failed: root: Invalid input: expected object, received null."), "{whole}");
    let two = output_of(r#"{"questions":[{"prompt":"P","title":"T","options":[{}],"multiSelect":false}]}"#);
    let label = "Error: questions.0.options.0.label: Invalid input: expected string, received undefined";
    let options = "Error: questions.0.options: Too small: expected array to have >=2 items";
    assert_eq!(two.stderr, format!("{label}\n{options}"));
    assert_eq!(two.stdout, "");
}

#[test]
fn excess_issues_are_counted() {
    let text = format!("{{\"questions\":[{}{{}}]}}", "{},".repeat(300_000));
    let problems: Vec<Problem> = read(&text, &AuqLimits::spec()).unwrap_err();
    assert_eq!(problems.len(), 1_001);
    assert_eq!(problems[1_000].message.render(Lang::En), "And at least 3001 more problems.");
}

#[test]
fn limits_are_configurable_up_to_ten() {
    let spec = AuqLimits::default();
    assert_eq!((spec.compat(), spec.questions(), spec.options()), (AuqCompat::Spec, 4, 4));
    let later = AuqLimits::v3_4();
    assert_eq!((later.compat(), later.questions(), later.options()), (AuqCompat::V3_4, 5, 5));
    assert_eq!(later.with_limits(0, 5).or(later.with_limits(5, 1)), None);
    assert_eq!(later.with_limits(11, 5).or(later.with_limits(5, 11)), None);
    let wide = spec.with_limits(10, 10).unwrap();
    let labels = ["A"; 10];
    let ten = json!({ "questions": vec![question("T", &labels, false); 10] }).to_string();
    assert_eq!(read(&ten, &wide).unwrap().questionnaire.questions.len(), 10);
    let problems = read(&ten, &later).unwrap_err();
    assert_eq!(problems.len(), 11);
    assert!(problems.iter().all(|problem| problem.code == ProblemCode::TooBig));
    for compat in AuqCompat::ALL {
        assert_eq!(AuqCompat::parse(compat.name()), Some(compat));
    }
    assert_eq!(AuqCompat::parse("4"), None);
}

#[test]
fn non_blocking_needs_3_4() {
    let text = json!({ "questions": [question("T", &["A", "B"], false)], "nonBlocking": true }).to_string();
    let earlier = read(&text, &AuqLimits::spec()).unwrap();
    assert!(earlier.options.is_waiting && earlier.questionnaire.extensions.is_empty());
    let later = read(&text, &AuqLimits::v3_4()).unwrap();
    assert!(!later.options.is_waiting);
    assert_eq!(later.questionnaire.extensions["auq"], json!({ "compat": "3.4", "nonBlocking": true }));
    let output = Dialect::Auq.pending_output(crate::sample::ask(), &later.questionnaire).stdout;
    assert!(output.starts_with("[Session: 01890a5d | Questions: 1 | Status: pending]\n\n"), "{output}");
}

#[test]
fn guide_example_is_valid() {
    let guide = include_str!("../../../../../docs/formats/auq.md");
    let block = |name: &str| {
        let after = guide.split(&format!("```{name}\n")).nth(1).unwrap();
        after.split("\n```").next().unwrap()
    };
    let asked = read(block("json request"), &AuqLimits::spec()).unwrap().questionnaire;
    let given = Dialect::Auq.read_answers(&asked, block("json answers")).unwrap();
    let outcome = crate::sample::answered(given.replies);
    assert_eq!(Dialect::Auq.write(crate::sample::ask(), &asked, &outcome).stdout, block("text reply"));
}
