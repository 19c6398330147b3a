//! Edge cases of forms: huge numbers and summaries, further rounds, extensions of others, and late responses.

use super::read;
use crate::interaction::stored_request::{questionnaire, restore_tool};
use crate::sample::{answered, declined};
use sayso_core::{Answer, Lang, ProblemCode, Questionnaire, Replies, Reply};
use sayso_dialects::Dialect;
use sayso_dialects::interaction::{
    FieldErrors, HookOutcome, InteractionCall, InteractionExchange, InteractionPayload, InteractionRequest,
    InteractionStep, RequestPayload, SUMMARY_BYTES, UserAction, UserResponse, completed_summary,
    read_arguments, validate_input,
};
use serde_json::{Map, Value, json};
use std::sync::Arc;

fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(members) => members,
        other => panic!("{other}"),
    }
}

fn field(kind: &str, more: Value) -> Value {
    let mut field = object(json!({ "id": "a", "type": kind, "label": "A" }));
    field.extend(object(more));
    Value::Object(field)
}

fn arguments(kind: &str, more: Value) -> Value {
    json!({ "schema": { "fields": [field(kind, more)] } })
}

fn asked(kind: &str, more: Value) -> InteractionRequest {
    read_arguments(&arguments(kind, more)).unwrap()
}

fn submit(input: Value) -> UserResponse {
    UserResponse { action: UserAction::Submit, input: Some(object(input)), reason: None }
}

/// Returns the payload that a step shows.
fn shown(step: &InteractionStep) -> &RequestPayload {
    match step.events.as_slice() {
        [InteractionPayload::InteractionRequest(shown)] => shown,
        other => panic!("{other:?}"),
    }
}

fn wrong() -> FieldErrors {
    FieldErrors(vec![("a".to_owned(), "No.".to_owned())])
}

#[test]
fn next_round_shows_submitted_values() {
    let first = asked("text", json!({ "defaultValue": "D" }));
    for (initial, expected) in [(Some(json!({})), json!({})), (None, json!({ "b": 1 }))] {
        for field_errors in [wrong(), FieldErrors::default()] {
            let mut next = first.clone();
            next.input_schema.initial_values = initial.clone().map(object);
            next.field_errors = field_errors;
            let (mut exchange, _) = InteractionExchange::open(InteractionCall::new("c"), &first, "r1");
            exchange.receive("r1", &submit(json!({ "b": 1 }))).unwrap();
            let step = exchange.decide(HookOutcome::Reprompt(Box::new(next)), "r2");
            assert_eq!(shown(&step).input_schema.initial_values, Some(object(expected.clone())));
            let summary = shown(&step).error_summary.as_deref();
            assert_eq!(summary, Some("Please correct the highlighted fields."));
        }
    }
}

#[test]
fn further_round_survives_round_trip() {
    let initial = json!({ "b": null, "n": 2.0, "x": [1] });
    let fields = json!([field("text", json!({ "defaultValue": "D" })), { "id": "b", "type": "text", "label": "B" },
        { "id": "n", "type": "number", "label": "N" }]);
    for wrong in [json!({ "errorSummary": "Wrong." }), json!({ "fieldErrors": { "a": "No." } })] {
        let mut asked = object(wrong);
        asked.insert("inputSchema".to_owned(), json!({ "fields": fields, "initialValues": initial }));
        let text = Value::Object(asked).to_string();
        let form = questionnaire(&text);
        assert_eq!(form.questions[0].prefill, None);
        assert_eq!(form.questions[2].prefill, Some(Answer::Number(2.into())));
        let again = restore_tool(&form);
        let schema = &again.request().input_schema;
        assert_eq!(schema.initial_values, Some(object(initial.clone())));
        assert_eq!(schema.fields.as_ref().unwrap()[2].default_value, None);
        let mut changed = form;
        changed.questions[0].prefill = Some(Answer::Text("C".to_owned()));
        let values = restore_tool(&changed).request().input_schema.initial_values.clone().unwrap();
        assert_eq!(values["a"], "C");
    }
    // Consent that was submitted before is no suggestion of the asker.
    let again = json!({ "inputSchema": { "fields": [{ "id": "go", "type": "boolean", "label": "Go?" }],
        "initialValues": { "go": true } }, "errorSummary": "Wrong." });
    let form = questionnaire(&again.to_string());
    assert_eq!(form.questions[0].prefill, None);
    let initial = restore_tool(&form).request().input_schema.initial_values.clone();
    assert_eq!(initial, Some(object(json!({ "go": true }))));
    let mut first = asked("text", json!({ "defaultValue": "D" }));
    first.field_errors = wrong();
    let payload = RequestPayload::new("c", "t", "r", &first);
    assert_eq!(payload.input_schema.initial_values, None);
    assert!(payload.error_summary.is_some());
}

#[test]
fn summary_length_is_bounded() {
    let view = json!({ "summaryTemplate": "é{{a}}".repeat(10_000) });
    let asked = json!({ "inputSchema": { "fields": [field("textarea", json!({}))] }, "completedView": view });
    let form = questionnaire(&asked.to_string());
    let round_trip = |text: String| {
        let replies: Replies = [(form.questions[0].id.clone(), Reply::from_text(text))].into_iter().collect();
        completed_summary(&form, &answered(replies), Lang::En)
    };
    let long = round_trip("名".repeat(10_000));
    assert!(long.len() <= SUMMARY_BYTES && long.len() > SUMMARY_BYTES - 8, "{}", long.len());
    assert!(long.starts_with("é名名") && long.ends_with("名…"));
    assert_eq!(round_trip("x".to_owned()), "éx".repeat(10_000));
}

#[test]
fn first_response_wins() {
    let first = asked("text", json!({}));
    let again = || HookOutcome::Reprompt(Box::new(first.clone()));
    let (mut exchange, _) = InteractionExchange::open(InteractionCall::new("c"), &first, "r1");
    // Nothing was received that needs a decision.
    assert_eq!(exchange.decide(again(), "r2"), InteractionStep::default());
    exchange.receive("r1", &submit(json!({}))).unwrap();
    assert_eq!(exchange.waiting_round(), None);
    let late = exchange.receive("r1", &submit(json!({}))).unwrap_err();
    assert_eq!(late.code, "interaction_not_found");
    assert!(!exchange.time_out());
    assert_eq!(exchange.decide(again(), "r2").events.len(), 1);
    assert_eq!(exchange.waiting_round(), Some("r2"));
    assert_eq!(exchange.decide(again(), "r3"), InteractionStep::default());
    assert!(exchange.time_out());
    assert!(exchange.receive("r2", &submit(json!({}))).is_err());
    assert_eq!(exchange.abort().events.len(), 1);
    assert_eq!(exchange.decide(again(), "r3"), InteractionStep::default());
    assert_eq!(exchange.abort(), InteractionStep::default());
    assert_eq!(exchange.waiting_round(), None);
}

#[test]
fn impossible_time_limit_is_refused() {
    let most = 34_560_000_000_i64;
    for (limit, words) in [
        (json!(1e17), "timeoutMs must be at most 34560000000"),
        (json!(most + 1), "timeoutMs must be at most 34560000000"),
        (json!(0.5), "timeoutMs must be at least 1"),
        (json!(0), "timeoutMs must be a positive number"),
    ] {
        let mut asked = arguments("text", json!({}));
        asked["timeoutMs"] = limit;
        let problems = read(&asked.to_string()).unwrap_err();
        assert_eq!(problems[0].path.to_js_path(), "timeoutMs");
        let refused: Value =
            serde_json::from_str(&Dialect::Interaction.refuse(&problems, Lang::En).stdout).unwrap();
        assert_eq!(refused["error"], json!({ "code": "invalid_arguments", "message": words }));
    }
    let mut asked = arguments("text", json!({}));
    asked["timeoutMs"] = json!(most);
    assert_eq!(read(&asked.to_string()).unwrap().options.time_limit_ms, Some(most));
}

#[test]
fn time_limit_is_kept() {
    let mut asked = arguments("text", json!({}));
    asked["timeoutMs"] = json!(20.5);
    asked["mode"] = json!("async");
    let there = read(&asked.to_string()).unwrap();
    let again = restore_tool(&there.questionnaire);
    assert_eq!(serde_json::to_value(&again.request().timeout_ms).unwrap(), json!(20.5));
    assert!(!again.request().waits);
}

fn with_beside(kept: Value) -> Questionnaire {
    let mut form = questionnaire(&arguments("text", json!({})).to_string());
    form.extensions.insert("interaction".to_owned(), kept);
    form
}

#[test]
fn unsuitable_extensions_are_ignored() {
    let plain = restore_tool(&with_beside(json!({})));
    for kept in [
        json!({ "presentation": "evil" }),
        json!({ "prompt": " P " }),
        json!({ "prompt": "" }),
        json!({ "timeoutMs": 1e17 }),
        json!({ "timeoutMs": "soon" }),
        json!({ "mode": "sync" }),
        json!({ "onTimeout": "never" }),
        json!({ "requireClient": 5 }),
        json!({ "fieldErrors": [["a", "One."], ["a", "Two."]] }),
        json!({ "types": { "a": "checkbox" } }),
        json!({ "types": { "a": "evil" } }),
        json!({ "sections": { "s": "t" } }),
        json!({ "initialValues": { "a": "x" } }),
        json!({ "initialValues": [] }),
        json!({ "unknown": 1 }),
    ] {
        assert_eq!(restore_tool(&with_beside(kept.clone())).request(), plain.request(), "{kept}");
    }
    // Suitable extensions are kept even if others are not.
    let form = with_beside(json!({ "presentation": "tool", "prompt": 5 }));
    assert_eq!(restore_tool(&form).request().presentation.as_deref(), Some("tool"));
}

#[test]
fn section_keeps_its_name() {
    let text = r#"{"sections":[{"id":"s","fields":[{"id":"a","type":"text","label":"A"}]}]}"#;
    let mut form = questionnaire(text);
    form.extensions.insert("interaction".to_owned(), json!({ "sections": { "s": "t" } }));
    let sections = restore_tool(&form).request().input_schema.sections.clone().unwrap();
    assert_eq!(sections[0].id.as_str(), "s");
}

/// Returns the message for a value, if any.
fn problem_text(kind: &str, more: Value, value: Value) -> Option<String> {
    let form = Arc::new(questionnaire(&arguments(kind, more).to_string()));
    let input = [("a".to_owned(), value)].into_iter().collect();
    validate_input(&form, &input).0.into_iter().next().map(|(_, words)| words)
}

/// Returns the places of the warnings.
fn warned(kind: &str, more: Value) -> Vec<String> {
    let read = read(&arguments(kind, more).to_string()).unwrap();
    let line = |warning: &sayso_core::Problem| {
        format!("{}: {}", warning.path.to_js_path(), warning.message.render(Lang::En))
    };
    read.warnings.iter().map(line).collect()
}

#[test]
fn huge_bound_is_accepted() {
    assert_eq!(problem_text("number", json!({ "max": 1.79e308 }), json!(7)), None);
    assert_eq!(problem_text("number", json!({ "min": -1e30 }), json!(7)), None);
    assert_eq!(
        problem_text("number", json!({ "min": 1e30 }), json!(7)).as_deref(),
        Some("Must be at least 1e+30.")
    );
    assert_eq!(
        problem_text("number", json!({ "max": -1e30 }), json!(7)).as_deref(),
        Some("Must be at most -1e+30.")
    );
    assert_eq!(problem_text("number", json!({ "min": 1e-30 }), json!(1)), None);
    assert_eq!(
        problem_text("number", json!({ "min": 1e-30 }), json!(-1)).as_deref(),
        Some("Must be at least 1e-30.")
    );
    let words = "schema.fields[0].max: Numbers can have at most 28 digits, and 1e+300 has more.";
    assert_eq!(warned("number", json!({ "max": 1e300, "min": 1 })), [words]);
    assert_eq!(warned("number", json!({ "step": 1e-300 })).len(), 1);
}

#[test]
fn impossible_length_is_reported() {
    let words = |member: &str, length: &str| {
        format!("schema.fields[0].{member}: No answer can be {length} characters long.")
    };
    let least = json!({ "minLength": 1e16 });
    assert_eq!(warned("text", least.clone()), [words("minLength", "10000000000000000")]);
    assert_eq!(
        problem_text("text", least, json!("x")).as_deref(),
        Some("Must be at least 10000000000000000 characters.")
    );
    let most = json!({ "maxLength": 18_446_744_073_709_551_615_u64 });
    assert_eq!(warned("text", most), [words("maxLength", "9223372036854775807")]);
    assert_eq!(warned("text", json!({ "minLength": 5_000_000, "maxLength": 4_294_967_295_u64 })), [""; 0]);
}

#[test]
fn picks_become_javascript_text() {
    let options: Vec<_> = ["1", "1,2", "null", "1e+21", "true", "[object Object]", "0.1"]
        .into_iter()
        .map(|value| json!({ "label": "L", "value": value }))
        .collect();
    let options = json!({ "options": options });
    for picked in [
        json!(1.0),
        json!([1]),
        json!([[1.0], 2]),
        json!([1, [2]]),
        json!(null),
        json!(1e21),
        json!(true),
        json!({ "a": 1 }),
        json!(0.1),
    ] {
        assert_eq!(problem_text("multiselect", options.clone(), json!([picked])), None, "{picked}");
    }
    for picked in [json!([]), json!([null]), json!(2), json!([1, 2, 3])] {
        let words = problem_text("multiselect", options.clone(), json!([picked]));
        assert_eq!(words.as_deref(), Some("Select valid options."), "{picked}");
    }
}

#[test]
fn oversized_form_names_its_place() {
    let fields = |section: usize| -> Vec<Value> {
        let field = |at: usize| json!({ "id": format!("f{section}-{at}"), "type": "text", "label": "L" });
        (0..600).map(field).collect()
    };
    let section = |at: usize| json!({ "id": "s", "fields": fields(at) });
    let schema = json!({ "sections": [section(0), section(1)] });
    let problems = read(&json!({ "inputSchema": schema }).to_string()).unwrap_err();
    assert_eq!(
        (problems[0].code, problems[0].path.to_js_path()),
        (ProblemCode::TooBig, "inputSchema.sections".to_owned())
    );
    let problems = read(&schema.to_string()).unwrap_err();
    assert_eq!(problems[0].path.to_js_path(), "sections");
    let field = |at: usize| json!({ "id": format!("f{at}"), "type": "text", "label": "L", "pattern": "a" });
    let section = |at: usize| json!({ "id": format!("s{at}"), "fields": [field(at)] });
    let options = |count: usize| vec![json!({ "label": "L", "value": "v" }); count];
    let select =
        |count: usize| json!({ "id": "s", "type": "select", "label": "L", "options": options(count) });
    for (most, form) in [
        (
            200,
            &(|count| json!({ "fields": (0..count).map(field).collect::<Vec<_>>() }))
                as &dyn Fn(usize) -> Value,
        ),
        (1_000, &|count| json!({ "fields": [select(count)] })),
        (200, &|count| json!({ "sections": (0..count).map(section).collect::<Vec<_>>() })),
    ] {
        assert!(read(&form(most).to_string()).is_ok());
        assert_eq!(read(&form(most + 1).to_string()).unwrap_err()[0].code, ProblemCode::TooBig);
    }
}

#[test]
fn invalid_value_activates_its_section() {
    let fields = |name: &str| {
        json!([{ "id": format!("{name}1"), "type": "text", "label": "A", "required": true },
            { "id": format!("{name}2"), "type": "text", "label": "B", "required": true }])
    };
    let section = |name: &str| json!({ "id": name, "optional": true, "fields": fields(name) });
    let form = questionnaire(&json!({ "sections": [section("s"), section("t")] }).to_string());
    let given = Dialect::Interaction.read_answers(&form, r#"{"s1":5}"#).unwrap();
    let places: Vec<_> = given.problems.iter().map(|problem| problem.path.to_js_path()).collect();
    assert_eq!(places, ["answers.s1", "answers.s2"]);
    assert_eq!(given.validate(&Arc::new(form.clone())).unwrap_err().len(), 2);
    assert_eq!(completed_summary(&form, &declined(None), Lang::En), "Cancelled");
}

#[test]
fn unknown_arguments_are_ignored() {
    let given = |more: Value| {
        let mut given = object(arguments("text", json!({ "defaultValue": "D" })));
        given.extend(object(more));
        Value::Object(given)
    };
    let plain = read_arguments(&given(json!({}))).unwrap();
    for ignored in [
        json!({ "presentation": "modal" }),
        json!({ "errorSummary": "x" }),
        json!({ "fieldErrors": { "a": 1 } }),
    ] {
        assert_eq!(read_arguments(&given(ignored.clone())).as_ref(), Ok(&plain), "{ignored}");
    }
    let schema = json!({ "fields": [field("text", json!({}))] });
    for (wrong, words) in [
        (json!({ "completedView": { "showInputs": "yes" } }), "completedView.showInputs must be a boolean"),
        (json!({ "completedView": [] }), "completedView must be an object"),
        (json!({ "fieldErrors": { "a": 1 } }), "fieldErrors must be an object of strings"),
    ] {
        let mut asked = object(wrong);
        asked.insert("inputSchema".to_owned(), schema.clone());
        let problems = read(&Value::Object(asked).to_string()).unwrap_err();
        let messages: Vec<_> = problems.iter().map(|problem| problem.message.render(Lang::En)).collect();
        assert_eq!(messages, [words]);
    }
}

#[test]
fn costly_pattern_is_a_warning() {
    let words =
        "The pattern takes too many steps to check: matching it against \"aaaaaaaaaaaa…\" was stopped.";
    assert_eq!(
        warned("text", json!({ "pattern": r"(a*)*\1b" })),
        [format!("schema.fields[0].pattern: {words}")]
    );
    assert!(warned("text", json!({ "pattern": "^(?=.*[A-Z]).{8,64}$" })).is_empty());
}
